/** Conversations and turns through REST, with engines that do nothing. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { makeClient, tokenFor } from '../support/oauth.ts';

let t: TestApp;
let ada: TestUser;
let bob: TestUser;
let nova: any;
let mute: any;

const make = async (owner: TestUser, body: object) =>
  (await t.rest('POST', '/avatars', { as: owner.apiKey, body: { displayName: 'Nova', ...body } })).body.avatar;

beforeAll(async () => {
  t = await openTestApp({ work: true, env: { SIGNUP_CREDITS: '0' } });
  ada = await t.person('Ada', 100);
  bob = await t.person('Bob');
  nova = await make(ada, { ttsVoiceId: 'noop' });
  mute = await make(ada, { displayName: 'Mute' });
});
afterAll(() => t.close());

async function start(avatar: any = nova, as: TestUser = ada): Promise<any> {
  const body = { avatarOwnerUserId: avatar.avatarOwnerUserId, avatarId: avatar.avatarId };
  const answer = await t.rest('POST', '/conversations', { as: as.apiKey, body });
  expect(answer.status).toBe(200);
  return answer.body;
}
const inject = (id: string, body: object, as = ada.apiKey, headers = {}) =>
  t.rest('POST', `/conversations/${id}/turn`, { as, body, headers });
const balance = async (person: TestUser) =>
  (await t.graphql<any>('{ me { balance { available held } } }', {}, person.session)).body.data.me.balance;
const shown = (turns: any[]) =>
  turns.map((turn) => [turn.role, turn.output, turn.status, turn.userText ?? turn.avatarText]);
const SEVEN = 'One. Two! Three? Four. Five. Six. Seven.';

describe('POST /conversations', () => {
  test('answers exactly the documented fields, private', async () => {
    const body = await start();
    expect(body).toEqual({
      conversationId: expect.stringMatching(/^cnv_/),
      shareSlug: expect.stringMatching(/^c-\d\d-\d\d-[a-z0-9]{4}$/),
      shareUrl: `${t.app.config.SITE_URL}/${body.shareSlug}`,
      viewerToken: expect.any(String),
      liveUrl: `${t.app.config.SITE_URL}/live/${body.shareSlug}?token=${body.viewerToken}`,
    });
    expect((await t.rest('GET', `/conversations/by-slug/${body.shareSlug}`)).status).toBe(403);
  });

  test.each<[string, () => object, number]>([
    ['no avatar', () => ({}), 400],
    ['an unknown avatar', () => ({ avatarOwnerUserId: ada.userId, avatarId: 'avt_none' }), 404],
    ['somebody else’s avatar', () => ({ avatarOwnerUserId: ada.userId, avatarId: nova.avatarId }), 403],
  ])('%s is refused', async (_, body, status) => {
    expect((await t.rest('POST', '/conversations', { as: bob.apiKey, body: body() })).status).toBe(status);
  });
});

describe('POST /conversations/{id}/turn', () => {
  test('answers 202 with a pending shell, then the reply comes with its media and is charged once', async () => {
    const { conversationId, shareSlug } = await start();
    const { status, body } = await inject(conversationId, { userText: 'Hello there', output: 'video' });
    expect(status).toBe(202);
    expect(body).toMatchObject({
      async: true,
      turn: { role: 'avatar', status: 'pending', output: 'video', videoUrl: null },
    });
    expect(body.turn).not.toHaveProperty('errorMessage');
    expect(body.storePath).toBe(`conversations/${conversationId}/turns/${body.turn.id}`);
    const { turns } = await t.settled(shareSlug, ada.apiKey);
    expect(shown(turns)).toEqual([
      ['user', null, 'ready', 'Hello there'],
      ['avatar', 'video', 'video', 'Yes. I hear you. Go on.'],
    ]);
    expect(turns[1].id).toBe(body.turn.id);
    expect(turns[1]).toMatchObject({
      shareSlug: expect.stringMatching(/^t-\d\d-\d\d-[a-z0-9]{4}$/),
      shareUrl: `${t.app.config.SITE_URL}/${turns[1].shareSlug}`,
      liveUrl: `${t.app.config.SITE_URL}/live/${turns[1].shareSlug}`,
    });
    expect((await fetch(turns[1].videoUrl)).status).toBe(200);
    expect((await fetch(turns[1].audioUrl)).headers.get('content-type')).toBe('audio/mp4');
    const { body: ledger } = await t.graphql<any>(
      '{ ledgerEntries { nodes { kind amount sourceRef } } }',
      {},
      ada.session,
    );
    const lines = ledger.data.ledgerEntries.nodes.filter((line: any) => line.sourceRef === `turn:${body.turn.id}`);
    // 23 letters of the silent engine are 1.38 s of speech, at 0.0265 a second.
    expect(lines).toEqual([{ kind: 'turn', amount: -0.03657, sourceRef: `turn:${body.turn.id}` }]);
    expect((await balance(ada)).held).toBe(0);
  });

  test('the slug serves as the id, in any case', async () => {
    const { shareSlug } = await start();
    expect((await inject(shareSlug.toUpperCase(), { userText: 'Hi', output: 'text' })).status).toBe(202);
  });

  test.each<[object, string]>([
    [{}, 'userText is required.'],
    [{ userText: ' ' }, 'userText must not be empty.'],
    [{ userText: 'x'.repeat(501) }, 'userText exceeds 500 chars'],
    [{ userText: '🙂'.repeat(501) }, 'userText exceeds 500 chars'],
    [{ userText: 5 }, 'userText must be a string.'],
    [{ userText: 'x', output: 'smell' }, 'output must be one of text, audio, video.'],
    [{ userText: 'x', mode: 'sing' }, 'mode must be one of chat, speak.'],
    [{ userText: 'x', userOutput: 'smell' }, 'userOutput must be one of text, audio, video.'],
    [{ userText: 'x', reinterpret: 'yes' }, 'reinterpret must be true or false.'],
  ])('%j is a 400 that writes and holds nothing', async (body, error) => {
    const { conversationId, shareSlug } = await start();
    const before = await balance(ada);
    const answer = await inject(conversationId, body);
    expect([answer.status, answer.body.error]).toEqual([400, error]);
    expect((await t.rest('GET', `/conversations/by-slug/${shareSlug}`, { as: ada.apiKey })).body.turns).toEqual([]);
    expect(await balance(ada)).toEqual(before);
  });

  test('is the creator’s alone: 401, 403, 404 for others', async () => {
    const { conversationId } = await start();
    expect((await t.rest('POST', `/conversations/${conversationId}/turn`, { body: {} })).status).toBe(401);
    expect((await inject(conversationId, { userText: 'x' }, bob.apiKey)).status).toBe(403);
    expect((await inject('cnv_none', { userText: 'x' })).status).toBe(404);
    expect((await inject('c-26-11-none', { userText: 'x' })).status).toBe(404);
    expect((await inject(conversationId, { userText: 'x', speakerAvatarId: 'avt_none' })).status).toBe(404);
  });

  test('an avatar without a voice degrades to text and says so; text is free', async () => {
    const { shareSlug } = await start(mute);
    const before = await balance(ada);
    const { body } = await inject(shareSlug, { userText: 'Hello', output: 'video' });
    expect(body.turn).toMatchObject({ output: null, mediaError: expect.stringContaining('no voice') });
    const { turns } = await t.settled(shareSlug, ada.apiKey);
    expect(shown(turns)[1]).toEqual(['avatar', null, 'ready', 'Yes. I hear you. Go on.']);
    expect(turns[0]).not.toHaveProperty('mediaError');
    expect(await balance(ada)).toEqual(before);
  });

  test('speak says it word for word in chunks of three sentences, without a user row', async () => {
    const { shareSlug } = await start();
    const { body } = await inject(shareSlug, { userText: SEVEN, mode: 'speak' });
    const { turns } = await t.settled(shareSlug, ada.apiKey);
    expect(shown(turns)).toEqual([
      ['avatar', 'audio', 'audio', 'One. Two! Three?'],
      ['avatar', 'audio', 'audio', 'Four. Five. Six.'],
      ['avatar', 'audio', 'audio', 'Seven.'],
    ]);
    expect(turns[0].id).toBe(body.turn.id);
  });

  test('avatarText is spoken as it is, cut at 500 characters without a word', async () => {
    const { shareSlug } = await start();
    await inject(shareSlug, { userText: 'Say it', avatarText: 'y'.repeat(600), output: 'text' });
    const { turns } = await t.settled(shareSlug, ada.apiKey);
    expect(shown(turns)).toEqual([
      ['user', null, 'ready', 'Say it'],
      ['avatar', null, 'ready', 'y'.repeat(500)],
    ]);
  });

  test('a speaker voices the user row, unchunked, and the caller pays for it', async () => {
    const open = await make(ada, { ttsVoiceId: 'noop', publiclyRenderable: true });
    const carl = await t.person('Carl', 5);
    const own = await make(carl, { displayName: 'Me', ttsVoiceId: 'noop' });
    const { shareSlug } = await start(open, carl);
    const [adaBefore, carlBefore] = [await balance(ada), await balance(carl)];
    const body = {
      userText: SEVEN,
      speakerAvatarId: own.avatarId,
      userOutput: 'audio',
      output: 'video',
      avatarText: 'Yes.',
    };
    expect((await inject(shareSlug, body, carl.apiKey)).status).toBe(202);
    const { turns } = await t.settled(shareSlug, carl.apiKey);
    expect(shown(turns)).toEqual([
      ['user', 'audio', 'audio', SEVEN],
      ['avatar', 'video', 'video', 'Yes.'],
    ]);
    const paid = (before: any, after: any) => Math.round((before.available - after.available) * 1e6);
    expect(paid(carlBefore, await balance(carl))).toBe(Math.ceil(SEVEN.length * 0.06 * 1500));
    expect(paid(adaBefore, await balance(ada))).toBe(Math.ceil('Yes.'.length * 0.06 * 26_500));
  });

  test('402 names both amounts to the payer, and no balance to a non-owner; nothing is written', async () => {
    const poor = await t.person('Poor', 0.001);
    const own = await make(poor, { ttsVoiceId: 'noop', publiclyRenderable: true });
    const mine = await start(own, poor);
    const refused = await inject(mine.shareSlug, { userText: 'Hi', output: 'video' }, poor.apiKey);
    expect(refused.status).toBe(402);
    expect(refused.body).toMatchObject({ requiredCredits: 0.3975, availableCredits: 0.001 });
    const theirs = await start(own, ada);
    const nonOwner = await inject(theirs.shareSlug, { userText: 'Hi', output: 'video' });
    expect([nonOwner.status, nonOwner.body.availableCredits]).toEqual([402, 0]);
    expect((await t.rest('GET', `/conversations/by-slug/${mine.shareSlug}`, { as: poor.apiKey })).body.turns).toEqual(
      [],
    );
    expect((await inject(mine.shareSlug, { userText: 'Hi', output: 'text' }, poor.apiKey)).status).toBe(202);
  });

  test('renderability is checked again at every turn', async () => {
    const open = await make(ada, { ttsVoiceId: 'noop', publiclyRenderable: true });
    const { shareSlug } = await start(open, bob);
    expect((await inject(shareSlug, { userText: 'Hi', output: 'text' }, bob.apiKey)).status).toBe(202);
    await t.rest('POST', `/avatars/${open.avatarId}/public`, { as: ada.apiKey, body: { publiclyRenderable: false } });
    expect((await inject(shareSlug, { userText: 'Hi', output: 'text' }, bob.apiKey)).status).toBe(403);
  });

  test('twenty turns at once keep their order: each user row before its reply, chunks in line', async () => {
    const { shareSlug } = await start();
    const words = Array.from({ length: 20 }, (_, index) => `Turn ${index}`);
    const accepted = await Promise.all(words.map((userText) => inject(shareSlug, { userText, output: 'audio' })));
    expect(accepted.every(({ status }) => status === 202)).toBe(true);
    const { turns } = await t.settled(shareSlug, ada.apiKey);
    expect(turns).toHaveLength(40);
    expect(turns.map((turn: any) => turn.role)).toEqual(words.flatMap(() => ['user', 'avatar']));
    expect(
      turns
        .filter((turn: any) => turn.role === 'user')
        .map((turn: any) => turn.userText)
        .sort(),
    ).toEqual([...words].sort());
    for (let i = 0; i < 40; i += 2) {
      const reply = accepted.find(({ body }) => body.turn.id === turns[i + 1].id);
      expect(words[accepted.indexOf(reply!)]).toBe(turns[i].userText);
    }
    // One version a row, none twice within the conversation: what makes a subscription's cursor gapless.
    const doubled = await t.app.db.rows(
      'select conversation_id, version from turn group by 1, 2 having count(*) > 1 or version is null',
    );
    expect(doubled).toEqual([]);
    expect((await balance(ada)).held).toBe(0);
  });
});

describe('Idempotency-Key', () => {
  test('the same request is answered again and charged once; another with the key is a 422', async () => {
    const { shareSlug } = await start();
    const send = (body: object) => inject(shareSlug, body, ada.apiKey, { 'idempotency-key': `key-${shareSlug}` });
    const first = await send({ userText: 'Once', output: 'text' });
    const again = await send({ userText: 'Once', output: 'text' });
    expect(again.body).toEqual(first.body);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([202, 'true']);
    expect((await send({ userText: 'Twice', output: 'text' })).status).toBe(422);
    expect((await t.settled(shareSlug, ada.apiKey)).turns).toHaveLength(2);
  });

  test('of fifty at once one runs; a refused request may be sent again', async () => {
    const { shareSlug } = await start();
    const key = { 'idempotency-key': `burst-${shareSlug}` };
    const burst = await Promise.all(
      Array.from({ length: 50 }, () => inject(shareSlug, { userText: 'Once', output: 'text' }, ada.apiKey, key)),
    );
    expect(burst.every(({ status }) => status === 202 || status === 409)).toBe(true);
    expect(new Set(burst.filter(({ status }) => status === 202).map(({ body }) => body.turn.id)).size).toBe(1);
    const refused = { 'idempotency-key': `refused-${shareSlug}` };
    expect((await inject(shareSlug, { userText: '' }, ada.apiKey, refused)).status).toBe(400);
    expect((await inject(shareSlug, { userText: '' }, ada.apiKey, refused)).status).toBe(400);
    expect((await t.settled(shareSlug, ada.apiKey)).turns).toHaveLength(2);
  });

  test('what was done but could not be noted is told, and not done again', async () => {
    const { shareSlug } = await start();
    const key = `unnoted-${shareSlug}`;
    await t.app.db.rows(`create function fail() returns trigger language plpgsql as $$ begin raise 'full'; end $$`);
    await t.app.db.rows(`create trigger unnoted before update on idempotency_key for each row
      when (new.key like 'unnoted-%' and new.status is not null) execute function fail()`);
    const send = () => inject(shareSlug, { userText: 'Once', output: 'text' }, ada.apiKey, { 'idempotency-key': key });
    const first = await send();
    expect(first.status).toBe(202);
    const again = await send();
    expect([again.status, again.body]).toEqual([202, first.body]);
    expect((await t.settled(shareSlug, ada.apiKey)).turns).toHaveLength(2);
  });
});

describe('Idempotency-Key of two apps', () => {
  test('one user’s apps may draw the same key: each is answered for itself', async () => {
    const key = { 'idempotency-key': 'first' };
    const answered: string[] = [];
    for (const name of ['One', 'Two']) {
      const client = await makeClient(t, ada, { name, scopes: ['generate'] });
      const as = await tokenFor(t, ada, nova.avatarId, client, 'generate');
      const body = { avatarOwnerUserId: ada.userId, avatarId: nova.avatarId };
      const { shareSlug } = (await t.rest('POST', '/conversations', { as, body })).body;
      const said = { userText: name, mode: 'speak', output: 'text' };
      for (let times = 0; times < 2; times += 1) {
        const { status, body: turn } = await inject(shareSlug, said, as, key);
        expect(status).toBe(202);
        answered.push(turn.turn.id);
      }
    }
    expect(answered[0]).toBe(answered[1]);
    expect(answered[2]).toBe(answered[3]);
    expect(new Set(answered).size).toBe(2);
  });
});

describe('GET /conversations/by-slug/{slug}', () => {
  test('who may read: a table of viewers, private and public', async () => {
    const { shareSlug, viewerToken } = await start();
    const read = (as?: string, query = '') =>
      t.rest('GET', `/conversations/by-slug/${shareSlug}${query}`, as ? { as } : {});
    expect((await read(ada.session)).status).toBe(200);
    expect((await read(ada.apiKey)).body.conversation.viewerToken).toBe(viewerToken);
    expect((await read(bob.apiKey)).status).toBe(403);
    expect((await read()).status).toBe(403);
    // Viewer tokens open pages and GraphQL, not this endpoint.
    expect((await read(undefined, `?viewerToken=${viewerToken}`)).status).toBe(403);
    await t.rest('POST', `/conversations/${shareSlug}/visibility`, { as: ada.apiKey, body: { isPublic: true } });
    const open = await read();
    expect(open.status).toBe(200);
    expect(open.body.conversation).not.toHaveProperty('viewerToken');
    expect(JSON.stringify(open.body)).not.toContain(viewerToken);
    expect((await t.rest('GET', '/conversations/by-slug/c-26-11-none')).status).toBe(404);
    expect((await t.rest('GET', '/conversations/by-slug/hello')).status).toBe(404);
  });

  test('pages by limit, before and after; all turns without them', async () => {
    const { shareSlug } = await start();
    for (const userText of ['a', 'b', 'c']) {
      await inject(shareSlug, { userText, mode: 'speak', output: 'text' });
      await t.settled(shareSlug, ada.apiKey);
    }
    const read = async (query = '') =>
      (await t.rest('GET', `/conversations/by-slug/${shareSlug}${query}`, { as: ada.apiKey })).body.turns;
    const all = await read();
    const texts = (turns: any[]) => turns.map((turn) => turn.avatarText);
    expect(texts(all)).toEqual(['a', 'b', 'c']);
    expect(texts(await read('?limit=2'))).toEqual(['b', 'c']);
    expect(texts(await read(`?limit=2&before=${all[1].id}`))).toEqual(['a']);
    expect(texts(await read(`?before=${all[0].id}`))).toEqual([]);
    const graph = await t.graphql<any>(
      'query($s: String!) { conversationBySlug(slug: $s) { cursor } }',
      { s: shareSlug },
      ada.apiKey,
    );
    const { cursor } = graph.body.data.conversationBySlug;
    expect(await read(`?after=${cursor}`)).toEqual([]);
    await inject(shareSlug, { userText: 'd', mode: 'speak', output: 'text' });
    expect(texts(await read(`?after=${cursor}`))).toEqual(['d']);
    for (const bad of ['limit=0', 'limit=x', 'after=x', 'before=trn_none']) {
      const path = `/conversations/by-slug/${shareSlug}?${bad}`;
      const { status, body } = await t.rest('GET', path, { as: ada.apiKey });
      expect([status, body.error.split(' ')[0]]).toEqual([400, bad.split('=')[0]]);
    }
  });

  test('an unchanged poll is a 304 after authorisation; every change ends it', async () => {
    const { shareSlug } = await start();
    const read = (as: string | undefined, tag?: string, query = '') =>
      t.rest('GET', `/conversations/by-slug/${shareSlug}${query}`, {
        ...(as ? { as } : {}),
        ...(tag ? { headers: { 'if-none-match': tag } } : {}),
      });
    const tagOf = async () => (await read(ada.apiKey)).headers.get('etag')!;
    let tag = await tagOf();
    const same = await read(ada.apiKey, tag);
    expect([same.status, same.body]).toEqual([304, '']);
    expect((await read(bob.apiKey, tag)).status).toBe(403);
    expect((await read(ada.apiKey, tag, '?limit=5')).status).toBe(200);
    const changes: (() => Promise<unknown>)[] = [
      () => inject(shareSlug, { userText: 'x', mode: 'speak', output: 'text' }),
      () => t.rest('POST', `/conversations/${shareSlug}/visibility`, { as: ada.apiKey, body: { isPublic: true } }),
      () => t.rest('PATCH', `/avatars/${nova.avatarId}`, { as: ada.apiKey, body: { displayName: 'Nova II' } }),
    ];
    for (const change of changes) {
      await change();
      expect((await read(ada.apiKey, tag)).status).toBe(200);
      tag = await tagOf();
      expect((await read(ada.apiKey, tag)).status).toBe(304);
    }
    expect((await read(undefined, tag)).status).toBe(200);
  });
});

describe('sharing', () => {
  test('visibility switches both ways, the owner’s alone, and shows the right address', async () => {
    const { conversationId, shareSlug, viewerToken } = await start();
    const set = (as: string, body: object) =>
      t.rest('POST', `/conversations/${conversationId}/visibility`, { as, body });
    const live = `${t.app.config.SITE_URL}/live/${shareSlug}`;
    expect((await set(ada.apiKey, { isPublic: true })).body).toEqual({ ok: true, isPublic: true, liveUrl: live });
    expect((await set(ada.apiKey, { isPublic: false })).body.liveUrl).toBe(`${live}?token=${viewerToken}`);
    expect((await set(bob.apiKey, { isPublic: true })).status).toBe(403);
    expect((await set(ada.apiKey, {})).body.error).toBe('isPublic is required.');
    expect(
      (await t.rest('POST', '/conversations/cnv_none/visibility', { as: ada.apiKey, body: { isPublic: true } })).status,
    ).toBe(404);
  });

  test('an access link opens a private conversation in GraphQL until it is revoked', async () => {
    const { shareSlug } = await start();
    const made = await t.rest('POST', `/conversations/${shareSlug}/access-link`, { as: ada.apiKey });
    expect(made.body).toEqual({
      ok: true,
      linkId: expect.stringMatching(/^lnk_/),
      url: expect.stringMatching(new RegExp(`/${shareSlug}\\?key=[A-Za-z0-9]{32}$`)),
    });
    const key = new URL(made.body.url).searchParams.get('key');
    const open = async () =>
      (
        await t.graphql<any>(
          'query($s: String!, $k: String) { conversationBySlug(slug: $s, key: $k) { conversation { viewerToken } } }',
          { s: shareSlug, k: key },
        )
      ).body;
    expect((await open()).data.conversationBySlug.conversation).toEqual({ viewerToken: null });
    const path = `/conversations/${shareSlug}/access-link/${made.body.linkId}`;
    expect((await t.rest('DELETE', path, { as: bob.apiKey })).status).toBe(403);
    expect((await t.rest('DELETE', path, { as: ada.apiKey })).body).toEqual({ ok: true });
    expect((await open()).errors![0].extensions.code).toBe('FORBIDDEN');
    expect((await t.rest('DELETE', path, { as: ada.apiKey })).status).toBe(404);
  });

  test('a pinned image must be one of the avatar’s own', async () => {
    const { conversationId } = await start();
    const pin = (as: string, body: object) =>
      t.rest('POST', `/conversations/${conversationId}/avatar-image`, { as, body });
    const { primary } = (await t.rest('GET', `/avatars/${nova.avatarId}/images`, { as: ada.apiKey })).body;
    expect((await pin(ada.apiKey, { avatarImageUrl: primary })).body).toEqual({ ok: true, avatarImageUrl: primary });
    const other = (await t.rest('GET', `/avatars/${mute.avatarId}/images`, { as: ada.apiKey })).body.primary;
    for (const body of [{}, { avatarImageUrl: other }, { avatarImageUrl: 'https://example.com/a.png' }]) {
      expect((await pin(ada.apiKey, body)).status).toBe(400);
    }
    expect((await pin(bob.apiKey, { avatarImageUrl: primary })).status).toBe(403);
  });
});

describe('names and search', () => {
  const RENAME =
    'mutation($id: ID!, $title: String) { renameConversation(conversationId: $id, title: $title) { title } }';
  const LIST =
    'query($search: String, $after: String) { conversations(search: $search, after: $after) { nodes { conversationId title } } }';
  const found = async (search: string, as = ada, after?: string) =>
    (await t.graphql<any>(LIST, { search, after }, as.session)).body.data.conversations.nodes.map(
      (one: any) => one.conversationId,
    );

  test('a name is its owner’s alone: nobody else gives it or sees it, and it can be taken away', async () => {
    const { conversationId: id, shareSlug } = await start();
    const rename = async (title: string | null, as = ada) =>
      (await t.graphql<any>(RENAME, { id, title }, as.session)).body;
    expect((await rename('  Moving plans ')).data.renameConversation).toEqual({ title: 'Moving plans' });
    expect((await rename('Mine', bob)).errors?.[0].extensions.code).toBe('FORBIDDEN');
    expect((await rename('x'.repeat(81))).errors?.[0].message).toMatch(/^title must have at most 80/);
    await t.rest('POST', `/conversations/${id}/visibility`, { as: ada.apiKey, body: { isPublic: true } });
    const READ = 'query($slug: String!) { conversationBySlug(slug: $slug) { conversation { title } } }';
    const read = async (as?: string) =>
      (await t.graphql<any>(READ, { slug: shareSlug }, as)).body.data.conversationBySlug.conversation.title;
    expect([await read(ada.session), await read(bob.session), await read()]).toEqual(['Moving plans', null, null]);
    expect((await rename(' ')).data.renameConversation).toEqual({ title: null });
  });

  test('search finds by name, avatar and what either said, in any case, one’s own alone, and pages', async () => {
    const named = await start();
    const said = await start(mute);
    await t.graphql(RENAME, { id: named.conversationId, title: 'Zanzibar_100%' }, ada.session);
    await inject(said.conversationId, { userText: 'How far is ZANZIBAR?', avatarText: 'A voyage.', output: 'text' });
    await t.settled(said.shareSlug, ada.apiKey);
    expect(await found('zanzibar')).toEqual([said.conversationId, named.conversationId]);
    expect(await found('zanzibar', ada, said.conversationId)).toEqual([named.conversationId]);
    expect(await found('voyage')).toEqual([said.conversationId]);
    expect(await found('MUTE')).toContain(said.conversationId);
    expect(await found('zanzibar', bob)).toEqual([]);
    // These two stand for themselves.
    expect(await found('zanzibar_')).toEqual([named.conversationId]);
    expect(await found('r%?')).toEqual([]);
    expect(await found('0%')).toEqual([named.conversationId]);
  });
});
