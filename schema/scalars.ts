/**
 * Scalars of the API. Each carries `extensions.jsonSchema`, from which the OpenAPI document derives its schemas.
 */
import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';
import { GraphQLJSON } from 'graphql-scalars';
import { fromMicro, toMicro } from '../src/kernel/credits.ts';

/** Epoch milliseconds: an integer beyond GraphQL's 32-bit Int. */
export const EpochMillis = new GraphQLScalarType<number, number>({
  name: 'EpochMillis',
  description: 'Milliseconds since 1970-01-01T00:00:00Z.',
  extensions: { jsonSchema: { type: 'integer', format: 'int64', example: 1790000000000 } },
  serialize: (value) => Number(value),
  parseValue: readMillis,
  parseLiteral: (node) => readMillis(node.kind === Kind.INT ? Number(node.value) : undefined),
});

function readMillis(value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value))
    throw new GraphQLError('EpochMillis must be an integer.');
  return value;
}

/** Credits: stored as bigint micro-credits, shown as a decimal with at most six places. */
export const Credits = new GraphQLScalarType<bigint, number>({
  name: 'Credits',
  description: 'An amount of credits, with at most six decimals.',
  extensions: { jsonSchema: { type: 'number', example: 0.0265 } },
  serialize: (value) => (typeof value === 'bigint' ? fromMicro(value) : Number(value)),
  parseValue: readCredits,
  parseLiteral: (node) =>
    readCredits(node.kind === Kind.INT || node.kind === Kind.FLOAT ? Number(node.value) : undefined),
});

function readCredits(value: unknown): bigint {
  const micro = typeof value === 'number' ? toMicro(value) : undefined;
  if (micro === undefined) throw new GraphQLError('must be a number with at most six decimals.');
  return micro;
}

export const Json = GraphQLJSON;
