/**
 * The endpoints that OAuth libraries speak to (RFC 6749, 7009, 8414): JSON and form bodies, client
 * credentials in the body or by HTTP Basic, and errors whose `error` is the standard's code. Like every row they
 * execute a GraphQL operation; they never read a bearer token.
 */
import formbody from '@fastify/formbody';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PlatformError } from '../src/kernel/errors.ts';
import { SCOPES } from '../src/kernel/scopes.ts';
import { errorBody, firstError, type PublicError, publicError, retryAfter } from './errors.ts';
import type { RestOptions } from './handler.ts';
import { type PreparedRoute, prepareRoutes } from './operations.ts';

const FORM = 'application/x-www-form-urlencoded';

/** What the OAuth endpoints need of the program. */
export interface OAuthOptions extends Pick<RestOptions, 'executor' | 'contextFor'> {
  /** Public address of the API, which is the issuer. */
  baseUrl: string;
  /** Public address of the pages, where the consent page is. */
  siteUrl: string;
}

export function mountOAuth(app: FastifyInstance, options: OAuthOptions): void {
  app.get('/.well-known/oauth-authorization-server', (_request, reply) =>
    reply.header('cache-control', 'public, max-age=300').send(metadata(options)),
  );
  void app.register(async (scope) => {
    if (!scope.hasContentTypeParser(FORM)) await scope.register(formbody);
    // A body that cannot be read is a refusal in the words of the standard too.
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

/** RFC 8414. */
function metadata({ baseUrl, siteUrl }: OAuthOptions): Record<string, unknown> {
  const methods = ['client_secret_basic', 'client_secret_post', 'none'];
  return {
    issuer: baseUrl,
    authorization_endpoint: `${siteUrl}/oauth-authorize.html`,
    token_endpoint: `${baseUrl}/oauth/token`,
    revocation_endpoint: `${baseUrl}/oauth/revoke`,
    userinfo_endpoint: `${baseUrl}/oauth/userinfo`,
    service_documentation: `${baseUrl}/docs`,
    scopes_supported: SCOPES,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'client_credentials'],
    token_endpoint_auth_methods_supported: methods,
    revocation_endpoint_auth_methods_supported: methods,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
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
    const fields = { ...readFields(request.body) };
    withBasic(fields, request.headers.authorization);
    const names = route.variables.map(({ variable }) => variable.name.value);
    const variables = Object.fromEntries(names.flatMap((name) => (fields[name] ? [[name, fields[name]]] : [])));
    const context = await options.contextFor(request);
    delete context.principal;
    const result = await options.executor.execute({ document: route.document, variables, context });
    const error = firstError(result);
    if (error) throw error;
    const data = result.data as Record<string, unknown>;
    return reply.send(route.body === 'root' ? data[route.dataField] : data);
  } catch (error) {
    return refuse(error, request, reply);
  }
}

function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const seen = inStandardWords(publicError(error, request.log));
  retryAfter(seen, reply);
  // openid-client does not see `invalid_client` behind a challenge that it did not ask for.
  if (seen.status === 401 && isBasic(request.headers.authorization)) {
    void reply.header('www-authenticate', 'Basic realm="oauth"');
  }
  return reply.code(seen.status).send(errorBody(seen, request.id));
}

/** A missing or malformed parameter is `invalid_request` to an OAuth client. */
function inStandardWords(error: PublicError): PublicError {
  if (error.code !== 'BAD_INPUT') return error;
  return {
    status: 400,
    code: 'INVALID_REQUEST',
    message: 'invalid_request',
    details: { error_description: error.message },
  };
}

const malformed = (sentence: string): PlatformError =>
  new PlatformError('INVALID_REQUEST', undefined, { details: { error_description: sentence } });

/** The parameters of a form or a JSON object; each is text and comes once. */
function readFields(body: unknown): Record<string, string> {
  if (body == null || typeof body !== 'object' || Array.isArray(body)) {
    throw malformed('The body must be a form or a JSON object.');
  }
  const fields: Record<string, string> = {};
  for (const [name, value] of Object.entries(body)) {
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
    // Not form-encoded: told below like every other credential that cannot be read.
  }
  throw new PlatformError('INVALID_CLIENT', undefined, {
    details: { error_description: 'The Basic credentials cannot be read.' },
  });
}
