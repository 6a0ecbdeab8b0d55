/** The start page: what this is and where things are; for who is signed in, their conversations. */
import { type Html, html } from './html.ts';
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
<main class="home">
  <section class="hero stack">
    <h1>Avatars that answer live</h1>
    <p class="lead">Give an avatar a face, a voice and a character. Whatever you say to it, it answers in words, sound and talking video, on your own machine.</p>
    <p class="actions">
      ${!session && html`<a class="button primary" href="${site.sitePath}/signin">Sign in</a>`}
      <a class="button" href="${site.sitePath}/docs">REST API</a>
      <a class="button" href="${site.sitePath}/graphql">GraphQL</a>
    </p>
  </section>
  ${session && asked?.data ? conversations(site, asked.data.conversations) : ways(site)}
</main>`,
    });
  };
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
  if (list.length === 0) {
    return html`<section class="stack"><h2>Your conversations</h2>
    <p class="muted">None yet. Start one through the API, and it appears here.</p></section>`;
  }
  return html`<section class="stack"><h2>Your conversations</h2><ul class="rooms">${list.map(
    (one) => html`<li><a class="room card" href="${site.sitePath}/${one.shareSlug}">
      ${one.avatarImageUrl ? html`<img src="${one.avatarImageUrl}" alt="" width="72" height="72" loading="lazy">` : html`<span class="blank" aria-hidden="true"></span>`}
      <span><strong>${one.avatarDisplayName ?? 'Avatar'}</strong><span class="muted small">${one.isPublic ? 'Public' : 'Private'}, ${new Date(one.createdAt).toISOString().slice(0, 10)}</span></span>
    </a></li>`,
  )}</ul></section>`;
}
