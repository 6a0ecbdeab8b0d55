/** Starts decoders in the strictest way that this machine allows, which is found out with the first one. */
import type { Logger } from 'pino';
import { busy } from '../../kernel/errors.ts';
import { type DecoderChild, startChild } from './child.ts';
import type { Confinement } from './confine.ts';

/** Starts in a row that may fail in the way that has worked before. */
const MAX_START_ATTEMPTS = 3;

export class DecoderStarter {
  /** The way that has worked: nothing laxer is tried later. */
  #proven: Confinement | undefined;
  readonly #confinements: Confinement[];
  readonly #log: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Decoders that took tasks, since the start. */
  started = 0;

  /** @param confinements strictest first */
  constructor(confinements: Confinement[], log: Pick<Logger, 'info' | 'warn' | 'error'>) {
    this.#confinements = confinements;
    this.#log = log;
  }

  /**
   * Resolves to a decoder that takes tasks. Rejects with UNAVAILABLE when none starts, and with the signal's reason once
   * the one that was starting is gone.
   */
  async start(signal: AbortSignal): Promise<DecoderChild> {
    const ways = this.#proven ? Array.from({ length: MAX_START_ATTEMPTS }, () => this.#proven!) : this.#confinements;
    for (const way of ways) {
      const child = await this.#tryStart(way, signal);
      if (child === 'late') break;
      if (child) return child;
    }
    this.#log.error('no decoder starts');
    throw busy('Media cannot be read at the moment.');
  }

  /** 'late' when it took too long: the machine is busy, and no laxer way is quicker. */
  async #tryStart(way: Confinement, signal: AbortSignal): Promise<DecoderChild | 'late' | undefined> {
    const child = startChild(way);
    const { measures } = way;
    const kill = (): void => child.kill('closed');
    signal.addEventListener('abort', kill, { once: true });
    try {
      await child.ready;
      signal.throwIfAborted();
      this.#proven = way;
      this.started += 1;
      this.#log.info({ decoderPid: child.pid, measures }, 'decoder started');
      child.release();
      return child;
    } catch (error) {
      if (signal.aborted) {
        await child.ended;
        throw signal.reason;
      }
      this.#log.warn({ err: error, measures }, 'decoder did not start');
      return (await child.ended).reason === 'time' ? 'late' : undefined;
    } finally {
      signal.removeEventListener('abort', kill);
    }
  }
}
