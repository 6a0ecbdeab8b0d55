/** The sections of the account page, one function each. They show what they are given and ask for nothing. */

import type { AccountView, ActionResult } from './account-view.ts';
import { SCOPE_WORDS } from './consent-scopes.ts';
import { credits } from './credit-amount.ts';
import { csrfField } from './csrf-field.ts';
import { type Html, html } from './html.ts';
import type { GrantFields } from './operations.ts';
import { ownVoices } from './own-voices.ts';
import { askFirst } from './studio/parts.ts';

/** A date; with the time in its attribute. */
export const day = (ms: number): Html =>
  html`<time datetime="${new Date(ms).toISOString()}">${new Date(ms).toISOString().slice(0, 10)}</time>`;

/** What the last form of this part said. */
export function notices(happened: ActionResult, at: ActionResult['at']): Html | false {
  if (happened.at !== at) return false;
  return html`${happened.problem && html`<p class="notice bad" role="alert">${happened.problem}</p>`}
    ${happened.done && html`<p class="notice" role="status">${happened.done}</p>`}`;
}

/** The account page's balance. */
export function creditsSection({ site, data }: AccountView): Html {
  const { available, transferable, welcome, held, locked } = data.me.balance;
  return html`<section class="panel card" aria-labelledby="credits" id="balance" data-live="balance"><h2 id="credits">Credits</h2>
  <dl class="figures">
    <div><dt>Available</dt><dd class="big">${credits(available)}</dd></div>
    <div><dt>Transferable</dt><dd>${credits(transferable)}</dd></div>
    <div><dt>On hold</dt><dd>${credits(held)}</dd></div>
    ${welcome > 0 && html`<div><dt>Welcome credits</dt><dd>${credits(welcome)}</dd></div>`}
    ${locked.map(({ creatorUserId, amount }) => html`<div><dt>Only for <code>${creatorUserId}</code></dt><dd>${credits(amount)}</dd></div>`)}
  </dl>
  <p class="small muted">More credits: ${site.creditsUrl ? html`<a href="${site.creditsUrl}">get some here</a>` : 'the operator of this platform grants them'}; others can give you some: your id is <code>${data.me.userId}</code>.</p></section>`;
}

/** Tokens of one app are one line: users know apps, not tokens. */
function byApp(grants: readonly GrantFields[]): GrantFields[][] {
  const apps = new Map<string, GrantFields[]>();
  for (const grant of grants) apps.set(grant.clientId, [...(apps.get(grant.clientId) ?? []), grant]);
  return [...apps.values()];
}

/** The account page's apps with access. */
export function appsSection({ site, session, grants: all, happened }: AccountView): Html {
  const apps = byApp(all);
  return html`<section class="panel card" aria-labelledby="apps"><h2 id="apps">Connected apps</h2>
  ${notices(happened, 'apps')}
  ${apps.length === 0 && html`<p class="muted">No connected apps yet.</p>`}
  <ul class="lines">${apps.map((grants) => {
    const { name, clientId, createdAt } = grants.at(-1)!;
    const names = [...new Set(grants.map(({ avatar }) => avatar.name ?? 'an avatar'))].join(', ');
    const scopes = [...new Set(grants.flatMap((grant) => grant.scopes))];
    return html`<li class="line"><div class="what"><strong>${name}</strong>
      <span class="muted small">as ${names}, since ${day(createdAt)}${grants.every((grant) => grant.clientCredentials) && ', your own app'}</span>
      <ul class="small muted may">${scopes.map((scope) => html`<li>${SCOPE_WORDS[scope] ?? scope}</li>`)}</ul></div>
      ${askFirst({ label: 'Disconnect', question: `${name} can no longer act for you.`, yes: 'Disconnect it', action: `${site.sitePath}/account/apps/revoke`, csrf: session.csrf, fields: { clientId } })}</li>`;
  })}</ul></section>`;
}

/** The account page's custom voices. */
export function voicesSection({ site, session, data, happened }: AccountView): Html {
  const given = happened.at === 'voices' ? (happened.given ?? {}) : {};
  const options = (list: { id: string; name: string }[], chosen: string | undefined): Html[] =>
    list.map(({ id, name }) => html`<option value="${id}"${id === chosen && html` selected`}>${name}</option>`);
  const avatars = data.avatars.nodes.map(({ avatarId, displayName }) => ({
    id: avatarId,
    name: displayName ?? 'Avatar',
  }));
  return html`<section class="panel card" aria-labelledby="voices"><h2 id="voices">Custom voices</h2>
  ${notices(happened, 'voices')}
  ${ownVoices({ site, session, voices: data.voices.nodes, action: `${site.sitePath}/account/voices/delete` })}
  ${
    avatars.length === 0
      ? html`<p class="muted">A voice belongs to an avatar. Make an avatar first.</p>`
      : html`<form class="stack" method="post" action="${site.sitePath}/account/voices#voices">${csrfField(session.csrf)}
    <div class="pair">
      <div class="field"><label for="voiceName">Name</label>
        <input class="input" id="voiceName" name="name" required maxlength="80" autocomplete="off" value="${given.name ?? ''}"></div>
      <div class="field"><label for="voiceAvatar">For</label>
        <select class="input" id="voiceAvatar" name="avatarId">${options(avatars, given.avatarId)}</select></div>
    </div>
    <div class="field"><label for="base">Starts from</label>
      <select class="input" id="base" name="baseVoiceId">${options(
        data.voices.nodes.filter(({ source }) => source === 'preset'),
        given.baseVoiceId,
      )}</select></div>
    <div class="pair">
      <div class="field"><label for="pitch">Pitch <span class="muted">deeper to higher</span></label>
        <input class="slide" id="pitch" name="pitch" type="range" min="-12" max="12" step="0.5" value="${given.pitch ?? '0'}"></div>
      <div class="field"><label for="rate">Pace <span class="muted">slower to faster</span></label>
        <input class="slide" id="rate" name="rate" type="range" min="0.5" max="2" step="0.05" value="${given.rate ?? '1'}"></div>
    </div>
    <label class="tick"><input type="checkbox" name="use" value="yes"${given.use !== '' && html` checked`}> The avatar speaks with it from now on</label>
    <div class="row"><button class="button primary">Make the voice</button>
      <button class="button" id="listen" formaction="${site.sitePath}/account/voices/listen#voices" formnovalidate data-sample="${site.sitePath}/account/voices/sample">Listen</button>
      <audio id="sample" controls${!happened.sample && html` hidden`}${happened.sample && html` autoplay src="${happened.sample}"`}></audio></div></form>`
  }</section>`;
}
