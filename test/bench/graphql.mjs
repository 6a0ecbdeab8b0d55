/** The read of 20 turns by GraphQL over HTTP, beside Mercurius with graphql-jit serving the same shape. */
import { request } from 'undici';
import { unsigned } from './support/conversation.mjs';
import { asText, compare } from './support/load.mjs';
import { startPart } from './support/parts.mjs';
import { row } from './support/rows.mjs';
import { openSeeded } from './support/seeded.mjs';

const QUERY = `query Read($slug: String!) { conversationBySlug(slug: $slug) {
  conversationId
  conversation { conversationId shareSlug shareUrl liveUrl isPublic avatarId avatarOwnerUserId avatarDisplayName
    avatarImageUrl createdAt }
  turns { id role userText avatarText output status audioUrl videoUrl shareSlug shareUrl liveUrl errorMessage
    mediaError createdAt } } }`;

export async function bench({ databaseUrl }) {
  const { platform, port, shareSlug } = await openSeeded(databaseUrl);
  const baseline = await startPart('baseline-mercurius', { databaseUrl, site: `http://127.0.0.1:${port}` });
  const asked = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: QUERY, variables: { slug: shareSlug } }),
  };
  const [ours, theirs] = await Promise.all(
    [port, baseline.facts.port].map(async (where) => {
      const { body } = await request(`http://127.0.0.1:${where}/graphql`, asked);
      return body.json();
    }),
  );
  if (unsigned(ours.data) !== unsigned(theirs.data)) throw new Error('The baseline does not answer the same.');
  const results = await compare({
    baseline: { part: baseline, port: baseline.facts.port, path: '/graphql', ...asked },
    ours: { part: platform, port, path: '/graphql', ...asked },
  });
  return [
    row({
      figure: 'GraphQL read, 20 turns',
      measured: asText(results.ours),
      baseline: asText(results.baseline),
      value: results.ours.cpuUs / results.baseline.cpuUs,
      unit: 'x CPU',
      goal: '<= 1.4',
      note: 'baseline: Mercurius + jit',
    }),
  ];
}
