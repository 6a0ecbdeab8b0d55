/**
 * Quotas of an account: a burst of a fresh account gets exactly what there is and a sentence for the rest; what it gives
 * up, it may make again; no other account's count changes.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readConfig } from '../../src/kernel/config.ts';
import { type Answer, openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { until } from '../support/until.ts';

const BURST = 12;
const QUOTAS = 'apiKeys=4, apps=3, folders=3, avatars=5, freePortraits=3, conversations=4, accessLinks=2, memories=5';

let t: TestApp;
let ada: TestUser;
let bob: TestUser;
let avatarId: string;

beforeAll(async () => {
  t = await openTestApp({ env: { QUOTAS } });
  [ada, bob] = [await t.person('Ada'), await t.person('Bob')];
  const body = { displayName: 'Nova', publiclyRenderable: true };
  avatarId = (await t.rest('POST', '/avatars', { as: ada.apiKey, body })).body.avatarId;
});
afterAll(() => t.close());

const post = (path: string, body: object, as: string) => t.rest('POST', path, { as, body });
const makeAvatar = (as: string) => post('/avatars', { displayName: 'Nova' }, as);
const converse = (as: string) => post('/conversations', { avatarOwnerUserId: ada.userId, avatarId }, as);
const save = (as: string, sandboxId?: string) =>
  post(`/avatars/${avatarId}/brain/pages`, { content: 'a red kite', ...(sandboxId ? { sandboxId } : {}) }, as);
const burst = (make: () => Promise<Answer>) => Promise.all(Array.from({ length: BURST }, make));

/** How many were made; every other answer is the 400 of this quota. */
function made(answers: Answer[], quota: string, limit: number): number {
  for (const { status, body } of answers.filter((answer) => answer.status !== 200)) {
    expect([status, body]).toEqual([
      400,
      expect.objectContaining({ code: 'QUOTA_EXCEEDED', error: expect.stringMatching(/at most \d+ /), quota, limit }),
    ]);
  }
  return answers.filter(({ status }) => status === 200).length;
}

describe('a burst of a fresh account makes exactly as many as it may have', () => {
  test('API keys, of which one is in use already; a revoked one makes room', async () => {
    const cleo = await t.person('Cleo');
    const name = () => post('/api-keys', { name: 'k' }, cleo.session);
    const answers = await burst(name);
    expect(made(answers, 'apiKeys', 4)).toBe(3);
    const { id } = answers.find(({ status }) => status === 200)!.body;
    expect((await t.rest('DELETE', `/api-keys/${id}`, { as: cleo.session })).status).toBe(200);
    expect(made(await burst(name), 'apiKeys', 4)).toBe(1);
    expect((await t.rest('GET', '/api-keys', { as: cleo.session })).body.apiKeys).toHaveLength(4);
  });

  test('apps; a deleted one makes room', async () => {
    const register = () => post('/oauth/clients', { name: 'App', redirectDomains: ['app.example.com'] }, bob.apiKey);
    const answers = await burst(register);
    expect(made(answers, 'apps', 3)).toBe(3);
    const { clientId } = answers.find(({ status }) => status === 200)!.body;
    await t.rest('DELETE', `/oauth/clients/${clientId}`, { as: bob.apiKey });
    expect(made(await burst(register), 'apps', 3)).toBe(1);
  });

  test('apps, by default: of 160 registrations at once 100 are made', async () => {
    const usual = await openTestApp();
    try {
      const { apiKey: as } = await usual.person('Bob');
      const body = { name: 'App', redirectDomains: ['app.example.com'] };
      const answers = await Promise.all(
        Array.from({ length: 160 }, () => usual.rest('POST', '/oauth/clients', { as, body })),
      );
      expect(made(answers, 'apps', 100)).toBe(100);
      const [there] = await usual.app.db.rows('select count(*)::int as n from oauth_client');
      expect(there).toEqual({ n: 100 });
    } finally {
      await usual.close();
    }
  });

  test('folders; a deleted one makes room', async () => {
    const create = () => post('/avatar-folders', { name: 'Friends' }, bob.apiKey);
    const answers = await burst(create);
    expect(made(answers, 'folders', 3)).toBe(3);
    const { folderId } = answers.find(({ status }) => status === 200)!.body.folder;
    await t.rest('DELETE', `/avatar-folders/${folderId}`, { as: bob.apiKey });
    expect(made(await burst(create), 'folders', 3)).toBe(1);
  });

  test('portraits drawn free of charge, before the avatars themselves', async () => {
    expect(made(await burst(() => makeAvatar(bob.apiKey)), 'freePortraits', 3)).toBe(3);
    const { avatars } = (await t.rest('GET', '/avatars', { as: bob.apiKey })).body;
    expect(avatars).toHaveLength(3);
    const withImage = () => post('/avatars', { displayName: 'Vega', imageUrl: avatars[0].avatarImageUrl }, bob.apiKey);
    expect(made(await burst(withImage), 'avatars', 5)).toBe(2);
    expect((await t.rest('GET', '/avatars', { as: bob.apiKey })).body.avatars).toHaveLength(5);
  });

  test('conversations, and the access links of all of them', async () => {
    const answers = await burst(() => converse(bob.apiKey));
    expect(made(answers, 'conversations', 4)).toBe(4);
    const ids = answers.flatMap(({ status, body }) => (status === 200 ? [body.conversationId] : []));
    const link = (i = 0) => post(`/conversations/${ids[i]}/access-link`, {}, bob.apiKey);
    const links = await Promise.all(Array.from({ length: BURST }, (_, i) => link(i % ids.length)));
    expect(made(links, 'accessLinks', 2)).toBe(2);
    const i = links.findIndex(({ status }) => status === 200);
    const gone = `/conversations/${ids[i % ids.length]}/access-link/${links[i]!.body.linkId}`;
    expect((await t.rest('DELETE', gone, { as: bob.apiKey })).status).toBe(200);
    expect(made(await burst(link), 'accessLinks', 2)).toBe(1);
    // Those of a conversation that is deleted make room too.
    for (const id of ids) await t.rest('DELETE', `/conversations/${id}`, { as: bob.apiKey });
    const next = (await converse(bob.apiKey)).body.conversationId;
    expect(made(await burst(() => post(`/conversations/${next}/access-link`, {}, bob.apiKey)), 'accessLinks', 2)).toBe(
      2,
    );
  });

  test('memories, in whosever brain and sandbox: a non-owner fills their own quota, not the owner’s', async () => {
    let i = 0;
    const spread = await burst(() => {
      i += 1;
      return save(bob.apiKey, i % 2 === 0 ? `box${i}` : undefined);
    });
    expect(made(spread, 'memories', 5)).toBe(5);
    expect(made(await burst(() => save(ada.apiKey, 'mine')), 'memories', 5)).toBe(5);
    const { body } = await t.rest('DELETE', `/avatars/${avatarId}/brain/sandboxes/mine`, { as: ada.apiKey });
    expect(body.deleted).toBe(5);
    expect(made(await burst(() => save(ada.apiKey, 'mine')), 'memories', 5)).toBe(5);
  });

  test('the last memory of an account, saved in two brains at once; what is refused is nowhere', async () => {
    const { db } = t.app;
    const fay = await t.person('Fay');
    for (let i = 1; i < 5; i += 1) expect((await save(fay.apiKey)).status).toBe(200);
    const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    let last: Promise<Answer[]> | undefined;
    await db.transaction(async (tx) => {
      await tx.rows(`select 1 from account_usage where user_id = $1 and kind = 'memories' for update`, [fay.userId]);
      last = Promise.all([save(fay.apiKey, 'one'), save(fay.apiKey, 'two')]);
      await until(async () => (await db.rows(waiting)).length > 1);
    });
    expect(made(await last!, 'memories', 5)).toBe(1);
    const brains = await db.rows(
      `select b.n, (select count(*)::int from brain_entry e where e.scope_id = b.scope_id) as entries from brain b`,
    );
    expect(brains.map(({ n }) => n)).toEqual(brains.map(({ entries }) => entries));
  });
});

test('one account’s full quota limits no other account', async () => {
  const dan = await t.person('Dan');
  for (const answer of [await makeAvatar(dan.apiKey), await converse(dan.apiKey), await save(dan.apiKey)]) {
    expect(answer.status).toBe(200);
  }
});

test('the counters are what is there', async () => {
  const rows = await t.app.db.rows(
    `select kind, sum(used)::int as used from account_usage where kind <> 'freePortraits' group by 1 order by 1`,
  );
  const [there] = await t.app.db.rows(
    `select (select count(*)::int from access_link where revoked_at is null) as "accessLinks",
       (select count(*)::int from api_key where client_id is null and revoked_at is null) as "apiKeys",
       (select count(*)::int from oauth_client) as apps, (select count(*)::int from avatar) as avatars,
       (select count(*)::int from conversation) as conversations, (select count(*)::int from avatar_folder) as folders,
       (select count(*)::int from brain_entry) as memories,
       (select sum(bytes)::int from media_object) as "storageBytes"`,
  );
  expect(Object.fromEntries(rows.map(({ kind, used }) => [kind, used]))).toEqual(there);
});

describe('storage', () => {
  let full: TestApp;
  let eve: TestUser;
  beforeAll(async () => {
    full = await openTestApp({ work: true, env: { QUOTAS: 'storageBytes=1' } });
    eve = await full.person('Eve', 50);
  });
  afterAll(() => full.close());

  test('an image that does not fit is refused, costs nothing and leaves no avatar and no file', async () => {
    const { status, body } = await full.rest('POST', '/avatars', { as: eve.apiKey, body: { displayName: 'Nova' } });
    expect([status, body.code, body.quota]).toEqual([400, 'QUOTA_EXCEEDED', 'storageBytes']);
    expect((await full.rest('GET', '/avatars', { as: eve.apiKey })).body.avatars).toEqual([]);
    const drawn = await full.rest('POST', '/images/generate', { as: eve.apiKey, body: { prompt: 'a boat' } });
    expect([drawn.status, drawn.body.quota]).toEqual([400, 'storageBytes']);
    const [money] = await full.app.db.rows(
      `select count(*) filter (where h.state <> 'released')::int as kept, (select count(*)::int from media_object) as files
       from ledger_hold h`,
    );
    expect(money).toEqual({ kept: 0, files: 0 });
  });

  test('paid media are counted for who pays; when storage is full, nothing more is accepted or charged', async () => {
    const open = await openTestApp({ work: true, env: { QUOTAS: 'storageBytes=100000000' } });
    try {
      const fay = await open.person('Fay', 50);
      const made = await open.rest('POST', '/avatars', {
        as: fay.apiKey,
        body: {
          displayName: 'Nova',
          ttsVoiceId: (await open.rest('GET', '/voices', { as: fay.apiKey })).body.voices[0].id,
        },
      });
      const { avatarId: speaker } = made.body;
      const used = async () =>
        (
          await open.app.db.rows<{ used: number }>(
            `select used::int from account_usage where kind = 'storageBytes' and user_id = $1`,
            [fay.userId],
          )
        )[0]!.used;
      const before = await used();
      expect(before).toBeGreaterThan(0);
      const speak = (text: string) =>
        open.rest('POST', `/avatars/${speaker}/speak`, { as: fay.apiKey, body: { text, output: 'audio' } });
      const { status, body } = await speak('Hello there.');
      expect([200, 202]).toContain(status);
      const said = () => open.rest('GET', `/avatars/speak/${body.generationId}`, { as: fay.apiKey });
      await until(async () => (await said()).body.status !== 'pending');
      expect((await said()).body.audioUrl).toMatch(/^http/);
      expect(await used()).toBeGreaterThan(before);
      await open.app.db.rows(`update account_usage set used = 100000000 where kind = 'storageBytes'`);
      const refused = await speak('One more.');
      expect([refused.status, refused.body.quota]).toEqual([400, 'storageBytes']);
      expect(await open.app.db.rows(`select 1 from ledger_hold where state = 'open'`)).toEqual([]);
    } finally {
      await open.close();
    }
  });
});

test('the configuration changes quotas by name, and says what it does not know', () => {
  expect(readConfig({ QUOTAS: 'apps=7' }).QUOTAS).toMatchObject({ apps: 7, apiKeys: 100 });
  expect(() => readConfig({ QUOTAS: 'shoes=7' })).toThrow(/^QUOTAS knows apiKeys, .*not "shoes"/);
  expect(() => readConfig({ QUOTAS: 'apps' })).toThrow('QUOTAS must be name=number items, not "apps".');
});
