/**
 * `/mcp`: tools for models, by the Model Context Protocol over streamable HTTP. Each request stands alone: there are no
 * sessions, so that any web process answers it, as the protocol wants since 2026-07-28; clients of older revisions are
 * served the same way. It reads a bearer token and no cookie, and executes GraphQL operations; it holds no rule.
 */
import type { Server, ServerContext, Tool } from '@modelcontextprotocol/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Executor } from '../../resolvers/execute.ts';
import type { RequestContext } from '../../resolvers/request-context.ts';
import { errorBody, publicError, retryAfter } from '../../rest-compat/errors.ts';
import { ruleOf } from '../auth/allow.ts';
import { TOOL_SCOPES } from '../auth/oauth-resources.ts';
import { authorize } from '../auth/principal.ts';
import type { Notifier } from '../events/notifier.ts';
import { badInput, PlatformError } from '../kernel/errors.ts';
import { VERSION } from '../kernel/version.ts';
import { CLIENT_HEADER, OpenCalls } from './open-calls.ts';
import { type PreparedTool, prepareTools } from './prepare.ts';
import { runTool } from './run.ts';
import { TOOLS } from './tools.ts';

const PATH = '/mcp';
/** Names of this machine: a page that was opened there was not brought there by another name for it. */
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
const INSTRUCTIONS =
  'Avatars that talk: find one with list_avatars or list_public_avatars, begin with start_conversation, then say. ' +
  'What costs credits says so; get_… tools read what takes longer. Recordings, images and videos are links, some of which ' +
  'live one hour: read them again for fresh ones.';

/** What the tools need of the program. */
export interface McpOptions {
  executor: Executor;
  /** The context of a request whose credential opens the tools; without a principal for every other one. */
  contextFor(request: FastifyRequest): Promise<RequestContext>;
  /** By which a process hears of a call that was given up at another one. */
  notifier: Pick<Notifier, 'emit' | 'on'>;
  /** Public address of the API. */
  baseUrl: string;
  siteUrl: string;
}

/** The package and the table, loaded when the first program asks: few instances need them at once. */
interface Loaded {
  sdk: typeof import('@modelcontextprotocol/server');
  tools: readonly PreparedTool[];
}

/** Mounts `/mcp`. */
export function mountTools(fastify: FastifyInstance, options: McpOptions): void {
  const origins = [options.baseUrl, options.siteUrl].map((url) => new URL(url).origin);
  const closing = new AbortController();
  const calls = new OpenCalls(options.notifier);
  let loaded: Promise<Loaded> | undefined;
  const load = async (): Promise<Loaded> => ({
    sdk: await import('@modelcontextprotocol/server'),
    tools: prepareTools(options.executor, TOOLS),
  });
  // Callers who still wait for a reply are answered how far it is.
  fastify.addHook('preClose', async () => closing.abort());
  fastify.post(PATH, {
    // Before the body is read.
    onRequest: async (request, reply) => {
      try {
        refuseOrigin(origins, request.headers.origin);
        await caller(options, request);
      } catch (error) {
        return refuse(options, error, request, reply);
      }
    },
    handler: async (request, reply) => {
      if (typeof request.body !== 'object' || request.body === null || Array.isArray(request.body)) {
        throw badInput('body', 'must be one JSON-RPC message.');
      }
      loaded ??= load();
      return answer(options, await loaded, { calls, closing: closing.signal }, request, reply);
    },
  });
}

/** Throws 403 for a page of elsewhere: one that was led here by another name of this address (DNS rebinding). */
function refuseOrigin(own: readonly string[], origin: string | undefined): void {
  if (origin === undefined || own.includes(origin)) return;
  if (URL.canParse(origin) && LOOPBACK.includes(new URL(origin).hostname)) return;
  throw new PlatformError('FORBIDDEN', 'Pages of other sites may not use the tools.');
}

/** The caller's context; throws 401. */
async function caller({ contextFor }: McpOptions, request: FastifyRequest): Promise<RequestContext> {
  const context = await contextFor(request);
  if (!context.principal) throw new PlatformError('UNAUTHENTICATED', 'Sign in, or send an API key as bearer token.');
  return context;
}

/** A 401 says where to sign in (RFC 9728 5.1). */
function refuse({ baseUrl }: McpOptions, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const seen = publicError(error, request.log);
  retryAfter(seen, reply);
  if (seen.status === 401) {
    const invalid = request.headers.authorization === undefined ? '' : 'error="invalid_token", ';
    const metadata = `resource_metadata="${baseUrl}/.well-known/oauth-protected-resource${PATH}"`;
    void reply.header('www-authenticate', `Bearer ${invalid}${metadata}, scope="${TOOL_SCOPES.join(' ')}"`);
  }
  return reply.code(seen.status).send(errorBody(seen, request.id));
}

/** What ends a call early, apart from a lost connection. */
interface Ending {
  calls: OpenCalls;
  /** The server stops. */
  closing: AbortSignal;
}

async function answer(
  options: McpOptions,
  { sdk, tools }: Loaded,
  { calls, closing }: Ending,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  const signal = AbortSignal.any([gone.signal, closing]);
  const { principal } = await caller(options, request);
  const message = request.body as object;
  const { [CLIENT_HEADER]: client } = request.headers;
  const sender = { userId: principal?.userId ?? '', client: typeof client === 'string' ? client : undefined };
  const mayCall = ({ rootField }: PreparedTool): boolean => {
    try {
      authorize(ruleOf(rootField) ?? { auth: 'none' }, principal);
      return true;
    } catch {
      return false;
    }
  };
  const serve = (): Server => {
    const server = new sdk.Server(
      { name: 'avatar-platform', title: 'Avatars', version: VERSION, websiteUrl: options.siteUrl },
      { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
    );
    // It is answered no more, as the protocol wants: its stream ends.
    reply.raw.once(
      'close',
      calls.onCancelled(sender, message, () => void server.close()),
    );
    server.setRequestHandler('tools/list', () => ({ tools: tools.filter(mayCall).map(described) }));
    server.setRequestHandler('tools/call', ({ params }, { mcpReq }) => {
      const tool = tools.find(({ name }) => name === params.name);
      if (!tool) {
        throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, `There is no tool ${params.name}.`);
      }
      return runTool(tool, {
        executor: options.executor,
        context: () => caller(options, request),
        args: params.arguments ?? {},
        log: request.log,
        requestId: request.id,
        signal: AbortSignal.any([signal, mcpReq.signal]),
        ...reporter(mcpReq),
      });
    });
    return server;
  };
  const { fetch } = sdk.createMcpHandler(serve, {
    // Nothing here changes of which a client could be notified: a stream that waits for it would only be held open.
    maxSubscriptions: 0,
    onerror: (error) => request.log.debug({ err: error }, 'mcp request refused'),
  });
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) if (typeof value === 'string') headers.set(name, value);
  const asked = new Request(options.baseUrl + PATH, { method: 'POST', headers, signal: gone.signal });
  calls.forwardCancellation(sender, message);
  const response = await fetch(asked, { parsedBody: message });
  const sessionId = response.ok && calls.newSessionId(message);
  if (sessionId) void reply.header(CLIENT_HEADER, sessionId);
  return send(response, reply);
}

function described({ name, title, description, arguments: schema, result, isReadOnly }: PreparedTool): Tool {
  const inputSchema: Tool['inputSchema'] = JSON.parse(JSON.stringify(schema));
  const outputSchema: Tool['outputSchema'] = JSON.parse(JSON.stringify(result));
  const annotations = { title, readOnlyHint: isReadOnly, destructiveHint: false, openWorldHint: false };
  return { name, title, description, inputSchema, outputSchema, annotations };
}

/** Reports progress to a client that asked for it, in seconds that passed. */
function reporter({ _meta, notify }: ServerContext['mcpReq']): {
  report?: (elapsedMs: number, share: number | undefined) => Promise<void>;
} {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return {};
  return {
    report: (elapsedMs, share) =>
      notify({
        method: 'notifications/progress',
        params: {
          progressToken,
          progress: Math.round(elapsedMs) / 1_000,
          message: share === undefined ? 'It is being made.' : `${Math.round(share * 100)} % is made.`,
        },
      }),
  };
}

async function send(response: Response, reply: FastifyReply): Promise<FastifyReply> {
  void reply.code(response.status);
  for (const [name, value] of response.headers) void reply.header(name, value);
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
  if (!response.body || !isStream) return reply.send(await response.text());
  // Proxies buffer a stream unless this header is set.
  return reply.header('x-accel-buffering', 'no').send(response.body);
}
