/**
 * The endpoints that OAuth libraries speak to (RFC 6749, 7009, 7591, 8414, 9728): JSON and form bodies, client
 * credentials in the body or by HTTP Basic, and errors whose `error` is the standard's code. Like every row they
 * execute a GraphQL operation; they never read a bearer token.
 */
import formbody from '@fastify/formbody';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { TOOL_SCOPES, toolsResource } from '../src/auth/oauth-resources.ts';
import { ERRORS, PlatformError } from '../src/kernel/errors.ts';
import { OFFLINE_ACCESS, SCOPES } from '../src/kernel/scopes.ts';
import { errorBody, firstError, inCallersWords, type PublicError, publicError, retryAfter } from './errors.ts';
import type { RestOptions } from './handler.ts';
import { type PreparedRoute, prepareRoutes } from './operations.ts';

const FORM = 'application/x-www-form-urlencoded';

/** What the OAuth endpoints need of the program. */
export interface OAuthOptions extends Pick<RestOptions, 'executor' | 'contextFor'> {
  /** Public address of the API, which is the issuer. */
  baseUrl: string;
  /** Public address of the pages, where the consent page is. */
  siteUrl: string;
  /** Which endpoints and grants beyond the documented ones are switched on: registration, refresh tokens, and so on. */
  takes: Readonly<Record<'registration' | 'refresh' | 'introspection' | 'par', boolean>>;
}

export function mountOAuth(app: FastifyInstance, options: OAuthOptions): void {
  app.get('/.well-known/oauth-authorization-server', (_request, reply) =>
    reply.header('cache-control', 'public, max-age=300').send(metadata(options)),
  );
  // RFC 9728 3.1: the resource's path follows the well-known one; clients that do not know the resource ask at the root.
  for (const path of ['', '/mcp']) {
    app.get(`/.well-known/oauth-protected-resource${path}`, (_request, reply) =>
      reply.header('cache-control', 'public, max-age=300').send(toolsMetadata(options)),
    );
  }
  void app.register(async (scope) => {
    if (!scope.hasContentTypeParser(FORM)) await scope.register(formbody);
    // A body that cannot be read is refused in the standard's form too.
    scope.setErrorHandler((error: FastifyError, request, reply) => {
      const isOurs = (error.statusCode ?? 500) < 500;
      return refuse(isOurs ? new PlatformError('INVALID_REQUEST') : error, request, reply);
    });
    for (const route of prepareRoutes(options.executor)) {
      if (!route.oauth) continue;
      scope.route({
        method: route.method,
        url: route.url,
        handler: (request, reply) => answer(route, options, request, reply),
      });
    }
  });
}

/** RFC 9728: metadata of the tools for models, with the server that issues their tokens. */
function toolsMetadata({ baseUrl, siteUrl }: OAuthOptions): Record<string, unknown> {
  return {
    resource: toolsResource(baseUrl),
    resource_name: 'Avatars',
    resource_documentation: `${siteUrl}/docs`,
    authorization_servers: [baseUrl],
    scopes_supported: TOOL_SCOPES,
    bearer_methods_supported: ['header'],
  };
}

/** RFC 8414. */
function metadata({ baseUrl, siteUrl, takes }: OAuthOptions): Record<string, unknown> {
  const methods = ['client_secret_basic', 'client_secret_post', 'none'];
  return {
    issuer: baseUrl,
    authorization_endpoint: `${siteUrl}/oauth-authorize.html`,
    token_endpoint: `${baseUrl}/oauth/token`,
    revocation_endpoint: `${baseUrl}/oauth/revoke`,
    ...(takes.registration ? { registration_endpoint: `${baseUrl}/oauth/register` } : {}),
    ...(takes.introspection ? { introspection_endpoint: `${baseUrl}/oauth/introspect` } : {}),
    ...(takes.par ? { pushed_authorization_request_endpoint: `${baseUrl}/oauth/par` } : {}),
    userinfo_endpoint: `${baseUrl}/oauth/userinfo`,
    service_documentation: `${baseUrl}/docs`,
    scopes_supported: takes.refresh ? [...SCOPES, OFFLINE_ACCESS] : SCOPES,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'client_credentials', ...(takes.refresh ? ['refresh_token'] : [])],
    token_endpoint_auth_methods_supported: methods,
    revocation_endpoint_auth_methods_supported: methods,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    protected_resources: [toolsResource(baseUrl)],
  };
}

async function answer(
  route: PreparedRoute,
  options: OAuthOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  void reply.header('cache-control', 'no-store').header('pragma', 'no-cache');
  try {
    const fields = route.oauth === 'json' ? readObject(request.body) : readCredentials(request);
    const names = route.variables.map(({ variable }) => variable.name.value);
    const variables = Object.fromEntries(names.flatMap((name) => (fields[name] ? [[name, fields[name]]] : [])));
    const context = await options.contextFor(request);
    delete context.principal;
    const result = await options.executor.execute({ document: route.document, variables, context });
    const error = firstError(result);
    if (error) throw error;
    const data = result.data as Record<string, unknown>;
    const body = { ...((route.body === 'root' ? data[route.dataField] : data) as Record<string, unknown>) };
    for (const name of route.omitNulls ?? []) if (body[name] === null) delete body[name];
    return reply.code(typeof route.status === 'number' ? route.status : 200).send(body);
  } catch (error) {
    return refuse(error, request, reply, route);
  }
}

function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply, route?: PreparedRoute): FastifyReply {
  const seen = inStandardWords(publicError(error, request.log), route);
  retryAfter(seen, reply);
  // openid-client does not see `invalid_client` behind a challenge that it did not ask for.
  if (seen.status === 401 && isBasic(request.headers.authorization)) {
    void reply.header('www-authenticate', 'Basic realm="oauth"');
  }
  return reply.code(seen.status).send(errorBody(seen, request.id));
}

/** A missing or malformed parameter is `invalid_request` to an OAuth client. */
function inStandardWords(error: PublicError, route?: PreparedRoute): PublicError {
  if (error.code !== 'BAD_INPUT') return error;
  const details = { error_description: inCallersWords(error, route?.called ?? {}).message };
  const code = route?.oauth === 'json' ? 'INVALID_CLIENT_METADATA' : 'INVALID_REQUEST';
  return { status: 400, code, message: ERRORS[code].text, details };
}

const malformed = (sentence: string): PlatformError =>
  new PlatformError('INVALID_REQUEST', undefined, { details: { error_description: sentence } });

function readObject(body: unknown): Record<string, unknown> {
  if (body == null || typeof body !== 'object' || Array.isArray(body)) {
    throw malformed('The body must be a form or a JSON object.');
  }
  return { ...body };
}

/** The parameters of a form or a JSON object, each text and once, with the credentials of HTTP Basic. */
function readCredentials({ body, headers }: FastifyRequest): Record<string, string> {
  const fields = readFields(body);
  withBasic(fields, headers.authorization);
  return fields;
}

function readFields(body: unknown): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [name, value] of Object.entries(readObject(body))) {
    if (value == null) continue;
    if (typeof value !== 'string') throw malformed(`${name} must be text and given once.`);
    fields[name] = value;
  }
  return fields;
}

const isBasic = (header: string | undefined): header is string => /^Basic\s/i.test(header ?? '');

/** Adds the credentials of HTTP Basic (RFC 6749 2.3.1, each part form-encoded); one way of authentication only. */
function withBasic(fields: Record<string, string>, header: string | undefined): void {
  if (!isBasic(header)) return;
  const [id, secret] = decodeBasic(header);
  if (fields.client_secret || (fields.client_id && fields.client_id !== id)) {
    throw malformed('Send the client credentials in the body or by HTTP Basic, not both.');
  }
  fields.client_id = id;
  fields.client_secret = secret;
}

function decodeBasic(header: string): [string, string] {
  const pair = Buffer.from(header.replace(/^Basic\s+/i, ''), 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  try {
    const [id, secret] = [pair.slice(0, colon), pair.slice(colon + 1)].map((part) =>
      decodeURIComponent(part.replaceAll('+', ' ')),
    ) as [string, string];
    if (colon > 0) return [id, secret];
  } catch {
    // Not form-encoded: refused below like every other credential that cannot be read.
  }
  throw new PlatformError('INVALID_CLIENT', undefined, {
    details: { error_description: 'The Basic credentials cannot be read.' },
  });
}
