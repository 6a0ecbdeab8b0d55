/** One account's backlog holds no worker of another's, in any queue; a memory that never answers holds none. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { RunningEngines } from '../../src/engines/create.ts';
import { createNoopEngines } from '../../src/engines/noop/index.ts';
import { JobPoller } from '../../src/jobs/job-poller.ts';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { until } from '../support/until.ts';

/** More than all slots of any queue. */
const BACKLOG = 24;
/** What work that never ends is about. */
const FOREVER = 'This takes for ever.';

let t: TestApp;
let ada: TestUser;
let mallory: TestUser;
const avatars = new Map<TestUser, string>();

async function newAvatar({ apiKey }: TestUser): Promise<string> {
  const body = { displayName: 'Nova', ttsVoiceId: 'noop' };
  return (await t.rest('POST', '/avatars', { as: apiKey, body })).body.avatar.avatarId;
}

async function open(options: Parameters<typeof openTestApp>[0]): Promise<void> {
  t = await openTestApp({ work: true, ...options });
  ada = await t.person('Ada', 100);
  mallory = await t.person('Mallory', 100);
  for (const person of [ada, mallory]) avatars.set(person, await newAvatar(person));
}

/** Asks for something; what says whether it is done. */
type Ask = (person: TestUser, text: string) => Promise<() => Promise<boolean>>;

/** A turn in a conversation of its own. */
const say =
  (turn: object): Ask =>
  async (person, userText) => {
    const body = { avatarOwnerUserId: person.userId, avatarId: avatars.get(person) };
    const { shareSlug } = (await t.rest('POST', '/conversations', { as: person.apiKey, body })).body;
    const where = `/conversations/${shareSlug}/turn`;
    const { status, body: said } = await t.rest('POST', where, { as: person.apiKey, body: { userText, ...turn } });
    expect(status).toBe(202);
    return () => has('select status from conversation_turn where id = $1', said.turn.id);
  };

const speak: Ask = async (person, text) => {
  const where = `/avatars/${avatars.get(person)}/speak`;
  const { status, body } = await t.rest('POST', where, { as: person.apiKey, body: { text, output: 'audio' } });
  expect(status).toBe(202);
  return () => has('select status from speech_generation where id = $1', body.generationId);
};

async function has(read: string, id: string): Promise<boolean> {
  const [row] = await t.app.db.rows<{ status: string }>(read, [id]);
  return row!.status === 'ready' || row!.status === 'audio';
}

async function enqueue(ask: Ask, text: string): Promise<(() => Promise<boolean>)[]> {
  const backlog = [];
  for (let i = 0; i < BACKLOG; i += 1) backlog.push(await ask(mallory, `${text} ${i}`));
  return backlog;
}

describe("a queue full of one account's work that never ends", () => {
  beforeAll(async () => {
    const noop = createNoopEngines();
    const never = (signal: AbortSignal | undefined) =>
      new Promise<never>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    const engines: RunningEngines = {
      ...noop,
      chat: {
        ...noop.chat,
        doStream: async (call) => {
          if (JSON.stringify(call.prompt.at(-1)).includes(FOREVER)) await never(call.abortSignal);
          return noop.chat.doStream(call);
        },
      },
      speech: {
        ...noop.speech,
        async *stream(query) {
          if (query.text.includes(FOREVER)) await never(query.signal);
          yield* noop.speech.stream(query);
        },
      },
      close: async () => {},
    };
    await open({ engines, env: { RENDER_CONCURRENCY: '2' } });
  });
  afterAll(() => t.close());

  test.each<[string, Ask]>([
    ['reply', say({ output: 'text' })],
    ['render', say({ output: 'audio', mode: 'speak' })],
    ['speak', speak],
  ])('lets others through: %s', async (_, ask) => {
    const backlog = await enqueue(ask, FOREVER);
    for (let i = 0; i < 3; i += 1) await until(await ask(ada, `Hello, ${i}.`));
    for (const isDone of backlog) expect(await isDone()).toBe(false);
  });
});

describe('an external memory that never answers', () => {
  let silent: Server;
  let asked = 0;

  beforeAll(async () => {
    silent = createServer(() => {
      asked += 1;
    });
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const host = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
    await open({ env: { FETCH_ALLOW_HOSTS: host } });
    const chosen = await t.graphql(
      `mutation($avatarId: ID!, $baseUrl: String) {
        selectBrainSystem(avatarId: $avatarId, system: "mem0", baseUrl: $baseUrl) { avatarId } }`,
      { avatarId: avatars.get(mallory), baseUrl: `http://${host}` },
      mallory.session,
    );
    expect(chosen.body.errors).toBeUndefined();
  });
  afterAll(async () => {
    await t.close();
    silent.closeAllConnections();
    await new Promise((resolve) => silent.close(resolve));
  });

  test("delays no other account's reply, is asked no more, and its own replies go on without it", async () => {
    const backlog = await enqueue(say({ output: 'text' }), 'My name is Mo.');
    await until(await say({ output: 'text' })(ada, 'Hello.'));
    for (const isDone of backlog) await until(isDone);
    // Each would have asked for memories, and again to keep the name; on a busy machine a few try in vain meanwhile.
    expect(asked).toBeLessThan(1.5 * BACKLOG);
  });
});

describe('posts of one account, all at once', () => {
  beforeAll(() => open({ work: false }));
  afterAll(() => t.close());

  test("wait for each other, and for no connection that another account's one needs", async () => {
    const conversationOf = async ({ apiKey, userId }: TestUser): Promise<string> => {
      const body = { avatarOwnerUserId: userId, avatarId: [...avatars].find(([{ userId: id }]) => id === userId)![1] };
      return (await t.rest('POST', '/conversations', { as: apiKey, body })).body.shareSlug;
    };
    const post = async (person: TestUser, slug: string): Promise<number> => {
      const body = { userText: 'Hello there.', mode: 'speak', output: 'audio' };
      return (await t.rest('POST', `/conversations/${slug}/turn`, { as: person.apiKey, body })).status;
    };
    const slugs: string[] = [];
    while (slugs.length < BACKLOG) slugs.push(await conversationOf(mallory));
    const mine = await conversationOf(ada);
    let backlog: Promise<number>[] = [];
    // While her balance is locked, none of Mallory's posts is accepted: more of them than there are connections.
    await t.app.db.transaction(async (tx) => {
      await tx.rows('select 1 from ledger_account where user_id = $1 for update', [mallory.userId]);
      backlog = slugs.map((slug) => post(mallory, slug));
      await until(async () => {
        const waiting = await t.app.db.rows(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return waiting.length > 1;
      });
      expect(await post(ada, mine)).toBe(202);
    });
    expect(new Set(await Promise.all(backlog))).toEqual(new Set([202]));
  });
});

/** Slots, spare slots, how many jobs of each account wait, and whose jobs run in which order when each takes its time. */
test.each([
  ['one slot goes round', 1, 0, { a: 3, b: 2, c: 1 }, 'a b c a b a'],
  ['two slots and a spare one', 2, 1, { a: 4, b: 1, c: 1 }, 'a a b c a a'],
  ['one account alone has all but the spare ones', 4, 4, { a: 6 }, 'a a a a a a'],
])('%s', async (_, concurrency, spare, counts, order) => {
  const waiting = Object.entries(counts).flatMap(([account, count]) => Array<string>(count).fill(account));
  const running: { account: string; end(): void }[] = [];
  const begun: string[] = [];
  const poller = new JobPoller<string>({
    concurrency,
    spare,
    accountOf: (account) => account,
    fetch: async ({ limit, without }) => {
      const jobs = waiting.filter((account) => !without.includes(account)).slice(0, limit);
      for (const job of jobs) waiting.splice(waiting.indexOf(job), 1);
      return jobs;
    },
    run: (account) => {
      begun.push(account);
      return new Promise((end) => running.push({ account, end }));
    },
    onError: (error) => expect(error).toBeUndefined(),
  });
  let most = 0;
  await until(async () => {
    const mine = running.filter(({ account }) => account === 'a').length;
    most = Math.max(most, mine);
    if (waiting.length > 0 && begun.length < concurrency) return false;
    running.shift()?.end();
    // As a worker does now and then.
    poller.wake();
    return waiting.length === 0 && running.length === 0;
  });
  await poller.stop();
  expect(begun.join(' ')).toBe(order);
  expect(most).toBeLessThanOrEqual(concurrency);
});
