/** A turn as every page asks for it: the server for the first view, the page's script for every change. */

export interface TurnData {
  id: string;
  role: string;
  userText: string | null;
  avatarText: string | null;
  output: string | null;
  status: string | null;
  audioUrl: string | null;
  videoUrl: string | null;
  streamUrl: string | null;
  shareSlug: string | null;
  shareUrl: string | null;
  errorMessage: string | null;
  mediaError: string | null;
  words: { ms: number; at: number; len: number }[] | null;
  seconds: number | null;
  createdAt: number;
}

/** Its fields in GraphQL. */
export const TURN_FIELDS = `id role userText avatarText output status audioUrl videoUrl streamUrl shareSlug shareUrl
  errorMessage mediaError words { ms at len } seconds createdAt`;

/** The words that are spoken, or shown when nothing is. */
export function spokenText(turn: TurnData): string {
  return turn.avatarText ?? turn.userText ?? '';
}

/** A length as players write it, `0:03`: whole seconds that have begun to pass, never none. */
export function clockTime(seconds: number): string {
  const whole = Math.max(1, Math.floor(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/**
 * How many of the newest turns tell where the feed stands: whatever changed last is among them, as only the newest are
 * still being made. (The cursor of fewer may lie before a long clip that was ready after a short one behind it.)
 */
export const NEWEST_TURNS = 24;
