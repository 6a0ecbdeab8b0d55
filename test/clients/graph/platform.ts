/** What the programs are handed, and how they say what they found. */

export interface Platform {
  url: string;
  key: string;
  userId: string;
  avatarId: string;
  conversationId: string;
  slug: string;
}

/** Throws, with both, when they are not the same. */
export function expect(what: string, found: unknown, wanted: unknown): void {
  if (JSON.stringify(found) === JSON.stringify(wanted)) return;
  throw new Error(`${what}: ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}.`);
}
