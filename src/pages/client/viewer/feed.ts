/**
 * The live feed of a conversation or of one turn: the newest turns, then every change; what was said before them is read by
 * `history.ts`. When the connection is lost it
 * comes back behind the last cursor it saw, so nothing is missed and nothing comes twice.
 */
import { subscribe } from '../../../../clients/typescript/src/live.ts';
import { earliestOf, NEWEST_TURNS, type Place } from '../../turn-data.ts';
import { clientAt } from '../lib/client.ts';
import { FOLLOW, type FollowData, NEWEST, type NewestData } from '../lib/operations.ts';

/** One live update. */
export type Update = FollowData['turnUpdated'];

type NewestTurns = NewestData['conversationBySlug'];

/** What is watched, and with what access. */
export interface FeedRequest {
  slug: string;
  viewerToken: string | null;
  key: string | null;
  graphql: string;
  /** Where the feed stood when the page was made; without it the feed asks for itself, as after a lost connection. */
  cursor: string | null;
  /** Where it begins; without it the feed asks where the newest turns do. */
  replayCursor: string | null;
}

/** What the feed reports. */
export interface FeedEvents {
  update(update: Update): void;
  /** Only where the feed had to ask where to begin: the first turn that it will send, with more before it. */
  begun?(earliest: Place | null): void;
  /** True while updates flow; false from the moment the connection is lost. */
  connected(isConnected: boolean): void;
  /**
   * False from each connection on until everything is here that had been said by then. Updates come in the order of
   * their changes, and a long recording of an early turn is ready after a short one of a later turn.
   */
  caughtUp?(isCaughtUp: boolean): void;
  /** The access was taken back, or never was: the feed has ended for good. */
  ended(): void;
}

/** Rather out of order than not at all. */
const NEWEST_MS = 4_000;

export function openFeed(request: FeedRequest, events: FeedEvents): void {
  void startFeed(request, events);
}

async function startFeed(request: FeedRequest, events: FeedEvents): Promise<void> {
  const { slug, viewerToken, key, graphql, cursor } = request;
  const isConversation = slug.startsWith('c-');
  // Of one turn there is nothing before. Where it is not known where the newest turns begin, everything is rather sent.
  let begin = request.replayCursor;
  if (isConversation && begin === null) {
    const turns = await newest(request);
    events.begun?.(earliestOf(turns?.updates ?? [], NEWEST_TURNS));
    begin = turns?.replayCursor ?? null;
  }
  let reached = Number(begin ?? 0);
  let known = cursor;
  let goal = 0;
  let isCaughtUp = true;
  const look = (): void => {
    if (isCaughtUp || reached < goal) return;
    isCaughtUp = true;
    events.caughtUp?.(true);
  };
  async function resume(): Promise<void> {
    if (!isConversation || !events.caughtUp) return;
    isCaughtUp = false;
    goal = Number.POSITIVE_INFINITY;
    events.caughtUp(false);
    // The page brought the first one along: only who was away has to ask.
    const until = known ?? (await newest(request))?.cursor;
    known = null;
    goal = Number(until ?? 0);
    look();
  }
  subscribe(
    clientAt(graphql),
    FOLLOW,
    { slug, viewerToken, key, after: begin ?? '0' },
    {
      next: ({ turnUpdated }) => {
        reached = Number(turnUpdated.cursor);
        events.update(turnUpdated);
        look();
      },
      connected: (isConnected) => {
        events.connected(isConnected);
        if (isConnected) void resume();
      },
      ended: () => events.ended(),
    },
  );
}

/** Where the newest turns begin and end; undefined where the server does not say. */
async function newest({ slug, viewerToken, key, graphql }: FeedRequest): Promise<NewestTurns | undefined> {
  const grant = { slug, viewerToken, key, newest: NEWEST_TURNS };
  const answer = await clientAt(graphql)
    .graphql(NEWEST, grant, { timeoutMs: NEWEST_MS, retries: 0 })
    .catch(() => undefined);
  return answer?.conversationBySlug;
}
