/**
 * Calls of remote addresses: of a provider, of what an operator runs, of what users name. Each has a total time; an
 * account has a few slots at an address; and an address that does not answer several times in a row is left alone for a
 * while (a circuit breaker), so that calls that would wait for it fail at once. It never retries: jobs do.
 */
import { addAbortListener } from 'node:events';
import {
  BrokenCircuitError,
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
} from 'cockatiel';
import { LRUCache } from 'lru-cache';
import { type Bulkhead, createBulkhead } from './bulkhead.ts';
import { PlatformError } from './errors.ts';
import type { Log } from './log.ts';
import { REMOTE_SERVICES, type RemoteSeconds, type RemoteService } from './remote-services.ts';
import { currentAccount, currentSpan } from './work-account.ts';

/** Calls without an answer, one after another, that open a circuit. */
const FAILURES = 3;
/** Addresses that are remembered; the one that was asked longest ago is forgotten. */
const MAX_ADDRESSES = 10_000;
/** Calls waiting for a slot at one address, for each that may be under way; more are refused. */
const WAITING_A_SLOT = 8;

/** The remote side took too long, could not be reached, or is left alone for it. Another attempt may help. */
export class NoAnswerError extends PlatformError {}

/** What is called. */
export interface RemoteAddress {
  service: RemoteService;
  /** Calls of one address share its circuit and its slots; an origin, or a provider's name. */
  address: string;
  /** Whether an error means that the server did not answer; a refusal is an answer. */
  isNoAnswer: (error: unknown) => boolean;
}

/** What was opened, and when it is over: its slot is held and its time runs until then. */
interface Opened<T> {
  value: T;
  ended: Promise<void>;
}

type Outcome = 'answered' | 'unanswered' | 'refused';

/** Counters of a service, for the metrics. */
export interface RemoteStats {
  /** Calls since the start: answered, not answered, refused here because the circuit was open or too many waited. */
  calls: Partial<Record<RemoteService, Record<Outcome, number>>>;
  /** Addresses that are left alone now. */
  open: Partial<Record<RemoteService, number>>;
}

interface Policies {
  breaker: CircuitBreakerPolicy;
  bulkhead: Bulkhead;
}

/** Calls of remote services, each with a deadline, a circuit breaker and a limit of calls at once. */
export class RemoteCalls {
  readonly #seconds: RemoteSeconds;
  readonly #log: Pick<Log, 'info' | 'warn'>;
  readonly #policies = new LRUCache<string, Policies>({ max: MAX_ADDRESSES });
  readonly #stats: RemoteStats = { calls: {}, open: {} };

  constructor({ seconds, log }: { seconds: RemoteSeconds; log: Pick<Log, 'info' | 'warn'> }) {
    this.#seconds = seconds;
    this.#log = log;
  }

  stats(): RemoteStats {
    return this.#stats;
  }

  /** Longest time of one call, milliseconds. */
  longestMs(service: RemoteService): number {
    return this.#seconds[service] * 1_000;
  }

  /**
   * Does `work` when there is a slot. Rejects with NoAnswerError when it takes too long or the address is left alone,
   * UNAVAILABLE when too many calls wait, with the signal's reason when that aborts, else as `work` does.
   */
  call<T>(
    to: RemoteAddress,
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => PromiseLike<T>,
  ): Promise<T> {
    return this.open(to, signal, async (given) => ({ value: await work(given), ended: Promise.resolve() }));
  }

  /** The same for an answer that goes on: it counts as one once `work` resolves. */
  async open<T>(
    to: RemoteAddress,
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<Opened<T>>,
  ): Promise<T> {
    signal?.throwIfAborted();
    const { breaker, bulkhead } = this.#policiesFor(to);
    const mayCall = () => {
      // The library would let this call wait for the one that tries the address.
      if (breaker.state === CircuitState.HalfOpen) throw new BrokenCircuitError();
    };
    const tooLong = new AbortController();
    const timer = setTimeout(() => tooLong.abort(this.#tookTooLong(to)), this.longestMs(to.service));
    timer.unref();
    const given = signal ? AbortSignal.any([signal, tooLong.signal]) : tooLong.signal;
    const result = Promise.withResolvers<T>();
    const span = currentSpan()?.begin(`call ${to.service}`, { 'server.address': to.address });
    const slot = { account: currentAccount() ?? '', signal: given };
    const held = bulkhead(slot, async () => {
      mayCall();
      const { value, ended } = await breaker.execute(() => orAborted(work(given), given));
      this.#count(to, 'answered');
      result.resolve(value);
      await orAborted(ended, given);
    });
    held
      .then(
        () => span?.end(),
        (error: unknown) => {
          span?.end(error);
          result.reject(this.#seen(to, error));
        },
      )
      .finally(() => clearTimeout(timer));
    return result.promise;
  }

  /** `fetch` of a service that the operator named; the answer is read to its end. */
  fetch(service: RemoteService): (url: string, init: RequestInit) => Promise<Response> {
    const isNoAnswer = (error: unknown) => isTimeout(error) || error instanceof TypeError;
    return (url, init) =>
      this.call({ service, address: new URL(url).origin, isNoAnswer }, init.signal ?? undefined, async (signal) => {
        const response = await fetch(url, { ...init, signal });
        const { status, headers } = response;
        return new Response(response.body && (await response.arrayBuffer()), { status, headers });
      });
  }

  #policiesFor(to: RemoteAddress): Policies {
    const key = `${to.service} ${to.address}`;
    const policies = this.#policies.get(key) ?? this.#createPolicies(to);
    this.#policies.set(key, policies);
    return policies;
  }

  #createPolicies({ service, address, isNoAnswer }: RemoteAddress): Policies {
    const { atOnce, ofOne } = REMOTE_SERVICES[service];
    const breaker: CircuitBreakerPolicy = circuitBreaker(
      // A trial that its caller abandoned has no result: the circuit stays open for another while.
      handleWhen(
        (error) => isNoAnswer(error) || error instanceof NoAnswerError || breaker.state === CircuitState.HalfOpen,
      ),
      { halfOpenAfter: this.#seconds.pause * 1_000, breaker: new ConsecutiveBreaker(FAILURES) },
    );
    const { open } = this.#stats;
    let isOpen = false;
    breaker.onBreak(() => {
      if (isOpen) return;
      isOpen = true;
      open[service] = (open[service] ?? 0) + 1;
      this.#log.warn({ service, address }, 'circuit opened');
    });
    breaker.onReset(() => {
      isOpen = false;
      open[service] = (open[service] ?? 1) - 1;
      this.#log.info({ service, address }, 'circuit closed');
    });
    const waiting = { waiting: atOnce * WAITING_A_SLOT, waitingOfOne: ofOne * WAITING_A_SLOT };
    return { breaker, bulkhead: createBulkhead({ atOnce, atOnceOfOne: ofOne, ...waiting }) };
  }

  #count({ service }: RemoteAddress, outcome: Outcome): void {
    const { calls } = this.#stats;
    calls[service] ??= { answered: 0, unanswered: 0, refused: 0 };
    calls[service][outcome] += 1;
  }

  #tookTooLong({ service }: RemoteAddress): NoAnswerError {
    return new NoAnswerError('UPSTREAM_FAILED', `${REMOTE_SERVICES[service].name} took too long to answer.`);
  }

  /** What the caller gets. */
  #seen(to: RemoteAddress, error: unknown): unknown {
    const isRefused = error instanceof BrokenCircuitError;
    if (isRefused || (error instanceof PlatformError && error.code === 'UNAVAILABLE')) this.#count(to, 'refused');
    else this.#count(to, to.isNoAnswer(error) || error instanceof NoAnswerError ? 'unanswered' : 'answered');
    if (!isRefused) return error;
    const text = `${REMOTE_SERVICES[to.service].name} does not answer at the moment. Try again in a few seconds.`;
    const details = { retryAfterSeconds: Math.ceil(this.#seconds.pause) };
    const refused = new NoAnswerError('UPSTREAM_FAILED', text, { details });
    // The calls that opened the circuit were logged in full; each one that it stops is one line of the log.
    refused.stack = `${refused.name}: ${text}`;
    return refused;
  }
}

/** A deadline of the caller's own passed, as `AbortSignal.timeout` has it. */
export function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}

/** The error that a failed remote call becomes: with the cause's own sentence where the server did not answer, else with this one. */
export function upstreamFailure(sentence: string, cause: unknown): PlatformError {
  const isOurs = cause instanceof NoAnswerError || (cause instanceof PlatformError && cause.code === 'UNAVAILABLE');
  return isOurs ? cause : new PlatformError('UPSTREAM_FAILED', sentence, { cause });
}

/** Not everything that is called looks at its signal. */
async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  using _listening = addAbortListener(signal, () => aborted.reject(signal.reason));
  return await Promise.race([work, aborted.promise]);
}
