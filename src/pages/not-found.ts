/** The one page for what is not there and for what is not yours: it does not show which of the two it was. */
import type { FastifyReply } from 'fastify';
import { html } from './html.ts';
import { sendPage } from './page.ts';
import type { PageContext } from './page-context.ts';

export function notFound(site: PageContext, reply: FastifyReply): FastifyReply {
  const home = `${site.sitePath}/`;
  // Without links to sign in: it is shown in frames, where signing in is not allowed.
  return sendPage(site, reply, {
    title: 'Nothing here',
    status: 404,
    // Shown inside other sites' frames too, when a live address is wrong.
    embeddable: true,
    body: html`<header class="top"><a class="brand" href="${home}">Avatars</a></header>
<main class="card sheet stack">
  <h1 class="sheet-title">Nothing here</h1>
  <p class="muted">There is nothing at this address, or it is private. If you were given the link, ask for the whole of it: a private conversation opens only with its key.</p>
  <p><a class="button primary" href="${home}">Start page</a></p>
</main>`,
  });
}
