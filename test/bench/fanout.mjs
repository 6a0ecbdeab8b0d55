/**
 * One event to thousands of viewers: `turnUpdated` over graphql-ws beside bare `ws` sending as many bytes, the same to all.
 * Each viewer has an operation id of its own, as the stock client makes them. CPU is the sending process's own, from the event
 * until every viewer has it, without what it takes at rest in that time: pings come by the clock, which other programs on
 * the machine stretch. Memory is what a viewer adds to that process.
 */
import { randomUUID } from 'node:crypto';
import { startPart } from './support/parts.mjs';
import { median, row } from './support/rows.mjs';
import { openSeeded } from './support/seeded.mjs';

const SIZES = [2_000, 10_000];
const VIEWERS_A_PROCESS = 5_000;
const EVENTS_A_ROUND = 4;
const ROUNDS = 6;
const RESTS_MS = 4_000;

const SUBSCRIPTION = `subscription Watch($slug: String!) { turnUpdated(slug: $slug) { cursor injection chunk turn {
  id role userText avatarText output status audioUrl videoUrl streamUrl shareSlug words { ms at len } seconds createdAt } } }`;

export async function bench({ databaseUrl, say }) {
  const { platform, port, conversationId, shareSlug } = await openSeeded(databaseUrl, { turns: 2 });
  const baseline = await startPart('baseline-ws');
  const hello = [
    JSON.stringify({ type: 'connection_init' }),
    JSON.stringify({ id: '$ID', type: 'subscribe', payload: { query: SUBSCRIPTION, variables: { slug: shareSlug } } }),
  ];
  const ours = new Audience({ part: platform, port, path: '/graphql', hello, answers: 1 });
  const theirs = new Audience({ part: baseline, port: baseline.facts.port, path: '/', hello: [], answers: 0 });
  const text = JSON.stringify({ id: randomUUID(), type: 'next', payload: await sample(port, shareSlug) });
  ours.fire = () => platform.call('bump', conversationId);
  theirs.fire = () => baseline.call('send', text);
  const rows = [];
  for (const size of SIZES) {
    const both = [theirs, ours];
    let reached = size;
    for (const audience of both) reached = Math.min(reached, await audience.growTo(size, say));
    if (reached < size) say(`Only ${reached} sockets fit on this machine.`);
    for (const audience of both) await audience.round(2);
    await Promise.all(both.map((audience) => audience.rest()));
    const costs = new Map(both.map((audience) => [audience, []]));
    for (let index = 0; index < ROUNDS; index += 1) {
      for (const audience of both) costs.get(audience).push(await audience.round(EVENTS_A_ROUND));
    }
    const [baselineCost, ownCost] = both.map((audience) => median(costs.get(audience).map((one) => one.cpuUs)));
    const [baselineMs, ownMs] = both.map((audience) => median(costs.get(audience).map((one) => one.ms)));
    rows.push(
      row({
        figure: `Fan-out of one event to ${reached.toLocaleString('en')} viewers`,
        measured: `${ownCost.toFixed(1)} µs CPU a delivery, all have it in ${ownMs.toFixed(0)} ms`,
        baseline: `${baselineCost.toFixed(1)} µs, ${baselineMs.toFixed(0)} ms`,
        value: ownCost / baselineCost,
        unit: 'x CPU',
        goal: reached >= 10_000 ? '<= 1.2' : '',
        note: 'baseline: bare ws, as many bytes',
      }),
    );
  }
  rows.push(
    row({
      figure: 'Memory of a viewer',
      measured: `${(ours.bytesAViewer() / 1_024).toFixed(1)} kB`,
      baseline: `${(theirs.bytesAViewer() / 1_024).toFixed(1)} kB`,
      value: ours.bytesAViewer() / 1_024,
      unit: 'kB',
      note: 'resident memory of the sending process',
    }),
  );
  return rows;
}

/** The payload of one update, so that the baseline sends as many bytes. */
async function sample(port, slug) {
  const query = SUBSCRIPTION.replace('subscription Watch', 'query Read')
    .replace('turnUpdated', 'conversationBySlug')
    .replace('cursor injection chunk turn', 'cursor turns');
  const answer = await fetch(`http://127.0.0.1:${port}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables: { slug } }),
  });
  const { cursor, turns } = (await answer.json()).data.conversationBySlug;
  return { data: { turnUpdated: { cursor, injection: 1, chunk: 1, turn: turns.at(-1) } } };
}

/** A server under test with all who watch it. */
class Audience {
  #given;
  #processes = [];
  #size = 0;
  #expected = 0;
  #emptyRss = 0;
  #fullRss = 0;
  /** CPU at rest, in µs a millisecond. */
  #resting = 0;
  fire;

  constructor(given) {
    this.#given = given;
  }

  /** Opens viewers until there are `size`; returns how many there are. */
  async growTo(size, say) {
    const { part, port, path, hello, answers } = this.#given;
    this.#emptyRss ||= await part.call('rss');
    while (this.#size < size) {
      const count = Math.min(size - this.#size, VIEWERS_A_PROCESS);
      const viewers = await startPart('viewers', { port, path, hello });
      try {
        await viewers.call('open', count);
      } catch (error) {
        say(error.message);
        break;
      }
      await viewers.call('until', count * answers);
      this.#processes.push({ viewers, count, base: count * answers });
      this.#size += count;
    }
    while ((await part.call('viewers')) < this.#size) await new Promise((resolve) => setTimeout(resolve, 50));
    this.#fullRss = await part.call('rss');
    return this.#size;
  }

  /** Measures what its process takes while nothing happens. */
  async rest() {
    const { part } = this.#given;
    const startedAt = performance.now();
    const cpuBefore = await part.call('cpu');
    await new Promise((resolve) => setTimeout(resolve, RESTS_MS));
    this.#resting = ((await part.call('cpu')) - cpuBefore) / (performance.now() - startedAt);
  }

  /** CPU a delivery in µs, and how long it took until the last viewer had an event. */
  async round(events) {
    const { part } = this.#given;
    const cpuBefore = await part.call('cpu');
    const beganAt = performance.now();
    const times = [];
    for (let event = 0; event < events; event += 1) {
      this.#expected += 1;
      const startedAt = performance.now();
      const all = this.#processes.map(({ viewers, count, base }) => {
        return viewers.call('until', base + count * (this.#expected - this.#sinceOf(viewers)));
      });
      await this.fire();
      await Promise.all(all);
      times.push(performance.now() - startedAt);
    }
    const cpu = (await part.call('cpu')) - cpuBefore - this.#resting * (performance.now() - beganAt);
    return { cpuUs: cpu / (events * this.#size), ms: median(times) };
  }

  /** CPU of a second for each viewer, the process' own rounds with it. */
  restUs() {
    return (this.#resting * 1_000) / this.#size;
  }

  bytesAViewer() {
    return (this.#fullRss - this.#emptyRss) / this.#size;
  }

  /** Events before these viewers came. */
  #sinceOf(viewers) {
    this.#since.set(viewers, this.#since.get(viewers) ?? this.#expected - 1);
    return this.#since.get(viewers);
  }

  #since = new Map();
}
