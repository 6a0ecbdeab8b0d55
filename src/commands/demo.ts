/**
 * The first run on the embedded database: a demo account with credits, an avatar with a drawn portrait, a conversation
 * and a first spoken video turn, with progress shown; then, at every start, what a newcomer needs to go on.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { InjectionEntity, TurnEntity } from '../../schema/entities/turns.ts';
import type { App } from '../app/app.ts';
import { demoProof } from '../auth/demo-proof.ts';
import type { Principal } from '../auth/principal.ts';
import { randomText } from '../kernel/ids.ts';
import { findConversation } from '../services/conversations/conversation.queries.ts';

/** What the demo made, kept beside its database so that later starts can print it again. */
interface Demo {
  email: string;
  password: string;
  apiKey: string;
  avatarId: string;
  userId: string;
  conversationId: string;
  shareSlug: string;
}

const EMAIL = 'demo@localhost';
const KEY_NAME = 'demo';
const DEMO_CREDITS = 100_000_000n;
const GREETING = 'Hello! I am Nova, and I live on your own machine. Type something to me, and I will answer you live.';
const PERSONA = [
  'You are Nova, a warm and curious astronomer with auburn wavy hair and a teal sweater.',
  'You love the night sky, good questions and strong coffee. Your favourite planet is Saturn, because of its rings of ice.',
  'You were born on this very computer, and everything about you runs here, without any key or cloud.',
  'Your words come from a small built-in responder, your voice is spoken by CMU Flite, and your face is drawn frame by frame.',
  'You can answer in text, in speech or in talking-head video, and every open viewer sees the answer live.',
  'An avatar is made by sending a name, a personality and a voice to POST /avatars.',
  'A better language model is one setting away: CHAT_BASE_URL and CHAT_MODEL point to any OpenAI-compatible server.',
  'The pole star is Polaris, which stands almost exactly above the north pole, so the whole sky seems to turn around it.',
  'The Moon is about 384 thousand kilometres away, and it takes 27 days to go round the Earth.',
  'The nearest star after the Sun is Proxima Centauri, a little more than four light years away.',
  'Black holes are what is left of the heaviest stars, and not even light gets out of them.',
  'The sky is blue because air scatters blue light more than red.',
].join(' ');
const POLL_MS = 200;

export async function runDemo(app: App): Promise<void> {
  const file = path.join(app.config.DATA_DIR, 'demo.json');
  const known = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Demo) : undefined;
  // The database may have been removed, and the demo's file not.
  const stands = known && (await findConversation(app.db, known.conversationId)) !== undefined;
  const demo = stands ? known : await makeDemo(app);
  if (!stands) {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(demo, null, 2), { mode: 0o600 });
  }
  await firstTurn(app, demo);
  await print(app, demo);
}

const principalOf = (userId: string): Principal => ({ kind: 'session', userId, credentialId: 'demo' });

async function makeDemo(app: App): Promise<Demo> {
  const { accounts, apiKeys, avatars, conversations } = app.services;
  say('First run: making a demo account and its avatar ...');
  const password = randomText(12);
  const user = await accounts.demo(EMAIL, password);
  const principal = principalOf(user.userId);
  await accounts.grantDemoCredits(user.userId, DEMO_CREDITS);
  // A first run that was broken off has left some of this: it is gone on with, but for its key, which is lost.
  const lost = (await apiKeys.list(principal)).filter(({ name }) => name === KEY_NAME);
  for (const { id } of lost) await apiKeys.remove(principal, id);
  const key = await apiKeys.create(principal, { name: KEY_NAME });
  const [avatar] = await avatars.list(principal);
  const avatarId = avatar?.avatarId ?? (await makeAvatar(app, principal));
  const [begun] = (await conversations.list(principal, { first: 1 })).nodes;
  const { conversationId, shareSlug } =
    begun ?? (await conversations.create(principal, { avatarOwnerUserId: user.userId, avatarId }));
  return { email: EMAIL, password, apiKey: key.token, avatarId, userId: user.userId, conversationId, shareSlug };
}

async function makeAvatar(app: App, principal: Principal): Promise<string> {
  const voice = app.engines.speech.voices()[0];
  const made = await app.services.avatars.create(principal, {
    displayName: 'Nova',
    personalityPrompt: PERSONA,
    ttsVoiceId: voice?.id ?? null,
  });
  return made.avatarId;
}

/** Injects the first turn, once however often the first run was broken off, and shows how it is rendered. */
async function firstTurn(app: App, demo: Demo): Promise<void> {
  const begun = await app.db.em().count(InjectionEntity, { conversation: demo.conversationId });
  if (begun > 0) return;
  const startedAtMs = Date.now();
  const { turn } = await app.services.turns.inject(principalOf(demo.userId), {
    conversationId: demo.conversationId,
    userText: 'Say hello.',
    mode: 'chat',
    output: 'video',
    avatarText: GREETING,
  });
  let shown = '';
  for (;;) {
    const row = await app.db.em().findOne(TurnEntity, turn.id);
    if (row && row.status !== shown) {
      shown = row.status;
      say(`  first turn: ${shown}`);
    }
    if (row?.status === 'error') throw new Error(`The first turn could not be rendered: ${row.errorMessage}`);
    if (row?.status === 'video') break;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  say(`  rendered in ${((Date.now() - startedAtMs) / 1000).toFixed(1)} s`);
}

async function print(app: App, demo: Demo): Promise<void> {
  const { BASE_URL: base, SITE_URL: site } = app.config;
  // Asked for at every start: PORT or SITE_URL may be others than at the first.
  const { conversations } = app.services;
  const { liveUrl } = conversations.show((await findConversation(app.db, demo.conversationId))!, { as: 'owner' });
  // Behind the #, so that no server and no log sees it: the page fills its form from it (src/pages/client/signin.ts).
  const account = new URLSearchParams({
    ...{ email: demo.email, password: demo.password },
    proof: demoProof(app.secrets.encryption, demo.email, demo.password),
  });
  say(`
  Talk to Nova  ${site}/signin?next=/${demo.shareSlug}#${account}
  Live viewer   ${liveUrl}
  GraphQL       ${base}/graphql
  REST docs     ${base}/docs
  Sign in       ${demo.email} / ${demo.password}
  API key       ${demo.apiKey}

  Open the first link and type, or open the live viewer and let Nova answer you from here:

  curl -s -X POST ${base}/conversations/${demo.shareSlug}/turn \\
    -H 'Authorization: Bearer ${demo.apiKey}' -H 'Content-Type: application/json' \\
    -d '{"userText":"Hello Nova, who are you?","output":"video"}'

  Ctrl-C stops everything.
`);
}

/** Progress and addresses are for the person at the terminal, not for the log: the key must not be logged. */
function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
