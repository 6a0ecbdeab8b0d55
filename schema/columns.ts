/** Column types that several tables share. */
import { BigIntType, JsonType } from '@mikro-orm/core';
import { Property } from '@mikro-orm/decorators/legacy';

/** A `bigint` column of epoch milliseconds, a number in TypeScript. */
export const MillisColumn = (options: { fieldName?: string; nullable?: boolean } = {}): PropertyDecorator =>
  Property({ type: new BigIntType('number'), ...options }) as PropertyDecorator;

/** A `bigint` column of micro-credits. */
export const MicroColumn = (options: { fieldName?: string; nullable?: boolean } = {}): PropertyDecorator =>
  Property({ type: new BigIntType('bigint'), ...options }) as PropertyDecorator;

export const TextColumn = (options: { fieldName?: string; nullable?: boolean } = {}): PropertyDecorator =>
  Property({ type: 'text', ...options }) as PropertyDecorator;

export const JsonColumn = (options: { fieldName?: string; nullable?: boolean } = {}): PropertyDecorator =>
  Property({ type: JsonType, ...options }) as PropertyDecorator;
