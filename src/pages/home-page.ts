/** The start page: what this is and where things are; for who is signed in, their conversations (`studio/talk-page.ts`). */

import { type Html, html } from './html.ts';
import { TALK } from './operations.ts';
import { icon, sendPage } from './page.ts';
import type { PageContext, PageHandler } from './page-context.ts';
import { pageRequestOf } from './page-request.ts';
import { followedRequest, updateCursor } from './self-updating-page.ts';
import { pageSession } from './session.ts';
import { talkPage, talkVariables } from './studio/talk-page.ts';
import { topBar } from './top-bar.ts';

export function homePage(site: PageContext): PageHandler {
  return async (request, reply) => {
    const session = pageSession(request);
    const cursor = session && (await updateCursor(site, request, session.idToken));
    const asked = session && (await site.ask(request, TALK, talkVariables(request), session.idToken));
    if (session && asked?.data) {
      const pageRequest = pageRequestOf(site, request, reply, session);
      return talkPage(followedRequest(pageRequest, cursor), asked.data);
    }
    return sendPage(site, reply, {
      title: 'Avatars',
      styles: ['home.css'],
      body: html`${topBar(site, undefined)}
<main class="home">${welcome(site)}</main>`,
    });
  };
}

const SAID = 'Ask me about the night sky, and I will answer you live.';

function welcome(site: PageContext): Html {
  return html`<section class="hero">
  <div class="pitch">
    <h1>Avatars that answer live</h1>
    <p class="lead">Give an avatar a face, a voice and a character. Whatever you say to it, it answers in words, sound and talking video, on your own machine.</p>
    <p class="actions">
      <a class="button primary" href="${site.sitePath}/signup">Create an account</a>
      <a class="button" href="${site.sitePath}/signin">Sign in</a>
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
function ways({ sitePath }: PageContext): Html {
  const cards = [
    {
      icon: 'send',
      title: 'Talk',
      text: 'Type to an avatar and watch it answer, word by word, as it speaks.',
      href: '/signup',
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
