/** Confirming an e-mail address: the mail, its link, what waits for it, and how often anyone can have one sent. */
import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { DAY_MS, MINUTE_MS } from '../../src/kernel/clock.ts';
import { readConfig } from '../../src/kernel/config.ts';
import { LOG_REDACTION } from '../../src/kernel/log.ts';
import { OPERATOR, openTestApp, signIn, type TestApp, type TestUser } from '../support/app.ts';
import { expectSoundLedger } from '../support/credits.ts';
import { openIssuer, type TestIssuer } from '../support/issuer.ts';
import { csrfOf, Visitor } from '../support/page-client.ts';
import { openSmtpServer, type ReceivedMail, type SmtpServer } from '../support/smtp-server.ts';
import { until } from '../support/until.ts';

let smtp: SmtpServer;
let issuer: TestIssuer;
let t: TestApp;
let nowMs = Date.now();
const lines: string[] = [];

const MAIL_ENV = (url: string) => ({ SMTP_URL: url, SMTP_FROM: 'Avatars <no-reply@avatars.example>' });

beforeAll(async () => {
  [smtp, issuer] = await Promise.all([openSmtpServer(), openIssuer()]);
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  t = await openTestApp({
    work: true,
    clock: { now: () => nowMs },
    env: { ...MAIL_ENV(smtp.url), SIGNUP_CREDITS: '5', OIDC_ISSUERS: `${issuer.url}|avatars` },
    log: pino({ level: 'debug', ...LOG_REDACTION }, sink),
  });
});
afterAll(async () => {
  await expectSoundLedger(t.app.db);
  await t.close();
  await smtp.close();
  issuer.close();
});

const mailsTo = (email: string) => smtp.mails.filter(({ to }) => to.includes(email));
const mailTo = (email: string, nth = 1) => until(async () => mailsTo(email)[nth - 1]);
const linkIn = ({ content }: ReceivedMail) => /http:\/\/\S+\/verify-email\?token=\w+/.exec(content)![0];
const tokenIn = (mail: ReceivedMail) => new URL(linkIn(mail)).searchParams.get('token')!;
const verify = async (token: string, on = t) => {
  const { body } = await on.graphql<any>('mutation($token: String!) { verifyEmail(token: $token) }', { token });
  return body.errors?.[0].extensions.code ?? body.data.verifyEmail;
};
const me = async (as: string) => {
  const { body } = await t.graphql<any>('{ me { emailVerified balance { available welcome } } }', {}, as);
  const { emailVerified, balance } = body.data.me;
  return { emailVerified, ...balance };
};
const resend = async (variables: { email?: string }, as?: string, on = t) => {
  const { body } = await on.graphql<any>(
    'mutation($email: String) { resendVerification(email: $email) }',
    variables,
    as,
  );
  return body.errors?.[0].extensions.code ?? body.data.resendVerification;
};
const jobsFor = async (who: TestUser) => {
  const [row] = await t.app.db.rows<any>(
    `select count(*)::int as n from pgboss.job where name = 'mail' and data->>'id' = $1`,
    [who.userId],
  );
  return row.n;
};

const WAITING = { emailVerified: false, available: 0, welcome: 0 };
const WELCOME = { emailVerified: true, available: 5, welcome: 5 };

describe('the link', () => {
  test('arrives, gives the welcome credits once, and works once', async () => {
    const ada = await t.person('Ada');
    const mail = await mailTo(ada.email);
    expect([mail.from, mail.to]).toEqual(['no-reply@avatars.example', [ada.email]]);
    expect(mail.raw).toMatch(/^Content-Type: text\/plain/m);
    expect(mail.raw).toMatch(/^Content-Type: text\/html/m);
    expect(mail.content).toContain('Hello Ada,');
    expect(await me(ada.session)).toEqual(WAITING);
    expect(await verify(tokenIn(mail))).toBe(true);
    expect(await me(ada.session)).toEqual(WELCOME);
    expect(await verify(tokenIn(mail))).toBe('CONFLICT');
    expect(await me(ada.session)).toEqual(WELCOME);
  });

  test('that is none, or is a day old, confirms nothing; another one does', async () => {
    const bob = await t.person('Bob');
    const old = tokenIn(await mailTo(bob.email));
    expect(await verify(`${old}x`)).toBe('NOT_FOUND');
    nowMs += DAY_MS;
    expect(await verify(old)).toBe('EXPIRED');
    expect(await me(bob.session)).toEqual(WAITING);
    expect(await resend({}, bob.session)).toBe(true);
    expect(await verify(tokenIn(await mailTo(bob.email, 2)))).toBe(true);
    expect(await me(bob.session)).toEqual(WELCOME);
  });

  test('followed many times at once, in two mails, gives the credits once', async () => {
    const cleo = await t.person('Cleo');
    const first = tokenIn(await mailTo(cleo.email));
    nowMs += 3 * MINUTE_MS;
    expect(await resend({}, cleo.session)).toBe(true);
    const second = tokenIn(await mailTo(cleo.email, 2));
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => verify(i % 2 ? first : second)));
    expect(answers.filter((answer) => answer === true).length).toBe(2);
    expect(answers.filter((answer) => answer === 'CONFLICT').length).toBe(18);
    expect(await me(cleo.session)).toEqual(WELCOME);
  });

  test('is nowhere in the database, and no address is in the log', async () => {
    const dora = await t.person('Dora');
    const token = tokenIn(await mailTo(dora.email));
    const rows = await t.app.db.rows<any>(`select row_to_json(v)::text as row from email_verification v
      union all select row_to_json(j)::text from pgboss.job j where name = 'mail'`);
    expect(rows.length).toBeGreaterThan(1);
    expect(rows.filter(({ row }) => row.includes(token) || row.includes('@'))).toEqual([]);
    await until(async () =>
      lines.some((line) => line.includes(dora.userId) && line.includes('verification mail sent')),
    );
    expect(lines.filter((line) => line.includes('@example.com') || line.includes(token))).toEqual([]);
  });

  test('is forgotten a week after its end', async () => {
    const links = async () => (await t.app.db.rows<any>('select count(*)::int as n from email_verification'))[0].n;
    const before = await links();
    expect((await t.app.retentionCleanup.run()).mailedLinks).toBe(0);
    nowMs += 9 * DAY_MS;
    expect((await t.app.retentionCleanup.run()).mailedLinks).toBe(before);
    expect(await links()).toBe(0);
  });
});

describe('the pages', () => {
  test('a program that opens the link uses nothing up; the button does', async () => {
    const browser = new Visitor(t.url);
    const email = 'page@example.com';
    const form = await browser.get('/signup');
    const fields = { csrf: csrfOf(form.text), email, password: 'correct horse', displayName: 'Page', next: '/docs' };
    const made = await browser.post('/signup', fields);
    expect([made.status, made.location]).toEqual([303, `${t.url}/verify-email?result=check&next=%2Fdocs`]);
    const check = await browser.get('/verify-email?result=check&next=%2Fdocs');
    expect(check.text).toContain('Check your mail');
    expect(check.text).toContain('href="/docs"');
    expect((await browser.get('/account')).text).toContain('not confirmed yet');

    const link = new URL(linkIn(await mailTo(email)));
    const path = link.pathname + link.search;
    for (let i = 0; i < 3; i += 1) expect((await fetch(link)).status).toBe(200);
    const { idToken: session } = await signIn(t, { email, password: 'correct horse' });
    expect(await me(session)).toEqual(WAITING);

    const other = new Visitor(t.url);
    const shown = await other.get(path);
    const token = link.searchParams.get('token')!;
    const forged = await other.post('/verify-email', { token, csrf: 'wrong' });
    expect(forged.location).toBe(`${t.url}/verify-email?result=stale`);
    expect(await me(session)).toEqual(WAITING);
    const press = () => other.post('/verify-email', { token, csrf: csrfOf(shown.text) });
    const pressed = await press();
    expect([pressed.status, pressed.location]).toEqual([303, `${t.url}/verify-email?result=confirmed`]);
    expect(await me(session)).toEqual(WELCOME);
    expect((await press()).location).toBe(`${t.url}/verify-email?result=used`);
    expect((await browser.get('/account')).text).not.toContain('not confirmed yet');
  });

  test.each([
    ['expired', 410],
    ['unknown', 404],
    ['confirmed', 200],
    ['toString', 200],
  ])('what became of it is a page: %s', async (result, status) => {
    expect((await new Visitor(t.url).get(`/verify-email?result=${result}`)).status).toBe(status);
  });

  test('another mail is asked for without signing in, and the page does not say whether there is an account', async () => {
    const eve = await t.person('Eve');
    await mailTo(eve.email);
    nowMs += 3 * MINUTE_MS;
    const visitor = new Visitor(t.url);
    const csrf = csrfOf((await visitor.get('/verify-email')).text);
    for (const email of [eve.email, 'nobody@example.com']) {
      const { location } = await visitor.post('/verify-email/resend', { csrf, email });
      expect(location).toBe(`${t.url}/verify-email?result=sent`);
    }
    await mailTo(eve.email, 2);
  });
});

describe('another mail', () => {
  test('comes two minutes after the last, five times a day', async () => {
    const finn = await t.person('Finn');
    await mailTo(finn.email);
    expect(await resend({}, finn.session)).toBe('RATE_LIMITED');
    for (let nth = 2; nth <= 5; nth += 1) {
      nowMs += 3 * MINUTE_MS;
      const answers = await Promise.all(Array.from({ length: 5 }, () => resend({}, finn.apiKey)));
      expect(answers.filter((answer) => answer === true).length).toBe(1);
      await mailTo(finn.email, nth);
    }
    nowMs += 3 * MINUTE_MS;
    expect(await resend({}, finn.session)).toBe('RATE_LIMITED');
    expect(await jobsFor(finn)).toBe(5);
    nowMs += DAY_MS;
    expect(await resend({}, finn.session)).toBe(true);
  });

  test('by address has one answer, whether or not there is an account', async () => {
    const [gus, hana] = await Promise.all([t.person('Gus'), t.person('Hana')]);
    expect(await verify(tokenIn(await mailTo(hana.email)))).toBe(true);
    await mailTo(gus.email);
    const asked = [gus.email, hana.email, 'nobody@example.com', 'no address', OPERATOR.email];
    expect(await Promise.all(asked.map((email) => resend({ email })))).toEqual(asked.map(() => true));
    expect(await Promise.all([jobsFor(gus), jobsFor(hana)])).toEqual([1, 1]);
    nowMs += 3 * MINUTE_MS;
    expect(await resend({ email: ` ${gus.email.toUpperCase()} ` })).toBe(true);
    await mailTo(gus.email, 2);
    expect(await resend({}, hana.session)).toBe(false);
    expect(await resend({})).toBe('UNAUTHENTICATED');
  });
});

describe('the mail', () => {
  test('waits for a server that is away, and signing up does not', async () => {
    smtp.isDown = true;
    const ida = await t.person('Ida');
    await until(async () => {
      const [job] = await t.app.db.rows<any>(`select state from pgboss.job where name = 'mail' and data->>'id' = $1`, [
        ida.userId,
      ]);
      return job.state === 'retry';
    });
    expect(mailsTo(ida.email)).toEqual([]);
    smtp.isDown = false;
    expect(await verify(tokenIn(await mailTo(ida.email)))).toBe(true);
    expect(mailsTo(ida.email).length).toBe(1);
  });

  test('that the server refuses for good is not sent again, and the log does not say whose it was', async () => {
    const email = 'gone@example.com';
    smtp.unknown.add(email);
    const { body } = await t.graphql<any>(
      'mutation($email: String!) { signUp(email: $email, password: "correct horse") { user { userId } } }',
      { email },
    );
    const { userId } = body.data.signUp.user;
    const refused = await until(async () =>
      lines.find((line) => line.includes('verification mail refused') && line.includes(userId)),
    );
    expect(refused).toContain('550');
    const state = await until(async () => {
      const [job] = await t.app.db.rows<any>(`select state from pgboss.job where name = 'mail' and data->>'id' = $1`, [
        userId,
      ]);
      return job.state !== 'active' && job.state;
    });
    expect(state).toBe('completed');
    expect(lines.filter((line) => line.includes(email))).toEqual([]);
  });

  test.each([
    ['O’Brien', 'Hello O’Brien,'],
    ["Rory O'Brien", 'Hello Rory O&#39;Brien,'],
    ['<b>Win</b>', '<p>Hello,</p>'],
    ['win at evil.example', '<p>Hello,</p>'],
    ['Ada\r\nBcc: all@example.com', '<p>Hello,</p>'],
  ])('greets %j as %s', async (name, greeting) => {
    const { email } = await t.person(name);
    const mail = await mailTo(email);
    expect(Buffer.from(mail.content, 'latin1').toString()).toContain(greeting);
    expect(mail.content).not.toMatch(/evil\.example|<b>|^Bcc/m);
  });

  const join = (email: string) =>
    t.graphql<any>('mutation($email: String!) { signUp(email: $email, password: "correct horse") { idToken } }', {
      email,
    });

  // Mail programs and libraries take these for several addresses, or for another one.
  test.each(['x,victim@example.com', 'x;victim@example.com', 'all:victim@example.com', 'a(b)@example.com'])(
    'is never sent to %s',
    async (email) => {
      expect((await join(email)).body.errors![0].message).toBe('email is not an e-mail address.');
    },
  );

  test.each(["o'x+tag@example.com", 'jürgen@bücher.example'])('goes to %s', async (email) => {
    expect((await join(email)).body.errors).toBeUndefined();
    const name = email.split('@')[0];
    const mail = await until(async () => smtp.mails.find(({ to }) => to.join().startsWith(`${name}@`)));
    expect(mail.to.length).toBe(1);
  });
});

describe('accounts that no mail is sent to', () => {
  test('those of before are confirmed', async () => {
    await t.app.db.rows(`insert into app_user (id, email, created_at) values ('usr_old', 'old@example.com', 1)`);
    const [row] = await t.app.db.rows<any>(`select email_verified as is from app_user where id = 'usr_old'`);
    expect(row.is).toBe(true);
  });

  test('users of an issuer are what it says of them, and get welcome credits once', async () => {
    // The clock of this suite is ahead.
    const LONG = { expires: '365d' };
    const verified = await issuer.sign({ sub: 'v', email: 'v@example.org', email_verified: true }, LONG);
    expect(await me(verified)).toEqual(WELCOME);
    const unsaid = await issuer.sign({ sub: 'u', email: 'u@example.org' }, LONG);
    expect(await me(unsaid)).toEqual(WAITING);
    expect(await resend({}, unsaid)).toBe(false);
    const later = await Promise.all(
      [1, 2, 3].map((n) => issuer.sign({ sub: 'u', email: 'u@example.org', email_verified: true, n }, LONG)),
    );
    await Promise.all(later.map((token) => me(token)));
    expect(await me(later[0]!)).toEqual(WELCOME);
  });
});

describe('VERIFY_EMAIL=signin', () => {
  let strict: TestApp;
  beforeAll(async () => {
    strict = await openTestApp({
      work: true,
      env: { ...MAIL_ENV(smtp.url), VERIFY_EMAIL: 'signin', RATE_LIMITS: 'on' },
    });
  });
  afterAll(() => strict.close());

  const enter = async (how: 'signUp' | 'signIn', email: string, password = 'correct horse') => {
    const { body } = await strict.graphql<any>(
      `mutation($email: String!, $password: String!) { ${how}(email: $email, password: $password) { idToken } }`,
      { email, password },
    );
    return body.errors?.[0].extensions.code ?? typeof body.data[how].idToken;
  };

  test('no user is signed in before the address is confirmed; operators are', async () => {
    const email = 'strict@example.com';
    expect(await enter('signUp', email)).toBe('EMAIL_NOT_VERIFIED');
    expect(await enter('signIn', email, 'wrong password')).toBe('UNAUTHENTICATED');
    expect(await enter('signIn', email)).toBe('EMAIL_NOT_VERIFIED');
    const browser = new Visitor(strict.url);
    const csrf = csrfOf((await browser.get('/signin')).text);
    const { status, location } = await browser.post('/signin', { csrf, email, password: 'correct horse' });
    expect([status, location]).toEqual([303, `${strict.url}/verify-email?result=check&next=%2F`]);
    const sessions = await strict.app.db.rows('select 1 from session');
    expect(sessions).toEqual([]);
    expect(await verify(tokenIn(await mailTo(email)), strict)).toBe(true);
    expect(await enter('signIn', email)).toBe('string');
    expect(await enter('signIn', OPERATOR.email, OPERATOR.password)).toBe('string');
  });

  test('one network address asks for five mails an hour, by whatever means', async () => {
    const asked: unknown[] = [];
    for (let i = 0; i < 7; i += 1) asked.push(await resend({ email: `anyone-${i}@example.com` }, undefined, strict));
    expect(asked).toEqual([true, true, true, true, true, 'RATE_LIMITED', 'RATE_LIMITED']);
  });
});

describe('the configuration', () => {
  const SMTP = { SMTP_URL: 'smtp://localhost:25', SMTP_FROM: 'a@example.com' };
  test.each([
    [{}, 'off'],
    [{ VERIFY_EMAIL: 'credits' }, 'off'],
    [SMTP, 'credits'],
    [{ ...SMTP, VERIFY_EMAIL: 'off' }, 'off'],
    [{ ...SMTP, VERIFY_EMAIL: 'signin' }, 'signin'],
  ])('%j: %s', (env, mode) => {
    expect(readConfig(env).VERIFY_EMAIL).toBe(mode);
  });

  test.each([
    [{ VERIFY_EMAIL: 'signin' }, 'SMTP_URL must be set when VERIFY_EMAIL is signin.'],
    [{ SMTP_URL: SMTP.SMTP_URL }, 'SMTP_FROM must be set when SMTP_URL is.'],
    [{ ...SMTP, SMTP_URL: 'http://localhost' }, 'SMTP_URL must start with smtp:// or smtps://.'],
    [{ ...SMTP, SMTP_FROM: 'nobody' }, 'SMTP_FROM must be an e-mail address'],
    [{ ...SMTP, SMTP_FROM: 'A\r\nBcc: b@example.com <a@example.com>' }, 'SMTP_FROM must be an e-mail address'],
  ])('%j is refused', (env, sentence) => {
    expect(() => readConfig(env)).toThrow(sentence);
  });

  test('the sender may have a name', () => {
    const from = readConfig({ ...SMTP, SMTP_FROM: '"The Avatars" <no-reply@example.com>' }).SMTP_FROM;
    expect(from).toEqual({ name: 'The Avatars', address: 'no-reply@example.com' });
  });
});
