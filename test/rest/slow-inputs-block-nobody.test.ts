/**
 * Texts made to be slow in every field that is read for meaning, and dear searches and images, by a fresh account:
 * /health/live is answered meanwhile, and so is another user. What is measured is how long the server's thread computes
 * between the question and its answer: on a machine of its own that is the wait, on a busy one it stays the same.
 */
import http from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { LIMITS } from '../../src/kernel/limits.ts';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { drawSmall } from '../support/small-images.ts';

/** Where time grows with the square of the length, it is seconds; collecting a large heap's garbage is tenths. */
const MOST_MS = 500;

/** Each is repeated to fill its field, and then does not end as it begins. */
const REPEATED = [
  '  ',
  '?',
  '?!',
  'a',
  '1,',
  '. ',
  '"',
  '„',
  "a'",
  '((',
  '[',
  '<a ',
  '-',
  '\u0301\u0323',
  '\u200d',
  '👩‍👩‍👧',
  '漢あ',
  'ﷺ',
  'Mr. ',
  'I am ',
  'and my ',
  'says "a" and ',
  'never tell ',
];

let t: TestApp;
let mallory: TestUser;
let avatarId: string;
let slug: string;
let imageUrl: string;
/** What is drawn is drawn by a thread, and small. */
let drawAsUsual: () => void;

beforeAll(async () => {
  // What is sent all at once arrives as late as a busy machine lets it.
  const connectionLimits = { headersMs: 600_000, requestMs: 600_000 };
  t = await openTestApp({ work: true, engines: 'real', env: { DATABASE_POOL: '16' }, connectionLimits });
  drawAsUsual = drawSmall(t);
  mallory = await t.person('Mallory', 1_000);
  ({ avatarId } = await post('/avatars', { displayName: 'Nova', ttsVoiceId: 'amelia' }));
  slug = (await post('/conversations', { avatarOwnerUserId: mallory.userId, avatarId })).shareSlug;
  ({ imageUrl } = await post('/images/generate', { prompt: 'A lighthouse' }));
});
afterAll(() => t.close());

/** Refused or done: how a text is answered is the business of other tests, that it is answered is that of this one. */
async function post(where: string, body: object): Promise<any> {
  const answer = await t.rest('POST', where, { as: mallory.apiKey, body });
  expect([200, 201, 202, 400, 402, 502, 503]).toContain(answer.status);
  return answer.body;
}

const computedMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

/** Between two questions: asking without a pause would compute more than what it asks about. */
const PAUSE_MS = 10;

/**
 * Asks /health/live again and again on a connection of its own until the work has ended. The longest that was computed from
 * one answer to the next: what came in the pause counts too.
 */
async function longestWait(work: Promise<unknown>[]): Promise<number> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const ask = (): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const request = http.get(`${t.url}/health/live`, { agent }, (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode));
      });
      request.on('error', reject);
    });
  let isOver = false;
  const over = Promise.all(work).finally(() => {
    isOver = true;
  });
  let longest = 0;
  let before = computedMs();
  while (!isOver) {
    expect(await ask()).toBe(200);
    const now = computedMs();
    longest = Math.max(longest, now - before);
    before = now;
    await pause(PAUSE_MS);
  }
  agent.destroy();
  await over;
  return longest;
}

const FIELDS: [string, number, (text: string) => Promise<unknown>][] = [
  ['displayName', LIMITS.displayName, (displayName) => patch({ displayName })],
  ['personalityPrompt', LIMITS.personalityPrompt, (text) => portrait({ personalityPrompt: text })],
  ['userText', LIMITS.userText, (userText) => post(`/conversations/${slug}/turn`, { userText, output: 'text' })],
  ['avatarText', LIMITS.avatarText, (avatarText) => post(`/conversations/${slug}/turn`, { avatarText, mode: 'speak' })],
  ['speak', LIMITS.speakText, (text) => post(`/avatars/${avatarId}/speak`, { text })],
  ['image prompt', LIMITS.imagePrompt, (prompt) => post('/images/generate', { prompt })],
  ['image words', LIMITS.imagePrompt, (text) => post('/images/generate', { prompt: `A sign "${text.slice(16)}"` })],
  ['edit prompt', LIMITS.imagePrompt, (prompt) => post('/images/edit', { prompt, imageUrl })],
  ['redirectDomains', 253, (host) => post('/oauth/clients', { name: 'x', redirectDomains: Array(20).fill(host) })],
  ['scopes', LIMITS.url, (scope) => post('/oauth/clients', { name: 'x', redirectDomains: ['a.org'], scopes: [scope] })],
  ['knowledgeBaseUrls', LIMITS.url, (text) => patch({ knowledgeBaseUrls: Array(10).fill(`https://a/${text}`) })],
  ['speakerRef', LIMITS.speakerRef, (speakerRef) => post(brain('recall'), { query: 'tea', speakerRef })],
  ['sandboxId', LIMITS.recallQuery, (sandboxId) => post(brain('recall'), { query: 'tea', sandboxId })],
  ['content', LIMITS.memoryContent, (content) => post(brain('pages'), { content })],
  ['query', LIMITS.recallQuery, (query) => post(brain('query'), { query })],
];
/** Last, for what they order is being rendered until the server is closed. */
const FIELDS_OF_VIDEOS: typeof FIELDS = [
  ['video prompt', LIMITS.videoPrompt, (prompt) => post('/videos/generate', { prompt, avatarId })],
  ['speechText', LIMITS.speechText, (speechText) => post('/videos/generate', { prompt: 'x', avatarId, speechText })],
];
const as = (body: object) => ({ as: mallory.apiKey, body });
const patch = (fields: object) => t.rest('PATCH', `/avatars/${avatarId}`, as(fields));
const portrait = (fields: object) => post('/avatars', { displayName: 'Nova', ...fields });
/** With an image that is there: none is drawn. */
const shown = (fields: object) => portrait({ imageUrl, ...fields });
const brain = (what: string) => `/avatars/${avatarId}/brain/${what}`;
const filled = (repeated: string, chars: number): string =>
  `${`x${repeated.repeat(chars)}`.slice(0, chars - 2).toWellFormed()}x`;

/**
 * What is drawn takes its time, though not the server's: of these fields every fourth text, each time others.
 * `rules/text-reading-is-linear` has the rest of them read.
 */
const DRAWN = ['personalityPrompt', 'image prompt', 'image words', 'edit prompt'];

async function sendAll([field, chars, send]: (typeof FIELDS)[number]): Promise<void> {
  await send('Plain words.');
  const turn = DRAWN.indexOf(field);
  const texts = REPEATED.filter((_, i) => turn < 0 || i % DRAWN.length === turn);
  // Once more where it was long: what is loaded and compiled, and a large heap's garbage, come once. Each time other texts.
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 3 && least >= MOST_MS; attempt++) {
    const work = texts.map((repeated) => send(filled(repeated, chars - attempt)));
    least = Math.min(least, await longestWait(work));
  }
  expect(least).toBeLessThan(MOST_MS);
}

test.each(FIELDS)('%s', (...field) => sendAll(field));

test.each([
  ['a text alike in all memories', (i: number) => REPEATED[i % REPEATED.length]!],
  ['questions', () => '?'],
  ['names', () => 'Ann Lee said, '],
])('a brain of the longest memories, searched all at once: %s', async (_, of) => {
  const { avatarId: full } = await shown({});
  const where = `/avatars/${full}/brain`;
  const texts = Array.from({ length: 46 }, (__, i) => `Tea ${filled(of(i), LIMITS.memoryContent - 8)}`);
  await Promise.all(texts.map((content) => post(`${where}/pages`, { content })));
  const searches = Array.from({ length: 8 }, (__, i) => (i % 4 ? 'recall' : 'query'));
  const work = searches.map((what) =>
    post(`${where}/${what}`, { query: 'tea with Ann', ...(what === 'recall' ? { limit: LIMITS.recallLimit } : {}) }),
  );
  expect(await longestWait(work)).toBeLessThan(MOST_MS);
});

test('images and portraits, many at once: others are answered meanwhile', async () => {
  drawAsUsual();
  const ada = await t.person('Ada');
  const prompts = Array.from(
    { length: 2 },
    (_, i) => `A crowded harbour city with ${i + 3} ships at night in the rain`,
  );
  const drawn = [
    ...prompts.map((prompt) => post('/images/generate', { prompt })),
    post('/images/edit', { prompt: 'Blur it and add snow', imageUrl }),
    portrait({}),
  ];
  const listed = t.rest('GET', '/avatars', { as: ada.apiKey });
  const first = await Promise.race([listed, ...drawn]);
  expect(first).toMatchObject({ status: 200, body: { avatars: [] } });
  expect(await longestWait(drawn)).toBeLessThan(MOST_MS);
  for (const made of await Promise.all(drawn)) expect(made.imageUrl ?? made.avatarId).toEqual(expect.any(String));
});

test.each(FIELDS_OF_VIDEOS)('%s', (...field) => sendAll(field));
