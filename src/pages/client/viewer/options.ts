/** The query parameters of a live address. */

/** Options in the page's address. */
export interface ViewerOptions {
  autoplay: boolean;
  /** Only turns made at or after this moment play by themselves. */
  sinceMs: number;
}

export function readOptions({ search, hash }: { search: string; hash: string }, nowMs: number): ViewerOptions {
  const query = new URLSearchParams(search);
  return {
    autoplay: query.get('autoplay') !== '0',
    sinceMs: hash === '#new' ? nowMs : readSince(query.get('since'), nowMs),
  };
}

/** `now`, epoch milliseconds, or an ISO date; anything else leaves nothing out. */
function readSince(text: string | null, nowMs: number): number {
  if (!text) return 0;
  if (text === 'now') return nowMs;
  const ms = /^\d+$/.test(text) ? Number(text) : Date.parse(text);
  return Number.isFinite(ms) ? ms : 0;
}
