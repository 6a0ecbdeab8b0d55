/**
 * Signing in and out on the pages. `npm start` prints an address with the demo account behind the `#`, which no server
 * and no log ever sees: the page's script takes it out of the address and, if this instance made the link, fills the
 * form from it.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { csrfField } from './csrf-field.ts';
import { takeFlash } from './flash.ts';
import { html } from './html.ts';
import { ME, SIGN_IN, SIGN_OUT } from './operations.ts';
import { sendPage } from './page.ts';
import type { PageContext, PageHandler } from './page-context.ts';
import { anonymousCsrf, closePageSession, hasValidCsrf, openPageSession, pageSession, safeNext } from './session.ts';
import { topBar } from './top-bar.ts';
import { toCheckMail } from './verify-email-page.ts';

const STALE = 'This form was open for too long. Please try again.';

/** The sign-in form. */
export function signInPage(site: PageContext): PageHandler {
  return async (request, reply) => {
    const next = safeNext((request.query as { next?: unknown }).next, site.sitePath);
    const session = pageSession(request);
    if (session && (await site.ask(request, ME, {}, session.idToken)).data) return reply.redirect(next, 303);
    const { done } = takeFlash(request, reply, site.siteUrl);
    return form(site, request, reply, { next, ...(done ? { done } : {}) });
  };
}

/** Takes the sign-in form. */
export function signIn(site: PageContext): PageHandler {
  return async (request, reply) => {
    const body = (request.body ?? {}) as { email?: unknown; password?: unknown; next?: unknown };
    const next = safeNext(body.next, site.sitePath);
    const email = String(body.email ?? '');
    if (!hasValidCsrf(request)) return form(site, request, reply, { next, email, problem: STALE, status: 403 });
    const variables = { email, password: String(body.password ?? '') };
    const { data, code, message } = await site.ask(request, SIGN_IN, variables);
    if (code === 'EMAIL_NOT_VERIFIED') return toCheckMail(site, reply, next);
    if (!data) {
      const status = code === 'RATE_LIMITED' ? 429 : 401;
      return form(site, request, reply, { next, email, problem: message, status });
    }
    openPageSession(reply, site.siteUrl, data.signIn.idToken, data.signIn.expiresAt);
    return reply.redirect(next, 303);
  };
}

/** Whether the page's script may fill the form from the link that it was opened by. */
export function checkDemoLink(site: PageContext): PageHandler {
  return async (request, reply) => {
    const { email, password, proof } = (request.body ?? {}) as Record<string, unknown>;
    const link = { email: String(email), password: String(password), proof: String(proof) };
    return reply
      .removeHeader('access-control-allow-origin')
      .code(site.isDemoAccount(link) ? 204 : 403)
      .send();
  };
}

/** Ends the session. */
export function signOut(site: PageContext): PageHandler {
  return async (request, reply) => {
    const session = pageSession(request);
    if (session && hasValidCsrf(request, session)) {
      await site.ask(request, SIGN_OUT, {}, session.idToken);
      closePageSession(reply, site.siteUrl);
    }
    return reply.redirect(`${site.sitePath}/`, 303);
  };
}

interface FormState {
  next: string;
  email?: string;
  /** Of the form that ended the session. */
  done?: string;
  problem?: string;
  status?: number;
}

function form(site: PageContext, request: FastifyRequest, reply: FastifyReply, state: FormState): FastifyReply {
  const csrf = anonymousCsrf(request, reply, site.siteUrl);
  return sendPage(site, reply, {
    title: 'Sign in',
    keepsOpener: true,
    status: state.status ?? 200,
    scripts: ['signin.js'],
    body: html`${topBar(site, undefined)}
<main class="card sheet">
  <form class="stack" method="post" action="${site.sitePath}/signin" id="signin">
    <h1 class="sheet-title">Sign in</h1>
    ${state.problem && html`<p class="notice bad" role="alert">${state.problem}</p>`}
    ${state.done && html`<p class="notice" role="status">${state.done}</p>`}
    <p class="notice" id="filled" hidden>The demo account is filled in for you: just sign in.</p>
    ${csrfField(csrf)}
    <input type="hidden" name="next" value="${state.next}">
    <div class="field"><label for="email">E-mail</label>
      <input class="input" id="email" name="email" type="text" inputmode="email" autocomplete="username" autocapitalize="none" spellcheck="false" required value="${state.email ?? ''}"></div>
    <div class="field"><label for="password">Password</label>
      <input class="input" id="password" name="password" type="password" autocomplete="current-password" required></div>
    <button class="button primary" id="go">Sign in</button>
    <p class="muted small"><a href="${site.sitePath}/reset-password">Forgot your password?</a></p>
    <p class="muted small">No account yet? <a href="${site.sitePath}/signup?next=${encodeURIComponent(state.next)}">Create one</a></p>
  </form>
</main>`,
  });
}
