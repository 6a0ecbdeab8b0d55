/** Packages that few instances need, loaded when they are first used: at each start of a process they cost time and memory. */
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);

/**
 * @param name a CommonJS package, or a module of one. Give its type: `onDemand<typeof import('ioredis')>('ioredis')`
 * @returns what gives its exports
 */
export function onDemand<Exports>(name: string): () => Exports {
  return () => {
    // Node keeps what it has loaded.
    const exports: Exports = load(name);
    return exports;
  };
}
