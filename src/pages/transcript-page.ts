/**
 * `/c-...`: a conversation to read, and for its signed-in owner to go on with. Public ones are for
 * anyone, private ones for the owner, the viewer token and the key of an access link; everyone else sees what they
 * would see where nothing is.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { cardMeta } from './card-meta.ts';
import { csrfField } from './csrf-field.ts';
import { type Html, html } from './html.ts';
import { notFound } from './not-found.ts';
import {
  ACCESS_LINKS,
  type AccessLinksData,
  type ConversationFields,
  CREATE_ACCESS_LINK,
  INJECT,
  REVOKE_ACCESS_LINK,
  SET_VISIBILITY,
  TRANSCRIBE,
  TRANSCRIPT,
  type UpdateFields,
  WHOLE_TRANSCRIPT,
} from './operations.ts';
import { icon, sendPage } from './page.ts';
import type { Outcome, PageContext, PageHandler } from './page-context.ts';
import { hasValidCsrf, type PageSession, pageSession } from './session.ts';
import { shareMenu } from './share-menu.ts';
import { talkBox } from './talk-box.ts';
import { thumbnail } from './thumbnail.ts';
import { topBar } from './top-bar.ts';
import { EXPORT_FORMATS } from './transcript-export.ts';
import { earliestOf, firstWords, TRANSCRIPT_TURNS } from './turn-data.ts';
import { turnItem } from './turn-view.ts';

interface Shown {
  conversation: ConversationFields;
  /** A page of the turns: the newest, or those before one. */
  updates: UpdateFields[];
  /** Where the feed goes on behind them; null on a page of earlier turns, which nothing is added to. */
  cursor: string | null;
  /** What the avatar said first. */
  opening: string | undefined;
  name: string;
  viewerToken: string | null;
  key: string | null;
  /** When what is shown live began, in milliseconds; `now` for a reader who comes back. */
  since: string;
  /** Private links that stand; only for the owner. */
  links: AccessLinksData['accessLinks']['nodes'];
  /** Whether the platform writes recordings down. */
  canTranscribe: boolean;
  /** Set when the reader is the signed-in owner. */
  owner: PageSession | undefined;
}

/** The page of a conversation's transcript. */
export function transcriptPage(site: PageContext): PageHandler {
  return async (request, reply) => {
    const slug = slugOf(request);
    const { token, key, since, before: asked } = request.query as Record<string, unknown>;
    const grant = { viewerToken: text(token), key: text(key) };
    const before = text(asked);
    const session = pageSession(request);
    const page = { slug, ...grant, before, limit: TRANSCRIPT_TURNS };
    const { data } = await site.ask(request, TRANSCRIPT, page, session?.idToken);
    if (!data) return notFound(site, reply);
    const { conversation, updates, cursor } = data.conversationBySlug;
    // The token is shown to the owner alone, so its presence shows that the session is theirs.
    const owner = conversation.viewerToken ? session : undefined;
    const links =
      owner &&
      (await site.ask(request, ACCESS_LINKS, { conversationId: conversation.conversationId }, owner.idToken)).data;
    return show(site, reply, {
      links: links?.accessLinks.nodes ?? [],
      conversation,
      updates,
      cursor: before === null ? cursor : null,
      opening: firstWords(conversation.turns.nodes),
      canTranscribe: data.canTranscribe,
      name: conversation.avatarDisplayName ?? 'Avatar',
      viewerToken: conversation.viewerToken ?? grant.viewerToken,
      key: grant.key,
      since: typeof since === 'string' && /^\d{1,15}$/.test(since) ? since : 'now',
      owner,
    });
  };
}

/** `/c-.../export/txt`: for those who may read the page. */
export function exportTranscript(site: PageContext): PageHandler {
  return async (request, reply) => {
    const { token, key } = request.query as Record<string, unknown>;
    const format = EXPORT_FORMATS[(request.params as { format: string }).format];
    const slug = slugOf(request);
    const grant = { viewerToken: text(token), key: text(key) };
    const { data } = await site.ask(request, WHOLE_TRANSCRIPT, { slug, ...grant }, pageSession(request)?.idToken);
    if (!data || !format) return notFound(site, reply);
    return reply
      .headers({ 'content-type': format.type, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
      .removeHeader('access-control-allow-origin')
      .send(format.write(data.conversationBySlug));
  };
}

function show(site: PageContext, reply: FastifyReply, shown: Shown): FastifyReply {
  const { conversation, name, viewerToken, key, owner } = shown;
  const slug = conversation.shareSlug;
  const title = `A conversation with ${name}`;
  return sendPage(site, reply, {
    title,
    embeddable: !owner,
    framesUs: owner !== undefined,
    features: owner ? ['microphone'] : [],
    styles: ['transcript.css'],
    scripts: ['transcript.js'],
    bodyClass: owner && shown.cursor !== null ? 'talk' : 'read',
    head: conversation.isPublic
      ? cardMeta(site, { slug, title, description: shown.opening ?? 'Watch and read along.', kind: 'website' })
      : html`<meta name="robots" content="noindex">`,
    body: html`${topBar(site, owner, `/${slug}`, 'Talk')}${owner && shown.cursor !== null ? talkLayout(site, shown, owner) : readLayout(site, shown)}`,
    data: {
      slug,
      name,
      still: conversation.avatarImageUrl,
      viewerToken,
      key,
      cursor: shown.cursor,
      // The page shows what lies before: the feed begins behind it.
      replayCursor: shown.cursor,
      earliest: earliestOf(shown.updates, TRANSCRIPT_TURNS),
      graphql: `${site.sitePath}/graphql`,
      nowMs: site.clock.now(),
      canTranscribe: shown.canTranscribe,
      isOwner: owner !== undefined,
    },
  });
}

function liveAddress(site: PageContext, { conversation, viewerToken, key }: Shown): string {
  const query = new URLSearchParams(viewerToken ? { token: viewerToken } : key ? { key } : {});
  return `${site.sitePath}/live/${conversation.shareSlug}${query.size > 0 ? `?${query}` : ''}`;
}

/** The page of the turns before one, for browsers without scripts; without one the newest. */
function addressBefore(site: PageContext, shown: Shown, turnId: string | null): string {
  const { conversation, viewerToken, key, owner } = shown;
  const query = new URLSearchParams();
  if (!owner && viewerToken) query.set('token', viewerToken);
  else if (!owner && key) query.set('key', key);
  if (turnId !== null) query.set('before', turnId);
  return `${site.sitePath}/${conversation.shareSlug}${query.size > 0 ? `?${query}` : ''}`;
}

function heading({ conversation, name }: Shown): Html {
  const day = new Date(conversation.createdAt).toISOString().slice(0, 10);
  const { title } = conversation;
  return html`<h1 title="${title ?? name}"><bdi>${title ?? name}</bdi></h1><p class="muted small">${title && html`<bdi>${name}</bdi> · `}${conversation.isPublic ? 'Public' : 'Private'} conversation, <time datetime="${day}">${day}</time></p>`;
}

function list(site: PageContext, shown: Shown): Html {
  const { updates, conversation, name, owner } = shown;
  const speaker = { name, still: conversation.avatarImageUrl, mayDelete: owner !== undefined };
  const earliest = earliestOf(updates, TRANSCRIPT_TURNS);
  return html`<p class="earlier"><a class="button quiet" id="earlier" href="${addressBefore(site, shown, earliest?.turnId ?? null)}"${!earliest && html` hidden`}>Earlier</a>${shown.cursor === null && html` <a class="button quiet" href="${addressBefore(site, shown, null)}">Newest</a>`}</p>
  <ol class="turns" id="turns" aria-live="polite">${updates.map((update) => turnItem(update, speaker))}</ol>
  <p class="muted empty" id="empty"${updates.length > 0 && html` hidden`}>Nothing has been said yet. What is said will appear here by itself.</p>`;
}

function readLayout(site: PageContext, shown: Shown): Html {
  const { avatarImageUrl } = shown.conversation;
  return html`<main class="reading">
  <header class="who-head">
    ${avatarImageUrl && html`<img class="portrait" src="${thumbnail(avatarImageUrl, 192)}" alt="" width="96" height="96">`}
    <div>${heading(shown)}</div>
    <a class="button primary" href="${liveAddress(site, shown)}">${icon('live')} Watch live</a>
  </header>
  ${list(site, shown)}
</main>`;
}

function talkLayout(site: PageContext, shown: Shown, owner: PageSession): Html {
  const address = `${site.sitePath}/${shown.conversation.shareSlug}`;
  const live = liveAddress(site, shown);
  return html`<main class="talking">
  <section class="stage-pane" aria-label="Live">
    <iframe class="stage-frame" id="stage" title="${shown.name}, live" src="${live}${live.includes('?') ? '&' : '?'}since=${shown.since}" allow="autoplay; fullscreen"></iframe>
  </section>
  <section class="chat-pane" aria-label="Conversation">
    <header class="chat-head">
      <div>${heading(shown)}</div>
      ${shareMenu(site, { conversation: shown.conversation, links: shown.links, live }, owner)}
    </header>
    <div class="scroller" id="scroller">${list(site, shown)}</div>
    <form class="talk-box" id="talk" method="post" action="${address}/turn" data-transcription="${address}/transcription">
      ${csrfField(owner.csrf)}
      <p class="notice bad" id="problem" role="alert" hidden></p>
      ${talkBox(shown.name)}
    </form>
  </section>
</main>`;
}

/** What the owner's forms on the page do. Each answers a script with JSON and a plain form with the page again. */
export function ownerActions(
  site: PageContext,
): Record<'turn' | 'transcription' | 'visibility' | 'link' | 'revoke', PageHandler> {
  const action =
    (run: (request: FastifyRequest, slug: string, idToken: string) => Promise<Outcome<unknown>>): PageHandler =>
    async (request, reply) => {
      const session = pageSession(request);
      const wantsJson = /\bjson\b/.test(String(request.headers.accept ?? ''));
      const slug = slugOf(request);
      void reply.header('cache-control', 'no-store').removeHeader('access-control-allow-origin');
      if (!session || !hasValidCsrf(request, session)) {
        const error = 'You are signed out, or this page was open for too long. Load it again.';
        return wantsJson ? reply.code(403).send({ error }) : reply.redirect(`${site.sitePath}/${slug}`, 303);
      }
      const { data, message } = await run(request, slug, session.idToken);
      if (wantsJson) return data ? reply.send(data) : reply.code(400).send({ error: message });
      return reply.redirect(`${site.sitePath}/${slug}`, 303);
    };
  return {
    turn: action((request, conversationId, idToken) => {
      const { userText, output } = request.body as Record<string, unknown>;
      const input = { conversationId, userText: String(userText ?? ''), output: String(output ?? 'video') };
      return site.ask(request, INJECT, { input }, idToken);
    }),
    transcription: action(async (request, _conversation, idToken) => {
      const { audio, language } = request.body as Record<string, unknown>;
      const bytes = audio instanceof Uint8Array ? audio : new Uint8Array();
      const input = { audio: bytes, language: text(language) };
      return site.ask(request, TRANSCRIBE, { input }, idToken);
    }),
    visibility: action((request, conversationId, idToken) => {
      const isPublic = (request.body as Record<string, unknown>).isPublic === 'true';
      return site.ask(request, SET_VISIBILITY, { conversationId, isPublic }, idToken);
    }),
    revoke: action((request, conversationId, idToken) => {
      const linkId = String((request.body as Record<string, unknown>).linkId ?? '');
      return site.ask(request, REVOKE_ACCESS_LINK, { conversationId, linkId }, idToken);
    }),
    link: action((request, conversationId, idToken) =>
      site.ask(request, CREATE_ACCESS_LINK, { conversationId }, idToken),
    ),
  };
}

function slugOf(request: FastifyRequest): string {
  return `c-${(request.params as { rest: string }).rest}`.toLowerCase();
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
