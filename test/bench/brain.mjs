/**
 * How fast memory is through REST with many memories in one brain: `node test/bench/brain.mjs [memories]` (100 000),
 * after a build. It starts its own PostgreSQL and web process in a temporary folder, fills one brain with generated
 * memories by SQL (REST would take minutes), and measures saves and recalls one after another through REST, in blocks
 * beside as many GET /health/live, so that a busy machine shows, as does the CPU that server and PostgreSQL used. Goals: save p95 <= 5 ms, recall p95 <= 25 ms.
 * With `--meaning` an embedding model that answers at once is configured, and every memory has a vector. DATABASE_URL
 * names an empty database to use instead, as one of a PostgreSQL that has pgvector.
 */
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { Client } from 'undici';
import { startPostgres } from '../../dist/src/embedded-postgres/server.js';
import { postingsOf } from '../../dist/src/services/brain/memory/postings.codec.js';
import { vectorOf } from '../../dist/src/services/brain/memory/vector.codec.js';

const MEANING = process.argv.includes('--meaning');
const MEMORIES = Number(process.argv.find((arg) => /^\d+$/.test(arg)) ?? 100_000);
/** As many as common models give. */
const DIMENSIONS = 768;
const BATCH = 2_000;
const SAVES = 600;
const RECALLS = 600;
const WARM_UP = 60;
const BLOCK = 50;
const MS_PER_TICK = 10;
const PORT = 4_517;
const GOALS = { save: 5, recall: 25 };

/** A generator of numbers from 0 to 1 that every run repeats. */
function random(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
const next = random(7);
const pick = (list) => list[Math.floor(next() * list.length)];

/** Made-up words; the k-th is met about 1/k as often as the first, as in any language. */
const SYLLABLES = 'ba co di fu ga he ji ko lu ma ne po qui ra so tu va wen xi zo'.split(' ');
const WORDS = Array.from({ length: 30_000 }, (_, i) => {
  let word = '';
  for (let rest = i + 20; rest > 0; rest = Math.floor(rest / 20)) word += SYLLABLES[rest % 20];
  return word;
});
const word = () => WORDS[Math.min(WORDS.length - 1, Math.floor(WORDS.length ** next()) - 1)];
const words = (count) => Array.from({ length: count }, word).join(' ');
const USERS = ['Ann', 'Ben', 'Cleo', 'Dov', 'Eli', 'Fay', 'Gus', 'Hal'];
const memory = () => `${pick(USERS)} said: ${words(6 + Math.floor(next() * 14))}.`;
const question = () => `What did ${pick(USERS)} say of ${words(2 + Math.floor(next() * 5))}?`;

const folder = await mkdtemp(path.join(os.tmpdir(), 'avatar-bench-brain-'));
const postgres = process.env.DATABASE_URL ? undefined : await startPostgres(path.join(folder, 'postgres'));
await postgres?.ensureDatabase('bench');
const databaseUrl = process.env.DATABASE_URL || postgres.urlOf('bench');
const server = spawn(process.execPath, ['--no-warnings', path.resolve(import.meta.dirname, '../../dist/src/main.js')], {
  stdio: ['ignore', 'inherit', 'inherit'],
  env: {
    ...process.env,
    ROLE: 'web',
    DATABASE_URL: databaseUrl,
    DATA_DIR: folder,
    PORT: String(PORT),
    HOST: '127.0.0.1',
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
    ENGINES: 'noop',
    ...(MEANING ? { EMBEDDING_BASE_URL: await startModel(), EMBEDDING_MODEL: 'bench' } : {}),
  },
});
/** Not `fetch`: that of Node 24 waits a millisecond of each request for the timer by which it looks at a connection that it uses again. */
const http = new Client(`http://127.0.0.1:${PORT}`);
const db = new pg.Client({ connectionString: databaseUrl });
/** Process id of PostgreSQL, whose children serve the connections. */
let postmaster;

try {
  await ready();
  await db.connect();
  postmaster = await parentOfBackend();
  const ada = await signUp('ada');
  const bob = await signUp('bob');
  const avatar = await call(ada, 'POST', '/avatars', { displayName: 'Bench', publiclyRenderable: true });
  const brain = `/avatars/${avatar.avatarId}/brain`;
  const started = performance.now();
  await call(ada, 'POST', `${brain}/pages`, { content: 'the first memory' });
  await fill(avatar.avatarId, bob.userId);
  console.log(
    `${MEMORIES} memories filled in ${((performance.now() - started) / 1000).toFixed(1)} s; ${os.cpus().length} cores, load ${os.loadavg()[0].toFixed(1)}`,
  );

  const save = (who, more) => () => call(who, 'POST', `${brain}/pages`, { content: memory(), ...more() });
  const recall = (who, more) => () => call(who, 'POST', `${brain}/recall`, { query: question(), limit: 10, ...more() });
  await measure(
    'save, owner, public',
    SAVES,
    save(ada, () => ({})),
    GOALS.save,
  );
  await measure(
    'save, non-owner, a speaker',
    SAVES,
    save(bob, () => ({ speakerRef: `s${Math.floor(next() * 200)}` })),
    GOALS.save,
  );
  await measure(
    'recall, owner, everything',
    RECALLS,
    recall(ada, () => ({})),
    GOALS.recall,
  );
  await measure(
    'recall, non-owner, a speaker',
    RECALLS,
    recall(bob, () => ({ speakerRef: `s${Math.floor(next() * 200)}` })),
    GOALS.recall,
  );
  await measure(
    'recall, non-owner, own slices',
    RECALLS,
    recall(bob, () => ({})),
    GOALS.recall,
  );
} finally {
  server.kill();
  await http.destroy();
  await db.end().catch(() => {});
  await postgres?.stop();
  await rm(folder, { recursive: true, force: true });
}

async function ready() {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    if (server.exitCode !== null) throw new Error('The server ended.');
    const isLive = await call(undefined, 'GET', '/health/live').catch(() => false);
    if (isLive) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('The server did not become ready.');
}

async function signUp(name) {
  const query = `mutation { signUp(email: "${name}@example.com", password: "correct horse") { idToken user { userId } } }`;
  const { data } = await call(undefined, 'POST', '/graphql', { query });
  const { token } = await call({ token: data.signUp.idToken }, 'POST', '/api-keys', { name: 'bench' });
  return { token, userId: data.signUp.user.userId };
}

async function call(who, method, where, body) {
  const response = await http.request({
    method,
    path: where,
    headers: {
      ...(who ? { authorization: `Bearer ${who.token}` } : {}),
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.body.text();
  if (response.statusCode >= 300) throw new Error(`${method} ${where}: ${response.statusCode} ${text}`);
  return JSON.parse(text);
}

/** Half public, a tenth private, the rest in 200 slices of the non-owner; in the shape a save gives them. */
async function fill(avatarId, nonOwnerId) {
  const { rows } = await db.query(`select scope_id from brain where avatar_id = $1 and sandbox_id = ''`, [avatarId]);
  const scope = rows[0].scope_id;
  const refs = Array.from({ length: 200 }, (_, i) => `${nonOwnerId}:s${i}`);
  await db.query(
    `insert into brain_speaker (scope_id, speaker_ref, ns) select $1, ref, ord + 3 from unnest($2::text[]) with ordinality as r (ref, ord)`,
    [scope, refs],
  );
  for (let from = 0; from < MEMORIES; from += BATCH)
    await fillBatch(scope, refs, from, Math.min(BATCH, MEMORIES - from));
  await db.query(
    `update brain set (n, total_len, next_seq) = (select count(*), sum(len), max(seq) + 1 from brain_entry where scope_id = $1) where scope_id = $1`,
    [scope],
  );
  if (MEANING) await fillVectors(scope);
  // As autovacuum does soon after on a running instance.
  await db.query('vacuum analyze brain_term');
  await db.query('vacuum analyze brain_entry');
}

async function fillBatch(scope, refs, from, count) {
  const now = Date.now() - (MEMORIES - from) * 1_000;
  const pages = Array.from({ length: count }, (_, i) => {
    const lot = next();
    const slice = lot < 0.6 ? null : Math.floor(next() * refs.length);
    const ns = slice !== null ? slice + 4 : lot < 0.5 ? 0 : 1;
    const content = memory();
    const id = `mem_${createHash('sha256')
      .update(`${from + i}`)
      .digest('hex')
      .slice(0, 26)}`;
    return {
      seq: from + i + 1,
      ns,
      ref: slice === null ? null : refs[slice],
      content,
      id,
      at: now + i * 1_000,
      ...postingsOf(content),
    };
  });
  await db.query(
    `insert into brain_entry (scope_id, seq, id, ns, speaker_ref, content, len, created_at)
     select $1, * from unnest($2::int[], $3::text[], $4::int[], $5::text[], $6::text[], $7::int[], $8::bigint[])`,
    [scope, ...['seq', 'id', 'ns', 'ref', 'content', 'length', 'at'].map((key) => pages.map((page) => page[key]))],
  );
  const terms = pages.flatMap((page) =>
    page.terms.map((term, k) => [term, page.ns, page.seq, page.counts[k], page.length]),
  );
  await db.query(
    `insert into brain_term (scope_id, term, ns, seq, tf, len)
     select $1, * from unnest($2::int[], $3::int[], $4::int[], $5::int[], $6::int[])`,
    [scope, ...[0, 1, 2, 3, 4].map((column) => terms.map((row) => row[column]))],
  );
}

/** A model whose vectors mean nothing, and cost nothing. */
async function startModel() {
  const model = createServer(async (request, response) => {
    let text = '';
    for await (const piece of request) text += piece;
    const data = JSON.parse(text).input.map((_, index) => ({
      index,
      embedding: Array.from({ length: DIMENSIONS }, () => next() - 0.5),
    }));
    response.end(JSON.stringify({ data }));
  });
  await new Promise((resolve) => model.listen(0, '127.0.0.1', resolve));
  model.unref();
  return `http://127.0.0.1:${model.address().port}/v1`;
}

/** Random bits are as far from a question as unrelated memories are. */
async function fillVectors(scope) {
  const { space } = vectorOf('bench', Array(DIMENSIONS).fill(1));
  const bits = Array.from({ length: DIMENSIONS / 128 }, () => `('x' || md5(random()::text))::bit(128)`).join(' || ');
  const scale = Buffer.alloc(4);
  scale.writeFloatLE(1 / 2_000);
  // One memory after another takes a graph much longer than all at once.
  const { rows: graph } = await db.query(
    `select pg_get_indexdef(to_regclass('brain_vector_graph')) as make where to_regclass('brain_vector_graph') is not null`,
  );
  await db.query('drop index if exists brain_vector_graph');
  await db.query(
    `insert into brain_vector (scope_id, seq, ns, space, bits, exact)
     select scope_id, seq, ns, $2, ${bits}, $3::bytea from brain_entry where scope_id = $1`,
    [scope, space, Buffer.concat([scale, randomBytes(DIMENSIONS)])],
  );
  if (graph[0]) await db.query(`set maintenance_work_mem = '256MB'; ${graph[0].make}`);
  await db.query(`insert into brain_embedding (model, space) values ('bench', $1)`, [space]);
  await db.query('vacuum analyze brain_vector');
}

async function measure(name, count, work, goalMs) {
  for (let i = 0; i < WARM_UP; i += 1) await work();
  const [mine, baseline] = [[], []];
  let cpuMs = 0;
  while (mine.length < count) {
    for (let i = 0; i < BLOCK; i += 1) baseline.push(await timed(() => call(undefined, 'GET', '/health/live')));
    const before = cpuOfAll();
    for (let i = 0; i < BLOCK; i += 1) mine.push(await timed(work));
    cpuMs += cpuOfAll() - before;
  }
  const at = (list, share) => list.toSorted((a, b) => a - b)[Math.floor(share * list.length)].toFixed(2);
  const verdict = Number(at(mine, 0.95)) <= goalMs ? 'within' : 'ABOVE';
  console.log(
    `${name.padEnd(30)} p50 ${at(mine, 0.5)}  p95 ${at(mine, 0.95)}  p99 ${at(mine, 0.99)} ms  (p95 ${verdict} ${goalMs})` +
      `  CPU ${(cpuMs / count).toFixed(2)} ms   GET /health/live p50 ${at(baseline, 0.5)}  p95 ${at(baseline, 0.95)} ms`,
  );
}

async function parentOfBackend() {
  const { rows } = await db.query('select pg_backend_pid() as pid');
  const file = `/proc/${rows[0].pid}/stat`;
  return existsSync(file) ? readFileSync(file, 'utf8').split(') ')[1].split(' ')[1] : undefined;
}

/** CPU milliseconds that the server and PostgreSQL have used, where there is /proc. */
function cpuOfAll() {
  if (!existsSync('/proc/self/stat')) return Number.NaN;
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .reduce((sum, pid) => {
      try {
        const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
        const counts = pid === String(server.pid) || pid === postmaster || fields[1] === postmaster;
        return counts ? sum + (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK : sum;
      } catch {
        return sum;
      }
    }, 0);
}

async function timed(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
