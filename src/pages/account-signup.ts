/** Making an account on the pages; the same form as signing in, with a name. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { csrfField } from './csrf-field.ts';
import { html } from './html.ts';
import { ME, SIGN_UP } from './operations.ts';
import { sendPage } from './page.ts';
import type { PageContext } from './page-context.ts';
import { anonymousCsrf, hasValidCsrf, openPageSession, pageSession, safeNext } from './session.ts';
import { topBar } from './top-bar.ts';
import { toCheckMail } from './verify-email-page.ts';

const STALE = 'This form was open for too long. Please try again.';

export function mountSignUp(fastify: FastifyInstance, site: PageContext): void {
  fastify.get('/signup', async (request, reply) => {
    const next = safeNext((request.query as { next?: unknown }).next, site.sitePath);
    const session = pageSession(request);
    if (session && (await site.ask(request, ME, {}, session.idToken)).data) return reply.redirect(next, 303);
    return form(site, request, reply, { next });
  });
  fastify.post('/signup', (request, reply) => signUp(site, request, reply));
}

async function signUp(site: PageContext, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const body = (request.body ?? {}) as Record<string, unknown>;
  const next = safeNext(body.next, site.sitePath);
  const [email, displayName] = [String(body.email ?? ''), String(body.displayName ?? '')];
  const state = { next, email, displayName };
  if (!hasValidCsrf(request)) return form(site, request, reply, { ...state, problem: STALE, status: 403 });
  const variables = { email, displayName, password: String(body.password ?? '') };
  const { data, code, message } = await site.ask(request, SIGN_UP, variables);
  if (code === 'EMAIL_NOT_VERIFIED') return toCheckMail(site, reply, next);
  if (!data) {
    const status = code === 'RATE_LIMITED' ? 429 : 400;
    return form(site, request, reply, { ...state, problem: inWords(message), status });
  }
  openPageSession(reply, site.siteUrl, data.signUp.idToken, data.signUp.expiresAt);
  return data.signUp.user.emailVerified ? reply.redirect(next, 303) : toCheckMail(site, reply, next);
}

/** The services name a field as the API does. */
const inWords = (message: string): string =>
  message
    .replace(/^email /, 'This e-mail address ')
    .replace(/^password /, 'The password ')
    .replace(/^displayName /, 'The name ');

interface FormState {
  next: string;
  email?: string;
  displayName?: string;
  problem?: string;
  status?: number;
}

function form(site: PageContext, request: FastifyRequest, reply: FastifyReply, state: FormState): FastifyReply {
  const csrf = anonymousCsrf(request, reply, site.siteUrl);
  const { sitePath } = site;
  return sendPage(site, reply, {
    keepsOpener: true,
    title: 'Create an account',
    status: state.status ?? 200,
    body: html`${topBar(site, undefined, state.next)}
<main class="card sheet">
  <form class="stack" method="post" action="${sitePath}/signup">
    <h1 class="sheet-title">Create an account</h1>
    ${state.problem && html`<p class="notice bad" role="alert">${state.problem}</p>`}
    ${csrfField(csrf)}
    <input type="hidden" name="next" value="${state.next}">
    <div class="field"><label for="displayName">Your name</label>
      <input class="input" id="displayName" name="displayName" autocomplete="name" maxlength="80" value="${state.displayName ?? ''}"></div>
    <div class="field"><label for="email">E-mail</label>
      <input class="input" id="email" name="email" type="email" autocomplete="username" required maxlength="254" value="${state.email ?? ''}"></div>
    <div class="field"><label for="password">Password</label>
      <input class="input" id="password" name="password" type="password" autocomplete="new-password" required minlength="8" maxlength="200" aria-describedby="rule">
      <p class="muted small" id="rule">At least 8 characters.</p></div>
    <button class="button primary">Create my account</button>
    <p class="muted small">Already have an account? <a href="${sitePath}/signin?next=${encodeURIComponent(state.next)}">Sign in</a></p>
  </form>
</main>`,
  });
}
