/** Conversations deleted while their replies begin, are written and end: there is no deadlock, and nothing stays open. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Tx } from '../../src/kernel/database.ts';
import { newId } from '../../src/kernel/ids.ts';
import { openHolds } from '../../src/ledger/holds.ts';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { balance, expectSoundLedger } from '../support/credits.ts';
import { until } from '../support/until.ts';

const CALLERS = 6;
const ROUNDS = 12;

let t: TestApp;
let ada: TestUser;
let avatarId: string;

beforeAll(async () => {
  t = await openTestApp({ work: true });
  ada = await t.person('Ada', 1_000);
  const avatar = { displayName: 'Nova', personalityPrompt: 'Kind.', ttsVoiceId: 'noop' };
  avatarId = (await call('POST', '/avatars', avatar)).body.avatarId;
});
afterAll(() => t.close());

const call = (method: string, path: string, body?: object) =>
  t.rest(method, path, { as: ada.apiKey, ...(body ? { body } : {}) });

/** PostgreSQL's own count; each connection hands on what it counted when it is asked to. */
async function deadlocks(): Promise<number> {
  const { pool } = t.app.db;
  const clients = await Promise.all(Array.from({ length: pool.totalCount }, () => pool.connect()));
  await Promise.all(clients.map((client) => client.query('select pg_stat_force_next_flush()')));
  for (const client of clients) client.release();
  const [row] = await t.app.db.rows<{ n: number }>(
    'select deadlocks::int as n from pg_stat_database where datname = current_database()',
  );
  return row!.n;
}

/** Two turns; the conversation is deleted once it has been read so many times, at other moments of the replies. */
async function deleteAfter(reads: number): Promise<number[]> {
  const { conversationId: id } = (await call('POST', '/conversations', { avatarOwnerUserId: ada.userId, avatarId }))
    .body;
  const say = (userText: string) => call('POST', `/conversations/${id}/turn`, { userText, output: 'text' });
  const first = await say('Hi');
  const second = say('And you?');
  for (let n = 0; n < reads; n += 1) await call('GET', `/conversations/${id}`);
  const deleted = await call('DELETE', `/conversations/${id}`);
  // A turn for a conversation that goes was accepted before, or finds none.
  const { status } = await second;
  return [first.status, status === 404 ? 202 : status, deleted.status];
}

test('deleting conversations whose replies are being written: each goes, nothing deadlocks or stays open', async () => {
  const before = await deadlocks();
  const callers = Array.from({ length: CALLERS }, async (_, caller) => {
    const answers: number[][] = [];
    for (let round = 0; round < ROUNDS; round += 1) answers.push(await deleteAfter((caller + round) % 5));
    return answers;
  });
  const answers = (await Promise.all(callers)).flat();
  expect(answers.filter((statuses) => statuses.join() !== '202,202,200')).toEqual([]);
  await until(async () => {
    const open = await t.app.db.rows(`select 1 from pgboss.job where state in ('created', 'retry', 'active')
      and name in ('reply', 'render')`);
    return open.length === 0;
  });
  expect((await deadlocks()) - before).toBe(0);
  expect(await t.app.db.rows('select 1 from injection union all select 1 from conversation_turn')).toEqual([]);
  expect((await balance(t, ada)).held).toBe(0);
  await expectSoundLedger(t.app.db);
});

test('deleting a conversation while a render changes its turn and then the version: the deletion waits, and goes', async () => {
  const { body } = await call('POST', '/conversations', { avatarOwnerUserId: ada.userId, avatarId });
  const { conversationId: id, shareSlug } = body;
  await call('POST', `/conversations/${id}/turn`, { userText: 'Hi', output: 'audio' });
  await t.settled(shareSlug, ada.apiKey);
  const waiting = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  let deleting: ReturnType<typeof call> | undefined;
  await t.app.db.transaction(async (tx) => {
    await tx.rows('update conversation_turn set stream_key = null where conversation_id = $1', [id]);
    deleting = call('DELETE', `/conversations/${id}`);
    await until(async () => (await t.app.db.rows(waiting)).length > 0);
    await tx.rows('update conversation set version = version + 1 where id = $1', [id]);
  });
  expect((await deleting)?.status).toBe(200);
  await expectSoundLedger(t.app.db);
});

test.each(['conversation', 'turn'])(
  'deleting a %s while its reply holds credits for a chunk and then for the next: no deadlock',
  async (what) => {
    const { db } = t.app;
    const { body } = await call('POST', '/conversations', { avatarOwnerUserId: ada.userId, avatarId });
    const { conversationId: id, shareSlug } = body;
    const { turn } = (await call('POST', `/conversations/${id}/turn`, { userText: 'Hi', output: 'text' })).body;
    await t.settled(shareSlug, ada.apiKey);
    // What is being written of it is written by hand here, to stop between the statements.
    await db.rows(`update injection set state = 'writing' where conversation_id = $1`, [id]);
    const lockInjection = 'select 1 from injection where conversation_id = $1 for update';
    const waiters = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    const waiting = (count: number) => until(async () => (await db.rows(waiters)).length >= count);
    const holdFor = async (tx: Tx, chunk: number) => {
      const hold = { source: `turn:${id}/${chunk}`, kind: 'turn', userId: ada.userId, amount: 1n, revealBalance: true };
      const [holdId] = await openHolds(tx, [hold], Date.now());
      await tx.rows(lockInjection, [id]);
      await tx.rows(
        `insert into conversation_turn (id, conversation_id, injection_id, number, chunk, role, avatar_text, output, status,
           voiced_by_avatar_id, hold_id, created_at)
         select $2, i.conversation_id, i.id, i.number, $3, 'avatar', 'And', 'audio', 'pending', $4, $5, 0
         from injection i where i.conversation_id = $1`,
        [id, newId('trn'), chunk, avatarId, holdId],
      );
    };
    let deleting: ReturnType<typeof call> | undefined;
    let next: Promise<void> | undefined;
    await db.transaction(async (tx) => {
      await holdFor(tx, 2);
      deleting = call('DELETE', what === 'turn' ? `/turns/${turn.id}` : `/conversations/${id}`);
      await waiting(1);
      next = db.transaction((other) => holdFor(other, 3));
      await waiting(2);
    });
    const gone = await next!.then(
      () => undefined,
      (error) => error.message,
    );
    expect((await deleting)?.status).toBe(200);
    // The chunk found its injection still there, or gone.
    expect(gone ?? '').not.toMatch(/deadlock/);
    await call('DELETE', `/conversations/${id}`);
    expect((await balance(t, ada)).held).toBe(0);
    await expectSoundLedger(db);
  },
);

test('deleting avatars while others are heard speaking as them: each goes, nothing deadlocks or stays open', async () => {
  const before = await deadlocks();
  const callers = Array.from({ length: CALLERS }, async (_, caller) => {
    const statuses: number[] = [];
    for (let round = 0; round < ROUNDS / 3; round += 1) {
      const avatar = { displayName: 'Guest', personalityPrompt: 'Kind.', ttsVoiceId: 'noop' };
      const speakerAvatarId = (await call('POST', '/avatars', avatar)).body.avatarId;
      const { body } = await call('POST', '/conversations', { avatarOwnerUserId: ada.userId, avatarId });
      const turn = { userText: 'Hi', output: 'audio', speakerAvatarId };
      for (let said = 0; said < 3; said += 1) await call('POST', `/conversations/${body.conversationId}/turn`, turn);
      for (let n = 0; n < (caller + round) % 5; n += 1) await call('GET', `/conversations/${body.conversationId}`);
      statuses.push((await call('DELETE', `/avatars/${speakerAvatarId}`)).status);
    }
    return statuses;
  });
  const statuses = (await Promise.all(callers)).flat();
  expect((await deadlocks()) - before).toBe(0);
  expect(statuses.filter((status) => status !== 200)).toEqual([]);
  await until(async () => (await balance(t, ada)).held === 0);
  await expectSoundLedger(t.app.db);
});

test.each([
  ['avatar', 'avatars'],
  ['conversation', 'conversations'],
])('deleting: %s, while a counter of %s changes and then that of files: no deadlock', async (what, kind) => {
  const { db } = t.app;
  const avatar = { displayName: 'Guest', personalityPrompt: 'Kind.', ttsVoiceId: 'noop' };
  const guestId = (await call('POST', '/avatars', avatar)).body.avatarId;
  const { body } = await call('POST', '/conversations', { avatarOwnerUserId: ada.userId, avatarId: guestId });
  await call('POST', `/conversations/${body.conversationId}/turn`, { userText: 'Hi', output: 'audio' });
  await t.settled(body.shareSlug, ada.apiKey);
  // As an avatar that is made counts itself and then its portrait's file.
  const count = (tx: Tx, counted: string) =>
    tx.rows('update account_usage set used = used where user_id = $1 and kind = $2 returning used', [
      ada.userId,
      counted,
    ]);
  const waiting = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  let deleting: ReturnType<typeof call> | undefined;
  await db.transaction(async (tx) => {
    expect(await count(tx, kind)).toHaveLength(1);
    deleting = call('DELETE', what === 'avatar' ? `/avatars/${guestId}` : `/conversations/${body.conversationId}`);
    await until(async () => (await db.rows(waiting)).length > 0);
    expect(await count(tx, 'storageBytes')).toHaveLength(1);
  });
  expect((await deleting)?.status).toBe(200);
  await expectSoundLedger(db);
});

describe('an avatar is deleted just as something else of it begins', () => {
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  const gql = async (query: string, variables: object, as = ada.session) => {
    const { body } = await t.graphql<any>(query, { ...variables }, as);
    return body.errors?.[0].extensions.code ?? 200;
  };
  let bob: TestUser;
  let own: { conversationId: string; clientId: string };

  beforeAll(async () => {
    bob = await t.person('Bob');
    const { conversationId } = (await call('POST', '/conversations', { avatarOwnerUserId: ada.userId, avatarId })).body;
    const app = { name: 'App', redirectDomains: ['app.example.com'], scopes: ['profile'] };
    const register = 'mutation($app: RegisterOAuthClientInput!) { registerOAuthClient(input: $app) { clientId } }';
    const { body } = await t.graphql<any>(register, { app }, ada.session);
    own = { conversationId, clientId: body.data.registerOAuthClient.clientId };
    // From an account's second memory on one statement saves it.
    expect((await call('POST', `/avatars/${avatarId}/brain/pages`, { content: 'I like salt.' })).status).toBe(200);
  });

  interface Doomed {
    id: string;
    imageUrl: string;
    slug: string;
  }

  async function doomed(): Promise<Doomed> {
    const avatar = { displayName: 'Guest', ttsVoiceId: 'noop', publiclyRenderable: true };
    const { body } = await call('POST', '/avatars', avatar);
    const talk =
      'mutation($id: ID!) { setTalkSettings(input: { avatarId: $id, audience: everyone }) { settings { url } } }';
    const talks = await t.graphql<any>(talk, { id: body.avatarId }, ada.session);
    const slug = talks.body.data.setTalkSettings.settings.url.split('/a/')[1];
    return { id: body.avatarId, imageUrl: body.avatar.avatarImageUrl, slug };
  }

  const begins: [string, unknown, (avatar: Doomed) => Promise<unknown>][] = [
    [
      'a conversation of another user',
      404,
      async ({ id }) =>
        (
          await t.rest('POST', '/conversations', {
            as: bob.apiKey,
            body: { avatarOwnerUserId: ada.userId, avatarId: id },
          })
        ).status,
    ],
    [
      'speech for another user',
      404,
      async ({ id }) =>
        (
          await t.rest('POST', `/avatars/${id}/speak`, {
            as: bob.apiKey,
            body: { avatarOwnerUserId: ada.userId, text: 'Hello' },
          })
        ).status,
    ],
    [
      'a turn that it speaks in elsewhere',
      404,
      async ({ id }) =>
        (
          await call('POST', `/conversations/${own.conversationId}/turn`, {
            userText: 'Hi',
            output: 'text',
            speakerAvatarId: id,
          })
        ).status,
    ],
    [
      'a memory',
      404,
      async ({ id }) => (await call('POST', `/avatars/${id}/brain/pages`, { content: 'I like tea.' })).status,
    ],
    [
      'a memory with a key',
      404,
      async ({ id }) =>
        (
          await t.rest('POST', `/avatars/${id}/brain/pages`, {
            as: ada.apiKey,
            body: { content: 'I like tea.' },
            headers: { 'idempotency-key': newId('key') },
          })
        ).status,
    ],
    [
      'a voice',
      'NOT_FOUND',
      ({ id }) =>
        gql(
          'mutation($id: ID!) { createCustomVoice(input: { avatarId: $id, name: "Deep", baseVoiceId: "noop" }) { id } }',
          { id },
        ),
    ],
    [
      'the choice of its primary image',
      'NOT_FOUND',
      ({ id }) =>
        gql('mutation($id: ID!) { setPrimaryAvatarImage(input: { avatarId: $id, assetId: "img_x" }) { id } }', { id }),
    ],
    [
      'an app that acts as it',
      'BAD_INPUT',
      ({ id }) =>
        gql(
          'mutation($id: ID!, $app: ID!) { setServiceAvatar(input: { clientId: $app, serviceAvatarId: $id }) { ok } }',
          {
            id,
            app: own.clientId,
          },
        ),
    ],
    [
      'a sign-in as it',
      'BAD_INPUT',
      ({ id }) =>
        gql(
          `mutation($id: ID!, $app: ID!) { approveAuthorization(input: { clientId: $app, avatarId: $id,
            redirectUri: "https://app.example.com/back", responseType: "code", scope: "profile" }) { redirectTo } }`,
          { id, app: own.clientId },
        ),
    ],
    [
      'a visit',
      'NOT_FOUND',
      ({ slug }) =>
        gql('mutation($slug: String!) { beginVisit(input: { slug: $slug }) { viewerToken } }', { slug }, bob.session),
    ],
  ];

  test.each(begins)('%s: the answer is that the avatar is gone', async (_, answer, begin) => {
    const { db } = t.app;
    const avatar = await doomed();
    const before = (await db.rows<{ n: number }>(waiting)).length;
    let deleting: ReturnType<typeof call> | undefined;
    let beginning: Promise<unknown> | undefined;
    await db.transaction(async (tx) => {
      // The deletion counts last of all what goes: here it waits.
      await tx.rows('select 1 from account_usage where user_id = $1 and kind = $2 for update', [ada.userId, 'avatars']);
      deleting = call('DELETE', `/avatars/${avatar.id}`);
      await until(async () => (await db.rows(waiting)).length > before);
      let isAnswered = false;
      beginning = begin(avatar).finally(() => {
        isAnswered = true;
      });
      await until(async () => isAnswered || (await db.rows(waiting)).length > before + 1);
    });
    expect([(await deleting)?.status, await beginning]).toEqual([200, answer]);
    expect(await db.rows('select 1 from brain where avatar_id = $1', [avatar.id])).toEqual([]);
    await expectSoundLedger(db);
  });

  test('much at once: every avatar goes, each of the others is made or refused, nothing deadlocks', async () => {
    const before = await deadlocks();
    const answers = new Set<unknown>();
    for (let round = 0; round < 8; round += 1) {
      const avatar = await doomed();
      const others = begins.flatMap(([, , begin]) => Array.from({ length: 3 }, () => begin(avatar)));
      // Of other moments of what the others do.
      for (let n = 0; n < round % 4; n += 1) await call('GET', `/avatars/${avatar.id}`);
      answers.add(`deleted ${(await call('DELETE', `/avatars/${avatar.id}`)).status}`);
      for (const answer of await Promise.all(others)) answers.add(answer);
    }
    expect((await deadlocks()) - before).toBe(0);
    const expected = [200, 202, 400, 404, 'BAD_INPUT', 'NOT_FOUND', 'deleted 200'];
    expect([...answers].filter((answer) => !expected.includes(answer as string))).toEqual([]);
    const left = 'select avatar_id from brain where avatar_id not in (select id from avatar)';
    expect(await t.app.db.rows(left)).toEqual([]);
    await until(async () => (await balance(t, ada)).held === 0);
    await expectSoundLedger(t.app.db);
  });
});

test('an avatar is put into a folder, or a conversation shared, that is deleted just then: 400 and 404', async () => {
  const { db } = t.app;
  const waiting = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  const folderId = (await call('POST', '/avatar-folders', { name: 'Guests' })).body.folder.folderId;
  const update =
    'mutation($id: ID!, $folderId: ID) { updateAvatar(input: { avatarId: $id, folderId: $folderId }) { avatarId } }';
  let filing: Promise<any[]> | undefined;
  await db.transaction(async (tx) => {
    await tx.rows('delete from avatar_folder where id = $1 returning id', [folderId]);
    filing = Promise.all([
      call('POST', '/avatars', { displayName: 'Guest', folderId }),
      t.graphql<any>(update, { id: avatarId, folderId }, ada.session),
    ]);
    await until(async () => (await db.rows(waiting)).length > 1);
  });
  const [created, updated] = await filing!;
  const error = 'folderId is not one of your folders.';
  expect([created.status, created.body.error, updated.body.errors[0].message]).toEqual([400, error, error]);

  const { body } = await call('POST', '/conversations', { avatarOwnerUserId: ada.userId, avatarId });
  let sharing: ReturnType<typeof call> | undefined;
  await db.transaction(async (tx) => {
    await tx.rows('delete from conversation where id = $1 returning id', [body.conversationId]);
    sharing = call('POST', `/conversations/${body.conversationId}/access-link`);
    await until(async () => (await db.rows(waiting)).length > 0);
  });
  expect((await sharing)?.status).toBe(404);
});
