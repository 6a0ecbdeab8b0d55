/**
 * What live viewers were let in by, and the taking back of it. A revocation arrives as a hint and is checked in the
 * tables; a sweep over everything held makes up for a lost hint and notices sessions that ran out. So a revocation
 * holds in every process within two seconds.
 */
import type { Principal } from '../../auth/principal.ts';
import { PlatformError } from '../../kernel/errors.ts';
import type { Platform } from '../platform.ts';

/** Half of the time within which a revoked viewer must be gone. */
export const GUARD_SWEEP_MS = 1_000;

export interface Held {
  revoked(): void;
  /** Lets in once more with all that the viewer brought, and returns the new grounds; throws when refused. */
  again?(): Promise<string[]>;
  /** Those who brought the same are asked for once. */
  as?: string;
}

interface Guarded extends Held {
  grounds: string[];
}

export interface LiveGuardPorts extends Pick<Platform, 'db' | 'clock' | 'hints'> {
  every(ms: number, tick: () => void): () => void;
  onError(error: unknown): void;
}

/** The key of a credential; undefined for a person of an external issuer, whose token we cannot look up. */
export function credentialKey(principal: Principal): string | undefined {
  return principal.credentialId.includes(' ') ? undefined : `credential ${principal.credentialId}`;
}

const LAPSED = `select k.kind || ' ' || k.id as key from unnest($1::text[], $2::text[]) as k (kind, id)
  where not case k.kind
    when 'link' then exists (select 1 from access_link l where l.id = k.id and l.revoked_at is null)
    when 'public' then exists (select 1 from conversation c where c.id = k.id and c.is_public)
    else exists (select 1 from session s where s.id = k.id and s.revoked_at is null and s.expires_at > $3)
      or exists (select 1 from api_key a where a.id = k.id and a.revoked_at is null)
  end`;

export class LiveGuards {
  readonly #ports: LiveGuardPorts;
  /** By key; keys are what the hint `revoked` carries: "credential id", "link id", "public conversationId". */
  readonly #held = new Map<string, Set<Guarded>>();
  readonly #stopListening: (() => void)[];
  #stopSweeping: (() => void) | undefined;
  #isSweeping = false;

  constructor(ports: LiveGuardPorts) {
    this.#ports = ports;
    this.#stopListening = [
      ports.hints.on('revoked', (key) => {
        if (this.#held.has(key)) void this.#check([key]);
      }),
      ports.hints.onReconnect(() => void this.sweep()),
    ];
  }

  /** Watches over the grounds of a viewer until the returned function is called, or it was revoked. */
  hold(grounds: string[], held: Held): () => void {
    const guarded = { ...held, grounds };
    this.#add(guarded);
    return () => this.#remove(guarded);
  }

  /** Checks everything that is held, in one query. */
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

  /** Never rejects: what could not be checked is checked by the next sweep. */
  async #check(keys: string[]): Promise<void> {
    if (keys.length === 0) return;
    try {
      const split = keys.map((key) => key.split(' ') as [string, string]);
      const lapsed = await this.#ports.db.rows<{ key: string }>(LAPSED, [
        split.map(([kind]) => kind),
        split.map(([, id]) => id),
        this.#ports.clock.now(),
      ]);
      for (const { key } of lapsed) await this.#lapse(key);
    } catch (error) {
      this.#ports.onError(error);
    }
  }

  /** One ground is gone: whoever has another stays. */
  async #lapse(key: string): Promise<void> {
    const answers = new Map<string | undefined, Promise<string[] | undefined>>();
    for (const guarded of [...(this.#held.get(key) ?? [])]) {
      if (!answers.has(guarded.as) || guarded.as === undefined) answers.set(guarded.as, this.#askAgain(guarded));
      const grounds = await answers.get(guarded.as);
      if (!this.#held.get(key)?.has(guarded)) continue;
      this.#remove(guarded);
      if (!grounds || grounds.includes(key)) guarded.revoked();
      else {
        guarded.grounds = grounds;
        this.#add(guarded);
      }
    }
  }

  async #askAgain(guarded: Guarded): Promise<string[] | undefined> {
    if (!guarded.again) return undefined;
    try {
      return await guarded.again();
    } catch (error) {
      if (error instanceof PlatformError) return undefined;
      throw error;
    }
  }

  #add(guarded: Guarded): void {
    for (const key of guarded.grounds) {
      const fellows = this.#held.get(key);
      if (fellows) fellows.add(guarded);
      else this.#held.set(key, new Set([guarded]));
    }
    if (this.#held.size > 0) this.#stopSweeping ??= this.#ports.every(GUARD_SWEEP_MS, () => void this.sweep());
  }

  #remove(guarded: Guarded): void {
    for (const key of guarded.grounds) {
      const fellows = this.#held.get(key);
      fellows?.delete(guarded);
      if (fellows?.size === 0) this.#held.delete(key);
    }
    if (this.#held.size > 0) return;
    this.#stopSweeping?.();
    this.#stopSweeping = undefined;
  }
}
