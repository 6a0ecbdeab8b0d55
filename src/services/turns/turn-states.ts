/** The states of a turn and the moves between them. An illegal move is a named error. */
import type { Tx } from '../../kernel/database.ts';
import { StaleAttemptError } from '../job-attempts.ts';

export type TurnStatus = 'pending' | 'audio' | 'video' | 'ready' | 'error';

export const TURN_MOVES: Record<TurnStatus, readonly TurnStatus[]> = {
  pending: ['audio', 'ready', 'error'],
  audio: ['video', 'error'],
  video: [],
  ready: [],
  error: [],
};

const sourcesOf = (to: TurnStatus): TurnStatus[] =>
  (Object.keys(TURN_MOVES) as TurnStatus[]).filter((from) => TURN_MOVES[from].includes(to));

/** Columns a move may set beside the status. */
export interface TurnChange {
  audioKey?: string;
  videoKey?: string;
  streamKey?: string | null;
  shareSlug?: string;
  errorMessage?: string;
  marks?: string;
  seconds?: number;
}

const COLUMNS: Record<keyof TurnChange, string> = {
  audioKey: 'audio_key',
  videoKey: 'video_key',
  streamKey: 'stream_key',
  shareSlug: 'share_slug',
  errorMessage: 'error_message',
  marks: 'marks',
  seconds: 'seconds',
};

/**
 * Moves a turn, fenced by the attempt that does it. Throws StaleAttemptError when the turn is not in a state from which
 * this move exists, or another attempt has taken over.
 */
export async function moveTurn(
  tx: Tx,
  turn: { id: string; attempt: number },
  to: TurnStatus,
  change: TurnChange = {},
): Promise<void> {
  const entries = Object.entries(change).filter(([, value]) => value !== undefined);
  const sets = entries.map(([name], index) => `${COLUMNS[name as keyof TurnChange]} = $${index + 5}`);
  const moved = await tx.rows(
    `update turn set ${['status = $3', ...sets].join(', ')}
     where id = $1 and attempt = $2 and status = any($4) returning id`,
    [turn.id, turn.attempt, to, sourcesOf(to), ...entries.map(([, value]) => value)],
  );
  if (moved.length === 0)
    throw new StaleAttemptError(`Turn ${turn.id} cannot move to ${to} by attempt ${turn.attempt}.`);
}
