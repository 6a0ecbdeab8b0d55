/** Asks for one turn anew, for the sake of its freshly signed links. */
import { NEWEST_TURNS, TURN_FIELDS, type TurnData } from '../../turn-data.ts';
import { ask, type LivePage } from '../lib/page.ts';

const TURN = `query($slug: String!) { turnBySlug(slug: $slug) { ${TURN_FIELDS} } }`;
/** A clip without a slug of its own is still being made, so it is among the newest turns. */
const CONVERSATION = `query($slug: String!, $viewerToken: String, $key: String) {
  conversationBySlug(slug: $slug, viewerToken: $viewerToken, key: $key, limit: ${NEWEST_TURNS}) { turns { ${TURN_FIELDS} } } }`;

export async function refreshTurn(page: LivePage, { id, shareSlug }: TurnData): Promise<TurnData | undefined> {
  const { graphql, slug, viewerToken, key } = page;
  if (shareSlug) {
    const { data } = await ask<{ turnBySlug: TurnData }>(graphql, TURN, { slug: shareSlug });
    return data?.turnBySlug;
  }
  const { data } = await ask<{ conversationBySlug: { turns: TurnData[] } }>(graphql, CONVERSATION, {
    slug,
    viewerToken,
    key,
  });
  return data?.conversationBySlug.turns.find((turn) => turn.id === id);
}
