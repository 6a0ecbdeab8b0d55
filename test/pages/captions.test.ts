/** Captions in other languages, by a model server of the test's own. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { openBrowser } from '../support/browser.ts';
import { createConversation, openPage, say, type TestConversation } from './stage.ts';

let model: Server;
/** What the model was asked: the task and the words. */
const asked: { system: string; user: string }[] = [];
let isBroken = false;
let t: TestApp;
let owner: TestUser;
let room: TestConversation;
let turn: any;

const CAPTION = `query($turnId: ID!, $viewerToken: String, $key: String, $language: String!) {
  translatedCaption(turnId: $turnId, viewerToken: $viewerToken, key: $key, language: $language) { language text } }`;

beforeAll(async () => {
  model = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    if (isBroken) return response.writeHead(500).end('{}');
    const { messages } = JSON.parse(Buffer.concat(parts).toString());
    asked.push({ system: messages[0].content, user: messages.at(-1).content });
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const event = (delta: object, finish: string | null) =>
      response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`);
    event({ role: 'assistant', content: 'Guten ' }, null);
    event({ content: 'Morgen.' }, null);
    event({}, 'stop');
    return response.end('data: [DONE]\n\n');
  }).listen(0, '127.0.0.1');
  await once(model, 'listening');
  const { port } = model.address() as AddressInfo;
  t = await openTestApp({
    work: true,
    engines: 'real',
    env: { CHAT_BASE_URL: `http://127.0.0.1:${port}/v1`, CHAT_MODEL: 'test' },
  });
  owner = await t.person('Ada', 100);
  room = await createConversation(t, owner, null);
  await say(t, owner, room, { avatarText: 'Good morning.', output: 'text' });
  turn = (await t.settled(room.shareSlug, owner.apiKey)).turns.at(-1);
});
afterAll(async () => {
  await t?.close();
  model?.close();
});

test('the model is asked once for all viewers of a turn and language', async () => {
  const variables = { turnId: turn.id, viewerToken: room.viewerToken, language: 'DE' };
  const answers = await Promise.all([1, 2, 3].map(() => t.graphql(CAPTION, variables)));
  answers.push(await t.graphql(CAPTION, variables));
  for (const { body } of answers) {
    expect(body).toEqual({ data: { translatedCaption: { language: 'de', text: 'Guten Morgen.' } } });
  }
  expect(asked).toEqual([{ system: expect.stringContaining('into German'), user: 'Good morning.' }]);
});

test('to a caller who may not watch the turn it is as if there were none', async () => {
  const ask = (turnId: string, grant: object) => t.graphql(CAPTION, { turnId, language: 'de', ...grant });
  for (const [id, grant] of [
    [turn.id, {}],
    [turn.id, { viewerToken: 'wrong' }],
    ['trn_none', { viewerToken: room.viewerToken }],
  ] as const) {
    const [error] = (await ask(id, grant)).body.errors!;
    expect([error.message, error.extensions.code]).toEqual(['Turn not found.', 'NOT_FOUND']);
  }
});

test('a language that is none is a 400, a model that fails an UPSTREAM_FAILED, and nothing is kept of it', async () => {
  const ask = (language: string) => t.graphql(CAPTION, { turnId: turn.id, viewerToken: room.viewerToken, language });
  for (const language of ['', 'german please', 'x'.repeat(40)]) {
    expect((await ask(language)).body.errors![0].extensions.code).toBe('BAD_INPUT');
  }
  isBroken = true;
  expect((await ask('fr')).body.errors![0].extensions.code).toBe('UPSTREAM_FAILED');
  isBroken = false;
  expect((await ask('fr')).body.data.translatedCaption.text).toBe('Guten Morgen.');
});

test('the viewer shows the captions in the language that is picked, and says so where they cannot be translated', async () => {
  const browser = await openBrowser();
  const page = await openPage(browser);
  // A browser's own translator is waited for.
  await page.addInitScript(() => void Reflect.deleteProperty(globalThis, 'Translator'));
  const play = async (language: string): Promise<void> => {
    await page.goto(`${room.liveUrl}&autoplay=0`);
    await page.waitForSelector('#said li.avatar', { state: 'attached' });
    await page.selectOption('#language', language);
    await page.keyboard.press('Escape');
    await page.click('media-play-button');
  };
  isBroken = true;
  await play('es');
  await page.waitForFunction(() =>
    document.getElementById('note')!.textContent?.startsWith('Captions stay in the original'),
  );
  isBroken = false;
  await play('de');
  await page.waitForFunction(() => document.getElementById('caption')!.textContent === 'Guten Morgen.');
  expect(page.complaints).toEqual([]);
  await browser.close();
});

test('without a model the answer is UNAVAILABLE', async () => {
  const plain = await openTestApp({ work: true });
  const person = await plain.person('Bob', 1);
  const place = await createConversation(plain, person, null);
  const turnId = await say(plain, person, place, { avatarText: 'Good morning.', output: 'text' });
  const { body } = await plain.graphql(CAPTION, { turnId, viewerToken: place.viewerToken, language: 'de' });
  expect(body.errors![0].extensions.code).toBe('UNAVAILABLE');
  await plain.close();
});
