/**
 * One page of HTML: head, security headers, body. Every page goes through `sendPage`, so that none forgets its policy:
 * scripts and styles from our own files only, nothing inline, no referrer.
 */
import type { FastifyReply } from 'fastify';
import { type Html, html } from './html.ts';
import type { PageContext } from './page-context.ts';

/** A device that a page may ask for. */
export type Feature = 'camera' | 'microphone';

/** One page: what it shows, and what its policy allows. */
export interface Page {
  title: string;
  body: Html;
  /** Plain names of bundles, e.g. `live.js`. */
  scripts?: string[];
  styles?: string[];
  bodyClass?: string;
  /** Handed to the page's script as JSON (`data-page`). */
  data?: object;
  head?: Html;
  status?: number;
  /** Only pages that recognised nobody may be framed. */
  embeddable?: boolean;
  /** True for a page that an app may have opened as a popup: `window.opener` stays. */
  keepsOpener?: boolean;
  /** Only for the page of a library that writes styles as it goes and has a `<base>` of its own (the GraphQL IDE). */
  isLibrary?: boolean;
  /** True when the page shows the live viewer in a frame of its own. */
  framesUs?: boolean;
  /** Where its forms may lead beside our own pages. */
  formAction?: string;
  /** What the page may ask the person for; every other page is refused it. */
  features?: readonly Feature[];
  /** Hashes of `<style>` elements that a library makes in its shadow trees. */
  styleHashes?: readonly string[];
}

/** Nobody may use them, in a frame of ours neither, but for a page of ours that says so. */
const FEATURES = ['camera', 'display-capture', 'geolocation', 'microphone', 'midi', 'payment', 'serial', 'usb'];

const permissions = (allowed: readonly string[] = []): string =>
  FEATURES.map((feature) => `${feature}=${allowed.includes(feature) ? '(self)' : '()'}`).join(', ');

/** Sends a page with its security headers. */
export function sendPage(site: PageContext, reply: FastifyReply, page: Page): FastifyReply {
  return reply
    .code(page.status ?? 200)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy(site, page),
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'permissions-policy': permissions(page.features),
      // Pages that apps open as a popup, on their way to sign in and back, keep what they are to tell of it.
      'cross-origin-opener-policy': page.keepsOpener || page.embeddable ? 'unsafe-none' : 'same-origin',
      ...(page.embeddable ? {} : { 'x-frame-options': 'DENY' }),
    })
    .removeHeader('access-control-allow-origin')
    .send(document(site, page).text);
}

function policy(site: PageContext, page: Page): string {
  const media = site.mediaOrigin;
  return [
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src ${["'self'", ...(page.isLibrary ? ["'unsafe-inline'"] : []), ...(page.styleHashes ?? [])].join(' ')}`,
    `img-src 'self' data: ${media}`,
    `media-src 'self' blob: ${media}`,
    `connect-src 'self' ${media} ${site.socketOrigins}`,
    `font-src 'self'${page.isLibrary ? ' data:' : ''}`,
    `worker-src 'self' blob:`,
    ...(page.framesUs ? [`frame-src 'self'`] : []),
    `form-action 'self'${page.formAction ? ` ${page.formAction}` : ''}`,
    `base-uri ${page.isLibrary ? "'self'" : "'none'"}`,
    `frame-ancestors ${page.embeddable ? '*' : "'none'"}`,
  ].join('; ');
}

function document({ assets, sitePath }: PageContext, page: Page): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="dark light">
<title>${page.title}</title>
<link rel="icon" href="${sitePath}/icon.svg" type="image/svg+xml">
${['ui.css', ...(page.styles ?? [])].map((name) => html`<link rel="stylesheet" href="${assets.url(name)}">\n`)}
${page.head}
${(page.scripts ?? []).map((name) => html`<script type="module" src="${assets.url(name)}"></script>\n`)}
</head>
<body${page.bodyClass && html` class="${page.bodyClass}"`}${page.data && html` data-page="${JSON.stringify(page.data)}"`}>
${page.body}
</body>
</html>
`;
}

/** Drawn with strokes, in the colour of the text round it. Names of the few signs that pages use. */
const ICONS = {
  play: 'M8 5.5v13l11-6.5z',
  list: 'M4 6h16M4 12h16M4 18h10',
  latest: 'M5 6l6 6-6 6M11.5 6l6 6-6 6M20 6v12',
  close: 'M6 6l12 12M18 6L6 18',
  sound: 'M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM15.5 9a4 4 0 010 6M18 6.5a8 8 0 010 11',
  live: 'M12 10.5a1.5 1.5 0 110 3 1.5 1.5 0 010-3zM8 8a5.6 5.6 0 000 8M16 8a5.6 5.6 0 010 8M5.2 5.2a9.6 9.6 0 000 13.6M18.8 5.2a9.6 9.6 0 010 13.6',
  share: 'M12 15V4M8 7.5L12 3.5l4 4M5 12v6.5A1.5 1.5 0 006.5 20h11a1.5 1.5 0 001.5-1.5V12',
  microphone: 'M12 4a2.5 2.5 0 012.5 2.5v5a2.5 2.5 0 01-5 0v-5A2.5 2.5 0 0112 4zM6 11.5a6 6 0 0012 0M12 17.5V21',
  stop: 'M7 7h10v10H7z',
  send: 'M4.5 12L20 4.5 15.5 20l-3.5-6.5zM12 13.5l3.5-4',
} as const;

/** An icon of ours, by name. */
export function icon(name: keyof typeof ICONS): Html {
  return html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${ICONS[name]}"/></svg>`;
}
