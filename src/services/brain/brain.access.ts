/**
 * The way to an avatar's memories: which system keeps them, and as what kind of reader a caller comes. It reads
 * no memory itself; credentials of an external system leave this file only inside the system that uses them.
 */
import type { Principal } from '../../auth/principal.ts';
import { PlatformError } from '../../kernel/errors.ts';
import type { GuardedFetch } from '../../storage/guarded-client.ts';
import type { Platform } from '../platform/platform.port.ts';
import { brainOf } from './brain.queries.ts';
import type { Fetch } from './memory/external.client.ts';
import type { Graph } from './memory/graph.service.ts';
import { createManagedBrain, type ManagedBrain } from './memory/managed-memory.service.ts';
import { type Reader, storedSandboxId } from './memory/memory.access.ts';
import type { BrainSystem, MemoryScope } from './memory/memory-system.port.ts';
import { externalSettings, MANAGED, openExternal, sealSettings } from './memory/memory-system.service.ts';
import { createQuestions } from './memory/question-vector.service.ts';

type AvatarRow = Awaited<ReturnType<typeof brainOf>>[number];

/** An avatar's memory, opened for one caller. */
export interface OpenBrain {
  avatarId: string;
  isOwner: boolean;
  /** Its personality as its owner wrote it, also what it must not disclose. */
  personalityPrompt: string | null;
  system: BrainSystem;
  /** The caller as a reader, who may name a speaker. */
  reader(speakerRef?: string | null): Reader;
  /** The brain that the caller means by a sandbox's name: one of their own; null is the avatar's own brain. */
  scope(sandboxId: string | null): MemoryScope;
}

/** The ports that reaching a brain needs. */
export interface BrainNeeds extends Pick<Platform, 'db' | 'clock' | 'config' | 'log' | 'engines' | 'audit' | 'remote'> {
  /** Seals credentials: the instance's encryption secret. */
  masterKey: string;
  guardedFetch: GuardedFetch;
  /** What finds memories by meaning, where there is a model. */
  graph: Graph | null;
}

export class BrainAccess {
  readonly #p: BrainNeeds;
  readonly managed: ManagedBrain;
  readonly #fetch: Fetch;

  constructor(needs: BrainNeeds) {
    this.#p = needs;
    this.#fetch = (url, init) => {
      // An answer of any status is an answer; what counts is silence.
      const to = { service: 'memory', address: new URL(url).origin, isNoAnswer: () => true } as const;
      return needs.remote.call(to, init.signal ?? undefined, (signal) => needs.guardedFetch(url, { ...init, signal }));
    };
    const now = () => needs.clock.now();
    const { graph, engines } = needs;
    const { embedding: model } = engines;
    const onFailure = (error: unknown) => needs.log.warn({ err: error }, 'embedding model unavailable');
    this.managed = createManagedBrain({
      now,
      ...(model ? { questions: createQuestions({ model, now, onFailure }) } : {}),
      ...(graph ? { near: (which) => graph.near(which) } : {}),
    });
  }

  /** 404 for an unknown avatar, 403 for someone else's that is not publicly renderable. */
  async open(principal: Principal, avatarId: string): Promise<OpenBrain> {
    const row = await this.#row(avatarId);
    if (!row) throw new PlatformError('NOT_FOUND', 'Avatar not found.');
    const callerId = principal.userId;
    const isOwner = row.ownerUserId === callerId;
    if (!isOwner && !row.publiclyRenderable) {
      throw new PlatformError('FORBIDDEN', 'This avatar is not publicly renderable.');
    }
    const reader = (speakerRef: string | null = null) =>
      isOwner ? ({ kind: 'owner', speakerRef } as const) : ({ kind: 'other', callerId, speakerRef } as const);
    return {
      avatarId,
      isOwner,
      personalityPrompt: row.personalityPrompt,
      system: this.#systemOf(row),
      reader,
      scope: (sandboxId) => ({ avatarId, sandboxId: storedSandboxId(reader(), sandboxId) }),
    };
  }

  /** The same for what only the owner does: 404 for everyone else. */
  async openOwn(principal: Principal, avatarId: string): Promise<OpenBrain> {
    const row = await this.#row(avatarId);
    if (row?.ownerUserId !== principal.userId) throw new PlatformError('NOT_FOUND', 'Avatar not found.');
    return this.open(principal, avatarId);
  }

  /** The system of an avatar for what the platform does itself, as when a reply is written. */
  async systemOf(avatarId: string): Promise<BrainSystem> {
    const row = await this.#row(avatarId);
    return row ? this.#systemOf(row) : this.managed;
  }

  /** Checks a choice of `selectBrainSystem` and seals it; null settings are the managed system's. */
  seal(avatarId: string, system: string, given: { baseUrl?: string | null; apiKey?: string | null }): string | null {
    if (system === MANAGED) return null;
    return sealSettings(this.#p.masterKey, avatarId, externalSettings(system, given));
  }

  #systemOf(row: AvatarRow): BrainSystem {
    if (row.brainSystem === MANAGED || row.brainSettings === null) return this.managed;
    const { masterKey, remote } = this.#p;
    // A caller waits for it, so an external system that is slower has failed.
    const options = { masterKey, avatarId: row.id, fetch: this.#fetch, timeoutMs: remote.longestMs('memory') };
    try {
      return openExternal(row.brainSystem, row.brainSettings, options);
    } catch (cause) {
      throw new PlatformError('UPSTREAM_FAILED', `The settings of ${row.brainSystem} cannot be read.`, { cause });
    }
  }

  async #row(avatarId: string): Promise<AvatarRow | undefined> {
    const [row] = await brainOf(this.#p.db, { id: avatarId });
    return row;
  }
}
