/**
 * What an owner does to stored memories of the managed brain: list, read, correct, remove, and replace the knowledge
 * learned by training. It keeps the index true to the text; it never checks who asks.
 */
import { PlatformError } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import type { Keyset } from '../../../kernel/keyset.ts';
import { lockBrain, putKnowledge } from './knowledge.queries.ts';
import { readsEverything, scopeValues, toMemory } from './managed-memory.service.ts';
import { deleteMemory, editMemory, entryOf } from './memory.queries.ts';
import type { Memory, MemoryScope, Readable, Sql } from './memory-system.port.ts';
import { postingsOf, storable } from './postings.codec.ts';
import { type EntryRow, LIST } from './recall.queries.ts';

/** Attempts when someone else changes the same memory between our read and our write. */
const MAX_ATTEMPTS = 5;

/** Memories of one brain within a keyset of their `seq`, by which the oldest comes first. */
export async function listMemories(
  sql: Sql,
  {
    withKnowledge = true,
    above,
    below,
    descending,
    limit,
    ...input
  }: MemoryScope & { readable: Readable; withKnowledge?: boolean } & Keyset,
): Promise<{ seq: number; memory: Memory }[]> {
  const which = !readsEverything(input.readable) ? 'some' : withKnowledge ? 'all' : 'said';
  const statement = LIST[descending ? 'newest' : 'oldest'][which];
  const rows = await sql.rows<EntryRow>(statement, [...scopeValues(input, input.readable), above, below, limit]);
  return rows.map((row) => ({ seq: row.seq, memory: toMemory(row, input) }));
}

type OwnEntry = EntryRow & { sandbox_id: string };

async function ownEntry(sql: Sql, avatarId: string, id: string): Promise<OwnEntry> {
  const [entry] = await entryOf(sql, { avatarId, id });
  if (!entry) throw new PlatformError('NOT_FOUND', 'No such memory.');
  return entry;
}

const memoryOf = (row: OwnEntry, avatarId: string): Memory =>
  toMemory(row, { avatarId, sandboxId: row.sandbox_id === '' ? null : row.sandbox_id });

/** One memory of an avatar. NOT_FOUND when it is not there. */
export async function readMemory(sql: Sql, avatarId: string, id: string): Promise<Memory> {
  return memoryOf(await ownEntry(sql, avatarId, id), avatarId);
}

/** Corrects what a memory says; its place, speaker and date stay. NOT_FOUND when it is not there. */
export async function updateMemory(sql: Sql, avatarId: string, id: string, text: string): Promise<Memory> {
  const content = storable(text);
  const next = postingsOf(content);
  const kept = new Set(next.terms);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const entry = await ownEntry(sql, avatarId, id);
    const gone = postingsOf(entry.content).terms.filter((term) => !kept.has(term));
    const edited = await editMemory(sql, { avatarId, id, before: entry.content, content, gone, ...next });
    if (edited.length > 0) return memoryOf({ ...entry, content }, avatarId);
  }
  throw new PlatformError('CONFLICT', 'The memory is being changed by someone else.');
}

/** Removes one memory. NOT_FOUND when it is not there. */
export async function removeMemory(sql: Sql, avatarId: string, id: string): Promise<void> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const entry = await ownEntry(sql, avatarId, id);
    const { content } = entry;
    const removed = await deleteMemory(sql, { avatarId, id, content, terms: postingsOf(content).terms });
    if (removed.length > 0) return;
  }
  throw new PlatformError('CONFLICT', 'The memory is being changed by someone else.');
}

/** Something learned by training: a passage and the address of the page it stood on. */
export interface KnowledgePassage {
  text: string;
  source: string | null;
}

/**
 * Replaces all knowledge of an avatar by these passages; [] forgets it. `sql` must be a transaction's client: the first
 * statement takes the lock, the second needs to see what was committed before it. Throws plainly when it is not.
 */
export async function replaceKnowledge(
  sql: Sql,
  avatarId: string,
  passages: readonly KnowledgePassage[],
  nowMs: number = Date.now(),
): Promise<{ passages: number }> {
  const indexed = passages.map((passage) => ({ ...passage, id: newId('mem', nowMs), ...postingsOf(passage.text) }));
  const [locked] = await lockBrain(sql, { avatarId });
  const [inside] = await sql.rows('SELECT pg_current_xact_id_if_assigned() IS NOT NULL AS yes');
  if (!locked || !inside?.yes) throw new Error('replaceKnowledge needs a transaction');
  const each = indexed.flatMap((passage, i) =>
    passage.terms.map((term, k) => ({ i, term, count: passage.counts[k] ?? 0 })),
  );
  await putKnowledge(sql, {
    scopeId: locked.scope_id,
    ids: indexed.map(({ id }) => id),
    texts: indexed.map(({ text }) => storable(text)),
    sources: indexed.map(({ source }) => source && storable(source)),
    lengths: indexed.map(({ length }) => length),
    createdAt: nowMs,
    passageOf: each.map(({ i }) => i),
    terms: each.map(({ term }) => term),
    counts: each.map(({ count }) => count),
  });
  return { passages: indexed.length };
}
