/**
 * The API's documentation, whole without internet: `/docs` over `/openapi.json`, and the GraphQL IDE for browsers that
 * open `/graphql`. The IDE's editor writes style elements and attributes as it goes and takes no nonce, so that page alone
 * has a wider style policy.
 */
import { createRequire } from 'node:module';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { getStaticFile } from 'ruru/static';
import { readAsset, sendAsset } from './assets.ts';
import { html } from './html.ts';
import { sendPage } from './page.ts';
import { topBar } from './shell.ts';
import type { PagesSite } from './site.ts';

const locate = createRequire(import.meta.url).resolve;
const YEAR = 'public, max-age=31536000, immutable';
const IDE_STATIC = '/graphql-ide/';

export function mountDocs(fastify: FastifyInstance, site: PagesSite): void {
  const swagger = (name: string) => readAsset(path.join(path.dirname(locate('swagger-ui-dist/package.json')), name));
  const files = new Map(
    ['swagger-ui-bundle.js', 'swagger-ui.css'].map((name) => {
      const asset = swagger(name);
      return [name.replace('.', `.${asset.hash}.`), asset] as const;
    }),
  );
  const [script, style] = [...files.keys()].map((name) => `${site.sitePath}/docs/${name}`);

  fastify.get('/openapi.json', (_request, reply) => reply.header('cache-control', 'no-cache').send(site.openApi));
  fastify.get<{ Params: { name: string } }>('/docs/:name', (request, reply) => {
    const asset = files.get(request.params.name);
    return asset ? sendAsset(request, reply, asset, YEAR) : reply.callNotFound();
  });
  fastify.get('/docs', (_request, reply) =>
    sendPage(site, reply, {
      title: 'REST API',
      styles: ['docs.css'],
      scripts: ['docs.js'],
      head: html`<link rel="stylesheet" href="${style}"><script src="${script}" defer></script>`,
      body: html`${topBar(site, undefined)}<div id="docs"></div><noscript><p class="sheet">The documentation needs JavaScript; its source is <a href="${site.sitePath}/openapi.json">openapi.json</a>.</p></noscript>`,
      data: { openApi: `${site.sitePath}/openapi.json` },
    }),
  );
  mountIde(fastify, site);
}

function mountIde(fastify: FastifyInstance, site: PagesSite): void {
  fastify.get<{ Params: { '*': string } }>(`${IDE_STATIC}*`, async (request, reply) => {
    const file = await getStaticFile({
      staticPath: IDE_STATIC,
      urlPath: IDE_STATIC + request.params['*'],
      acceptEncoding: request.headers['accept-encoding'],
      disallowDevAssets: true,
    });
    if (!file) return reply.callNotFound();
    return reply.headers({ ...file.headers, 'cache-control': 'public, max-age=86400' }).send(file.content);
  });
  fastify.get('/graphiql', (_request, reply) =>
    sendPage(site, reply, {
      title: 'GraphQL',
      libraryStyles: true,
      bodyClass: 'ide',
      styles: ['docs.css'],
      scripts: ['graphql-ide.js'],
      head: html`<link rel="stylesheet" href="${site.sitePath}${IDE_STATIC}ruru.css">`,
      body: html`<main><h1 class="visually-hidden">GraphQL</h1><div id="ruru-root"></div></main>`,
      data: { graphql: `${site.sitePath}/graphql`, static: `${site.sitePath}${IDE_STATIC}` },
    }),
  );
}
