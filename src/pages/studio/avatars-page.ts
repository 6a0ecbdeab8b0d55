/** All avatars of the signed-in user: folders, search, and the way to a new one. */
import type { FastifyInstance } from 'fastify';
import { csrfField } from '../csrf-field.ts';
import { type Html, html } from '../html.ts';
import { initial } from '../live-page.ts';
import { AVATARS, type AvatarsData, CREATE_FOLDER, DELETE_FOLDER, type OwnAvatarFields } from '../operations.ts';
import type { PageContext } from '../page-context.ts';
import { mountForm, mountPage, type PageRequest, text } from '../page-request.ts';
import { thumbnail } from '../thumbnail.ts';
import { askFirst, flashNotice } from './parts.ts';

const PATH = '/studio/avatars';

export function mountAvatars(fastify: FastifyInstance, site: PageContext): void {
  mountPage(fastify, site, PATH, list);
  mountForm(fastify, site, '/studio/folders', async (pageRequest) => {
    const name = text(pageRequest.fields, 'name').trim();
    const { data, message } = await pageRequest.ask(CREATE_FOLDER, { name });
    return pageRequest.goTo(PATH, data ? { done: `The folder ${name} is made.` } : { problem: message });
  });
  mountForm(fastify, site, '/studio/folders/delete', async (pageRequest) => {
    const { data, message } = await pageRequest.ask(DELETE_FOLDER, { folderId: text(pageRequest.fields, 'folderId') });
    return pageRequest.goTo(
      PATH,
      data ? { done: 'The folder is deleted; its avatars are kept.' } : { problem: message },
    );
  });
}

async function list(pageRequest: PageRequest) {
  const data = await pageRequest.need(AVATARS, {});
  const [avatars, folders] = [data.avatars.nodes, data.avatarFolders.nodes];
  const [folder, words] = [text(pageRequest.fields, 'folder'), text(pageRequest.fields, 'q').trim().toLowerCase()];
  const shown = avatars
    .filter(({ folderId }) => folder === '' || folderId === folder)
    .filter(({ displayName }) => (displayName ?? '').toLowerCase().includes(words))
    .reverse();
  const { sitePath } = pageRequest.site;
  return pageRequest.show('Avatars', {
    title: 'Avatars',
    styles: ['studio.css'],
    body: html`<main class="studio wide">
  <header class="studio-head"><h1>Avatars</h1><a class="button primary" href="${sitePath}${PATH}/new">New avatar</a></header>
  ${flashNotice(pageRequest.flash)}
  ${avatars.length > 0 && filters(pageRequest, folders, folder, words)}
  ${avatars.length === 0 ? none(sitePath) : shown.length === 0 ? html`<p class="muted">No avatar here.</p>` : html`<ul class="tiles">${shown.map((avatar) => tile(sitePath, avatar))}</ul>`}
  ${avatars.length > 0 && folderForms(pageRequest, folders, folder)}
</main>`,
  });
}

const none = (sitePath: string): Html => html`<section class="card empty-state"><h2>No avatar yet</h2>
  <p class="muted">An avatar has a face, a voice and a character. Take a ready one, or make your own in a minute.</p>
  <p class="row"><a class="button primary" href="${sitePath}/studio/welcome">Take a ready one</a><a class="button" href="${sitePath}${PATH}/new">Make your own</a></p></section>`;

function filters(
  { site }: PageRequest,
  folders: AvatarsData['avatarFolders']['nodes'],
  folder: string,
  words: string,
): Html {
  const link = (id: string, name: string): Html =>
    html`<a class="button small-button" href="${site.sitePath}${PATH}${id && `?folder=${encodeURIComponent(id)}`}"${id === folder && html` aria-current="true"`}>${name}</a>`;
  return html`<form class="filters" method="get" action="${site.sitePath}${PATH}" role="search">
    <label class="visually-hidden" for="q">Search avatars</label>
    <input class="input" id="q" name="q" type="search" placeholder="Search" value="${words}"><button class="button">Search</button>
    ${folders.length > 0 && [link('', 'All'), ...folders.map(({ folderId, name }) => link(folderId, name))]}
  </form>`;
}

function tile(
  sitePath: string,
  { avatarId, displayName, avatarImageUrl, publiclyRenderable, ttsVoiceId }: OwnAvatarFields,
): Html {
  const name = displayName ?? 'Avatar';
  const facts = [publiclyRenderable ? 'Public' : 'Private', ...(ttsVoiceId ? [] : ['no voice'])].join(', ');
  return html`<li><a class="tile card" href="${sitePath}${PATH}/${avatarId}">
    ${avatarImageUrl ? html`<img class="tile-face" src="${thumbnail(avatarImageUrl, 640)}" alt="" width="320" height="320" loading="lazy">` : html`<span class="tile-face" aria-hidden="true">${initial(name)}</span>`}
    <span class="tile-words"><strong><bdi>${name}</bdi></strong><span class="muted small">${facts}</span></span></a></li>`;
}

function folderForms(
  { site, session }: PageRequest,
  folders: AvatarsData['avatarFolders']['nodes'],
  folder: string,
): Html {
  const chosen = folders.find(({ folderId }) => folderId === folder);
  return html`<details><summary class="small">Folders</summary>
    <form class="row" method="post" action="${site.sitePath}/studio/folders">${csrfField(session.csrf)}
      <div class="field"><label for="folderName">New folder</label><input class="input" id="folderName" name="name" required maxlength="80" autocomplete="off"></div>
      <button class="button">Make the folder</button></form></details>
    ${
      chosen &&
      askFirst({
        label: `Delete folder ${chosen.name}`,
        question: 'Its avatars are kept.',
        yes: 'Delete the folder',
        action: `${site.sitePath}/studio/folders/delete`,
        csrf: session.csrf,
        fields: { folderId: chosen.folderId },
      })
    }`;
}
