/** Memory in conversation over an external system, through apps, and `brain/query` with a language model. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createResponder } from '../../src/engines/embedded/chat/responder.ts';
import { createNoopEngines } from '../../src/engines/noop/index.ts';
import type { LanguageModelV4 } from '../../src/engines/ports/index.ts';
import { NO_ANSWER } from '../../src/services/brain/memory/quoted-answer.rules.ts';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { type FakeSystem, startMem0, startSupermemory } from '../support/brain-servers.ts';
import { makeClient, tokenFor } from '../support/oauth.ts';
import { until } from '../support/until.ts';

const noop = createNoopEngines();

async function newAvatar(t: TestApp, owner: TestUser): Promise<string> {
  const body = { displayName: 'Nova', personalityPrompt: 'You are Nova, a guide.', publiclyRenderable: true };
  return (await t.rest('POST', '/avatars', { as: owner.apiKey, body })).body.avatarId;
}

/** What the avatar answers to a line in a new conversation. */
async function ask(t: TestApp, owner: TestUser, avatarId: string, as: string, userText: string): Promise<string> {
  const conversation = { avatarOwnerUserId: owner.userId, avatarId };
  const { body } = await t.rest('POST', '/conversations', { as, body: conversation });
  const turn = { userText, output: 'text' };
  expect((await t.rest('POST', `/conversations/${body.conversationId}/turn`, { as, body: turn })).status).toBe(202);
  const { turns } = await t.settled(body.shareSlug, as);
  expect(turns.map(({ status }: any) => status)).not.toContain('error');
  return turns.map(({ avatarText }: any) => avatarText ?? '').join(' ');
}

describe('with the embedded responder', () => {
  let t: TestApp;
  let ada: TestUser;
  const servers: Record<string, FakeSystem> = {};

  beforeAll(async () => {
    servers.mem0 = await startMem0();
    servers.supermemory = await startSupermemory();
    t = await openTestApp({
      work: true,
      env: {
        FETCH_ALLOW_HOSTS: Object.values(servers)
          .map(({ url }) => new URL(url).host)
          .join(','),
      },
      engines: { ...noop, chat: createResponder(), chatIsEmbedded: true, close: async () => {} },
    });
    ada = await t.person('Ada', 100);
  });
  afterAll(async () => {
    await t.close();
    for (const server of Object.values(servers)) await server.stop();
  });

  describe.each(['mem0', 'supermemory'])('over %s', (system) => {
    let avatarId: string;
    beforeAll(async () => {
      avatarId = await newAvatar(t, ada);
      const { body } = await t.graphql(
        `mutation($avatarId: ID!, $system: String!, $baseUrl: String!) {
          selectBrainSystem(avatarId: $avatarId, system: $system, baseUrl: $baseUrl, apiKey: "right-key") { brainSystem } }`,
        { avatarId, system, baseUrl: servers[system]!.url },
        ada.session,
      );
      expect(body.errors).toBeUndefined();
    });

    test('a speaker’s facts are recalled to that speaker alone; what they repeat is kept once', async () => {
      const [bob, eve] = [await t.person('Bob'), await t.person('Eve')];
      for (let i = 0; i < 2; i += 1) await ask(t, ada, avatarId, bob.apiKey, 'My name is Balthazar.');
      expect(await ask(t, ada, avatarId, bob.apiKey, 'What is my name?')).toContain('Balthazar');
      expect(await ask(t, ada, avatarId, eve.apiKey, 'What is my name?')).not.toContain('Balthazar');
      expect(servers[system]!.stored.filter(({ text }) => text.includes('Balthazar'))).toHaveLength(1);
    });

    test('what was kept is not kept again when its job is done again', async () => {
      const server = servers[system]!;
      const cyd = await t.person('Cyd');
      await ask(t, ada, avatarId, cyd.apiKey, 'I live in Tromso.');
      const kept = () => server.stored.filter(({ text }) => text.includes('Tromso'));
      expect(kept()).toHaveLength(1);
      server.stored = server.stored.filter((memory) => !kept().includes(memory));
      const [row] = await t.app.db.rows<{ id: string }>(
        'select i.id from injection i join conversation c on c.id = i.conversation_id where c.owner_user_id = $1',
        [cyd.userId],
      );
      await t.app.memory.remember(row!.id);
      expect(kept()).toEqual([]);
    });

    test('while it is down the avatar answers, and what was stated is remembered once it is back: in order, once', async () => {
      const server = servers[system]!;
      const dora = await t.person('Dora');
      server.fault = 'down';
      try {
        expect(await ask(t, ada, avatarId, dora.apiKey, 'My name is Dorothea.')).not.toBe('');
        await ask(t, ada, avatarId, dora.apiKey, 'I live in Aarhus.');
        await ask(t, ada, avatarId, dora.apiKey, 'I live in Bergen. My favourite colour is teal.');
      } finally {
        server.fault = '';
      }
      const kept = () => server.stored.map(({ text }) => /Dorothea|Aarhus|Bergen|teal/.exec(text)?.[0]).filter(Boolean);
      await until(async () => kept().length >= 4);
      await until(async () => (await t.app.db.rows('select 1 from pending_memory')).length === 0);
      expect(kept()).toEqual(['Dorothea', 'Aarhus', 'Bergen', 'teal']);
      expect(await ask(t, ada, avatarId, dora.apiKey, 'What is my name?')).toContain('Dorothea');
    });

    test('what it stored before the connection broke is not sent to it twice', async () => {
      const server = servers[system]!;
      const emil = await t.person('Emil');
      Object.assign(server, { breaksAfter: 1, indexes: false });
      await ask(t, ada, avatarId, emil.apiKey, 'My name is Emilian. I live in Utrecht.');
      await until(async () => (await t.app.db.rows('select 1 from pending_memory')).length === 0);
      server.indexes = true;
      expect(server.stored.filter(({ text }) => /Emilian|Utrecht/.test(text))).toHaveLength(2);
    });

    test('a dead worker that had it leaves it to the next', async () => {
      const server = servers[system]!;
      const finn = await t.person('Finn');
      server.fault = 'down';
      await ask(t, ada, avatarId, finn.apiKey, 'My name is Finnegan.');
      await t.app.db.rows(
        `update pending_memory set attempts = 1, due_at = (extract(epoch from now()) * 1000)::bigint + 200`,
      );
      server.fault = '';
      await until(async () => server.stored.some(({ text }) => text.includes('Finnegan')));
    });
  });

  test('a reply knows what its avatar remembers in public, and nothing private', async () => {
    const avatarId = await newAvatar(t, ada);
    for (const [content, namespace] of [
      ['The ferry leaves from pier Quillon.', 'public'],
      ['The safe opens with the word Zephyrine.', 'private'],
    ]) {
      const body = { content, namespace };
      const saved = await t.rest('POST', `/avatars/${avatarId}/brain/pages`, { as: ada.apiKey, body });
      expect(saved).toMatchObject({ status: 200 });
    }
    const bob = await t.person('Bob');
    expect(await ask(t, ada, avatarId, bob.apiKey, 'Where does the ferry leave from?')).toContain('Quillon');
    expect(await ask(t, ada, avatarId, bob.apiKey, 'Which word opens the safe?')).not.toContain('Zephyrine');
  });

  test('what a speaker says through an app stays with that app, and what the app asks does not reach the rest', async () => {
    const avatarId = await newAvatar(t, ada);
    const one = await tokenFor(t, ada, avatarId, await makeClient(t, ada, { scopes: ['generate'] }), 'generate');
    const two = await tokenFor(t, ada, avatarId, await makeClient(t, ada, { scopes: ['generate'] }), 'generate');
    await ask(t, ada, avatarId, one, 'My name is Appleby.');
    await ask(t, ada, avatarId, ada.apiKey, 'My favourite colour is crimson.');
    expect(await ask(t, ada, avatarId, one, 'What is my name?')).toContain('Appleby');
    expect(await ask(t, ada, avatarId, two, 'What is my name?')).not.toContain('Appleby');
    expect(await ask(t, ada, avatarId, ada.apiKey, 'What is my name?')).not.toContain('Appleby');
    expect(await ask(t, ada, avatarId, one, 'What is my favourite colour?')).not.toContain('crimson');
  });
});

describe('brain/query with a language model', () => {
  let t: TestApp;
  let ada: TestUser;
  let avatarId: string;
  /** What the model writes; an Error is thrown. */
  let writes: string | Error;
  let asked = '';
  const chat: LanguageModelV4 = {
    ...noop.chat,
    async doGenerate({ prompt }) {
      asked = JSON.stringify(prompt);
      if (writes instanceof Error) throw writes;
      return { ...(await noop.chat.doGenerate({ prompt })), content: [{ type: 'text', text: writes }] };
    },
  };

  beforeAll(async () => {
    t = await openTestApp({ engines: { ...noop, chat, chatIsEmbedded: false, close: async () => {} } });
    ada = await t.person('Ada');
    avatarId = await newAvatar(t, ada);
    for (const content of ['The ferry leaves at 7:40.', 'The ferry is blue.']) {
      await t.rest('POST', `/avatars/${avatarId}/brain/pages`, { as: ada.apiKey, body: { content } });
    }
  });
  afterAll(() => t.close());
  const query = (text = 'When does the ferry leave?') =>
    t.rest('POST', `/avatars/${avatarId}/brain/query`, { as: ada.apiKey, body: { query: text } });

  test('it is given the memories, and only its cited sentences are passed on', async () => {
    writes = 'It leaves at 7:40 [1]. Tickets cost three crowns. I made this up [99].';
    const { status, body } = await query();
    expect(status).toBe(200);
    expect(body.answer).toBe('It leaves at 7:40 [1].');
    expect(body.citations.map(({ content }: any) => content)).toEqual(['The ferry leaves at 7:40.']);
    expect(asked).toContain('The ferry is blue.');
  });

  test('an answer without citations is no answer', async () => {
    writes = 'At noon, I think.';
    expect((await query()).body).toEqual({ answer: NO_ANSWER, citations: [] });
  });

  test('it is not asked when there is nothing to cite', async () => {
    asked = '';
    expect((await query('xylophone')).body).toEqual({ answer: NO_ANSWER, citations: [] });
    expect(asked).toBe('');
  });

  test('one that fails is a 502 without its reason', async () => {
    writes = new Error('secret upstream reason');
    const { status, body } = await query();
    expect([status, body.code]).toEqual([502, 'UPSTREAM_FAILED']);
    expect(JSON.stringify(body)).not.toContain('secret upstream');
  });
});
