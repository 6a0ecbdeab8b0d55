/**
 * What the text of a configuration variable may be, as zod schemas. A message is the rest of a sentence that begins with
 * the variable's name, and an unset variable never comes here: it is optional or has a default.
 */
import type { JSONValue } from '@ai-sdk/provider';
import { z } from 'zod';
import { toMicro } from './credits.ts';
import { codePoints, EMAIL, LIMITS } from './limits.ts';
import { MIN_KEY_CHARS } from './sealing.ts';

/** Any text. */
export const text = () => z.string();

/** A whole number between two bounds. */
export const integer = (min: number, max: number) =>
  z
    .string()
    .refine((value) => /^\d+$/.test(value) && Number(value) >= min && Number(value) <= max, {
      error: ({ input }) => `must be a whole number from ${min} to ${max}, not "${input}".`,
    })
    .transform(Number);

/** One of the given words. */
export const oneOf = <const T extends string>(...values: [T, ...T[]]) =>
  z.enum(values, { error: ({ input }) => `must be one of ${values.join(', ')}, not "${input}".` });

/** Some of the given words, separated by commas. */
export const someOf = <const T extends string>(...values: [T, ...T[]]) =>
  list().pipe(z.array(oneOf(...values)).min(1, { error: `must name one of ${values.join(', ')}.` }));

/** An address without slashes at its end. @param protocols as `https:` */
export const url = (...protocols: string[]) =>
  z
    .string()
    .refine((value) => URL.canParse(value), { error: 'is not a URL.', abort: true })
    .refine((value) => protocols.includes(new URL(value).protocol), {
      error: `must start with ${protocols.map((protocol) => (protocol === 'mailto:' ? protocol : `${protocol}//`)).join(' or ')}.`,
    })
    .transform((value) => value.replace(/\/+$/, ''));

/** An amount of credits. */
export const credits = () =>
  z
    .string()
    .transform(Number)
    .refine((amount) => amount >= 0 && amount <= 1_000_000, {
      error: 'must be an amount of credits from 0 to 1000000.',
      abort: true,
    })
    .refine((amount) => toMicro(amount) !== undefined, { error: 'must have at most six decimals.' });

/** A part of a whole. */
export const share = () =>
  z
    .string()
    .refine((value) => /^\d*\.?\d+$/.test(value) && Number(value) <= 1, {
      error: ({ input }) => `must be a number from 0 to 1, not "${input}".`,
    })
    .transform(Number);

/** A password of the length that accounts need. */
export const password = () => {
  const { passwordMin: min, passwordMax: max } = LIMITS;
  const fits = (value: string) => codePoints(value) >= min && codePoints(value) <= max;
  return z.string().refine(fits, { error: `must have ${min} to ${max} characters.` });
};

/** A key long enough to wrap others. */
export const secretsKey = () =>
  z.string().min(MIN_KEY_CHARS, { error: `must have at least ${MIN_KEY_CHARS} characters.` });

/** Items separated by commas. */
export const list = () =>
  z.string().transform((value) =>
    value
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean),
  );

/** Items that each pass. @param what they must be, in words */
const listOf = (what: string, passes: (item: string) => boolean) =>
  list().pipe(z.array(z.string().refine(passes, { error: ({ input }) => `must be ${what}, not "${input}".` })));

/** Addresses of PostgreSQL, separated by commas. */
export const databases = () =>
  listOf('addresses of PostgreSQL', (item) => /^postgres(?:ql)?:\/\//.test(item) && URL.canParse(item));

/** Email addresses, separated by commas. */
export const emails = () => listOf('e-mail addresses', (item) => item.length <= LIMITS.email && EMAIL.test(item));

/** Host names, IPv6 ones in brackets, each with a port or without. */
export const hosts = () =>
  listOf('host or host:port items', (item) => /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i.test(item));

/** What `read` makes of the text; it throws the rest of the sentence. */
export const readBy = <T>(read: (value: string) => T) =>
  z.string().transform((value, context) => {
    try {
      return read(value);
    } catch (error) {
      context.addIssue((error as Error).message);
      return z.NEVER;
    }
  });

/** `address` or `Name <address>`. */
export const sender = () =>
  readBy((value) => {
    const [, name = '', address = value] = /^([^<>\p{Cc}]*)<([^<>]+)>$/u.exec(value) ?? [];
    if (!EMAIL.test(address)) throw new Error(`must be an e-mail address or Name <address>, not "${value}".`);
    return { name: name.trim().replace(/^"(.*)"$/, '$1'), address };
  });

/** `issuer|audience|jwksUrl`, several separated by commas; the JWKS address is discovered when left out. */
export const issuers = () =>
  list().transform((items, context) =>
    items.map((item) => {
      const [issuer = '', audience = '', jwksUrl] = item.split('|').map((part) => part.trim());
      if (!issuer || !audience) context.addIssue('must be a list of issuer|audience or issuer|audience|jwksUrl.');
      return { issuer, audience, ...(jwksUrl ? { jwksUrl } : {}) };
    }),
  );

/** A model for everything, then others by name for what it is not to do: `painter, edit=retoucher`. */
export const models = <const T extends string>(...names: T[]) =>
  list().transform((items, context): { all: string } & { [K in T]?: string } => {
    const found: Record<string, string> = {};
    for (const item of items) {
      const [, name = 'all', model = item] = /^(\w+)=(.+)$/.exec(item) ?? [];
      if (name !== 'all' && !names.includes(name as T)) context.addIssue(`knows ${names.join(', ')}, not "${name}".`);
      else if (found[name]) context.addIssue(`must name one model for ${name}.`);
      found[name] = model;
    }
    if (!found.all) context.addIssue('must name the model for everything first, without a name before it.');
    return found as { all: string } & { [K in T]?: string };
  });

/** Our names of inputs, each with a provider's name for it: `image=face, audio=voice`. */
export const renamed = <const T extends string>(...names: T[]) =>
  list().transform((items, context): { [K in T]?: string } => {
    const found: Record<string, string> = {};
    for (const item of items) {
      const [, name = '', theirs = ''] = /^(\w+)=([\w.-]+)$/.exec(item) ?? [];
      if (!names.includes(name as T))
        context.addIssue(`must be name=field items with names of ${names.join(', ')}, not "${item}".`);
      found[name] = theirs;
    }
    return found as { [K in T]?: string };
  });

/** One JSON object. */
export const jsonObject = () => {
  const error = 'must be a JSON object, e.g. {"resolution": "720p"}.';
  return readBy((value): Record<string, JSONValue> => {
    const object: unknown = JSON.parse(value);
    if (typeof object !== 'object' || object === null || Array.isArray(object)) throw new Error(error);
    return { ...object };
  });
};

/** Options by provider, as the AI SDK's provider packages document them. */
export const jsonObjects = () => {
  const error = 'must be a JSON object of objects by provider, e.g. {"fal": {"guidanceScale": 4}}.';
  const isObject = (one: unknown) => typeof one === 'object' && one !== null && !Array.isArray(one);
  return z
    .string()
    .transform((value, context): unknown => {
      try {
        return JSON.parse(value);
      } catch {
        context.addIssue('is not JSON.');
        return z.NEVER;
      }
    })
    .pipe(z.record(z.string(), z.custom<Record<string, never>>(isObject, { error }), { error }));
};
