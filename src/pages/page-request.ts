/**
 * Pages and forms of who is signed in. A page asks in the name of its session; a form is taken only from our own pages and
 * answered by a redirect. Who is not signed in goes to sign in first, and comes back.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Flash, setFlash, takeFlash } from './flash.ts';
import { html } from './html.ts';
import { notFound } from './not-found.ts';
import type { PageDocument } from './operations.ts';
import { type Page, sendPage } from './page.ts';
import type { Outcome, PageContext } from './page-context.ts';
import { hasValidCsrf, type PageSession, pageSession } from './session.ts';
import { type Section, topBar } from './top-bar.ts';

const STALE = 'This form was open for too long. Please try again.';

/** A request of a page by who is signed in, and the ways to answer it. */
export interface PageRequest {
  site: PageContext;
  request: FastifyRequest;
  reply: FastifyReply;
  session: PageSession;
  /** Fields of the form, or of the address. */
  fields: Record<string, unknown>;
  /** What the form before said. */
  flash: Flash;
  /** One operation in the name of the session. */
  ask<Data, Variables extends Record<string, unknown>>(
    document: PageDocument<Data, Variables>,
    variables: Variables,
  ): Promise<Outcome<Data>>;
  /** The same where nothing can be shown without it: what fails shows the page that says so. */
  need<Data, Variables extends Record<string, unknown>>(
    document: PageDocument<Data, Variables>,
    variables: Variables,
  ): Promise<Data>;
  /** A page with the navigation on top. */
  show(section: Section, page: Page): FastifyReply;
  /** To another page of ours, below the site's path, with a word of what was done. */
  goTo(path: string, flash?: Flash): FastifyReply;
}

/** Ends a handler that cannot go on. */
class Refused extends Error {
  readonly code: string | undefined;

  constructor({ code, message }: Outcome<unknown>) {
    super(message);
    this.code = code;
  }
}

/** Answers one. */
export type PageRequestHandler = (pageRequest: PageRequest) => Promise<FastifyReply>;

/** A page that only who is signed in sees. */
export function mountPage(
  fastify: FastifyInstance,
  site: PageContext,
  path: string,
  handler: PageRequestHandler,
): void {
  fastify.get(path, (request, reply) => run(site, request, reply, handler));
}

/** A form. One of another page, or of another session, changes nothing. */
export function mountForm(
  fastify: FastifyInstance,
  site: PageContext,
  path: string,
  handler: PageRequestHandler,
): void {
  fastify.post(path, (request, reply) =>
    run(site, request, reply, async (pageRequest) => {
      void reply.header('cache-control', 'no-store').removeHeader('access-control-allow-origin');
      if (hasValidCsrf(request, pageRequest.session)) return handler(pageRequest);
      return pageRequest.goTo(backPath(site, request), { problem: STALE });
    }),
  );
}

/** The page that a form stands on: its address without what it does. */
function backPath(site: PageContext, request: FastifyRequest): string {
  const path = request.url.split('?')[0]!.slice(site.sitePath.length);
  const page = ['/studio/developers', '/studio/tribe', '/studio/create', '/studio/welcome'].find((one) =>
    path.startsWith(one),
  );
  return page ?? (path.startsWith('/studio') ? '/studio/avatars' : '/account');
}

async function run(
  site: PageContext,
  request: FastifyRequest,
  reply: FastifyReply,
  handler: PageRequestHandler,
): Promise<FastifyReply> {
  const session = pageSession(request);
  if (!session) return toSignIn(site, request, reply);
  try {
    return await handler(pageRequestOf(site, request, reply, session));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (error.code === 'UNAUTHENTICATED') return toSignIn(site, request, reply);
    if (error.code === 'NOT_FOUND' || error.code === 'FORBIDDEN') return notFound(site, reply);
    return refusal(site, reply, session, error.message);
  }
}

/** The request of a page, once its session is known. */
export function pageRequestOf(
  site: PageContext,
  request: FastifyRequest,
  reply: FastifyReply,
  session: PageSession,
): PageRequest {
  const isForm = request.method === 'POST';
  const ask: PageRequest['ask'] = (document, variables) => site.ask(request, document, variables, session.idToken);
  return {
    site,
    request,
    reply,
    session,
    fields: ((isForm ? request.body : request.query) ?? {}) as Record<string, unknown>,
    flash: isForm ? {} : takeFlash(request, reply, site.siteUrl),
    ask,
    async need(document, variables) {
      const outcome = await ask(document, variables);
      if (!outcome.data) throw new Refused(outcome);
      return outcome.data;
    },
    show: (section, page) =>
      sendPage(site, reply, { ...page, body: html`${topBar(site, session, '', section)}${page.body}` }),
    goTo(path, flash) {
      if (flash) setFlash(reply, site.siteUrl, flash);
      return reply.redirect(`${site.sitePath}${path}`, 303);
    },
  };
}

/** A form that was sent after the session had ended comes back to the page that it stood on. */
function toSignIn(site: PageContext, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const next = request.method === 'GET' ? request.url : `${site.sitePath}${backPath(site, request)}`;
  return reply.redirect(`${site.sitePath}/signin?next=${encodeURIComponent(next)}`, 303);
}

function refusal(site: PageContext, reply: FastifyReply, session: PageSession, message: string): FastifyReply {
  return sendPage(site, reply, {
    title: 'That did not work',
    status: 400,
    body: html`${topBar(site, session)}
<main class="card sheet stack"><h1 class="sheet-title">That did not work</h1><p>${message}</p>
<p><a class="button" href="${site.sitePath}/">Start page</a></p></main>`,
  });
}

/** A text field of a form. */
export const text = (fields: Record<string, unknown>, name: string): string => {
  const value = fields[name];
  return typeof value === 'string' ? value : '';
};
