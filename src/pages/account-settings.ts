/** The part of the account page that is about the account itself: name, password, sessions, its end. */
import { day, notices } from './account-sections.ts';
import type { AccountView } from './account-view.ts';
import { csrfField } from './csrf-field.ts';
import { type Html, html } from './html.ts';
import { askFirst } from './studio/parts.ts';

/** A file with everything: asked for, being made, or there to be fetched. */
function exportLine({ site, session, data: { accountExport } }: AccountView): Html {
  const { status, bytes, url, expiresAt } = accountExport ?? {};
  const action = `${site.sitePath}/account/export#settings`;
  const ask = (label: string): Html =>
    html`<form method="post" action="${action}">${csrfField(session.csrf)}<button class="button">${label}</button></form>`;
  if (status === 'waiting') {
    return html`<div class="line" id="export"><div class="what"><span role="status">Your data is being put together. This can take a few minutes.</span></div>
    <a class="button" href="${site.sitePath}/account?export#settings" data-waiting>Look again</a></div>`;
  }
  const isReady = url != null && bytes != null && expiresAt !== undefined;
  return html`<div class="line" id="export"><div class="what"><span>${isReady ? html`Your data is ready: ${sizeOf(bytes)}, until ${day(expiresAt)}.` : 'Everything that is stored about you, as one ZIP file'}</span>
    ${status === 'failed' && html`<span class="small">The last export could not be made. Please try again.</span>`}</div>
    ${isReady && html`<a class="button primary" href="${url}" download>Download</a>`}${ask(isReady ? 'New export' : 'Export my data')}</div>`;
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'];

/** A number of bytes to read, e.g. 4.2 MB. */
export function sizeOf(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const shown = new Intl.NumberFormat('en', { style: 'unit', unit: UNITS[power], maximumFractionDigits: 1 });
  return shown.format(bytes / 1000 ** power);
}

/** The account page's name, address and password. */
export function settingsSection(view: AccountView): Html {
  const { site, session, data, happened } = view;
  const { csrf } = session;
  const action = (name: string): string => `${site.sitePath}/account/${name}#settings`;
  const devices = data.sessions.nodes.length;
  return html`<section class="panel card stack" aria-labelledby="settings"><h2 id="settings">Settings</h2>
  ${notices(happened, 'settings')}
  <form class="row" method="post" action="${action('name')}">${csrfField(csrf)}
    <div class="field"><label for="displayName">Your name</label><input class="input" id="displayName" name="displayName" maxlength="80" autocomplete="name" value="${data.me.displayName ?? ''}"></div>
    <button class="button">Save</button></form>
  <details><summary>Change e-mail${data.me.email && html` <span class="muted">${data.me.email}</span>`}</summary><form class="stack" method="post" action="${action('email')}">${csrfField(csrf)}
    <div class="pair"><div class="field"><label for="newEmail">New e-mail</label><input class="input" id="newEmail" name="email" type="email" required maxlength="254" autocomplete="email"></div>
    <div class="field"><label for="emailPassword">Your password</label><input class="input" id="emailPassword" name="password" type="password" required autocomplete="current-password"></div></div>
    <div class="row"><button class="button">Change e-mail</button></div></form></details>
  <details><summary>Change password</summary><form class="stack" method="post" action="${action('password')}">${csrfField(csrf)}
    <div class="pair"><div class="field"><label for="currentPassword">Current password</label><input class="input" id="currentPassword" name="currentPassword" type="password" required autocomplete="current-password"></div>
    <div class="field"><label for="newPassword">New password</label><input class="input" id="newPassword" name="newPassword" type="password" required minlength="8" autocomplete="new-password"></div></div>
    <div class="row"><button class="button">Change password</button></div>
    <p class="small muted">You stay signed in here and are signed out everywhere else.</p></form></details>
  <div class="line"><span>Signed in at ${devices} ${devices === 1 ? 'place' : 'places'}</span>
    ${askFirst({ label: 'Sign out everywhere', question: 'Every browser is signed out, this one too. Keys and apps go on working.', yes: 'Sign out everywhere now', action: action('sign-out-everywhere'), csrf, fields: {} })}</div>
  ${exportLine(view)}
  <details class="ask"><summary class="button">Delete account</summary>
    <form class="stack" method="post" action="${action('delete')}">${csrfField(csrf)}
    <p class="small">Your avatars, conversations, images, videos and keys go for good, and your credits are lost.</p>
    <div class="field narrow"><label for="deletePassword">Your password</label><input class="input" id="deletePassword" name="password" type="password" required autocomplete="current-password"></div>
    <button class="button danger">Delete my account</button></form></details>
  </section>`;
}
