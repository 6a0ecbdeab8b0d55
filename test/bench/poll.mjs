/**
 * The poll of a waiting client: a public conversation of 20 turns by REST, and the same poll when nothing has changed,
 * beside a server written by hand for this one read.
 */
import { request } from 'undici';
import { unsigned } from './support/conversation.mjs';
import { asText, compare } from './support/load.mjs';
import { startPart } from './support/parts.mjs';
import { row } from './support/rows.mjs';
import { openSeeded } from './support/seeded.mjs';

export async function bench({ databaseUrl }) {
  const { platform, port, shareSlug } = await openSeeded(databaseUrl);
  const baseline = await startPart('baseline-http', { databaseUrl, site: `http://127.0.0.1:${port}` });
  const path = `/conversations/by-slug/${shareSlug}`;
  const [ours, theirs] = await Promise.all(
    [port, baseline.facts.port].map((where) => request(`http://127.0.0.1:${where}${path}`)),
  );
  if (unsigned(await ours.body.json()) !== unsigned(await theirs.body.json())) {
    throw new Error('The baseline does not answer the same conversation.');
  }
  const results = await compare({
    baseline: { part: baseline, port: baseline.facts.port, path },
    read: { part: platform, port, path },
    unchanged: { part: platform, port, path, headers: { 'if-none-match': ours.headers.etag }, status: 304 },
  });
  return [
    row({
      figure: 'Poll read, 20 turns (REST)',
      measured: asText(results.read),
      baseline: asText(results.baseline),
      value: results.baseline.cpuUs / results.read.cpuUs,
      unit: 'x throughput',
      goal: '>= 0.7',
      note: 'baseline: node:http + pg',
    }),
    row({
      figure: 'Unchanged poll (304)',
      measured: asText(results.unchanged),
      baseline: asText(results.baseline),
      value: results.baseline.cpuUs / results.unchanged.cpuUs,
      unit: 'x throughput',
      goal: '>= 3',
      note: 'baseline: the full read by node:http + pg',
    }),
  ];
}
