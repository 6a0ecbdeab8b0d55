/**
 * The REST transport: each row of the table becomes a Fastify route that gathers variables from path, query and body and
 * executes the row's GraphQL operation in this process. It holds no rule of its own.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Executor } from '../resolvers/execute.ts';
import { answersSecret, IDEMPOTENCY_KEY_CHARS } from '../resolvers/idempotent.ts';
import { idempotencyOwner, type RequestContext } from '../resolvers/request-context.ts';
import { ruleOf } from '../src/auth/allow.ts';
import { authorize, type KeyedRequest } from '../src/auth/principal.ts';
import { badInput } from '../src/kernel/errors.ts';
import { sha256 } from '../src/kernel/ids.ts';
import { errorBody, firstError, inCallersWords, publicError, retryAfter } from './errors.ts';
import { type PreparedRoute, prepareRoutes } from './operations.ts';
import { aliasesIn, variablesOf } from './variables.ts';

type Body = Record<string, unknown>;

interface Answer {
  status: number;
  body: Body;
}

interface Page {
  nodes: unknown[];
  pageInfo?: { hasNextPage: boolean; endCursor: string };
}

/** Keys of charging requests (Idempotency-Key), and their results. */
export interface Idempotency {
  /** The answer to replay, or the request to run, with the result it has already, if any. Throws 409 and 422. */
  begin(
    caller: string,
    key: string,
    hash: { requestHash: string; sortedHash: string },
    isSecret: boolean,
  ): Promise<{ answer: Answer } | { request: KeyedRequest; result?: object }>;
  finish(request: KeyedRequest, answer: Answer): Promise<void>;
  /** Forgets a request that failed and has charged nothing, so that it may be sent again. */
  release(request: KeyedRequest): Promise<void>;
}

/** What the REST routes need of the program. */
export interface RestOptions {
  executor: Executor;
  contextFor(request: FastifyRequest): Promise<RequestContext>;
  idempotency: Idempotency;
  /** Public address of the API, for links to the next page. */
  baseUrl: string;
}

const CACHE_CONTROL = 'private, no-cache';

/** Mounts every row of the route table but those of OAuth. */
export function mountRest(app: FastifyInstance, options: RestOptions): void {
  for (const route of prepareRoutes(options.executor)) {
    if (route.oauth) continue;
    const callers = new WeakMap<FastifyRequest, RequestContext>();
    app.route({
      method: route.method,
      url: route.url,
      // Before the body is read: an unauthorized caller learns nothing about the body.
      onRequest: async (request, reply) => {
        try {
          const context = await options.contextFor(request);
          const rule = ruleOf(route.rootField);
          if (rule) authorize(rule, context.principal);
          callers.set(request, context);
        } catch (error) {
          return refuse(error, request, reply);
        }
      },
      handler: (request, reply) => answer(route, options, callers.get(request)!, request, reply),
    });
  }
}

/** Answers with the status, the headers and the body that an error has in REST. @param names see `inCallersWords` */
export function refuse(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  names: Readonly<Record<string, string>> = {},
): FastifyReply {
  const seen = inCallersWords(publicError(error, request.log), names);
  retryAfter(seen, reply);
  if (seen.status === 401) {
    void reply.header('www-authenticate', seen.code === 'INVALID_TOKEN' ? 'Bearer error="invalid_token"' : 'Bearer');
  }
  return reply.code(seen.status).send(errorBody(seen, request.id));
}

async function answer(
  route: PreparedRoute,
  options: RestOptions,
  context: RequestContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  try {
    const variables = variablesOf(route, options.executor.schema, request);
    const tag = await unchanged(route, options.executor, context, variables, request);
    if (tag) return reply.code(304).header('etag', tag).header('cache-control', CACHE_CONTROL).send();
    return await withIdempotency(route, options, context, request, reply, async (keyed) => {
      const run = { document: route.document, variables, context: { ...context, ...keyed } };
      const result = await options.executor.execute(run);
      const error = firstError(result);
      if (error) throw error;
      const data = result.data as Body;
      const status = typeof route.status === 'object' ? route.status.of(data) : (route.status ?? 200);
      return { status, body: shape(route, options, data, request, reply) };
    });
  } catch (error) {
    return refuse(error, request, reply, { ...route.called, ...aliasesIn(route, request.body) });
  }
}

/** The caller's ETag while it is current (304); undefined when the answer must be sent. */
async function unchanged(
  route: PreparedRoute,
  executor: Executor,
  context: RequestContext,
  variables: Body,
  request: FastifyRequest,
): Promise<string | undefined> {
  const asked = request.headers['if-none-match'];
  if (!asked || !route.tagDocument) return undefined;
  const result = await executor.execute({ document: route.tagDocument, variables, context });
  const error = firstError(result);
  if (error) throw error;
  const current = `"${(result.data as { tag: string }).tag}"`;
  const tags = asked.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(current) || tags.includes('*') ? current : undefined;
}

/** The documented body: the data or its one root field, without the nulls that the documentation omits. */
function shape(
  route: PreparedRoute,
  { baseUrl }: RestOptions,
  data: Body,
  request: FastifyRequest,
  reply: FastifyReply,
): Body {
  const body = (route.body === 'root' ? data[route.dataField] : data) as Body;
  if (route.tag) {
    void reply.header('etag', `"${String(body.tag)}"`).header('cache-control', CACHE_CONTROL);
    body.tag = undefined;
  }
  if (route.list) {
    const { nodes, pageInfo } = body[route.list] as Page;
    body[route.list] = nodes;
    if (pageInfo?.hasNextPage) {
      const asked = request.query as Record<string, string>;
      const address = new URLSearchParams({ ...asked, after: pageInfo.endCursor });
      void reply.header('link', `<${baseUrl}${request.url.split('?')[0]}?${address}>; rel="next"`);
      if (!route.documentedWhole || 'first' in asked || 'after' in asked) body.next = pageInfo.endCursor;
    }
  }
  if (route.omitNulls) omit(body, route.omitNulls);
  return body;
}

function omit(value: unknown, names: readonly string[]): void {
  if (Array.isArray(value)) {
    for (const item of value) omit(item, names);
  } else if (value !== null && typeof value === 'object') {
    const object = value as Body;
    // Set to undefined, which JSON leaves out: `delete` would turn each turn into a slow dictionary before it is serialised.
    for (const name of names) if (object[name] === null) object[name] = undefined;
    for (const name in object) if (typeof object[name] === 'object') omit(object[name], names);
  }
}

/**
 * Replacer for JSON.stringify that sorts fields: a program whose dictionaries have no order may send the same request again in
 * another order.
 */
const sortFields = (_: string, value: unknown): unknown =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

async function withIdempotency(
  route: PreparedRoute,
  options: RestOptions,
  context: RequestContext,
  request: FastifyRequest,
  reply: FastifyReply,
  run: (keyed?: Pick<RequestContext, 'keyed' | 'earlierResult'>) => Promise<Answer>,
): Promise<FastifyReply> {
  const key = request.headers['idempotency-key'];
  if (!route.idempotent || typeof key !== 'string' || !context.principal) {
    const { status, body } = await run();
    return reply.code(status).send(body);
  }
  if (key.length === 0 || key.length > IDEMPOTENCY_KEY_CHARS) {
    throw badInput('Idempotency-Key', `must have 1 to ${IDEMPOTENCY_KEY_CHARS} characters.`);
  }
  const caller = idempotencyOwner(context.principal);
  const sent = [route.method, request.url, request.body ?? null];
  const hash = { requestHash: sha256(JSON.stringify(sent)), sortedHash: sha256(JSON.stringify(sent, sortFields)) };
  const known = await options.idempotency.begin(caller, key, hash, answersSecret(route.rootField));
  if ('answer' in known) {
    return reply.code(known.answer.status).header('idempotency-replayed', 'true').send(known.answer.body);
  }
  const { request: keyed, result: earlierResult } = known;
  const note = (work: Promise<void>): Promise<void> =>
    work.catch((error: unknown) => request.log.error({ err: error }, 'idempotency key not written'));
  try {
    const answered = await run({ keyed, ...(earlierResult ? { earlierResult } : {}) });
    // The result is answered even if this fails: it is stored with the key, and a repeated request is not charged twice.
    await note(options.idempotency.finish(keyed, answered));
    if (earlierResult) void reply.header('idempotency-replayed', 'true');
    return reply.code(answered.status).send(answered.body);
  } catch (error) {
    await note(options.idempotency.release(keyed));
    throw error;
  }
}
