/** Writing the rows of turns. Every row is born here, and numbered by `conversation-version.ts` when its transaction ends. */
import type { Tx } from '../../kernel/database.ts';
import { newId } from '../../kernel/ids.ts';

export interface NewTurn {
  conversationId: string;
  injectionId: string;
  /** The injection's number when it has one; the accepting transaction gives it at its end. */
  number?: number;
  /** 0 for the user row, 1.. for the chunks of the reply. */
  chunk: number;
  role: 'user' | 'avatar';
  text: string | null;
  output: 'audio' | 'video' | null;
  status: 'pending' | 'ready' | 'error';
  voicedByAvatarId: string;
  holdId?: string | null;
  mediaError?: string | null;
  errorMessage?: string | null;
  createdAt: number;
}

export const newTurnId = (nowMs: number): string => newId('trn', nowMs);

/** Inserts a turn; false when this chunk was written before, by an attempt that did not live to tell. */
export async function insertTurn(tx: Tx, id: string, turn: NewTurn): Promise<boolean> {
  const written = await tx.rows(INSERT, valuesOf(id, turn));
  return written.length > 0;
}

/** Inserts a turn of a new injection, without waiting for it. */
export function sendTurn(tx: Tx, id: string, turn: NewTurn): void {
  tx.send(INSERT, valuesOf(id, turn));
}

const INSERT = `insert into turn (id, conversation_id, injection_id, number, chunk, role, user_text, avatar_text, output,
    status, voiced_by_avatar_id, hold_id, media_error, error_message, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
  on conflict (injection_id, chunk) do nothing returning id`;

const valuesOf = (id: string, turn: NewTurn): unknown[] => [
  id,
  turn.conversationId,
  turn.injectionId,
  turn.number ?? null,
  turn.chunk,
  turn.role,
  turn.role === 'user' ? turn.text : null,
  turn.role === 'avatar' ? turn.text : null,
  turn.output,
  turn.status,
  turn.voicedByAvatarId,
  turn.holdId ?? null,
  turn.mediaError ?? null,
  turn.errorMessage ?? null,
  turn.createdAt,
];
