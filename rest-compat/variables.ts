/**
 * From a REST request to the variables of its operation: path, query and body, each by name. JSON is read more strictly
 * than GraphQL reads variables, which would take one text for a list of it and a number for an id. It coerces nothing else.
 */
import type { FastifyRequest } from 'fastify';
import {
  GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import { badInput } from '../src/kernel/errors.ts';
import { nearest } from '../src/text/nearest.ts';
import { inputTypeOf, type PreparedRoute } from './operations.ts';

type Body = Record<string, unknown>;

/** The field of inputs that REST sends as a header, not in the body. */
const IN_HEADER = 'idempotencyKey';

/** The fields of an input that a body may have: all but those in path and header. */
export const bodyNames = (type: GraphQLInputObjectType, inPath: (name: string) => boolean): string[] =>
  Object.keys(type.getFields()).filter((name) => name !== IN_HEADER && !inPath(name));

/** Variables of the route's operation; a variable named `input` gets the fields of its type from path and body. */
export function variablesOf(route: PreparedRoute, schema: GraphQLSchema, request: FastifyRequest): Body {
  const path = request.params as Body;
  const query = request.query as Body;
  const body = readBody(route, request);
  // A poll has no body, and skips the check of one.
  if (Object.keys(body).length > 0 && !route.ignoresOtherFields) {
    const known = bodyFields(route, schema, path);
    // A route that takes no fields does not check its body: none of them can be a misspelt one.
    if (known.length > 0) refuseUnknown('', body, known, Object.keys(path));
  }
  const variables: Body = {};
  for (const { variable, type: node } of route.variables) {
    const name = variable.name.value;
    const type = inputTypeOf(schema, node);
    const named = getNamedType(type);
    if (name === 'input' && named instanceof GraphQLInputObjectType) {
      const fields = bodyNames(named, (field) => field in path).filter((field) => field in body);
      const ids = Object.keys(path).filter((field) => field in named.getFields());
      variables.input = Object.fromEntries([
        ...ids.map((field) => [field, path[field]]),
        ...fields.map((field) => [field, body[field]]),
      ]);
    } else if (name in path) variables[name] = path[name];
    else if (name in body) variables[name] = body[name];
    else if (name in query) variables[name] = fromQuery(name, query[name], named.name);
    checkShape(name === 'input' ? '' : name, variables[name], type);
  }
  return variables;
}

/** Names that the body of a route may have, aliases too. */
function bodyFields(route: PreparedRoute, schema: GraphQLSchema, path: Body): string[] {
  const names = route.variables.flatMap(({ variable, type }) => {
    const name = variable.name.value;
    const named = getNamedType(inputTypeOf(schema, type));
    if (name === 'input' && named instanceof GraphQLInputObjectType) return bodyNames(named, (field) => field in path);
    return name in path ? [] : [name];
  });
  return [...names, ...Object.keys(route.aliases ?? {})];
}

const SHOWN_CHARS = 60;

/** Throws 400 for an unknown field. It may be misspelt, and the request must not be carried out, or charged, without it. */
export function refuseUnknown(
  at: string,
  value: Body,
  known: readonly string[],
  ignored: readonly string[] = [],
): void {
  for (const name of Object.keys(value)) {
    if (known.includes(name) || ignored.includes(name)) continue;
    const meant = nearest(name, known);
    const help = meant ? `did you mean ${at}${meant}?` : `known here: ${known.join(', ')}.`;
    throw badInput(`${at}${name.slice(0, SHOWN_CHARS)}`, `is not a known field; ${help}`);
  }
}

function readBody(route: PreparedRoute, request: FastifyRequest): Body {
  if (route.method === 'GET' || request.body == null) return {};
  if (typeof request.body !== 'object' || Array.isArray(request.body)) throw badInput('body', 'must be a JSON object.');
  const body = { ...(request.body as Body) };
  for (const [alias, name] of Object.entries(route.aliases ?? {}))
    if (alias in body && name in body && body[alias] !== body[name])
      throw badInput(alias, `is another name of ${name}: give one of them.`);
  for (const [name, alias] of Object.entries(aliasesIn(route, body))) body[name] = body[alias];
  return body;
}

/** Names of fields in this body by the operation's names, where they differ. */
export function aliasesIn({ aliases = {} }: PreparedRoute, body: unknown): Record<string, string> {
  if (typeof body !== 'object' || body === null) return {};
  const used = Object.entries(aliases).filter(([alias, name]) => alias in body && !(name in body));
  return Object.fromEntries(used.map(([alias, name]) => [name, alias]));
}

/** A query value arrives as text; numbers and booleans are read as the operation's type wants them. */
function fromQuery(name: string, value: unknown, type: string | undefined): unknown {
  if (Array.isArray(value)) throw badInput(name, 'must be given once.');
  if (type === 'Int' || type === 'Float') return value === '' || Number.isNaN(Number(value)) ? value : Number(value);
  if (type === 'Boolean') return value === 'true' ? true : value === 'false' ? false : value;
  return value;
}

/** Throws 400 where GraphQL would coerce: one item in the place of an array, a number in the place of an id. */
function checkShape(name: string, value: unknown, type: GraphQLInputType): void {
  if (value == null) return;
  if (isNonNullType(type)) checkShape(name, value, type.ofType);
  else if (isListType(type)) {
    if (!Array.isArray(value)) throw badInput(name, 'must be an array.');
    for (const [index, item] of value.entries()) checkShape(`${name}[${index}]`, item, type.ofType);
  } else if (isInputObjectType(type)) {
    const isObject = typeof value === 'object' && !Array.isArray(value);
    if (name && isObject) refuseUnknown(`${name}.`, value as Body, Object.keys(type.getFields()));
    for (const field of Object.values(type.getFields())) {
      checkShape(name ? `${name}.${field.name}` : field.name, (value as Body)[field.name], field.type);
    }
  } else if (type.name === 'ID' && typeof value !== 'string') throw badInput(name, 'must be a string.');
}
