/**
 * What the platform itself adds to a turn: from the 202 that accepts it to the update that shows the reply ready, with
 * engines that answer at once; beside it the same from the POST on. Web and worker are processes of their own, as `npm start` runs them, and the database syncs as in earnest.
 * The baseline is what no such design can go below: two commits, each notified to another connection by NOTIFY.
 */
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { startPart } from './support/parts.mjs';
import { percentile, row } from './support/rows.mjs';
import { Watcher } from './support/watch.mjs';

const TURNS = 100;
/** A process that has served this many runs compiled code; its first ten turns are shown beside. */
const WARM = 100;
const FIRST = 10;
/** Between two turns, or what is left to do of the one before would be timed with the next. */
const PAUSE_MS = 30;
const KINDS = [
  { name: 'text', body: { output: 'text' }, isReady: (turn) => turn.status === 'ready' },
  { name: 'audio', body: { output: 'audio' }, isReady: (turn) => turn.status === 'audio' && turn.audioUrl },
];

export async function bench({ databaseUrl }) {
  const platform = await startPart('platform', { databaseUrl });
  const { dataDir, port } = platform.facts;
  await startPart('platform', { databaseUrl, work: true, dataDir, port });
  const seeded = await platform.call('seed', {});
  const watcher = new Watcher({ port, ...seeded });
  const baseline = await openBaseline(databaseUrl);
  const baselines = [];
  const turns = Object.fromEntries(KINDS.map(({ name }) => [name, []]));
  for (let index = 0; index < WARM + TURNS; index += 1) {
    for (const { name, body, isReady } of KINDS) {
      const asked = { userText: `How is it there, ${index}?`, mode: 'chat', ...body };
      const { acceptedMs, times } = await watcher.time(asked, [isReady]);
      turns[name].push({ fromPostMs: times[0].ms, fromAcceptMs: times[0].ms - acceptedMs });
      await setTimeout(PAUSE_MS);
    }
    baselines.push(await baseline.hop());
    await setTimeout(PAUSE_MS);
  }
  await watcher.close();
  await baseline.close();
  const p50 = (values) => percentile(values, 0.5);
  const shown = (values) => `p50 ${p50(values).toFixed(1)} ms, p95 ${percentile(values, 0.95).toFixed(1)} ms`;
  return KINDS.map(({ name }) => {
    const from = (point, first, last) => turns[name].slice(first, last).map((turn) => turn[point]);
    const warm = from('fromAcceptMs', WARM);
    const sincePost = p50(from('fromPostMs', WARM)).toFixed(1);
    const atFirst = p50(from('fromAcceptMs', 0, FIRST)).toFixed(1);
    return row({
      figure: `turn accepted (202) to ready event, ${name}, no-op engines`,
      measured: shown(warm),
      baseline: shown(baselines.slice(WARM)),
      value: p50(warm),
      unit: 'ms',
      goal: '<= 10',
      note: `baseline: two commits with a NOTIFY each; clock time; from the POST on p50 ${sincePost}; first ${FIRST} turns ${atFirst}`,
    });
  });
}

/** Accepting and finishing as bare as can be: insert, NOTIFY, update, NOTIFY. */
async function openBaseline(databaseUrl) {
  const clients = await Promise.all(
    Array.from({ length: 3 }, async () => {
      const client = new pg.Client({ connectionString: databaseUrl });
      // When the bench fails, the database stops first.
      client.on('error', () => {});
      await client.connect();
      return client;
    }),
  );
  const [web, worker, viewer] = clients;
  await web.query('create table if not exists bench_hop (id int primary key, state text)');
  await worker.query('listen bench_accepted');
  await viewer.query('listen bench_finished');
  let id = 0;
  return {
    async hop() {
      id += 1;
      const startedAt = performance.now();
      const finished = new Promise((resolve) => viewer.once('notification', resolve));
      const worked = new Promise((resolve) => worker.once('notification', resolve)).then(() =>
        worker.query(`begin; update bench_hop set state = 'ready' where id = ${id}; notify bench_finished; commit`),
      );
      await web.query(`begin; insert into bench_hop values (${id}, 'pending'); notify bench_accepted; commit`);
      await finished;
      const ms = performance.now() - startedAt;
      await worked;
      return ms;
    },
    close: () => Promise.all(clients.map((client) => client.end())),
  };
}
