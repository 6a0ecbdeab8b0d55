/**
 * The API's documentation, whole without internet: `/docs` over `/openapi.json`, and the GraphQL IDE for browsers that
 * open `/graphql`. The IDE (Altair) writes style elements and attributes as it goes and finds its files from `<base>`, so
 * that page alone has a wider policy.
 */
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Asset, readAsset, sendAsset } from './assets.ts';
import { html } from './html.ts';
import type { IdePage, IdeSession } from './ide-data.ts';
import { DEVELOPERS } from './operations.ts';
import { sendPage } from './page.ts';
import type { PageContext } from './page-context.ts';
import { pageSession } from './session.ts';
import { OWN_GRAPHQL } from './session-graphql.ts';
import { topBar } from './top-bar.ts';

const locate = createRequire(import.meta.url).resolve;
const YEAR = 'public, max-age=31536000, immutable';
const DAY = 'public, max-age=86400';
const IDE_STATIC = '/graphql-ide/';

/** Mounts the documentation of REST and the GraphQL IDE. */
export function mountDocs(fastify: FastifyInstance, site: PageContext): void {
  const swagger = (name: string) => readAsset(path.join(path.dirname(locate('swagger-ui-dist/package.json')), name));
  const files = new Map(
    ['swagger-ui-bundle.js', 'swagger-ui.css', 'oauth2-redirect.js'].map((name) => {
      const asset = swagger(name);
      return [name.replace('.', `.${asset.hash}.`), asset] as const;
    }),
  );
  const [script, style, signedInScript] = [...files.keys()].map((name) => `${site.sitePath}/docs/${name}`);

  fastify.get('/openapi.json', (_request, reply) => reply.header('cache-control', 'no-cache').send(site.openApi()));
  fastify.get<{ Params: { name: string } }>('/docs/:name', (request, reply) => {
    const asset = files.get(request.params.name);
    return asset ? sendAsset(request, reply, asset, YEAR) : reply.callNotFound();
  });
  fastify.get('/docs', (request, reply) =>
    sendPage(site, reply, {
      title: 'REST API',
      opensPopups: true,
      styles: ['docs.css'],
      scripts: ['docs.js'],
      head: html`<link rel="stylesheet" href="${style}"><script src="${script}" defer></script>`,
      body: html`${topBar(site, pageSession(request))}<div id="docs"></div><noscript><p class="sheet">The documentation needs JavaScript; its source is <a href="${site.sitePath}/openapi.json">openapi.json</a>.</p></noscript>`,
      data: { openApi: `${site.sitePath}/openapi.json`, signedIn: `${site.siteUrl}/docs/oauth2-redirect.html` },
    }),
  );
  // Where Swagger UI lets the consent page send its popup: the code goes to the page that opened it, and the popup closes.
  fastify.get('/docs/oauth2-redirect.html', (_request, reply) =>
    sendPage(site, reply, {
      title: 'Signed in',
      keepsOpener: true,
      head: html`<script src="${signedInScript}" defer></script>`,
      body: html`<main class="card sheet"><p>Signed in. This window can be closed.</p></main>`,
    }),
  );
  mountIde(fastify, site);
}

/** Files of the IDE by their path, each read and compressed at its first need; undefined for what it has not. */
function ideFiles(): (name: string) => Asset | undefined {
  const dist = path.join(path.dirname(locate('altair-static/package.json')), 'build/dist');
  // Its frame for scripts around requests, and its own page, are not used here.
  const isServed = (name: string) => /\.(js|css|json|svg|png|woff2?)$/.test(name) && !name.startsWith('iframe-sandbox');
  const files = new Map<string, Asset | undefined>();
  for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    const address = name.replaceAll(path.sep, '/');
    if (isServed(address)) files.set(address, undefined);
  }
  return (name) => {
    if (files.has(name) && !files.get(name)) files.set(name, readAsset(path.join(dist, name)));
    return files.get(name);
  };
}

function mountIde(fastify: FastifyInstance, site: PageContext): void {
  const fileOf = ideFiles();
  const base = `${site.sitePath}${IDE_STATIC}`;
  fastify.get<{ Params: { '*': string } }>(`${IDE_STATIC}*`, (request, reply) => {
    const file = fileOf(request.params['*']);
    return file ? sendAsset(request, reply, file, DAY) : reply.callNotFound();
  });
  fastify.get('/graphiql', async (request, reply) =>
    sendPage(site, reply, {
      title: 'GraphQL',
      isLibrary: true,
      bodyClass: 'ide',
      styles: ['docs.css'],
      scripts: ['graphql-ide.js'],
      head: html`<base href="${base}"><link rel="stylesheet" href="${base}styles.css">
<script type="module" src="${base}polyfills.js"></script>
<script type="module" src="${base}main.js"></script>`,
      body: html`<main><h1 class="visually-hidden">GraphQL</h1><app-root></app-root></main>`,
      data: { graphql: `${site.sitePath}/graphql`, signedIn: await signedIn(site, request) } satisfies IdePage,
    }),
  );
}

/** A signed-in user asks in the name of their session, and begins with examples of their own ids. */
async function signedIn(site: PageContext, request: FastifyRequest): Promise<IdeSession | null> {
  const session = pageSession(request);
  const { data } = session ? await site.ask(request, DEVELOPERS, {}, session.idToken) : {};
  if (!session || !data) return null;
  const [conversation] = data.conversations.nodes;
  return {
    graphql: `${site.sitePath}${OWN_GRAPHQL}`,
    csrf: session.csrf,
    userId: data.me.userId,
    avatarId: data.avatars.nodes[0]?.avatarId ?? null,
    slug: conversation?.shareSlug ?? null,
    viewerToken: conversation?.viewerToken ?? null,
  };
}
