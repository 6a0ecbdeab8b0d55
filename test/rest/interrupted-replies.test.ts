/**
 * Interrupting: what no worker has begun to render is dropped, uncharged; the avatar remembers to have said what was heard;
 * viewers are notified, and no user interrupts another's conversation.
 */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { createNoopEngines } from '../../src/engines/noop/index.ts';
import type { LanguageModelV4, Mark } from '../../src/engines/ports/index.ts';
import { TURN_UPDATED, Watcher } from '../graphql/live-viewers.ts';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { balance, expectSoundLedger } from '../support/credits.ts';
import { until } from '../support/until.ts';

/** The speech engine waits at this word until the test lets it go on, the chat engine when it is asked with it. */
const SLOW = 'slowly';
const WORD_MS = 500;
const RATE = 8_000;

let t: TestApp;
let ada: TestUser;
let bob: TestUser;
let avatarId: string;
let latch = Promise.withResolvers<void>();
let waiting = 0;
let reply = '';
/** What the chat engine was last asked. */
let asked = '';
const watchers: Watcher[] = [];

async function pass(text: string): Promise<void> {
  if (!text.includes(SLOW)) return;
  waiting += 1;
  await latch.promise;
}

/** A word every half second. */
function marksOf(text: string): Mark[] {
  return [...text.matchAll(/\S+/g)].map(({ 0: word, index }, place) => ({
    ms: place * WORD_MS,
    kind: 'word',
    at: index,
    len: word.length,
  }));
}

beforeAll(async () => {
  const { chat, speech, ...others } = createNoopEngines();
  const teller: LanguageModelV4 = {
    ...chat,
    async doStream({ prompt }) {
      asked = JSON.stringify(prompt);
      await pass(JSON.stringify(prompt.at(-1)));
      const { stream } = await chat.doStream({ prompt });
      const watched = new TransformStream({
        transform: (part: any, controller) =>
          controller.enqueue(part.type === 'text-delta' ? { ...part, delta: reply } : part),
      });
      return { stream: stream.pipeThrough(watched) };
    },
  };
  t = await openTestApp({
    work: true,
    engines: {
      ...others,
      chat: teller,
      chatIsEmbedded: false,
      speech: {
        ...speech,
        async *stream({ text }) {
          await pass(text);
          const marks = marksOf(text);
          yield { pcm: new Int16Array((marks.length * WORD_MS * RATE) / 1_000), rate: RATE, marks };
        },
      },
      close: async () => {},
    },
  });
  ada = await t.person('Ada', 100);
  bob = await t.person('Bob', 100);
  const made = { displayName: 'Nova', personalityPrompt: 'Kind.', ttsVoiceId: 'noop', publiclyRenderable: true };
  avatarId = (await t.rest('POST', '/avatars', { as: ada.apiKey, body: made })).body.avatarId;
});
afterEach(async () => {
  latch.resolve();
  latch = Promise.withResolvers();
  waiting = 0;
  await Promise.all(watchers.splice(0).map((watcher) => watcher.stop()));
});
afterAll(() => t.close());

async function converse(): Promise<string> {
  const body = { avatarOwnerUserId: ada.userId, avatarId };
  return (await t.rest('POST', '/conversations', { as: ada.apiKey, body })).body.shareSlug;
}

/** Id of the reply's first turn. */
async function say(slug: string, userText: string): Promise<string> {
  const body = { userText, output: 'audio' };
  return (await t.rest('POST', `/conversations/${slug}/turn`, { as: ada.apiKey, body })).body.turn.id;
}

async function interrupt(turnId: string, heardMs?: number, as = ada): Promise<any> {
  const query = 'mutation($input: InterruptTurnInput!) { interruptTurn(input: $input) { turnId droppedTurnIds } }';
  const { body } = await t.graphql<any>(query, { input: { turnId, heardMs } }, as.session);
  return body.data?.interruptTurn ?? body.errors![0].extensions.code;
}

async function turnsOf(slug: string): Promise<any[]> {
  const query = `query($slug: String!) { conversationBySlug(slug: $slug) {
    turns { id role status avatarText heardText audioUrl } } }`;
  return (await t.graphql<any>(query, { slug }, ada.session)).body.data.conversationBySlug.turns;
}
const repliesOf = async (slug: string) => (await turnsOf(slug)).filter(({ role }) => role === 'avatar');

test('the avatar remembers to have said what was heard, in whole words', async () => {
  const slug = await converse();
  reply = 'Once upon a time there was a fox.';
  const turnId = await say(slug, 'Tell me a story.');
  await t.settled(slug, ada.apiKey);
  expect(await interrupt(turnId, 4 * WORD_MS - 100)).toEqual({ turnId, droppedTurnIds: [] });
  expect(await repliesOf(slug)).toMatchObject([{ avatarText: reply, heardText: 'Once upon a time' }]);
  // Another listener is no further than the first who spoke.
  await interrupt(turnId, WORD_MS);
  expect((await repliesOf(slug))[0].heardText).toBe('Once upon a time');

  reply = 'Yes?';
  await say(slug, 'Wait!');
  await t.settled(slug, ada.apiKey);
  expect(asked).toContain('Once upon a time …');
  expect(asked).not.toContain('fox');
});

test('what was heard to its end, or without saying how far, stays as it is', async () => {
  const slug = await converse();
  reply = 'Once upon a time.';
  for (const heardMs of [undefined, 4 * WORD_MS, 60_000]) {
    const turnId = await say(slug, 'Tell me a story.');
    await t.settled(slug, ada.apiKey);
    expect(await interrupt(turnId, heardMs)).toEqual({ turnId, droppedTurnIds: [] });
  }
  expect((await repliesOf(slug)).map(({ heardText }) => heardText)).toEqual([null, null, null]);
  const newest = (await repliesOf(slug)).at(-1);
  await interrupt(newest.id, 0);
  expect((await repliesOf(slug)).map(({ heardText }) => heardText)).toEqual([null, null, '']);
});

test('an old reply that is played again keeps what was heard of it', async () => {
  const slug = await converse();
  reply = 'Once upon a time.';
  const old = await say(slug, 'Tell me a story.');
  await t.settled(slug, ada.apiKey);
  await say(slug, 'Another one.');
  await t.settled(slug, ada.apiKey);
  expect(await interrupt(old, WORD_MS)).toEqual({ turnId: old, droppedTurnIds: [] });
  expect((await repliesOf(slug)).map(({ heardText }) => heardText)).toEqual([null, null]);
});

test('a reply that is being spoken is interrupted although something waits behind it', async () => {
  const slug = await converse();
  reply = `One. Two. This goes ${SLOW}.`;
  const first = await say(slug, 'Tell me all.');
  await until(async () => waiting > 0);
  reply = 'Yes?';
  await say(slug, 'Wait!');
  await interrupt(first, 0);
  expect((await repliesOf(slug)).find(({ id }) => id === first)?.heardText ?? '').toBe('');
  latch.resolve();
  await t.settled(slug, ada.apiKey);
  const all = await repliesOf(slug);
  expect(all.at(-1)).toMatchObject({ avatarText: 'Yes?', heardText: null });
  for (const { heardText } of all.slice(0, -1)) expect(heardText).toBe('');
  await expectSoundLedger(t.app.db);
});

test('locks the turns before their conversation, as settling one does', async () => {
  const slug = await converse();
  reply = 'Here you are.';
  const turnId = await say(slug, `Tell me ${SLOW}`);
  await until(async () => waiting > 0);
  const client = await t.app.db.pool.connect();
  try {
    await client.query('begin');
    const pid = (await client.query('select pg_backend_pid() as pid')).rows[0].pid;
    await client.query('select 1 from conversation_turn where id = $1 for update', [turnId]);
    const interrupting = interrupt(turnId, 0);
    const blocked = 'select 1 from pg_stat_activity where $1 = any(pg_blocking_pids(pid))';
    await until(async () => (await t.app.db.rows(blocked, [pid])).length > 0);
    await client.query('select 1 from conversation where share_slug = $1 for update nowait', [slug]);
    await client.query('commit');
    expect(await interrupting).toEqual({ turnId, droppedTurnIds: [turnId] });
  } finally {
    await client.query('rollback');
    client.release();
  }
  latch.resolve();
});

test('chunks that no worker began are gone and cost nothing; those that were begun are made, and were not heard', async () => {
  const slug = await converse();
  const slow = Array.from({ length: 12 }, (_, index) => `Part ${index} goes ${SLOW}. Yes. No.`);
  reply = ['One. Two. Three.', ...slow].join(' ');
  const before = await balance(t, ada);
  const turnId = await say(slug, 'Tell me all.');
  await until(async () => (await repliesOf(slug)).length === 13 && waiting > 0);
  const query = TURN_UPDATED.replace('cursor', 'isDeleted cursor');
  const viewer = new Watcher(t.url, slug, { as: ada.apiKey, query, after: '0' });
  watchers.push(viewer);
  await viewer.until(({ updates }) => new Set(updates.map(({ turn }) => turn.id)).size === 14);

  const { droppedTurnIds } = await interrupt(turnId, WORD_MS + 1);
  expect(droppedTurnIds.length).toBeGreaterThan(0);
  const gone = (watcher: Watcher) => (watcher.updates as any[]).filter(({ isDeleted }) => isDeleted);
  await viewer.until((watcher) => gone(watcher).length === droppedTurnIds.length);
  expect(gone(viewer).map(({ turn }) => turn.id)).toEqual(droppedTurnIds);
  latch.resolve();
  await t.settled(slug, ada.apiKey);
  const [first, ...others] = await repliesOf(slug);
  expect(first).toMatchObject({ id: turnId, heardText: 'One. Two.' });
  expect(others).toHaveLength(12 - droppedTurnIds.length);
  expect(others.length).toBeGreaterThan(0);
  for (const one of others) expect(one).toMatchObject({ heardText: '', status: 'audio', audioUrl: expect.anything() });
  const after = await balance(t, ada);
  expect(after.held).toBe(0);
  const [{ captured }] = await t.app.db.rows<any>(
    `select count(*)::int as captured from ledger_hold where source = any($1) and captured > 0`,
    [[turnId, ...others.map(({ id }) => id)].map((id) => `turn:${id}`)],
  );
  expect(captured).toBe(1 + others.length);
  expect(after.available).toBeLessThan(before.available);
  reply = 'As you like.';
  await say(slug, 'Stop.');
  await t.settled(slug, ada.apiKey);
  expect(asked).toContain('One. Two. …');
  expect(asked).not.toContain('Part');
  await expectSoundLedger(t.app.db);
});

test('a reply that is being written ends, uncharged, and the next one is answered', async () => {
  const slug = await converse();
  reply = 'Here you are.';
  const before = await balance(t, ada);
  const turnId = await say(slug, `Tell me ${SLOW}`);
  await until(async () => waiting > 0);
  const all = await Promise.all(Array.from({ length: 8 }, () => interrupt(turnId, 0)));
  expect(all.flatMap(({ droppedTurnIds }) => droppedTurnIds ?? [])).toEqual([turnId]);
  expect((await balance(t, ada)).available).toBe(before.available);
  const next = await say(slug, 'And now?');
  latch.resolve();
  await t.settled(slug, ada.apiKey);
  expect(await repliesOf(slug)).toMatchObject([{ id: next, avatarText: 'Here you are.', heardText: null }]);
  await expectSoundLedger(t.app.db);
});

test('only by who may speak in it, and only a reply', async () => {
  const slug = await converse();
  reply = 'Hello there.';
  const turnId = await say(slug, 'Hi');
  await t.settled(slug, ada.apiKey);
  const [{ id: mine }] = await turnsOf(slug);
  expect(await interrupt(turnId, 0, bob)).toBe('FORBIDDEN');
  expect(await interrupt('trn_01aaaaaaaaaaaaaaaaaaaaaaaa', 0)).toBe('NOT_FOUND');
  expect(await interrupt(mine, 0)).toBe('BAD_INPUT');
  expect(await interrupt(turnId, -1)).toBe('BAD_INPUT');
  expect((await repliesOf(slug))[0].heardText).toBeNull();
});
