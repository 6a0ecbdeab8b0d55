/** "Who should answer you?": a gallery of avatars that are ready, one click from a conversation, or the way to one's own. */
import type { FastifyInstance } from 'fastify';
import { csrfField } from '../csrf-field.ts';
import { type Html, html } from '../html.ts';
import { NEW_AVATAR, SAVE_MEMORY } from '../operations.ts';
import type { PageContext } from '../page-context.ts';
import { mountForm, mountPage, type PageRequest, text } from '../page-request.ts';
import { languageOf, languages, nameOfLanguage, type SpokenVoice, voiceFor } from './languages.ts';
import { READY_AVATARS, type ReadyAvatar } from './ready-avatars.ts';
import { READY_KNOWLEDGE } from './ready-knowledge.ts';
import { createAvatar, startConversation } from './start-conversation.ts';

const PATH = '/studio/welcome';

export function mountWelcome(fastify: FastifyInstance, site: PageContext): void {
  mountPage(fastify, site, PATH, async (pageRequest) =>
    show(pageRequest, (await pageRequest.need(NEW_AVATAR, {})).voices.nodes),
  );
  mountForm(fastify, site, PATH, take);
}

function show(pageRequest: PageRequest, voices: readonly SpokenVoice[], problem?: string) {
  const { site, session, request } = pageRequest;
  const chosen = languageOf(request, voices);
  return pageRequest.show('Talk', {
    title: 'Who should answer you?',
    styles: ['studio.css', 'ready-avatars.css'],
    status: problem ? 400 : 200,
    body: html`<main class="studio wide">
  <header class="studio-head"><div><h1>Who should answer you?</h1>
    <p class="muted">Pick one and it says hello. You can change everything about it later.</p></div>
    <a class="button" href="${site.sitePath}/studio/avatars/new">Make your own</a></header>
  ${problem && html`<p class="notice bad" role="alert">${problem}</p>`}
  <form method="post" action="${site.sitePath}${PATH}" class="stack">${csrfField(session.csrf)}
    <div class="field narrow"><label for="language">It speaks</label>
      <select class="input" id="language" name="language">${languages(voices).map(
        (language) =>
          html`<option value="${language}"${language === chosen && html` selected`}>${nameOfLanguage(language)}</option>`,
      )}</select></div>
    <ul class="tiles">${READY_AVATARS.map(tile)}</ul>
  </form>
</main>`,
  });
}

function tile({ id, name, topic }: ReadyAvatar): Html {
  return html`<li><button class="tile card" name="ready" value="${id}">
    <span class="tile-face ready-face ready-${id}" aria-hidden="true"></span>
    <span class="tile-words"><strong>${name}</strong><span class="muted small">${topic}</span></span></button></li>`;
}

async function take(pageRequest: PageRequest) {
  const voices = (await pageRequest.need(NEW_AVATAR, {})).voices.nodes;
  const ready = READY_AVATARS.find(({ id }) => id === text(pageRequest.fields, 'ready'));
  if (!ready) return show(pageRequest, voices, 'Pick one of these, or make your own.');
  const asked = text(pageRequest.fields, 'language');
  const language = languages(voices).includes(asked) ? asked : languageOf(pageRequest.request, voices);
  const made = await createAvatar(pageRequest, {
    displayName: ready.name,
    personalityPrompt: ready.persona,
    ttsVoiceId: voiceFor(voices, language, ready) ?? null,
  });
  if ('problem' in made) return show(pageRequest, voices, made.problem);
  if (language === 'en') {
    const { avatarId } = made;
    const known = READY_KNOWLEDGE[ready.id] ?? [];
    await Promise.all(known.map((content) => pageRequest.ask(SAVE_MEMORY, { avatarId, content })));
  }
  return startConversation(pageRequest, made, ready.name, language);
}
