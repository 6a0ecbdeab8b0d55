/** Links that set a new password or take a new e-mail address: mailed, used once, for a while; and the operator's command. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { DAY_MS, MINUTE_MS } from '../../src/kernel/clock.ts';
import { OPERATOR, openTestApp, signIn, type TestApp, type TestUser } from '../support/app.ts';
import { csrfOf, Visitor } from '../support/page-client.ts';
import { runModule } from '../support/program.ts';
import { openSmtpServer, type SmtpServer } from '../support/smtp-server.ts';
import { until } from '../support/until.ts';

let smtp: SmtpServer;
let t: TestApp;
let ada: TestUser;
let nowMs = Date.now();

beforeAll(async () => {
  smtp = await openSmtpServer();
  const env = { SMTP_URL: smtp.url, SMTP_FROM: 'Avatars <no-reply@avatars.example>', VERIFY_EMAIL: 'off' };
  t = await openTestApp({ work: true, clock: { now: () => nowMs }, env });
});
afterAll(async () => {
  await t.close();
  await smtp.close();
});
beforeEach(async () => {
  ada = await t.person('Ada');
});

const ask = async (query: string, variables: object, as?: string, on = t) => {
  const { body } = await on.graphql<any>(query, { ...variables }, as);
  return body.errors?.[0].extensions.code ?? Object.values(body.data)[0];
};
const REQUEST = 'mutation($email: String!) { requestPasswordReset(email: $email) }';
const RESET =
  'mutation($token: String!, $newPassword: String!) { resetPassword(token: $token, newPassword: $newPassword) }';
const CHANGE = 'mutation($email: String!, $password: String!) { changeEmail(email: $email, password: $password) }';
const CONFIRM = 'mutation($token: String!) { confirmEmailChange(token: $token) }';

const mailsTo = (email: string) => smtp.mails.filter(({ to }) => to.includes(email));
const linkTo = async (email: string, nth = 1): Promise<string> => {
  const mail = await until(async () => mailsTo(email)[nth - 1]);
  return /http:\/\/\S+\?token=\w+/.exec(mail.content)![0];
};
const tokenTo = async (email: string, nth = 1) => new URL(await linkTo(email, nth)).searchParams.get('token')!;
const isIn = async (as: string) => (await t.graphql<any>('{ me { userId } }', {}, as)).body.data?.me != null;
const reset = (token: string, newPassword = 'a new password') => ask(RESET, { token, newPassword });
const jobs = async () =>
  (await t.app.db.rows<any>(`select count(*)::int as n from pgboss.job where name = 'mail'`))[0].n;

describe('a forgotten password', () => {
  test('a mailed link sets a new one, once, and every session ends; keys stay', async () => {
    expect(await ask(REQUEST, { email: ` ${ada.email.toUpperCase()}` })).toBe(true);
    const token = await tokenTo(ada.email);
    expect(await reset(token, 'short')).toBe('BAD_INPUT');
    expect(await reset(token)).toBe(true);
    await until(async () => !(await isIn(ada.session)));
    expect(await isIn(ada.apiKey)).toBe(true);
    await expect(signIn(t, { email: ada.email, password: 'correct horse' })).rejects.toThrow();
    expect((await signIn(t, { email: ada.email, password: 'a new password' })).userId).toBe(ada.userId);
    expect(await reset(token, 'another password')).toBe('CONFLICT');
    expect(await reset('none of ours')).toBe('NOT_FOUND');
  });

  test('of many uses at once one sets it', async () => {
    await ask(REQUEST, { email: ada.email });
    const token = await tokenTo(ada.email);
    const outcomes = await Promise.all(Array.from({ length: 6 }, (_, n) => reset(token, `password number ${n}`)));
    expect(outcomes.filter((one) => one === true)).toHaveLength(1);
    expect(outcomes.filter((one) => one === 'CONFLICT')).toHaveLength(5);
  });

  test('it works for 30 minutes', async () => {
    await ask(REQUEST, { email: ada.email });
    const token = await tokenTo(ada.email);
    nowMs += 30 * MINUTE_MS;
    expect(await reset(token)).toBe('EXPIRED');
    expect(await isIn(ada.session)).toBe(true);
  });

  test('the answer does not show whether there is an account, and no address is flooded', async () => {
    const before = await jobs();
    expect(await ask(REQUEST, { email: 'nobody@example.com' })).toBe(true);
    // Their password is configured.
    expect(await ask(REQUEST, { email: OPERATOR.email })).toBe(true);
    expect(await jobs()).toBe(before);
    await Promise.all(Array.from({ length: 5 }, () => ask(REQUEST, { email: ada.email })));
    expect(await jobs()).toBe(before + 1);
    for (let n = 0; n < 6; n += 1) {
      nowMs += 3 * MINUTE_MS;
      expect(await ask(REQUEST, { email: ada.email })).toBe(true);
    }
    expect(await jobs()).toBe(before + 5);
    nowMs += DAY_MS;
    await ask(REQUEST, { email: ada.email });
    expect(await jobs()).toBe(before + 6);
  });

  test('tokens are kept as hashes alone', async () => {
    await ask(REQUEST, { email: ada.email });
    const token = await tokenTo(ada.email);
    const rows = JSON.stringify([
      await t.app.db.rows('select * from account_link'),
      await t.app.db.rows('select data from pgboss.job'),
    ]);
    expect(rows).toContain(ada.userId);
    expect(rows).not.toContain(token);
  });

  test('the pages lead through it', async () => {
    const visitor = new Visitor(t.app.config.SITE_URL);
    expect((await visitor.get('/signin')).text).toContain('href="/reset-password"');
    const form = await visitor.get('/reset-password');
    const sent = await visitor.post('/reset-password/ask', { csrf: csrfOf(form.text), email: ada.email });
    expect((await visitor.get(sent.location!)).text).toContain('Check your mail');
    const page = await visitor.get(await linkTo(ada.email));
    const token = new URL(await linkTo(ada.email)).searchParams.get('token')!;
    const send = (newPassword: string, csrf = csrfOf(page.text)) =>
      visitor.post('/reset-password', { csrf, token, newPassword });
    expect((await send('a new password', 'forged')).location).toMatch(/result=stale$/);
    expect((await send('short')).text).toContain('The password must have 8 to 200 characters.');
    expect((await send('a new password')).location).toMatch(/result=reset$/);
    expect((await send('a new password')).location).toMatch(/result=used$/);
    await new Visitor(t.app.config.SITE_URL).signIn(ada.email, 'a new password');
  });
});

describe('another e-mail address', () => {
  const me = async () => (await t.graphql<any>('{ me { email } }', {}, ada.apiKey)).body.data.me.email;
  const change = (email: string, password = 'correct horse') => ask(CHANGE, { email, password }, ada.session);

  test('is taken when its link is followed, and links to the old one are void', async () => {
    const email = `new-${ada.email}`;
    expect(await change(email, 'wrong password')).toBe('FORBIDDEN');
    expect(await change(OPERATOR.email)).toBe('BAD_INPUT');
    await ask(REQUEST, { email: ada.email });
    const old = await tokenTo(ada.email);
    expect(await change(email)).toBe(false);
    expect(await change(email)).toBe('RATE_LIMITED');
    const token = await tokenTo(email);
    expect(await me()).toBe(ada.email);
    // Each link is for what it was sent for.
    expect(await reset(token)).toBe('NOT_FOUND');
    expect(await ask(CONFIRM, { token })).toBe(true);
    expect(await me()).toBe(email);
    expect(await reset(old)).toBe('NOT_FOUND');
    expect(await ask(CONFIRM, { token })).toBe('CONFLICT');
    expect((await signIn(t, { email, password: 'correct horse' })).userId).toBe(ada.userId);
  });

  test('one that has an account is mailed nothing, and the answer does not show it; one that gets it meanwhile is not taken', async () => {
    const bob = await t.person('Bob');
    expect(await change(bob.email)).toBe(false);
    nowMs += 3 * MINUTE_MS;
    const email = `later-${ada.email}`;
    expect(await change(email)).toBe(false);
    const token = await tokenTo(email);
    expect(mailsTo(bob.email)).toEqual([]);
    await t.graphql('mutation($email: String!) { signUp(email: $email, password: "correct horse") { expiresAt } }', {
      email,
    });
    expect(await ask(CONFIRM, { token })).toBe('CONFLICT');
    expect(await me()).toBe(ada.email);
  });

  test('a deleted account takes no address by a link of before', async () => {
    const email = `late-${ada.email}`;
    await change(email);
    const token = await tokenTo(email);
    expect(await ask('mutation { deleteAccount(password: "correct horse") { ok } }', {}, ada.session)).toEqual({
      ok: true,
    });
    expect(await ask(CONFIRM, { token })).toBe('NOT_FOUND');
  });

  test('the pages lead through it', async () => {
    const visitor = await new Visitor(t.app.config.SITE_URL).signIn(ada.email);
    const email = `page-${ada.email}`;
    const csrf = csrfOf((await visitor.get('/account')).text);
    await visitor.post('/account/email', { csrf, email, password: 'correct horse' });
    expect((await visitor.get('/account')).text).toContain('We sent a link to the new address');
    const link = await linkTo(email);
    const guest = new Visitor(t.app.config.SITE_URL);
    const form = await guest.get(link);
    const token = new URL(link).searchParams.get('token')!;
    const answer = await guest.post('/change-email', { csrf: csrfOf(form.text), token });
    expect(answer.location).toMatch(/result=changed$/);
    expect(await me()).toBe(email);
  });
});

describe('where no mail is sent', () => {
  let silent: TestApp;
  beforeAll(async () => {
    silent = await openTestApp();
  });
  afterAll(() => silent.close());

  test('a reset says so, an address changes at once, and the operator’s command gives a link', async () => {
    const eve = await silent.person('Eve');
    expect(await ask(REQUEST, { email: eve.email }, undefined, silent)).toBe('UNAVAILABLE');
    const email = `new-${eve.email}`;
    expect(await ask(CHANGE, { email, password: 'correct horse' }, eve.session, silent)).toBe(true);
    // As the platform itself is started: with operators.
    const env = {
      DATABASE_URL: silent.databaseUrl,
      SITE_URL: silent.app.config.SITE_URL,
      DATA_DIR: '/tmp',
      OPERATOR_EMAILS: 'operator@example.com',
      OPERATOR_PASSWORD: 'correct horse',
    };
    const command = async (...words: string[]) => {
      const run = runModule('src/commands/reset-password', env, ...words);
      return { code: await run.exit, said: run.output().trim() };
    };
    expect(await command('nobody@example.com')).toEqual({
      code: 1,
      said: 'No account with this address has a password to reset.',
    });
    const { code, said } = await command(email);
    expect(code).toBe(0);
    const token = new URL(said).searchParams.get('token');
    expect(said).toBe(`${silent.app.config.SITE_URL}/reset-password?token=${token}`);
    expect(await ask(RESET, { token, newPassword: 'a new password' }, undefined, silent)).toBe(true);
    expect((await signIn(silent, { email, password: 'a new password' })).userId).toBe(eve.userId);
  });

  test('of accounts that take one address at the same moment one has it, and the others get an error', async () => {
    const wanting = await Promise.all(Array.from({ length: 6 }, (_, index) => silent.person(`Racer ${index}`)));
    const email = `wanted-${wanting[0]!.email}`;
    const said = await Promise.all(
      wanting.map((one) => ask(CHANGE, { email, password: 'correct horse' }, one.session, silent)),
    );
    expect(said.filter((one) => one === true)).toHaveLength(1);
    for (const one of said) expect([true, 'BAD_INPUT', 'CONFLICT']).toContain(one);
  });
});
