/**
 * What things cost in a database of a million turns beside an empty one: two instances in one run, asked in turns, so that a
 * slow moment of the machine meets both. The account that asks has five thousand conversations in the one and thirty in the
 * other, and the conversation that is read twenty thousand turns and twenty; the pages that are asked for are as large.
 */
import { createClient } from 'graphql-ws';
import pg from 'pg';
import { Client } from 'undici';
import { WebSocket } from 'ws';
import { grow } from './support/grow.mjs';
import { startPart } from './support/parts.mjs';
import { median, percentile, row } from './support/rows.mjs';
import { Watcher } from './support/watch.mjs';

const WARM = 30;
const ROUNDS = 150;
const CONVERSATIONS = 30;
const TURNS = 20;
const GOAL = '<= 1.3';
const UPDATES = 'subscription($slug: String!, $after: String) { turnUpdated(slug: $slug, after: $after) { cursor } }';

export async function bench({ databaseUrl, databaseOf, say }) {
  const empty = await openInstance(databaseUrl);
  const grown = await openInstance(await databaseOf('bench_grown'), say);
  const rows = [];
  for (const { figure, run } of MEASURES) {
    const times = { empty: [], grown: [] };
    for (let round = 0; round < WARM + ROUNDS; round += 1) {
      for (const [name, instance] of Object.entries(round % 2 ? { empty, grown } : { grown, empty })) {
        const startedAt = performance.now();
        const ms = (await run(instance)) ?? performance.now() - startedAt;
        if (round >= WARM) times[name].push(ms);
      }
    }
    const shown = (values) => `p50 ${median(values).toFixed(2)} ms, p95 ${percentile(values, 0.95).toFixed(1)} ms`;
    rows.push(
      row({
        figure: `growth: ${figure}`,
        measured: shown(times.grown),
        baseline: shown(times.empty),
        value: median(times.grown) / median(times.empty),
        goal: GOAL,
        note: 'baseline: the empty database; clock time, in turns',
      }),
    );
  }
  for (const instance of [empty, grown]) await instance.close();
  return rows;
}

const MEASURES = [
  { figure: 'poll of the newest 20 turns', run: ({ get, read }) => get(`/conversations/by-slug/${read}?limit=20`) },
  {
    figure: 'page of 20 turns before one',
    run: ({ get, read, before }) => get(`/conversations/by-slug/${read}?limit=10&before=${before}`),
  },
  { figure: 'list of conversations', run: ({ get }) => get('/conversations?first=20') },
  { figure: 'an older page of that list', run: ({ get, after }) => get(`/conversations?first=20&after=${after}`) },
  { figure: 'list of avatars', run: ({ get }) => get('/avatars') },
  { figure: 'public avatars', run: ({ ask }) => ask('{ publicAvatars(first: 20) { nodes { avatarId } } }') },
  {
    figure: 'balance and ledger',
    run: ({ ask }) => ask('{ me { balance { available } } ledgerEntries(first: 20) { nodes { id } } }'),
  },
  { figure: 'start of a conversation', run: (instance) => instance.begin() },
  {
    figure: 'turn accepted (202)',
    run: async ({ watcher }) => (await watcher.time(SAID, [(turn) => turn.status === 'ready'])).acceptedMs,
  },
  {
    figure: 'turn accepted to ready event',
    run: async ({ watcher }) => {
      const { acceptedMs, times } = await watcher.time(SAID, [(turn) => turn.status === 'ready']);
      return times[0].ms - acceptedMs;
    },
  },
  { figure: 'feed: join at the newest turns', run: (instance) => instance.join() },
];
const SAID = { userText: 'How is it there?', mode: 'chat', output: 'text' };

/** Web and worker on a database; grown where it is to say how it grows. */
async function openInstance(databaseUrl, say) {
  const platform = await startPart('platform', { databaseUrl });
  const { dataDir, port } = platform.facts;
  await startPart('platform', { databaseUrl, work: true, dataDir, port });
  const seeded = await platform.call('seed', { conversations: CONVERSATIONS, turns: TURNS });
  const { shareSlug: read, token, conversationId, userId } = seeded;
  if (say) await grow(databaseUrl, { userId, conversationId, say });
  const talk = await platform.call('talk', { userId });
  const watcher = new Watcher({ port, token, ...talk });
  const http = new Client(`http://127.0.0.1:${port}`);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const send = async (method, path, body) => {
    const answer = await http.request({ method, path, headers, body: body && JSON.stringify(body) });
    const text = await answer.body.text();
    if (answer.statusCode >= 300 || text.includes('"errors"'))
      throw new Error(`${path} answered ${answer.statusCode}: ${text}`);
    return JSON.parse(text);
  };
  const socket = createClient({ url: `ws://127.0.0.1:${port}/graphql`, webSocketImpl: WebSocket, lazy: false });
  const database = new pg.Client({ connectionString: databaseUrl });
  database.on('error', () => {});
  await database.connect();
  // A page of public avatars in both.
  await database.query(
    `insert into avatar (id, owner_user_id, display_name, personality_prompt, publicly_renderable, created_at, updated_at)
      select 'avt_1' || lpad(n::text, 25, '0'), $1, 'Public ' || n, '', true, 0, 0 from generate_series(1, 20) n`,
    [userId],
  );
  // As autovacuum would have had it by now.
  await database.query('vacuum analyze');
  const { turns } = await send('GET', `/conversations/by-slug/${read}?limit=10`);
  const { conversations } = await send('GET', '/conversations?first=10');
  return {
    read,
    before: turns[0].id,
    after: conversations.at(-1).conversationId,
    watcher,
    get: async (path) => void (await send('GET', path)),
    ask: async (query) => void (await send('POST', '/graphql', { query })),
    async begin() {
      const { avatarId } = talk;
      await send('POST', '/conversations', { avatarOwnerUserId: userId, avatarId });
    },
    /** A viewer comes: from the subscription to the last of the newest turns. */
    async join() {
      const query = 'query($slug: String!) { conversationBySlug(slug: $slug, limit: 20) { cursor replayCursor } }';
      const { data } = await send('POST', '/graphql', { query, variables: { slug: read } });
      const { cursor, replayCursor: after } = data.conversationBySlug;
      for await (const { data: update } of socket.iterate({ query: UPDATES, variables: { slug: read, after } })) {
        if (Number(update.turnUpdated.cursor) >= Number(cursor)) break;
      }
    },
    async close() {
      await watcher.close();
      await socket.dispose();
      await http.close();
      await database.end();
    },
  };
}
