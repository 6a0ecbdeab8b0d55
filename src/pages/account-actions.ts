/**
 * What the forms of the account page do: each checks that the form is this session's own, executes one operation and
 * shows the page again. Answers that hold no secret are redirects, so that a reload repeats nothing.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { allGrants } from './account-grants.ts';
import { sendLedger } from './account-ledger.ts';
import { showAccount, toSignIn } from './account-page.ts';
import { mountSignUp } from './account-signup.ts';
import type { ActionResult } from './account-view.ts';
import { setFlash } from './flash.ts';
import {
  CHANGE_EMAIL,
  CHANGE_PASSWORD,
  DELETE_ACCOUNT,
  DELETE_VOICE,
  EXPORT_ACCOUNT,
  NEW_VOICE,
  RENAME,
  REVOKE_GRANT,
  SAMPLE,
  SIGN_OUT_EVERYWHERE,
  USE_VOICE,
} from './operations.ts';
import { voiceDeleted } from './own-voices.ts';
import type { PageContext } from './page-context.ts';
import { pageSession } from './session.ts';

const STALE = 'This form was open for too long. Please try again.';

interface Act {
  site: PageContext;
  request: FastifyRequest;
  idToken: string;
  fields: Record<string, unknown>;
}

/** What is shown on the page; nothing: the browser is sent back to it. */
type Action = (act: Act) => Promise<ActionResult | undefined>;

const ACTIONS: Readonly<Record<string, { at: string; run: Action }>> = {
  name: { at: 'settings', run: rename },
  email: { at: 'settings', run: changeEmail },
  password: { at: 'settings', run: changePassword },
  'sign-out-everywhere': { at: 'settings', run: signOutEverywhere },
  export: { at: 'settings', run: exportAccount },
  delete: { at: 'settings', run: deleteAccount },
  'apps/revoke': { at: 'apps', run: disconnect },
  voices: { at: 'voices', run: createVoice },
  'voices/listen': { at: 'voices', run: listen },
  'voices/delete': { at: 'voices', run: deleteVoice },
};

export function mountAccount(fastify: FastifyInstance, site: PageContext): void {
  mountSignUp(fastify, site);
  fastify.get('/account', (request, reply) => showAccount(site, request, reply));
  fastify.get('/account/ledger.csv', (request, reply) => sendLedger(site, request, reply));
  fastify.get('/account/voices/sample', (request, reply) => sendSample(site, request, reply));
  for (const [name, { at, run }] of Object.entries(ACTIONS)) {
    fastify.get(`/account/${name}`, (_request, reply) => reply.redirect(`${site.sitePath}/account#${at}`, 303));
    fastify.post(`/account/${name}`, async (request, reply): Promise<FastifyReply> => {
      const session = pageSession(request);
      if (!session) return toSignIn(site, reply);
      const fields = (request.body ?? {}) as Record<string, unknown>;
      if (fields.csrf !== session.csrf) return showAccount(site, request, reply, { at, problem: STALE, status: 403 });
      const happened = await run({ site, request, idToken: session.idToken, fields });
      if (happened?.done) setFlash(reply, site.siteUrl, { at, done: happened.done });
      if (!happened || happened.done) return reply.redirect(`${site.sitePath}/account#${at}`, 303);
      return showAccount(site, request, reply, { at, ...happened });
    });
  }
}

async function disconnect({ site, request, idToken, fields }: Act): Promise<undefined> {
  for (const { tokenId, clientId } of await allGrants(site, request, idToken)) {
    // One that is gone already is what was wanted.
    if (clientId === fields.clientId) await site.ask(request, REVOKE_GRANT, { tokenId }, idToken);
  }
}

const FIELD_WORDS: Readonly<Record<string, string>> = {
  displayName: 'The name',
  newPassword: 'The new password',
  email: 'This e-mail address',
};

const wrong = (message: string): ActionResult => ({
  problem: message.replace(/^(displayName|newPassword|email) /, (_, field: string) => `${FIELD_WORDS[field]} `),
  status: 400,
});

async function rename({ site, request, idToken, fields }: Act): Promise<ActionResult> {
  const displayName = String(fields.displayName ?? '');
  const { data, message } = await site.ask(request, RENAME, { displayName }, idToken);
  return data ? { done: 'Saved.' } : wrong(message);
}

async function changePassword({ site, request, idToken, fields }: Act): Promise<ActionResult> {
  const given = {
    currentPassword: String(fields.currentPassword ?? ''),
    newPassword: String(fields.newPassword ?? ''),
  };
  const { data, message } = await site.ask(request, CHANGE_PASSWORD, given, idToken);
  return data ? { done: 'The password is changed.' } : wrong(message);
}

async function changeEmail({ site, request, idToken, fields }: Act): Promise<ActionResult> {
  const given = { email: String(fields.email ?? ''), password: String(fields.password ?? '') };
  const { data, message } = await site.ask(request, CHANGE_EMAIL, given, idToken);
  if (!data) return wrong(message);
  const done = data.changeEmail
    ? 'The e-mail address is changed.'
    : 'We sent a link to the new address: follow it within 24 hours.';
  return { done };
}

/** The page behind it asks to sign in. */
async function signOutEverywhere({ site, request, idToken }: Act): Promise<ActionResult | undefined> {
  const { data, message } = await site.ask(request, SIGN_OUT_EVERYWHERE, {}, idToken);
  return data ? { done: 'You are signed out everywhere.' } : wrong(message);
}

/** The page shows how far it is. */
async function exportAccount({ site, request, idToken }: Act): Promise<ActionResult | undefined> {
  const { data, message } = await site.ask(request, EXPORT_ACCOUNT, {}, idToken);
  return data ? undefined : wrong(message);
}

async function deleteAccount({ site, request, idToken, fields }: Act): Promise<ActionResult | undefined> {
  const { data, message } = await site.ask(
    request,
    DELETE_ACCOUNT,
    { password: String(fields.password ?? '') },
    idToken,
  );
  return data ? { done: 'Your account is deleted.' } : wrong(message);
}

async function createVoice({ site, request, idToken, fields }: Act): Promise<ActionResult> {
  const given = voiceFields(fields);
  const { name, avatarId } = given;
  const input = { name, avatarId, ...bent(given) };
  const { data, message } = await site.ask(request, NEW_VOICE, { input }, idToken);
  if (!data) return { problem: inWords(message), given, status: 400 };
  const { id: voiceId } = data.createCustomVoice;
  if (given.use) await site.ask(request, USE_VOICE, { avatarId, voiceId }, idToken);
  return { done: `${data.createCustomVoice.name} is made${given.use ? ', and the avatar speaks with it' : ''}.` };
}

async function deleteVoice({ site, request, idToken, fields }: Act): Promise<ActionResult> {
  const { data, message } = await site.ask(request, DELETE_VOICE, { voiceId: String(fields.voiceId ?? '') }, idToken);
  return data ? { done: voiceDeleted(data) } : { problem: message, status: 400 };
}

/** Without scripts, listening shows the page again with the sample playing; the form keeps what it held. */
async function listen({ site, fields }: Act): Promise<ActionResult> {
  const given = voiceFields(fields);
  const { baseVoiceId, pitch, rate } = bent(given);
  const query = new URLSearchParams({ baseVoiceId, pitch: String(pitch), rate: String(rate) });
  return { given, sample: `${site.sitePath}/account/voices/sample?${query}` };
}

async function sendSample(site: PageContext, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const asked = bent(voiceFields(request.query as Record<string, unknown>));
  const { data, code } = await site.ask(request, SAMPLE, asked, pageSession(request)?.idToken);
  void reply.removeHeader('access-control-allow-origin').header('cache-control', 'private, max-age=600');
  if (!data) return reply.code(code === 'UNAUTHENTICATED' ? 401 : code === 'RATE_LIMITED' ? 429 : 400).send();
  return reply.type('audio/wav').send(Buffer.from(data.voiceSample, 'base64'));
}

const VOICE_FIELDS = ['name', 'avatarId', 'baseVoiceId', 'pitch', 'rate', 'use'] as const;

function voiceFields(fields: Record<string, unknown>): Record<(typeof VOICE_FIELDS)[number], string> {
  const texts = VOICE_FIELDS.map((field) => [field, String(fields[field] ?? '')]);
  return Object.fromEntries(texts) as Record<(typeof VOICE_FIELDS)[number], string>;
}

const bent = ({ baseVoiceId, pitch, rate }: ReturnType<typeof voiceFields>) => ({
  baseVoiceId,
  pitch: Number(pitch || 0),
  rate: Number(rate || 1),
});

/** The services name a field as the API does; a form has one name. */
const inWords = (message: string): string => message.replace(/^name /, 'The name ');
