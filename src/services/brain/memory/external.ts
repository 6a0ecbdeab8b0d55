/**
 * What the adapters to external memory systems share: HTTP that fails as a 502, and the table that says which of our
 * memories each of theirs is and who may read it. Whatever a system returns that this table does not know, or that the
 * reader may not see, is dropped: isolation never depends on the other side's filters alone.
 */
import { PlatformError } from '../../../kernel/errors.ts';
import type { Memory, Patience, Place, Readable, SaveInput, Sql } from './ports.ts';

/** `fetch`, or the platform's guarded one: the address is an owner's to choose. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

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
/** Slices of speakers one recall may look into; the newest are taken. */
const MAX_SLICES = 50;

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
  const { rows } = await sql.query({
    name: 'brain_external_kept',
    text: 'SELECT 1 FROM brain_external WHERE avatar_id = $1 AND system = $2 AND id = $3 LIMIT 1',
    values: [avatarId, system, id],
  });
  return rows.length > 0;
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
  await sql.query({
    name: 'brain_external_remember',
    text: `INSERT INTO brain_external
        (avatar_id, system, external_id, id, sandbox_id, namespace, speaker_ref, created_at, saved_by)
      SELECT $1, $2, unnest($3::text[]), $4, $5, $6, $7, $8::bigint, $9
      ON CONFLICT (avatar_id, system, external_id) DO NOTHING`,
    values: [
      input.avatarId,
      system,
      theirs,
      id,
      input.sandboxId ?? '',
      namespace,
      speakerRef,
      nowMs,
      input.savedBy ?? null,
    ],
  });
}

/** SQL for "the reader may see this row", from $4 (namespaces), $5 (refs), $6 (prefix, or '') and $7 (all slices). */
const VISIBLE = `(e.namespace = ANY ($4::text[]) OR (e.namespace = 'speaker'
  AND ($7::boolean OR e.speaker_ref = ANY ($5::text[]) OR ($6::text <> '' AND e.speaker_ref ^@ $6::text))))`;

function visibleValues(system: string, place: Place, { shared, speakers }: Readable): unknown[] {
  const refs = speakers !== 'all' && 'refs' in speakers ? speakers.refs : [];
  const prefix = speakers !== 'all' && 'prefix' in speakers ? speakers.prefix : '';
  return [place.avatarId, system, place.sandboxId ?? '', shared, refs, prefix, speakers === 'all'];
}

/** The speakers whose slices a reader may see in a place, newest first. */
export async function readableSlices(sql: Sql, system: string, place: Place, readable: Readable): Promise<string[]> {
  const { rows } = await sql.query({
    name: 'brain_external_slices',
    text: `SELECT e.speaker_ref FROM brain_external e
      WHERE e.avatar_id = $1 AND e.system = $2 AND e.sandbox_id = $3 AND e.namespace = 'speaker' AND ${VISIBLE}
      GROUP BY e.speaker_ref ORDER BY max(e.created_at) DESC LIMIT ${MAX_SLICES}`,
    values: visibleValues(system, place, readable),
  });
  return rows.map((row) => row.speaker_ref);
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
  place: Place,
  readable: Readable,
  hits: readonly Hit[],
  limit: number,
): Promise<Memory[]> {
  if (hits.length === 0) return [];
  const { rows } = await sql.query({
    name: 'brain_external_ours',
    text: `SELECT e.external_id, e.id, e.namespace, e.speaker_ref, e.created_at FROM brain_external e
      WHERE e.avatar_id = $1 AND e.system = $2 AND e.sandbox_id = $3 AND ${VISIBLE}
        AND e.external_id = ANY ($8::text[])`,
    values: [...visibleValues(system, place, readable), hits.map(({ externalId }) => externalId)],
  });
  const byTheirs = new Map(rows.map((row) => [row.external_id as string, row]));
  const found = new Map<string, Memory>();
  for (const hit of hits.toSorted((a, b) => b.score - a.score)) {
    const row = byTheirs.get(hit.externalId);
    if (!row || found.has(row.id)) continue;
    found.set(row.id, {
      id: row.id,
      content: hit.content,
      score: Math.min(1, Math.max(0, hit.score)),
      namespace: place.sandboxId === null ? row.namespace : 'sandbox',
      speakerRef: row.speaker_ref,
      source: null,
      createdAt: Number(row.created_at),
    });
  }
  return [...found.values()].slice(0, limit);
}

/** Forgets the mapping of a sandbox after the other side forgot its memories; how many of ours it held. */
export async function forget(sql: Sql, system: string, avatarId: string, sandboxId: string): Promise<number> {
  const { rows } = await sql.query({
    name: 'brain_external_forget',
    text: `WITH gone AS (
        DELETE FROM brain_external WHERE avatar_id = $1 AND system = $2 AND sandbox_id = $3 RETURNING id
      ) SELECT count(DISTINCT id)::int AS n FROM gone`,
    values: [avatarId, system, sandboxId],
  });
  return rows[0].n;
}
