/**
 * Checks an input before its resolver runs: class-validator holds the rules that the input's class declares
 * (`rules.ts`), and what breaks one is a 400 that names the field. Then texts are tidied, so that services get them clean.
 */

import { PlatformError, refusedInput } from '../../src/kernel/errors.ts';
import { getMetadataStorage, type ValidationError, validateSync } from './class-validator.ts';

type Class = abstract new (...given: never[]) => unknown;
type Tidy = (value: unknown) => unknown;

/** By prototype: what makes a field's value the one that is kept. */
const tidies = new Map<object, Map<string, Tidy>>();

/** A field whose value is replaced by this, once its rules have held; undefined and null stay as they are. */
export const tidiedBy =
  <T>(tidy: (value: T) => unknown): PropertyDecorator =>
  (target, key) => {
    const own = tidies.get(target) ?? new Map<string, Tidy>();
    tidies.set(
      target,
      own.set(String(key), (value) => tidy(value as T)),
    );
  };

interface Plan {
  /** Fields that have a rule. */
  ruled: readonly string[];
  tidy: readonly (readonly [string, Tidy])[];
}

const plans = new WeakMap<Class, Plan>();

function planOf(input: Class): Plan {
  const known = plans.get(input);
  if (known) return known;
  const rules = getMetadataStorage().getTargetValidationMetadatas(input, '', false, false);
  const tidy: [string, Tidy][] = [];
  for (let level: object | null = input.prototype; level; level = Object.getPrototypeOf(level)) {
    tidy.push(...(tidies.get(level) ?? []));
  }
  const plan = { ruled: [...new Set(rules.map(({ propertyName }) => propertyName))], tidy };
  plans.set(input, plan);
  return plan;
}

/**
 * type-graphql's `validateFn`. Scalars and inputs of which no field with a rule was given cost a look: a poll pays
 * nothing for it. Throws BAD_INPUT.
 */
export function validateInput(value: unknown): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  const { ruled, tidy } = planOf(value.constructor as Class);
  const input = value as Record<string, unknown>;
  if (ruled.some((name) => input[name] !== undefined)) {
    const [error] = validateSync(value, { stopAtFirstError: true, forbidUnknownValues: false });
    if (error) throw broken(error);
  }
  for (const [name, tidied] of tidy) {
    if (input[name] != null) input[name] = tidied(input[name]);
  }
}

/** `face.mouth.x must be from 0 to 1.`: the whole path in the sentence, the field of the body in `details`. */
function broken(error: ValidationError): PlatformError {
  const path = [error.property];
  let inner = error;
  while (!inner.constraints && inner.children?.[0]) {
    inner = inner.children[0];
    path.push(inner.property);
  }
  const sentence = Object.values(inner.constraints ?? {})[0] ?? 'is not valid.';
  return refusedInput(error.property, `${path.join('.')} ${sentence}`);
}
