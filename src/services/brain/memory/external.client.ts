/**
 * What the adapters to external memory systems share: HTTP that fails as a 502, and the table that says which of our
 * memories each of theirs is and who may read it. Whatever a system returns that this table does not know, or that the
 * reader may not see, is dropped: isolation never depends on the other side's filters alone.
 */
import { PlatformError } from '../../../kernel/errors.ts';
import { addExternal, forgetScope, keptExternal, knownInScope, speakersInScope } from './external.queries.ts';
import type { Memory, MemoryScope, Patience, Readable, SaveInput, Sql } from './memory-system.port.ts';

/** `fetch`, or the platform's guarded one: the address is an owner's to choose. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** How an external brain is reached. */
export interface ExternalOptions {
  /** Root of the system's API, with or without a slash at the end. */
  baseUrl: string;
  /** Empty for a system that asks for none. */
  apiKey: string;
  fetch?: Fetch;
  timeoutMs?: number;
  now?: () => number;
  makeId?: () => string;
}

const TIMEOUT_MS = 10_000;
const MAX_BODY_CHARS = 4_000_000;

/** One call; the parsed body. Anything but a 2xx with JSON or nothing in it is UPSTREAM_FAILED. */
export async function call(
  system: string,
  options: ExternalOptions,
  method: 'POST' | 'DELETE',
  path: string,
  headers: Record<string, string>,
  body?: unknown,
  { signal }: Patience = {},
): Promise<unknown> {
  const failed = (what: string, cause?: unknown): PlatformError =>
    new PlatformError('UPSTREAM_FAILED', `The memory system ${system} ${what}.`, { cause });
  const timeout = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS);
  let text: string;
  try {
    const response = await (options.fetch ?? fetch)(options.baseUrl.replace(/\/+$/, '') + path, {
      method,
      // The key must not follow a redirect to another host.
      redirect: 'error',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    text = await response.text();
    if (response.status === 401 || response.status === 403) throw failed('refused its credentials');
    if (!response.ok) throw failed(`answered ${response.status}`, text.slice(0, 500));
  } catch (error) {
    throw error instanceof PlatformError ? error : failed('cannot be reached', error);
  }
  if (text.length > MAX_BODY_CHARS) throw failed('answered with too much');
  try {
    return text === '' ? null : JSON.parse(text);
  } catch (error) {
    throw failed('answered with something that is not JSON', error);
  }
}

/** The objects in a list of an answer; [] when there is no such list. */
export function objects(body: unknown, ...names: string[]): Record<string, unknown>[] {
  const lists = Array.isArray(body) ? [body] : names.map((name) => (body as Record<string, unknown> | null)?.[name]);
  const list = lists.find(Array.isArray) ?? [];
  return list.filter((item) => typeof item === 'object' && item !== null);
}

/** True when one of our memories is known to be there already. */
export async function isKept(sql: Sql, system: string, avatarId: string, id: string): Promise<boolean> {
  return (await keptExternal(sql, { avatarId, system, id })).length > 0;
}

/** Remembers which of theirs is ours. Called before the caller learns the id. */
export async function remember(
  sql: Sql,
  system: string,
  input: SaveInput,
  id: string,
  theirs: readonly string[],
  nowMs: number,
): Promise<void> {
  const speakerRef = input.speakerRef || null;
  const namespace = speakerRef === null ? (input.namespace ?? 'public') : 'speaker';
  await addExternal(sql, {
    avatarId: input.avatarId,
    system,
    externalIds: theirs,
    id,
    sandboxId: input.sandboxId ?? '',
    namespace,
    speakerRef,
    createdAt: nowMs,
    savedBy: input.savedBy ?? null,
  });
}

const visible = (system: string, scope: MemoryScope, { shared, speakers }: Readable) => ({
  avatarId: scope.avatarId,
  system,
  sandboxId: scope.sandboxId ?? '',
  shared,
  refs: speakers !== 'all' && 'refs' in speakers ? speakers.refs : [],
  prefix: speakers !== 'all' && 'prefix' in speakers ? speakers.prefix : '',
  allSpeakers: speakers === 'all',
});

/** The speakers whose slices a reader may see in a place, newest first. */
export async function readableSlices(
  sql: Sql,
  system: string,
  scope: MemoryScope,
  readable: Readable,
): Promise<string[]> {
  const rows = await speakersInScope(sql, visible(system, scope, readable));
  return rows.flatMap(({ speaker_ref }) => (speaker_ref === null ? [] : [speaker_ref]));
}

/** A match as the other side gave it. */
export interface Hit {
  externalId: string;
  content: string;
  score: number;
}

/** Their matches as our memories: known ones the reader may see, best first, each of ours once. */
export async function ours(
  sql: Sql,
  system: string,
  scope: MemoryScope,
  readable: Readable,
  hits: readonly Hit[],
  limit: number,
): Promise<Memory[]> {
  if (hits.length === 0) return [];
  const externalIds = hits.map(({ externalId }) => externalId);
  const rows = await knownInScope(sql, { ...visible(system, scope, readable), externalIds });
  const byTheirs = new Map(rows.map((row) => [row.external_id, row]));
  const found = new Map<string, Memory>();
  for (const hit of hits.toSorted((a, b) => b.score - a.score)) {
    const row = byTheirs.get(hit.externalId);
    if (!row || found.has(row.id)) continue;
    found.set(row.id, {
      id: row.id,
      content: hit.content,
      score: Math.min(1, Math.max(0, hit.score)),
      namespace: scope.sandboxId === null ? row.namespace : 'sandbox',
      speakerRef: row.speaker_ref,
      source: null,
      createdAt: row.created_at,
    });
  }
  return [...found.values()].slice(0, limit);
}

/** Forgets the mapping of a sandbox after the other side forgot its memories; how many of ours it held. */
export async function forget(sql: Sql, system: string, avatarId: string, sandboxId: string): Promise<number> {
  const rows = await forgetScope(sql, { avatarId, system, sandboxId });
  return new Set(rows.map(({ id }) => id)).size;
}
