/**
 * `npm run doctor` against servers of this machine that speak the protocols of other services: a line for each thing that is
 * configured, an exit code of 1 where one does not answer, and no secret in anything it prints.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { doctor } from '../../src/commands/doctor.ts';
import { wavFile } from '../../src/engines/wav.ts';
import { plain } from '../engines/renderer/video/support.ts';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { type FakeSystem, startMem0 } from '../support/brain-servers.ts';
import { type ChatServer, openChatServer } from '../support/chat-server.ts';
import { type EmbeddingServer, startEmbeddings } from '../support/embedding-server.ts';
import { type FalServer, serveFal } from '../support/fal-server.ts';
import { openIssuer, type TestIssuer } from '../support/issuer.ts';
import { openSmtpServer, type SmtpServer } from '../support/smtp-server.ts';
import { openTranscriptionServer, type TranscriptionServer } from '../support/transcription-server.ts';

const SECRETS = ['chat-key-1234', 'voice-key-1234', 'heard-key-1234', 'fal-key-1234', 'mail-word-1234', 'right-key'];

let t: TestApp;
let ada: TestUser;
let chat: ChatServer;
let embeddings: EmbeddingServer;
let ears: TranscriptionServer;
let fal: FalServer;
let mail: SmtpServer;
let issuer: TestIssuer;
let mem0: FakeSystem;
let voice: Server;
let env: Record<string, string>;

beforeAll(async () => {
  chat = await openChatServer(() => ({ now: ['Hello', ' you.'] }));
  embeddings = await startEmbeddings();
  ears = await openTranscriptionServer();
  ears.text = 'hello';
  fal = await serveFal();
  fal.image = await plain(512, 512, [30, 90, 160]);
  mail = await openSmtpServer();
  issuer = await openIssuer();
  mem0 = await startMem0();
  const sound = wavFile([Int16Array.from({ length: 16_000 }, (_, at) => 8_000 * Math.sin(at / 9))], 16_000);
  voice = createServer(async (request, response) => {
    await request.resume().toArray();
    response.writeHead(200, { 'content-type': 'audio/wav' }).end(sound);
  });
  await new Promise<void>((resolve) => voice.listen(0, '127.0.0.1', resolve));
  t = await openTestApp({ env: { FETCH_ALLOW_HOSTS: new URL(mem0.url).host } });
  ada = await t.person('Ada');
  const { body } = await t.rest('POST', '/avatars', { as: ada.apiKey, body: { displayName: 'Nova' } });
  await t.graphql(
    `mutation($id: ID!, $url: String) {
      selectBrainSystem(avatarId: $id, system: "mem0", baseUrl: $url, apiKey: "right-key") { brainSystem } }`,
    { id: body.avatarId, url: mem0.url },
    ada.session,
  );
  env = {
    DATA_DIR: t.app.config.DATA_DIR,
    DATABASE_URL: t.databaseUrl,
    // What answers is asked here, not how it looks.
    TALKING_HEAD_SIZE: '256',
    FETCH_ALLOW_HOSTS: `${fal.host},${new URL(mem0.url).host}`,
    CHAT_BASE_URL: chat.url,
    CHAT_MODEL: 'talker',
    CHAT_API_KEY: 'chat-key-1234',
    EMBEDDING_BASE_URL: embeddings.url,
    EMBEDDING_MODEL: 'nearness',
    EMBEDDING_API_KEY: 'right-key',
    SPEECH_BASE_URL: `http://127.0.0.1:${(voice.address() as AddressInfo).port}/v1`,
    SPEECH_MODEL: 'speaker',
    SPEECH_VOICES: 'alto,bass',
    SPEECH_API_KEY: 'voice-key-1234',
    TRANSCRIPTION_BASE_URL: ears.url,
    TRANSCRIPTION_MODEL: 'listener',
    TRANSCRIPTION_API_KEY: 'heard-key-1234',
    IMAGE_MODEL: '@ai-sdk/fal:fal-ai/painter, edit=@ai-sdk/fal:fal-ai/retoucher',
    IMAGE_BASE_URL: fal.url,
    IMAGE_API_KEY: 'fal-key-1234',
    SMTP_URL: mail.url.replace('//', '//nova:mail-word-1234@').concat('?requireTLS=false'),
    SMTP_FROM: 'nova@example.com',
    OIDC_ISSUERS: `${issuer.url}|avatars`,
  };
});
afterAll(async () => {
  await t.close();
  await chat.close();
  await embeddings.stop();
  await ears.close();
  await fal.close();
  await mail.close();
  issuer.close();
  await mem0.stop();
  voice.closeAllConnections();
  await new Promise((resolve) => voice.close(resolve));
});

/** The table as rows of its columns, and the verdict. */
async function examined(names: string[], more: Record<string, string> = {}) {
  const lines: string[] = [];
  const isWell = await doctor(names, { ...env, ...more }, (line) => lines.push(line));
  const rows = lines.slice(1, -1).map((line) => {
    const [, part = '', answer = '', rest = ''] = /^(\S+) +(yes|no|-) *(.*)$/.exec(line) ?? [];
    return { part, answer, rest };
  });
  return { isWell, rows, text: lines.join('\n'), summary: lines.at(-1) };
}

test('all that is configured is called once and answers, and what is not configured is said', async () => {
  const { isWell, rows, text } = await examined([]);
  expect(rows.map(({ part, answer }) => `${part} ${answer}`)).toEqual([
    ...[
      'database yes',
      'memory yes',
      'storage yes',
      'redis -',
      'notifications -',
      'mail yes',
      'sign-in yes',
      'twitch -',
    ],
    ...['chat yes', 'embedding yes', 'speech yes', 'transcription yes', 'talking-head yes'],
    ...['image yes', 'image yes', 'video yes'],
  ]);
  expect(isWell).toBe(true);
  const of = (part: string) => rows.find((row) => row.part === part)?.rest;
  expect(of('database')).toMatch(/PostgreSQL \d+/);
  expect(of('memory')).toContain(new URL(mem0.url).host);
  expect(of('chat')).toMatch(/^\d+ +127\.0\.0\.1:\d+ talker +"Hello you\."$/);
  expect(of('embedding')).toContain(`${embeddings.dimensions} dimensions`);
  expect(of('speech')).toMatch(/ 1\.0 s of sound, 2 voices$/);
  expect(of('transcription')).toContain('heard "hello"');
  expect(rows.filter(({ part }) => part === 'image').map(({ rest }) => rest)).toEqual([
    expect.stringMatching(/fal-ai\/painter +\d+ kB$/),
    expect.stringMatching(/fal-ai\/retoucher +edit: \d+ kB$/),
  ]);
  for (const secret of SECRETS) expect(text).not.toContain(secret);
  expect([chat.requests.length, ears.requests.length, fal.requests.length, mail.mails.length]).toEqual([1, 1, 2, 0]);
});

test('what does not answer is named with its reason, the rest is called all the same, and no secret is repeated', async () => {
  ears.broken = { status: 401, body: '{"error":{"message":"Incorrect API key provided: heard-key-1234"}}' };
  mail.isDown = true;
  mem0.fault = 'down';
  embeddings.fault = 'denied';
  const broken = { CHAT_BASE_URL: 'http://127.0.0.1:9/v1', IMAGE_MODEL: '@ai-sdk/nowhere:painter', IMAGE_BASE_URL: '' };
  const { isWell, rows, text, summary } = await examined(
    ['memory', 'storage', 'mail', 'chat', 'embedding', 'transcription', 'image'],
    broken,
  );
  expect(isWell).toBe(false);
  const found = Object.fromEntries(rows.map(({ part, answer, rest }) => [part, `${answer} ${rest}`]));
  expect(found).toEqual({
    memory: expect.stringMatching(/^no .*\(mem0\): .*answered 50\d/),
    storage: expect.stringMatching(/^yes /),
    mail: expect.stringMatching(/^no .*The mail was not sent: .*421/),
    chat: expect.stringMatching(/^no .*ECONNREFUSED|^no .*fetch failed/),
    embedding: expect.stringMatching(/^no /),
    transcription: expect.stringMatching(/^no .*Incorrect API key provided: \*\*\*/),
    image: expect.stringMatching(/^no .*@ai-sdk\/nowhere, which is not installed: npm install @ai-sdk\/nowhere$/),
  });
  expect(summary).toBe('1 answer, 6 configured do not, 0 not configured.');
  for (const secret of SECRETS) expect(text).not.toContain(secret);
});

test('a name that is none is refused with the names that there are', async () => {
  await expect(doctor(['chatt'], env, () => {})).rejects.toThrow(/no "chatt" .* chat, embedding/);
});
