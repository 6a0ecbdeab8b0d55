/** What is done to a running installation, by a seed: the same seed gives the same faults at the same times. */
import { rm, writeFile } from 'node:fs/promises';
import pg from 'pg';

const S = 1_000;

/** Longest time between two faults. */
const GAP_MS = 5 * S;

/** How often each comes, and how long it lasts at least and at most. */
export const KINDS = {
  'kill web': { weight: 3, ms: [500, 2 * S] },
  'kill worker': { weight: 4, ms: [500, 2 * S] },
  'stop web': { weight: 2, ms: [500, 2 * S] },
  'stop worker': { weight: 2, ms: [500, 2 * S] },
  'freeze web': { weight: 1, ms: [1 * S, 8 * S] },
  // Now and then for longer than a frozen worker is waited for.
  'freeze worker': { weight: 2, ms: [5 * S, 45 * S] },
  'bucket refuses': { weight: 2, ms: [2 * S, 12 * S] },
  'bucket is silent': { weight: 1, ms: [2 * S, 12 * S] },
  'redis away': { weight: 2, ms: [1 * S, 5 * S] },
  'nats away': { weight: 2, ms: [1 * S, 5 * S] },
  'sessions ended': { weight: 3, ms: [0, 0] },
  // One of its own processes is killed: PostgreSQL ends all sessions and recovers.
  'database crashes': { weight: 1, ms: [0, 0] },
  // Killed as a whole, and started again.
  'database away': { weight: 1, ms: [500, 4 * S] },
  'disk full': { weight: 1, ms: [2 * S, 6 * S] },
  // By up to two hours, forwards or back.
  'clock web': { weight: 1, ms: [3 * S, 15 * S] },
  'clock worker': { weight: 1, ms: [3 * S, 15 * S] },
  'answers dropped': { weight: 3, ms: [2 * S, 6 * S] },
};

/** Mulberry32. */
export function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * The faults of so many milliseconds: [{ atMs, kind, which, ms, by }]; `which` of the two processes of a role it meets, `by` from
 * -1 to 1 how far. One of each kind, closer together where there is little time, and then by weight.
 */
export function schedule(seed, totalMs) {
  const random = seeded(seed);
  const kinds = Object.entries(KINDS);
  const sum = kinds.reduce((total, [, { weight }]) => total + weight, 0);
  const drawn = () => {
    let left = random() * sum;
    let at = 0;
    while (at < kinds.length - 1 && left >= kinds[at][1].weight) {
      left -= kinds[at][1].weight;
      at += 1;
    }
    return kinds[at];
  };
  const first = kinds.map((kind) => ({ kind, order: random() })).sort((one, other) => one.order - other.order);
  const gapMs = Math.min(GAP_MS, Math.max(S, totalMs / kinds.length));
  const faults = [];
  for (let atMs = 2 * S; atMs < totalMs; atMs += (0.2 + random()) * gapMs) {
    const [kind, { ms }] = first[faults.length]?.kind ?? drawn();
    const lasts = Math.min(ms[0] + random() * (ms[1] - ms[0]), Math.max(totalMs - atMs, ms[0]));
    const which = random() < 0.5 ? 0 : 1;
    faults.push({ atMs: Math.round(atMs), kind, which, ms: Math.round(lasts), by: 2 * random() - 1 });
  }
  return faults;
}

const JUMP_MS = 2 * 60 * 60 * S;

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Does a fault to the installation and mends it again. One that the process already has is left out: false. */
export async function inflict({ kind, which, ms, by }, place) {
  const [what, role] = kind.split(' ');
  if (role === 'web' || role === 'worker') {
    const member = place.members.find((one) => one.role === role && one.which === which);
    if (member.isHurt) return false;
    member.isHurt = true;
    if (what === 'freeze') {
      member.child.kill('SIGSTOP');
      await pause(ms);
      member.child.kill('SIGCONT');
    } else if (what === 'clock') {
      await member.shiftClock(Math.round(by * JUMP_MS));
      await pause(ms);
      await member.shiftClock(0);
    } else {
      await member.end(what === 'kill' ? 'SIGKILL' : 'SIGTERM');
      await pause(ms);
      await member.start();
    }
    member.isHurt = false;
    return true;
  }
  // One that is away already has no process to be ended.
  const isGone = () => false;
  if (kind === 'sessions ended') {
    return onDatabase(place, ENDED)
      .then(() => true)
      .catch(isGone);
  }
  if (kind === 'database crashes') {
    return onDatabase(place, SOME)
      .then(([{ pid }]) => process.kill(pid, 'SIGKILL'))
      .catch(isGone);
  }
  const thing = place.things[what];
  if (!thing || thing.isHurt) return false;
  thing.isHurt = true;
  await thing.hurt(kind);
  await pause(ms);
  await thing.mend();
  thing.isHurt = false;
  return true;
}

const ENDED = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`;
const SOME = `select pid from pg_stat_activity where datname = current_database() order by pid = pg_backend_pid(), pid limit 1`;

/** By a connection of its own; what the database answers is nothing while it is away. */
async function onDatabase({ databaseUrl }, sql) {
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: 20_000,
    query_timeout: 20_000,
  });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

/** What is left of a small file system is filled, and freed. */
export function diskOf(folder) {
  const ballast = `${folder}/ballast`;
  return {
    isHurt: false,
    async hurt() {
      // As much as there is room for.
      for (let bytes = 64 * 1024 * 1024; bytes >= 4_096; bytes /= 2) {
        while (
          await writeFile(ballast, Buffer.alloc(bytes), { flag: 'a' }).then(
            () => true,
            () => false,
          )
        );
      }
    },
    mend: () => rm(ballast, { force: true }),
  };
}
