/** Following what is one's own, by the stock client: each kind, resuming, who is shown what, and when it ends. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { type Client, createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { makeAvatar, makeClient, tokenFor } from '../support/oauth.ts';
import { until, untilIs } from '../support/until.ts';

const DAY_MS = 86_400_000;

let aheadMs = 0;
let t: TestApp;
let ada: TestUser;
let avatarId: string;
const followers: Follower[] = [];

beforeAll(async () => {
  t = await openTestApp({ work: true, clock: { now: () => Date.now() + aheadMs } });
  ada = await t.person('Ada', 100);
  const body = { displayName: 'Nova', ttsVoiceId: 'noop' };
  avatarId = (await t.rest('POST', '/avatars', { as: ada.apiKey, body })).body.avatarId;
});
afterEach(() => Promise.all(followers.splice(0).map((follower) => follower.stop())));
afterAll(() => t.close());

async function ask<T = any>(query: string, variables: Record<string, unknown> = {}, as = ada.session): Promise<T> {
  const { body } = await t.graphql<T>(query, variables, as);
  if (body.errors) throw new Error(JSON.stringify(body.errors));
  return body.data;
}
const cursorOf = async (as = ada.session): Promise<string> => (await ask('{ updateCursor }', {}, as)).updateCursor;

const startConversation = async (as = ada.apiKey): Promise<string> =>
  (await t.rest('POST', '/conversations', { as, body: { avatarOwnerUserId: ada.userId, avatarId } })).body
    .conversationId;
const RENAME = `mutation($id: ID!, $title: String) {
  renameConversation(conversationId: $id, title: $title) { conversationId } }`;

/** Follows with the stock client, which goes on behind its last cursor when it has lost its connection. */
class Follower {
  readonly updates: any[] = [];
  readonly errors: any[] = [];
  connections = 0;
  closeCode: number | undefined;
  readonly #client: Client;

  constructor(field: string, selection: string, { as = ada.session, after, args = '' }: Following = {}) {
    const variables: Record<string, unknown> = { after };
    this.#client = createClient({
      url: `${t.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { authorization: `Bearer ${as}` },
      retryAttempts: Number.POSITIVE_INFINITY,
      retryWait: () => new Promise((resolve) => setTimeout(resolve, 20)),
      shouldRetry: () => this.closeCode !== 4401,
      on: {
        connected: () => {
          this.connections += 1;
        },
        closed: (event) => {
          this.closeCode = (event as { code: number }).code;
        },
      },
    });
    const query = `subscription($after: String) { update: ${field}(after: $after ${args}) { cursor subjectId ${selection} } }`;
    this.#client.subscribe<any>(
      { query, variables },
      {
        next: ({ data, errors }) => {
          if (errors) this.errors.push(...errors);
          if (!data) return;
          this.updates.push(data.update);
          variables.after = data.update.cursor;
        },
        error: (error) => this.errors.push(...(Array.isArray(error) ? error : [error])),
        complete: () => {},
      },
    );
    followers.push(this);
  }

  drop(): void {
    this.#client.terminate();
  }

  stop(): void {
    void this.#client.dispose();
  }
}

interface Following {
  as?: string;
  after?: string;
  args?: string;
}

/** Once there is an update like this. */
const seen = (follower: Follower, isIt: (update: any) => boolean): Promise<any> =>
  until(async () => follower.updates.findLast(isIt)).catch((error) => {
    throw new Error(JSON.stringify([follower.errors, follower.updates.slice(-5)]), { cause: error });
  });

const EVERY_KIND = `kind changedAt
  ... on ConversationUpdate { conversation { id title } }
  ... on VideoUpdate { video { id status progress } }
  ... on SpeechUpdate { speech { id status } }
  ... on ImageUpdate { image { id prompt } }
  ... on BalanceUpdate { balance { available held } }
  ... on GiftUpdate { gift { id status } received { amount from } }
  ... on TrainingUpdate { training { status } }`;

test('everything that changes comes as it is then, each kind by its own subscription and all by events', async () => {
  const after = await cursorOf();
  const friend = await t.person('Friend');
  const friendsCursor = await cursorOf(friend.session);
  const all = new Follower('events', EVERY_KIND, { after });
  const conversationId = await startConversation();
  const some = new Follower('events', EVERY_KIND, { after, args: 'kinds: [video, gift]' });
  const one = new Follower('conversationUpdated', 'conversation { title }', { after, args: `id: "${conversationId}"` });
  await startConversation();
  const turn = { userText: 'Well?', avatarText: 'Well.', output: 'audio' };
  await t.rest('POST', `/conversations/${conversationId}/turn`, { as: ada.apiKey, body: turn });
  await ask(RENAME, { id: conversationId, title: 'Tea' });
  const video = (await t.rest('POST', '/videos/generate', { as: ada.apiKey, body: { prompt: 'A boat', duration: 1 } }))
    .body.generationId;
  const speech = (await t.rest('POST', `/avatars/${avatarId}/speak`, { as: ada.apiKey, body: { text: 'Hello' } })).body
    .generationId;
  await t.rest('POST', '/images/generate', { as: ada.apiKey, body: { prompt: 'A red boat' } });
  await t.rest('POST', `/avatars/${avatarId}/train`, { as: ada.apiKey });
  const gift = (await t.rest('POST', '/donations/intents', { as: ada.apiKey, body: { to: friend.userId, amount: 1 } }))
    .body.intentId;
  await ask('mutation($id: ID!) { confirmGift(intentId: $id) { intentId } }', { id: gift });

  await seen(all, ({ conversation }) => conversation?.title === 'Tea');
  await seen(all, (update) => update.subjectId === video && update.video.status === 'ready');
  await seen(all, (update) => update.subjectId === speech && update.speech.status === 'audio');
  await seen(all, ({ image }) => image?.prompt === 'A red boat');
  await seen(all, ({ subjectId, training }) => subjectId === avatarId && training?.status === 'trained');
  await seen(all, (update) => update.subjectId === gift && update.gift.status === 'confirmed');
  // What is held is released when everything has ended.
  const { me } = await untilIs(
    () => ask('{ me { balance { available held } } }'),
    (answer) => answer.me.balance.held === 0,
  );
  await seen(all, ({ balance }) => balance?.held === 0 && balance.available === me.balance.available);
  await seen(one, ({ conversation }) => conversation?.title === 'Tea');
  await seen(some, (update) => update.subjectId === video && update.video.status === 'ready');
  await seen(some, ({ gift }) => gift?.status === 'confirmed');
  expect(new Set(some.updates.map(({ kind }) => kind))).toEqual(new Set(['video', 'gift']));
  expect(new Set(one.updates.map(({ subjectId }) => subjectId))).toEqual(new Set([conversationId]));

  const friends = new Follower('giftUpdated', 'gift { id } received { amount from }', {
    as: friend.session,
    after: friendsCursor,
  });
  expect(await seen(friends, () => true)).toMatchObject({
    subjectId: gift,
    gift: null,
    received: { amount: 1, from: ada.userId },
  });

  await ask('mutation($id: ID!) { deleteVideo(generationId: $id) { deletedId } }', { id: video });
  await seen(some, (update) => update.subjectId === video && update.video === null);
  await ask('mutation($id: ID!) { deleteConversation(conversationId: $id) { deletedId } }', { id: conversationId });
  await seen(one, ({ conversation }) => conversation === null);
  for (const { updates, errors } of followers) {
    const cursors = updates.map(({ cursor }) => Number(cursor));
    expect(cursors).toEqual([...new Set(cursors)].sort((a, b) => a - b));
    expect(errors).toEqual([]);
  }
});

test('many writers and lost connections: nothing is lost and nothing comes twice', async () => {
  const ids = await Promise.all(Array.from({ length: 6 }, () => startConversation()));
  const after = await cursorOf();
  const viewers = Array.from(
    { length: 3 },
    () => new Follower('conversationUpdated', 'conversation { title }', { after }),
  );
  let isWriting = true;
  const dropping = viewers.map(async (viewer, index) => {
    for (let least = 3 + index; isWriting; least += 7) {
      await until(async () => !isWriting || viewer.updates.length >= least);
      viewer.drop();
    }
  });
  // However fast the updates come together, every viewer loses its connection in the midst of them.
  const haveAllDropped = () => viewers.every(({ connections }) => connections > 1);
  const lastTitles = new Map<string, string>();
  await Promise.all(
    ids.map(async (id) => {
      for (let round = 1; round <= 15 || !haveAllDropped(); round += 1) {
        await ask(RENAME, { id, title: `${round}` });
        lastTitles.set(id, `${round}`);
      }
    }),
  );
  isWriting = false;
  await Promise.all(dropping);
  for (const viewer of viewers) {
    for (const id of ids)
      await seen(viewer, (update) => update.subjectId === id && update.conversation.title === lastTitles.get(id));
    const cursors = viewer.updates.map(({ cursor }) => Number(cursor));
    expect(cursors).toEqual([...new Set(cursors)].sort((a, b) => a - b));
    expect(viewer.errors).toEqual([]);
  }
  // What has not changed since is not shown again, and nothing is between the cursors.
  const last = viewers[0]!.updates.at(-1).cursor;
  const late = new Follower('conversationUpdated', 'conversation { title avatar { displayName } }', { after: last });
  await ask(RENAME, { id: ids[0], title: 'late' });
  await seen(late, () => true);
  const asItWas = { title: 'late', avatar: { displayName: 'Nova' } };
  expect(late.updates).toMatchObject([{ subjectId: ids[0], conversation: asItWas }]);
  // Each update reads anew what the one before has read.
  await ask('mutation($id: ID!) { renameAvatar(avatarId: $id, displayName: "Stella") { avatarId } }', { id: avatarId });
  await ask(RENAME, { id: ids[1], title: 'later' });
  await seen(late, ({ conversation }) => conversation.title === 'later');
  expect(late.updates.at(-1).conversation.avatar).toEqual({ displayName: 'Stella' });
});

test('a change that is under way when an account is first watched is in what the watcher reads or in what they follow', async () => {
  const eve = await t.person('Eve');
  const body = { avatarOwnerUserId: eve.userId, avatarId: await makeAvatar(t, eve) };
  const id = (await t.rest('POST', '/conversations', { as: eve.apiKey, body })).body.conversationId;
  let isCommitted = false;
  let hasWaited: boolean | undefined;
  let asking: Promise<void> | undefined;
  await t.app.db.transaction(async (tx) => {
    await tx.rows(`update conversation set title = 'under way' where id = $1`, [id]);
    asking = cursorOf(eve.session).then(() => {
      hasWaited = isCommitted;
    });
    await until(async () => {
      const open = await t.app.db.rows('select user_id from account_feed where user_id = $1', [eve.userId]);
      return open.length > 0;
    });
    // Requests that do not wait are answered meanwhile.
    for (let other = 0; other < 5; other += 1) await ask('{ me { userId } }');
    isCommitted = true;
  });
  await asking;
  expect(hasWaited).toBe(true);
});

test('an app follows what it made itself, and no kind that it may not read', async () => {
  const app = await makeClient(t, ada, { scopes: ['generate'] });
  const token = await tokenFor(t, ada, avatarId, app, 'generate');
  const after = await cursorOf();
  const watching = new Follower('events', 'kind', { as: token, after });
  const foreign = await startConversation();
  const own = await startConversation(token);
  await seen(watching, ({ subjectId }) => subjectId === own);
  expect(watching.updates.some(({ subjectId }) => subjectId === foreign)).toBe(false);
  const refused = new Follower('events', 'kind', { as: token, after, args: 'kinds: [balance]' });
  await until(async () => refused.errors.length > 0);
  expect(refused.errors[0].extensions.code).toBe('FORBIDDEN');
});

test('what is no cursor is refused, and one that is too old says so', async () => {
  const fay = await t.person('Fay');
  const old = await cursorOf(fay.session);
  const refusal = async (after: string, as = fay.session): Promise<unknown> => {
    const follower = new Follower('events', 'kind', { as, after });
    await until(async () => follower.errors.length > 0);
    return follower.errors[0].extensions;
  };
  expect(await refusal('tea')).toMatchObject({ code: 'BAD_INPUT', field: 'after' });
  expect(await refusal(String(Number(old) + 1_000))).toMatchObject({ code: 'BAD_INPUT', field: 'after' });
  await t.app.retentionCleanup.run();
  expect(await cursorOf(fay.session)).toBe(old);
  const gil = await t.person('Gil');
  const avatar = { avatarOwnerUserId: gil.userId, avatarId: await makeAvatar(t, gil) };
  const gilsOld = await cursorOf(gil.session);
  await t.rest('POST', '/conversations', { as: gil.apiKey, body: avatar });
  aheadMs += 2 * DAY_MS;
  // His feed is open still when the change goes, which no reader has seen.
  await t.app.db.rows('update account_feed set watched_at = $1 where user_id = $2', [Date.now() + aheadMs, gil.userId]);
  await t.app.retentionCleanup.run();
  expect(await refusal(old)).toMatchObject({ code: 'EXPIRED', field: 'after' });
  expect(await refusal(gilsOld, gil.session)).toMatchObject({ code: 'EXPIRED', field: 'after' });
});

test('what is past goes with its partition: a cursor behind it is too old, the latest one resumes', async () => {
  const hal = await t.person('Hal');
  const avatar = { avatarOwnerUserId: hal.userId, avatarId: await makeAvatar(t, hal) };
  await t.app.partitions.run();
  const old = await cursorOf(hal.session);
  const kept = async () =>
    t.app.db.rows<{ lies: string }>(
      'select tableoid::regclass::text as lies from account_change where user_id = $1 and version is not null',
      [hal.userId],
    );
  await t.rest('POST', '/conversations', { as: hal.apiKey, body: avatar });
  const latest = await cursorOf(hal.session);
  expect(Number(latest)).toBeGreaterThan(Number(old));
  const [change, ...others] = await kept();
  expect(change!.lies).toMatch(/^account_change_to_\d{10}$/);
  expect(others).toEqual([]);

  aheadMs += DAY_MS - 60_000;
  await t.app.partitions.run();
  expect(await kept()).toEqual([change]);
  aheadMs += DAY_MS;
  // He has been watched all the time.
  await t.app.db.rows('update account_feed set watched_at = $1 where user_id = $2', [Date.now() + aheadMs, hal.userId]);
  expect((await t.app.partitions.run()).dropped).toBeGreaterThan(0);
  expect(await kept()).toEqual([]);
  const behind = new Follower('events', 'kind', { as: hal.session, after: old });
  await until(async () => behind.errors.length > 0);
  expect(behind.errors[0].extensions).toMatchObject({ code: 'EXPIRED', field: 'after' });

  const follower = new Follower('events', 'kind', { as: hal.session, after: latest });
  await t.rest('POST', '/conversations', { as: hal.apiKey, body: avatar });
  await seen(follower, ({ kind }) => kind === 'conversation');
  expect(follower.updates.map(({ kind }) => kind)).toEqual(['conversation']);
});

test('a revoked key ends what it follows', async () => {
  const { body } = await t.rest('POST', '/api-keys', { as: ada.session, body: { name: 'Short-lived' } });
  const { id, token: key } = body;
  const follower = new Follower('balanceUpdated', 'balance { available }', { as: key, after: await cursorOf() });
  await until(async () => t.app.services.live.accounts.feeds.stats.viewers === 1);
  await ask('mutation($id: ID!) { deleteApiKey(id: $id) { deletedId } }', { id });
  await until(async () => follower.closeCode === 4401);
  await until(async () => t.app.services.live.accounts.feeds.stats.viewers === 0);
});
