/**
 * An avatar of one's own: name, who it is, face and voice, on one page; then it says hello. Without scripts the face is
 * drawn from the words, or fetched from an address; with them it can be looked at, drawn again, dropped, pasted or taken.
 */
import type { FastifyInstance } from 'fastify';
import { csrfField } from '../csrf-field.ts';
import { type Html, html } from '../html.ts';
import { NEW_AVATAR } from '../operations.ts';
import { sampleOf } from '../own-voices.ts';
import type { PageContext } from '../page-context.ts';
import { mountForm, mountPage, type PageRequest, text } from '../page-request.ts';
import { languageOf, languages, nameOfLanguage, primary, type SpokenVoice } from './languages.ts';
import { EXAMPLES } from './ready-avatars.ts';
import { createAvatar, startConversation } from './start-conversation.ts';

const PATH = '/studio/avatars/new';

export function mountNewAvatar(fastify: FastifyInstance, site: PageContext): void {
  mountPage(fastify, site, PATH, async (pageRequest) =>
    show(pageRequest, (await pageRequest.need(NEW_AVATAR, {})).voices.nodes),
  );
  mountForm(fastify, site, PATH, create);
}

async function create(pageRequest: PageRequest) {
  const voices = (await pageRequest.need(NEW_AVATAR, {})).voices.nodes;
  const given = { name: text(pageRequest.fields, 'name').trim(), persona: text(pageRequest.fields, 'persona').trim() };
  const imageUrl = text(pageRequest.fields, 'face').trim() || text(pageRequest.fields, 'imageUrl').trim();
  const voice = voices.find(({ id }) => id === text(pageRequest.fields, 'voice'));
  const made = await createAvatar(pageRequest, {
    displayName: given.name,
    personalityPrompt: given.persona || null,
    ttsVoiceId: voice?.id ?? null,
    ...(imageUrl ? { imageUrl } : {}),
  });
  if ('problem' in made) return show(pageRequest, voices, inWords(made.problem));
  const language = voice ? primary(voice.language) : languageOf(pageRequest.request, voices);
  return startConversation(pageRequest, made, given.name, language);
}

/** The services name a field as the API does. */
const inWords = (message: string): string =>
  message
    .replace(/^displayName /, 'The name ')
    .replace(/^personalityPrompt /, 'Who it is ')
    .replace(/^imageUrl /, 'The image ');

function show(pageRequest: PageRequest, voices: readonly SpokenVoice[], problem?: string) {
  const { site, session, fields } = pageRequest;
  return pageRequest.show('Avatars', {
    title: 'New avatar',
    styles: ['studio.css'],
    scripts: ['new-avatar.js'],
    features: ['camera'],
    data: { mediaOrigin: site.mediaOrigin },
    status: problem ? 400 : 200,
    body: html`<main class="studio">
  <h1>Make your own</h1>
  ${problem && html`<p class="notice bad" role="alert">${problem}</p>`}
  <form class="stack roomy" method="post" action="${site.sitePath}${PATH}" id="make">${csrfField(session.csrf)}
    <section class="panel card" aria-labelledby="who"><h2 id="who">Who is it?</h2>
      <div class="field"><label for="name">Name</label>
        <input class="input" id="name" name="name" required maxlength="80" autocomplete="off" value="${text(fields, 'name')}"></div>
      <div class="field"><label for="persona">Who it is and how it looks</label>
        <textarea class="input" id="persona" name="persona" rows="4" maxlength="4000">${text(fields, 'persona')}</textarea></div>
      <div class="chips" id="examples" hidden><span class="muted small">Examples</span>${EXAMPLES.map(
        ({ label, name, persona }) =>
          html`<button class="button small-button" type="button" data-name="${name}" data-persona="${persona}">${label}</button>`,
      )}</div>
    </section>
    ${faceSection(text(fields, 'face'), text(fields, 'imageUrl'))}
    ${voiceSection(pageRequest, voices)}
    <p class="notice bad" id="problem" role="alert" hidden></p>
    <button class="button primary big" id="create">Create and say hello</button>
  </form>
</main>`,
  });
}

function faceSection(face: string, imageUrl: string): Html {
  return html`<section class="panel card" aria-labelledby="face"><h2 id="face">Face</h2>
    <input type="hidden" name="face" id="face-url" value="${face}">
    <div class="face-row">
      <div class="face-preview" id="preview"><p class="muted small" id="face-words">Drawn from your words.</p><img id="face-image" alt="The face of the avatar" hidden></div>
      <div class="stack tight face-ways">
        <div class="row" id="face-buttons" hidden>
          <button class="button" type="button" id="draw">Draw it</button>
          <label class="button" for="photo" id="photo-label">Choose a photo</label>
          <input class="visually-hidden" type="file" id="photo" accept="image/jpeg,image/png,image/webp">
          <button class="button" type="button" id="camera" hidden>Use the camera</button>
        </div>
        <p class="muted small" id="face-how" hidden>You can also drop or paste an image here.</p>
        <div class="field"><label for="imageUrl">Or the address of an image</label>
          <input class="input" id="imageUrl" name="imageUrl" type="url" autocomplete="off" placeholder="https://" value="${imageUrl}"></div>
      </div>
    </div>
    <dialog id="camera-dialog" class="card"><div class="stack"><h3>Look into the camera</h3><video id="camera-view" playsinline muted></video>
      <div class="row"><button class="button primary" type="button" id="shoot">Take the photo</button><button class="button" type="button" id="no-camera">Cancel</button></div></div></dialog>
  </section>`;
}

function voiceSection({ site, request, fields }: PageRequest, voices: readonly SpokenVoice[]): Html {
  const language = languageOf(request, voices);
  const asked = text(fields, 'voice');
  const first = voices.find((voice) => primary(voice.language) === language) ?? voices[0];
  const chosen = asked || first?.id;
  return html`<section class="panel card" aria-labelledby="voice"><h2 id="voice">Voice</h2>
    <div class="field narrow" id="voice-filter" hidden><label for="voice-language">Language</label>
      <select class="input" id="voice-language">${languages(voices).map(
        (one) => html`<option value="${one}"${one === language && html` selected`}>${nameOfLanguage(one)}</option>`,
      )}</select></div>
    <ul class="lines" id="voices">${voices.map((voice) => voiceLine(site, voice, voice.id === chosen))}</ul>
    <audio id="sample" hidden></audio>
  </section>`;
}

function voiceLine(site: PageContext, { id, name, language }: SpokenVoice, isChosen: boolean): Html {
  const sample = sampleOf(site, id);
  return html`<li class="line" data-language="${primary(language)}"><label class="tick"><input type="radio" name="voice" value="${id}"${isChosen && html` checked`}> ${name}</label>
    <a class="button" href="${sample}" data-sample="${sample}" aria-label="Play ${name}">Play</a></li>`;
}
