/**
 * The road of a reply: streamed from the chat engine, cut into chunks, each rendered while the rest is written; what
 * happens when an engine fails. A worker that dies in the middle: `killed-worker.test.ts`.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createNoopEngines } from '../../src/engines/noop/index.ts';
import type { LanguageModelV4, SpeechEngine } from '../../src/engines/ports/index.ts';
import { createOpenAiCompatibleChat } from '../../src/engines/remote/chat.ts';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { type ChatServer, openChatServer } from '../support/chat-server.ts';
import { until } from '../support/until.ts';

/** An instance whose chat is the given engine, with someone who has an avatar and a conversation. */
async function open(chat: LanguageModelV4, speech?: Partial<SpeechEngine>) {
  const noop = createNoopEngines();
  const t = await openTestApp({
    work: true,
    engines: { ...noop, chat, chatIsEmbedded: false, speech: { ...noop.speech, ...speech }, close: async () => {} },
  });
  const ada = await t.person('Ada', 10);
  const { body } = await t.rest('POST', '/avatars', {
    as: ada.apiKey,
    body: { displayName: 'Nova', personalityPrompt: 'You are a pirate.', ttsVoiceId: 'noop' },
  });
  return { t, ada, avatar: body.avatar, ...(await conversation(t, ada, body.avatar)) };
}

async function conversation(t: TestApp, ada: TestUser, avatar: any) {
  const { body } = await t.rest('POST', '/conversations', {
    as: ada.apiKey,
    body: { avatarOwnerUserId: ada.userId, avatarId: avatar.avatarId },
  });
  const slug: string = body.shareSlug;
  return {
    slug,
    inject: (request: object) => t.rest('POST', `/conversations/${slug}/turn`, { as: ada.apiKey, body: request }),
    read: async () => (await t.rest('GET', `/conversations/by-slug/${slug}`, { as: ada.apiKey })).body.turns as any[],
    balance: async () =>
      (await t.graphql<any>('{ me { balance { available held } } }', {}, ada.session)).body.data.me.balance,
  };
}

const chatAt = (server: ChatServer) => createOpenAiCompatibleChat({ baseUrl: server.url, model: 'test' });

describe('a streamed reply', () => {
  let server: ChatServer;
  let here: Awaited<ReturnType<typeof open>>;
  beforeAll(async () => {
    server = await openChatServer(() => ({ now: ['One. Two. Th', 'ree. '], later: ['Four. Five. Six. ', 'Seven'] }));
    here = await open(chatAt(server));
  });
  afterAll(async () => {
    await here.t.close();
    await server.close();
  });

  test('chunk 1 is heard while the engine pauses after the third sentence', async () => {
    const { body } = await here.inject({ userText: 'Count', output: 'audio' });
    const first = await until(async () =>
      (await here.read()).find((turn) => turn.id === body.turn.id && turn.audioUrl),
    );
    expect(first).toMatchObject({ status: 'audio', avatarText: 'One. Two. Three.' });
    expect(await here.read()).toHaveLength(2);
    server.release();
    const { turns } = await here.t.settled(here.slug, here.ada.apiKey);
    expect(turns.map((turn: any) => turn.avatarText)).toEqual([null, 'One. Two. Three.', 'Four. Five. Six.', 'Seven']);
    expect(turns.slice(1).map((turn: any) => turn.status)).toEqual(['audio', 'audio', 'audio']);
    expect((await here.balance()).held).toBe(0);
  });

  test('the engine is given the persona and what was said before', async () => {
    await here.inject({ userText: 'And now?', output: 'text' });
    await until(async () => server.requests.length >= 2);
    server.release();
    await here.t.settled(here.slug, here.ada.apiKey);
    const said = JSON.stringify(server.requests.at(-1).messages);
    for (const part of ['You are a pirate.', 'Count', 'One. Two. Three.', 'And now?']) expect(said).toContain(part);
  });
});

describe('failures', () => {
  test('a chat engine that refuses ends the turn in error, and nothing is charged', async () => {
    const server = await openChatServer(() => ({ status: 500 }));
    const here = await open(chatAt(server));
    try {
      const before = await here.balance();
      await here.inject({ userText: 'Hello', output: 'video' });
      const { turns } = await here.t.settled(here.slug, here.ada.apiKey);
      expect(turns.map((turn: any) => [turn.role, turn.status, turn.errorMessage])).toEqual([
        ['user', 'ready', undefined],
        ['avatar', 'error', expect.any(String)],
      ]);
      expect(JSON.stringify(turns)).not.toContain(new URL(server.url).host);
      expect(await here.balance()).toEqual(before);
    } finally {
      await here.t.close();
      await server.close();
    }
  });

  test('a speech engine that always fails is tried three times, then the turn ends in error and the hold goes back', async () => {
    let attempts = 0;
    const here = await open(createNoopEngines().chat, {
      // biome-ignore lint/correctness/useYield: it fails before it could.
      async *stream() {
        attempts += 1;
        throw new Error('speech: password=hunter2');
      },
    });
    try {
      const before = await here.balance();
      await here.inject({ userText: 'Hello', mode: 'speak', output: 'audio' });
      const { turns } = await here.t.settled(here.slug, here.ada.apiKey);
      expect(turns[0]).toMatchObject({ status: 'error', errorMessage: 'The media could not be rendered.' });
      expect(attempts).toBe(3);
      expect(await here.balance()).toEqual(before);
    } finally {
      await here.t.close();
    }
  });

  test('later chunks that cannot be paid end in error; what was spoken is charged', async () => {
    const server = await openChatServer(() => ({
      now: [`${'Long words here. '.repeat(3)}${`And ${'some more of them, '.repeat(6)}follow. `.repeat(3)}`],
    }));
    const here = await open(chatAt(server));
    try {
      // One pending chunk is held for 15 s of audio (0.0225): this leaves next to nothing for a second, which costs more
      // than what is left when the first has been settled, too.
      const poor = await here.t.person('Poor', 0.0226);
      const { body } = await here.t.rest('POST', '/avatars', {
        as: poor.apiKey,
        body: { displayName: 'P', ttsVoiceId: 'noop' },
      });
      // Sign-up credits would pay for more.
      await here.t.app.db.rows(`update ledger_account set held = balance where id = $1`, [`w:${poor.userId}`]);
      const mine = await conversation(here.t, poor, body.avatar);
      await mine.inject({ userText: 'Talk', output: 'audio' });
      const { turns } = await here.t.settled(mine.slug, poor.apiKey);
      expect(turns.slice(1).map((turn: any) => [turn.status, turn.errorMessage])).toEqual([
        ['audio', undefined],
        ['error', 'Not enough credits.'],
      ]);
    } finally {
      await here.t.close();
      await server.close();
    }
  });
});
