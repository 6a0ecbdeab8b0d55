/**
 * ONE execution for every transport. Variables are coerced by graphql-js, whose rules are the specification's; queries run
 * compiled by graphql-jit; mutations, and whatever jit refuses, run by graphql-js. The REST table compiles its
 * operations at start; a client's document is compiled at its third sight, because compiling costs more than running.
 */
import {
  type DocumentNode,
  type ExecutionResult,
  execute as executeByInterpreter,
  extendSchema,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  visit,
} from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';
import { LRUCache } from 'lru-cache';
import { badInput } from '../src/kernel/errors.ts';
import { isStorable } from '../src/kernel/limits.ts';
import { runAsAccount } from '../src/kernel/work-account.ts';
import type { Context } from './context.ts';
import { placeOf, refusedNull } from './null-variables.ts';

/** One GraphQL operation to execute in the name of its context. */
export interface ExecuteRequest {
  document: DocumentNode;
  operationName?: string | null;
  variables?: Record<string, unknown> | null;
  context: Context;
}

/** Executes operations for all transports, each document parsed, checked and compiled once. */
export interface Executor {
  readonly schema: GraphQLSchema;
  execute(request: ExecuteRequest): Promise<ExecutionResult>;
  /** Compiles now; for documents that are known at start. */
  prepare(document: DocumentNode): void;
}

const COMPILE_AT_SIGHT = 3;
const MAX_DOCUMENTS = 500;
const MAX_VARIABLE_ERRORS = 10;
/** A scalar that lets through what graphql-js has already coerced: jit's own variable parser is wrong. */
const COERCED = 'AlreadyCoerced';

interface Seen {
  sights: number;
  /** null: jit refused it. */
  compiled?: CompiledQuery | null;
}

/** The executor of a schema. */
export function createExecutor(schema: GraphQLSchema): Executor {
  const jitSchema = extendSchema(schema, parse(`scalar ${COERCED}`));
  const seen = new LRUCache<string, Seen>({ max: MAX_DOCUMENTS });
  const byDocument = new WeakMap<DocumentNode, Map<string, Seen>>();

  function compile(document: DocumentNode, operationName: string | undefined): CompiledQuery | null {
    const passThrough = visit(document, {
      VariableDefinition: (node) => ({
        kind: Kind.VARIABLE_DEFINITION,
        variable: node.variable,
        type: { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: COERCED } },
      }),
    });
    const compiled = compileQuery(jitSchema, passThrough, operationName);
    return isCompiledQuery(compiled) ? compiled : null;
  }

  /** What is known of a document; the same text in another parse is the same document. */
  function recall(document: DocumentNode, operationName: string | undefined): Seen {
    const mine = byDocument.get(document) ?? new Map<string, Seen>();
    byDocument.set(document, mine);
    const known = mine.get(operationName ?? '');
    if (known) return known;
    const key = `${operationName ?? ''}\n${print(document)}`;
    const entry = seen.get(key) ?? { sights: 0 };
    seen.set(key, entry);
    mine.set(operationName ?? '', entry);
    return entry;
  }

  function compiledFor(document: DocumentNode, operation: OperationDefinitionNode): CompiledQuery | null {
    const entry = recall(document, operation.name?.value);
    entry.sights += 1;
    if (entry.compiled === undefined && entry.sights >= COMPILE_AT_SIGHT) {
      entry.compiled = compile(document, operation.name?.value);
    }
    return entry.compiled ?? null;
  }

  return {
    schema,
    prepare(document) {
      const operation = getOperationAST(document);
      if (operation?.operation !== 'query') return;
      const entry = recall(document, operation.name?.value);
      if (entry.compiled === undefined) entry.compiled = compile(document, operation.name?.value);
    },
    async execute({ document, operationName, variables, context }) {
      const operation = getOperationAST(document, operationName);
      if (!operation) return { errors: [new GraphQLError('The operation was not found in the document.')] };
      const coerced = getVariableValues(schema, operation.variableDefinitions ?? [], variables ?? {}, {
        maxErrors: MAX_VARIABLE_ERRORS,
      });
      if (coerced.errors) return { errors: coerced.errors.map(badVariable) };
      const misplaced = refusedValue(schema, document, operation, coerced.coerced);
      if (misplaced) return { errors: [misplaced] };
      const compiled = operation.operation === 'query' ? compiledFor(document, operation) : null;
      const account = context.principal?.userId ?? context.address;
      // Not the context itself: whatever outlives the request would keep all that it holds.
      const { requestId, traceparent, span } = context;
      const origin = { requestId, traceparent, span };
      if (compiled) {
        return rewrapped(
          await runAsAccount(account, () => compiled.query(undefined, context, coerced.coerced), origin),
        );
      }
      const interpret = () =>
        executeByInterpreter({
          schema,
          document,
          contextValue: context,
          variableValues: variables ?? {},
          ...(operationName == null ? {} : { operationName }),
        });
      return runAsAccount(account, interpret, origin);
    },
  };
}

/** Why an operation is not begun with these coerced values of its variables; undefined where it may be. */
export function refusedValue(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  values: Record<string, unknown>,
): GraphQLError | undefined {
  const odd = unstorable(document, values);
  const error = odd
    ? badInput(odd, 'has characters that are not text.')
    : refusedNull(schema, document, operation, values);
  return error && new GraphQLError(error.message, { originalError: error, extensions: { code: error.code } });
}

/** jit's errors look like GraphQL errors and are not: Apollo throws on them, because they have no extensions. */
function rewrapped(result: ExecutionResult): ExecutionResult {
  if (!result.errors) return result;
  const errors = result.errors.map((error) => {
    const { message, nodes, path, originalError } = error;
    return new GraphQLError(message, { nodes, path, originalError, extensions: error.extensions ?? {} });
  });
  return { ...result, errors };
}

function badVariable(error: GraphQLError): GraphQLError {
  return new GraphQLError(error.message, {
    nodes: error.nodes,
    extensions: { ...error.extensions, code: 'BAD_INPUT' },
  });
}

/** Also where several places had one, and each got its own (`takeEarlier`). */
const INPUT = /^input(?:_\d+)?$/;

/** The path of the first text that cannot be stored, from the place that its variable is given to. */
function unstorable(document: DocumentNode, values: Record<string, unknown>): string | undefined {
  for (const [name, value] of Object.entries(values)) {
    const within = oddText(value);
    if (!within) continue;
    const place = placeOf(document, name) ?? name;
    return (INPUT.test(place) && within.length > 0 ? within : [place, ...within]).join('.');
  }
  return undefined;
}

/** Names of the fields that lead to a text that cannot be stored; undefined where there is none. */
function oddText(value: unknown): string[] | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : [];
  // Bytes of a form are no text.
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    const found = oddText(inner);
    if (found) return Array.isArray(value) ? found : [name, ...found];
  }
  return undefined;
}
