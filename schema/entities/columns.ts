/** Column types that several tables share. */
import { type EntityClass, p } from '@mikro-orm/core';

/** Epoch milliseconds: a `bigint` column, a number in TypeScript. */
export const millis = () => p.bigint('number');

/** Micro-credits (1 credit = 1 000 000): a `bigint` column, a bigint in TypeScript. */
export const micro = () => p.bigint('bigint');

type Target = { '~entity': unknown } | EntityClass;

/**
 * The row of another table that this one belongs to, by the column that holds its key. Deleting what others belong to is
 * refused unless a `deleteRule` follows. Loaded only when it is populated; `row.owner.id` is there without.
 */
export const belongsTo = <const T extends Target, const Column extends string>(target: T, column: Column) =>
  p.manyToOne(target).name(column).updateRule('no action').deleteRule('no action').ref();
