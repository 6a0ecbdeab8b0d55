/** The sections of the developers' page, one function each. */

import { SCOPES } from '../../kernel/scopes.ts';
import { day } from '../account-sections.ts';
import { SCOPE_WORDS } from '../consent-scopes.ts';
import { csrfField } from '../csrf-field.ts';
import type { Flash } from '../flash.ts';
import { type Html, html } from '../html.ts';
import type { DevelopersData, KeyFields } from '../operations.ts';
import { type PageRequest, text } from '../page-request.ts';
import { askFirst, flashNotice } from './parts.ts';

/** What the parts of the developers' page show. */
export interface DevelopersView {
  pageRequest: PageRequest;
  data: DevelopersData;
  flash: Flash;
}

/** When a new key ends, as the form offers it. */
const LIFETIMES = [
  ['', 'Never'],
  ['30', 'After 30 days'],
  ['90', 'After 90 days'],
  ['365', 'After a year'],
] as const;

/** Where a form of this page is sent, and which section is in view when it is refused. */
export const action = ({ pageRequest }: DevelopersView, name: string): string =>
  `${pageRequest.site.sitePath}/studio/developers/${name}#${name.split('/')[0]}`;

/** A secret that was just made, this once. */
export function secretOnce({ secret, at }: Flash, section: string, what: string): Html | false {
  if (!secret || at !== section) return false;
  return html`<div class="notice stack tight" role="status"><p>${what} <strong>${secret.of}</strong>. Copy it now: it is not shown again.</p>
    <p class="row copied"><input class="input secret" readonly value="${secret.value}" aria-label="${what} ${secret.of}" autocomplete="off" spellcheck="false"><button class="button" type="button" data-copy hidden>Copy<span class="visually-hidden"> the secret</span></button></p></div>`;
}

function scopeTicks(fields: Record<string, unknown>): Html[] {
  const asked = new Set([fields.scopes ?? []].flat().map(String));
  return SCOPES.map(
    (scope) =>
      html`<label class="tick"><input type="checkbox" name="scopes" value="${scope}"${asked.has(scope) && html` checked`}> <span>${SCOPE_WORDS[scope]} <code class="muted small">${scope}</code></span></label>`,
  );
}

/** API keys. */
export function keysSection(view: DevelopersView): Html {
  const { pageRequest, data, flash } = view;
  const { csrf } = pageRequest.session;
  const fields = flash.at === 'keys' && flash.problem ? pageRequest.fields : {};
  return html`<section class="panel card" aria-labelledby="keys"><h2 id="keys">API keys</h2>
  <p class="muted small">A key does whatever you can do through the API, unless you restrict it. Keep it to yourself.</p>
  ${flashNotice(flash, 'keys')}${secretOnce(flash, 'keys', 'The new key')}
  ${data.apiKeys.nodes.length === 0 && html`<p class="muted">No API keys yet. Create one to use the API from a program.</p>`}
  <ul class="lines">${data.apiKeys.nodes.map(
    (
      key,
    ) => html`<li class="line"><div class="what"><strong>${key.name}</strong><span class="muted small">${about(key)}</span></div>
      ${askFirst({ label: 'Revoke', question: `Programs that use ${key.name} stop working at once.`, yes: 'Revoke it', action: action(view, 'keys/revoke'), csrf, fields: { id: key.id } })}</li>`,
  )}</ul>
  <form class="stack" method="post" action="${action(view, 'keys')}">${csrfField(csrf)}
    <div class="row"><div class="field"><label for="keyName">Name of a new key</label>
      <input class="input" id="keyName" name="name" required maxlength="80" autocomplete="off" value="${text(fields, 'name')}"></div>
    <button class="button primary">Create a key</button></div>
    <details${fields.scopes !== undefined && html` open`}><summary class="small">Let it expire, or limit what it may do</summary>
      <div class="stack">
        <div class="field"><label for="keyDays">It ends</label><select class="input" id="keyDays" name="days">${LIFETIMES.map(
          ([days, words]) =>
            html`<option value="${days}"${days === text(fields, 'days') && html` selected`}>${words}</option>`,
        )}</select></div>
        <fieldset class="stack tight"><legend class="small">It may do only this (nothing ticked: no limit)</legend>${scopeTicks(fields)}</fieldset></div></details></form></section>`;
}

function about({ createdAt, lastUsedAt, expiresAt, scopes }: KeyFields): Html {
  return html`since ${day(createdAt)}, ${lastUsedAt ? html`used ${day(lastUsedAt)}` : 'never used'}${expiresAt && html`, ends ${day(expiresAt)}`}${scopes && html`, only: ${scopes.join(', ')}`}`;
}

/** Registered apps. */
export function appsSection(view: DevelopersView): Html {
  const { pageRequest, data, flash } = view;
  const { csrf } = pageRequest.session;
  const fields = flash.at === 'apps' && flash.problem ? pageRequest.fields : {};
  return html`<section class="panel card" aria-labelledby="apps"><h2 id="apps">Apps</h2>
  <p class="muted small">Other users sign in to your apps as one of their avatars.</p>
  ${flashNotice(flash, 'apps')}${secretOnce(flash, 'apps', 'The secret of')}
  ${data.oauthClients.nodes.length === 0 && html`<p class="muted">No apps yet.</p>`}
  <ul class="lines">${data.oauthClients.nodes.map((client) => appLine(view, client))}</ul>
  <details${fields.name !== undefined && html` open`}><summary class="small">Register an app</summary>
  <form class="stack" method="post" action="${action(view, 'apps')}">${csrfField(csrf)}
    <div class="pair"><div class="field"><label for="appName">Name</label><input class="input" id="appName" name="name" required maxlength="80" autocomplete="off" value="${text(fields, 'name')}"></div>
    <div class="field"><label for="domains">Its hosts, separated by commas</label><input class="input" id="domains" name="domains" required autocomplete="off" placeholder="app.example.com" value="${text(fields, 'domains')}"></div></div>
    <fieldset class="stack tight"><legend class="small">It may ask users to let it</legend>${scopeTicks(fields)}</fieldset>
    <div class="row"><button class="button primary">Register</button></div></form></details></section>`;
}

function appLine(view: DevelopersView, client: DevelopersData['oauthClients']['nodes'][number]): Html {
  const { pageRequest, data } = view;
  const { csrf } = pageRequest.session;
  const { clientId, name, redirectDomains, scopes, serviceAvatarId, previousValidUntil } = client;
  const isOldSecretValid = previousValidUntil !== null && previousValidUntil > pageRequest.site.clock.now();
  return html`<li class="line"><div class="what"><strong>${name}</strong>
    <span class="muted small"><code>${clientId}</code>, ${redirectDomains.join(', ')}${scopes.length > 0 && html`; ${scopes.join(', ')}`}${isOldSecretValid && html`, old secret until ${day(previousValidUntil)}`}</span>
    <details><summary class="small">Change</summary><form class="stack" method="post" action="${action(view, 'apps/change')}">${csrfField(csrf)}<input type="hidden" name="clientId" value="${clientId}">
      <div class="pair"><div class="field"><label for="name-${clientId}">Name</label><input class="input" id="name-${clientId}" name="name" required maxlength="80" autocomplete="off" value="${name}"></div>
      <div class="field"><label for="hosts-${clientId}">Its hosts, separated by commas</label><input class="input" id="hosts-${clientId}" name="domains" required autocomplete="off" spellcheck="false" value="${redirectDomains.join(', ')}"></div></div>
      <p class="small muted">Sign-ins come back to these hosts alone, over https; over http on localhost.</p>
      <div class="row"><button class="button">Save</button></div></form></details>
    <details><summary class="small">Acts by itself as</summary><form class="row" method="post" action="${action(view, 'apps/avatar')}">${csrfField(csrf)}<input type="hidden" name="clientId" value="${clientId}">
      <div class="field"><label class="visually-hidden" for="as-${clientId}">Avatar of ${name}</label><select class="input" id="as-${clientId}" name="avatarId"><option value="">No avatar</option>${data.avatars.nodes.map(
        ({ avatarId, displayName }) =>
          html`<option value="${avatarId}"${avatarId === serviceAvatarId && html` selected`}>${displayName ?? 'Avatar'}</option>`,
      )}</select></div><button class="button">Save</button></form></details></div>
    <div class="row">${askFirst({ label: 'New secret', question: 'The one before works for a while.', yes: 'Make a new secret', action: action(view, 'apps/secret'), csrf, fields: { clientId } })}
    ${askFirst({ label: 'Delete', question: `${name} loses all access, and users can no longer sign in with it.`, yes: 'Delete the app', action: action(view, 'apps/delete'), csrf, fields: { clientId } })}</div></li>`;
}
