/**
 * What the forms of the account page do: each checks that the form is this session's own, executes one operation and
 * shows the page again. Answers that hold no secret are redirects, so that a reload repeats nothing.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  NEW_KEY,
  NEW_VOICE,
  type NewKeyData,
  type NewVoiceData,
  REVOKE_GRANT,
  REVOKE_KEY,
  USE_VOICE,
} from './account-operations.ts';
import { type Happened, showAccount, toSignIn } from './account-page.ts';
import { mountSignUp } from './account-signup.ts';
import { pageSession } from './session.ts';
import type { PagesSite } from './site.ts';

const STALE = 'This form was open for too long. Please try again.';

interface Act {
  site: PagesSite;
  request: FastifyRequest;
  idToken: string;
  fields: Record<string, unknown>;
}

/** What is shown on the page; nothing: the browser is sent back to it. */
type Action = (act: Act) => Promise<Happened | undefined>;

const ACTIONS: Readonly<Record<string, { at: NonNullable<Happened['at']>; run: Action }>> = {
  keys: { at: 'keys', run: createKey },
  'keys/revoke': { at: 'keys', run: revokeKey },
  'apps/revoke': { at: 'apps', run: disconnect },
  voices: { at: 'voices', run: createVoice },
};

export function mountAccount(fastify: FastifyInstance, site: PagesSite): void {
  mountSignUp(fastify, site);
  fastify.get('/account', (request, reply) => showAccount(site, request, reply));
  for (const [name, { at, run }] of Object.entries(ACTIONS)) {
    fastify.get(`/account/${name}`, (_request, reply) => reply.redirect(`${site.sitePath}/account#${at}`, 303));
    fastify.post(`/account/${name}`, async (request, reply): Promise<FastifyReply> => {
      const session = pageSession(request);
      if (!session) return toSignIn(site, reply);
      const fields = (request.body ?? {}) as Record<string, unknown>;
      if (fields.csrf !== session.csrf) return showAccount(site, request, reply, { at, problem: STALE, status: 403 });
      const happened = await run({ site, request, idToken: session.idToken, fields });
      if (!happened) return reply.redirect(`${site.sitePath}/account#${at}`, 303);
      return showAccount(site, request, reply, { at, ...happened });
    });
  }
}

async function createKey({ site, request, idToken, fields }: Act): Promise<Happened> {
  const name = String(fields.name ?? '');
  const { data, message } = await site.ask<NewKeyData>(request, NEW_KEY, { name }, idToken);
  return data ? { newKey: data.createApiKey } : { problem: inWords(message), given: { name }, status: 400 };
}

async function revokeKey({ site, request, idToken, fields }: Act): Promise<Happened | undefined> {
  const { data, message } = await site.ask(request, REVOKE_KEY, { id: String(fields.id ?? '') }, idToken);
  return data ? undefined : { problem: message, status: 404 };
}

async function disconnect({ site, request, idToken, fields }: Act): Promise<undefined> {
  // One that is gone already is what was wanted.
  for (const tokenId of [fields.tokenId].flat()) {
    await site.ask(request, REVOKE_GRANT, { tokenId: String(tokenId ?? '') }, idToken);
  }
}

async function createVoice({ site, request, idToken, fields }: Act): Promise<Happened> {
  const names = ['name', 'avatarId', 'baseVoiceId', 'pitch', 'rate', 'use'];
  const given = Object.fromEntries(names.map((field) => [field, String(fields[field] ?? '')]));
  const { name, avatarId, baseVoiceId } = given;
  const [pitch, rate] = [Number(given.pitch || 0), Number(given.rate || 1)];
  const input = { name, avatarId, baseVoiceId, pitch, rate };
  const { data, message } = await site.ask<NewVoiceData>(request, NEW_VOICE, { input }, idToken);
  if (!data) return { problem: inWords(message), given, status: 400 };
  const { id: voiceId } = data.createCustomVoice;
  if (given.use) await site.ask(request, USE_VOICE, { avatarId, voiceId }, idToken);
  return { done: `${data.createCustomVoice.name} is made${given.use ? ', and the avatar speaks with it' : ''}.` };
}

/** The services name a field as the API does; a form has one name. */
const inWords = (message: string): string => message.replace(/^name /, 'The name ');
