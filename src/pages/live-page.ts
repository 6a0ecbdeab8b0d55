/**
 * The live viewer's page. It reads no cookie and may be framed by anyone: what its address grants is all
 * it knows. A non-owner at a private conversation sees what they would see at none.
 */
import { type Html, html } from './html.ts';
import { notFound } from './not-found.ts';
import { LIVE, SHARED_TURN } from './operations.ts';
import { icon, sendPage } from './page.ts';
import type { PageContext, PageHandler } from './page-context.ts';
import { earliestOf, NEWEST_TURNS, type Place } from './turn-data.ts';

interface Shown {
  name: string;
  still: string | null;
  cursor: string | null;
  replayCursor: string | null;
  earliest: Place | null;
}

/** The page of the live viewer. */
export function livePage(site: PageContext, styleHashes: readonly string[]): PageHandler {
  return async (request, reply) => {
    const { slug } = request.params as { slug: string };
    const query = request.query as Record<string, unknown>;
    const viewerToken = first(query.token);
    const key = first(query.key);
    const lower = slug.toLowerCase();
    let shown: Shown | undefined;
    if (lower.startsWith('c-')) {
      const asked = await site.ask(request, LIVE, { slug: lower, viewerToken, key, newest: NEWEST_TURNS });
      const found = asked.data?.conversationBySlug;
      shown = found && {
        name: found.conversation.avatarDisplayName ?? 'Avatar',
        still: found.conversation.avatarImageUrl,
        cursor: found.cursor,
        replayCursor: found.replayCursor,
        earliest: earliestOf(found.updates, NEWEST_TURNS),
      };
    } else if (lower.startsWith('t-')) {
      const card = (await site.ask(request, SHARED_TURN, { slug: lower })).data?.turnCard;
      shown = card && {
        name: card.avatarDisplayName ?? 'Avatar',
        still: card.avatarImageUrl,
        cursor: null,
        replayCursor: null,
        earliest: null,
      };
    }
    if (!shown) return notFound(site, reply);
    return sendPage(site, reply, {
      title: `${shown.name}, live`,
      bodyClass: 'live',
      styles: ['live.css'],
      scripts: ['live.js'],
      styleHashes,
      embeddable: true,
      head: html`<meta name="theme-color" content="#0a0b0d"><meta name="robots" content="noindex">`,
      body: viewer(shown),
      data: { slug: lower, ...shown, viewerToken, key, graphql: `${site.sitePath}/graphql`, nowMs: site.clock.now() },
    });
  };
}

/** A parameter given once; repeated ones count as absent. */
function first(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function viewer({ name, still }: Shown): Html {
  return html`
<main id="viewer" class="viewer" data-state="idle">
  <h1 class="visually-hidden">${name}, live</h1>
  <media-controller id="controller" gesturesdisabled nohotkeys nomutedpref noautoseektolive>
    <avatar-stage id="stage" slot="media">
      ${still && html`<div class="backdrop"><img src="${still}" alt=""></div><div class="backdrop far"><img src="${still}" alt=""></div>`}
      <div class="figure">
        ${still ? html`<img class="still" src="${still}" alt="${name}">` : html`<div class="still none" role="img" aria-label="${name}" data-initial="${initial(name)}"></div>`}
      </div>
      <div id="ring" class="ring" hidden></div>
      <div class="shade"></div>
    </avatar-stage>
    <media-control-bar>
      <media-play-button></media-play-button>
      <media-mute-button></media-mute-button>
      <media-volume-range></media-volume-range>
      <span class="gap"></span>
      <select id="language" class="language" aria-label="Captions">
        <option value="">Captions</option>
        <option value="off">Off</option>
      </select>
      <media-fullscreen-button id="fullscreen"></media-fullscreen-button>
    </media-control-bar>
  </media-controller>
  <div class="crown">
    <p class="chip"><span class="dot"></span><strong>${name}</strong> <span id="state">Live</span></p>
    <span class="gap"></span>
    <button id="latest" class="pill latest" type="button" aria-label="Skip to latest" title="Skip to latest" hidden>${icon('latest')}<span>Skip to latest</span></button>
    <button id="open-drawer" class="round" type="button" aria-label="What was said" aria-expanded="false" aria-controls="drawer">${icon('list')}</button>
  </div>
  <div class="words-now">
    <p id="asked" class="asked" dir="auto" hidden></p>
    <p id="caption" class="caption" dir="auto" aria-hidden="true"></p>
  </div>
  <p id="spoken" class="visually-hidden" aria-live="polite"></p>
  <button id="sound" class="sound" type="button" hidden>${icon('sound')} Tap for sound</button>
  <button id="start" class="sound" type="button" hidden>${icon('play')} Play</button>
  <p id="away" class="banner away" role="status" hidden>Connection lost. Reconnecting …</p>
  <p id="note" class="banner" role="status" hidden></p>
  <aside id="drawer" class="drawer" aria-label="What was said" hidden>
    <header><h2>What was said</h2><button id="close-drawer" class="round" type="button" aria-label="Close">${icon('close')}</button></header>
    <div id="said-scroller" class="said-scroller">
      <button id="earlier" class="pill" type="button" hidden>Earlier</button>
      <ol id="said" class="said-list"></ol>
    </div>
  </aside>
  <noscript><p class="banner">This viewer needs JavaScript.</p></noscript>
</main>`;
}

/** The first letter of a name, for avatars without an image. */
export function initial(name: string): string {
  return [...name.trim()][0]?.toUpperCase() ?? '?';
}
