/** One avatar: who it is, its face, voice, knowledge and memory, who may use it. */
import type { FastifyInstance } from 'fastify';
import { html } from '../html.ts';
import { initial } from '../live-page.ts';
import { notFound } from '../not-found.ts';
import { AVATAR, DELETE_AVATAR, KNOWLEDGE, MEMORIES, RECALL, TALK_SETTINGS } from '../operations.ts';
import type { PageContext } from '../page-context.ts';
import { mountForm, type PageRequest, text } from '../page-request.ts';
import { mountFollowedPage } from '../self-updating-page.ts';
import { thumbnail } from '../thumbnail.ts';
import { AVATAR_FORMS, PATH } from './avatar-forms.ts';
import { knowledgeSection, memorySection } from './avatar-knows.ts';
import {
  accessSection,
  deleteSection,
  faceSection,
  personaSection,
  usageSection,
  voiceSection,
} from './avatar-sections.ts';
import type { AvatarView } from './avatar-view.ts';
import { languageOf, primary } from './languages.ts';
import { flashNotice } from './parts.ts';
import { startConversation } from './start-conversation.ts';
import { visitorsSection } from './visitors-section.ts';

export function mountAvatar(fastify: FastifyInstance, site: PageContext): void {
  mountFollowedPage(fastify, site, `${PATH}/:avatarId`, (pageRequest) => show(pageRequest));
  mountForm(fastify, site, `${PATH}/:avatarId/talk`, talk);
  mountForm(fastify, site, `${PATH}/:avatarId/delete`, remove);
  for (const [name, run] of Object.entries(AVATAR_FORMS)) {
    const path = `${PATH}/:avatarId/${name}`;
    mountForm(fastify, site, path, async (pageRequest) => {
      const avatarId = avatarIdOf(pageRequest);
      const { at, done, problem = '' } = await run(pageRequest, avatarId);
      if (done) return pageRequest.goTo(`${PATH}/${avatarId}#${at}`, { at, done });
      return show({ ...pageRequest, flash: { at, problem } }, name);
    });
    // Where a refused form leaves the browser.
    fastify.get(path, (request, reply) =>
      reply.redirect(`${site.sitePath}${PATH}/${(request.params as { avatarId: string }).avatarId}`, 303),
    );
  }
}

const avatarIdOf = ({ request }: PageRequest): string => (request.params as { avatarId: string }).avatarId;

/** With the name of the form that was refused, if one was. */
async function view(pageRequest: PageRequest, refusedForm?: string): Promise<AvatarView | undefined> {
  const avatarId = avatarIdOf(pageRequest);
  const { avatars, avatarImages, ...rest } = await pageRequest.need(AVATAR, { avatarId });
  const avatar = avatars.nodes.find((one) => one.avatarId === avatarId);
  if (!avatar) return undefined;
  const [found, learnt] = [await memories(pageRequest, avatarId), await knowledge(pageRequest, avatarId)];
  return { pageRequest, refusedForm, avatar, images: avatarImages.images, ...rest, ...found, learnt };
}

/** What it learnt of a page, or with a text in it, where the address of this page asks for that. */
async function knowledge(pageRequest: PageRequest, avatarId: string): Promise<AvatarView['learnt']> {
  const field = (name: string): string | null => text(pageRequest.fields, name).trim() || null;
  const [source, search] = [field('page'), field('find')];
  if (!source && !search) return undefined;
  const { data } = await pageRequest.ask(KNOWLEDGE, { avatarId, source, search, after: field('learnt') });
  return data && { ...data.knowledge, source, search };
}

/** External memory systems cannot be listed: what comes of it is a sentence. */
async function memories(
  pageRequest: PageRequest,
  avatarId: string,
): Promise<Pick<AvatarView, 'memories' | 'moreMemories' | 'searched'>> {
  const searched = text(pageRequest.fields, 'memory').trim();
  if (searched) {
    const { data } = await pageRequest.ask(RECALL, { avatarId, query: searched });
    // What it read is shown with the pages.
    const found = data?.recallMemories.memories.filter(({ namespace }) => namespace !== 'knowledge');
    return { memories: found, moreMemories: null, searched };
  }
  const after = text(pageRequest.fields, 'after');
  const { data } = await pageRequest.ask(MEMORIES, { avatarId, ...(after ? { after } : {}) });
  const pageInfo = data?.memories.pageInfo;
  return {
    memories: data?.memories.nodes,
    moreMemories: (pageInfo?.hasNextPage && pageInfo.endCursor) || null,
    searched,
  };
}

async function show(pageRequest: PageRequest, refusedForm?: string) {
  const shown = await view(pageRequest, refusedForm);
  if (!shown) return notFound(pageRequest.site, pageRequest.reply);
  const { avatar } = shown;
  const name = avatar.displayName ?? 'Avatar';
  const { sitePath } = pageRequest.site;
  const after = text(pageRequest.fields, 'visitors') || null;
  const talk = await pageRequest.need(TALK_SETTINGS, { avatarId: avatar.avatarId, after });
  return pageRequest.show('Avatars', {
    title: name,
    status: refusedForm === undefined ? 200 : 400,
    styles: ['studio.css'],
    scripts: ['avatar.js'],
    // The preview of its page for visitors.
    framesUs: true,
    data: { avatarId: avatar.avatarId },
    body: html`<main class="studio middle">
  <header class="studio-head avatar-head">
    ${avatar.avatarImageUrl ? html`<img class="avatar-face" src="${thumbnail(avatar.avatarImageUrl, 192)}" alt="" width="96" height="96">` : html`<span class="avatar-face" aria-hidden="true">${initial(name)}</span>`}
    <div><p class="small"><a href="${sitePath}${PATH}">Avatars</a></p><h1><bdi>${name}</bdi></h1></div>
    <form method="post" action="${sitePath}${PATH}/${avatar.avatarId}/talk"><input type="hidden" name="csrf" value="${pageRequest.session.csrf}"><button class="button primary">Talk</button></form>
  </header>
  ${pageRequest.flash.at === undefined && flashNotice(pageRequest.flash)}
  ${personaSection(shown)}
  ${faceSection(shown)}
  ${voiceSection(shown)}
  ${knowledgeSection(shown)}
  ${memorySection(shown)}
  ${visitorsSection({ ...shown, name, talk })}
  ${accessSection(shown)}
  ${usageSection(shown)}
  ${deleteSection(shown)}
</main>`,
  });
}

async function remove(pageRequest: PageRequest) {
  const { data, message } = await pageRequest.ask(DELETE_AVATAR, { avatarId: avatarIdOf(pageRequest) });
  return pageRequest.goTo(PATH, data ? { done: 'The avatar is deleted.' } : { problem: message });
}

async function talk(pageRequest: PageRequest) {
  const shown = await view(pageRequest);
  if (!shown) return notFound(pageRequest.site, pageRequest.reply);
  const { avatar } = shown;
  const voices = shown.voices.nodes;
  const voice = voices.find(({ id }) => id === avatar.ttsVoiceId);
  const language = voice ? primary(voice.language) : languageOf(pageRequest.request, voices);
  return startConversation(pageRequest, avatar, avatar.displayName ?? 'Avatar', language);
}
