/**
 * A shared clip under its short address: people and card crawlers get the page that plays it, everything else a
 * 302 to freshly signed media, whose body carries the card as well. `/t-`, `/g-` and `/v-` are one function here; each
 * brings its own data.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { cardMeta, shorten } from './card-meta.ts';
import { type Html, html } from './html.ts';
import { notFound } from './not-found.ts';
import { CLIP_CARD, type ClipCardData } from './operations.ts';
import { icon, sendPage } from './page.ts';
import { topBar } from './shell.ts';
import type { PageHandler, PagesSite } from './site.ts';

/** A clip as its page shows it, wherever it comes from. */
export interface SharedClip {
  slug: string;
  /** Who is seen or heard, or what the clip is. */
  title: string;
  /** The words that are spoken, or what was asked for. */
  text: string;
  videoUrl: string | null;
  audioUrl: string | null;
  posterUrl: string | null;
  /** When each word is spoken, if that is known: shown along with the clip. */
  words?: readonly { ms: number; at: number; len: number }[] | null;
  /** False for clips without a live viewer of their own (`/v-`). */
  hasLive?: boolean;
}

/** Agents that fetch a link only to show its card; they get the page whatever they accept. */
const CRAWLERS =
  /facebookexternalhit|facebot|twitterbot|slackbot|discordbot|linkedinbot|whatsapp|telegrambot|pinterest|redditbot|skypeuripreview|applebot|googlebot|bingbot|embedly|iframely|vkshare|mastodon|bluesky|cardyb|signal|viber|line-poker|tumblr|bitlybot|google-inspectiontool/i;

export function wantsPage(request: FastifyRequest): boolean {
  const { accept = '', 'user-agent': agent = '' } = request.headers;
  return /\btext\/html\b/i.test(accept) || CRAWLERS.test(agent);
}

/** Answers for a clip; undefined stands for none, or for one this caller may not know of. */
export function sendClip(
  site: PagesSite,
  request: FastifyRequest,
  reply: FastifyReply,
  clip: SharedClip | undefined,
): FastifyReply {
  void reply.header('vary', 'Accept, User-Agent').header('cache-control', 'no-store');
  const media = clip?.videoUrl ?? clip?.audioUrl;
  if (!clip || !media) return notFound(site, reply);
  const meta = cardMeta(site, {
    slug: clip.slug,
    title: clip.title,
    description: clip.text,
    kind: clip.videoUrl ? 'video.other' : 'website',
    hasLive: clip.hasLive !== false,
    videoUrl: clip.videoUrl,
    audioUrl: clip.videoUrl ? null : clip.audioUrl,
  });
  if (wantsPage(request)) return clipPage(site, reply, clip, meta);
  const body = html`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${clip.title}</title>${meta}</head>
<body><a href="${media}">${clip.title}</a></body></html>`;
  return reply
    .code(302)
    .header('location', media)
    .header('content-type', 'text/html; charset=utf-8')
    .header('referrer-policy', 'no-referrer')
    .send(body.text);
}

function clipPage(site: PagesSite, reply: FastifyReply, clip: SharedClip, meta: Html): FastifyReply {
  const address = `${site.siteUrl}/${clip.slug}`;
  return sendPage(site, reply, {
    title: `${clip.title}: ${shorten(clip.text, 60)}`,
    embeddable: true,
    styles: ['clip.css'],
    scripts: ['clip.js'],
    head: meta,
    body: html`${topBar(site, undefined)}
<main class="clip-page">
  <div class="frame card">${player(clip)}</div>
  <div class="about stack">
    <h1><bdi>${clip.title}</bdi></h1>
    <p class="spoken" id="spoken" dir="auto">${clip.text}</p>
    <p class="actions">
      ${clip.hasLive !== false && html`<a class="button" href="${site.sitePath}/live/${clip.slug}">${icon('live')} Full screen</a>`}
      <button class="button" type="button" id="copy" data-address="${address}" hidden>${icon('share')} <span>Copy link</span></button>
    </p>
  </div>
</main>`,
    data: { text: clip.text, words: clip.words ?? [] },
  });
}

function player({ videoUrl, audioUrl, posterUrl, title }: SharedClip): Html {
  if (videoUrl) {
    return html`<video id="player" src="${videoUrl}"${posterUrl && html` poster="${posterUrl}"`} controls playsinline preload="metadata" aria-label="${title}"></video>`;
  }
  return html`${posterUrl && html`<img class="sleeve" src="${posterUrl}" alt="${title}">`}<audio id="player" src="${audioUrl}" controls preload="metadata" aria-label="${title}"></audio>`;
}

export function turnClipPage(site: PagesSite): PageHandler {
  return async (request, reply) => {
    const slug = `t-${(request.params as { rest: string }).rest}`.toLowerCase();
    const card = (await site.ask<ClipCardData>(request, CLIP_CARD, { slug })).data?.clipCard;
    return sendClip(site, request, reply, card && turnClip(slug, card));
  };
}

export function turnClip(
  slug: string,
  { turn, avatarDisplayName, avatarImageUrl }: ClipCardData['clipCard'],
): SharedClip {
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
