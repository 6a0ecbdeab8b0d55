/**
 * The pages people see: live viewer, transcript, shared clips, sign-in, docs. They execute GraphQL operations through
 * the one executor and hold no rule of their own; which cookie names whom is the business of `session.ts`.
 */
import type { FastifyInstance } from 'fastify';
import { livePage } from './live-page.ts';
import { mediaStyleHashes } from './media-styles.ts';
import { openSite, type PagesOptions } from './site.ts';

export type { PagesOptions } from './site.ts';

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="16" fill="#0c6b5c"/>
<circle cx="16" cy="12.5" r="5.2" fill="#f6f5f2"/><path d="M6.5 27a9.7 9.7 0 0 1 19 0 16 16 0 0 1-19 0z" fill="#f6f5f2"/></svg>`;

/** Mounts every page; call it before the server listens. */
export function mountPages(root: FastifyInstance, options: PagesOptions): void {
  void root.register(async (fastify) => {
    const site = openSite(options);
    const mediaStyles = await mediaStyleHashes();
    site.assets.mount(fastify);
    fastify.get('/icon.svg', (_request, reply) =>
      reply.type('image/svg+xml').header('cache-control', 'public, max-age=86400').send(ICON),
    );
    fastify.get('/live/:slug', livePage(site, mediaStyles));
  });
}
