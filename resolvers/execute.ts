/**
 * ONE execution for every transport. Variables are coerced by graphql-js, whose rules are the specification's; queries run
 * compiled by graphql-jit (`compiled-queries.ts`); mutations, and whatever jit refuses, run by graphql-js. Transports hand in
 * who asks (`request-context.ts`); here alone the services and loaders that resolvers read through are added to it.
 */
import {
  type DocumentNode,
  type ExecutionResult,
  execute as executeByInterpreter,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  getVariableValues,
} from 'graphql';
import { runAsAccount } from '../src/kernel/work-account.ts';
import type { CompiledQueries } from './compiled-queries.ts';
import type { Context, Services } from './context.ts';
import { createLoaders } from './loaders.ts';
import { refusedValue } from './refused-values.ts';
import type { RequestContext } from './request-context.ts';
import { resultsOf, updatesOf } from './subscriptions.ts';

/** One GraphQL operation to execute in the name of its context. */
export interface ExecuteRequest {
  document: DocumentNode;
  operationName?: string | null;
  variables?: Record<string, unknown> | null;
  context: RequestContext;
}

/** Executes operations for all transports, each document parsed, checked and compiled once. */
export interface Executor {
  readonly schema: GraphQLSchema;
  execute(request: ExecuteRequest): Promise<ExecutionResult>;
  /**
   * The results of a subscription, or why there are none. With a sink in the context the updates are written to that, and
   * what is iterated over only ends.
   */
  subscribe(request: ExecuteRequest): Promise<AsyncIterable<ExecutionResult> | ExecutionResult>;
  /**
   * The result of a subscription for one update. The context is that of a viewer, or has no caller where many viewers share the
   * result.
   */
  executeUpdate(request: ExecuteRequest, update: unknown): Promise<ExecutionResult>;
  /** Compiles now; for documents that are known at start. */
  prepare(document: DocumentNode): void;
}

const MAX_VARIABLE_ERRORS = 10;

/** The executor of these services. */
export function createExecutor(queries: CompiledQueries, services: Services): Executor {
  const { schema } = queries;
  /** Loaders live as long as one operation. */
  const withServices = (context: RequestContext): Context => ({
    ...context,
    services,
    loaders: createLoaders(services, context.principal),
  });
  const argumentsOf = ({ document, operationName, variables, context }: ExecuteRequest) => ({
    schema,
    document,
    contextValue: withServices(context),
    variableValues: variables ?? {},
    ...(operationName == null ? {} : { operationName }),
  });
  const executeUpdate = async (request: ExecuteRequest, rootValue: unknown): Promise<ExecutionResult> =>
    executeByInterpreter({ ...argumentsOf(request), rootValue });

  return {
    schema,
    prepare: (document) => queries.prepare(document),
    executeUpdate,
    async execute(request) {
      const { document, operationName, variables, context } = request;
      const operation = getOperationAST(document, operationName);
      if (!operation) return { errors: [new GraphQLError('The operation was not found in the document.')] };
      const coerced = getVariableValues(schema, operation.variableDefinitions ?? [], variables ?? {}, {
        maxErrors: MAX_VARIABLE_ERRORS,
      });
      if (coerced.errors) return { errors: coerced.errors.map(badVariable) };
      const misplaced = refusedValue(schema, document, operation, coerced.coerced);
      if (misplaced) return { errors: [misplaced] };
      const compiled = queries.queryFor(document, operation);
      const account = context.principal?.userId ?? context.address;
      // Not the context itself: what outlives the request would keep all of it in memory.
      const { requestId, traceparent, span } = context;
      const origin = { requestId, traceparent, span };
      if (compiled) {
        const run = () => compiled.query(undefined, withServices(context), coerced.coerced);
        return rewrapped(await runAsAccount(account, run, origin));
      }
      return runAsAccount(account, () => executeByInterpreter(argumentsOf(request)), origin);
    },
    async subscribe(request) {
      const { principal, address, sink } = request.context;
      const updates = await updatesOf(argumentsOf(request));
      if (!(Symbol.asyncIterator in updates)) return updates;
      if (sink) return updates as AsyncIterable<ExecutionResult>;
      // New loaders for each update: what the last one read may have changed.
      const show = async (update: unknown): Promise<ExecutionResult> =>
        runAsAccount(principal?.userId ?? address, () => executeUpdate(request, update));
      return resultsOf(updates, show);
    },
  };
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
