/**
 * Adapter to a self-hosted mem0 server. avatar -> agent_id, sandbox -> run_id, namespace or speaker -> user_id; all
 * three are always saved, because mem0 matches what is left out against everything.
 */
import { PlatformError } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
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

const NAME = 'mem0';
/** run_id of an avatar's own brain; no sandbox's stored id begins with a colon. */
const MAIN = ':main';

const runId = (scope: MemoryScope): string => scope.sandboxId ?? MAIN;
/** user_id of a namespace: `*public`, `*private`, or the speakerRef (one that begins with a star gets another). */
const userId = (namespace: string, speakerRef: string | null | undefined): string =>
  speakerRef ? speakerRef.replace(/^\*/, '**') : `*${namespace}`;

/** A mem0 system with an owner's address and key. */
export function createMem0(options: ExternalOptions): BrainSystem {
  const headers: Record<string, string> = options.apiKey ? { 'X-API-Key': options.apiKey } : {};
  const now = options.now ?? Date.now;

  async function save(sql: Sql, input: SaveInput): Promise<{ id: string }> {
    const id = input.id ?? (options.makeId ?? (() => newId('mem')))();
    if (input.id && (await isKept(sql, NAME, input.avatarId, id))) return { id };
    const body = {
      messages: [{ role: 'user', content: input.content }],
      agent_id: input.avatarId,
      run_id: runId(input),
      user_id: userId(input.namespace ?? 'public', input.speakerRef),
      metadata: { memoryId: id },
      infer: false,
    };
    const answer = await call(NAME, options, 'POST', '/memories', headers, body, input);
    const theirs = objects(answer, 'results').flatMap((result) => (typeof result.id === 'string' ? [result.id] : []));
    if (theirs.length === 0) throw new PlatformError('UPSTREAM_FAILED', 'The memory system mem0 kept nothing.');
    await remember(sql, NAME, input, id, theirs, now());
    return { id };
  }

  async function search(input: RecallInput, user?: string): Promise<Hit[]> {
    const filters = {
      agent_id: input.avatarId,
      run_id: runId(input),
      ...(user === undefined ? {} : { user_id: user }),
    };
    const body = { query: input.query, filters, top_k: input.limit, threshold: 0 };
    const answer = await call(NAME, options, 'POST', '/search', headers, body, input);
    return objects(answer, 'results', 'memories').flatMap(({ id, memory, score }) =>
      typeof id === 'string' && typeof memory === 'string'
        ? [{ externalId: id, content: memory, score: typeof score === 'number' ? score : 0 }]
        : [],
    );
  }

  async function recall(sql: Sql, input: RecallInput): Promise<Memory[]> {
    const { readable, limit } = input;
    if (readsEverything(readable)) return ours(sql, NAME, input, readable, await search(input), limit);
    const slices = await readableSlices(sql, NAME, input, readable);
    const users = [
      ...readable.shared.filter((name) => name !== 'knowledge').map((name) => userId(name, null)),
      ...slices.map((ref) => userId('speaker', ref)),
    ];
    const hits = await Promise.all(users.map((user) => search(input, user)));
    return ours(sql, NAME, input, readable, hits.flat(), limit);
  }

  return {
    name: NAME,
    supportsQuery: false,
    save,
    recall,
    async deleteSandbox(sql, { avatarId, sandboxId }) {
      const query = new URLSearchParams({ agent_id: avatarId, run_id: sandboxId });
      await call(NAME, options, 'DELETE', `/memories?${query}`, headers);
      return forget(sql, NAME, avatarId, sandboxId);
    },
  };
}
