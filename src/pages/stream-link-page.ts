/**
 * Linking an account of the streaming platform: /stream-link sends a signed-in user to the platform's own
 * sign-in, the callback takes what it sent back. The state belongs to the user who began; this page keeps none of it.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { html } from './html.ts';
import { FINISH_STREAM_LINK, START_STREAM_LINK } from './operations.ts';
import { sendPage } from './page.ts';
import type { PageContext } from './page-context.ts';
import { pageSession } from './session.ts';
import { topBar } from './top-bar.ts';

export function mountStreamLink(fastify: FastifyInstance, site: PageContext): void {
  fastify.get('/stream-link', (request, reply) => begin(site, request, reply));
  fastify.get('/stream-link/callback', (request, reply) => finish(site, request, reply));
}

async function begin(site: PageContext, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const session = pageSession(request);
  const { data, code, message } = await site.ask(request, START_STREAM_LINK, {}, session?.idToken);
  if (data) return reply.header('referrer-policy', 'no-referrer').redirect(data.startStreamLink.url, 303);
  if (code === 'UNAUTHENTICATED') return toSignIn(site, reply);
  return showResult(site, request, reply, 'Linking is not possible here', message, 403);
}

async function finish(site: PageContext, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { code, state } = request.query as Record<string, unknown>;
  if (typeof code !== 'string' || typeof state !== 'string') {
    return showResult(
      site,
      request,
      reply,
      'Nothing was linked',
      'The streaming platform sent you back without a yes.',
      400,
    );
  }
  const session = pageSession(request);
  const answer = await site.ask(request, FINISH_STREAM_LINK, { code, state }, session?.idToken);
  if (answer.data) {
    const name = answer.data.finishStreamLink.streamUsername;
    return showResult(site, request, reply, 'Account linked', `You are known as ${name} there and here.`, 200);
  }
  if (answer.code === 'UNAUTHENTICATED') return toSignIn(site, reply);
  const status = { BAD_INPUT: 400, CONFLICT: 409, FORBIDDEN: 403 }[answer.code ?? ''] ?? 502;
  return showResult(site, request, reply, 'Nothing was linked', answer.message, status);
}

const toSignIn = (site: PageContext, reply: FastifyReply): FastifyReply =>
  reply.redirect(`${site.sitePath}/signin?next=${encodeURIComponent(`${site.sitePath}/stream-link`)}`, 303);

function showResult(
  site: PageContext,
  request: FastifyRequest,
  reply: FastifyReply,
  title: string,
  text: string,
  status: number,
): FastifyReply {
  return sendPage(site, reply, {
    title,
    status,
    body: html`${topBar(site, pageSession(request))}
<main class="card sheet stack">
  <h1 class="sheet-title">${title}</h1>
  <p>${text}</p>
  <p><a class="button" href="${site.sitePath}/account">Account</a></p>
</main>`,
  });
}
