/**
 * `/g-...` and `/v-...`: a spoken clip and a film under their short addresses. A g- slug is the grant; a film is
 * private until its maker shows it, and its signed-in maker can do so on the page itself.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { parse } from 'graphql';
import type { CardPicture } from './card-picture.ts';
import { type SharedClip, sendClip } from './clip-page.ts';
import { type Html, html } from './html.ts';
import { notFound } from './not-found.ts';
import { sendPage } from './page.ts';
import { hasValidCsrf, type PageSession, pageSession } from './session.ts';
import { csrfField, topBar } from './shell.ts';
import type { PageHandler, PagesSite } from './site.ts';

interface SpeechCardData {
  speechCard: {
    text: string;
    words: { ms: number; at: number; len: number }[] | null;
    avatarDisplayName: string | null;
    avatarImageUrl: string | null;
    generation: { audioUrl: string | null; videoUrl: string | null };
  };
}
const SPEECH_CARD = parse(`query PageSpeech($slug: String!) {
  speechCard(slug: $slug) { text words { ms at len } avatarDisplayName avatarImageUrl
    generation { audioUrl videoUrl } } }`);

interface SharedVideoData {
  sharedVideo: {
    isOwner: boolean;
    video: {
      generationId: string;
      slug: string;
      status: string;
      progress: number;
      prompt: string;
      videoUrl: string | null;
      stillUrl: string | null;
      error: string | null;
      visibility: string;
    };
  };
}
type ShownVideo = SharedVideoData['sharedVideo']['video'];
const SHARED_VIDEO = parse(`query PageVideo($slug: String!) {
  sharedVideo(slug: $slug) { isOwner video { generationId slug status progress prompt videoUrl stillUrl error visibility } } }`);
const SET_VISIBILITY = parse(`mutation PageVideoVisibility($generationId: ID!, $visibility: String!) {
  setVideoVisibility(generationId: $generationId, visibility: $visibility) { visibility } }`);

/** Mounts both; slugs are accepted in any case. */
export function mountMediaClips(fastify: FastifyInstance, site: PagesSite): void {
  for (const prefix of ['/g-', '/G-']) fastify.get(`${prefix}:rest`, speechClipPage(site));
  for (const prefix of ['/v-', '/V-']) {
    fastify.get(`${prefix}:rest`, videoClipPage(site));
    fastify.post(`${prefix}:rest/visibility`, flipVisibility(site));
  }
}

const slugOf = (request: FastifyRequest, kind: 'g' | 'v'): string =>
  `${kind}-${(request.params as { rest: string }).rest}`.toLowerCase();

function speechClipPage(site: PagesSite): PageHandler {
  return async (request, reply) => {
    const slug = slugOf(request, 'g');
    const card = (await site.ask<SpeechCardData>(request, SPEECH_CARD, { slug })).data?.speechCard;
    return sendClip(site, request, reply, card && speechClip(slug, card));
  };
}

function speechClip(slug: string, card: SpeechCardData['speechCard']): SharedClip {
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

function videoClipPage(site: PagesSite): PageHandler {
  return async (request, reply) => {
    const slug = slugOf(request, 'v');
    const session = pageSession(request);
    const shown = (await site.ask<SharedVideoData>(request, SHARED_VIDEO, { slug }, session?.idToken)).data
      ?.sharedVideo;
    if (shown?.isOwner && session) {
      void reply.header('vary', 'Accept, User-Agent, Cookie').header('cache-control', 'no-store');
      return ownerPage(site, reply, shown.video, session);
    }
    return sendClip(site, request, reply, shown && videoClip(shown.video));
  };
}

const videoClip = ({ slug, prompt, videoUrl, stillUrl }: ShownVideo): SharedClip => ({
  slug,
  title: 'Video',
  text: prompt,
  videoUrl,
  audioUrl: null,
  posterUrl: stillUrl,
  hasLive: false,
});

/** What its maker sees, also before it is ready. Never inside another site's frame. */
function ownerPage(site: PagesSite, reply: Parameters<PageHandler>[1], video: ShownVideo, session: PageSession) {
  const isPublic = video.visibility === 'public';
  return sendPage(site, reply, {
    title: `Video: ${video.prompt.slice(0, 60)}`,
    embeddable: false,
    styles: ['clip.css'],
    scripts: [],
    head: html`<meta name="robots" content="noindex">`,
    body: html`${topBar(site, session, `/${video.slug}`)}
<main class="clip-page">
  <div class="frame card">${state(video)}</div>
  <div class="about stack">
    <h1>Video</h1>
    <p class="spoken">${video.prompt}</p>
    <p class="muted small">${isPublic ? 'Public: whoever has the address can watch it.' : 'Private: only you can open this page.'}</p>
    <form method="post" action="${site.sitePath}/${video.slug}/visibility">${csrfField(session.csrf)}<input type="hidden" name="visibility" value="${isPublic ? 'private' : 'public'}"><button class="button">${isPublic ? 'Make private' : 'Make public'}</button></form>
  </div>
</main>`,
    data: {},
  });
}

function state({ videoUrl, stillUrl, status, progress, error, prompt }: ShownVideo): Html {
  if (videoUrl)
    return html`<video src="${videoUrl}"${stillUrl && html` poster="${stillUrl}"`} controls playsinline preload="metadata" aria-label="${prompt}"></video>`;
  if (status === 'error') return html`<p class="notice bad">${error ?? 'This video could not be made.'}</p>`;
  return html`<p class="notice">${status === 'queued' ? 'Waiting for its turn' : 'Being made'}: <progress max="1" value="${String(progress)}"></progress> Load this page again in a moment.</p>`;
}

function flipVisibility(site: PagesSite): PageHandler {
  return async (request, reply) => {
    const slug = slugOf(request, 'v');
    const session = pageSession(request);
    void reply.header('cache-control', 'no-store').removeHeader('access-control-allow-origin');
    if (session && hasValidCsrf(request, session)) {
      const { data } = await site.ask<SharedVideoData>(request, SHARED_VIDEO, { slug }, session.idToken);
      if (!data) return notFound(site, reply);
      const { generationId } = data.sharedVideo.video;
      const visibility = String((request.body as Record<string, unknown>).visibility);
      await site.ask(request, SET_VISIBILITY, { generationId, visibility }, session.idToken);
    }
    return reply.redirect(`${site.sitePath}/${slug}`, 303);
  };
}

/** What the card of a clip's link shows; only what is public has one. */
export async function mediaClipPicture(
  site: PagesSite,
  request: FastifyRequest,
  slug: string,
): Promise<CardPicture | undefined> {
  if (slug.startsWith('g-')) {
    const card = (await site.ask<SpeechCardData>(request, SPEECH_CARD, { slug })).data?.speechCard;
    if (!card) return undefined;
    const hint = card.generation.videoUrl ? 'Watch and listen' : 'Listen';
    const name = card.avatarDisplayName ?? 'Avatar';
    return { name, text: card.text, hint, stillUrl: card.avatarImageUrl, isClip: true };
  }
  const shown = (await site.ask<SharedVideoData>(request, SHARED_VIDEO, { slug })).data?.sharedVideo;
  if (!shown) return undefined;
  const { prompt, stillUrl } = shown.video;
  return { name: 'Video', text: prompt, hint: 'Watch', stillUrl, isClip: true };
}
