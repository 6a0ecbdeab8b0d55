/** The port between replies and the brain: what an avatar knows when it answers, and what it keeps of what was said. */
import type { Tx } from '../../kernel/database.ts';

/** What the avatar knows beside its persona when it answers: filled by the brain. */
export interface RecalledContext {
  knowledge: { text: string; source?: string }[];
  memories: { text: string; speakerName?: string }[];
}

/** What was said, to which avatar, and by whom. */
export interface Question {
  avatarId: string;
  text: string;
  userId: string;
  /** The app through which they speak. */
  clientId: string | null;
  /** The avatar as which they speak. */
  speakerAvatarId: string | null;
}

/** The memory behind a reply. Neither of its first two calls throws: an avatar also answers without its memory. */
export interface MemoryPort {
  recall(question: Question): Promise<RecalledContext>;
  /** Keeps what the speaker of an injection stated about themself, once however often it is called. */
  remember(injectionId: string): Promise<void>;
  /** Forgets, in the transaction that deletes them, what was kept of injections. Throws what the database does. */
  forget(tx: Tx, injectionIds: readonly string[]): Promise<void>;
  /** Keeps what could not be kept when it was stated; how much. */
  retryPending(): Promise<number>;
}
