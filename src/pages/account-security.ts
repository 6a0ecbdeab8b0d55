/** What happened lately on an account, in words. */
import type { AccountView } from './account-view.ts';
import { type Html, html } from './html.ts';
import type { EventFields } from './operations.ts';

/** Recorded actions in words. */
export const ACTION_WORDS: Readonly<Record<string, string>> = {
  account_created: 'Account created',
  signed_in: 'Signed in',
  sign_in_failed: 'Sign-in with a wrong password',
  signed_out: 'Signed out',
  password_changed: 'Password changed',
  email_changed: 'E-mail address changed',
  email_verified: 'E-mail address confirmed',
  api_key_created: 'API key created',
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
  account_exported: 'Export of the account asked for',
  account_deleted: 'Account deleted',
  avatar_deleted: 'Avatar deleted',
  conversation_deleted: 'Conversation deleted',
  access_link_created: 'Private link created',
  access_link_revoked: 'Private link revoked',
  credits_granted: 'Credits received',
  memory_system_selected: 'Memory system chosen',
  webhook_created: 'Webhook created',
  webhook_changed: 'Webhook changed',
  webhook_secret_rotated: 'New secret for a webhook',
  webhook_deleted: 'Webhook deleted',
};

/** Whose visibility it is, by the prefix of its id. */
const SUBJECTS: Readonly<Record<string, string>> = { avt: 'an avatar', cnv: 'a conversation', vid: 'a video' };

/** What was done, to what and how: "Visibility of a conversation changed: public". */
function wordsOf({ action, detail, subject }: EventFields): string {
  const words = ACTION_WORDS[action] ?? action;
  const what = action === 'visibility_changed' && SUBJECTS[subject?.split('_', 1)[0] ?? ''];
  const said = what ? words.replace('Visibility', `Visibility of ${what}`) : words;
  return detail ? `${said}: ${detail.replace(/^talk: /, 'who may talk with it: ')}` : said;
}

/** The account page's recent activity. */
export function activitySection({ data }: AccountView): Html {
  return html`<section class="panel card" aria-labelledby="activity"><h2 id="activity">Recent activity</h2>
  <ul class="lines">${data.auditEvents.nodes.map(event)}</ul></section>`;
}

function event(row: EventFields): Html {
  const { clientId, address, createdAt } = row;
  const time = new Date(createdAt).toISOString();
  return html`<li class="line"><div class="what"><strong>${wordsOf(row)}</strong>
    <span class="muted small"><time datetime="${time}">${time.slice(0, 16).replace('T', ' ')} UTC</time>${address && html` from ${address}`}${clientId && html` by <code>${clientId}</code>`}</span></div></li>`;
}
