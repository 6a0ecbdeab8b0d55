/**
 * Revoking the access of live viewers. A revocation arrives as a notification and is checked in the tables. A sweep over all
 * watched grants makes up for lost notifications and notices expired sessions. So every process ends a revoked viewer
 * within two seconds.
 */
import type { Principal } from '../../auth/principal.ts';
import { PlatformError } from '../../kernel/errors.ts';
import type { Platform } from '../platform/platform.port.ts';
import { lapsedGrants } from './live.queries.ts';

/** Half of the time within which a revoked viewer must be gone. */
const REVOCATION_SWEEP_MS = 1_000;

/** What lets a viewer watch, and what happens when it is revoked. */
export interface RevocationWatch {
  revoked(): void;
  /** Authorizes the viewer again with everything it brought; returns the new access grants, throws when refused. */
  again?(): Promise<string[]>;
  /** Viewers with the same key brought the same, and are authorized again together. */
  as?: string;
}

interface HeldAccess extends RevocationWatch {
  accessGrants: string[];
}

/** What revocation is learnt from. */
export interface LiveRevocationPorts extends Pick<Platform, 'db' | 'clock' | 'notifier'> {
  every(ms: number, tick: () => void): () => void;
  onError(error: unknown): void;
}

/** The key of a credential; undefined for a person of an external issuer, whose token we cannot look up. */
export function credentialKey(principal: Principal): string | undefined {
  return principal.credentialId.includes(' ') ? undefined : `credential ${principal.credentialId}`;
}

/** Ends viewers whose access was revoked: at once by notification, within a second by a sweep. */
export class LiveRevocation {
  readonly #ports: LiveRevocationPorts;
  /** By key; keys are what the notification `revoked` carries: "credential id", "link id", "public conversationId", "visitor id". */
  readonly #held = new Map<string, Set<HeldAccess>>();
  readonly #stopListening: (() => void)[];
  #stopSweeping: (() => void) | undefined;
  #isSweeping = false;

  constructor(ports: LiveRevocationPorts) {
    this.#ports = ports;
    this.#stopListening = [
      ports.notifier.on('revoked', (key) => {
        if (this.#held.has(key)) void this.#check([key]);
      }),
      ports.notifier.onReconnect(() => void this.sweep()),
    ];
  }

  /** Watches over the access grants of a viewer until the returned function is called, or it was revoked. */
  hold(accessGrants: string[], held: RevocationWatch): () => void {
    const access = { ...held, accessGrants };
    this.#add(access);
    return () => this.#remove(access);
  }

  /** Checks all watched grants in one query. */
  async sweep(): Promise<void> {
    if (this.#isSweeping) return;
    this.#isSweeping = true;
    await this.#check([...this.#held.keys()]);
    this.#isSweeping = false;
  }

  close(): void {
    for (const stop of this.#stopListening) stop();
    this.#stopSweeping?.();
  }

  /** Never rejects: the next sweep repeats what failed. */
  async #check(keys: string[]): Promise<void> {
    if (keys.length === 0) return;
    try {
      const split = keys.map((key) => key.split(' ') as [string, string]);
      const lapsed = await lapsedGrants(this.#ports.db, {
        kinds: split.map(([kind]) => kind),
        ids: split.map(([, id]) => id),
        nowMs: this.#ports.clock.now(),
      });
      for (const { kind, id } of lapsed) await this.#lapse(`${kind} ${id}`);
    } catch (error) {
      this.#ports.onError(error);
    }
  }

  /** One grant is gone: viewers that have another stay. */
  async #lapse(key: string): Promise<void> {
    const answers = new Map<string | undefined, Promise<string[] | undefined>>();
    for (const access of [...(this.#held.get(key) ?? [])]) {
      if (!answers.has(access.as) || access.as === undefined) answers.set(access.as, this.#askAgain(access));
      const accessGrants = await answers.get(access.as);
      if (!this.#held.get(key)?.has(access)) continue;
      this.#remove(access);
      if (!accessGrants || accessGrants.includes(key)) access.revoked();
      else {
        access.accessGrants = accessGrants;
        this.#add(access);
      }
    }
  }

  async #askAgain(access: HeldAccess): Promise<string[] | undefined> {
    if (!access.again) return undefined;
    try {
      return await access.again();
    } catch (error) {
      if (error instanceof PlatformError) return undefined;
      throw error;
    }
  }

  #add(access: HeldAccess): void {
    for (const key of access.accessGrants) {
      const accesses = this.#held.get(key);
      if (accesses) accesses.add(access);
      else this.#held.set(key, new Set([access]));
    }
    if (this.#held.size > 0) this.#stopSweeping ??= this.#ports.every(REVOCATION_SWEEP_MS, () => void this.sweep());
  }

  #remove(access: HeldAccess): void {
    for (const key of access.accessGrants) {
      const accesses = this.#held.get(key);
      accesses?.delete(access);
      if (accesses?.size === 0) this.#held.delete(key);
    }
    if (this.#held.size > 0) return;
    this.#stopSweeping?.();
    this.#stopSweeping = undefined;
  }
}
