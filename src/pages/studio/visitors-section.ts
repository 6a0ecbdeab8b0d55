/** The page of an avatar for visitors, as its owner sets it: who may talk, at what cost, where it is shown, who has come. */
import { fromMicro } from '../../kernel/credits.ts';
import { FIRST_TALK_CAPS } from '../../kernel/limits.ts';
import { PRICES } from '../../kernel/prices.ts';
import { credits } from '../credit-amount.ts';
import { csrfField } from '../csrf-field.ts';
import { type Html, html } from '../html.ts';
import { getCredits } from '../missing-credits.ts';
import type { TalkSettingsData } from '../operations.ts';
import { type AvatarView, action, held, pageOf, section } from './avatar-view.ts';

const AUDIENCES = { nobody: 'No one', signed_in: 'Who is signed in', everyone: 'Everyone' } as const;

/** What the part about visitors shows. */
interface VisitorsView extends AvatarView {
  name: string;
  talk: TalkSettingsData;
}

export function visitorsSection(view: VisitorsView): Html | false {
  const { pageRequest, talk } = view;
  const settings = talk.talkSettings;
  if (!settings) return false;
  const { csrf } = pageRequest.session;
  const audience = held(view, 'visitors', 'audience', settings.audience);
  // As it is, and of a page that was never opened as it would be.
  const first = settings.url ? undefined : FIRST_TALK_CAPS;
  const perVisitor = settings.creditsPerVisitor ?? (first && fromMicro(first.perVisitor));
  const perDay = settings.creditsPerDay ?? (first && fromMicro(first.perDay));
  return section(
    view,
    'visitors',
    'Visitors',
    html`<form class="stack" method="post" action="${action(view, 'visitors', 'visitors')}">${csrfField(csrf)}
    <div class="field narrow"><label for="audience">Who may talk with it on its page</label>
      <select class="input" id="audience" name="audience">${Object.entries(AUDIENCES).map(
        ([value, words]) => html`<option value="${value}"${value === audience && html` selected`}>${words}</option>`,
      )}</select></div>
    <p class="small muted">You pay for what it says aloud, up to these limits; answers in writing are free. Each visitor has a conversation of their own, which you do not see.</p>
    <div class="pair"><div class="field"><label for="creditsPerVisitor">Limit for each visitor, in credits a day</label>
      <input class="input" id="creditsPerVisitor" name="creditsPerVisitor" inputmode="decimal" placeholder="No limit" value="${held(view, 'visitors', 'creditsPerVisitor', perVisitor)}"></div>
    <div class="field"><label for="visitorsPerDay">Limit for all of them, in credits a day</label>
      <input class="input" id="visitorsPerDay" name="creditsPerDay" inputmode="decimal" placeholder="No limit" value="${held(view, 'visitors', 'creditsPerDay', perDay)}"></div></div>
    <div class="field"><label for="greeting">Greeting</label>
      <textarea class="input" id="greeting" name="greeting" rows="2" maxlength="500" placeholder="What every new visitor reads first">${held(view, 'visitors', 'greeting', settings.greeting)}</textarea></div>
    <div class="row"><button class="button primary">Save</button></div></form>
  ${settings.url && settings.audience !== 'nobody' && html`${silent(view)}${shown(view, settings.url)}`}
  ${talk.visitors.nodes.length > 0 && came(view, settings.spentToday)}`,
  );
}

/** Why visitors hear nothing just now, and the way on. */
function silent({ pageRequest: { site }, talk: { me, talkSettings } }: VisitorsView): Html | false {
  const second = fromMicro(PRICES.talkingHeadPerSecond);
  const { available } = me.balance;
  if (available < second) {
    return html`<p class="notice bad" role="alert">Visitors are answered in writing alone: a spoken second costs ${second} credits, and you have ${credits(available)}. ${getCredits(site.sitePath)}</p>`;
  }
  const { creditsPerDay = null, spentToday = 0 } = talkSettings ?? {};
  if (creditsPerDay === null || spentToday + second <= creditsPerDay) return false;
  return html`<p class="notice" role="status">Visitors are answered in writing alone until tomorrow: today they have spent ${credits(spentToday)} of ${creditsPerDay} credits.</p>`;
}

/** Where it is, and the lines for a site of one's own with what they show. */
function shown({ pageRequest: { site }, name }: VisitorsView, url: string): Html {
  const embed = `<script type="module" src="${site.siteUrl}/embed.js"></script>\n<avatar-talk src="${url}"></avatar-talk>`;
  const path = new URL(url).pathname;
  return html`<p>Its page: <a href="${path}">${url}</a></p>
  <details><summary class="small">Put it on your site</summary><div class="stack">
    <textarea class="input code" readonly rows="3" aria-label="Lines for your site">${embed}</textarea>
    <iframe class="talk-preview" title="Talk with ${name}, as your site shows it" src="${path}/embed" loading="lazy"></iframe>
  </div></details>`;
}

function came(view: VisitorsView, spentToday: number): Html {
  const { nodes, pageInfo } = view.talk.visitors;
  const { csrf } = view.pageRequest.session;
  return html`<h3>Who came</h3><p class="small muted">Spent by visitors today: ${credits(spentToday)} credits</p>
  <ul class="lines">${nodes.map(({ visitorId, isSignedIn, displayName, isBlocked, ...visitor }) => {
    const who = isSignedIn ? (displayName ?? 'A user') : 'Guest';
    const time = new Date(visitor.seenAt).toISOString();
    return html`<li class="line"><div class="what"><strong><bdi>${who}</bdi></strong>${isBlocked && html` <span class="muted small">Blocked</span>`}
      <span class="muted small">${visitor.turns} ${visitor.turns === 1 ? 'turn' : 'turns'}, ${credits(visitor.spent)} credits, ${credits(visitor.spentToday)} today; here last <time datetime="${time}">${time.slice(0, 16).replace('T', ' ')} UTC</time></span></div>
      <form method="post" action="${action(view, 'visitors/block', 'visitors')}">${csrfField(csrf)}<input type="hidden" name="visitorId" value="${visitorId}"><input type="hidden" name="isBlocked" value="${String(!isBlocked)}">
      <button class="button small-button">${isBlocked ? 'Let in again' : 'Block'}<span class="visually-hidden"> ${who}</span></button></form></li>`;
  })}</ul>
  ${pageInfo.hasNextPage && html`<p><a class="button" href="${pageOf(view)}?visitors=${pageInfo.endCursor}#visitors">Older</a></p>`}`;
}
