/**
 * Files that programs look for at fixed addresses: icons, `robots.txt` for search engines, `/.well-known/security.txt`
 * (RFC 9116) for who found a weakness, and `llms.txt` for models that are asked about this API.
 */
import { Resvg } from '@resvg/resvg-js';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { DAY_MS } from '../kernel/clock.ts';
import type { PageContext } from './page-context.ts';

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="16" fill="#0c6b5c"/>
<circle cx="16" cy="12.5" r="5.2" fill="#f6f5f2"/><path d="M6.5 27a9.7 9.7 0 0 1 19 0 16 16 0 0 1-19 0z" fill="#f6f5f2"/></svg>`;
const DAY = 'public, max-age=86400';
const ICON_PX = 48;
/** A contact is read again within this: RFC 9116 wants less than a year. */
const CONTACT_DAYS = 180;
/** What is private, or no page at all. Shared turns and their images stay open: robots that obey these rules make cards of them. */
const NOT_FOR_SEARCH = [
  '/graphql',
  '/graphiql',
  '/oauth-authorize.html',
  '/account',
  '/studio',
  '/signin',
  '/live/',
  '/uploads/',
];

export function mountWellKnownFiles(fastify: FastifyInstance, site: PageContext): void {
  const sent = (reply: FastifyReply, type: string, body: string | Buffer): FastifyReply =>
    reply.type(type).header('cache-control', DAY).send(body);
  const text = (reply: FastifyReply, body: string) => sent(reply, 'text/plain; charset=utf-8', body);
  let favicon: Buffer | undefined;
  fastify.get('/icon.svg', (_request, reply) => sent(reply, 'image/svg+xml', ICON));
  fastify.get('/favicon.ico', (_request, reply) => {
    favicon ??= drawFavicon();
    return sent(reply, 'image/x-icon', favicon);
  });
  fastify.get('/robots.txt', (_request, reply) => text(reply, robots(site)));
  fastify.get('/.well-known/security.txt', (_request, reply) => text(reply, security(site)));
  fastify.get('/llms.txt', (_request, reply) => text(reply, forModels(site)));
}

/** An icon file with one image, which is a PNG. */
function drawFavicon(): Buffer {
  const png = new Resvg(ICON, { fitTo: { mode: 'width', value: ICON_PX } }).render().asPng();
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.writeUInt8(ICON_PX, 6);
  head.writeUInt8(ICON_PX, 7);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, png]);
}

const robots = ({ sitePath }: PageContext): string =>
  ['User-agent: *', ...NOT_FOR_SEARCH.map((path) => `Disallow: ${sitePath}${path}`), ''].join('\n');

function security({ siteUrl, securityContact, clock }: PageContext): string {
  // The mailbox of that purpose which every domain has (RFC 2142).
  const contact = securityContact ?? `mailto:security@${new URL(siteUrl).hostname}`;
  const expires = new Date(clock.now() + CONTACT_DAYS * DAY_MS).toISOString();
  return `Contact: ${contact}\nExpires: ${expires}\nCanonical: ${siteUrl}/.well-known/security.txt\n`;
}

interface Described {
  info: { title: string; description: string };
  paths: Record<string, Record<string, { summary: string }>>;
}

function forModels({ openApi, baseUrl, siteUrl }: PageContext): string {
  const { info, paths } = openApi() as Described;
  const endpoints = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { summary }]) => `- \`${method.toUpperCase()} ${path}\`: ${summary}`),
  );
  return `# ${info.title}

> ${info.description} REST and GraphQL over one set of rules. Requests carry \`Authorization: Bearer <API key or access token>\`; keys are made in the studio.

What takes time (turns, speech, videos) is answered with 202 and then polled, about every two seconds.
A POST that charges takes an \`Idempotency-Key\`, and is then charged once however often it is sent.

## Documentation

- [OpenAPI 3.1](${baseUrl}/openapi.json): every REST path with its fields, limits and answers
- [REST documentation](${siteUrl}/docs): the same to read and to try
- [GraphQL](${siteUrl}/graphql): one endpoint for queries, mutations and live subscriptions, with introspection
- [OAuth 2.0 metadata](${baseUrl}/.well-known/oauth-authorization-server): sign-in with scopes for apps

## REST

The address of the API is ${baseUrl}.

${endpoints.join('\n')}
`;
}
