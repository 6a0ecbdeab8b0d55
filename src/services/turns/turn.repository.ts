/** Inserts the rows of turns, all of them. `conversation-version.repository.ts` numbers them at the end of the transaction. */
import type { Tx } from '../../kernel/database.ts';
import { newId } from '../../kernel/ids.ts';
import { sent } from '../../kernel/prepared.ts';
import { insertTurnRow, type TurnValues } from './turn-work.queries.ts';

/** A turn to insert. */
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

/** A turn's id; ids sort by time. */
export const newTurnId = (nowMs: number): string => newId('trn', nowMs);

/** Inserts a turn; false when this chunk was written before, by an attempt that died before it could report. */
export async function insertTurn(tx: Tx, id: string, turn: NewTurn): Promise<boolean> {
  const written = await insertTurnRow(tx, valuesOf(id, turn));
  return written.length > 0;
}

/** Inserts a turn of a new injection, without waiting for it. */
export function sendTurn(tx: Tx, id: string, turn: NewTurn): void {
  void insertTurnRow(sent(tx), valuesOf(id, turn));
}

const valuesOf = (id: string, { text, ...turn }: NewTurn): TurnValues => ({
  ...turn,
  id,
  number: turn.number ?? null,
  userText: turn.role === 'user' ? text : null,
  avatarText: turn.role === 'avatar' ? text : null,
  holdId: turn.holdId ?? null,
  mediaError: turn.mediaError ?? null,
  errorMessage: turn.errorMessage ?? null,
});
