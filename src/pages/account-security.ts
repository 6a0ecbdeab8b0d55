/** The sections of the account page about its safety: keys, own apps and what happened lately. */
import type { EventData, KeyData } from './account-operations.ts';
import { day, notices } from './account-sections.ts';
import type { AccountView } from './account-view.ts';
import { SCOPE_WORDS } from './consent-scopes.ts';
import { type Html, html } from './html.ts';
import { csrfField } from './shell.ts';

/** When a new key ends, as the form offers it. */
const LIFETIMES = [
  ['', 'Never'],
  ['30', 'After 30 days'],
  ['90', 'After 90 days'],
  ['365', 'After a year'],
] as const;

const secretField = (label: string, value: string): Html =>
  html`<input class="input secret" readonly value="${value}" aria-label="${label}" autocomplete="off" spellcheck="false">`;

export function keysSection({ site, session, data, happened }: AccountView): Html {
  const { newKey } = happened;
  const given = happened.at === 'keys' ? happened.given : undefined;
  const asked = new Set(given?.scopes?.split(' '));
  return html`<section class="panel card" aria-labelledby="keys"><h2 id="keys">API keys</h2>
  <p class="muted small">A key does whatever you can do through the API, unless you restrict it. Give it to nobody.</p>
  ${notices(happened, 'keys')}
  ${
    newKey &&
    html`<div class="notice stack tight" role="status"><p><strong>${newKey.name}</strong> is ready. Copy it now: it is not shown again.</p>
    ${secretField('The new key', newKey.token)}</div>`
  }
  <ul class="lines">${data.apiKeys.map(
    (
      key,
    ) => html`<li class="line"><div class="what"><strong>${key.name}</strong><span class="muted small">${about(key)}</span></div>
      <form method="post" action="${site.sitePath}/account/keys/revoke">${csrfField(session.csrf)}<input type="hidden" name="id" value="${key.id}">
        <button class="button" aria-label="Revoke ${key.name}">Revoke</button></form></li>`,
  )}</ul>
  <form class="stack" method="post" action="${site.sitePath}/account/keys#keys">${csrfField(session.csrf)}
    <div class="row"><div class="field"><label for="keyName">Name of a new key</label>
      <input class="input" id="keyName" name="name" required maxlength="80" autocomplete="off" value="${given?.name ?? ''}"></div>
    <button class="button primary">Create a key</button></div>
    <details${asked.size > 0 && html` open`}><summary class="small">Let it end by itself, or do less</summary>
      <div class="stack">
        <div class="field"><label for="keyDays">It ends</label><select class="input" id="keyDays" name="days">${LIFETIMES.map(
          ([days, words]) =>
            html`<option value="${days}"${days === (given?.days ?? '') && html` selected`}>${words}</option>`,
        )}</select></div>
        <fieldset class="stack tight"><legend class="small">It may do only this (nothing ticked: everything)</legend>
        ${Object.entries(SCOPE_WORDS).map(
          ([scope, words]) =>
            html`<label class="tick"><input type="checkbox" name="scopes" value="${scope}"${asked.has(scope) && html` checked`}> ${words}</label>`,
        )}</fieldset></div></details></form></section>`;
}

function about({ createdAt, lastUsedAt, expiresAt, scopes }: KeyData): Html {
  return html`since ${day(createdAt)}, ${lastUsedAt ? html`used ${day(lastUsedAt)}` : 'never used'}${expiresAt && html`, ends ${day(expiresAt)}`}${scopes && html`, only: ${scopes.join(', ')}`}`;
}

export function ownAppsSection({ site, session, data, happened }: AccountView): Html | false {
  const { newSecret } = happened;
  if (data.oauthClients.length === 0) return false;
  return html`<section class="panel card" aria-labelledby="own-apps"><h2 id="own-apps">Apps you registered</h2>
  ${notices(happened, 'own-apps')}
  ${
    newSecret &&
    html`<div class="notice stack tight" role="status"><p>This is the new secret of <code>${newSecret.clientId}</code>. Copy it now: it is not shown again. The one before works for a while.</p>
    ${secretField('The new secret', newSecret.clientSecret)}</div>`
  }
  <ul class="lines">${data.oauthClients.map(
    ({ clientId, name, previousValidUntil }) => html`<li class="line"><div class="what"><strong>${name}</strong>
      <span class="muted small"><code>${clientId}</code>${previousValidUntil && previousValidUntil > site.clock.now() && html`, old secret until ${day(previousValidUntil)}`}</span></div>
      <form method="post" action="${site.sitePath}/account/own-apps/secret#own-apps">${csrfField(session.csrf)}<input type="hidden" name="clientId" value="${clientId}">
        <button class="button" aria-label="New secret for ${name}">New secret</button></form></li>`,
  )}</ul></section>`;
}

export const ACTION_WORDS: Readonly<Record<string, string>> = {
  account_created: 'Account made',
  signed_in: 'Signed in',
  sign_in_failed: 'Sign-in with a wrong password',
  signed_out: 'Signed out',
  password_changed: 'Password changed',
  email_changed: 'E-mail address changed',
  email_verified: 'E-mail address confirmed',
  api_key_created: 'API key made',
  api_key_revoked: 'API key revoked',
  app_registered: 'App registered',
  app_changed: 'App changed',
  app_secret_rotated: 'New secret for an app',
  app_deleted: 'App deleted',
  consent_given: 'App allowed',
  grant_given: 'App got access',
  grant_revoked: 'Access of an app ended',
  gift_confirmed: 'Gift sent',
  visibility_changed: 'Visibility changed',
  access_link_created: 'Private link made',
  access_link_revoked: 'Private link revoked',
  credits_granted: 'Credits received',
  memory_system_selected: 'Memory system chosen',
};

export function activitySection({ data }: AccountView): Html {
  return html`<section class="panel card" aria-labelledby="activity"><h2 id="activity">Recent activity</h2>
  <ul class="lines">${data.auditEvents.events.map(event)}</ul></section>`;
}

function event({ action, detail, clientId, address, createdAt }: EventData): Html {
  const time = new Date(createdAt).toISOString();
  return html`<li class="line"><div class="what"><strong>${ACTION_WORDS[action] ?? action}${detail && html`: ${detail}`}</strong>
    <span class="muted small"><time datetime="${time}">${time.slice(0, 16).replace('T', ' ')} UTC</time>${address && html` from ${address}`}${clientId && html` by <code>${clientId}</code>`}</span></div></li>`;
}
