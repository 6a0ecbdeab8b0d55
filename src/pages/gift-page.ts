/**
 * The page at a gift's `confirmUrl`: shows its sender who gets what, and takes the one click that moves
 * credits. Works without scripts; the script only notifies the app that opened the page, at an origin it registered.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readRedirectUri } from '../auth/oauth-redirects.ts';
import { credits } from './credit-amount.ts';
import { csrfField } from './csrf-field.ts';
import { type Html, html } from './html.ts';
import { notFound } from './not-found.ts';
import { CANCEL_GIFT, CONFIRM_GIFT, GIFT, type GiftData } from './operations.ts';
import { sendPage } from './page.ts';
import type { PageContext } from './page-context.ts';
import { type PageSession, pageSession } from './session.ts';
import { topBar } from './top-bar.ts';

type Gift = GiftData['giftConfirmation'];
type GiftRequest = FastifyRequest<{ Params: { intentId: string }; Querystring: { origin?: unknown } }>;

const STALE = 'This form was open for too long. Please check it once more.';

/** What the page says of an intent that has ended. */
const ENDED: Readonly<Record<string, { title: string; text: string }>> = {
  confirmed: { title: 'Gift sent', text: 'The credits have moved. Thank you!' },
  cancelled: { title: 'Gift cancelled', text: 'Nothing was moved.' },
  expired: { title: 'This gift has expired', text: 'A gift waits ten minutes for its sender. Nothing was moved.' },
};

export function mountGiftPage(fastify: FastifyInstance, site: PageContext): void {
  fastify.get('/gifts/:intentId', (request, reply) => open(site, request as GiftRequest, reply));
  fastify.post('/gifts/:intentId', (request, reply) => decide(site, request as GiftRequest, reply));
}

async function open(site: PageContext, request: GiftRequest, reply: FastifyReply): Promise<FastifyReply> {
  const found = await find(site, request, reply);
  return found ? show(site, request, reply, found) : reply;
}

async function decide(site: PageContext, request: GiftRequest, reply: FastifyReply): Promise<FastifyReply> {
  const found = await find(site, request, reply);
  if (!found) return reply;
  const { csrf, decision } = (request.body ?? {}) as Record<string, unknown>;
  // Bound to the session: only this user's own page has it.
  if (csrf !== found.session.csrf) return show(site, request, reply, { ...found, problem: STALE, status: 403 });
  const { intentId } = request.params;
  const { idToken } = found.session;
  const { code, message } =
    decision === 'confirm'
      ? await site.ask(request, CONFIRM_GIFT, { intentId }, idToken)
      : await site.ask(request, CANCEL_GIFT, { intentId }, idToken);
  // Resolved or run out in another window: the page itself shows what became of it.
  if (code === undefined || code === 'CONFLICT' || code === 'EXPIRED') {
    return reply.redirect(address(site, intentId, opener(request, found.gift)), 303);
  }
  return show(site, request, reply, { ...found, problem: message, status: 400 });
}

interface Found {
  gift: Gift;
  session: PageSession;
  problem?: string;
  status?: number;
}

/** The gift for its sender; undefined when the browser was sent to sign in, or shown that there is nothing. */
async function find(site: PageContext, request: GiftRequest, reply: FastifyReply): Promise<Found | undefined> {
  const session = pageSession(request);
  const { intentId } = request.params;
  const asked = session && (await site.ask(request, GIFT, { intentId }, session.idToken));
  if (asked?.data && session) return { gift: asked.data.giftConfirmation, session };
  if (!asked || asked.code === 'UNAUTHENTICATED') {
    const next = address(site, intentId, givenOrigin(request));
    void reply.redirect(`${site.sitePath}/signin?next=${encodeURIComponent(next)}`, 303);
  } else if (asked.code === 'FORBIDDEN') void notYours(site, reply, session);
  else void notFound(site, reply);
  return undefined;
}

function address(site: PageContext, intentId: string, origin: string | undefined): string {
  const query = origin ? `?origin=${encodeURIComponent(origin)}` : '';
  return `${site.sitePath}/gifts/${encodeURIComponent(intentId)}${query}`;
}

/** The origin that opened this page, as the app or the browser names it; not yet to be trusted. */
function givenOrigin(request: GiftRequest): string | undefined {
  const { origin } = request.query;
  const text = typeof origin === 'string' ? origin : request.headers.referer;
  return text && URL.canParse(text) ? new URL(text).origin : undefined;
}

/** That origin, if the proposing app has registered its host. */
function opener(request: GiftRequest, gift: Gift): string | undefined {
  const origin = givenOrigin(request);
  return origin && readRedirectUri(`${origin}/`, gift.appHosts) ? origin : undefined;
}

/**
 * Where the script posts `svc:gift`: the opener when it is known, else every registered host, of which the browser
 * delivers only to the one that opened the page. A gift that no app proposed is reported to our own pages.
 */
function targets(site: PageContext, request: GiftRequest, gift: Gift): string[] {
  const known = opener(request, gift);
  if (known) return [known];
  if (gift.appHosts.length > 0) return gift.appHosts.map((host) => `https://${host}`);
  return [...new Set([site.siteUrl, site.baseUrl].map((url) => new URL(url).origin))];
}

function show(site: PageContext, request: GiftRequest, reply: FastifyReply, found: Found): FastifyReply {
  const { gift, session } = found;
  const { intentId, status, expiresAt } = gift.intent;
  const ended = ENDED[status];
  return sendPage(site, reply, {
    keepsOpener: true,
    title: ended?.title ?? 'Confirm your gift',
    status: found.status ?? 200,
    styles: ['gift.css'],
    scripts: ['gift.js'],
    data: { intentId, status, targets: targets(site, request, gift), expiresAt, nowMs: site.clock.now() },
    body: html`${topBar(site, session, address(site, intentId, undefined))}
<main class="card sheet stack gift">
  <h1 class="sheet-title">${ended?.title ?? 'Confirm your gift'}</h1>
  ${found.problem && html`<p class="notice bad" role="alert">${found.problem}</p>`}
  ${ended && html`<p class="notice" role="status">${ended.text}</p>`}
  ${summary(gift)}
  ${ended ? farewell(site, gift) : form(address(site, intentId, opener(request, gift)), gift, session)}
</main>`,
  });
}

function summary({ intent, toDisplayName, toStreamUsername, appName }: Gift): Html {
  const name = toDisplayName ?? toStreamUsername ?? 'A user without a name';
  return html`<dl class="gift-facts">
    <div><dt>You give</dt><dd class="gift-amount">${intent.amount} <span>credits</span></dd></div>
    <div><dt>To</dt><dd>${name}${toStreamUsername && html` <span class="muted">@${toStreamUsername}</span>`}</dd></div>
    ${intent.note && html`<div><dt>Note</dt><dd>${intent.note}</dd></div>`}
    <div><dt>Proposed by</dt><dd>${appName ?? 'you'}</dd></div>
  </dl>`;
}

function form(action: string, { intent, transferable }: Gift, session: PageSession): Html {
  const isTooMuch = intent.amount > transferable;
  return html`<form class="stack" method="post" action="${action}">
    ${csrfField(session.csrf)}
    ${
      isTooMuch
        ? html`<p class="notice bad" role="alert">You can give ${credits(transferable)} credits at most right now.</p>`
        : html`<p class="muted small">You can give up to ${credits(transferable)} credits. A gift cannot be taken back.</p>`
    }
    <div class="gift-actions">
      <button class="button primary" name="decision" value="confirm"${isTooMuch && html` disabled`}>Give ${intent.amount} credits</button>
      <button class="button" name="decision" value="cancel">Cancel</button>
    </div>
    <p class="muted small" id="left">This offer is open for ten minutes from when it was made.</p>
  </form>`;
}

/** An app has opened a window for it; of one's own gifts one comes back to all of them. */
function farewell({ sitePath }: PageContext, { appName }: Gift): Html {
  if (!appName) return html`<p><a class="button" href="${sitePath}/studio/tribe#gift-lists">Your gifts</a></p>`;
  return html`<p class="muted small">You can close this window.</p>
  <p><button class="button" id="close" type="button" hidden>Close window</button></p>`;
}

function notYours(site: PageContext, reply: FastifyReply, session: PageSession | undefined): FastifyReply {
  return sendPage(site, reply, {
    keepsOpener: true,
    title: 'This gift is not yours',
    status: 403,
    body: html`${topBar(site, session)}
<main class="card sheet stack">
  <h1 class="sheet-title">This gift is not yours</h1>
  <p>Only the account that would give the credits may confirm a gift. Sign out and sign in with that account.</p>
</main>`,
  });
}
