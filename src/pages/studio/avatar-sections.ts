/** The sections of an avatar's page, one function each. */

import { credits } from '../credit-amount.ts';
import { csrfField } from '../csrf-field.ts';
import { type Html, html } from '../html.ts';
import { ownVoices, sampleOf } from '../own-voices.ts';
import { type AvatarView, action, held, section } from './avatar-view.ts';
import { nameOfLanguage, primary } from './languages.ts';
import { askFirst } from './parts.ts';

/** Its name and personality. */
export function personaSection(view: AvatarView): Html {
  const { avatar, avatarFolders, pageRequest } = view;
  const folder = held(view, 'persona', 'folderId', avatar.folderId);
  return section(
    view,
    'persona',
    'Who it is',
    html`<div class="beside"><form class="stack" method="post" action="${action(view, 'persona', 'persona')}" id="persona-form">${csrfField(pageRequest.session.csrf)}
    <div class="pair"><div class="field"><label for="name">Name</label>
      <input class="input" id="name"${!avatar.nameLocked && html` name="name"`} maxlength="80" required autocomplete="off" value="${held(view, 'persona', 'name', avatar.displayName)}"${avatar.nameLocked && html` readonly`}></div>
    <div class="field"><label for="folder">Folder</label><select class="input" id="folder" name="folderId"><option value="">None</option>${avatarFolders.nodes.map(
      ({ folderId, name }) =>
        html`<option value="${folderId}"${folderId === folder && html` selected`}>${name}</option>`,
    )}</select></div></div>
    <div class="field"><label for="personaText">Personality</label>
      <textarea class="input" id="personaText" name="persona" rows="9" maxlength="4000">${held(view, 'persona', 'persona', avatar.personalityPrompt)}</textarea></div>
    <div class="row"><button class="button primary">Save</button></div></form>${TRY_OUT}</div>`,
  );
}

/** Answers as the form beside it stands, saved or not; for scripts. */
const TRY_OUT = html`<section class="stack try-out" aria-labelledby="try" id="try-out" hidden><h3 id="try">Try it before you save</h3>
    <ol class="said" id="tried" aria-live="polite" tabindex="0" aria-labelledby="try"></ol>
    <p class="notice bad" id="try-problem" role="alert" hidden></p>
    <form class="row" id="try-form">
      <div class="field"><label class="visually-hidden" for="try-words">Say something to it</label><input class="input" id="try-words" name="words" required maxlength="500" autocomplete="off" placeholder="Who are you?"></div>
      <button class="button">Say</button><button class="button quiet" type="button" id="try-again" hidden>Start again</button></form>
    <p class="small muted">It answers as described here, saved or not. In writing and free; nothing of it is kept.</p></section>`;

/** Its images. */
export function faceSection(view: AvatarView): Html {
  const { images, avatar, pageRequest } = view;
  const name = avatar.displayName ?? 'the avatar';
  return section(
    view,
    'face',
    'Face',
    html`<ul class="faces">${images.map(
      (
        { url, assetId, isPrimary },
        index,
      ) => html`<li><img src="${url}" alt="Image ${index + 1} of ${name}" loading="lazy" data-image="${url}">
      ${
        isPrimary
          ? html`<span class="small muted">In use</span>`
          : html`<form method="post" action="${action(view, 'primary', 'face')}">${csrfField(pageRequest.session.csrf)}<input type="hidden" name="assetId" value="${assetId}"><button class="button small-button" aria-label="Use image ${index + 1}">Use</button></form>`
      }</li>`,
    )}</ul>
    <form class="row" method="post" action="${action(view, 'images', 'face')}" id="add-image">${csrfField(pageRequest.session.csrf)}
      <div class="field"><label for="imageUrl">Address of another image</label><input class="input" id="imageUrl" name="imageUrl" type="url" required autocomplete="off" placeholder="https://" value="${held(view, 'images', 'imageUrl')}"></div>
      <button class="button">Add</button>
      <span id="photo-way" hidden><label class="button" for="photo">Choose a photo</label><input class="visually-hidden" type="file" id="photo" accept="image/jpeg,image/png,image/webp"></span></form>
    <p class="small muted" id="photo-how" hidden>You can also drop or paste an image here.</p>
    <p class="notice bad" id="problem" role="alert" hidden></p>
    <details id="points" hidden><summary class="small">The mouth moves in the wrong place?</summary>
      <form class="stack" method="post" action="${action(view, 'face', 'face')}" id="points-form">${csrfField(pageRequest.session.csrf)}
        <p class="small" id="points-step" role="status">Click the eye on the left.</p>
        <input type="hidden" name="imageUrl" value="${avatar.avatarImageUrl}">
        ${['leftEye', 'rightEye', 'mouth'].map((part) => html`<input type="hidden" name="${part}">`)}
        <div class="points-image"><img id="points-image" src="${avatar.avatarImageUrl}" alt="The face of ${name}"></div>
        <div class="row"><button class="button primary" id="points-save" disabled>Save the face</button><button class="button" type="button" id="points-again">Start again</button></div>
      </form></details>`,
  );
}

/** Its voice. */
export function voiceSection(view: AvatarView): Html {
  const { voices, avatar, pageRequest } = view;
  const groups = new Map<string, typeof voices.nodes>();
  for (const voice of voices.nodes) {
    const language = voice.source === 'custom' ? 'Your own' : nameOfLanguage(primary(voice.language));
    groups.set(language, [...(groups.get(language) ?? []), voice]);
  }
  return section(
    view,
    'voice',
    'Voice',
    html`<form class="row" method="post" action="${action(view, 'voice', 'voice')}">${csrfField(pageRequest.session.csrf)}
    <div class="field"><label for="voiceId">It speaks as</label><select class="input" id="voiceId" name="voice" required>
      ${!avatar.ttsVoiceId && html`<option value="">No voice: it answers in writing</option>`}
      ${[...groups].map(
        ([language, list]) =>
          html`<optgroup label="${language}">${list.map(({ id, name }) => html`<option value="${id}"${id === avatar.ttsVoiceId && html` selected`}>${name}</option>`)}</optgroup>`,
      )}</select></div>
    <button class="button primary">Save</button>
    <button class="button" type="button" id="listen" data-samples="${sampleOf(pageRequest.site, '')}" hidden>Play</button>
    <audio id="sample" hidden></audio></form>
    ${ownVoices({ ...pageRequest, voices: voices.nodes, action: action(view, 'voice/delete', 'voice') })}
    <p class="small"><a href="${pageRequest.site.sitePath}/account#voices">Make a voice of your own</a></p>`,
  );
}

/** Who may use it. */
export function accessSection(view: AvatarView): Html {
  const { avatar, pageRequest } = view;
  const isPublic =
    view.refusedForm === 'access' ? pageRequest.fields.isPublic !== undefined : avatar.publiclyRenderable;
  return section(
    view,
    'access',
    'Other users and apps',
    html`<form class="stack" method="post" action="${action(view, 'access', 'access')}">${csrfField(pageRequest.session.csrf)}
    <label class="tick"><input type="checkbox" name="isPublic" value="yes"${isPublic && html` checked`}> Every user of this platform, and the apps they use, may talk with it and let it speak; you pay</label>
    <div class="field narrow"><label for="cap">Others may spend at most, in credits a day</label>
      <input class="input" id="cap" name="cap" inputmode="decimal" placeholder="No limit" value="${held(view, 'access', 'cap', avatar.nonOwnerCapPerDay)}"></div>
    <div class="row"><button class="button primary">Save</button></div></form>`,
  );
}

const USED: Readonly<Record<string, string>> = { turn: 'Turns', speech: 'Speech' };

/** What it cost. */
export function usageSection(view: AvatarView): Html {
  const lines = view.avatarUsage;
  const sum = (of: (line: (typeof lines)[number]) => number): number => lines.reduce((all, line) => all + of(line), 0);
  return section(
    view,
    'usage',
    'Usage of the last 30 days',
    lines.length === 0
      ? html`<p class="muted">Nothing yet. It costs what it says aloud; answers in writing are free.</p>`
      : html`<div class="table-scroll" tabindex="0" role="region" aria-label="Used in 30 days"><table class="usage"><thead><tr><th scope="col">For</th><th scope="col">Paid for</th><th scope="col">Credits</th><th scope="col">of them by others</th></tr></thead>
    <tbody>${lines.map(({ kind, count, credits: paid, creditsOfOthers }) => html`<tr><th scope="row">${USED[kind] ?? kind}</th><td>${count}</td><td>${credits(paid)}</td><td>${credits(creditsOfOthers)}</td></tr>`)}</tbody>
    <tfoot><tr><th scope="row">All</th><td>${sum(({ count }) => count)}</td><td>${credits(sum((line) => line.credits))}</td><td>${credits(sum((line) => line.creditsOfOthers))}</td></tr></tfoot></table></div>`,
  );
}

/** Its deletion. */
export function deleteSection(view: AvatarView): Html {
  const { avatar, pageRequest } = view;
  const name = avatar.displayName ?? 'This avatar';
  const question = `${name} goes for good, with its images, its memory and every conversation with it, other users’ too.`;
  return section(
    view,
    'delete',
    'Delete',
    askFirst({
      label: 'Delete this avatar',
      question,
      yes: 'Delete it for good',
      action: action(view, 'delete', 'delete'),
      csrf: pageRequest.session.csrf,
      fields: {},
    }),
  );
}
