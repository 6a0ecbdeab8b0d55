/** For developers: keys, apps of their own, and requests to copy with their own ids in them. */
import type { FastifyInstance } from 'fastify';
import { DAY_MS } from '../../kernel/clock.ts';
import type { Flash } from '../flash.ts';
import { html } from '../html.ts';
import {
  DELETE_APP,
  DELETE_WEBHOOK,
  DEVELOPERS,
  NEW_KEY,
  NEW_SECRET,
  NEW_WEBHOOK,
  NEW_WEBHOOK_SECRET,
  REGISTER_APP,
  RESEND_WEBHOOK,
  REVOKE_KEY,
  SERVICE_AVATAR,
  SET_WEBHOOK_ENABLED,
  TEST_WEBHOOK,
  UPDATE_APP,
} from '../operations.ts';
import type { PageContext } from '../page-context.ts';
import { mountForm, mountPage, type PageRequest, type PageRequestHandler, text } from '../page-request.ts';
import { examplesSection } from './developers-examples.ts';
import { appsSection, keysSection } from './developers-sections.ts';
import { webhooksSection } from './developers-webhooks.ts';
import { flashNotice } from './parts.ts';

const PATH = '/studio/developers';

const FORMS: Readonly<Record<string, PageRequestHandler>> = {
  async keys(pageRequest) {
    const { fields, site } = pageRequest;
    const [name, days] = [text(fields, 'name'), text(fields, 'days')];
    const scopes = [fields.scopes ?? []].flat().map(String);
    const { data, message } = await pageRequest.ask(NEW_KEY, {
      name,
      ...(/^\d{1,4}$/.test(days) ? { expiresAt: site.clock.now() + Number(days) * DAY_MS } : {}),
      ...(scopes.length > 0 ? { scopes } : {}),
    });
    if (!data) return show(pageRequest, { at: 'keys', message: message.replace(/^name /, 'The name ') });
    const { name: of, token: value } = data.createApiKey;
    return pageRequest.goTo(`${PATH}#keys`, { at: 'keys', secret: { of, value } });
  },
  async 'keys/revoke'(pageRequest) {
    const { data, message } = await pageRequest.ask(REVOKE_KEY, { id: text(pageRequest.fields, 'id') });
    return pageRequest.goTo(`${PATH}#keys`, {
      at: 'keys',
      ...(data ? { done: 'The key is revoked.' } : { problem: message }),
    });
  },
  async apps(pageRequest) {
    const { fields } = pageRequest;
    const redirectDomains = hosts(fields);
    const scopes = [fields.scopes ?? []].flat().map(String);
    const { data, message } = await pageRequest.ask(REGISTER_APP, {
      name: text(fields, 'name'),
      redirectDomains,
      ...(scopes.length > 0 ? { scopes } : {}),
    });
    if (!data) return show(pageRequest, { at: 'apps', message: inWords(message) });
    const { name, clientSecret } = data.registerOAuthClient;
    return pageRequest.goTo(`${PATH}#apps`, { at: 'apps', secret: { of: name, value: clientSecret } });
  },
  /** The one before verifies for a while, so that there is time to give the app the new one. */
  async 'apps/secret'(pageRequest) {
    const { data, message } = await pageRequest.ask(NEW_SECRET, { clientId: text(pageRequest.fields, 'clientId') });
    if (!data) return pageRequest.goTo(`${PATH}#apps`, { at: 'apps', problem: message });
    const { clientId, clientSecret } = data.rotateClientSecret;
    return pageRequest.goTo(`${PATH}#apps`, { at: 'apps', secret: { of: clientId, value: clientSecret } });
  },
  async 'apps/avatar'(pageRequest) {
    const [clientId, avatarId] = [text(pageRequest.fields, 'clientId'), text(pageRequest.fields, 'avatarId')];
    const { data, message } = await pageRequest.ask(SERVICE_AVATAR, { clientId, serviceAvatarId: avatarId || null });
    return pageRequest.goTo(`${PATH}#apps`, { at: 'apps', ...(data ? { done: 'Saved.' } : { problem: message }) });
  },
  async 'apps/change'(pageRequest) {
    const { fields } = pageRequest;
    const input = { clientId: text(fields, 'clientId'), name: text(fields, 'name'), redirectDomains: hosts(fields) };
    const { data, message } = await pageRequest.ask(UPDATE_APP, { input });
    return pageRequest.goTo(`${PATH}#apps`, {
      at: 'apps',
      ...(data ? { done: 'Saved.' } : { problem: inWords(message) }),
    });
  },
  async 'apps/delete'(pageRequest) {
    const { data, message } = await pageRequest.ask(DELETE_APP, { clientId: text(pageRequest.fields, 'clientId') });
    return pageRequest.goTo(`${PATH}#apps`, {
      at: 'apps',
      ...(data ? { done: 'The app is deleted.' } : { problem: message }),
    });
  },
  async webhooks(pageRequest) {
    const { fields } = pageRequest;
    const events = [fields.events ?? []].flat().map(String);
    const clientId = text(fields, 'clientId');
    const asked = { url: text(fields, 'url'), events, ...(clientId ? { clientId } : {}) };
    const { data, message } = await pageRequest.ask(NEW_WEBHOOK, asked);
    if (!data) return show(pageRequest, { at: 'webhooks', message: inWords(message) });
    const { endpoint, secret } = data.createWebhookEndpoint;
    return pageRequest.goTo(`${PATH}#webhooks`, { at: 'webhooks', secret: { of: endpoint.url, value: secret } });
  },
  async 'webhooks/secret'(pageRequest) {
    const { data, message } = await pageRequest.ask(NEW_WEBHOOK_SECRET, { id: text(pageRequest.fields, 'id') });
    if (!data) return pageRequest.goTo(`${PATH}#webhooks`, { at: 'webhooks', problem: message });
    const { endpoint, secret } = data.rotateWebhookSecret;
    return pageRequest.goTo(`${PATH}#webhooks`, { at: 'webhooks', secret: { of: endpoint.url, value: secret } });
  },
  async 'webhooks/enabled'(pageRequest) {
    const isEnabled = text(pageRequest.fields, 'isEnabled') === 'true';
    const { data, message } = await pageRequest.ask(SET_WEBHOOK_ENABLED, {
      id: text(pageRequest.fields, 'id'),
      isEnabled,
    });
    return pageRequest.goTo(`${PATH}#webhooks`, webhookFlash(data, 'Saved.', message));
  },
  async 'webhooks/test'(pageRequest) {
    const { data, message } = await pageRequest.ask(TEST_WEBHOOK, { id: text(pageRequest.fields, 'id') });
    return pageRequest.goTo(
      `${PATH}#webhooks`,
      webhookFlash(data, 'A test is on its way: reload to see how it went.', message),
    );
  },
  async 'webhooks/resend'(pageRequest) {
    const { data, message } = await pageRequest.ask(RESEND_WEBHOOK, { deliveryId: text(pageRequest.fields, 'id') });
    return pageRequest.goTo(
      `${PATH}#webhooks`,
      webhookFlash(data, 'It is on its way again: reload to see how it went.', message),
    );
  },
  async 'webhooks/delete'(pageRequest) {
    const { data, message } = await pageRequest.ask(DELETE_WEBHOOK, { id: text(pageRequest.fields, 'id') });
    return pageRequest.goTo(`${PATH}#webhooks`, webhookFlash(data, 'The webhook is deleted.', message));
  },
};

export function mountDevelopers(fastify: FastifyInstance, site: PageContext): void {
  mountPage(fastify, site, PATH, (pageRequest) => show(pageRequest));
  for (const [name, run] of Object.entries(FORMS)) mountForm(fastify, site, `${PATH}/${name}`, run);
}

const hosts = (fields: Record<string, unknown>): string[] =>
  text(fields, 'domains')
    .split(/[\s,]+/)
    .filter(Boolean);

const webhookFlash = (data: object | undefined | null, done: string, problem: string): Flash => ({
  at: 'webhooks',
  ...(data ? { done } : { problem }),
});

/** The services name a field as the API does. */
const inWords = (message: string): string =>
  message
    .replace(/^name /, 'The name ')
    .replace(/^redirectDomains /, 'The list of hosts ')
    .replace(/^url /, 'The address ')
    .replace(/^events must not be empty/, 'Choose at least one event');

async function show(pageRequest: PageRequest, problem?: { at: string; message: string }) {
  const data = await pageRequest.need(DEVELOPERS, {});
  const { sitePath } = pageRequest.site;
  const view = { pageRequest, data, flash: problem ? { at: problem.at, problem: problem.message } : pageRequest.flash };
  return pageRequest.show('Developers', {
    title: 'Developers',
    styles: ['studio.css'],
    scripts: ['copying.js'],
    status: problem ? 400 : 200,
    body: html`<main class="studio">
  <header class="studio-head"><h1>Developers</h1><p class="row"><a class="button" href="${sitePath}/docs">REST API</a><a class="button" href="${sitePath}/graphql">GraphQL</a></p></header>
  ${view.flash.at === undefined && flashNotice(view.flash)}
  ${keysSection(view)}
  ${appsSection(view)}
  ${webhooksSection(view)}
  ${examplesSection(view)}
</main>`,
  });
}
