/**
 * The managed memory system: memories in our PostgreSQL, found by the ranking of `ranking.rules.ts`. A save is one statement, a
 * recall two, or four where an embedding model also finds by meaning. It never decides who may read what
 * (`memory.access.ts`), never calls a language model, and goes on by words when the embedding model is down.
 */

import type { Database, Row } from '../../../kernel/database.ts';
import { newId } from '../../../kernel/ids.ts';
import { isDivisionByZero } from '../../../kernel/transaction.ts';
import { indexTerms, termHash } from '../../../text/terms.ts';
import type { Near, Spread } from './fusion.rules.ts';
import { fuse } from './fusion.rules.ts';
import { deleteSandbox, type NewMemory, saveMemory, saveMemoryAlone } from './memory.queries.ts';
import type { BrainSystem, Memory, MemoryScope, Readable, RecallInput, SaveInput, Sql } from './memory-system.port.ts';
import { postingsOf, storable } from './postings.codec.ts';
import type { Questions } from './question-vector.service.ts';
import {
  type Candidate,
  candidates,
  LINK_GAP_MS,
  postingsCap,
  type Ranked,
  RERANK,
  rerank,
  type TermStats,
  termWeights,
} from './ranking.rules.ts';
import {
  ENTRIES,
  type EntryRow,
  type LinkedRow,
  NEAR,
  NEWEST,
  type NewestRow,
  POSTINGS,
  type PostingsRow,
} from './recall.queries.ts';
import { signs, similarity, type Vector } from './vector.codec.ts';

/** The fixed namespaces; slices of speakers are numbered from 3 up. */
export const NS = { public: 0, private: 1, knowledge: 2 } as const;
const NS_NAMES = ['public', 'private', 'knowledge'];
/** Distinct words of a query that are looked up; the rest of a very long query is not. */
const MAX_QUERY_TERMS = 48;

/** How many of the newest postings of a common term lead a search that has no rarer one. */
const MAX_NEWEST = 500;

/** A stored entry as a memory. `score` is 0 outside a recall. */
export function toMemory(row: EntryRow, owner: MemoryScope, score = 0): Memory {
  return {
    id: row.id,
    content: row.content,
    score,
    namespace: owner.sandboxId === null ? (NS_NAMES[row.ns] ?? 'speaker') : 'sandbox',
    speakerRef: row.speaker_ref,
    source: row.source,
    createdAt: row.created_at,
  };
}

/** True when nothing of the brain is hidden from the reader, so that statements need no filter. */
export function readsEverything(readable: Readable): boolean {
  return (
    readable.speakers === 'all' && Object.keys(NS).every((name) => readable.shared.includes(name as keyof typeof NS))
  );
}

/** The first five values of every reading statement: which brain, and which of its namespaces. */
export function scopeValues(owner: MemoryScope, { shared, speakers }: Readable): unknown[] {
  const refs = speakers !== 'all' && 'refs' in speakers ? speakers.refs.map(storable) : [];
  const prefix = speakers !== 'all' && 'prefix' in speakers ? storable(speakers.prefix) : '';
  return [owner.avatarId, owner.sandboxId ?? '', shared.map((name) => NS[name]), refs, prefix];
}

const numbers = (list: string): number[] => JSON.parse(`[${list}]`);

/** A row as the ranking wants it. A common term's frequency is extrapolated from where the cap was reached. */
function termStats(row: PostingsRow): TermStats {
  const df = row.df ?? 0;
  if (df > postingsCap(row.n)) {
    const rest = (row.last_count * row.next_seq) / (row.last_seq + 1);
    const estimate = Math.min(row.n, df - row.last_count + rest);
    return { term: row.term, df: estimate, common: true, seqs: [], counts: [], lengths: [] };
  }
  if (df === 0) return { term: row.term, df, common: false, seqs: [], counts: [], lengths: [] };
  return {
    term: row.term,
    df,
    common: false,
    seqs: numbers(row.seqs),
    counts: numbers(row.counts),
    lengths: numbers(row.lengths),
  };
}

/** Every known term is common: the newest postings of the two rarest lead the search instead. */
async function leadByNewest(
  sql: Sql,
  which: 'all' | 'some',
  scope: unknown[],
  terms: TermStats[],
  n: number,
): Promise<void> {
  const two = terms
    .filter((term) => term.common)
    .sort((a, b) => a.df - b.df)
    .slice(0, 2);
  const byTerm = new Map(two.map((term) => [term.term, term]));
  const values = [...scope, [...byTerm.keys()], Math.min(MAX_NEWEST, postingsCap(n))];
  for (const { term, seq, tf, len } of await sql.rows<NewestRow>(NEWEST[which], values)) {
    const into = byTerm.get(term);
    if (!into) continue;
    into.common = false;
    into.seqs.push(seq);
    into.counts.push(tf);
    into.lengths.push(len);
  }
}

/** The reader's part of the brain, as every statement of one recall takes it. */
interface Search {
  sql: Sql;
  near: string;
  query: string;
  limit: number;
  which: 'all' | 'some';
  scope: unknown[];
}

type Rows = Map<number, EntryRow>;

const lookUp = ({ sql, which, scope }: Search, seqs: number[], count: number) =>
  sql.rows<LinkedRow>(ENTRIES[which], [...scope, seqs, count, LINK_GAP_MS]);

/** What the question's words find, best first; the rows that were looked at are put into `rows`. */
async function byWords(search: Search, rows: Rows): Promise<Ranked[]> {
  const { sql, query, limit, which, scope } = search;
  const asked = [...new Set(indexTerms(query).map(termHash))].slice(0, MAX_QUERY_TERMS);
  if (asked.length === 0) return [];
  const found = await sql.rows<PostingsRow & Row>(POSTINGS[which], [...scope, asked]);
  const [first] = found;
  if (!first || first.n === 0) return [];
  const terms = found.map(termStats);
  if (terms.every((term) => term.common || term.df === 0)) await leadByNewest(sql, which, scope, terms, first.n);
  const stats = { n: first.n, averageLength: Math.max(1, first.total_len / first.n) };
  const weights = termWeights(terms, stats);
  const pool = candidates(weights);
  if (pool.length === 0) return [];
  const looked = await lookUp(search, pool, Math.max(RERANK, limit));
  for (const row of looked) rows.set(row.seq, row);
  const close: Candidate[] = looked.map(({ seq, content, speaker_ref, linked }) => ({
    seq,
    content,
    speakerRef: speaker_ref,
    linked: numbers(linked),
  }));
  return rerank(query, close, terms, weights, stats);
}

/** The same with what its meaning finds; entries that no word led to are added to `rows`. */
async function withMeaning(search: Search, words: Ranked[], vector: Vector, rows: Rows): Promise<Ranked[]> {
  const { sql, limit, near: statement, scope } = search;
  const pool = words.map(({ seq }) => seq);
  const values = [...scope, vector.space, signs(vector.unit), pool];
  const found = await sql.rows<Near & Spread & Row & { exact: Buffer }>(statement, values);
  const near = found.map((row) => ({
    ...row,
    similarity: similarity(vector.unit, row.exact),
  }));
  if (!near[0]) return words;
  const ranked = fuse(words, near, near[0]).slice(0, limit);
  const unseen = ranked.map(({ seq }) => seq).filter((seq) => !rows.has(seq));
  if (unseen.length > 0) for (const row of await lookUp(search, unseen, unseen.length)) rows.set(row.seq, row);
  return ranked;
}

async function recall(sql: Sql, input: RecallInput, { questions, near }: Options): Promise<Memory[]> {
  const { query, limit, readable, byWordsAlone = false, ...owner } = input;
  const which = readsEverything(readable) ? 'all' : 'some';
  const statement = near?.(which) ?? NEAR[which];
  const search: Search = { sql, near: statement, query, limit, which, scope: scopeValues(owner, readable) };
  const rows: Rows = new Map();
  const [words, vector] = await Promise.all([
    byWords(search, rows),
    byWordsAlone ? null : (questions?.vector(query) ?? null),
  ]);
  const ranked = vector ? await withMeaning(search, words, vector, rows) : words;
  return ranked.slice(0, limit).flatMap(({ seq, score }) => {
    const row = rows.get(seq);
    return row ? [toMemory(row, owner, score)] : [];
  });
}

/** A memory as it is stored. */
function stored(input: SaveInput, id: string, nowMs: number): NewMemory {
  const { terms, counts, length } = postingsOf(input.content);
  const speakerRef = storable(input.speakerRef ?? '') || null;
  return {
    avatarId: input.avatarId,
    sandboxId: input.sandboxId ?? '',
    ns: speakerRef === null ? NS[input.namespace ?? 'public'] : null,
    speakerRef,
    id,
    content: storable(input.content),
    length,
    createdAt: nowMs,
    terms,
    counts,
    savedBy: input.savedBy ?? null,
  };
}

async function saveAlone(
  db: Pick<Database, 'write'>,
  input: SaveInput,
  limit: number,
  ...named: [id: string, nowMs: number]
): Promise<{ id: string } | undefined> {
  const memory = stored(input, ...named);
  try {
    const [kept] = await saveMemoryAlone({ rows: db.write }, { ...memory, limit });
    return kept && { id: memory.id };
  } catch (error) {
    if (isDivisionByZero(error)) return undefined;
    throw error;
  }
}

interface Options {
  /** The clock, epoch milliseconds. */
  now?: () => number;
  /** Names new memories. */
  makeId?: () => string;
  /** The embedding model, where there is one. */
  questions?: Questions;
  /** The statement that finds what is near; without it the newest memories are compared. */
  near?: (which: 'all' | 'some') => string;
}

/** The managed system. */
export interface ManagedBrain extends BrainSystem {
  /**
   * Saves by one statement, as a transaction of its own, an avatar's memory for the account `savedBy`, which may have so many.
   * Undefined, and nothing kept, where that is not certain beforehand: the avatar is gone, or the account has none yet or enough.
   */
  saveAlone(db: Pick<Database, 'write'>, input: SaveInput, limit: number): Promise<{ id: string } | undefined>;
}

/** Opens the managed system. */
export function createManagedBrain(options: Options = {}): ManagedBrain {
  const now = options.now ?? Date.now;
  const makeId = options.makeId ?? (() => newId('mem'));
  return {
    name: 'managed',
    supportsQuery: true,
    async save(sql, input) {
      const memory = stored(input, makeId(), now());
      await saveMemory(sql, memory);
      return { id: memory.id };
    },
    saveAlone: (db, input, limit) => saveAlone(db, input, limit, makeId(), now()),
    recall: (sql, input) => recall(sql, input, options),
    deleteSandbox: async (sql, owner) => (await deleteSandbox(sql, owner))[0]?.n ?? 0,
  };
}
