/** For developers: keys, apps of their own, and requests to copy with their own ids in them. */
import type { FastifyInstance } from 'fastify';
import { DAY_MS } from '../../kernel/clock.ts';
import { html } from '../html.ts';
import {
  DELETE_APP,
  DEVELOPERS,
  NEW_KEY,
  NEW_SECRET,
  REGISTER_APP,
  REVOKE_KEY,
  SERVICE_AVATAR,
} from '../operations.ts';
import type { PagesSite } from '../site.ts';
import { mountForm, mountPage, text, type Visit, type VisitHandler } from '../visit.ts';
import { appsSection, examplesSection, keysSection } from './developers-sections.ts';
import { flashNotice } from './parts.ts';

const PATH = '/studio/developers';

const FORMS: Readonly<Record<string, VisitHandler>> = {
  async keys(visit) {
    const { fields, site } = visit;
    const [name, days] = [text(fields, 'name'), text(fields, 'days')];
    const scopes = [fields.scopes ?? []].flat().map(String);
    const { data, message } = await visit.ask(NEW_KEY, {
      name,
      ...(/^\d{1,4}$/.test(days) ? { expiresAt: site.clock.now() + Number(days) * DAY_MS } : {}),
      ...(scopes.length > 0 ? { scopes } : {}),
    });
    if (!data) return show(visit, { at: 'keys', message: message.replace(/^name /, 'The name ') });
    const { name: of, token: value } = data.createApiKey;
    return visit.goTo(`${PATH}#keys`, { at: 'keys', secret: { of, value } });
  },
  async 'keys/revoke'(visit) {
    const { data, message } = await visit.ask(REVOKE_KEY, { id: text(visit.fields, 'id') });
    return visit.goTo(`${PATH}#keys`, {
      at: 'keys',
      ...(data ? { done: 'The key is revoked.' } : { problem: message }),
    });
  },
  async apps(visit) {
    const { fields } = visit;
    const redirectDomains = text(fields, 'domains')
      .split(/[\s,]+/)
      .filter(Boolean);
    const scopes = [fields.scopes ?? []].flat().map(String);
    const { data, message } = await visit.ask(REGISTER_APP, {
      name: text(fields, 'name'),
      redirectDomains,
      ...(scopes.length > 0 ? { scopes } : {}),
    });
    if (!data) return show(visit, { at: 'apps', message: inWords(message) });
    const { name, clientSecret } = data.registerOAuthClient;
    return visit.goTo(`${PATH}#apps`, { at: 'apps', secret: { of: name, value: clientSecret } });
  },
  /** The one before verifies for a while, so that the app can be told the new one in peace. */
  async 'apps/secret'(visit) {
    const { data, message } = await visit.ask(NEW_SECRET, { clientId: text(visit.fields, 'clientId') });
    if (!data) return visit.goTo(`${PATH}#apps`, { at: 'apps', problem: message });
    const { clientId, clientSecret } = data.rotateClientSecret;
    return visit.goTo(`${PATH}#apps`, { at: 'apps', secret: { of: clientId, value: clientSecret } });
  },
  async 'apps/avatar'(visit) {
    const [clientId, avatarId] = [text(visit.fields, 'clientId'), text(visit.fields, 'avatarId')];
    const { data, message } = await visit.ask(SERVICE_AVATAR, { clientId, serviceAvatarId: avatarId || null });
    return visit.goTo(`${PATH}#apps`, { at: 'apps', ...(data ? { done: 'Saved.' } : { problem: message }) });
  },
  async 'apps/delete'(visit) {
    const { data, message } = await visit.ask(DELETE_APP, { clientId: text(visit.fields, 'clientId') });
    return visit.goTo(`${PATH}#apps`, {
      at: 'apps',
      ...(data ? { done: 'The app is deleted.' } : { problem: message }),
    });
  },
};

export function mountDevelopers(fastify: FastifyInstance, site: PagesSite): void {
  mountPage(fastify, site, PATH, (visit) => show(visit));
  for (const [name, run] of Object.entries(FORMS)) mountForm(fastify, site, `${PATH}/${name}`, run);
}

/** The services name a field as the API does. */
const inWords = (message: string): string =>
  message.replace(/^name /, 'The name ').replace(/^redirectDomains /, 'The list of hosts ');

async function show(visit: Visit, problem?: { at: string; message: string }) {
  const data = await visit.need(DEVELOPERS, {});
  const { sitePath } = visit.site;
  const view = { visit, data, flash: problem ? { at: problem.at, problem: problem.message } : visit.flash };
  return visit.show('Developers', {
    title: 'Developers',
    styles: ['studio.css'],
    status: problem ? 400 : 200,
    body: html`<main class="studio">
  <header class="studio-head"><h1>Developers</h1><p class="row"><a class="button" href="${sitePath}/docs">REST API</a><a class="button" href="${sitePath}/graphql">GraphQL</a></p></header>
  ${view.flash.at === undefined && flashNotice(view.flash)}
  ${keysSection(view)}
  ${appsSection(view)}
  ${examplesSection(view)}
</main>`,
  });
}
