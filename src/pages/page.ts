/** One page of HTML: head and body. Every page goes through `sendPage`, so that none forgets its security headers. */
import type { FastifyReply } from 'fastify';
import { type Html, html } from './html.ts';
import type { PageContext } from './page-context.ts';
import { type PagePolicy, pageHeaders } from './page-headers.ts';

/** One page: what it shows, and what its policy allows. */
export interface Page extends PagePolicy {
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
}

/** Sends a page with its security headers. */
export function sendPage(site: PageContext, reply: FastifyReply, page: Page): FastifyReply {
  return reply
    .code(page.status ?? 200)
    .headers(pageHeaders(site, page))
    .removeHeader('access-control-allow-origin')
    .send(document(site, page).text);
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
