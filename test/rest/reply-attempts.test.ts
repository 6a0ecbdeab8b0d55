/**
 * A reply that does not come through at once: its engine refuses, breaks off or hangs, its worker is stopped or overtaken.
 * What was spoken stays and is not said again, the rest follows, and it is charged once.
 */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createNoopEngines } from '../../src/engines/noop/index.ts';
import type { Engines } from '../../src/engines/ports/index.ts';
import { createOpenAiCompatibleChat } from '../../src/engines/remote/chat.ts';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { type ChatServer, openChatServer, type Script } from '../support/chat-server.ts';
import { until } from '../support/until.ts';
import { openWorker, type TestWorker } from '../support/workers.ts';

let t: TestApp;
let server: ChatServer;
let script: (request: any, count: number) => Script;
let ada: TestUser;
let avatar: any;
let slug: string;
const workers: TestWorker[] = [];

beforeEach(async () => {
  server = await openChatServer((request, count) => script(request, count));
  t = await openTestApp({ engines: { ...engines(), close: async () => {} } });
  ada = await t.person('Ada', 10);
  const made = { displayName: 'Nova', personalityPrompt: 'You count.', ttsVoiceId: 'noop' };
  avatar = (await t.rest('POST', '/avatars', { as: ada.apiKey, body: made })).body.avatar;
  slug = await converse();
});
afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.stop();
  await t.close();
  await server.close();
});

async function converse(): Promise<string> {
  const body = { avatarOwnerUserId: ada.userId, avatarId: avatar.avatarId };
  return (await t.rest('POST', '/conversations', { as: ada.apiKey, body })).body.shareSlug;
}

function engines(): Engines {
  const chat = createOpenAiCompatibleChat({ baseUrl: server.url, model: 'test' });
  return { ...createNoopEngines(), chat, chatIsEmbedded: false };
}

async function work(more: Partial<Engines> = {}): Promise<TestWorker> {
  const worker = await openWorker(t, { ...engines(), ...more });
  workers.push(worker);
  return worker;
}

const inject = (request: object) => t.rest('POST', `/conversations/${slug}/turn`, { as: ada.apiKey, body: request });
const read = async () =>
  (await t.rest('GET', `/conversations/by-slug/${slug}`, { as: ada.apiKey })).body.turns as any[];
const settled = async () => (await t.settled(slug, ada.apiKey)).turns as any[];
const balance = async () =>
  (await t.graphql<any>('{ me { balance { available held } } }', {}, ada.session)).body.data.me.balance;
/** What the avatar said, chunk by chunk. */
const spoken = (turns: any[]) => turns.filter(({ role }) => role === 'avatar').map((turn) => turn.avatarText);
/** Resolves when a chunk with these words is there. */
const said = (text: string) => until(async () => (await read()).some((turn) => turn.avatarText === text));
/** Each turn is charged once, and nothing stays held. */
async function chargedOnce(turns: number): Promise<void> {
  const charges = await t.app.db.rows<any>(
    `select source, count(*)::int as n from ledger_transfer where source like 'turn:%' group by source`,
  );
  expect(charges.map(({ n }) => n)).toEqual(Array(turns).fill(1));
  expect((await balance()).held).toBe(0);
}

describe('an engine that fails for a while', () => {
  test.each<[string, Script]>([
    ['refuses as overloaded', { status: 503 }],
    ['asks to come again later', { status: 429, headers: { 'retry-after': '1' } }],
  ])('that %s is asked again; the turn ends well, charged once', async (_, first) => {
    script = (_request, count) => (count === 0 ? first : { now: ['One. Two.'] });
    await work();
    await inject({ userText: 'Count', output: 'audio' });
    const turns = await settled();
    expect(turns.map((turn) => turn.status)).toEqual(['ready', 'audio']);
    expect(spoken(turns)).toEqual(['One. Two.']);
    await chargedOnce(1);
  });

  test('whose words hold what no database keeps is understood all the same', async () => {
    script = () => ({ now: ['One\u0000 and', ' a \ud83d\ude00 and \ud800two.'] });
    await work();
    await inject({ userText: 'Count', output: 'text' });
    expect(spoken(await settled())).toEqual(['One and a \ud83d\ude00 and \ufffdtwo.']);
  });

  test('that refuses for good is not asked again', async () => {
    script = () => ({ status: 401 });
    await work();
    const before = await balance();
    await inject({ userText: 'Count', output: 'audio' });
    expect((await settled()).map((turn) => turn.status)).toEqual(['ready', 'error']);
    expect(server.requests).toHaveLength(1);
    expect(await balance()).toEqual(before);
  });

  test.each(['reset', 'close'] as const)(
    'that breaks off in the middle (%s) is asked for the rest: what was spoken is handed over and not said again',
    async (breaks) => {
      script = (_request, count) =>
        count === 0 ? { now: ['One. Two. Three. ', 'Four. Fi'], breaks } : { now: ['Four. Five. Six. Seven.'] };
      await work();
      await inject({ userText: 'Count to seven', output: 'audio' });
      const turns = await settled();
      expect(spoken(turns)).toEqual(['One. Two. Three.', 'Four. Five. Six.', 'Seven.']);
      expect(turns.map((turn) => turn.status)).toEqual(['ready', 'audio', 'audio', 'audio']);
      const asked = server.requests[1].messages;
      expect(asked.at(-2)).toEqual({ role: 'assistant', content: 'One. Two. Three.' });
      expect(asked.at(-1).role).toBe('user');
      expect(asked.map(({ content }: any) => content)).toContain('Count to seven');
      await chargedOnce(3);
    },
  );

  test('a model that begins anew, or has nothing to add, repeats nothing', async () => {
    script = (request, count) => {
      if (count === 0) return { now: ['One. Two. Three. Fo'], breaks: 'reset' };
      if (count === 1) return { now: ['One! Two. Three. Four.'] };
      return JSON.stringify(request.messages.at(-2)).includes('Alpha')
        ? { now: ['[complete]'] }
        : { now: ['Alpha. Beta. Gamma. De'], breaks: 'reset' };
    };
    await work();
    await inject({ userText: 'Count', output: 'text' });
    expect(spoken(await settled())).toEqual(['One. Two. Three.', 'Four.']);
    slug = await converse();
    await inject({ userText: 'The alphabet', output: 'text' });
    const turns = await settled();
    expect(spoken(turns)).toEqual(['Alpha. Beta. Gamma.']);
    expect(turns.map((turn) => turn.status)).toEqual(['ready', 'ready']);
  });

  test('that fails three times behind a chunk ends the reply in error; the chunk stays, the next reply comes', async () => {
    script = (request, count) => {
      if (JSON.stringify(request.messages.at(-1)).includes('And you')) return { now: ['Fine.'] };
      return count === 0 ? { now: ['One. Two. Three. Fo'], breaks: 'reset' } : { status: 500 };
    };
    await work();
    await inject({ userText: 'Count', output: 'audio' });
    await inject({ userText: 'And you?', output: 'text' });
    const turns = await settled();
    expect(spoken(turns)).toEqual(['One. Two. Three.', null, 'Fine.']);
    expect(turns.map((turn) => turn.status)).toEqual(['ready', 'audio', 'error', 'ready', 'ready']);
    expect(turns[2]).toMatchObject({ errorMessage: 'The reply could not be written.' });
    expect(server.requests).toHaveLength(4);
    await chargedOnce(1);
  });
});

describe('a worker that stops, or is overtaken', () => {
  test('a reply requeued in the middle of its stream goes on elsewhere: no chunk lost or doubled, each charged once', async () => {
    script = (_request, count) =>
      count === 0 ? { now: ['One. Two. Three. ', 'Four. '], later: ['Five.'] } : { now: ['Four. Five. Six. Seven.'] };
    const first = await work();
    await inject({ userText: 'Count', output: 'audio' });
    await said('One. Two. Three.');
    await first.stop();
    workers.splice(0);
    await work();
    const turns = await settled();
    expect(spoken(turns)).toEqual(['One. Two. Three.', 'Four. Five. Six.', 'Seven.']);
    await chargedOnce(3);
  });

  test('a line that is being rewritten for a one-shot speech does not hold up a worker that stops', async () => {
    const asked = Promise.withResolvers<void>();
    script = () => {
      asked.resolve();
      return { now: ['Well, '], later: ['never'] };
    };
    const worker = await work();
    const body = { text: 'Say it.', textMode: 'personality' };
    const path = `/avatars/${avatar.avatarId}/speak`;
    const { poll } = (await t.rest('POST', path, { as: ada.apiKey, body })).body;
    await asked.promise;
    await worker.stop();
    workers.splice(0);
    script = () => ({ now: ['Well, I say it.'] });
    await work();
    await until(async () => (await t.rest('GET', poll, { as: ada.apiKey })).body.status === 'audio');
  });

  test('the embedded engine says the same again; only what was not spoken is added', async () => {
    script = () => ({ now: ['One. Two. Three. '], later: ['Four. Five.'] });
    const first = await work({ chatIsEmbedded: true });
    await inject({ userText: 'Count', output: 'text' });
    await said('One. Two. Three.');
    await first.stop();
    workers.splice(0);
    await work({ chatIsEmbedded: true });
    await until(async () => server.requests.length === 2);
    expect(server.requests[1]).toEqual(server.requests[0]);
    server.release();
    expect(spoken(await settled())).toEqual(['One. Two. Three.', 'Four. Five.']);
  });

  test.each<[string, () => void]>([
    ['failure', () => server.breakOff(0)],
    ['end', () => server.release(0)],
  ])('the %s of an attempt that was overtaken changes nothing: another one is writing', async (_, endFirst) => {
    // The first has said all it will: it comes to its end, or to its failure, without another chunk.
    script = (_request, count) =>
      count === 0 ? { now: ['One. Two. Three. '], later: [] } : { now: ['Four. '], later: ['Five.'] };
    await inject({ userText: 'Count', output: 'text' });
    await inject({ userText: 'Again', output: 'text' });
    const { replies, db } = t.app;
    const injections = () => db.rows<any>('select id, state, attempt from injection order by number');
    const [{ id }] = (await injections()) as [any];
    const first = replies.write(id, { isRetry: false, isLastAttempt: true });
    await said('One. Two. Three.');
    const second = replies.write(id, { isRetry: true, isLastAttempt: true });
    await until(async () => server.requests.length === 2);
    endFirst();
    await first;
    expect(await injections()).toMatchObject([{ state: 'writing', attempt: 2 }, { state: 'waiting' }]);
    expect((await read()).map((turn) => turn.status)).toEqual(['ready', 'ready', 'ready', 'pending']);
    server.release(1);
    await second;
    expect(await injections()).toMatchObject([{ state: 'done', attempt: 2 }, { state: 'waiting' }]);
    expect(spoken(await read())).toEqual(['One. Two. Three.', 'Four. Five.', null]);
    // The end woke the next reply, beside the job with which it was accepted.
    const woken = await db.rows(`select 1 from pgboss.job where name = 'reply' and data->>'id' <> $1`, [id]);
    expect(woken).toHaveLength(2);
  });
});

/** Has the first of these updates of turns fail. What a failing transaction takes back leaves the sequence as it is. */
async function failFirst(column: string, when: string): Promise<void> {
  await t.app.db.rows('create sequence updated');
  await t.app.db.rows(`create function fail_first() returns trigger language plpgsql as $$
    begin if nextval('updated') = 1 then raise exception 'not now'; end if; return new; end $$`);
  await t.app.db.rows(`create trigger fail_first before update of ${column} on turn
    for each row when (${when}) execute function fail_first()`);
}

test('where the first chunk cannot be written when its reply begins, it is written again: once, charged once', async () => {
  await failFirst('avatar_text', 'old.avatar_text is null');
  const worker = await work({ chat: createNoopEngines().chat, chatIsEmbedded: true });
  await inject({ userText: 'Hi', output: 'audio' });
  await inject({ userText: 'Hi', output: 'audio' });
  const turns = await settled();
  expect(turns.map((turn) => turn.status)).toEqual(['ready', 'audio', 'ready', 'audio']);
  await chargedOnce(2);
  // No slot is left taken: it would not end.
  await worker.stop();
  workers.splice(0);
});

test('where taking a rewritten line for its render fails, the line is written again: each turn ends well, charged once', async () => {
  script = () => ({ now: ['One. Two.'] });
  await failFirst('attempt', 'new.attempt > old.attempt');
  const speaker = { displayName: 'Bo', ttsVoiceId: 'noop' };
  const { avatarId } = (await t.rest('POST', '/avatars', { as: ada.apiKey, body: speaker })).body;
  const worker = await work();
  await inject({ userText: 'Hi', output: 'audio', userOutput: 'audio', reinterpret: true, speakerAvatarId: avatarId });
  expect((await settled()).map((turn) => turn.status)).toEqual(['audio', 'audio']);
  await chargedOnce(2);
  // No slot is left taken: it would not end.
  await worker.stop();
  workers.splice(0);
});

test.each<[string, string, string[]]>([
  ['behind its last chunk', 'One. Two. Three. Four.', ['One. Two. Three.', 'Four.']],
  ['with its only chunk', 'One.', ['One.']],
])('a reply whose end was lost is not asked for more: its text was whole %s', async (_, text, chunks) => {
  script = (_request, count) => ({ now: [count === 0 ? text : 'And more.'] });
  const first = await work();
  await inject({ userText: 'Count', output: 'audio' });
  const before = await settled();
  const { db } = t.app;
  await until(async () => (await db.rows(`select 1 from injection where state = 'done'`)).length === 1);
  await first.stop();
  workers.splice(0);
  // As a crash of the database leaves it, whose disk has the chunks and not the end.
  await db.rows(`update injection set state = 'writing'`);
  await db.rows(`update pgboss.job set state = 'retry', retry_count = 1 where name = 'reply'`);
  await work();
  await until(async () => (await db.rows(`select 1 from injection where state = 'done'`)).length === 1);
  expect(await settled()).toEqual(before);
  expect([before, await settled()].map(spoken)).toEqual([chunks, chunks]);
  expect(server.requests).toHaveLength(1);
  await chargedOnce(chunks.length);
});

test('a failing reply locks the accounts of its holds in id order, as everything does: no two wait in a circle', async () => {
  script = () => ({ status: 401 });
  await t.rest('POST', `/avatars/${avatar.avatarId}/public`, { as: ada.apiKey, body: { publiclyRenderable: true } });
  // Bob pays for his own line, Ada for the reply; his account comes behind hers, his line before the reply.
  const bob = await t.person('Bob', 10);
  const speaker = { displayName: 'Bo', ttsVoiceId: 'noop' };
  const { avatarId } = (await t.rest('POST', '/avatars', { as: bob.apiKey, body: speaker })).body;
  const start = { avatarOwnerUserId: ada.userId, avatarId: avatar.avatarId };
  const { shareSlug } = (await t.rest('POST', '/conversations', { as: bob.apiKey, body: start })).body;
  const line = { userText: 'Hi', output: 'audio', reinterpret: true, speakerAvatarId: avatarId };
  expect((await t.rest('POST', `/conversations/${shareSlug}/turn`, { as: bob.apiKey, body: line })).status).toBe(202);
  const [{ id }] = (await t.app.db.rows<any>('select id from injection')) as [any];
  // Both pay with what they were welcomed with.
  const [first, second] = [`w:${ada.userId}`, `w:${bob.userId}`];
  expect(first < second).toBe(true);

  const client = await t.app.db.pool.connect();
  try {
    await client.query('begin');
    const pid = (await client.query('select pg_backend_pid() as pid')).rows[0].pid;
    await client.query('select 1 from ledger_account where id = $1 for update', [first]);
    const failing = t.app.replies.write(id, { isRetry: false, isLastAttempt: true });
    // Asked outside of the transaction, which would get the same answer again and again.
    const waiting = 'select 1 from pg_stat_activity where $1 = any(pg_blocking_pids(pid))';
    await until(async () => (await t.app.db.rows(waiting, [pid])).length > 0);
    await client.query('select 1 from ledger_account where id = $1 for update nowait', [second]);
    await client.query('commit');
    await failing;
  } finally {
    await client.query('rollback');
    client.release();
  }
  const open = await t.app.db.rows(`select 1 from ledger_hold where state = 'open'`);
  expect(open).toEqual([]);
});
