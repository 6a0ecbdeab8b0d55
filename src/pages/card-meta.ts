/** Open Graph and Twitter tags, and where the oEmbed answer is: how a link to a page is shown by other apps. */
import { type Html, html } from './html.ts';
import type { PageContext } from './page-context.ts';

/** What the preview of a link says. */
export interface CardFacts {
  slug: string;
  title: string;
  description: string;
  kind: 'website' | 'video.other';
  /** False where there is no live viewer to embed (`/g-`, `/v-`). */
  hasLive?: boolean;
  /** Direct address of the recording, and the side of its square. */
  videoUrl?: string | null;
  audioUrl?: string | null;
}

const MAX_DESCRIPTION = 200;
const PLAYER = { width: 480, height: 480 };

/** The meta elements by which other sites preview a link. */
export function cardMeta({ siteUrl }: PageContext, facts: CardFacts): Html {
  const address = `${siteUrl}/${facts.slug}`;
  const image = `${siteUrl}/cards/${facts.slug}.jpg`;
  const description = shorten(facts.description, MAX_DESCRIPTION);
  const live = `${siteUrl}/live/${facts.slug}`;
  const oembed = `${siteUrl}/oembed?url=${encodeURIComponent(address)}`;
  const hasLive = facts.hasLive !== false;
  return html`<meta name="description" content="${description}">
<link rel="canonical" href="${address}">
${hasLive && html`<link rel="alternate" type="application/json+oembed" href="${oembed}" title="${facts.title}">`}
<meta property="og:site_name" content="Avatars">
<meta property="og:type" content="${facts.kind}">
<meta property="og:url" content="${address}">
<meta property="og:title" content="${facts.title}">
<meta property="og:description" content="${description}">
<meta property="og:image" content="${image}">
<meta property="og:image:type" content="image/jpeg">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta property="og:image:alt" content="${facts.title}">
${
  facts.videoUrl &&
  html`<meta property="og:video" content="${facts.videoUrl}"><meta property="og:video:type" content="video/mp4">
<meta property="og:video:width" content="${PLAYER.width}"><meta property="og:video:height" content="${PLAYER.height}">`
}
${facts.audioUrl && html`<meta property="og:audio" content="${facts.audioUrl}"><meta property="og:audio:type" content="audio/mp4">`}
${
  facts.kind === 'video.other' && hasLive
    ? html`<meta name="twitter:card" content="player"><meta name="twitter:player" content="${live}?autoplay=0">
<meta name="twitter:player:width" content="${PLAYER.width}"><meta name="twitter:player:height" content="${PLAYER.height}">`
    : html`<meta name="twitter:card" content="summary_large_image">`
}
<meta name="twitter:title" content="${facts.title}">
<meta name="twitter:description" content="${description}">
<meta name="twitter:image" content="${image}">
<meta name="twitter:image:alt" content="${facts.title}">`;
}

/** Cut at a word, with an ellipsis. */
export function shorten(text: string, max: number): string {
  if (text.length <= max) return text;
  const cut = text.slice(0, max - 1);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), max / 2))}…`;
}
