/** Asks for one turn anew, for the sake of its freshly signed links. */
import { NEWEST_TURNS, type TurnData } from '../../turn-data.ts';
import { clientAt } from '../lib/client.ts';
import { SHARED_TURN_ANEW, TURNS_ANEW } from '../lib/operations.ts';
import type { LivePage } from '../lib/page.ts';

export async function refreshTurn(page: LivePage, { id, shareSlug }: TurnData): Promise<TurnData | undefined> {
  const { graphql, slug, viewerToken, key } = page;
  const client = clientAt(graphql);
  if (shareSlug) return (await client.graphql(SHARED_TURN_ANEW, { slug: shareSlug })).turnBySlug;
  // One without a slug of its own is still being made, so it is among the newest turns.
  const data = await client.graphql(TURNS_ANEW, { slug, viewerToken, key, newest: NEWEST_TURNS });
  return data.conversationBySlug.turns.find((turn) => turn.id === id);
}
