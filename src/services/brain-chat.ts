/**
 * Memory in conversation: what an avatar recalls before it answers, and what it keeps of what a speaker stated about
 * themself. It never fails a reply: a memory system that is down is logged, and the avatar answers without it.
 */
import { listMemories, updateMemory } from '../brain/pages.ts';
import type { BrainSystem, Memory, Readable, Sql } from '../brain/ports.ts';
import { inTransaction } from '../brain/transaction.ts';
import { readableNamespaces, storedSpeakerRef } from '../brain/visibility.ts';
import { asSpeakerSaid, type FactKind, type StatedFact, statedFacts } from '../kernel/persona/facts.ts';
import type { BrainAccess, BrainNeeds } from './brain-access.ts';
import type { Mind, Question, Recollection } from './replies.ts';
import type { TurnRequest } from './turn-plan.ts';

/** How much is asked for; the prompt keeps what fits its budget of tokens, best first (kernel/persona/budget.ts). */
const KNOWLEDGE = 8;
const MEMORIES = 12;
/** The newest of the speaker's own, whether or not they match: an answer to "what do you know about me?". */
const NEWEST_OWN = 12;
/** How many memories like a stated fact are compared with it. */
const ALIKE = 20;

/** Kinds of fact that have one value at a time: a new statement corrects the old one. */
const SINGLE: ReadonlySet<FactKind> = new Set(['name', 'age', 'home', 'birthday', 'favourite']);

/** Who speaks: the caller; through an app, the caller as that app knows them; as an avatar, that avatar. */
export interface Speaker {
  userId: string;
  clientId: string | null;
  speakerAvatarId: string | null;
}

/** The slice of a speaker. Nobody else can name it, for a stranger's refs begin with their own id. */
export function speakerRefOf({ userId, clientId, speakerAvatarId }: Speaker): string {
  const label = [clientId, speakerAvatarId].filter(Boolean).join('/');
  return storedSpeakerRef({ kind: 'other', callerId: userId }, label);
}

interface Stated extends Speaker, Record<string, unknown> {
  avatarId: string;
  request: TurnRequest;
}

export class BrainChat implements Mind {
  readonly #p: BrainNeeds;
  readonly #access: BrainAccess;

  constructor(needs: BrainNeeds, access: BrainAccess) {
    this.#p = needs;
    this.#access = access;
  }

  /** Knowledge, public memory and the speaker's slice, as far as they bear on what was said. Never throws. */
  async recollect(question: Question): Promise<Recollection> {
    const { avatarId, text } = question;
    const ref = speakerRefOf(question);
    const sql = this.#p.db.pool;
    const find = (system: BrainSystem, readable: Readable, limit: number): Promise<Memory[]> =>
      system.recall(sql, { avatarId, sandboxId: null, query: text, limit, readable });
    const { speakers } = readableNamespaces({ kind: 'reply', speakerRef: ref });
    const chosen = this.#access.systemOf(avatarId);
    const [knowledge, memories, own] = await Promise.all([
      this.#orNone(avatarId, () =>
        find(this.#access.managed, { shared: ['knowledge'], speakers: { refs: [] } }, KNOWLEDGE),
      ),
      this.#orNone(avatarId, async () => find(await chosen, { shared: ['public'], speakers }, MEMORIES)),
      this.#orNone(avatarId, async () => {
        const page = { avatarId, sandboxId: null, readable: { shared: [], speakers }, first: NEWEST_OWN };
        return (await chosen) === this.#access.managed ? (await listMemories(sql, page)).memories : [];
      }),
    ]);
    const seen = new Set(memories.map(({ id }) => id));
    return {
      // Knowledge without a page is the persona, which every prompt holds already.
      knowledge: knowledge.flatMap(({ content, source }) => (source ? [{ text: content, source }] : [])),
      memories: [...memories, ...own.filter(({ id }) => !seen.has(id))].map(({ content }) => ({ text: content })),
    };
  }

  /** Keeps what the speaker of an injection stated about themself, once. Never throws. */
  async remember(injectionId: string): Promise<void> {
    try {
      const stated = await this.#stated(injectionId);
      const facts = stated ? statedFacts(stated.request.userText) : [];
      if (!stated || facts.length === 0) return;
      const system = await this.#access.systemOf(stated.avatarId);
      if (system === this.#access.managed) await this.#keepManaged(injectionId, stated, facts);
      else await this.#keepExternal(system, injectionId, stated, facts);
      this.#p.log.info({ avatarId: stated.avatarId, injectionId, facts: facts.length }, 'facts remembered');
    } catch (error) {
      this.#p.log.warn({ err: error, injectionId }, 'what a speaker stated could not be remembered');
    }
  }

  async #stated(injectionId: string): Promise<Stated | undefined> {
    const [row] = await this.#p.db.rows<{ avatarId: string; clientId: string | null; request: TurnRequest }>(
      `select c.avatar_id as "avatarId", c.client_id as "clientId", i.request
       from injection i join conversation c on c.id = i.conversation_id where i.id = $1 and not i.remembered`,
      [injectionId],
    );
    if (row?.request.mode !== 'chat') return undefined;
    const { callerUserId: userId, speakerAvatarId } = row.request;
    return { ...row, userId, speakerAvatarId };
  }

  /** In one transaction with the mark, which comes first: two attempts at once write once. */
  async #keepManaged(injectionId: string, stated: Stated, facts: StatedFact[]): Promise<void> {
    await this.#p.db.transaction(async (tx) => {
      const marked = await tx.rows(
        'update injection set remembered = true where id = $1 and not remembered returning id',
        [injectionId],
      );
      if (marked.length === 0) return;
      const sql = inTransaction(tx);
      for (const fact of facts) await this.#keep(sql, this.#access.managed, stated, fact);
    });
  }

  /** Marked afterwards: a call that failed is made again when the injection is. */
  async #keepExternal(system: BrainSystem, injectionId: string, stated: Stated, facts: StatedFact[]): Promise<void> {
    for (const fact of facts) await this.#keep(this.#p.db.pool, system, stated, fact);
    await this.#p.db.rows('update injection set remembered = true where id = $1', [injectionId]);
  }

  async #keep(sql: Sql, system: BrainSystem, stated: Stated, fact: StatedFact): Promise<void> {
    const place = { avatarId: stated.avatarId, sandboxId: null };
    const speakerRef = speakerRefOf(stated);
    const readable: Readable = { shared: [], speakers: { refs: [speakerRef] } };
    const alike = await system.recall(sql, { ...place, query: fact.sentence, limit: ALIKE, readable });
    if (alike.some(({ content }) => content === fact.sentence)) return;
    const old = alike.find(({ content }) => isCorrectedBy(content, fact));
    if (old && system === this.#access.managed) await updateMemory(sql, stated.avatarId, old.id, fact.sentence);
    else await system.save(sql, { ...place, content: fact.sentence, speakerRef });
  }

  async #orNone(avatarId: string, read: () => Promise<Memory[]>): Promise<Memory[]> {
    try {
      return await read();
    } catch (error) {
      this.#p.log.warn({ err: error, avatarId }, 'an avatar answers without a part of its memory');
      return [];
    }
  }
}

/** True when a remembered sentence says the same kind of thing, of which there is one, with another value. */
function isCorrectedBy(content: string, fact: StatedFact): boolean {
  if (!SINGLE.has(fact.kind)) return false;
  const said = asSpeakerSaid(content);
  return (said ? statedFacts(said) : []).some(({ kind, about }) => kind === fact.kind && about === fact.about);
}
