/** Conversations: the list, newest first, and a new one with an avatar of one's own. The start page of who is signed in. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { shorten } from '../card-meta.ts';
import { csrfField } from '../csrf-field.ts';
import { type Html, html } from '../html.ts';
import { initial } from '../live-page.ts';
import {
  AVATAR,
  DELETE_CONVERSATION,
  type OwnAvatarFields,
  RENAME_CONVERSATION,
  type TalkData,
  type TalkVariables,
} from '../operations.ts';
import type { PageContext } from '../page-context.ts';
import { mountForm, type PageRequest, text } from '../page-request.ts';
import { lookOfConversation } from '../self-updating-data.ts';
import { thumbnail } from '../thumbnail.ts';
import { languageOf, primary } from './languages.ts';
import { flashNotice } from './parts.ts';
import { startConversation } from './start-conversation.ts';

/** Mounts the pages on which an owner talks with an avatar. */
export function mountTalk(fastify: FastifyInstance, site: PageContext): void {
  mountForm(fastify, site, '/studio/talk', begin);
  mountForm(fastify, site, '/studio/talk/delete', removeConversation);
  mountForm(fastify, site, '/studio/talk/rename', rename);
}

async function begin(pageRequest: PageRequest) {
  const avatarId = text(pageRequest.fields, 'avatarId');
  const { avatars, voices: known } = await pageRequest.need(AVATAR, { avatarId });
  const voices = known.nodes;
  const avatar = avatars.nodes.find((one) => one.avatarId === avatarId);
  if (!avatar) return pageRequest.goTo('/', { problem: 'This avatar is gone.' });
  const voice = voices.find(({ id }) => id === avatar.ttsVoiceId);
  const language = voice ? primary(voice.language) : languageOf(pageRequest.request, voices);
  return startConversation(pageRequest, avatar, avatar.displayName ?? 'Avatar', language);
}

/** Who has neither avatar nor conversation begins with the gallery. */
export function talkPage(pageRequest: PageRequest, data: TalkData): FastifyReply {
  const [conversations, avatars] = [data.conversations.nodes, data.avatars.nodes];
  const { hasNextPage, endCursor } = data.conversations.pageInfo;
  const asked = talkVariables(pageRequest.request);
  const isAll = !asked.after && !asked.search;
  if (isAll && conversations.length === 0 && avatars.length === 0) return pageRequest.goTo('/studio/welcome');
  return pageRequest.show('Talk', {
    title: 'Talk',
    styles: ['studio.css', 'home.css'],
    body: html`<main class="studio wide">
  <h1>Talk</h1>
  ${flashNotice(pageRequest.flash)}
  ${isAll && newOne(pageRequest, avatars)}
  ${
    isAll && conversations.length === 0
      ? html`<section class="card empty-state" id="found" data-live="conversation"><h2>No conversation yet</h2><p class="muted">Choose an avatar above: it says hello, and you answer.</p></section>`
      : html`<section aria-labelledby="conversations" class="stack"><h2 id="conversations">Your conversations</h2>
    ${searchForm(pageRequest.site, asked.search ?? '')}
    <div id="found" data-live="conversation">${
      conversations.length === 0
        ? html`<p class="muted" role="status">${asked.search ? 'No conversation holds these words.' : 'No older conversation.'}</p>`
        : html`<ul class="rooms" id="rooms">${conversations.map((one) => conversation(pageRequest.site.sitePath, one))}</ul>`
    }</div></section>`
  }
  ${pager(pageRequest.site, asked, hasNextPage ? endCursor : null)}
</main>`,
  });
}

function searchForm({ sitePath }: PageContext, search: string): Html {
  return html`<form class="filters" method="get" action="${sitePath}/" role="search">
    <label class="visually-hidden" for="search">Search your conversations</label>
    <input class="input" id="search" name="search" type="search" placeholder="Name or words" maxlength="${MAX_SEARCH}" value="${search}"><button class="button">Search</button>
    ${search && html`<a class="button quiet" href="${sitePath}/">All conversations</a>`}
  </form>`;
}

function pager({ sitePath }: PageContext, { after, search }: TalkVariables, last: string | null): Html | false {
  const to = (more: Record<string, string>): string =>
    `${sitePath}/?${new URLSearchParams({ ...(search ? { search } : {}), ...more })}`;
  if (!after && !last) return false;
  return html`<nav class="row" aria-label="Pages of conversations">${after && html`<a class="button" href="${to({})}">Newest</a>`}${last && html`<a class="button" href="${to({ after: last })}">Older</a>`}</nav>`;
}

async function removeConversation(pageRequest: PageRequest): Promise<FastifyReply> {
  const { data, message } = await pageRequest.ask(DELETE_CONVERSATION, {
    conversationId: text(pageRequest.fields, 'slug'),
  });
  return pageRequest.goTo('/', data ? { done: 'The conversation is deleted.' } : { problem: message });
}

async function rename(pageRequest: PageRequest): Promise<FastifyReply> {
  const [conversationId, title] = [text(pageRequest.fields, 'slug'), text(pageRequest.fields, 'title')];
  const { data, message } = await pageRequest.ask(RENAME_CONVERSATION, { conversationId, title });
  if (!data) return pageRequest.goTo('/', { problem: message.replace(/^title /, 'The name ') });
  return pageRequest.goTo(`/${encodeURIComponent(conversationId)}`);
}

/** Characters of what is looked for. */
const MAX_SEARCH = 100;
/** Characters of what was said last; two lines of a card show fewer. */
const MAX_LAST_WORDS = 140;
/** Avatars offered at once; the others are on their own page. */
const MAX_FACES = 11;

/** What the address of the page asks for. */
export function talkVariables(request: FastifyRequest): TalkVariables {
  const { after, search } = request.query as { after?: unknown; search?: unknown };
  return {
    ...(typeof after === 'string' && after !== '' ? { after } : {}),
    ...(typeof search === 'string' && search.trim() !== '' ? { search: search.slice(0, MAX_SEARCH) } : {}),
  };
}

function newOne({ site, session }: PageRequest, avatars: readonly OwnAvatarFields[]): Html {
  const shown = avatars.slice(-MAX_FACES).reverse();
  return html`<section aria-labelledby="new" class="stack"><h2 id="new">New conversation</h2>
  <form method="post" action="${site.sitePath}/studio/talk">${csrfField(session.csrf)}<ul class="avatar-choices">${shown.map(
    ({ avatarId, displayName, avatarImageUrl }) => {
      const name = displayName ?? 'Avatar';
      return html`<li><button class="avatar-choice" name="avatarId" value="${avatarId}">${avatarImageUrl ? html`<img src="${thumbnail(avatarImageUrl, 192)}" alt="" width="96" height="96" loading="lazy">` : html`<span class="blank" aria-hidden="true">${initial(name)}</span>`}<span class="avatar-choice-name"><bdi>${name}</bdi></span></button></li>`;
    },
  )}<li><a class="avatar-choice" href="${site.sitePath}/studio/welcome"><span class="blank" aria-hidden="true">+</span><span class="avatar-choice-name">New avatar</span></a></li></ul></form></section>`;
}

function conversation(sitePath: string, one: TalkData['conversations']['nodes'][number]): Html {
  const name = one.avatarDisplayName ?? 'Avatar';
  const day = new Date(one.createdAt).toISOString().slice(0, 10);
  return html`<li id="${one.shareSlug}" data-look="${lookOfConversation(one)}"><a class="room card" href="${sitePath}/${one.shareSlug}">
    ${one.avatarImageUrl ? html`<img src="${thumbnail(one.avatarImageUrl, 640)}" alt="" width="320" height="320" loading="lazy">` : html`<span class="blank" aria-hidden="true">${initial(name)}</span>`}
    <span class="room-words"><strong><bdi>${one.title ?? name}</bdi></strong><span class="muted small">${one.title && html`<bdi>${name}</bdi> · `}${one.isPublic ? 'Public' : 'Private'}, ${day}</span>${lastWords(one.lastTurn)}</span>
  </a></li>`;
}

/** By which conversations with one avatar differ; as it was when the page was made: a turn renews no list. */
function lastWords(turn: TalkData['conversations']['nodes'][number]['lastTurn']): Html | false {
  const words = turn?.userText ?? turn?.avatarText;
  if (!words) return false;
  return html`<span class="last-words small">${turn?.role === 'user' && html`You: `}<bdi>${shorten(words, MAX_LAST_WORDS)}</bdi></span>`;
}
