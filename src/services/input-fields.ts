/** Reading what callers send: each function returns the clean value or throws a 400 that names the field. */
import { badInput } from '../kernel/errors.ts';
import { codePoints, LIMITS } from '../kernel/limits.ts';

/** A required text of 1 to `max` code points, trimmed. */
export function requiredText(field: string, text: string | null | undefined, max: number): string {
  const value = text?.trim() ?? '';
  if (value === '') throw badInput(field, 'must not be empty.');
  if (codePoints(value) > max) throw badInput(field, `must have at most ${max} characters.`);
  return value;
}

/** An optional text: null when missing or blank. */
export function optionalText(field: string, text: string | null | undefined, max: number): string | null {
  return text?.trim() ? requiredText(field, text, max) : null;
}

/** An http(s) address of reasonable length. */
export function httpUrl(field: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || text.length > LIMITS.url || !['http:', 'https:'].includes(url.protocol)) {
    throw badInput(field, 'must be an http or https address.');
  }
  return text;
}

/** One of a closed list of words. */
export function oneOf<const T extends string>(field: string, text: string, values: readonly T[]): T {
  if (!values.includes(text as T)) throw badInput(field, `must be one of ${values.join(', ')}.`);
  return text as T;
}
