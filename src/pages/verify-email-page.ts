/**
 * Confirming an e-mail address. The mailed link shows a button, and the button confirms: programs that look at the links
 * of a mail before its reader does use nothing up. Each form is answered by a redirect to what became of it.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { csrfField } from './csrf-field.ts';
import { type Html, html } from './html.ts';
import { RESEND, VERIFY_EMAIL } from './operations.ts';
import { sendPage } from './page.ts';
import type { PageContext } from './page-context.ts';
import { anonymousCsrf, hasValidCsrf, pageSession, safeNext } from './session.ts';
import { topBar } from './top-bar.ts';

const PATH = '/verify-email';

interface Said {
  title: string;
  text: string;
  status: number;
  /** Whether another mail is offered. */
  resend: boolean;
}

/** What the page says, by the `result` in its address. */
const RESULTS: Readonly<Record<string, Said>> = {
  check: {
    title: 'Check your mail',
    text: 'We sent you a link that confirms your e-mail address. It works for 24 hours.',
    status: 200,
    resend: true,
  },
  sent: {
    title: 'Check your mail',
    text: 'If this address waits to be confirmed, a new link is on its way to it.',
    status: 200,
    resend: false,
  },
  confirmed: {
    title: 'Your address is confirmed',
    text: 'Thank you. Your welcome credits are in your account.',
    status: 200,
    resend: false,
  },
  used: {
    title: 'This link was used already',
    text: 'The address is confirmed; there is nothing left to do.',
    status: 200,
    resend: false,
  },
  expired: { title: 'This link is too old', text: 'Ask for a new one.', status: 410, resend: true },
  unknown: { title: 'This link is not known', text: 'Ask for a new one.', status: 404, resend: true },
  late: {
    title: 'One moment',
    text: 'A mail was sent a short while ago. Try again later.',
    status: 429,
    resend: false,
  },
  stale: { title: 'This page was open for too long', text: 'Open the link once more.', status: 403, resend: true },
};

const RESULT_OF: Readonly<Record<string, string>> = {
  CONFLICT: 'used',
  EXPIRED: 'expired',
  NOT_FOUND: 'unknown',
  RATE_LIMITED: 'late',
};

/** Mounts the page behind the link of a verification mail. */
export function mountVerifyEmail(fastify: FastifyInstance, site: PageContext): void {
  fastify.get(PATH, (request, reply) => show(site, request, reply));
  fastify.post(PATH, (request, reply) => verify(site, request, reply));
  fastify.post(`${PATH}/resend`, (request, reply) => resend(site, request, reply));
}

/** To the page that says that a mail is on its way, and leads a signed-in user on to `next`. */
export function toCheckMail(site: PageContext, reply: FastifyReply, next: string): FastifyReply {
  return reply.redirect(`${site.sitePath}${PATH}?result=check&next=${encodeURIComponent(next)}`, 303);
}

function to(site: PageContext, reply: FastifyReply, result: string): FastifyReply {
  return reply.redirect(`${site.sitePath}${PATH}?result=${result}`, 303);
}

async function verify(site: PageContext, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  if (!hasValidCsrf(request)) return to(site, reply, 'stale');
  const token = String(((request.body ?? {}) as { token?: unknown }).token ?? '');
  const { data, code } = await site.ask(request, VERIFY_EMAIL, { token });
  return to(site, reply, data ? 'confirmed' : (RESULT_OF[code ?? ''] ?? 'unknown'));
}

async function resend(site: PageContext, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  if (!hasValidCsrf(request)) return to(site, reply, 'stale');
  const { email } = (request.body ?? {}) as { email?: unknown };
  const variables = typeof email === 'string' ? { email } : {};
  const { data, code } = await site.ask(request, RESEND, variables, pageSession(request)?.idToken);
  return to(site, reply, data ? 'sent' : (RESULT_OF[code ?? ''] ?? 'unknown'));
}

function show(site: PageContext, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { token, result, next } = request.query as Record<string, unknown>;
  const csrf = anonymousCsrf(request, reply, site.siteUrl);
  if (typeof token === 'string') return page(site, request, reply, 200, confirmForm(site, csrf, token));
  const said = RESULTS[String(result)] ?? RESULTS.check!;
  const session = pageSession(request);
  const goOn = safeNext(next, site.sitePath);
  return page(site, request, reply, said.status, {
    title: said.title,
    body: html`<p>${said.text}</p>
  ${said.resend && resendForm(site, csrf, session !== undefined)}
  <p>${
    session
      ? html`<a class="button" href="${goOn}">Continue</a>`
      : html`<a class="button" href="${site.sitePath}/signin?next=${encodeURIComponent(goOn)}">Sign in</a>`
  }</p>`,
  });
}

interface Content {
  title: string;
  body: Html;
}

function confirmForm({ sitePath }: PageContext, csrf: string, token: string): Content {
  return {
    title: 'Confirm your e-mail address',
    body: html`<form class="stack" method="post" action="${sitePath}${PATH}">
    ${csrfField(csrf)}
    <input type="hidden" name="token" value="${token}">
    <p>If the account and the e-mail address are yours, confirm it.</p>
    <button class="button primary">Confirm my address</button>
  </form>`,
  };
}

/** A signed-in user need not say where to. */
function resendForm({ sitePath }: PageContext, csrf: string, isSignedIn: boolean): Html {
  return html`<form class="stack" method="post" action="${sitePath}${PATH}/resend">
    ${csrfField(csrf)}
    ${
      !isSignedIn &&
      html`<div class="field"><label for="email">E-mail</label>
      <input class="input" id="email" name="email" type="email" autocomplete="username" required maxlength="254"></div>`
    }
    <button class="button">Send the mail again</button>
  </form>`;
}

function page(
  site: PageContext,
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  { title, body }: Content,
): FastifyReply {
  return sendPage(site, reply, {
    keepsOpener: true,
    title,
    status,
    body: html`${topBar(site, pageSession(request))}
<main class="card sheet stack">
  <h1 class="sheet-title">${title}</h1>
  ${body}
</main>`,
  });
}
