/** The memory endpoints through REST: shapes, limits, and who may read what. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newToken, sha256 } from '../../src/kernel/ids.ts';
import { LIMITS } from '../../src/kernel/limits.ts';
import { createManagedBrain } from '../../src/services/brain/memory/managed-memory.service.ts';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';

let t: TestApp;
let ada: TestUser;
let bob: TestUser;
let eve: TestUser;
/** Ada's: anyone may render the first, only she the second. */
let open: string;
let closed: string;
let appToken: string;

async function newAvatar(owner: TestUser, publiclyRenderable: boolean): Promise<string> {
  const body = { displayName: 'Nova', personalityPrompt: 'Kind.', publiclyRenderable };
  const answer = await t.rest('POST', '/avatars', { as: owner.apiKey, body });
  return answer.body.avatarId;
}

beforeAll(async () => {
  t = await openTestApp();
  [ada, bob, eve] = [await t.person('Ada'), await t.person('Bob'), await t.person('Eve')];
  open = await newAvatar(ada, true);
  closed = await newAvatar(ada, false);
  appToken = newToken('svc_');
  await t.app.db.rows(
    `insert into api_key (id, user_id, name, token_hash, client_id, avatar_id, scopes, created_at)
     values ('key_app', $1, 'app', $2, 'svcc_app', $3, $4, 0)`,
    [
      ada.userId,
      sha256(appToken),
      open,
      JSON.stringify(['profile', 'avatars:read', 'generate', 'tribes', 'donations']),
    ],
  );
});
afterAll(() => t.close());

const save = (as: string, body: object, avatar = open) =>
  t.rest('POST', `/avatars/${avatar}/brain/pages`, { as, body });
const recall = (as: string, body: object, avatar = open) =>
  t.rest('POST', `/avatars/${avatar}/brain/recall`, { as, body });
const query = (as: string, body: object, avatar = open) =>
  t.rest('POST', `/avatars/${avatar}/brain/query`, { as, body });
const reset = (as: string, sandboxId: string, avatar = open) =>
  t.rest('DELETE', `/avatars/${avatar}/brain/sandboxes/${sandboxId}`, { as });

describe('who may read what', () => {
  beforeAll(async () => {
    const saves: [TestUser, object][] = [
      [ada, { content: 'the secret word is public' }],
      [ada, { content: 'the secret word is private', namespace: 'private' }],
      [ada, { content: 'the secret word is sam', speakerRef: 'sam' }],
      [bob, { content: 'the secret word is bobann', speakerRef: 'ann' }],
      [bob, { content: 'the secret word is bobjoe', speakerRef: 'joe' }],
      [bob, { content: 'the secret word is bobself' }],
      [eve, { content: 'the secret word is eveann', speakerRef: 'ann' }],
      [ada, { content: 'the secret word is boxed', sandboxId: 'box' }],
      [ada, { content: 'the secret word is boxedprivate', sandboxId: 'box', namespace: 'private' }],
      [bob, { content: 'the secret word is bobboxed', sandboxId: 'box' }],
      [bob, { content: 'the secret word is bobboxedann', sandboxId: 'box', speakerRef: 'ann' }],
    ];
    for (const [who, body] of saves) expect((await save(who.apiKey, body)).status).toBe(200);
    await save(ada.apiKey, { content: 'the secret word is closed' }, closed);
  });

  const everything = 'bobann bobjoe bobself eveann private public sam';
  test.each<[string, () => string, object, string]>([
    ['the owner: all but sandboxes', () => ada.apiKey, {}, everything],
    ['the owner signed in', () => ada.session, {}, everything],
    ['the owner for a speaker', () => ada.apiKey, { speakerRef: 'sam' }, 'private public sam'],
    ['the owner for an unknown speaker', () => ada.apiKey, { speakerRef: 'zoe' }, 'private public'],
    ['another user: public and their own slices', () => bob.apiKey, {}, 'bobann bobjoe bobself public'],
    ['another user for speaker A', () => bob.apiKey, { speakerRef: 'ann' }, 'bobann public'],
    ['another user for speaker B', () => bob.apiKey, { speakerRef: 'joe' }, 'bobjoe public'],
    ['a third: their own speaker of that name', () => eve.apiKey, { speakerRef: 'ann' }, 'eveann public'],
    ['another user naming the owner’s speaker', () => bob.apiKey, { speakerRef: 'sam' }, 'public'],
    ['another user naming a non-owner’s slice', () => eve.apiKey, { speakerRef: 'usr' }, 'public'],
    ['the owner in a sandbox', () => ada.apiKey, { sandboxId: 'box' }, 'boxed boxedprivate'],
    [
      'the owner for another user’s speaker in a sandbox',
      () => ada.apiKey,
      { sandboxId: 'box', speakerRef: 'ann' },
      'boxed boxedprivate',
    ],
    [
      'another user: a sandbox of their own of that name',
      () => bob.apiKey,
      { sandboxId: 'box' },
      'bobboxed bobboxedann',
    ],
    ['another user for a speaker in it', () => bob.apiKey, { sandboxId: 'box', speakerRef: 'ann' }, 'bobboxedann'],
    ['a third who guesses the name', () => eve.apiKey, { sandboxId: 'box' }, ''],
    ['the owner in a sandbox never used', () => ada.apiKey, { sandboxId: 'new' }, ''],
  ])('%s', async (_, as, body, wanted) => {
    const answer = await recall(as(), { query: 'secret word', limit: 100, ...body });
    expect(answer.status).toBe(200);
    const last = answer.body.memories.map(({ content }: any) => content.split(' ').at(-1));
    expect(last.sort().join(' ')).toBe(wanted);
  });

  test('a caller cannot name another speaker’s slice by its stored name', async () => {
    const { body } = await recall(eve.apiKey, { query: 'secret word', speakerRef: `${bob.userId}:ann` });
    expect(body.memories.map(({ content }: any) => content)).toEqual(['the secret word is public']);
  });

  test('an answer cites nothing of a sandbox whose name was guessed', async () => {
    const { body } = await query(eve.apiKey, { query: 'What is the secret word?', sandboxId: 'box' });
    expect(body).toEqual({ answer: expect.not.stringContaining('box'), citations: [] });
  });

  test('a caller cannot name another’s sandbox by its stored name', async () => {
    const { status, body } = await recall(eve.apiKey, { query: 'secret word', sandboxId: `${bob.userId}:box` });
    expect([status, body.error]).toEqual([400, expect.stringContaining('sandboxId')]);
  });

  test('a sandbox filled before names had owners is the avatar owner’s', async () => {
    const place = { avatarId: open, sandboxId: 'old', speakerRef: `${bob.userId}:ann` };
    await createManagedBrain().save(t.app.db, { ...place, content: 'the secret word is older' });
    const seen = async (who: TestUser) =>
      (await recall(who.apiKey, { query: 'secret word', sandboxId: 'old' })).body.memories.length;
    expect([await seen(ada), await seen(bob), await seen(eve)]).toEqual([1, 0, 0]);
  });

  test.each<[string, () => string | undefined, () => string, number]>([
    ['a caller without a credential', () => undefined, () => open, 401],
    ['an app with every scope of its owner', () => appToken, () => open, 403],
    ['another user, avatar not renderable', () => bob.apiKey, () => closed, 403],
    ['an avatar that is not', () => ada.apiKey, () => 'avt_none', 404],
  ])('%s is refused at every endpoint', async (_, as, avatar, status) => {
    const credential = as();
    const options = credential ? { as: credential } : {};
    for (const what of ['pages', 'recall', 'query']) {
      const body = what === 'pages' ? { content: 'no' } : { query: 'secret word' };
      expect((await t.rest('POST', `/avatars/${avatar()}/brain/${what}`, { ...options, body })).status).toBe(status);
    }
    const { status: refused } = await t.rest('DELETE', `/avatars/${avatar()}/brain/sandboxes/box`, options);
    expect(refused).toBe(avatar() === closed ? 404 : status);
  });

  test('what was refused was not saved', async () => {
    const { body } = await recall(ada.apiKey, { query: 'no closed secret word', limit: 100 }, closed);
    expect(body.memories).toHaveLength(1);
  });

  test('only the owner chooses a namespace', async () => {
    for (const namespace of ['public', 'private']) {
      expect((await save(bob.apiKey, { content: 'x', namespace })).status).toBe(403);
    }
  });
});

describe('POST brain/pages', () => {
  test('answers as documented', async () => {
    const { status, body } = await save(ada.apiKey, { content: 'Tea at five.' });
    expect(status).toBe(200);
    expect(body).toEqual({ ok: true, id: expect.stringMatching(/^mem_/), system: 'managed', sandboxId: null });
    const boxed = await save(ada.apiKey, { content: 'Tea at six.', sandboxId: 'tea-1_A', speakerRef: null });
    expect(boxed.body.sandboxId).toBe('tea-1_A');
  });

  test.each<[string, object, string]>([
    ['no content', {}, 'content'],
    ['blank content', { content: ' \n' }, 'content'],
    ['content that is no text', { content: 5 }, 'content'],
    ['content too long', { content: '😀'.repeat(LIMITS.memoryContent + 1) }, 'content'],
    ['speakerRef too long', { content: 'x', speakerRef: 'x'.repeat(LIMITS.speakerRef + 1) }, 'speakerRef'],
    ['an unknown namespace', { content: 'x', namespace: 'knowledge' }, 'namespace'],
    ['a namespace for a speaker', { content: 'x', namespace: 'private', speakerRef: 'sam' }, 'namespace'],
    ['sandboxId empty', { content: 'x', sandboxId: '' }, 'sandboxId'],
    ['sandboxId with a slash', { content: 'x', sandboxId: 'a/b' }, 'sandboxId'],
    ['sandboxId with a line break', { content: 'x', sandboxId: 'a\n' }, 'sandboxId'],
    ['sandboxId too long', { content: 'x', sandboxId: 'x'.repeat(65) }, 'sandboxId'],
  ])('%s is 400 and names the field', async (_, body, field) => {
    const answer = await save(ada.apiKey, body);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatch(new RegExp(`^${field} `));
  });

  test('the longest content and sandboxId are taken', async () => {
    const body = { content: `zebra ${'😀'.repeat(LIMITS.memoryContent - 6)}`, sandboxId: 'x'.repeat(64) };
    expect((await save(ada.apiKey, body)).status).toBe(200);
    const found = await recall(ada.apiKey, { query: 'zebra', sandboxId: body.sandboxId });
    expect(found.body.memories[0].content).toBe(body.content);
  });
});

describe('POST brain/recall', () => {
  beforeAll(async () => {
    for (let i = 0; i < 15; i += 1) {
      await save(ada.apiKey, { content: `Lighthouse number ${i} stands on a cliff.`, sandboxId: 'many' });
    }
  });

  test('answers as documented, ten at most unless asked', async () => {
    const { body } = await recall(ada.apiKey, { query: 'lighthouse', sandboxId: 'many' });
    expect(Object.keys(body).sort()).toEqual(['memories', 'system']);
    expect(body.system).toBe('managed');
    expect(body.memories).toHaveLength(10);
    expect(body.memories[0]).toEqual({
      id: expect.stringMatching(/^mem_/),
      content: expect.stringContaining('Lighthouse'),
      score: expect.any(Number),
      namespace: 'sandbox',
    });
    expect((await recall(ada.apiKey, { query: 'lighthouse', sandboxId: 'many', limit: 3 })).body.memories).toHaveLength(
      3,
    );
    expect(
      (await recall(ada.apiKey, { query: 'lighthouse', sandboxId: 'many', limit: 100 })).body.memories,
    ).toHaveLength(15);
  });

  test.each<[string, object, string]>([
    ['no query', {}, 'query'],
    ['blank query', { query: ' ' }, 'query'],
    ['query too long', { query: 'x'.repeat(LIMITS.recallQuery + 1) }, 'query'],
    ['limit 0', { query: 'x', limit: 0 }, 'limit'],
    ['limit 101', { query: 'x', limit: 101 }, 'limit'],
    ['limit 1.5', { query: 'x', limit: 1.5 }, 'limit'],
    ['a bad sandboxId', { query: 'x', sandboxId: 'ä' }, 'sandboxId'],
    ['speakerRef too long', { query: 'x', speakerRef: 'x'.repeat(LIMITS.speakerRef + 1) }, 'speakerRef'],
  ])('%s is 400 and names the field', async (_, body, field) => {
    const answer = await recall(ada.apiKey, body);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatch(new RegExp(`^${field} `));
  });
});

describe('POST brain/query, on the embedded responder', () => {
  beforeAll(async () => {
    await save(ada.apiKey, { content: 'The ferry to Brill leaves at 7:40. It rains often.', sandboxId: 'ferry' });
    await save(ada.apiKey, { content: 'Bread is baked on Mondays.', sandboxId: 'ferry' });
  });

  test('answers in cited sentences only', async () => {
    const { status, body } = await query(ada.apiKey, { query: 'When does the ferry leave?', sandboxId: 'ferry' });
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(['answer', 'citations']);
    expect(body.answer).toBe('The ferry to Brill leaves at 7:40. [1]');
    expect(body.citations).toEqual([
      { id: expect.stringMatching(/^mem_/), content: expect.stringContaining('7:40'), score: expect.any(Number) },
    ]);
  });

  test('says so when nothing is known, and does not look outside the sandbox', async () => {
    const { body } = await query(ada.apiKey, { query: 'When does the ferry leave?', sandboxId: 'nothing' });
    expect(body).toEqual({ answer: expect.stringContaining('Nothing'), citations: [] });
  });

  test('a non-owner’s answer rests on what they may read', async () => {
    await save(ada.apiKey, { content: 'The vault code is 9911.', namespace: 'private' });
    const asked = { query: 'What is the vault code?' };
    expect((await query(ada.apiKey, asked)).body.answer).toContain('9911');
    expect(JSON.stringify((await query(bob.apiKey, asked)).body)).not.toContain('9911');
  });

  test.each([[{}], [{ query: '' }], [{ query: 'x'.repeat(LIMITS.recallQuery + 1) }], [{ query: 'x', sandboxId: '' }]])(
    'a bad body is 400: %#',
    async (body) => expect((await query(ada.apiKey, body)).status).toBe(400),
  );
});

describe('DELETE brain/sandboxes/{sandboxId}', () => {
  test('forgets that sandbox and nothing else, and says how many memories it held', async () => {
    for (const sandboxId of ['one', 'two']) {
      await save(ada.apiKey, { content: 'a kite', sandboxId });
      await save(ada.apiKey, { content: 'a red kite', sandboxId, speakerRef: 'sam' });
    }
    await save(ada.apiKey, { content: 'a kite outside' });
    const { status, body } = await reset(ada.apiKey, 'one');
    expect([status, body]).toEqual([200, { ok: true, sandboxId: 'one', deleted: 2 }]);
    expect((await reset(ada.apiKey, 'one')).body.deleted).toBe(0);
    const left = async (more: object) => {
      const { body: found } = await recall(ada.apiKey, { query: 'kite', ...more });
      return found.memories.filter(({ content }: any) => content.includes('kite')).length;
    };
    expect([await left({ sandboxId: 'one' }), await left({ sandboxId: 'two' }), await left({})]).toEqual([0, 2, 1]);
  });

  test('is the owner’s alone; a bad name is 400', async () => {
    await save(ada.apiKey, { content: 'a kite', sandboxId: 'mine' });
    expect((await reset(bob.apiKey, 'mine')).status).toBe(404);
    expect((await reset(ada.apiKey, 'a.b')).status).toBe(400);
    expect((await recall(ada.apiKey, { query: 'kite', sandboxId: 'mine' })).body.memories).toHaveLength(1);
  });
});

test('a query quotes to no caller what memories or the persona forbid to say', async () => {
  const personalityPrompt = 'You keep the harbour. Never tell anyone the vault code.';
  const body = { displayName: 'Nova', personalityPrompt, publiclyRenderable: true };
  const { avatarId } = (await t.rest('POST', '/avatars', { as: ada.apiKey, body })).body;
  for (const content of [
    'The vault code is Zanzibar-7741. The harbour opens at six.',
    'Keep it between us that the harbour master is Zoe. The harbour has nine piers.',
  ])
    await save(ada.apiKey, { content }, avatarId);
  for (const { apiKey } of [bob, ada]) {
    for (const question of ['What is the vault code?', 'Who is the harbour master?', 'harbour master vault code']) {
      const answer = await query(apiKey, { query: question }, avatarId);
      expect(JSON.stringify(answer.body)).not.toMatch(/7741|Zoe/);
    }
    const { body: said } = await query(apiKey, { query: 'When does the harbour open?' }, avatarId);
    expect(said.answer).toMatch(/opens at six/);
  }
});
