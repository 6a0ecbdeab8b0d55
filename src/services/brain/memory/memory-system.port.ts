/**
 * What the platform asks of each memory system: the managed one in our PostgreSQL, mem0 or
 * supermemory. Types only. Who may read what is decided by `memory.access.ts` and handed in as `Readable`.
 */
import type { Database } from '../../../kernel/database.ts';

/** What statements run on: the database's pool, or a transaction. */
export type Sql = Pick<Database, 'rows'>;

/** How long a caller waits: an external system's call is given up when it aborts. */
export interface Patience {
  signal?: AbortSignal | undefined;
}

/** One isolated brain: an avatar's own (`sandboxId` null) or one of its sandboxes. */
export interface MemoryScope {
  avatarId: string;
  sandboxId: string | null;
}

/** The namespaces a reader may see. Everything else does not exist for them. */
export interface Readable {
  shared: readonly ('public' | 'private' | 'knowledge')[];
  /** Per-speaker slices: all, those named, or those whose speakerRef begins with a prefix. */
  speakers: 'all' | { refs: readonly string[] } | { prefix: string };
}

/** A memory as it is documented, with what GraphQL adds. */
export interface Memory {
  id: string;
  content: string;
  /** 0 to 1; comparable within one answer only. */
  score: number;
  /** 'public', 'private', 'knowledge' or 'speaker'; 'sandbox' for whatever lives in a sandbox. */
  namespace: string;
  speakerRef: string | null;
  /** Knowledge: the address it was read from. */
  source: string | null;
  /** Epoch milliseconds. */
  createdAt: number;
}

/** A memory to store. */
export interface SaveInput extends MemoryScope, Patience {
  content: string;
  /** With `speakerRef` the memory goes to that speaker's slice, and `namespace` is not looked at. */
  namespace?: 'public' | 'private';
  speakerRef?: string | null;
  /** The account whose quota it counts in; in none without it. */
  savedBy?: string;
  /** What the memory is to be called, so that an external system keeps it once however often it is sent. */
  id?: string;
}

/** What is asked of the memories, and of which. */
export interface RecallInput extends MemoryScope, Patience {
  query: string;
  /** Most memories of the answer, 1 to 100. */
  limit: number;
  readable: Readable;
  /** True for a search inside a transaction, which must not wait for an embedding model. */
  byWordsAlone?: boolean;
}

/** A memory system. Its failures are `PlatformError('UPSTREAM_FAILED')`; what `save` returned an id for is kept. */
export interface BrainSystem {
  /** What responses call `system`. */
  readonly name: string;
  /** True when `brain/query` works on it (managed only). */
  readonly supportsQuery: boolean;
  save(sql: Sql, input: SaveInput): Promise<{ id: string }>;
  /** Best first. Never returns what `readable` does not cover. */
  recall(sql: Sql, input: RecallInput): Promise<Memory[]>;
  /** Forgets a sandbox; resolves with how many memories it held. */
  deleteSandbox(sql: Sql, scope: { avatarId: string; sandboxId: string }): Promise<number>;
}
