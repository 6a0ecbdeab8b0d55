/**
 * Adapter to supermemory. One container per avatar and sandbox; the namespace travels as metadata and filters the
 * search. Supermemory indexes in the background: a memory may be found only moments after it was accepted.
 */
import { PlatformError } from '../../../kernel/errors.ts';
import { newId, sha256 } from '../../../kernel/ids.ts';
import {
  call,
  type ExternalOptions,
  forget,
  type Hit,
  isKept,
  objects,
  ours,
  readableSlices,
  remember,
} from './external.client.ts';
import { readsEverything } from './managed-memory.service.ts';
import type { BrainSystem, Memory, MemoryScope, RecallInput, SaveInput, Sql } from './memory-system.port.ts';

const NAME = 'supermemory';

/** Container tags allow 100 characters of [a-zA-Z0-9_:-]; a sandbox id alone may have 64, so the place is hashed. */
const containerTag = ({ avatarId, sandboxId }: MemoryScope): string =>
  `avatar:${sha256(JSON.stringify([avatarId, sandboxId])).slice(0, 40)}`;
const space = (namespace: string, speakerRef?: string | null): string =>
  speakerRef ? `speaker-${sha256(speakerRef).slice(0, 32)}` : namespace;

/** Which of their documents a match came from; versions of their API name it by different fields, looked for in this order. */
function documentOf(result: Record<string, unknown>): string | null {
  const [first] = objects(result, 'documents');
  const { memoryId } = (result.metadata ?? {}) as Record<string, unknown>;
  const id = memoryId ?? first?.customId ?? result.documentId ?? first?.id;
  return typeof id === 'string' ? id : null;
}

/** A supermemory system with an owner's address and key. */
export function createSupermemory(options: ExternalOptions): BrainSystem {
  const headers: Record<string, string> = options.apiKey ? { authorization: `Bearer ${options.apiKey}` } : {};
  const now = options.now ?? Date.now;

  async function save(sql: Sql, input: SaveInput): Promise<{ id: string }> {
    const id = input.id ?? (options.makeId ?? (() => newId('mem')))();
    if (input.id && (await isKept(sql, NAME, input.avatarId, id))) return { id };
    const body = {
      content: input.content,
      containerTag: containerTag(input),
      customId: id,
      metadata: { memoryId: id, space: space(input.namespace ?? 'public', input.speakerRef) },
    };
    const answer = await call(NAME, options, 'POST', '/v3/documents', headers, body, input);
    const theirs = (answer as { id?: unknown } | null)?.id;
    if (typeof theirs !== 'string')
      throw new PlatformError('UPSTREAM_FAILED', 'The memory system supermemory kept nothing.');
    // A match names its document by our id or by theirs, depending on the version that answers: both are kept.
    await remember(sql, NAME, input, id, [id, theirs], now());
    return { id };
  }

  async function recall(sql: Sql, input: RecallInput): Promise<Memory[]> {
    const { readable, limit } = input;
    const body: Record<string, unknown> = {
      q: input.query,
      containerTag: containerTag(input),
      limit,
      threshold: 0,
      searchMode: 'hybrid',
      include: { documents: true },
    };
    if (!readsEverything(readable)) {
      const slices = await readableSlices(sql, NAME, input, readable);
      const spaces = [...readable.shared.map((name) => space(name)), ...slices.map((ref) => space('speaker', ref))];
      body.filters = { OR: spaces.map((value) => ({ key: 'space', value })) };
    }
    const answer = await call(NAME, options, 'POST', '/v4/search', headers, body, input);
    const hits = objects(answer, 'results').flatMap((result): Hit[] => {
      const externalId = documentOf(result);
      const content = [result.memory, result.chunk, result.content].find((text) => typeof text === 'string');
      const score = [result.similarity, result.score].find((value) => typeof value === 'number') ?? 0;
      return externalId && typeof content === 'string' ? [{ externalId, content, score: score as number }] : [];
    });
    return ours(sql, NAME, input, readable, hits, limit);
  }

  return {
    name: NAME,
    supportsQuery: false,
    save,
    recall,
    async deleteSandbox(sql, scope) {
      const body = { containerTags: [containerTag(scope)] };
      await call(NAME, options, 'DELETE', '/v3/documents/bulk', headers, body);
      return forget(sql, NAME, scope.avatarId, scope.sandboxId);
    },
  };
}
