/**
 * What the platform itself adds to a turn: from POST to the update that shows the reply ready, with engines that answer
 * at once. Web and worker are processes of their own, as `npm start` runs them, and the database syncs as in earnest.
 * The floor is what no such design can go below: two commits, each told to another connection by NOTIFY.
 */
import pg from 'pg';
import { startPart } from './support/parts.mjs';
import { percentile, row } from './support/rows.mjs';
import { Watcher } from './support/watch.mjs';

const TURNS = 50;
const WARM = 10;
const KINDS = [
  { name: 'text', body: { output: 'text' }, isReady: (turn) => turn.status === 'ready' },
  { name: 'audio', body: { output: 'audio' }, isReady: (turn) => turn.status === 'audio' && turn.audioUrl },
];

export async function bench({ databaseUrl }) {
  const platform = await startPart('platform', { databaseUrl });
  const { dataDir, port } = platform.told;
  await startPart('platform', { databaseUrl, work: true, dataDir, port });
  const seeded = await platform.call('seed', {});
  const watcher = new Watcher({ port, ...seeded });
  const floor = await openFloor(databaseUrl);
  const times = { floor: [] };
  for (const { name } of KINDS) times[name] = [];
  for (let index = 0; index < WARM + TURNS; index += 1) {
    for (const { name, body, isReady } of KINDS) {
      const { times: reached } = await watcher.time({ userText: `How is it there, ${index}?`, mode: 'chat', ...body }, [
        isReady,
      ]);
      if (index >= WARM) times[name].push(reached[0].ms);
    }
    const floorMs = await floor.hop();
    if (index >= WARM) times.floor.push(floorMs);
  }
  await watcher.close();
  await floor.close();
  const shown = (values) =>
    `p50 ${percentile(values, 0.5).toFixed(1)} ms, p95 ${percentile(values, 0.95).toFixed(1)} ms`;
  return KINDS.map(({ name }) =>
    row({
      figure: `POST turn to ready event, ${name}, no-op engines`,
      measured: shown(times[name]),
      floor: shown(times.floor),
      value: percentile(times[name], 0.5),
      unit: 'ms',
      goal: '<= 15',
      note: 'floor: two commits with a NOTIFY each; clock time',
    }),
  );
}

/** Accepting and finishing as bare as can be: insert, NOTIFY, update, NOTIFY. */
async function openFloor(databaseUrl) {
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
