/**
 * Load on HTTP servers, turn and turn about: a short round on each, again and again, so that a slow moment of the
 * machine meets all of them. Yields requests per second and the server's own CPU per request.
 */
import { Pool } from 'undici';
import { median } from './rows.mjs';

const AT_ONCE = 8;
const WARM_MS = 1_500;
const ROUND_MS = 800;
const ROUNDS = 6;

/**
 * @param subjects name -> { part, port, path, method, headers, body, status }
 * @returns name -> { perSecond, cpuUs } as medians of the rounds
 */
export async function compare(subjects) {
  const entries = Object.entries(subjects);
  const pools = new Map(
    entries.map(([name, { port }]) => [name, new Pool(`http://127.0.0.1:${port}`, { connections: AT_ONCE })]),
  );
  const results = new Map(entries.map(([name]) => [name, []]));
  try {
    for (const [name, subject] of entries) await drive(pools.get(name), subject, WARM_MS);
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [name, subject] of entries) {
        results.get(name).push(await drive(pools.get(name), subject, ROUND_MS));
      }
    }
  } finally {
    await Promise.all([...pools.values()].map((pool) => pool.close()));
  }
  return Object.fromEntries(
    [...results].map(([name, rounds]) => [
      name,
      {
        perSecond: median(rounds.map((one) => one.perSecond)),
        cpuUs: median(rounds.map((one) => one.cpuUs)),
      },
    ]),
  );
}

async function drive(pool, { part, path, method = 'GET', headers = {}, body, status = 200 }, ms) {
  const cpuBefore = await part.call('cpu');
  const startedAt = performance.now();
  let done = 0;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (performance.now() - startedAt < ms) {
        const answer = await pool.request({ path, method, headers, body });
        if (answer.statusCode !== status) {
          throw new Error(`${path} answered ${answer.statusCode}: ${await answer.body.text()}`);
        }
        await answer.body.dump();
        done += 1;
      }
    }),
  );
  const seconds = (performance.now() - startedAt) / 1_000;
  return { perSecond: done / seconds, cpuUs: ((await part.call('cpu')) - cpuBefore) / done };
}

/** For the table. */
export const asText = ({ perSecond, cpuUs }) => `${perSecond.toFixed(0)}/s, ${cpuUs.toFixed(0)} µs CPU`;
