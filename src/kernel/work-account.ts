/**
 * Whose work is under way: queues that work waits in far below the job or request that asked (threads, remote addresses)
 * share themselves between accounts by it. It decides nobody's rights, and nothing is charged by it.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

const storage = new AsyncLocalStorage<string>();

/** Does the work, and all that it awaits, as that of an account; callers without one are known by their address. */
export function workFor<T>(account: string, work: () => T): T {
  return storage.run(account, work);
}

/** The account that the work under way is for; undefined for the instance's own. */
export function accountOfWork(): string | undefined {
  return storage.getStore();
}
