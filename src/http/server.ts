/**
 * The web process: Fastify with GraphQL (Apollo over the one executor), the REST table, media, health and metrics, and
 * the live sockets. It mounts transports; it holds no rule.
 */
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type CompiledQueries, compileQueries } from '../../resolvers/compiled-queries.ts';
import { takeEarlier } from '../../resolvers/earlier-arguments.ts';
import { createExecutor, type Executor } from '../../resolvers/execute.ts';
import { limitFailures } from '../../resolvers/rate-limits.ts';
import type { RequestContext } from '../../resolvers/request-context.ts';
import { createSchema, createSubgraphSchema } from '../../resolvers/schema.ts';
import { readTrustedDocuments, TrustedDocuments } from '../../resolvers/trusted-documents.ts';
import { errorBody, publicError } from '../../rest-compat/errors.ts';
import { mountRest, refuse } from '../../rest-compat/handler.ts';
import { mountOAuth } from '../../rest-compat/oauth-endpoints.ts';
import { createOpenApi } from '../../rest-compat/openapi.ts';
import type { App } from '../app/app.ts';
import type { WorkerProcess } from '../app/worker-process.ts';
import { isDemoProof } from '../auth/demo-proof.ts';
import { toolsResource } from '../auth/oauth-resources.ts';
import type { Config } from '../kernel/config.ts';
import { badInput, PlatformError } from '../kernel/errors.ts';
import { LIMITS } from '../kernel/limits.ts';
import { mountTools } from '../mcp/mount.ts';
import { waitingCalls } from '../mcp/run.ts';
import { mountPages, OWN_GRAPHQL, socketAuthorization } from '../pages/index.ts';
import { ownDocuments } from '../pages/own-documents.ts';
import { attachLive, type LiveTransport } from '../services/live/transport/live.transport.ts';
import { mediaResponse, streamResponse } from '../storage/serve.ts';
import { trackMethods } from './allowed-methods.ts';
import { compressTexts } from './compression.ts';
import {
  answerBroken,
  CONNECTION_LIMITS,
  type ConnectionLimits,
  httpDeadlines,
  limitConnections,
} from './connection-limits.ts';
import { trackTaken } from './drain.ts';
import { mountGraphql, publicGraphqlError } from './graphql.ts';
import { answerPreflights, commonHeaders } from './headers.ts';
import { isProbe, mountHealth } from './health.ts';
import { mountMetrics } from './metrics.ts';
import { Thumbnails } from './thumbnails.ts';
import { RequestSpans, requestIdOf } from './tracing.ts';
import { mountTranscriptions } from './transcriptions.ts';
import { mountUploads } from './uploads.ts';

/** A web server that listens. */
export interface RunningServer {
  port: number;
  fastify: FastifyInstance;
  live: LiveTransport;
  /** Runs what every transport of this process asks. */
  executor: Executor;
  close(): Promise<void>;
}

/** What a web process serves, and where. */
export interface ServerOptions {
  /** Other ones than the usual are for tests, which do not wait for minutes. */
  connectionLimits?: ConnectionLimits;
  /** The worker beside this process, for /metrics. */
  worker?: Pick<WorkerProcess, 'stats' | 'metrics'> | undefined;
}

/** Mounts everything and listens. Rejects when the port is taken. */
export async function startServer(app: App, options: ServerOptions = {}): Promise<RunningServer> {
  const { connectionLimits = CONNECTION_LIMITS, worker } = options;
  const headers = commonHeaders(app.config.BASE_URL);
  const spans = new RequestSpans(app.tracer);
  const fastify = Fastify({
    loggerInstance: app.log as FastifyBaseLogger,
    disableRequestLogging: true,
    genReqId: requestIdOf,
    requestIdLogLabel: 'requestId',
    childLoggerFactory: spans.logOf,
    // Without proxies the address is the socket's, and no header is parsed.
    trustProxy: app.config.TRUST_PROXY > 0 && ((_address, hop) => hop < app.config.TRUST_PROXY),
    bodyLimit: LIMITS.jsonBodyBytes,
    routerOptions: { maxParamLength: 300 },
    forceCloseConnections: true,
    // While it stops, what still comes on an open connection is answered as well, and the connection then closed.
    return503OnClosing: false,
    requestTimeout: connectionLimits.uploadMs,
    clientErrorHandler: answerBroken,
    http: {
      ...httpDeadlines(connectionLimits),
      // Java's HttpClient offers h2c with every request: what asks for anything but a WebSocket is served as it is.
      shouldUpgradeCallback: ({ headers }: IncomingMessage) => /^websocket$/i.test(headers.upgrade ?? ''),
    } as object,
    // An address that cannot be decoded, or has too long a part, never gets to a route, nor to a hook.
    frameworkErrors: ({ code }, request, reply) => {
      headers(request, reply, () => {});
      const isLong = code === 'FST_ERR_MAX_PARAM_LENGTH';
      const wrong = isLong ? 'has a part that is longer than any here.' : 'has a % that encodes nothing.';
      const seen = publicError(badInput('url', wrong), request.log);
      return (reply as FastifyReply).code(seen.status).send(errorBody(seen, request.id));
    },
  });
  observe(fastify, app.tracer && spans);
  compressTexts(fastify);
  const methodsOf = trackMethods(fastify);
  const answerTaken = trackTaken(fastify);
  readJson(fastify);
  fastify.setErrorHandler((error, request, reply) => {
    return refuse(asPlatformError(error, request), request, reply);
  });
  fastify.addHook('onRequest', headers);
  if (app.config.TRUST_PROXY === 0) warnOfProxy(fastify, app.log);
  const connections = limitConnections(fastify, {
    limits: connectionLimits,
    counts: app.config.RATE_LIMITS === 'on',
    trustsProxy: app.config.TRUST_PROXY > 0,
    log: app.log,
  });
  if (app.config.RATE_LIMITS === 'on') fastify.addHook('onRequest', (request, reply) => budget(app, request, reply));

  mountHealth(fastify, app);
  let streams: { size: number } | undefined;
  const liveCounts = () => {
    const { feeds, accounts } = app.services.live;
    const { feeds: accountFeeds, viewers: accountViewers, deliveries: accountDeliveries } = accounts.feeds.stats;
    const ofAccounts = { accountFeeds, accountViewers, accountDeliveries };
    return { ...live.stats, ...feeds.stats, ...ofAccounts, streams: streams?.size ?? 0, toolCalls: waitingCalls() };
  };
  mountMetrics(fastify, app, { process: 'web', liveCounts, connections, guesses: app.limits.stats, worker });
  mountMedia(fastify, app);
  const executor = await openExecutor(app);
  const contextFor = (request: FastifyRequest, authorization = request.headers.authorization, resource?: string) =>
    contextOf(app, spans, request, authorization, resource);
  mountUploads(fastify, app, { executor, contextFor });
  mountTranscriptions(fastify, { executor, contextFor });
  const trusted = openTrusted(app);
  streams = await mountGraphql(fastify, app, { executor, contextFor, trusted });
  mountRest(fastify, {
    executor,
    contextFor,
    idempotency: app.idempotency,
    baseUrl: app.config.BASE_URL,
  });
  mountOAuth(fastify, {
    executor,
    contextFor,
    baseUrl: app.config.BASE_URL,
    siteUrl: app.config.SITE_URL,
    takes: {
      registration: app.config.OAUTH_REGISTRATION === 'on',
      refresh: app.config.OAUTH_REFRESH_DAYS > 0,
      introspection: app.config.OAUTH_INTROSPECTION === 'on',
      par: app.config.OAUTH_PAR === 'on',
    },
  });
  mountTools(fastify, {
    executor,
    contextFor: (request) => contextFor(request, request.headers.authorization, toolsResource(app.config.BASE_URL)),
    notifier: app.notifier,
    baseUrl: app.config.BASE_URL,
    siteUrl: app.config.SITE_URL,
  });
  const { BASE_URL: baseUrl, SITE_URL: siteUrl } = app.config;
  let described: object | undefined;
  // At its first need: to make it is a tenth of a start.
  const openApi = () => (described ??= createOpenApi(executor.schema, { baseUrl, siteUrl }));
  const pageNotFound = mountPages(fastify, {
    executor,
    contextFor: (request, authorization) => contextFor(request, authorization ?? ''),
    siteUrl: app.config.SITE_URL,
    baseUrl: app.config.BASE_URL,
    securityContact: app.config.SECURITY_CONTACT,
    creditsUrl: app.config.CREDITS_URL,
    openApi,
    clock: app.clock,
    sendsMail: app.config.SMTP_URL !== undefined,
    isDemoAccount: ({ email, password, proof }) => isDemoProof(app.secrets.encryption, email, password, proof),
    readImage: async (url) => {
      const own = app.links.parseOwnUrl(url);
      return own?.granted ? app.store.readBytes(own.key) : undefined;
    },
  });
  fastify.setNotFoundHandler((request, reply) => {
    const page = pageNotFound(request, reply);
    if (page) return page;
    const allowed = methodsOf(request);
    if (allowed) {
      const seen = { status: 405, code: 'METHOD_NOT_ALLOWED', message: `This address takes ${allowed}.` };
      return reply.code(405).header('allow', allowed).send(errorBody(seen, request.id));
    }
    const seen = { status: 404, code: 'NOT_FOUND', message: 'There is nothing at this address.' };
    return reply.code(404).send(errorBody(seen, request.id));
  });
  const live = mountLive(fastify, app, { executor, trusted });
  fastify.addHook('preClose', () => answerTaken(connectionLimits));
  answerPreflights(fastify);
  await fastify.listen({ port: app.config.PORT, host: app.config.HOST });
  return {
    port: (fastify.server.address() as AddressInfo).port,
    fastify,
    live,
    executor,
    close: () => fastify.close(),
  };
}

/** By FEDERATION: documents are compiled once a process. */
const queries = new Map<Config['FEDERATION'], Promise<CompiledQueries>>();

/** What executes every operation of this process; workers have none. */
async function openExecutor({ config: { FEDERATION, RATE_LIMITS }, limits, services }: App): Promise<Executor> {
  const schemaOf = FEDERATION === 'on' ? createSubgraphSchema : createSchema;
  const compiled = queries.get(FEDERATION) ?? schemaOf().then(compileQueries);
  queries.set(FEDERATION, compiled);
  const executor = createExecutor(await compiled, services);
  return takeEarlier(RATE_LIMITS === 'on' ? limitFailures(executor, limits) : executor);
}

/** The only operations that are taken, where the operator has registered some. @throws ConfigError */
function openTrusted({ config: { TRUSTED_DOCUMENTS: files } }: App): TrustedDocuments | undefined {
  return files.length > 0 ? new TrustedDocuments(readTrustedDocuments(files), ownDocuments()) : undefined;
}

/** The live sockets of `/graphql` and of our own pages; they are sent away before the server stops. */
function mountLive(
  fastify: FastifyInstance,
  app: App,
  { executor, trusted }: { executor: Executor; trusted: TrustedDocuments | undefined },
): LiveTransport {
  const live = attachLive({
    server: fastify.server,
    path: '/graphql',
    pages: {
      path: OWN_GRAPHQL,
      authorizationOf: (headers, params) => socketAuthorization(app.config.SITE_URL, headers, params),
    },
    executor,
    trusted,
    live: app.services.live,
    rates: app.limits,
    log: app.log,
    formatError: (formatted, error, requestId) => publicGraphqlError(formatted, error, app, requestId),
    trustedProxies: app.config.TRUST_PROXY,
    ...(app.config.RATE_LIMITS === 'off' ? { limits: { socketsPerAddress: Number.POSITIVE_INFINITY } } : {}),
    contextFor: async ({ authorization, requestId, address }) => {
      const principal = await app.credentials.principalOf(authorization);
      return {
        ...(principal ? { principal } : {}),
        log: app.log,
        requestId,
        address,
      };
    },
  });
  fastify.addHook('preClose', () => live.close());
  return live;
}

async function contextOf(
  app: App,
  spans: RequestSpans,
  request: FastifyRequest,
  authorization: string | undefined,
  resource?: string,
): Promise<RequestContext> {
  const principal = await app.credentials.principalOf(authorization, resource);
  return {
    ...(principal ? { principal } : {}),
    log: request.log,
    requestId: request.id,
    traceparent: spans.parentOf(request),
    span: spans.of(request),
    address: request.ip,
  };
}

/** One structured line a request: what, who answered how, how long; and the end of its span, where there are any. */
function observe(fastify: FastifyInstance, spans: RequestSpans | undefined): void {
  // Hooks with a callback: a promise for each of them costs a poll some microseconds.
  fastify.addHook('onResponse', (request, reply, done) => {
    done();
    const route = request.routeOptions.url ?? request.url.split('?')[0];
    const fields = { method: request.method, route, status: reply.statusCode, ms: Math.round(reply.elapsedTime) };
    // Probes ask every few seconds, and say something new only where something is missing.
    if (isProbe(request.url) && reply.statusCode === 200) request.log.debug(fields, 'request');
    else request.log.info(fields, 'request');
  });
  if (!spans) return;
  fastify.addHook('onResponse', (request, reply, done) => {
    done();
    spans.end(request, reply);
  });
}

/** Counts the request against its address, and says how much is left (RateLimit headers). */
async function budget(app: App, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (request.method === 'OPTIONS' || isProbe(request.url)) return;
  const state = await app.limits.count('request', request.ip);
  if (!state) return;
  void reply
    .header('ratelimit-limit', state.limit)
    .header('ratelimit-remaining', state.remaining)
    .header('ratelimit-reset', state.resetS);
}

const NO_FORM = /^(Unexpected end of|Part terminated early|Malformed part|Multipart: )/;
const NO_FORM_CODES = new Set(['FST_PROTO_VIOLATION', 'FST_INVALID_MULTIPART_CONTENT_TYPE', 'FST_NO_FORM_DATA']);

function asPlatformError(error: unknown, request: FastifyRequest): unknown {
  if (error instanceof PlatformError) return error;
  const { statusCode, code, message } = error as { statusCode?: number; code?: string; message: string };
  // The reader of forms throws bare errors for what is cut off or nested wrongly.
  if (NO_FORM.test(message) || NO_FORM_CODES.has(code ?? '')) return badInput('body', 'is not a valid multipart form.');
  if (statusCode === undefined || statusCode >= 500) return error;
  if (statusCode === 413) return new PlatformError('TOO_LARGE');
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return badInput('body', 'must be sent as application/json.');
  if (request.headers['content-encoding']) return badInput('body', 'must be sent without a Content-Encoding.');
  return badInput('body', 'is not valid JSON.');
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** JSON as Fastify reads it, but for a body without a byte: clients that name the type of every request send those. */
function readJson(fastify: FastifyInstance): void {
  const parse = fastify.getDefaultJsonParser('error', 'error');
  fastify.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) done(null, undefined);
    else
      parse(request, body as string, (error, read) => {
        if (!error || !isJson(body as string)) done(error, read);
        // What is JSON is refused for names by which an object would get another prototype.
        else done(badInput('body', 'must not have a field __proto__, nor a field prototype in constructor.'));
      });
  });
}

function mountMedia(fastify: FastifyInstance, app: App): void {
  const thumbnails = new Thumbnails(app.store, app.decoders);
  for (const url of ['/media/*', '/stream/*']) {
    fastify.route({
      method: ['GET', 'HEAD'],
      url,
      handler: async (request, reply) => {
        const grant = app.links.verify(request.url);
        if (!grant) return reply.callNotFound();
        const asked = { method: request.method, headers: request.headers, ...grant };
        const { w } = request.query as { w?: unknown };
        const answer = await (grant.stream
          ? streamResponse(app.store, asked)
          : typeof w === 'string'
            ? thumbnails.respond(asked, w)
            : mediaResponse(app.store, asked));
        return reply.code(answer.status).headers(answer.headers).send(answer.body);
      },
    });
  }
}

/** Behind a proxy that is not trusted all callers have one address, and share its limits: that is said once. */
function warnOfProxy(fastify: FastifyInstance, log: App['log']): void {
  let isSaid = false;
  fastify.addHook('onRequest', (request, _reply, done) => {
    done();
    if (isSaid || request.headers['x-forwarded-for'] === undefined) return;
    isSaid = true;
    log.warn({ variable: 'TRUST_PROXY', address: request.ip }, 'proxy not trusted');
  });
}
