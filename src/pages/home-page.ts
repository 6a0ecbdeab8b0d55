/** The start page: what this is and where things are; for who is signed in, their conversations. */
import { type Html, html } from './html.ts';
import { initial } from './live-page.ts';
import { CONVERSATIONS, type ConversationData, type ConversationsData } from './operations.ts';
import { icon, sendPage } from './page.ts';
import { pageSession } from './session.ts';
import { topBar } from './shell.ts';
import type { PageHandler, PagesSite } from './site.ts';

export function homePage(site: PagesSite): PageHandler {
  return async (request, reply) => {
    const given = pageSession(request);
    const asked = given && (await site.ask<ConversationsData>(request, CONVERSATIONS, {}, given.idToken));
    const session = asked?.data ? given : undefined;
    return sendPage(site, reply, {
      title: 'Avatars',
      styles: ['home.css'],
      body: html`${topBar(site, session)}
<main class="home">${session && asked?.data ? conversations(site, asked.data.conversations) : welcome(site)}</main>`,
    });
  };
}

const SAID = 'Ask me about the night sky, and I will answer you live.';

function welcome(site: PagesSite): Html {
  return html`<section class="hero">
  <div class="pitch">
    <h1>Avatars that answer live</h1>
    <p class="lead">Give an avatar a face, a voice and a character. Whatever you say to it, it answers in words, sound and talking video, on your own machine.</p>
    <p class="actions">
      <a class="button primary" href="${site.sitePath}/signin">Sign in</a>
      <a class="button" href="${site.sitePath}/docs">REST API</a>
      <a class="button" href="${site.sitePath}/graphql">GraphQL</a>
    </p>
  </div>
  <div class="show" role="img" aria-label="An avatar called Nova, a woman with auburn hair, speaks; her words run along below.">
    <div class="face"></div>
    <p class="chip" aria-hidden="true"><span class="dot"></span><strong>Nova</strong> Speaking</p>
    <p class="said" aria-hidden="true">${SAID.split(' ').map((word) => html`<span>${word}</span> `)}</p>
  </div>
</section>
${ways(site)}`;
}

/** What a newcomer can do here, each with its way in. */
function ways({ sitePath }: PagesSite): Html {
  const cards = [
    {
      icon: 'send',
      title: 'Talk',
      text: 'Type to an avatar and watch it answer, word by word, as it speaks.',
      href: '/signin',
    },
    {
      icon: 'live',
      title: 'Show it anywhere',
      text: 'One line puts the live viewer into your own site.',
      href: '/docs',
    },
    {
      icon: 'list',
      title: 'Build on it',
      text: 'Every avatar, voice and turn through REST, GraphQL and a live feed.',
      href: '/graphql',
    },
  ] as const;
  return html`<section aria-label="What you can do"><ul class="ways">${cards.map(
    (card) =>
      html`<li><a class="way card" href="${sitePath}${card.href}">${icon(card.icon)}<strong>${card.title}</strong><span class="muted">${card.text}</span></a></li>`,
  )}</ul></section>`;
}

function conversations(site: PagesSite, list: ConversationData[]): Html {
  return html`<header class="own-head"><h1>Your conversations</h1>
  <p class="actions"><a class="button" href="${site.sitePath}/docs">REST API</a><a class="button" href="${site.sitePath}/graphql">GraphQL</a></p></header>
  ${
    list.length === 0
      ? html`<p class="muted">None yet. Start one through the API, and it appears here.</p>`
      : html`<ul class="rooms">${list.map((one) => room(site, one))}</ul>`
  }`;
}

function room({ sitePath }: PagesSite, one: ConversationData): Html {
  const name = one.avatarDisplayName ?? 'Avatar';
  const day = new Date(one.createdAt).toISOString().slice(0, 10);
  return html`<li><a class="room card" href="${sitePath}/${one.shareSlug}">
    ${one.avatarImageUrl ? html`<img src="${one.avatarImageUrl}" alt="" width="320" height="320" loading="lazy">` : html`<span class="blank" aria-hidden="true">${initial(name)}</span>`}
    <span class="room-words"><strong><bdi>${name}</bdi></strong><span class="muted small">${one.isPublic ? 'Public' : 'Private'}, ${day}</span></span>
  </a></li>`;
}
