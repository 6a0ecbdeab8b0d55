/**
 * The consent page: who asks, for what, and as which avatar. Plain forms, so that it
 * works without scripts. Users are sent to an app's address only by their own click (RFC 9700, 4.11.2): anyone may
 * register an app, so an error that redirected by itself would make this server an open redirector.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { SCOPE_WORDS } from './consent-scopes.ts';
import { csrfField } from './csrf-field.ts';
import { type Html, html } from './html.ts';
import {
  APPROVE,
  AUTHORIZATION,
  type AuthorizationData,
  type AuthorizationRequestInput,
  CHOICE,
  type ChoiceData,
  FIRST_AVATAR,
} from './operations.ts';
import { sendPage } from './page.ts';
import type { PageContext } from './page-context.ts';
import { type PageSession, pageSession } from './session.ts';
import { thumbnail } from './thumbnail.ts';
import { topBar } from './top-bar.ts';

const PATH = '/oauth-authorize.html';
/** Parameters of the request (RFC 6749 4.1.1, RFC 7636) and their names in GraphQL; others are ignored. */
const PARAMETERS: Readonly<Record<string, keyof AuthorizationRequestInput>> = {
  client_id: 'clientId',
  redirect_uri: 'redirectUri',
  response_type: 'responseType',
  scope: 'scope',
  state: 'state',
  code_challenge: 'codeChallenge',
  code_challenge_method: 'codeChallengeMethod',
  resource: 'resource',
  request_uri: 'requestUri',
};
const STALE = 'This form was open for too long. Please check it once more.';

interface Asked {
  /** Variables of the operations. */
  input: AuthorizationRequestInput;
  /** The page with this request, to come back to. */
  address: string;
}

export function mountConsentPage(fastify: FastifyInstance, site: PageContext): void {
  fastify.get(PATH, (request, reply) => consider(site, request, reply));
  fastify.post(PATH, (request, reply) => decide(site, request, reply));
}

async function consider(site: PageContext, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const checked = await check(site, request, reply);
  if (!checked) return reply;
  const { asked, authorization, session } = checked;
  return show(site, request, reply, { asked, authorization, session });
}

async function decide(site: PageContext, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const checked = await check(site, request, reply);
  if (!checked) return reply;
  const { asked, authorization, session } = checked;
  const body = (request.body ?? {}) as Record<string, unknown>;
  const again = (problem: string, status: number): Promise<FastifyReply> =>
    show(site, request, reply, { asked, authorization, session, problem, status });
  // Bound to the session, not to the visit before it: only this user's own page has it.
  if (body.csrf !== session.csrf) return again(STALE, 403);
  if (body.decision === 'deny') return reply.redirect(authorization.denyRedirect, 303);
  if (body.decision === 'create') {
    const variables = { displayName: String(body.displayName ?? '') };
    const made = await site.ask(request, FIRST_AVATAR, variables, session.idToken);
    return made.data ? reply.redirect(asked.address, 303) : again(made.message, 400);
  }
  if (typeof body.avatarId !== 'string') return again('Choose the avatar that represents you.', 400);
  const input = { ...asked.input, avatarId: body.avatarId };
  const { data, message } = await site.ask(request, APPROVE, { input }, session.idToken);
  return data ? reply.redirect(data.approveAuthorization.redirectTo, 303) : again(message, 400);
}

interface Checked {
  asked: Asked;
  authorization: AuthorizationData['authorizationRequest'];
  session: PageSession;
}

/** The request and who is asked; undefined when the browser was sent elsewhere, or shown what is wrong. */
async function check(site: PageContext, request: FastifyRequest, reply: FastifyReply): Promise<Checked | undefined> {
  const asked = readAsked(site, request.query as Record<string, unknown>);
  if (typeof asked === 'string') {
    void fault(site, reply, asked, 400);
    return undefined;
  }
  const session = pageSession(request);
  const { data, code, message } = await site.ask(request, AUTHORIZATION, { input: asked.input }, session?.idToken);
  const authorization = data?.authorizationRequest;
  if (!authorization) void fault(site, reply, message, code === 'BAD_INPUT' ? 400 : 503);
  else if (authorization.errorRedirect) void goBack(site, reply, authorization, authorization.errorRedirect);
  else if (!session) void toSignIn(site, reply, asked);
  else return { asked, authorization, session };
  return undefined;
}

/** What the address asks for, or the sentence that says why it cannot be read. */
function readAsked(site: PageContext, query: Record<string, unknown>): Asked | string {
  const input: AuthorizationRequestInput = { clientId: '' };
  const parameters = new URLSearchParams();
  for (const [name, field] of Object.entries(PARAMETERS)) {
    const value = query[name];
    if (value === undefined) continue;
    if (typeof value !== 'string') return `${name} must be given once.`;
    input[field] = value;
    parameters.set(name, value);
  }
  // A request that was sent beforehand says where the answer goes.
  const needed = query.request_uri ? ['client_id'] : ['client_id', 'redirect_uri'];
  for (const name of needed) if (!query[name]) return `${name} is missing.`;
  // A star is the one sign that this encoding leaves alone and `next` of the sign-in page does not take.
  return { input, address: `${site.sitePath}${PATH}?${parameters.toString().replaceAll('*', '%2A')}` };
}

function toSignIn(site: PageContext, reply: FastifyReply, { address }: Asked): FastifyReply {
  return reply.redirect(`${site.sitePath}/signin?next=${encodeURIComponent(address)}`, 303);
}

interface Shown extends Checked {
  problem?: string;
  status?: number;
}

async function show(
  site: PageContext,
  request: FastifyRequest,
  reply: FastifyReply,
  shown: Shown,
): Promise<FastifyReply> {
  const { asked, authorization, session, problem } = shown;
  const { data, code, message } = await site.ask(request, CHOICE, {}, session.idToken);
  if (!data) return code === 'UNAUTHENTICATED' ? toSignIn(site, reply, asked) : fault(site, reply, message, 503);
  const { name, redirectOrigin, scopes, lastAvatarId, isSelfRegistered } = authorization;
  return sendPage(site, reply, {
    keepsOpener: true,
    title: `${name} asks to sign you in`,
    status: shown.status ?? 200,
    styles: ['consent.css'],
    // The form is answered by a redirect to the app, which may send the browser on to another host or port of its own:
    // browsers hold the whole chain against this.
    formAction: redirectOrigin.startsWith('https:') ? 'https:' : 'https: http://localhost:* http://127.0.0.1:*',
    body: html`${topBar(site, session, asked.address)}
<main class="card sheet consent">
  <form class="stack" method="post" action="${asked.address}">
    ${csrfField(session.csrf)}
    <header class="stack asker">
      <span class="mark" aria-hidden="true">${Array.from(name)[0]?.toUpperCase()}</span>
      <h1 class="sheet-title"><span class="app">${name}</span> asks to sign you in</h1>
      <p class="muted small">You will go on to <strong>${hostOf(redirectOrigin)}</strong></p>
    </header>
    ${isSelfRegistered && unknownApp(redirectOrigin)}
    ${problem && html`<p class="notice bad" role="alert">${problem}</p>`}
    ${data.avatars.nodes.length > 0 ? choice(data.avatars.nodes, lastAvatarId) : firstAvatar()}
    <section class="stack tight"><h2 class="label">It may then</h2>
    <ul class="asks">${scopes.map((scope) => html`<li>${SCOPE_WORDS[scope] ?? scope}</li>`)}</ul></section>
    <p class="muted small">It never sees your e-mail or password. You can take this back at any time under <a href="${site.sitePath}/account">Account</a>.</p>
    <div class="actions">
      ${
        data.avatars.nodes.length > 0 &&
        html`<button class="button primary" name="decision" value="approve">Allow and continue</button>`
      }
      <button class="button" name="decision" value="deny" formnovalidate>Cancel</button>
    </div>
  </form>
</main>`,
  });
}

/** Said of an app that registered itself: its name is its own word, and what it may do goes to where it says. */
function unknownApp(redirectOrigin: string): Html {
  const where = redirectOrigin.startsWith('https:')
    ? html`The operator of <strong>${hostOf(redirectOrigin)}</strong> gets what you allow.`
    : 'A program on this computer gets what you allow.';
  return html`<p class="notice">This app registered itself: we do not know who made it, and its name is its own word.
    ${where} Go on only if you have just asked it to connect.</p>`;
}

function choice(avatars: ChoiceData['avatars']['nodes'], lastAvatarId: string | null): Html {
  const chosen = avatars.some(({ avatarId }) => avatarId === lastAvatarId) ? lastAvatarId : avatars[0]!.avatarId;
  return html`<fieldset class="choice"><legend class="label">Which avatar represents you there?</legend>
    <div class="faces">${avatars.map(
      ({ avatarId, displayName, avatarImageUrl }) => html`<label class="face">
      <input type="radio" name="avatarId" value="${avatarId}" required${avatarId === chosen && html` checked`}>
      ${avatarImageUrl ? html`<img src="${thumbnail(avatarImageUrl, 192)}" alt="" width="96" height="96" loading="lazy">` : html`<span class="blank" aria-hidden="true"></span>`}
      <span class="name">${displayName ?? 'Avatar'}</span></label>`,
    )}</div></fieldset>`;
}

function firstAvatar(): Html {
  return html`<section class="stack tight"><p class="notice">You have no avatar yet. Make one to represent you.</p>
    <div class="field"><label for="displayName">Its name</label>
      <input class="input" id="displayName" name="displayName" maxlength="80" required autocomplete="off"></div>
    <button class="button primary" name="decision" value="create">Make my avatar</button></section>`;
}

const hostOf = (origin: string): string => origin.replace('https://', '');

/** What the app asked for in a wrong way, and the way back to it, by which the app gets the error as RFC 6749 4.1.2.1 says. */
function goBack(
  site: PageContext,
  reply: FastifyReply,
  { name, redirectOrigin }: Checked['authorization'],
  errorRedirect: string,
): FastifyReply {
  return sendPage(site, reply, {
    keepsOpener: true,
    title: 'This sign-in cannot continue',
    status: 400,
    styles: ['consent.css'],
    body: html`${topBar(site, pageSession(reply.request))}
<main class="card sheet stack">
  <h1 class="sheet-title">This sign-in cannot continue</h1>
  <p><strong>${name}</strong> asked for it in a wrong way. Nothing was shared with it.</p>
  <p class="muted small">For its developer: ${new URL(errorRedirect).searchParams.get('error_description')}</p>
  <div class="actions"><a class="button" href="${errorRedirect}" rel="noreferrer">Back to ${hostOf(redirectOrigin)}</a></div>
</main>`,
  });
}

function fault(site: PageContext, reply: FastifyReply, sentence: string, status: number): FastifyReply {
  return sendPage(site, reply, {
    keepsOpener: true,
    title: 'This sign-in link is not valid',
    status,
    styles: ['consent.css'],
    body: html`${topBar(site, pageSession(reply.request))}
<main class="card sheet stack">
  <h1 class="sheet-title">This sign-in link is not valid</h1>
  <p>The app that sent you here made a mistake in its link. Nothing was shared with it.</p>
  <p class="muted small">For its developer: ${sentence}</p>
</main>`,
  });
}
