/**
 * Memory in conversation: what an avatar recalls before it answers; what it keeps is `stated-fact.service.ts`. It never fails a
 * reply: a memory system that is down is logged, and the avatar answers without it.
 */

import type { Tx } from '../../kernel/database.ts';
import type { BrainAccess, BrainNeeds } from './brain.access.ts';
import { knowledgePassages } from './memory/knowledge.queries.ts';
import { narrowed, readableNamespaces } from './memory/memory.access.ts';
import { listMemories } from './memory/memory.repository.ts';
import type { BrainSystem, Memory, Readable } from './memory/memory-system.port.ts';
import type { MemoryPort, Question, RecalledContext } from './memory.port.ts';
import { StatedFacts, speakerRefOf } from './stated-fact.service.ts';

/** How much is asked for; the prompt keeps what fits its budget of tokens, best first (src/persona/budget.ts). */
const KNOWLEDGE = 8;
/**
 * Who learnt no more passages than these knows them all: "how do I do that?" and questions in other words than the page's
 * share none with it.
 */
const KNOWN_WHOLE = 16;
const MEMORIES = 12;
/** The newest of the speaker's own, whether or not they match: an answer to "what do you know about me?". */
const NEWEST_OWN = 12;
/** How long a reply waits for an external memory system; then it goes on without. */
const EXTERNAL_PATIENCE_MS = 2_000;

export class BrainChat implements MemoryPort {
  readonly #p: BrainNeeds;
  readonly #access: BrainAccess;
  readonly #facts: StatedFacts;

  constructor(needs: BrainNeeds, access: BrainAccess) {
    this.#p = needs;
    this.#access = access;
    this.#facts = new StatedFacts(needs, access);
  }

  /** Knowledge, public memory and the speaker's slice, as far as they bear on what was said. Never throws. */
  async recall(question: Question): Promise<RecalledContext> {
    const { avatarId, text } = question;
    const ref = speakerRefOf(question);
    const sql = this.#p.db;
    const signal = AbortSignal.timeout(EXTERNAL_PATIENCE_MS);
    const find = (system: BrainSystem, part: Readable, limit: number): Promise<Memory[]> =>
      system.recall(sql, { avatarId, sandboxId: null, query: text, limit, readable: part, signal });
    const readable = readableNamespaces({ kind: 'reply', speakerRef: ref });
    const knowledgeOnly = narrowed(readable, { shared: ['knowledge'], speakers: false });
    const withoutKnowledge = narrowed(readable, { shared: ['public', 'private'], speakers: true });
    const ownOnly = narrowed(readable, { shared: [], speakers: true });
    const { managed } = this.#access;
    const chosen = this.#access.systemOf(avatarId);
    // Nearly every avatar's memory is the managed one: it is asked beside the look at which it is, not after it.
    const ofManaged = find(managed, withoutKnowledge, MEMORIES);
    const newest = listMemories(sql, {
      avatarId,
      sandboxId: null,
      readable: ownOnly,
      ...{ above: null, below: null, descending: true, limit: NEWEST_OWN },
    });
    const oldest = { above: null, below: null, descending: false, limit: KNOWN_WHOLE + 1 };
    const learnt = knowledgePassages(sql, { avatarId, source: null, search: null, ...oldest });
    for (const begun of [chosen, ofManaged, newest, learnt]) begun.catch(() => {});
    const [knowledge, all, memories, own] = await Promise.all([
      this.#orNone(avatarId, () => find(managed, knowledgeOnly, KNOWLEDGE)),
      this.#orNone(avatarId, () => learnt),
      this.#orNone(avatarId, async () => {
        const system = await chosen;
        return system === managed ? ofManaged : find(system, withoutKnowledge, MEMORIES);
      }),
      this.#orNone(avatarId, async () =>
        (await chosen) === managed ? (await newest).map(({ memory }) => memory) : [],
      ),
    ]);
    const seen = new Set([...knowledge, ...memories].map(({ id }) => id));
    const rest = all.length > KNOWN_WHOLE ? [] : all.filter(({ id }) => !seen.has(id));
    return {
      // Knowledge without a page is the persona, which every prompt holds already.
      knowledge: [...knowledge, ...rest].flatMap(({ content, source }) => (source ? [{ text: content, source }] : [])),
      memories: [...memories, ...own.filter(({ id }) => !seen.has(id))].map(({ content }) => ({ text: content })),
    };
  }

  remember(injectionId: string): Promise<void> {
    return this.#facts.remember(injectionId);
  }

  forget(tx: Tx, injectionIds: readonly string[]): Promise<void> {
    return this.#facts.forget(tx, injectionIds);
  }

  retryPending(): Promise<number> {
    return this.#facts.retryPending();
  }

  async #orNone<Found>(avatarId: string, read: () => Promise<Found[]>): Promise<Found[]> {
    try {
      return await read();
    } catch (error) {
      this.#p.log.warn({ err: error, avatarId }, 'recall incomplete');
      return [];
    }
  }
}
