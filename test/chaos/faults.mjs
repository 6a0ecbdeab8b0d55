/** What is done to a running installation, by a seed: the same seed gives the same faults at the same times. */
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
  'redis away': { weight: 1, ms: [1 * S, 5 * S] },
  'sessions ended': { weight: 3, ms: [0, 0] },
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

/** The faults of so many milliseconds: [{ atMs, kind, which, ms }]; `which` of the two processes of a role it meets. */
export function schedule(seed, totalMs) {
  const random = seeded(seed);
  const kinds = Object.entries(KINDS);
  const sum = kinds.reduce((total, [, { weight }]) => total + weight, 0);
  const faults = [];
  for (let atMs = 2 * S; atMs < totalMs; atMs += S + random() * GAP_MS) {
    let left = random() * sum;
    let at = 0;
    while (at < kinds.length - 1 && left >= kinds[at][1].weight) {
      left -= kinds[at][1].weight;
      at += 1;
    }
    const [kind, { ms }] = kinds[at];
    const lasts = Math.min(ms[0] + random() * (ms[1] - ms[0]), totalMs - atMs);
    faults.push({ atMs: Math.round(atMs), kind, which: random() < 0.5 ? 0 : 1, ms: Math.round(lasts) });
  }
  return faults;
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Does a fault to the installation and mends it again. One that the process already has is left out: false. */
export async function inflict({ kind, which, ms }, place) {
  const [what, role] = kind.split(' ');
  if (role === 'web' || role === 'worker') {
    const member = place.members.find((one) => one.role === role && one.which === which);
    if (member.isHurt) return false;
    member.isHurt = true;
    if (what === 'freeze') {
      member.child.kill('SIGSTOP');
      await pause(ms);
      member.child.kill('SIGCONT');
    } else {
      await member.end(what === 'kill' ? 'SIGKILL' : 'SIGTERM');
      await pause(ms);
      await member.start();
    }
    member.isHurt = false;
    return true;
  }
  if (kind === 'sessions ended') {
    const client = new pg.Client({ connectionString: place.databaseUrl });
    await client.connect();
    await client.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`);
    await client.end();
    return true;
  }
  const thing = { bucket: place.bucket, redis: place.redis, answers: place.load }[what];
  if (!thing || thing.isHurt) return false;
  thing.isHurt = true;
  await thing.hurt(kind);
  await pause(ms);
  await thing.mend();
  thing.isHurt = false;
  return true;
}
