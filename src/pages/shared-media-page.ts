/**
 * A shared recording under its short address: browsers and card crawlers get the page that plays it, everything else a
 * 302 to freshly signed media, whose body carries the card as well. `/t-`, `/g-` and `/v-` are one function here; each
 * brings its own data.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { cardMeta, shorten } from './card-meta.ts';
import { type Html, html } from './html.ts';
import { notFound } from './not-found.ts';
import { SHARED_TURN, type SharedTurnData } from './operations.ts';
import { icon, sendPage } from './page.ts';
import type { PageContext, PageHandler } from './page-context.ts';
import { topBar } from './top-bar.ts';

/** A recording as its page shows it, wherever it comes from. */
export interface SharedMedia {
  slug: string;
  /** Who is seen or heard, or what the recording is. */
  title: string;
  /** The words that are spoken, or what was asked for. */
  text: string;
  videoUrl: string | null;
  audioUrl: string | null;
  posterUrl: string | null;
  /** When each word is spoken, if that is known: shown along with the recording. */
  words?: readonly { ms: number; at: number; len: number }[] | null;
  /** False for recordings without a live viewer of their own (`/v-`). */
  hasLive?: boolean;
}

/** Agents that fetch a link only to show its card; they get the page whatever they accept. */
const CRAWLERS =
  /facebookexternalhit|facebot|twitterbot|slackbot|discordbot|linkedinbot|whatsapp|telegrambot|pinterest|redditbot|skypeuripreview|applebot|googlebot|bingbot|embedly|iframely|vkshare|mastodon|bluesky|cardyb|signal|viber|line-poker|tumblr|bitlybot|google-inspectiontool/i;

function wantsPage(request: FastifyRequest): boolean {
  const { accept = '', 'user-agent': agent = '' } = request.headers;
  return /\btext\/html\b/i.test(accept) || CRAWLERS.test(agent);
}

/** Answers for a recording; undefined stands for none, or for one this caller may not know of. */
export function sendSharedMedia(
  site: PageContext,
  request: FastifyRequest,
  reply: FastifyReply,
  shared: SharedMedia | undefined,
): FastifyReply {
  void reply.header('vary', 'Accept, User-Agent').header('cache-control', 'no-store');
  const media = shared?.videoUrl ?? shared?.audioUrl;
  if (!shared || !media) return notFound(site, reply);
  const meta = cardMeta(site, {
    slug: shared.slug,
    title: shared.title,
    description: shared.text,
    kind: shared.videoUrl ? 'video.other' : 'website',
    hasLive: shared.hasLive !== false,
    videoUrl: shared.videoUrl,
    audioUrl: shared.videoUrl ? null : shared.audioUrl,
  });
  if (wantsPage(request)) return mediaPage(site, reply, shared, meta);
  const body = html`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${shared.title}</title>${meta}</head>
<body><a href="${media}">${shared.title}</a></body></html>`;
  return reply
    .code(302)
    .header('location', media)
    .header('content-type', 'text/html; charset=utf-8')
    .header('referrer-policy', 'no-referrer')
    .send(body.text);
}

function mediaPage(site: PageContext, reply: FastifyReply, media: SharedMedia, meta: Html): FastifyReply {
  const address = `${site.siteUrl}/${media.slug}`;
  return sendPage(site, reply, {
    title: `${media.title}: ${shorten(media.text, 60)}`,
    embeddable: true,
    styles: ['shared-media.css'],
    scripts: ['shared-media.js'],
    head: meta,
    body: html`${topBar(site, undefined)}
<main class="shared-media">
  <div class="frame card">${player(media)}</div>
  <div class="about stack">
    <h1><bdi>${media.title}</bdi></h1>
    <p class="spoken" id="spoken" dir="auto">${media.text}</p>
    <p class="actions">
      ${media.hasLive !== false && html`<a class="button" href="${site.sitePath}/live/${media.slug}">${icon('live')} Full screen</a>`}
      <button class="button" type="button" id="copy" data-address="${address}" hidden>${icon('share')} <span>Copy link</span></button>
    </p>
  </div>
</main>`,
    data: { text: media.text, words: media.words ?? [] },
  });
}

function player({ videoUrl, audioUrl, posterUrl, title }: SharedMedia): Html {
  if (videoUrl) {
    return html`<video id="player" src="${videoUrl}"${posterUrl && html` poster="${posterUrl}"`} controls playsinline preload="metadata" aria-label="${title}"></video>`;
  }
  return html`${posterUrl && html`<img class="sleeve" src="${posterUrl}" alt="${title}">`}<audio id="player" src="${audioUrl}" controls preload="metadata" aria-label="${title}"></audio>`;
}

/** The page of one shared turn. */
export function sharedTurnPage(site: PageContext): PageHandler {
  return async (request, reply) => {
    const slug = `t-${(request.params as { rest: string }).rest}`.toLowerCase();
    const card = (await site.ask(request, SHARED_TURN, { slug })).data?.turnCard;
    return sendSharedMedia(site, request, reply, card && turnMedia(slug, card));
  };
}

function turnMedia(slug: string, { turn, avatarDisplayName, avatarImageUrl }: SharedTurnData['turnCard']): SharedMedia {
  return {
    slug,
    title: avatarDisplayName ?? 'Avatar',
    text: turn.avatarText ?? turn.userText ?? '',
    videoUrl: turn.videoUrl,
    audioUrl: turn.audioUrl,
    posterUrl: avatarImageUrl,
    words: turn.words,
  };
}
