/**
 * The codec's worker thread: one request in, one result out. `@napi-rs/webcodecs` becomes the global WebCodecs that
 * mediabunny looks for, in this thread only.
 */
import '@napi-rs/webcodecs/polyfill';
import { serve } from '../serve.ts';
import { decodeAudio } from './decode/index.ts';
import { decodeFrames, durationSeconds, encodeAudio, faststart } from './files.ts';
import { selfTest } from './self-test.ts';

const operations = { selfTest, encodeAudio, faststart, durationSeconds, decodeAudio, decodeFrames };

type Operations = typeof operations;

/** A call of one operation by name with its arguments. */
export type CodecTask = {
  [Name in keyof Operations]: [name: Name, ...args: Parameters<Operations[Name]>];
}[keyof Operations];

serve<CodecTask>(async ([name, ...args]) => {
  const operation = operations[name] as (...args: unknown[]) => Promise<unknown>;
  return operation(...args);
});
