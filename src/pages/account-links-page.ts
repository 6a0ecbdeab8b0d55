/**
 * Pages behind mailed links: a new password for who forgot theirs, and a new e-mail address that is confirmed. A link
 * shows a form, and the form does it: programs that open the links of a mail before its reader does use nothing up.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { csrfField } from './csrf-field.ts';
import { type Html, html } from './html.ts';
import { CONFIRM_EMAIL, REQUEST_RESET, RESET_PASSWORD } from './operations.ts';
import { sendPage } from './page.ts';
import type { PageContext } from './page-context.ts';
import { anonymousCsrf, hasValidCsrf, pageSession } from './session.ts';
import { topBar } from './top-bar.ts';

const RESET = '/reset-password';
const CHANGE = '/change-email';

interface Said {
  title: string;
  text: string;
  status: number;
}

/** What either page says, by the `result` in its address. */
const RESULTS: Readonly<Record<string, Said>> = {
  sent: {
    title: 'Check your mail',
    text: 'If there is an account with this address, a link is on its way to it. It works for 30 minutes.',
    status: 200,
  },
  'no-mail': {
    title: 'This site sends no mail',
    text: 'Ask the operator: they can give you a link that sets a new password.',
    status: 503,
  },
  reset: {
    title: 'Your password is changed',
    text: 'You are signed out everywhere: sign in with the new one.',
    status: 200,
  },
  changed: { title: 'Your e-mail address is changed', text: 'Sign in with it from now on.', status: 200 },
  used: { title: 'This link cannot be used', text: 'It has been used already, or it has expired.', status: 409 },
  expired: { title: 'This link is too old', text: 'Ask for a new one.', status: 410 },
  unknown: { title: 'This link is not known', text: 'Ask for a new one.', status: 404 },
  late: { title: 'One moment', text: 'That was asked for too often. Try again later.', status: 429 },
  stale: { title: 'This page was open for too long', text: 'Open the link once more.', status: 403 },
};

const RESULT_OF: Readonly<Record<string, string>> = {
  CONFLICT: 'used',
  EXPIRED: 'expired',
  NOT_FOUND: 'unknown',
  RATE_LIMITED: 'late',
  UNAVAILABLE: 'no-mail',
};

export function mountAccountLinks(fastify: FastifyInstance, site: PageContext): void {
  fastify.get(RESET, (request, reply) => show(site, request, reply, askForm, newPasswordForm));
  fastify.post(`${RESET}/ask`, (request, reply) => ask(site, request, reply));
  fastify.post(RESET, (request, reply) => reset(site, request, reply));
  fastify.get(CHANGE, (request, reply) => show(site, request, reply, unknownForm, confirmForm));
  fastify.post(CHANGE, (request, reply) => change(site, request, reply));
}

const to = (site: PageContext, reply: FastifyReply, path: string, result: string): FastifyReply =>
  reply.redirect(`${site.sitePath}${path}?result=${result}`, 303);

const fieldOf = (request: FastifyRequest, name: string): string =>
  String(((request.body ?? {}) as Record<string, unknown>)[name] ?? '');

async function ask(site: PageContext, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  if (!hasValidCsrf(request)) return to(site, reply, RESET, 'stale');
  const { data, code } = await site.ask(request, REQUEST_RESET, { email: fieldOf(request, 'email') });
  return to(site, reply, RESET, data ? 'sent' : (RESULT_OF[code ?? ''] ?? 'late'));
}

/** A password that is too short is said beside the form, which keeps its link. */
async function reset(site: PageContext, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  if (!hasValidCsrf(request)) return to(site, reply, RESET, 'stale');
  const token = fieldOf(request, 'token');
  const given = { token, newPassword: fieldOf(request, 'newPassword') };
  const { data, code, message } = await site.ask(request, RESET_PASSWORD, given);
  if (code !== 'BAD_INPUT') return to(site, reply, RESET, data ? 'reset' : (RESULT_OF[code ?? ''] ?? 'unknown'));
  const problem = message.replace(/^newPassword /, 'The password ');
  return page(site, reply, 400, newPasswordForm(site, anonymousCsrf(request, reply, site.siteUrl), token, problem));
}

async function change(site: PageContext, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  if (!hasValidCsrf(request)) return to(site, reply, CHANGE, 'stale');
  const { data, code } = await site.ask(request, CONFIRM_EMAIL, { token: fieldOf(request, 'token') });
  return to(site, reply, CHANGE, data ? 'changed' : (RESULT_OF[code ?? ''] ?? 'unknown'));
}

interface Content {
  title: string;
  body: Html;
}

/** Without a link the first form, with one the second, and after either what became of it. */
async function show(
  site: PageContext,
  request: FastifyRequest,
  reply: FastifyReply,
  without: (site: PageContext, csrf: string) => Content,
  withToken: (site: PageContext, csrf: string, token: string) => Content,
): Promise<FastifyReply> {
  const { token, result } = request.query as Record<string, unknown>;
  const csrf = anonymousCsrf(request, reply, site.siteUrl);
  const said = typeof result === 'string' ? RESULTS[result] : undefined;
  if (said) return page(site, reply, said.status, saidContent(site, request, said));
  const content = typeof token === 'string' ? withToken(site, csrf, token) : without(site, csrf);
  return page(site, reply, 200, content);
}

function saidContent({ sitePath }: PageContext, request: FastifyRequest, { title, text, status }: Said): Content {
  const isReset = request.url.includes(RESET);
  const again = isReset ? `${sitePath}${RESET}` : `${sitePath}/account#settings`;
  return {
    title,
    body: html`<p>${text}</p><p class="row"><a class="button primary" href="${sitePath}/signin">Sign in</a>
    ${[404, 409, 410].includes(status) && html`<a class="button" href="${again}">Ask for a new link</a>`}</p>`,
  };
}

function askForm({ sitePath, sendsMail }: PageContext, csrf: string): Content {
  if (!sendsMail) {
    return {
      title: 'Forgot your password?',
      body: html`<p>This site sends no mail. Ask the operator: they can give you a link that sets a new password (<code>npm run reset-password</code>).</p>
    <p><a class="button" href="${sitePath}/signin">Back to signing in</a></p>`,
    };
  }
  return {
    title: 'Forgot your password?',
    body: html`<form class="stack" method="post" action="${sitePath}${RESET}/ask">${csrfField(csrf)}
    <p>We send you a link that sets a new one.</p>
    <div class="field"><label for="email">E-mail</label>
      <input class="input" id="email" name="email" type="email" autocomplete="username" required maxlength="254"></div>
    <button class="button primary">Send me a link</button>
    <p class="muted small"><a href="${sitePath}/signin">Back to signing in</a></p></form>`,
  };
}

function newPasswordForm({ sitePath }: PageContext, csrf: string, token: string, problem?: string): Content {
  return {
    title: 'Set a new password',
    body: html`<form class="stack" method="post" action="${sitePath}${RESET}">${csrfField(csrf)}
    <input type="hidden" name="token" value="${token}">
    ${problem && html`<p class="notice bad" role="alert">${problem}</p>`}
    <div class="field"><label for="newPassword">New password</label>
      <input class="input" id="newPassword" name="newPassword" type="password" autocomplete="new-password" required minlength="8" maxlength="200" aria-describedby="rule">
      <p class="muted small" id="rule">At least 8 characters. You are signed out everywhere.</p></div>
    <button class="button primary">Set the password</button></form>`,
  };
}

const unknownForm = ({ sitePath }: PageContext): Content => ({
  title: 'Change your e-mail address',
  body: html`<p>Ask for it on your account page; the link that we mail you leads here.</p>
  <p><a class="button" href="${sitePath}/account#settings">Your account</a></p>`,
});

function confirmForm({ sitePath }: PageContext, csrf: string, token: string): Content {
  return {
    title: 'Your new e-mail address',
    body: html`<form class="stack" method="post" action="${sitePath}${CHANGE}">${csrfField(csrf)}
    <input type="hidden" name="token" value="${token}">
    <p>If the account and the e-mail address are yours, you sign in with it from now on.</p>
    <button class="button primary">Use this address</button></form>`,
  };
}

function page(site: PageContext, reply: FastifyReply, status: number, { title, body }: Content): FastifyReply {
  const top = topBar(site, pageSession(reply.request));
  return sendPage(site, reply, {
    title,
    status,
    body: html`${top}<main class="card sheet stack"><h1 class="sheet-title">${title}</h1>${body}</main>`,
  });
}
