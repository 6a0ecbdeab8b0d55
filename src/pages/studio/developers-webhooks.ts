/** Webhooks on the developers' page: where events are sent, and how the last ones went. */
import { WEBHOOK_EVENTS } from '../../kernel/webhook-events.ts';
import { day } from '../account-sections.ts';
import { csrfField } from '../csrf-field.ts';
import { type Html, html } from '../html.ts';
import type { DevelopersData } from '../operations.ts';
import { text } from '../page-request.ts';
import { action, type DevelopersView, secretOnce } from './developers-sections.ts';
import { askFirst, flashNotice } from './parts.ts';

type Endpoint = DevelopersData['webhookEndpoints']['nodes'][number];
type Delivery = Endpoint['deliveries']['nodes'][number];

const STATES = {
  waiting: 'to be tried again',
  sending: 'on its way',
  delivered: 'delivered',
  failed: 'failed',
} as const;
const REASONS = {
  owner: 'off',
  gone: 'off: it answered that it is gone',
  failing: 'off: it took nothing for three days',
} as const;

/** The section: what there is, and a form for one more. */
export function webhooksSection(view: DevelopersView): Html {
  const { pageRequest, data, flash } = view;
  const fields = flash.at === 'webhooks' && flash.problem ? pageRequest.fields : {};
  const asked = new Set([fields.events ?? []].flat().map(String));
  return html`<section class="panel card" aria-labelledby="webhooks"><h2 id="webhooks">Webhooks</h2>
  <p class="muted small">Your server is notified when something is ready, so that it need not ask. Every message is signed (Standard Webhooks).</p>
  ${flashNotice(flash, 'webhooks')}${secretOnce(flash, 'webhooks', 'The signing secret of')}
  ${data.webhookEndpoints.nodes.length === 0 && html`<p class="muted">No webhooks yet.</p>`}
  <ul class="lines">${data.webhookEndpoints.nodes.map((endpoint) => endpointLine(view, endpoint))}</ul>
  <details${fields.url !== undefined && html` open`}><summary class="small">Add a webhook</summary>
  <form class="stack" method="post" action="${action(view, 'webhooks')}">${csrfField(pageRequest.session.csrf)}
    <div class="pair"><div class="field"><label for="webhookUrl">Address</label><input class="input" id="webhookUrl" name="url" type="url" required maxlength="2048" autocomplete="off" placeholder="https://example.com/webhooks" value="${text(fields, 'url')}"></div>
    <div class="field"><label for="webhookApp">It hears of</label><select class="input" id="webhookApp" name="clientId"><option value="">What is made for this account</option>${data.oauthClients.nodes.map(
      ({ clientId, name }) =>
        html`<option value="${clientId}"${clientId === text(fields, 'clientId') && html` selected`}>What is made through ${name}</option>`,
    )}</select></div></div>
    <fieldset class="stack tight"><legend class="small">Events</legend>${Object.entries(WEBHOOK_EVENTS).map(
      ([event, words]) =>
        html`<label class="tick"><input type="checkbox" name="events" value="${event}"${asked.has(event) && html` checked`}> <span><code>${event}</code> <span class="muted small">${words}</span></span></label>`,
    )}</fieldset>
    <div class="row"><button class="button primary">Add</button></div></form></details></section>`;
}

function endpointLine(view: DevelopersView, endpoint: Endpoint): Html {
  const { csrf } = view.pageRequest.session;
  const { id, url, events, clientId, isEnabled, disabledReason, deliveredAt, deliveries } = endpoint;
  const app = view.data.oauthClients.nodes.find((client) => client.clientId === clientId);
  const post = (name: string, label: string, fields: Record<string, string>): Html =>
    html`<form method="post" action="${action(view, name)}">${csrfField(csrf)}${Object.entries(fields).map(
      ([field, value]) => html`<input type="hidden" name="${field}" value="${value}">`,
    )}<button class="button">${label}</button></form>`;
  return html`<li class="stack tight"><div class="what"><strong>${url}</strong>
    <span class="muted small">${app && html`${app.name}; `}${events.join(', ')}; ${disabledReason ? REASONS[disabledReason] : deliveredAt ? html`last delivered ${day(deliveredAt)}` : 'nothing delivered yet'}</span>
    ${
      deliveries.nodes.length > 0 &&
      html`<details><summary class="small">Last messages</summary><ul class="lines">${deliveries.nodes.map((delivery) => deliveryLine(delivery, post))}</ul></details>`
    }</div>
    <div class="row">${isEnabled && post('webhooks/test', 'Send a test', { id })}
    ${post('webhooks/enabled', isEnabled ? 'Turn off' : 'Turn on', { id, isEnabled: String(!isEnabled) })}
    ${askFirst({ label: 'New secret', question: 'Messages are signed with both for a day.', yes: 'Make a new secret', action: action(view, 'webhooks/secret'), csrf, fields: { id } })}
    ${askFirst({ label: 'Delete', question: 'Nothing is sent there any more, and its log is gone.', yes: 'Delete the webhook', action: action(view, 'webhooks/delete'), csrf, fields: { id } })}</div></li>`;
}

function deliveryLine(
  { id, eventType, state, status, error, attempts, createdAt }: Delivery,
  post: (name: string, label: string, fields: Record<string, string>) => Html,
): Html {
  const hasEnded = state === 'delivered' || state === 'failed';
  return html`<li class="line"><div class="what"><code>${eventType}</code>
    <span class="muted small">${day(createdAt)}, ${STATES[state]}${attempts > 1 && html` (${attempts} attempts)`}${error ? html`: ${error}` : status !== null && html` (${status})`}</span></div>
    ${hasEnded && post('webhooks/resend', 'Send again', { id })}</li>`;
}
