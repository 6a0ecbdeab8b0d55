/**
 * The program as `npm start` runs it, sent sound that panics the native codec and sound that is damaged: web and worker
 * live on, who else is there is answered, and its sender is not charged.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type ImageServer, serveImages } from '../support/image-server.ts';
import { freePort } from '../support/machine.ts';
import { until } from '../support/until.ts';

const OPERATOR = { email: 'operator@example.com', password: 'operator-password' };
const fixture = (name: string) => readFile(new URL(`../fixtures/${name}`, import.meta.url));

interface TestUser {
  apiKey: string;
  session: string;
  userId: string;
}

let folder: string;
let files: ImageServer;
let program: ChildProcess;
let database: TestDatabase;
let url: string;
let output = '';
let workerPid: number;

/** A hole of ones in the middle: headers stay, and what they promise does not come. */
const damaged = (bytes: Buffer) =>
  Buffer.from(bytes).fill(0xff, Math.round(bytes.length * 0.4), Math.round(bytes.length * 0.6));

beforeAll(async () => {
  const [flac, video] = await Promise.all([fixture('plain.flac'), fixture('flac-sound.mp4')]);
  files = await serveImages({
    '/plain.flac': { type: 'audio/flac', body: flac },
    '/damaged.flac': { type: 'audio/flac', body: damaged(flac) },
    '/flac-sound.mp4': { type: 'video/mp4', body: video },
    '/damaged.mp4': { type: 'video/mp4', body: damaged(video) },
  });
  folder = await mkdtemp(path.join(os.tmpdir(), 'avatar-hostile-'));
  // Without a demo, which would be spoken and drawn first.
  database = await createTestDatabase();
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  program = spawn(process.execPath, ['--no-warnings', 'dist/src/main.js'], {
    env: {
      PATH: process.env.PATH,
      HOME: os.tmpdir(),
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      PORT: String(port),
      DATA_DIR: path.join(folder, 'data'),
      DATABASE_URL: database.url,
      FETCH_ALLOW_HOSTS: files.host,
      OPERATOR_EMAILS: OPERATOR.email,
      OPERATOR_PASSWORD: OPERATOR.password,
      SIGNUP_CREDITS: '0',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [program.stdout!, program.stderr!]) stream.on('data', (data) => (output += data));
  await until(async () => /"msg":"ready"/.test(output) || program.exitCode !== null);
  expect(program.exitCode).toBeNull();
  workerPid = Number(/"pid":(\d+),[^\n]*"msg":"worker ready"/.exec(output)?.[1]);
});

afterAll(async () => {
  const ended = new Promise((resolve) => program.once('exit', resolve));
  program.kill('SIGTERM');
  if (program.exitCode === null && program.signalCode === null) await ended;
  await files.close();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

async function post(where: string, body: object, as?: string) {
  const headers = { 'content-type': 'application/json', ...(as ? { authorization: `Bearer ${as}` } : {}) };
  const answer = await fetch(url + where, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: answer.status, body: (await answer.json()) as any };
}
const get = async (where: string, as: string) =>
  (await (await fetch(new URL(where, url), { headers: { authorization: `Bearer ${as}` } })).json()) as any;
const graphql = async (query: string, as?: string) => (await post('/graphql', { query }, as)).body.data;
const signIn = async ({ email, password }: typeof OPERATOR) =>
  (await graphql(`mutation { signIn(email: "${email}", password: "${password}") { idToken } }`)).signIn.idToken;

async function person(name: string, credits = 0): Promise<TestUser> {
  const input = `email: "${name}@example.com", password: "correct horse battery", displayName: "${name}"`;
  const { idToken, user } = (await graphql(`mutation { signUp(${input}) { idToken user { userId } } }`)).signUp;
  const { token } = (await graphql('mutation { createApiKey(name: "test") { token } }', idToken)).createApiKey;
  if (credits > 0) {
    const grant = `mutation { grantCredits(userId: "${user.userId}", amount: ${credits}) { available } }`;
    expect((await graphql(grant, await signIn(OPERATOR))).grantCredits.available).toBeDefined();
  }
  return { apiKey: token, session: idToken, userId: user.userId };
}
const balance = async (who: TestUser) =>
  (await graphql('{ me { balance { available held } } }', who.session)).me.balance;

/** A turn by another user, from its injection to its answer. */
async function answeredTurn(who: TestUser) {
  const { avatar } = (await post('/avatars', { displayName: 'Nova' }, who.apiKey)).body;
  const conversation = { avatarOwnerUserId: who.userId, avatarId: avatar.avatarId };
  const { conversationId, shareSlug } = (await post('/conversations', conversation, who.apiKey)).body;
  const turn = { userText: 'Hello, who are you?', output: 'text' };
  expect((await post(`/conversations/${conversationId}/turn`, turn, who.apiKey)).status).toBe(202);
  return await until(async () => {
    const { turns } = await get(`/conversations/by-slug/${shareSlug}`, who.apiKey);
    return turns.find((one: any) => one.avatarText && one.status === 'ready');
  });
}

/** Web and worker are the processes that were started. */
async function expectAlive() {
  expect((await fetch(`${url}/health/live`)).status).toBe(200);
  expect(program.exitCode ?? program.signalCode).toBeNull();
  expect(output).not.toContain('"msg":"worker ended"');
  expect(() => process.kill(workerPid, 0)).not.toThrow();
}

test.each([
  ['audio', 'plain.flac'],
  ['audio', 'damaged.flac'],
  ['srcVideo', 'flac-sound.mp4'],
  ['srcVideo', 'damaged.mp4'],
])('%s %s of an account with nothing is refused, and a bystander’s turn is answered', async (field, file) => {
  const name = `${field}-${file.split('.')[0]}`;
  const fresh = await person(name);
  const body = { prompt: 'Make it grey', draft: true, [field]: `${files.url}/${file}` };
  const attack = post('/videos/generate', body, fresh.apiKey);
  const turn = await answeredTurn(await person(`bystander-${name}`, 5));
  const { status, body: answer } = await attack;
  expect([400, 402]).toContain(status);
  if (status === 400) expect(answer.error).toMatch(new RegExp(`^${field} `));
  expect(turn.avatarText.length).toBeGreaterThan(0);
  expect(await balance(fresh)).toEqual({ available: 0, held: 0 });
  await expectAlive();
});

test('such sound in a video that is paid for: the job ends, well or in error, nothing stays held, and error is not charged', async () => {
  const ada = await person('ada', 5);
  for (const file of ['flac-sound.mp4', 'damaged.mp4']) {
    const before = await balance(ada);
    const body = { prompt: 'Make it grey', draft: true, srcVideo: `${files.url}/${file}` };
    const { status, body: accepted } = await post('/videos/generate', body, ada.apiKey);
    expect([202, 400]).toContain(status);
    const made =
      status === 400
        ? { status: 'error' }
        : await until(async () => {
            const now = await get(accepted.poll, ada.apiKey);
            return ['ready', 'error'].includes(now.status) && now;
          });
    const after = await balance(ada);
    expect(after.held).toBe(0);
    if (made.status === 'error') expect(after).toEqual(before);
    await expectAlive();
  }
});

test('/metrics shows the decoders of web and of worker', async () => {
  const lines = await until(async () => {
    const text = await (await fetch(`${url}/metrics`)).text();
    return /^avatar_decoder_starts_total\{of="worker"\} [1-9]/m.test(text) && text;
  });
  expect(lines).toMatch(/^avatar_decoder_starts_total\{of="self"\} [1-9]/m);
  expect(lines).toMatch(/^avatar_decoder_tasks\{of="worker",state="running"\} [0-9]/m);
});
