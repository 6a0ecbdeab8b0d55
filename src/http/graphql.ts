/** GraphQL over HTTP: Apollo Server over the one executor. It parses, validates and limits; it holds no rule. */
import { ApolloServer, type ApolloServerPlugin, type GraphQLRequestListener, HeaderMap } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
} from '@apollo/server/plugin/disabled';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  type DocumentNode,
  type ExecutionResult,
  GraphQLError,
  type GraphQLFormattedError,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
} from 'graphql';
import { inTheirWords, inTodaysForm } from '../../resolvers/earlier-arguments.ts';
import type { Executor } from '../../resolvers/execute.ts';
import { PreparedIntrospection } from '../../resolvers/introspection.ts';
import { MAX_TOKENS, pointsOf, pointsOfPrepared, VALIDATION_RULES } from '../../resolvers/limits.ts';
import type { RequestContext } from '../../resolvers/request-context.ts';
import type { AskedDocument, TrustedDocuments } from '../../resolvers/trusted-documents.ts';
import { passing, publicError } from '../../rest-compat/errors.ts';
import { ERROR_KINDS } from '../../schema/errors.ts';
import type { App } from '../app/app.ts';
import { EventStreams, wantsEvents } from '../services/live/transport/event-stream.transport.ts';
import { refusal } from '../services/live/transport/socket-error.rules.ts';
import { answerByApollo } from './apollo-answers.ts';

/** Refusals of the document itself (syntax, validation, limits) speak for themselves; everything else goes through our table. */
const APOLLO_CODES = new Set([
  'PERSISTED_QUERY_NOT_FOUND',
  'PERSISTED_QUERY_NOT_SUPPORTED',
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'OPERATION_RESOLUTION_FAILURE',
  'BAD_REQUEST',
  'UNTRUSTED_DOCUMENT',
]);

/** Headers that a page of another site can send only after the browser has asked us. Apollo's own two. */
const ASKED_BEFORE = ['apollo-require-preflight', 'x-apollo-operation-name'] as const;

/**
 * Clients such as urql send queries by GET with nothing but Accept, which Apollo refuses: a form or image of another
 * site could send them with the visitor's cookies. None is read here, and one that came along says that it was such a
 * page; what is left asks for GraphQL by its own media type, changes nothing (mutations by GET are a 405) and reads what
 * every caller may. With Authorization, which no page adds unasked, it passes anyway.
 */
const isHarmlessGet = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' &&
  headers.cookie === undefined &&
  Boolean(headers.accept?.includes('application/graphql-response+json'));

const LISTENER: GraphQLRequestListener<RequestContext> = {
  /** Texts of the earlier form of mutations are kept in today's: what was sent before is neither parsed nor looked at again. */
  async parsingDidStart(request) {
    return async () => {
      if (request.document) Object.assign(request, { document: inTodaysForm(request.schema, request.document) });
    };
  },
  async validationDidStart({ document }) {
    return async (errors) => {
      for (const error of errors ?? []) error.message = inTheirWords(document, error.message);
    };
  },
  /** Every error names the request, as REST's do: it is what the log knows it by. */
  async didEncounterErrors({ errors, contextValue: { requestId } }) {
    for (const { extensions } of errors) extensions.requestId = requestId;
  },
};

const LISTEN: ApolloServerPlugin<RequestContext> = { requestDidStart: async () => LISTENER };

/** A new one each time: each is given the id of its request. */
const onlyLive = (): GraphQLError =>
  new GraphQLError(
    'Subscriptions are followed at this address over WebSocket (graphql-transport-ws) or as text/event-stream.',
    { extensions: { code: 'BAD_REQUEST', http: { status: 400 } } },
  );

/** True for what Apollo itself refuses without a code: what is wrong with a persisted query. */
const isBadRequest = (error: unknown): boolean =>
  error instanceof GraphQLError &&
  !error.originalError &&
  error.extensions.code === undefined &&
  (error.extensions.http as { status?: number } | undefined)?.status === 400;

/** What a caller over HTTP or WebSocket sees of an error. The request is named in its extensions where it is not given. */
export function publicGraphqlError(
  formatted: GraphQLFormattedError,
  error: unknown,
  app: App,
  requestId = formatted.extensions?.requestId,
): GraphQLFormattedError {
  const location = formatted.locations ? { locations: formatted.locations } : {};
  const path = formatted.path ? { path: formatted.path } : {};
  const named = requestId === undefined ? {} : { requestId };
  const code = isBadRequest(error) ? 'BAD_REQUEST' : String(formatted.extensions?.code);
  if (APOLLO_CODES.has(code)) return { message: formatted.message, ...location, extensions: { code, ...named } };
  const seen = publicError(error, app.log.child(named));
  return { message: seen.message, ...location, ...path, extensions: { ...seen.details, code: seen.code, ...named } };
}

/** The error with the status and the headers of what cannot be answered now; as it is, where it is another. */
function withWait(error: GraphQLError): GraphQLError {
  const wait = passing(error);
  if (!wait) return error;
  const http = { status: wait.status, headers: new HeaderMap([['retry-after', String(wait.seconds)]]) };
  const { message, nodes, path, originalError, extensions } = error;
  return new GraphQLError(message, { nodes, path, originalError, extensions: { ...extensions, http } });
}

/**
 * An operation of which nothing can be answered now is a 429 or 503; one that has an answer in part stays a 200, and so does a
 * mutation that may have done something: it is not to be sent again. Mutations run in turn, so that nothing was done only where
 * the first of them failed by itself, not in a field of its answer.
 */
function withStatus(result: ExecutionResult, operation?: OperationDefinitionNode | null): ExecutionResult {
  const { data, errors } = result;
  if (!errors || Object.values(data ?? {}).some((value) => value !== null)) return result;
  if (operation?.operation === 'mutation') {
    const [first] = operation.selectionSet.selections;
    const key = first?.kind === Kind.FIELD ? (first.alias ?? first.name).value : undefined;
    if (errors.some(({ path }) => path && (path.length > 1 || path[0] !== key))) return result;
  }
  return { ...result, errors: errors.map(withWait) };
}

/** What carries out the operations of requests, and as whom. */
export interface OperationRunner {
  executor: Executor;
  contextFor: (request: FastifyRequest) => Promise<RequestContext>;
  /** The only operations that are taken; without it, all. */
  trusted?: TrustedDocuments | undefined;
}

/**
 * Apollo on `/graphql`; it hands every operation to the executor that also serves REST, pages and sockets. Returns the streams of
 * events that are answered there.
 */
export async function mountGraphql(
  fastify: FastifyInstance,
  app: App,
  { executor, contextFor, trusted }: OperationRunner,
): Promise<EventStreams> {
  const withKey = async (request: FastifyRequest): Promise<RequestContext> => {
    const context = await contextFor(request);
    const key = request.headers['idempotency-key'];
    return typeof key === 'string' ? { ...context, idempotencyKey: key } : context;
  };
  const apollo = apolloOver(executor, app);
  await apollo.start();
  fastify.addHook('onClose', () => apollo.stop());
  const streams = eventStreams(app, { executor, contextFor: withKey, trusted });
  fastify.addHook('preClose', async () => streams.close());
  const contextOf = (request: FastifyRequest): Promise<RequestContext> =>
    withKey(request).catch((error: Error) => {
      const extensions = { requestId: request.id };
      throw withWait(new GraphQLError(error.message, { originalError: error, extensions }));
    });
  const prepared = new PreparedIntrospection(executor.schema);
  fastify.route({
    method: ['GET', 'POST'],
    url: '/graphql',
    // Without hooks: each costs a read microseconds, and where a stream is cut off, Fastify would go on and answer a second time.
    handler(request, reply) {
      if (wantsEvents(request)) return streams.answer(request, reply);
      const before = trusted
        ? nameTrusted(trusted, request, reply)
        : answerIntrospection(app, prepared, request, reply);
      if (before) return before;
      if (isHarmlessGet(request)) request.headers[ASKED_BEFORE[0]] = 'true';
      const answered = answerByApollo(apollo, request, reply, () => contextOf(request));
      return answered.then((answer) => (reply.statusCode < 400 ? answer : naming(answer, request.id)));
    },
  });
  return streams;
}

/** Apollo Server with our limits, errors and executor in the place of its own. */
function apolloOver(executor: Executor, app: App): ApolloServer<RequestContext> {
  return new ApolloServer<RequestContext>({
    gateway: {
      load: async () => ({ schema: executor.schema, executor: (given) => executeCounted(executor, app, given) }),
      onSchemaLoadOrUpdate: (callback) => {
        callback({ apiSchema: executor.schema, coreSupergraphSdl: '' });
        return () => {};
      },
      stop: async () => {},
    },
    validationRules: [...VALIDATION_RULES],
    parseOptions: { maxTokens: MAX_TOKENS },
    introspection: true,
    csrfPrevention: { requestHeaders: [...ASKED_BEFORE, 'authorization'] },
    allowBatchedHttpRequests: false,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    formatError: (formatted, error) => publicGraphqlError(formatted, error, app),
    plugins: [
      // It looks at every answer to find what we say below of all of them.
      ApolloServerPluginCacheControlDisabled(),
      // Of a subgraph it would show every caller how long each field took.
      ApolloServerPluginInlineTraceDisabled(),
      LISTEN,
    ],
  });
}

/** An operation as Apollo hands it on: parsed and validated. */
interface ApolloOperation {
  document: DocumentNode;
  request: { operationName?: string; variables?: Record<string, unknown> };
  context: object;
}

/** Executes an operation that Apollo has validated, once its points are taken from the caller's budget of requests. */
async function executeCounted(
  executor: Executor,
  app: App,
  { document, request, context: given }: ApolloOperation,
): Promise<ExecutionResult> {
  // Apollo's own `operationName` beside is that of the operation it found; this one is as it was sent.
  const { operationName = null, variables = {} } = request;
  const context = given as RequestContext;
  const operation = getOperationAST(document, operationName);
  if (operation?.operation === 'subscription') return { errors: [onlyLive()] };
  try {
    // One was counted when the request came.
    const more = pointsOf(executor.schema, document, variables) - 1;
    if (more > 0) await app.limits.count('request', context.address, more);
  } catch (error) {
    return withStatus({ errors: [refusal(error as Error)] });
  }
  return withStatus(await executor.execute({ document, operationName, variables, context }), operation);
}

/** Operations over server-sent events, at the same address. */
function eventStreams(app: App, { executor, contextFor, trusted }: OperationRunner): EventStreams {
  return new EventStreams({
    live: app.services.live,
    rates: app.limits,
    executor,
    trusted,
    contextFor,
    format: ({ errors, ...result }, requestId) => ({
      ...result,
      ...(errors ? { errors: errors.map((error) => publicGraphqlError(error.toJSON(), error, app, requestId)) } : {}),
    }),
  });
}

/** A refusal that names its request, also where Apollo read no operation and so asked for no context. */
function naming(answer: string, requestId: string): string {
  const { errors, ...result } = JSON.parse(answer) as { errors: GraphQLFormattedError[] };
  const named = errors.map((error) => ({ ...error, extensions: { ...error.extensions, requestId } }));
  return `${JSON.stringify({ errors: named, ...result })}\n`;
}

const JSON_TYPES = ['application/graphql-response+json', 'application/json'];

const jsonTypeOf = ({ headers: { accept } }: FastifyRequest): string =>
  JSON_TYPES.find((known) => accept?.includes(known)) ?? 'application/json';

/** Puts the text of the registered operation in place of what named it; refuses every other one, that of tools included. */
function nameTrusted(
  trusted: TrustedDocuments,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | undefined {
  const isGet = request.method === 'GET';
  const given = (isGet ? request.query : request.body) as (AskedDocument & Record<string, unknown>) | null | undefined;
  try {
    const query = trusted.textOf(given ?? {});
    const { operationName, variables } = given ?? {};
    const all = Object.entries({ query, operationName, variables });
    const known = all.filter(([, value]) => value !== undefined);
    // Apollo reads the address anew.
    if (isGet)
      request.raw.url = `/graphql?${new URLSearchParams(known.map(([name, value]): [string, string] => [name, String(value)]))}`;
    else request.body = Object.fromEntries(known);
    return undefined;
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    const { code } = error.extensions;
    const answer = { errors: [{ message: error.message, extensions: { code, requestId: request.id } }] };
    const { status } = ERROR_KINDS.find((kind) => kind.code === code) ?? { status: 400 };
    return reply
      .code(status)
      .type(`${jsonTypeOf(request)}; charset=utf-8`)
      .send(answer);
  }
}

/** Answers the introspection that tools send from a prepared text; undefined for everything else. */
function answerIntrospection(
  app: App,
  prepared: PreparedIntrospection,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> | undefined {
  const { query } = (request.method === 'POST' ? (request.body ?? {}) : {}) as { query?: unknown };
  const answer = typeof query === 'string' ? prepared.answer(query) : undefined;
  if (answer === undefined) return undefined;
  // One was counted when the request came.
  const counted = app.limits.count('request', request.ip, pointsOfPrepared(answer) - 1);
  return counted.then(() => reply.type(`${jsonTypeOf(request)}; charset=utf-8`).send(answer));
}
