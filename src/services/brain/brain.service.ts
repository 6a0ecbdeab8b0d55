/**
 * The memory endpoints and what owners do to memories: save, recall, ask, reset; list, correct,
 * forget, and choose the system that keeps them. Who may read what is `memory/memory.access.ts`.
 */

import type { Avatar } from '../../../schema/avatar.ts';
import type { BrainAnswer, RecalledMemories, ResetSandbox, SavedMemory, StoredMemory } from '../../../schema/brain.ts';
import { BrainEntryEntity } from '../../../schema/entities/brain.ts';
import type { MemorySystemInput, QueryBrainInput, RecallInput, SaveMemoryInput } from '../../../schema/inputs/brain.ts';
import type { Principal } from '../../auth/principal.ts';
import type { Tx } from '../../kernel/database.ts';
import { badInput, PlatformError, refusedInput } from '../../kernel/errors.ts';
import { type Connection, type Keyset, type Listing, type PageRequest, readPage } from '../../kernel/keyset.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { upstreamFailure } from '../../kernel/remote-calls.ts';
import { disclosable } from '../../text/confidential.ts';
import { keepResult } from '../accounts/idempotency.service.ts';
import { checkQuota, takeOne } from '../accounts/quota.service.ts';
import { avatars, showAvatar } from '../avatars/avatar.repository.ts';
import { BrainAccess, type BrainNeeds, type OpenBrain } from './brain.access.ts';
import { holdAvatar } from './brain.queries.ts';
import { citedPrompt, readCited } from './memory/cited-answer.rules.ts';
import { readableNamespaces, storedSpeakerRef } from './memory/memory.access.ts';
import { listMemories, readMemory, removeMemory, updateMemory } from './memory/memory.repository.ts';
import type { Memory, SaveInput } from './memory/memory-system.port.ts';
import { answer as extract, NO_ANSWER } from './memory/quoted-answer.rules.ts';

/** Memories an answer of `brain/query` is made from. */
const QUERY_MEMORIES = 12;
const CHAT_TIMEOUT_MS = 60_000;

/** Newest first. */
const MEMORIES: Listing<{ seq: number }> = {
  name: 'StoredMemory',
  order: 'desc',
  keyOf: ({ seq }) => String(seq),
  key: /^\d{1,9}$/,
};

export class Brain {
  readonly #p: BrainNeeds;
  readonly #access: BrainAccess;

  constructor(needs: BrainNeeds, access: BrainAccess) {
    this.#p = needs;
    this.#access = access;
  }

  /** Remembers a text. 502 when an external system does not take it; then nothing is kept anywhere. */
  async save(principal: Principal, input: SaveMemoryInput): Promise<SavedMemory> {
    const brain = await this.#access.open(principal, input.avatarId);
    const { content, sandboxId = null } = input;
    const memory = {
      ...brain.scope(sandboxId),
      content,
      ...placeOf(brain, principal, input),
      savedBy: principal.userId,
    };
    const show = ({ id }: { id: string }): SavedMemory => ({ ok: true, id, system: brain.system.name, sandboxId });
    return show(await this.#keep(brain, principal, memory, (tx, kept) => keepResult(tx, principal, show(kept))));
  }

  /**
   * Counted for who saves it. What an external system takes cannot be rolled back: one is counted before it is asked, and
   * released once it is counted as what it kept, so that no burst outruns the quota.
   */
  async #keep(
    { system, avatarId }: OpenBrain,
    { userId, keyed }: Principal,
    memory: SaveInput,
    note: (tx: Tx, kept: { id: string }) => void,
  ): Promise<{ id: string }> {
    const { db, config } = this.#p;
    if (system !== this.#access.managed) {
      const release = await takeOne(db, config, userId, 'memories');
      return system.save(db, memory).finally(release);
    }
    // What a key notes belongs to the same transaction.
    const saved = keyed ? undefined : await this.#access.managed.saveAlone(db, memory, config.QUOTAS.memories);
    if (saved) return saved;
    return db.transaction(async (tx) => {
      // Sent together, run one after the other: the avatar is held first, since memories of one that was deleted meanwhile
      // would stay for good, and what is kept is counted before it is looked at.
      const [[held], kept] = await Promise.all([
        holdAvatar(tx, { id: avatarId }),
        system.save(tx, memory),
        checkQuota(tx, config, userId, 'memories'),
      ]);
      if (!held) throw new PlatformError('NOT_FOUND', 'Avatar not found.');
      note(tx, kept);
      return kept;
    });
  }

  async recall(principal: Principal, avatarId: string, input: RecallInput): Promise<RecalledMemories> {
    const brain = await this.#access.open(principal, avatarId);
    const { limit, speakerRef = null } = input;
    const memories = await this.#find(brain, input, limit ?? LIMITS.recallDefault, speakerRef);
    return { memories, system: brain.system.name };
  }

  /** An answer that cites what it rests on. 400 on an external system, 502 when the language model fails. */
  async query(principal: Principal, avatarId: string, input: QueryBrainInput): Promise<BrainAnswer> {
    const brain = await this.#access.open(principal, avatarId);
    if (!brain.system.supportsQuery) {
      throw refusedInput('avatarId', `query works on the managed memory system only, not on ${brain.system.name}.`);
    }
    const found = await this.#find(brain, input, QUERY_MEMORIES, null);
    const memories = quotable(found, brain.personalityPrompt);
    if (memories.length === 0) return { answer: NO_ANSWER, citations: [] };
    return this.#p.engines.chatIsEmbedded ? extract(input.query, memories) : this.#ask(input.query, memories);
  }

  /** Forgets a sandbox, in the chosen system and in the managed one, where it may be from before the choice. */
  async resetSandbox(principal: Principal, avatarId: string, sandboxId: string): Promise<ResetSandbox> {
    const { system } = await this.#access.openOwn(principal, avatarId);
    const systems = system === this.#access.managed ? [system] : [system, this.#access.managed];
    let deleted = 0;
    for (const each of systems) deleted += await each.deleteSandbox(this.#p.db, { avatarId, sandboxId });
    return { ok: true, sandboxId, deleted };
  }

  /** The owner's memories, newest first. */
  async list(
    principal: Principal,
    avatarId: string,
    { sandboxId = null, withKnowledge, ...page }: PageRequest & { sandboxId?: string | null; withKnowledge: boolean },
  ): Promise<Connection<StoredMemory>> {
    const brain = await this.#ownManaged(principal, avatarId);
    const scope = { avatarId, sandboxId, readable: readableNamespaces(brain.reader()), withKnowledge };
    const read = (keyset: Keyset) => listMemories(this.#p.db, { ...scope, ...keyset });
    return readPage(page, MEMORIES, read, ({ memory }) => memory);
  }

  /** One memory of an own avatar; else 404, as where another system keeps the avatar's memories by now. */
  async read(principal: Principal, memoryId: string): Promise<StoredMemory> {
    const entry = await this.#p.db.em().findOne(BrainEntryEntity, { id: memoryId }, { populate: ['brain'] });
    const brain = entry && (await this.#access.openOwn(principal, entry.brain.$.avatarId));
    if (brain?.system !== this.#access.managed) throw new PlatformError('NOT_FOUND', 'No such memory.');
    return readMemory(this.#p.db, brain.avatarId, memoryId);
  }

  async correct(principal: Principal, avatarId: string, memoryId: string, content: string): Promise<StoredMemory> {
    await this.#ownManaged(principal, avatarId);
    return updateMemory(this.#p.db, avatarId, memoryId, content);
  }

  async forget(principal: Principal, avatarId: string, memoryId: string): Promise<void> {
    await this.#ownManaged(principal, avatarId);
    await removeMemory(this.#p.db, avatarId, memoryId);
  }

  /** Like `select`, with an input that has a field for each system. */
  async setSystem(principal: Principal, avatarId: string, system: MemorySystemInput): Promise<Avatar> {
    const { managed, mem0, supermemory } = system;
    if (managed === false) throw badInput('system.managed', 'must be true.');
    const name = mem0 ? 'mem0' : supermemory ? 'supermemory' : 'managed';
    return this.select(principal, avatarId, name, mem0 ?? supermemory ?? {});
  }

  /** The owner's choice of a system. What another one keeps stays there, and is found again by choosing it again. */
  async select(
    principal: Principal,
    avatarId: string,
    system: string,
    settings: { baseUrl?: string | null; apiKey?: string | null },
  ): Promise<Avatar> {
    const sealed = this.#access.seal(avatarId, system, settings);
    return this.#p.db.transaction(async (tx) => {
      const avatar = await avatars(tx.em).owned(avatarId, principal.userId);
      tx.em.assign(avatar, { brainSystem: system, brainSettings: sealed, updatedAt: this.#p.clock.now() });
      const about = { userId: principal.userId, subject: avatarId, detail: system };
      this.#p.audit.record(tx, principal, 'memory_system_selected', about);
      return showAvatar(avatar);
    });
  }

  async #ownManaged(principal: Principal, avatarId: string): Promise<OpenBrain> {
    const brain = await this.#access.openOwn(principal, avatarId);
    if (brain.system !== this.#access.managed) {
      throw refusedInput('avatarId', `The memories of this avatar are kept by ${brain.system.name}.`);
    }
    return brain;
  }

  #find(brain: OpenBrain, input: QueryBrainInput, limit: number, speakerRef: string | null): Promise<Memory[]> {
    return brain.system.recall(this.#p.db, {
      ...brain.scope(input.sandboxId ?? null),
      query: input.query,
      limit,
      readable: readableNamespaces(brain.reader(speakerRef)),
    });
  }

  async #ask(query: string, memories: Memory[]): Promise<BrainAnswer> {
    const { system, user } = citedPrompt(query, memories);
    try {
      const { content } = await this.#p.engines.chat.doGenerate({
        prompt: [
          { role: 'system', content: system },
          { role: 'user', content: [{ type: 'text', text: user }] },
        ],
        abortSignal: AbortSignal.timeout(CHAT_TIMEOUT_MS),
      });
      const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('');
      return readCited(text, memories);
    } catch (cause) {
      throw upstreamFailure('The language model could not be asked.', cause);
    }
  }
}

/** The memories without what they, or the persona, forbid to disclose: an answer quotes them to any caller. */
function quotable(memories: Memory[], personalityPrompt: string | null): Memory[] {
  const texts = [
    { text: personalityPrompt ?? '', rules: true },
    ...memories.map(({ content, namespace }) => ({ text: content, rules: namespace !== 'knowledge' })),
  ];
  const [, ...open] = disclosable(texts);
  return memories.map((memory, i) => ({ ...memory, content: open[i] ?? '' })).filter(({ content }) => content !== '');
}

/**
 * Where a memory goes. What someone else saves goes to slices of their own, also without `speakerRef`: else any
 * non-owner could put words into a public avatar's replies to everyone.
 */
function placeOf(
  brain: OpenBrain,
  principal: Principal,
  { speakerRef: ref = null, namespace }: SaveMemoryInput,
): Pick<SaveInput, 'namespace' | 'speakerRef'> {
  if (namespace && ref !== null) throw badInput('namespace', 'cannot be combined with speakerRef.');
  if (brain.isOwner) return ref === null ? { namespace: namespace ?? 'public' } : { speakerRef: ref };
  if (namespace) throw new PlatformError('FORBIDDEN', 'Only the owner chooses the namespace of a memory.');
  return { speakerRef: storedSpeakerRef({ kind: 'other', callerId: principal.userId }, ref ?? '') };
}
