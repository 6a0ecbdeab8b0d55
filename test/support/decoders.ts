/** Decoders for all instances of a test worker: to start them for each file would cost half a second of computing. */
import { pino } from 'pino';
import { createDecoders, type Decoders } from '../../src/engines/decoders/index.ts';
// @ts-expect-error: jest loads it as it is, without types
import { keptProcesses } from './leftovers.mjs';

const log = pino({}, { write: (line) => void keptProcesses.add(JSON.parse(line).decoderPid) });

let decoders: Decoders | undefined;

/** They end with the worker. A file that looks at what becomes of its decoders needs some of its own. */
export function sharedDecoders(): Decoders {
  decoders ??= createDecoders({ log, atLeast: 3 });
  return decoders;
}
