/**
 * `/g-...` and `/v-...`: a spoken recording and a video under their short addresses. A g- slug is the grant; a video is
 * private until its maker shows it, and its signed-in maker can do so on the page itself.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { CardContent } from './card-drawing.ts';
import { csrfField } from './csrf-field.ts';
import { type Html, html } from './html.ts';
import { notFound } from './not-found.ts';
import {
  CANCEL_VIDEO,
  SHARED_SPEECH,
  SHARED_VIDEO,
  type SharedSpeechData,
  type SharedVideoData,
  VIDEO_VISIBILITY,
} from './operations.ts';
import { type Page, sendPage } from './page.ts';
import type { PageContext, PageHandler } from './page-context.ts';
import { followed, updateCursor } from './self-updating-page.ts';
import { hasValidCsrf, type PageSession, pageSession } from './session.ts';
import { type SharedMedia, sendSharedMedia } from './shared-media-page.ts';
import { askFirst } from './studio/parts.ts';
import { topBar } from './top-bar.ts';

type ShownVideo = SharedVideoData['sharedVideo']['video'];

/** Mounts both; slugs are accepted in any case. */
export function mountSpeechAndVideos(fastify: FastifyInstance, site: PageContext): void {
  for (const prefix of ['/g-', '/G-']) fastify.get(`${prefix}:rest`, sharedSpeechPage(site));
  for (const prefix of ['/v-', '/V-']) {
    fastify.get(`${prefix}:rest`, sharedVideoPage(site));
    fastify.post(
      `${prefix}:rest/visibility`,
      ownerForm(site, async (request, generationId, idToken) => {
        const visibility = String((request.body as Record<string, unknown>).visibility);
        await site.ask(request, VIDEO_VISIBILITY, { generationId, visibility }, idToken);
      }),
    );
    fastify.post(
      `${prefix}:rest/cancel`,
      ownerForm(site, async (request, generationId, idToken) => {
        await site.ask(request, CANCEL_VIDEO, { generationId }, idToken);
      }),
    );
  }
}

const slugOf = (request: FastifyRequest, kind: 'g' | 'v'): string =>
  `${kind}-${(request.params as { rest: string }).rest}`.toLowerCase();

function sharedSpeechPage(site: PageContext): PageHandler {
  return async (request, reply) => {
    const slug = slugOf(request, 'g');
    const card = (await site.ask(request, SHARED_SPEECH, { slug })).data?.speechCard;
    return sendSharedMedia(site, request, reply, card && speechMedia(slug, card));
  };
}

function speechMedia(slug: string, card: SharedSpeechData['speechCard']): SharedMedia {
  return {
    slug,
    title: card.avatarDisplayName ?? 'Avatar',
    text: card.text,
    videoUrl: card.generation.videoUrl,
    audioUrl: card.generation.audioUrl,
    posterUrl: card.avatarImageUrl,
    words: card.words,
    hasLive: false,
  };
}

function sharedVideoPage(site: PageContext): PageHandler {
  return async (request, reply) => {
    const slug = slugOf(request, 'v');
    const session = pageSession(request);
    const cursor = session && (await updateCursor(site, request, session.idToken));
    const shown = (await site.ask(request, SHARED_VIDEO, { slug }, session?.idToken)).data?.sharedVideo;
    if (shown?.isOwner && session) {
      void reply.header('vary', 'Accept, User-Agent, Cookie').header('cache-control', 'no-store');
      return sendPage(site, reply, followed(site, ownerPage(site, shown.video, session), cursor));
    }
    return sendSharedMedia(site, request, reply, shown && videoMedia(shown.video));
  };
}

const videoMedia = ({ slug, prompt, videoUrl, stillUrl }: ShownVideo): SharedMedia => ({
  slug,
  title: 'Video',
  text: prompt,
  videoUrl,
  audioUrl: null,
  posterUrl: stillUrl,
  hasLive: false,
});

/** What its maker sees, also before it is ready. Never inside another site's frame. */
function ownerPage(site: PageContext, video: ShownVideo, session: PageSession): Page {
  const isPublic = video.visibility === 'public';
  const isMade = ['queued', 'rendering'].includes(video.status);
  return {
    title: `Video: ${video.prompt.slice(0, 60)}`,
    embeddable: false,
    styles: ['shared-media.css'],
    scripts: [],
    head: html`<meta name="robots" content="noindex">${isMade && html`<noscript><meta http-equiv="refresh" content="3"></noscript>`}`,
    body: html`${topBar(site, session, `/${video.slug}`)}
<main class="shared-media" id="video" data-live="video" data-live-subject="${video.generationId}"${isMade && html` data-working="${video.generationId}"`}>
  <div class="frame card">${state(video)}</div>
  <div class="about stack">
    <h1>Video</h1>
    <p class="spoken">${video.prompt}</p>
    <p class="muted small">${isPublic ? 'Public: all who have the address can watch it.' : 'Private: only you can open this page.'}</p>
    <form method="post" action="${site.sitePath}/${video.slug}/visibility">${csrfField(session.csrf)}<input type="hidden" name="visibility" value="${isPublic ? 'private' : 'public'}"><button class="button">${isPublic ? 'Make private' : 'Make public'}</button></form>
    ${isMade && html`<form method="post" action="${site.sitePath}/${video.slug}/cancel">${csrfField(session.csrf)}<button class="button">Cancel, at no cost</button></form>`}
    ${video.videoUrl && html`<p><a class="button" href="${video.videoUrl}" download>Download</a></p>`}
    ${askFirst({ label: 'Delete', question: 'It goes for good, and its address with it.', yes: 'Delete it', action: `${site.sitePath}/studio/create/video/delete`, csrf: session.csrf, fields: { generationId: video.generationId } })}
    <p class="small"><a href="${site.sitePath}/studio/create/video">All videos</a></p>
  </div>
</main>`,
    data: {},
  };
}

function state({ generationId, videoUrl, stillUrl, status, progress, queuePosition, error, prompt }: ShownVideo): Html {
  if (videoUrl)
    return html`<video src="${videoUrl}"${stillUrl && html` poster="${stillUrl}"`} controls playsinline preload="metadata" aria-label="${prompt}"></video>`;
  if (status === 'error') return html`<p class="notice bad">${error ?? 'This video could not be made.'}</p>`;
  return html`<p class="notice">${status === 'queued' ? waiting(queuePosition) : 'Being made'}: <progress max="1" value="${String(progress)}" data-video="${generationId}" aria-label="How far it is"></progress></p>`;
}

const waiting = (position?: number | null): string =>
  position && position > 1 ? `Waiting for its turn, number ${position} of those that wait` : 'Waiting for its turn';

/** A form of the owner's page; whatever became of it, the page shows it. */
function ownerForm(
  site: PageContext,
  run: (request: FastifyRequest, generationId: string, idToken: string) => Promise<void>,
): PageHandler {
  return async (request, reply) => {
    const slug = slugOf(request, 'v');
    const session = pageSession(request);
    void reply.header('cache-control', 'no-store').removeHeader('access-control-allow-origin');
    if (session && hasValidCsrf(request, session)) {
      const { data } = await site.ask(request, SHARED_VIDEO, { slug }, session.idToken);
      if (!data) return notFound(site, reply);
      await run(request, data.sharedVideo.video.generationId, session.idToken);
    }
    return reply.redirect(`${site.sitePath}/${slug}`, 303);
  };
}

/** What the card of a recording's link shows; only what is public has one. */
export async function speechOrVideoCard(
  site: PageContext,
  request: FastifyRequest,
  slug: string,
): Promise<CardContent | undefined> {
  if (slug.startsWith('g-')) {
    const card = (await site.ask(request, SHARED_SPEECH, { slug })).data?.speechCard;
    if (!card) return undefined;
    const action = card.generation.videoUrl ? 'Watch and listen' : 'Listen';
    const name = card.avatarDisplayName ?? 'Avatar';
    return { name, text: card.text, action, stillUrl: card.avatarImageUrl, isPlayable: true };
  }
  const shown = (await site.ask(request, SHARED_VIDEO, { slug })).data?.sharedVideo;
  if (!shown) return undefined;
  const { prompt, stillUrl } = shown.video;
  return { name: 'Video', text: prompt, action: 'Watch', stillUrl, isPlayable: true };
}
