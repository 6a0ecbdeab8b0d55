/** What the owner of a conversation does with it: shares it by links or on a site of their own, keeps it, deletes it. */
import { day } from './account-sections.ts';
import { csrfField } from './csrf-field.ts';
import { type Html, html } from './html.ts';
import type { AccessLinksData, ConversationFields } from './operations.ts';
import { icon } from './page.ts';
import type { PageContext } from './page-context.ts';
import type { PageSession } from './session.ts';
import { askFirst } from './studio/parts.ts';
import { EXPORT_FORMATS } from './transcript-export.ts';

/** The ways in which a conversation is shared. */
export interface Sharing {
  conversation: ConversationFields;
  links: AccessLinksData['accessLinks']['nodes'];
  /** Of the live viewer, with what lets in. */
  live: string;
}

export function shareMenu(site: PageContext, { conversation, links, live }: Sharing, { csrf }: PageSession): Html {
  const { shareSlug: slug, isPublic } = conversation;
  const address = `${site.sitePath}/${slug}`;
  const embed = `<script type="module" src="${site.siteUrl}/embed.js"></script>\n<avatar-live src="${conversation.liveUrl}"></avatar-live>`;
  return html`<details class="share" id="share">
  <summary class="button">${icon('share')} Share</summary>
  <div class="card share-menu stack">
    <a class="button" href="${live}" target="_blank" rel="noreferrer">Open live viewer</a>
    <form method="post" action="${address}/visibility">${csrfField(csrf)}<input type="hidden" name="isPublic" value="${String(!isPublic)}"><button class="button">${isPublic ? 'Make private' : 'Make public'}</button></form>
    ${isPublic && html`<img class="card-preview" src="${site.sitePath}/cards/${slug}.jpg" alt="How the link looks where it is shared" width="1200" height="630" loading="lazy">`}
    <form method="post" action="${address}/link" id="link-form">${csrfField(csrf)}<button class="button">Make a private link</button></form>
    <div class="field" id="made-link" hidden><label for="made">Anyone with this link can read along</label><input class="input" id="made" readonly></div>
    ${
      links.length > 0 &&
      html`<details><summary class="small">Private links: ${links.length}</summary><ul class="lines">${links.map(
        ({ linkId, createdAt }) => html`<li class="line"><span class="small">Made ${day(createdAt)}</span>
        ${askFirst({ label: 'Revoke', question: 'All who have it are shut out at once.', yes: 'Revoke it', action: `${address}/revoke`, csrf, fields: { linkId } })}</li>`,
      )}</ul></details>`
    }
    <details><summary class="small">Put it on your site</summary><textarea class="input code" readonly rows="4" aria-label="Lines for your site">${embed}</textarea>
      <iframe class="embed-preview" title="The conversation, as your site shows it" src="${live}${live.includes('?') ? '&' : '?'}autoplay=0" loading="lazy"></iframe>${!isPublic && html`<p class="small muted">Anyone who visits your site can watch this private conversation.</p>`}</details>
    <details><summary class="small">Rename</summary><form class="stack" method="post" action="${site.sitePath}/studio/talk/rename">${csrfField(csrf)}<input type="hidden" name="slug" value="${slug}">
      <div class="field"><label for="title">Name, for you alone</label><input class="input" id="title" name="title" maxlength="80" autocomplete="off" value="${conversation.title ?? ''}"></div>
      <button class="button">Save the name</button></form></details>
    ${askFirst({ label: 'Delete conversation', question: 'All that was said goes for good, its recordings and every link to it.', yes: 'Delete it for good', action: `${site.sitePath}/studio/talk/delete`, csrf, fields: { slug } })}
    <p class="small">Save as ${Object.keys(EXPORT_FORMATS).map((format) => html` <a href="${address}/export/${format}" download="${slug}.${format}">${format.toUpperCase()}</a>`)}</p>
  </div>
</details>`;
}
