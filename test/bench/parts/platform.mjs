/**
 * The web process of an instance, as `npm start` runs it but without limits of rate and with quiet logs; with `work` it
 * is the worker process beside it. `seed` makes an account, an avatar and a conversation through the services.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { openApp } from '../../../dist/src/app/app.js';
import { startWorker } from '../../../dist/src/app/worker.js';
import { startServer } from '../../../dist/src/http/server.js';
import { readConfig } from '../../../dist/src/kernel/config.js';
import { freePort } from '../../support/machine.ts';
import { servePart } from '../support/parts.mjs';

const QUESTION = 'What did you see when you looked up at the sky above the harbour last night, and did it rain?';
const ANSWER =
  'I saw the whole of Orion over the cranes, and a thin moon that went down behind the lighthouse. ' +
  'It rained at four, but by then I had counted eleven meteors and written every one of them down.';

servePart(async ({ databaseUrl, port, env = {}, work = false, dataDir }) => {
  const folder = dataDir ?? (await mkdtemp(path.join(os.tmpdir(), 'avatar-bench-media-')));
  const listenOn = port ?? (await freePort());
  const config = readConfig({
    PORT: String(listenOn),
    HOST: '127.0.0.1',
    DATA_DIR: folder,
    // Parts of one database have folders of their own, and the same keys.
    SECRETS_KEY: 'parts of one bench share this key',
    LOG_LEVEL: 'warn',
    RATE_LIMITS: 'off',
    ENGINES: 'noop',
    ...env,
  });
  const app = await openApp({ config, databaseUrl, work, listens: !work });
  if (work && config.ENGINES === 'real') await app.engines.codec.selfTest();
  const worker = work ? await startWorker(app) : undefined;
  const server = work ? undefined : await startServer(app);
  return {
    facts: { port: listenOn, dataDir: folder },
    seed: (wanted) => seed(app, wanted),
    talk: (wanted) => talk(app, wanted),
    viewers: () => app.services.live.feeds.stats.viewers,
    bump: (conversationId) => bump(app, conversationId),
    async close() {
      await server?.close();
      await worker?.stop();
      await app.close();
      if (!dataDir) await rm(folder, { recursive: true, force: true });
    },
  };
});

/**
 * A public conversation of a new account, and more of them, private, where `conversations` says so; `turns` rows of the
 * first as video, which the worker beside this process must render. `memoryAt` is an external memory of its avatar.
 */
async function seed(app, { turns = 0, name = 'bench', conversations: count = 1, memoryAt }) {
  const { accounts, apiKeys, avatars, brain, conversations } = app.services;
  const email = `${name}@example.com`;
  const { user } = await accounts.signUp({ email, password: 'correct horse', displayName: 'Ada' });
  const principal = { kind: 'session', userId: user.userId, credentialId: 'bench' };
  await accounts.grantDemoCredits(user.userId, 1_000_000_000n);
  const { token } = await apiKeys.create(principal, { name: 'bench' });
  const { avatar } = await avatars.create(principal, {
    displayName: 'Nova',
    personalityPrompt: 'You are Nova, a calm keeper of a harbour observatory with short grey hair and a navy coat.',
    ttsVoiceId: app.engines.speech.voices()[0].id,
  });
  const made = await conversations.create(principal, {
    avatarOwnerUserId: user.userId,
    avatarId: avatar.avatarId,
  });
  await conversations.setVisibility(principal, made.conversationId, true);
  for (let row = 0; row < turns; row += 2) {
    await app.services.turns.inject(principal, {
      conversationId: made.conversationId,
      userText: QUESTION,
      mode: 'chat',
      output: 'video',
      avatarText: ANSWER,
    });
  }
  await settled(app, made.conversationId);
  if (memoryAt) await brain.select(principal, avatar.avatarId, 'mem0', { baseUrl: memoryAt, apiKey: null });
  const conversationIds = [made.conversationId];
  while (conversationIds.length < count) {
    const more = await conversations.create(principal, { avatarOwnerUserId: user.userId, avatarId: avatar.avatarId });
    conversationIds.push(more.conversationId);
  }
  const { conversationId, shareSlug } = made;
  return { conversationId, conversationIds, shareSlug, userId: user.userId, token };
}

/** One more public conversation of the account, with its first avatar. */
async function talk(app, { userId }) {
  const principal = { kind: 'session', userId, credentialId: 'bench' };
  const [{ avatarId }] = await app.db.rows(
    'select id as "avatarId" from avatar where owner_user_id = $1 order by id desc limit 1',
    [userId],
  );
  const made = await app.services.conversations.create(principal, { avatarOwnerUserId: userId, avatarId });
  await app.services.conversations.setVisibility(principal, made.conversationId, true);
  return { avatarId, conversationId: made.conversationId, shareSlug: made.shareSlug };
}

async function settled(app, conversationId) {
  for (;;) {
    const [{ left }] = await app.db.rows(
      `select count(*)::int as left from conversation_turn where conversation_id = $1 and status not in ('ready', 'video')`,
      [conversationId],
    );
    if (left === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** One event: the newest turn changes, and the notification of it leaves as after any commit. */
async function bump(app, conversationId) {
  const [{ version }] = await app.db.rows(
    `with bumped as (update conversation set version = version + 1 where id = $1 returning version),
       stamped as (update conversation_turn set version = bumped.version from bumped
         where id = (select id from conversation_turn where conversation_id = $1 order by number desc, chunk desc limit 1))
     select version from bumped`,
    [conversationId],
  );
  app.notifier.emit('turn', `${conversationId} ${version}`);
}
