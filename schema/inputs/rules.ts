/**
 * What a field of an input may hold, declared once: each decorator here is a class-validator rule, which the transport
 * checks before a resolver runs (`validate.ts`), and what OpenAPI says of the field. Lengths count code points; a
 * sentence follows the field's name (`userText must not be empty.`). A field that is left out or null passes.
 */

import { Extensions } from 'type-graphql';
import { fromMicro, MICRO } from '../../src/kernel/credits.ts';
import { codePoints, LIMITS } from '../../src/kernel/limits.ts';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsIn,
  IsInt,
  IsOptional,
  Matches,
  Max,
  Min,
  ValidateBy,
  ValidateIf,
  type ValidationOptions,
} from './class-validator.ts';
import { tidiedBy } from './validate.ts';

/** The JSON schema of a field, as far as it says more than its GraphQL type. */
export interface Bounds {
  maxLength?: number;
  minLength?: number;
  maxItems?: number;
  minItems?: number;
  minimum?: number;
  maximum?: number;
  enum?: readonly (string | number)[];
  /** Where the GraphQL type is wider: whole numbers beyond Int are Float there. */
  type?: 'integer';
  format?: string;
  pattern?: string;
  default?: unknown;
}

/** What OpenAPI says of a field that has no rule of its own. */
export const Documented = (bounds: Bounds): PropertyDecorator => Extensions({ jsonSchema: bounds });

const all =
  (...decorators: PropertyDecorator[]): PropertyDecorator =>
  (target, key) => {
    for (const decorate of decorators) decorate(target, key);
  };

/** A rule of ours on a text or number; `sentence` is the error when it does not hold. */
const rule = <T>(name: string, sentence: string, holds: (value: T) => boolean, options?: ValidationOptions) =>
  ValidateBy({ name, validator: { validate: (value: T) => holds(value) } }, { ...options, message: sentence });

interface TextRule {
  /** The error instead of the usual sentence when the text is too long. */
  tooLong?: string;
}

/**
 * Control characters but for tabs and line breaks, and those that turn the direction of what follows: the words that a page
 * writes behind a name or a note would be read backwards. Letters of any script have their own direction without them.
 */
const UNSEEN = /(?![\t\n\r])\p{Cc}|[\u202A-\u202E\u2066-\u2069]/gu;
const tidy = (text: string): string => text.replace(UNSEEN, '').trim();

const filled = rule<string | null>('filled', 'must not be empty.', (text) => Boolean(text && tidy(text)));
const atMost = (max: number, tooLong = `must have at most ${max} characters.`) =>
  rule<string>('atMost', tooLong, (text) => codePoints(tidy(text)) <= max);

/** A text of 1 to `max` characters without the space around it and what is not seen, which are dropped. */
export const Text = (max: number, { tooLong }: TextRule = {}): PropertyDecorator =>
  all(Documented({ minLength: 1, maxLength: max }), IsOptional(), filled, atMost(max, tooLong), tidiedBy(tidy));

/** As `Text`; it may be left out, but null does not empty it. */
export const TextToKeep = (max: number): PropertyDecorator =>
  all(
    Documented({ minLength: 1, maxLength: max }),
    ValidateIf((_, text) => text !== undefined),
    filled,
    atMost(max),
    tidiedBy(tidy),
  );

/** A text of at most `max` characters, of which the same is dropped; a blank one is null. */
export const OptionalText = (max: number): PropertyDecorator =>
  all(
    Documented({ maxLength: max }),
    IsOptional(),
    atMost(max),
    tidiedBy((text: string) => tidy(text) || null),
  );

/** A text of `min` to `max` characters, every one of which counts. */
export const Secret = (min: number, max: number): PropertyDecorator =>
  all(
    IsOptional(),
    rule<string>('length', `must have ${min} to ${max} characters.`, (text) => {
      const length = codePoints(text);
      return length >= min && length <= max;
    }),
  );

/** A name of 1 to `max` Latin letters, digits or underscores; space around it is dropped. */
export const Name = (max: number): PropertyDecorator =>
  all(
    IsOptional(),
    rule<string>('name', `must have 1 to ${max} letters, digits or underscores.`, (text) => {
      const name = text.trim();
      return name.length <= max && /^[A-Za-z0-9_]+$/.test(name);
    }),
    tidiedBy((text: string) => text.trim()),
  );

/** A text of a pattern. */
export const Pattern = (pattern: RegExp, sentence: string, bounds: Bounds = {}): PropertyDecorator =>
  all(Documented(bounds), IsOptional(), Matches(pattern, { message: sentence }));

/** A language of RFC 5646 with at most three subtags. */
export const Language = (): PropertyDecorator =>
  all(
    IsOptional(),
    rule<string>('language', 'must be a language code such as de or pt-BR.', (text) => {
      try {
        return /^[a-z]{2,3}(?:-[a-z\d]{2,8}){0,3}$/i.test(text) && Intl.getCanonicalLocales(text).length > 0;
      } catch {
        return false;
      }
    }),
  );

/** One of a closed list; `standard` is what its absence means. */
export const OneOf = <T extends string | number>(values: readonly T[], standard?: NoInfer<T>): PropertyDecorator =>
  all(
    Documented({ enum: values, ...(standard === undefined ? {} : { default: standard }) }),
    IsOptional(),
    IsIn(values, { message: `must be one of ${values.join(', ')}.` }),
  );

/** A list whose items are all of a closed list, at least one; `empty` is the error for a list without any. */
export const SomeOf = (values: readonly string[], empty = 'must not be empty.'): PropertyDecorator =>
  all(
    IsOptional(),
    ArrayMinSize(1, { message: empty }),
    IsIn(values, { each: true, message: `must be one of ${values.join(', ')}.` }),
    tidiedBy((items: string[]) => [...new Set(items)]),
  );

/** A number from `min` to `max`; `standard` is what its absence means. */
export const Between = (min: number, max: number, standard?: number): PropertyDecorator =>
  all(
    Documented({ minimum: min, maximum: max, ...(standard === undefined ? {} : { default: standard }) }),
    IsOptional(),
    ...within(min, max),
  );

const within = (min: number, max: number): PropertyDecorator[] => {
  const message = `must be from ${min} to ${max}.`;
  return [Min(min, { message }), Max(max, { message })];
};

/** A whole number that a Float carries exactly. */
export const WholeNumber = (): PropertyDecorator =>
  all(
    Documented({ type: 'integer' }),
    IsOptional(),
    IsInt({ message: 'must be a whole number.' }),
    ...within(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
  );

/** Micro-credits from `min` to `max`. */
export const CreditsBetween = (min: bigint, max: bigint): PropertyDecorator =>
  all(
    IsOptional(),
    rule<bigint>(
      'credits',
      `must be from ${fromMicro(min)} to ${fromMicro(max)} credits.`,
      (amount) => amount >= min && amount <= max,
    ),
  );

/** Micro-credits from nothing up, as far as PostgreSQL counts. */
export const CreditsFrom = (min: bigint, sentence: string): PropertyDecorator =>
  all(
    IsOptional(),
    rule<bigint>('credits', sentence, (amount) => amount >= min),
    rule<bigint>('mostCredits', `must be at most ${MOST_CREDITS}.`, (amount) => amount <= BigInt(MOST_CREDITS) * MICRO),
  );

/** A million million: more than all accounts together can have. */
const MOST_CREDITS = 1_000_000_000_000;

/** A list of `min` to `max` items. */
export const Items = (min: number, max: number): PropertyDecorator => {
  const message = min > 0 ? `must have ${min} to ${max} items.` : `must have at most ${max} items.`;
  return all(
    Documented({ ...(min > 0 ? { minItems: min } : {}), maxItems: max }),
    IsOptional(),
    ArrayMinSize(min, { message }),
    ArrayMaxSize(max, { message }),
  );
};

/** True for an http(s) address of reasonable length. */
function isHttpUrl(text: string): boolean {
  const url = text.length <= LIMITS.url ? URL.parse(text) : null;
  return url?.protocol === 'http:' || url?.protocol === 'https:';
}

const NO_URL = 'must be an http or https address.';

/** An http(s) address. */
export const HttpUrl = (): PropertyDecorator =>
  all(Documented({ format: 'uri' }), IsOptional(), rule('httpUrl', NO_URL, isHttpUrl));

/** Of a list: every item is an http(s) address. */
export const HttpUrls = (): PropertyDecorator => all(IsOptional(), rule('httpUrls', NO_URL, isHttpUrl, { each: true }));

const LOWER = (text: string): string => text.trim().toLowerCase();

/** An e-mail address as it is looked up: without space around it and in lower case. No rule says what it looks like. */
export const EmailLookup = (): PropertyDecorator => tidiedBy(LOWER);

/** An e-mail address, without space around it and in lower case. */
export const EmailAddress = (isEmail: RegExp): PropertyDecorator =>
  all(
    IsOptional(),
    rule<string>('email', 'is not an e-mail address.', (text) => {
      const email = LOWER(text);
      return email.length <= LIMITS.email && isEmail.test(email);
    }),
    tidiedBy(LOWER),
  );
