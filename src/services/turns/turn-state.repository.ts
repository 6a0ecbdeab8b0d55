/** The states of a turn and the allowed transitions between them. */
import type { Tx } from '../../kernel/database.ts';
import { required } from '../../kernel/prepared.ts';
import { StaleAttemptError } from '../work/attempt-failure.rules.ts';
import { transitionTurnRow } from './turn-work.queries.ts';

/** States of a turn; `video`, `ready` and `error` are final. */
export type TurnStatus = 'pending' | 'audio' | 'video' | 'ready' | 'error';

const TURN_MOVES: Record<TurnStatus, readonly TurnStatus[]> = {
  pending: ['audio', 'ready', 'error'],
  audio: ['video', 'error'],
  video: [],
  ready: [],
  error: [],
};

const sourcesOf = (to: TurnStatus): TurnStatus[] =>
  (Object.keys(TURN_MOVES) as TurnStatus[]).filter((from) => TURN_MOVES[from].includes(to));

/** A turn as one attempt has it. */
interface AttemptAt {
  id: string;
  attempt: number;
}

/** Columns that a transition may set besides the status. */
export interface TurnChange {
  audioKey?: string;
  videoKey?: string;
  streamKey?: string | null;
  shareSlug?: string;
  errorMessage?: string;
  marks?: string;
  seconds?: number;
}

const values = (turn: AttemptAt, to: TurnStatus, change: TurnChange) => ({
  id: turn.id,
  attempt: turn.attempt,
  from: sourcesOf(to),
  to,
  audioKey: change.audioKey ?? null,
  videoKey: change.videoKey ?? null,
  setsStream: change.streamKey !== undefined,
  streamKey: change.streamKey ?? null,
  shareSlug: change.shareSlug ?? null,
  errorMessage: change.errorMessage ?? null,
  marks: change.marks ?? null,
  seconds: change.seconds ?? null,
});

const stale = (turn: AttemptAt, to: TurnStatus) => (): StaleAttemptError =>
  new StaleAttemptError(`Turn ${turn.id} cannot move to ${to} by attempt ${turn.attempt}.`);

/**
 * Changes a turn's state, fenced by the attempt. Throws StaleAttemptError when the turn's state does not allow this
 * transition, or another attempt has taken over.
 */
export async function transitionTurn(tx: Tx, turn: AttemptAt, to: TurnStatus, change: TurnChange = {}): Promise<void> {
  const moved = await transitionTurnRow(tx, values(turn, to, change));
  if (moved.length === 0) throw stale(turn, to)();
}

/** The same without awaiting it: the transaction throws instead, and commits nothing. */
export function sendTransition(tx: Tx, turn: AttemptAt, to: TurnStatus, change: TurnChange): void {
  void transitionTurnRow(required(tx, stale(turn, to)), values(turn, to, change));
}
