/**
 * What speakers state about themselves in conversation ("my name is ...") is remembered for them alone. A memory system
 * that is down delays it and loses nothing: the injection is noted, and tried again in the order of what was said. It
 * never fails a reply.
 */

import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts';
import type { Tx } from '../../kernel/database.ts';
import { sha256 } from '../../kernel/ids.ts';
import { asSpeakerSaid, type FactKind, type StatedFact, statedFacts } from '../../persona/stated-facts.ts';
import { hasRoom } from '../accounts/quota.service.ts';
import type { BrainAccess, BrainNeeds } from './brain.access.ts';
import { storedSpeakerRef } from './memory/memory.access.ts';
import { removeMemory, updateMemory } from './memory/memory.repository.ts';
import type { BrainSystem, Readable, SaveInput, Sql } from './memory/memory-system.port.ts';
import {
  delayAvatar,
  forgetExternal,
  forgetPending,
  markRemembered,
  notePending,
  otherPending,
  rememberedIn,
  statedEntries,
  statedIn,
  takeDue,
} from './stated-fact.queries.ts';

/** How many memories like a stated fact are compared with it. */
const ALIKE = 20;
/** Waits between attempts, doubled each time. */
const FIRST_WAIT_MS = SECOND_MS;
const LONGEST_WAIT_MS = 10 * MINUTE_MS;
/** A system that stays away for longer is gone. */
const KEPT_MS = 30 * DAY_MS;
/** Longer than an attempt may take: what a dead worker had is tried again after it. */
const TAKEN_MS = 2 * MINUTE_MS;
const ROUND_MS = 2 * SECOND_MS;
/** How long a reply waits until its facts are kept by an external system; then they are kept later. */
const EXTERNAL_PATIENCE_MS = 2 * SECOND_MS;

/** Kinds of fact that have one value at a time: a new statement corrects the old one. */
const SINGLE: ReadonlySet<FactKind> = new Set(['name', 'age', 'home', 'birthday', 'favourite']);

/** Who speaks: the caller; through an app, the caller as that app knows them; as an avatar, that avatar. */
export interface Speaker {
  userId: string;
  clientId: string | null;
  speakerAvatarId: string | null;
}

/** The slice of a speaker. No other caller can name it, since a non-owner's refs begin with their own id. */
export function speakerRefOf({ userId, clientId, speakerAvatarId }: Speaker): string {
  const label = [clientId, speakerAvatarId].filter(Boolean).join('/');
  return storedSpeakerRef({ kind: 'other', callerId: userId }, label);
}

interface Stated {
  injectionId: string;
  avatarId: string;
  /** The account that speaks. */
  savedBy: string;
  speakerRef: string;
  statedAt: number;
  facts: StatedFact[];
}

type StatedRow = Awaited<ReturnType<typeof statedIn>>[number];
type Waiting = Awaited<ReturnType<typeof takeDue>>[number];

/** Remembers what speakers state about themselves, behind the turn. */
export class StatedFacts {
  readonly #p: BrainNeeds;
  readonly #access: BrainAccess;

  constructor(needs: BrainNeeds, access: BrainAccess) {
    this.#p = needs;
    this.#access = access;
  }

  /** Keeps what the speaker of an injection stated about themself, once; later, where it cannot now. Never throws. */
  async remember(injectionId: string): Promise<void> {
    try {
      const stated = await this.#stated(injectionId);
      if (!stated || stated.facts.length === 0) return;
      try {
        if (await this.#waits(stated)) await this.#note(stated);
        else await this.#keepAll(stated, AbortSignal.timeout(EXTERNAL_PATIENCE_MS));
      } catch (error) {
        this.#p.log.warn({ err: error, injectionId }, 'facts postponed');
        await this.#note(stated);
      }
    } catch (error) {
      this.#p.log.error({ err: error, injectionId }, 'facts not remembered');
    }
  }

  /** Tries again what waits, for a moment; returns how many injections were remembered. Called again and again. */
  async retryPending(): Promise<number> {
    const endMs = this.#p.clock.now() + ROUND_MS;
    let count = 0;
    while (this.#p.clock.now() <= endMs) {
      const nowMs = this.#p.clock.now();
      const [waiting] = await takeDue(this.#p.db, { now: nowMs, takenUntil: nowMs + TAKEN_MS });
      if (!waiting) break;
      if (await this.#tryAgain(waiting)) count += 1;
    }
    return count;
  }

  /**
   * Forgets what was kept of injections: in the managed brain the sentences that they state, in other systems which of
   * theirs is ours, without which nothing that they return is ever shown.
   */
  async forget(tx: Tx, injectionIds: readonly string[]): Promise<void> {
    for (const injectionId of injectionIds) {
      const [row] = await rememberedIn(tx, { injectionId });
      const stated = row && statedOf(injectionId, row);
      if (!stated) continue;
      const { avatarId, speakerRef, facts } = stated;
      const contents = facts.map(({ sentence }) => sentence);
      for (const { id } of await statedEntries(tx, { avatarId, speakerRef, contents })) {
        await removeMemory(tx, avatarId, id);
      }
      await forgetExternal(tx, { avatarId, ids: facts.map((_, i) => externalId(injectionId, i)) });
    }
  }

  async #tryAgain(waiting: Waiting): Promise<boolean> {
    const { injectionId, avatarId, attempts } = waiting;
    const { db, log, clock } = this.#p;
    try {
      const stated = await this.#stated(injectionId);
      if (stated) await this.#keepAll(stated);
    } catch (error) {
      if (clock.now() - waiting.statedAt < KEPT_MS) {
        const until = clock.now() + Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** attempts);
        await delayAvatar(db, { avatarId, injectionId, until });
        return false;
      }
      log.error({ err: error, injectionId, avatarId }, 'facts never remembered');
    }
    await forgetPending(db, { injectionId });
    return true;
  }

  /** Notes that an injection is still to be remembered. */
  async #note({ injectionId, avatarId, speakerRef, statedAt }: Stated): Promise<void> {
    const dueAt = this.#p.clock.now() + FIRST_WAIT_MS;
    await notePending(this.#p.db, { injectionId, avatarId, speakerRef, statedAt, dueAt });
  }

  /** True when something that this speaker stated before still waits: it must be remembered first. */
  async #waits({ injectionId, avatarId, speakerRef }: Stated): Promise<boolean> {
    const rows = await otherPending(this.#p.db, { injectionId, avatarId, speakerRef });
    return rows.length > 0;
  }

  async #stated(injectionId: string): Promise<Stated | undefined> {
    const [row] = await statedIn(this.#p.db, { injectionId });
    return row && statedOf(injectionId, row);
  }

  async #keepAll(stated: Stated, signal?: AbortSignal): Promise<void> {
    const { injectionId, avatarId, facts } = stated;
    const system = await this.#access.systemOf(avatarId);
    if (system === this.#access.managed) await this.#keepManaged(stated);
    else await this.#keepExternal(system, stated, signal);
    this.#p.log.info({ avatarId, injectionId, facts: facts.length }, 'facts remembered');
  }

  /** In one transaction with the mark, which comes first: two attempts at once write once. */
  async #keepManaged(stated: Stated): Promise<void> {
    await this.#p.db.transaction(async (tx) => {
      const marked = await markRemembered(tx, { injectionId: stated.injectionId });
      if (marked.length === 0) return;
      const sql = tx;
      for (const fact of stated.facts) await this.#keep(sql, this.#access.managed, stated, fact);
    });
  }

  /** Marked afterwards: a call that failed is made again. The id is the fact's own, so that it is kept once. */
  async #keepExternal(system: BrainSystem, stated: Stated, signal: AbortSignal | undefined): Promise<void> {
    const { injectionId } = stated;
    for (const [i, fact] of stated.facts.entries()) {
      const id = externalId(injectionId, i);
      await this.#keep(this.#p.db, system, stated, fact, { id, signal });
    }
    await markRemembered(this.#p.db, { injectionId: stated.injectionId });
  }

  async #keep(
    sql: Sql,
    system: BrainSystem,
    stated: Stated,
    fact: StatedFact,
    how: Pick<SaveInput, 'id' | 'signal'> = {},
  ): Promise<void> {
    const { avatarId, speakerRef } = stated;
    const scope = { avatarId, sandboxId: null };
    const readable: Readable = { shared: [], speakers: { refs: [speakerRef] } };
    const search = { ...scope, query: fact.sentence, limit: ALIKE, readable, byWordsAlone: true, signal: how.signal };
    const alike = await system.recall(sql, search);
    if (alike.some(({ content }) => content === fact.sentence)) return;
    const old = alike.find(({ content }) => isCorrectedBy(content, fact));
    if (old && system === this.#access.managed) await updateMemory(sql, avatarId, old.id, fact.sentence);
    else if (await hasRoom(sql, this.#p.config, stated.savedBy, 'memories')) {
      const { savedBy } = stated;
      await system.save(sql, { ...scope, content: fact.sentence, speakerRef, savedBy, ...how });
    }
  }
}

/** What an injection states; undefined where no user speaks to the avatar in it. */
function statedOf(injectionId: string, row: StatedRow): Stated | undefined {
  if (row.request.mode !== 'chat') return undefined;
  const { callerUserId: userId, speakerAvatarId, userText } = row.request;
  return {
    injectionId,
    avatarId: row.avatarId,
    savedBy: userId,
    speakerRef: speakerRefOf({ userId, clientId: row.clientId, speakerAvatarId }),
    statedAt: row.statedAt,
    facts: statedFacts(userText),
  };
}

/** What the n-th fact of an injection is called in an external system: the same however often it is sent. */
const externalId = (injectionId: string, index: number): string =>
  `mem_${sha256(`${injectionId} ${index}`).slice(0, 26)}`;

/** True when a remembered sentence says the same kind of thing, of which there is one, with another value. */
function isCorrectedBy(content: string, fact: StatedFact): boolean {
  if (!SINGLE.has(fact.kind)) return false;
  const said = asSpeakerSaid(content);
  return (said ? statedFacts(said) : []).some(({ kind, about }) => kind === fact.kind && about === fact.about);
}
