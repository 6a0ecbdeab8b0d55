/**
 * Idempotency-Key of charging POSTs: the same request gets the same answer again, another request with the
 * same key is refused, one that is still running is told so. A request that failed is forgotten.
 */
import { DAY_MS, MINUTE_MS } from '../../kernel/clock.ts';
import { PlatformError } from '../../kernel/errors.ts';
import type { Platform } from '../platform.ts';

/** How long an answer is replayed. */
export const REPLAY_MS = DAY_MS;
/** A request that never finished (its process died) no longer blocks its key. */
const IN_FLIGHT_MS = 5 * MINUTE_MS;

interface Remembered extends Record<string, unknown> {
  requestHash: string;
  status: number | null;
  body: Record<string, unknown> | null;
}

export class IdempotencyKeys {
  readonly #p: Pick<Platform, 'db' | 'clock'>;

  constructor(platform: Pick<Platform, 'db' | 'clock'>) {
    this.#p = platform;
  }

  /** The answer to replay, or undefined when the caller shall run the request. Throws 409 in flight, 422 reused. */
  async begin(
    caller: string,
    key: string,
    requestHash: string,
  ): Promise<{ status: number; body: Record<string, unknown> } | undefined> {
    const nowMs = this.#p.clock.now();
    await this.#p.db.rows(
      `delete from idempotency_key where caller = $1 and key = $2
         and (created_at < $3 or status is null and created_at < $4)`,
      [caller, key, nowMs - REPLAY_MS, nowMs - IN_FLIGHT_MS],
    );
    const begun = await this.#p.db.rows(
      `insert into idempotency_key (caller, key, request_hash, created_at) values ($1, $2, $3, $4)
       on conflict (caller, key) do nothing returning key`,
      [caller, key, requestHash, nowMs],
    );
    if (begun.length > 0) return undefined;
    const [known] = await this.#p.db.rows<Remembered>(
      'select request_hash as "requestHash", status, body from idempotency_key where caller = $1 and key = $2',
      [caller, key],
    );
    if (known && known.requestHash !== requestHash) throw new PlatformError('KEY_REUSED');
    if (!known || known.status === null) throw new PlatformError('IN_FLIGHT');
    return { status: known.status, body: known.body ?? {} };
  }

  async finish(caller: string, key: string, answer: { status: number; body: Record<string, unknown> }): Promise<void> {
    await this.#p.db.rows('update idempotency_key set status = $3, body = $4 where caller = $1 and key = $2', [
      caller,
      key,
      answer.status,
      JSON.stringify(answer.body),
    ]);
  }

  async abandon(caller: string, key: string): Promise<void> {
    await this.#p.db.rows('delete from idempotency_key where caller = $1 and key = $2 and status is null', [
      caller,
      key,
    ]);
  }
}
