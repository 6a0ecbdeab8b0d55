/**
 * The codec's worker thread: one request in, one result out. It opens no file but fragments that we wrote.
 * `@napi-rs/webcodecs` becomes the global WebCodecs that mediabunny looks for, in this thread only.
 */
import './webcodecs.ts';
import { serve } from '../../ports/serve.ts';
import { encodeAudio, faststart } from './files.ts';
import { selfTest } from './self-test.ts';

const operations = { selfTest, encodeAudio, faststart };

type Operations = typeof operations;

/** A call of one operation by name with its arguments. */
export type CodecTask = {
  [Name in keyof Operations]: [name: Name, ...args: Parameters<Operations[Name]>];
}[keyof Operations];

serve<CodecTask>(async ([name, ...args]) => {
  const operation = operations[name] as (...args: unknown[]) => Promise<unknown>;
  return operation(...args);
});
