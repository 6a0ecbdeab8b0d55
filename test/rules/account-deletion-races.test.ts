/** An account that is deleted while requests of it and for it are under way: nothing of it is left, and nothing is given to it. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { balance, expectSoundLedger } from '../support/credits.ts';
import { until } from '../support/until.ts';

let t: TestApp;
let bob: TestUser;
let bobsAvatar: string;

beforeAll(async () => {
  t = await openTestApp({ env: { DATABASE_POOL: '80', SIGNUP_CREDITS: '0' } });
  bob = await t.person('Bob', 100);
  const avatar = { displayName: 'Nova', ttsVoiceId: 'noop', publiclyRenderable: true };
  bobsAvatar = (await t.rest('POST', '/avatars', { as: bob.apiKey, body: avatar })).body.avatarId;
});
afterAll(() => t.close());

const call = async (who: TestUser, path: string, body: object) =>
  (await t.rest('POST', path, { as: who.session, body })).status;
const ask = async (who: TestUser, mutation: string) => {
  const { body } = await t.graphql<any>(`mutation { ${mutation} }`, {}, who.session);
  return body.errors?.[0].extensions.code ?? 200;
};
const remove = (who: TestUser) => ask(who, 'deleteAccount(input: { password: "correct horse" }) { deletedId }');

/** Rows that belong to an account, by table, but those of the ledger and of gifts, which other accounts need. */
async function leftOf({ userId }: TestUser): Promise<string[]> {
  const keys = await t.app.db.rows<{ of: string; by: string }>(
    `select c.conrelid::regclass::text as of, a.attname as by from pg_constraint c
     join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
     where c.contype = 'f' and c.confrelid = 'app_user'::regclass`,
  );
  const left: string[] = [];
  for (const { of, by } of keys) {
    if (/^(ledger_|gift_intent|account_usage|account_change)/.test(of)) continue;
    if ((await t.app.db.rows(`select 1 from ${of} where ${by} = $1`, [userId])).length > 0) left.push(`${of}.${by}`);
  }
  const named = 'select 1 from app_user where id = $1 and coalesce(email, display_name, password_hash) is not null';
  return (await t.app.db.rows(named, [userId])).length > 0 ? [...left, 'app_user'] : left;
}

test('what is under way while the account goes is refused, and nothing of it is left', async () => {
  const ada = await t.person('Ada', 100);
  const gift = { to: ada.userId, amount: 1 };
  const { intentId } = (await t.rest('POST', '/donations/intents', { as: bob.apiKey, body: gift })).body;
  const ofAda: (() => Promise<unknown>)[] = [
    () => call(ada, '/avatars', { displayName: 'Late' }),
    () => call(ada, '/api-keys', { name: 'late' }),
    () => call(ada, '/avatar-folders', { name: 'late' }),
    () => call(ada, '/conversations', { avatarOwnerUserId: bob.userId, avatarId: bobsAvatar }),
    () => call(ada, `/avatars/${bobsAvatar}/speak`, { avatarOwnerUserId: bob.userId, text: 'Late' }),
    () => call(ada, '/images/generate', { prompt: 'A late house' }),
    () => call(ada, '/videos/generate', { prompt: 'A late house', duration: 1 }),
    () => call(ada, '/donations/intents', { to: bob.userId, amount: 1, note: 'late' }),
    () =>
      ask(ada, 'createWebhookEndpoint(input: { url: "https://a.example/", events: ["turn.completed"] }) { secret }'),
    () => ask(ada, 'registerOAuthClient(input: { name: "Late", redirectDomains: ["a.example"] }) { clientId }'),
    () => ask(ada, 'updateTribe(input: { tribeName: "Late" }) { tribeName }'),
    () => ask(ada, 'updateProfile(input: { displayName: "Late" }) { displayName }'),
    () => ask(ada, 'createUpload { uploadId }'),
    () => ask(ada, 'changePassword(input: { currentPassword: "correct horse", newPassword: "correct mule" })'),
    () => ask(ada, `signIn(input: { email: "${ada.email}", password: "correct horse" }) { idToken }`),
    () => ask(ada, 'changeEmail(input: { email: "late@example.com", password: "correct horse" })'),
  ];
  const ofBob: (() => Promise<unknown>)[] = [
    () => call(bob, '/donations/intents', gift),
    () => call(bob, `/donations/intents/${intentId}/confirm`, {}),
    () => call(bob, `/tribes/${ada.userId}/join`, {}),
  ];
  const waiting = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  let deleting: Promise<unknown> | undefined;
  let late: Promise<unknown[]> | undefined;
  await t.app.db.transaction(async (tx) => {
    // Ending the sessions is one of the last things.
    await tx.rows('select 1 from session where user_id = $1 for update', [ada.userId]);
    deleting = remove(ada);
    await until(async () => (await t.app.db.rows(waiting)).length > 0);
    let answered = 0;
    late = Promise.all([...ofAda, ...ofBob].map((work) => work().finally(() => (answered += 1))));
    await until(async () => (await t.app.db.rows(waiting)).length + answered > ofAda.length + ofBob.length);
  });
  expect(await deleting).toBe(200);
  const answers = await late!;
  expect(answers.slice(0, 8)).toEqual(Array(8).fill(401));
  expect(answers.slice(8, ofAda.length)).toEqual(Array(ofAda.length - 8).fill('UNAUTHENTICATED'));
  expect(answers.slice(ofAda.length)).toEqual([404, 404, 404]);
  expect(await leftOf(ada)).toEqual([]);
  expect(await balance(t, bob)).toMatchObject({ available: 100, held: 0 });
  await expectSoundLedger(t.app.db);
});

test('to an account that was deleted before, no gift is proposed, and its tribe is joined by no one', async () => {
  const ada = await t.person('Ada');
  expect(await remove(ada)).toBe(200);
  expect(await call(bob, '/donations/intents', { to: ada.userId, amount: 1 })).toBe(404);
  expect(await call(bob, `/tribes/${ada.userId}/join`, {})).toBe(404);
});

test('memberships that were paid for end with the account of either, and the ledger is sound', async () => {
  const [creator, member] = [await t.person('Creator'), await t.person('Member', 10)];
  for (const owner of [creator, bob])
    expect(await ask(owner, 'updateTribe(input: { joinCost: 2 }) { joinCost }')).toBe(200);
  expect(await call(member, `/tribes/${creator.userId}/join`, {})).toBe(200);
  expect(await call(member, `/tribes/${bob.userId}/join`, {})).toBe(200);
  expect(await remove(creator)).toBe(200);
  await expectSoundLedger(t.app.db);
  expect(await remove(member)).toBe(200);
  await expectSoundLedger(t.app.db);
});

test('an account that makes much while it is deleted twice: it is deleted, and nothing is left', async () => {
  for (let round = 0; round < 2; round += 1) {
    const ada = await t.person('Ada', 100);
    const makes = Array.from({ length: 4 }, async () => {
      const { body } = await t.rest('POST', '/avatars', { as: ada.apiKey, body: { displayName: 'Nova' } });
      await call(ada, '/conversations', { avatarOwnerUserId: ada.userId, avatarId: String(body.avatarId) });
      await call(ada, '/images/generate', { prompt: 'A house' }).catch(() => undefined);
    });
    for (let n = 0; n < round; n += 1) await t.rest('GET', '/avatars', { as: ada.apiKey });
    // Who comes when it is deleted already is known no more.
    const answers = await Promise.all([remove(ada), remove(ada)]);
    expect(answers).toContain(200);
    expect(answers.filter((answer) => answer !== 200 && answer !== 'UNAUTHENTICATED')).toEqual([]);
    await Promise.all(makes);
    expect(await leftOf(ada)).toEqual([]);
  }
  await expectSoundLedger(t.app.db);
});
