/**
 * A circuit breaker for each remote address that users name: one that does not answer is asked no more for a while, so
 * that whoever waits for it fails at once. An answer of any status is an answer; what counts is silence.
 */
import {
  BrokenCircuitError,
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleAll,
} from 'cockatiel';
import { LRUCache } from 'lru-cache';
import type { Fetch } from './external.ts';

/** Calls without an answer, one after another, that open the circuit. */
const FAILURES = 3;
/** After this one call may try whether the address answers again. */
const HALF_OPEN_AFTER_MS = 5_000;
/** Addresses that are remembered; the one that was asked longest ago is forgotten. */
const MAX_ADDRESSES = 10_000;

/** `fetch` that rejects at once (cockatiel's BrokenCircuitError) while the circuit of the address is open. */
export function withCircuitBreakers(fetch: Fetch, halfOpenAfterMs = HALF_OPEN_AFTER_MS): Fetch {
  const breakers = new LRUCache<string, CircuitBreakerPolicy>({ max: MAX_ADDRESSES });
  const breakerOf = (origin: string): CircuitBreakerPolicy => {
    const breaker =
      breakers.get(origin) ??
      circuitBreaker(handleAll, { halfOpenAfter: halfOpenAfterMs, breaker: new ConsecutiveBreaker(FAILURES) });
    breakers.set(origin, breaker);
    return breaker;
  };
  return async (url, init) => {
    const breaker = breakerOf(new URL(url).origin);
    // The library would let this call wait for the one that tries the address.
    if (breaker.state === CircuitState.HalfOpen) throw new BrokenCircuitError();
    return breaker.execute(() => fetch(url, init));
  };
}
