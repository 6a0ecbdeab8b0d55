/** A platform of its own for `npm run clients`: a folder, a free port, a user with an API key and an avatar that answers. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { buildIfStale } from './build.mjs';
import { platformCommand } from './tools.mjs';

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return String(port);
}

/** What the programs are given, as environment variables, and how to end it all. */
export async function startPlatform() {
  await buildIfStale();
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'avatar-clients-'));
  const port = await freePort();
  const { command, args, env } = platformCommand();
  const own = { PORT: port, HOST: '127.0.0.1', DATA_DIR: dataDir, RATE_LIMITS: 'off', LOG_LEVEL: 'fatal' };
  const child = spawn(command, args, { env: { ...env, ...own }, stdio: ['ignore', 'pipe', 'inherit'] });
  const stop = async () => {
    if (child.exitCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    await new Promise((resolve, reject) => {
      child.stdout.on('data', (data) => String(data).includes('Ctrl-C') && resolve());
      child.once('exit', (code) => reject(new Error(`the platform ended with ${code}.`)));
    });
    const url = `http://127.0.0.1:${port}`;
    return { env: { AVATARS_URL: url, ...(await somebody(url)) }, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Signs up a user, with a key and a conversation. */
async function somebody(url) {
  const call = async (where, body, token) => {
    const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) };
    const answer = await fetch(url + where, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${where}: ${await answer.text()}`);
    return answer.json();
  };
  const query =
    'mutation { signUp(input: { email: "ada@example.com", password: "correct horse", displayName: "Ada" }) { idToken user { id } } }';
  const { idToken, user } = (await call('/graphql', { query })).data.signUp;
  const { token } = await call('/api-keys', { name: 'clients' }, idToken);
  const { avatar } = await call('/avatars', { displayName: 'Nova' }, token);
  const { avatarId, avatarOwnerUserId } = avatar;
  const { conversationId, shareSlug } = await call('/conversations', { avatarId, avatarOwnerUserId }, token);
  const ids = { USER_ID: user.id, AVATAR_ID: avatarId, CONVERSATION_ID: conversationId, SLUG: shareSlug };
  return { AVATARS_KEY: token, ...ids };
}
