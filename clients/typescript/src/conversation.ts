/** A conversation as it is shown: its turns in order, kept up to date by the live feed. */
import type { Client } from './client.ts';
import type { AvatarError } from './errors.ts';
import { type Turn, type TurnUpdate, turnUpdated } from './generated/graphql.ts';
import { subscribe } from './live.ts';

/** Which conversation, and what lets its viewer in beside the client's credential. */
export interface ConversationAccess {
  /** `c-...`, the last part of its address; `t-...` is one turn. */
  slug: string;
  viewerToken?: string | undefined;
  /** The key of an access link. */
  key?: string | undefined;
}

/** A conversation at one moment; each change makes a new one. */
export interface ConversationState {
  /** In the order they are shown. A reply that is being written is one of them, its words so far in `avatarText`. */
  readonly turns: readonly Turn[];
  /** False before the first connection, and while it is lost. */
  readonly isConnected: boolean;
  /** Why the feed is over for good. */
  readonly error?: AvatarError | undefined;
}

/** What a program knows before anything has come. */
export const NOTHING_YET: ConversationState = { turns: [], isConnected: false };

/** How often a viewer is notified at most: the turns so far come one by one. */
const REPORT_MS = 16;

const isBefore = (one: TurnUpdate, other: TurnUpdate): boolean =>
  one.injection - other.injection < 0 || (one.injection === other.injection && one.chunk < other.chunk);

/** Follows a conversation from its beginning; ends when the function that is returned is called. */
export function followConversation(
  client: Client,
  access: ConversationAccess,
  changed: (state: ConversationState) => void,
): () => void {
  const shown: TurnUpdate[] = [];
  let isConnected = false;
  let error: AvatarError | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const report = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      changed({ turns: shown.map(({ turn }) => turn), isConnected, error });
    }, REPORT_MS);
  };
  const stop = subscribe(
    client,
    turnUpdated,
    { ...access, after: '0' },
    {
      next: ({ turnUpdated: update }) => {
        place(shown, update);
        report();
      },
      connected: (now) => {
        isConnected = now;
        report();
      },
      ended: (reason) => {
        isConnected = false;
        error = reason;
        report();
      },
    },
  );
  return () => {
    clearTimeout(timer);
    stop();
  };
}

/** Puts an update where its turn is shown, in the stead of what was there of it. */
export function place(shown: TurnUpdate[], update: TurnUpdate): void {
  const known = shown.findIndex(({ turn }) => turn.id === update.turn.id);
  if (known >= 0) shown.splice(known, 1);
  if (update.isDeleted) return;
  const next = shown.findLastIndex((other) => !isBefore(update, other)) + 1;
  shown.splice(next, 0, update);
}
