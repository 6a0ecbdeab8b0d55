/** A turn as every page asks for it: the server for the first view, the page's script for every change. */

import type { TurnFields } from './operations.ts';

/** A turn as pages show it. */
export type TurnData = TurnFields;

/** The words that are spoken, or shown when nothing is. */
export function spokenText(turn: TurnData): string {
  return turn.avatarText ?? turn.userText ?? '';
}

/** What the avatar said first, of turns in their order; undefined where none of them says anything yet. */
export function firstWords(turns: readonly Pick<TurnData, 'role' | 'avatarText'>[]): string | undefined {
  return turns.find(({ role, avatarText }) => role === 'avatar' && avatarText)?.avatarText ?? undefined;
}

/** A length as players write it, `0:03`: whole seconds that have begun to pass, never none. */
export function clockTime(seconds: number): string {
  const whole = Math.max(1, Math.floor(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/**
 * How many of the newest turns show where the feed stands: whatever changed last is among them, as only the newest are
 * still being made. (The cursor of fewer may lie before a long recording that was ready after a short one behind it.)
 */
export const NEWEST_TURNS = 24;

/** Turns on a page of a transcript, and in each page of what was said before it. */
export const TRANSCRIPT_TURNS = 100;

/** A turn, and where it is shown. */
export interface Place {
  turnId: string;
  injection: number;
  chunk: number;
}

/** The first of a page of turns, where more may lie before it: null when the page is not full. */
export function earliestOf(
  page: readonly { injection: number; chunk: number; turn: { id: string } }[],
  size: number,
): Place | null {
  const first = page[0];
  if (!first || page.length < size) return null;
  return { turnId: first.turn.id, injection: first.injection, chunk: first.chunk };
}
