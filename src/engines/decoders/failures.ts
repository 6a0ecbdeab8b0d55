/** What a caller gets when a decoder refused its bytes, or was lost over them. */
import { busy, PlatformError, refusedInput } from '../../kernel/errors.ts';
import type { EndReason } from './child.ts';
import { type FromDecoder, RULES, type TaskName } from './tasks.ts';

/** The cause of an error whose bytes ended the decoders that read them: no further try will end otherwise. */
export class DecoderKilledError extends Error {
  override readonly name = 'DecoderKilledError';
  constructor(reason: EndReason) {
    super(`The decoder ended: ${reason}.`);
  }
}

/** True for such an error, and for one that was caused by it. */
export function isDecoderKilled(error: unknown): boolean {
  if (error instanceof DecoderKilledError) return true;
  return error instanceof Error && error.cause !== undefined && isDecoderKilled(error.cause);
}

/** BAD_INPUT about the field: its bytes cannot be read. */
export const unreadable = (field: string, task: TaskName, cause: Error): PlatformError =>
  refusedInput(field, `${field} ${RULES[task].refusal}`, cause);

/** UNAVAILABLE: no decoder is free and too many tasks wait already, or the machine did not get to the task in its time. */
export const tooManyTasks = (cause?: Error): PlatformError =>
  busy('Too much media is being read: try again later.', { cause });

/** What an operation calls bytes that the caller knows by a field of the API. */
const ANY_FILE = 'file';

/** The error that an operation reported, in terms of the caller's field. */
export function reportedError(
  { code, text, field: named }: FromDecoder & { kind: 'failed' },
  field: string,
  task: TaskName,
): PlatformError {
  if (!code) return unreadable(field, task, new Error(text));
  const isAnyFile = named === ANY_FILE;
  const shown = isAnyFile ? field : named;
  const details = shown === undefined ? {} : { details: { field: shown } };
  return new PlatformError(code, isAnyFile ? text.replace(ANY_FILE, field) : text, details);
}
