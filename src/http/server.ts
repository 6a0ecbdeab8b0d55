/**
 * The web process: Fastify with GraphQL (Apollo over the one executor), the REST table, media, health and metrics, and
 * the live sockets. It mounts transports; it holds no rule.
 */
import type { AddressInfo } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type CompiledQueries, compileQueries } from '../../resolvers/compiled-queries.ts';
import { takeEarlier } from '../../resolvers/earlier-arguments.ts';
import { createExecutor, type Executor } from '../../resolvers/execute.ts';
import { limitFailures } from '../../resolvers/rate-limits.ts';
import type { RequestContext } from '../../resolvers/request-context.ts';
import { createSchema, createSubgraphSchema } from '../../resolvers/schema.ts';
import { readTrustedDocuments, TrustedDocuments } from '../../resolvers/trusted-documents.ts';
import { errorBody } from '../../rest-compat/errors.ts';
import { mountRest } from '../../rest-compat/handler.ts';
import { mountOAuth } from '../../rest-compat/oauth-endpoints.ts';
import { createOpenApi } from '../../rest-compat/openapi.ts';
import type { App } from '../app/app.ts';
import type { WorkerProcess } from '../app/worker-process.ts';
import { isDemoProof } from '../auth/demo-proof.ts';
import { toolsResource } from '../auth/oauth-resources.ts';
import type { Config } from '../kernel/config.ts';
import { mountTools } from '../mcp/mount.ts';
import { waitingCalls } from '../mcp/run.ts';
import { mountPages, OWN_GRAPHQL, socketAuthorization } from '../pages/index.ts';
import { ownDocuments } from '../pages/own-documents.ts';
import { attachLive, type LiveTransport } from '../services/live/transport/live.transport.ts';
import { mediaResponse, streamResponse } from '../storage/serve.ts';
import { trackMethods } from './allowed-methods.ts';
import { compressTexts } from './compression.ts';
import { CONNECTION_LIMITS, type ConnectionLimits, limitConnections } from './connection-limits.ts';
import { trackTaken } from './drain.ts';
import { mountGraphql, publicGraphqlError } from './graphql.ts';
import { answerPreflights, commonHeaders } from './headers.ts';
import { isProbe, mountHealth } from './health.ts';
import { createInstance } from './instance.ts';
import { mountMetrics } from './metrics.ts';
import { Thumbnails } from './thumbnails.ts';
import { RequestSpans } from './tracing.ts';
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
  const fastify = createInstance(app, { connectionLimits, headers, spans });
  observe(fastify, app.tracer && spans);
  compressTexts(fastify);
  const methodsOf = trackMethods(fastify);
  const answerTaken = trackTaken(fastify);
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
  const contextFor: Execution['contextFor'] = (request, authorization = request.headers.authorization, resource) =>
    contextOf(app, spans, request, authorization, resource);
  mountUploads(fastify, app, { executor, contextFor });
  mountTranscriptions(fastify, { executor, contextFor });
  const trusted = openTrusted(app);
  streams = await mountGraphql(fastify, app, { executor, contextFor, trusted });
  mountPrograms(fastify, app, { executor, contextFor });
  const pageNotFound = mountSite(fastify, app, { executor, contextFor });
  answerNothing(fastify, methodsOf, pageNotFound);
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

/** How transports execute operations, and whose a request is. */
interface Execution {
  executor: Executor;
  contextFor(request: FastifyRequest, authorization?: string, resource?: string): Promise<RequestContext>;
}

/** What programs of others call: the documented paths, OAuth's endpoints, the tools for models. */
function mountPrograms(fastify: FastifyInstance, app: App, { executor, contextFor }: Execution): void {
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
}

/** The pages; what it returns answers an address at which none is. */
function mountSite(
  fastify: FastifyInstance,
  app: App,
  { executor, contextFor }: Execution,
): ReturnType<typeof mountPages> {
  const { BASE_URL: baseUrl, SITE_URL: siteUrl } = app.config;
  let described: object | undefined;
  // At its first need: to make it is a tenth of a start.
  const openApi = () => (described ??= createOpenApi(executor.schema, { baseUrl, siteUrl }));
  return mountPages(fastify, {
    executor,
    contextFor: (request, authorization) => contextFor(request, authorization ?? ''),
    siteUrl,
    baseUrl,
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
}

/** 404, as a page to who asks for one, or 405 with the methods that the address takes. */
function answerNothing(
  fastify: FastifyInstance,
  methodsOf: ReturnType<typeof trackMethods>,
  pageNotFound: ReturnType<typeof mountPages>,
): void {
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
