/** Talking with an avatar on its page: who may, what it costs its owner, and that no visitor sees or spends more than that. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createResponder } from '../../src/engines/embedded/chat/responder.ts';
import { createNoopEngines } from '../../src/engines/noop/index.ts';
import { DAY_MS } from '../../src/kernel/clock.ts';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { balance, expectSoundLedger } from '../support/credits.ts';
import { until, untilIs } from '../support/until.ts';
import { Watcher } from './live-viewers.ts';

const BEGIN = `mutation($input: BeginVisitInput!) { beginVisit(input: $input) {
  visitorToken viewerToken conversation { conversationId shareSlug viewerToken liveUrl title } } }`;
const SAY = 'mutation($input: SayToAvatarInput!) { sayToAvatar(input: $input) { turn { id status } } }';
const SET = `mutation($input: SetTalkSettingsInput!) { setTalkSettings(input: $input) { settings {
  audience creditsPerVisitor creditsPerDay greeting url spentToday } } }`;
const VISITORS = `query($avatarId: ID!, $first: Int, $after: String) { visitors(avatarId: $avatarId, first: $first, after: $after) {
  pageInfo { endCursor } nodes { visitorId isSignedIn displayName spentToday spent turns isBlocked } } }`;
const BLOCK =
  'mutation($input: SetVisitorBlockedInput!) { setVisitorBlocked(input: $input) { isBlocked visitor { id isBlocked } } }';
const TURNS = `query($slug: String!, $viewerToken: String) { conversationBySlug(slug: $slug, viewerToken: $viewerToken) {
  turns { role userText avatarText status } } }`;

/** The data of an answer, or the code and sentence of its error. */
async function asked(t: TestApp, query: string, variables: object, as?: string): Promise<any> {
  const { body } = await t.graphql<any>(query, variables as Record<string, unknown>, as);
  const [error] = body.errors ?? [];
  return error ? { code: error.extensions.code, message: error.message, extensions: error.extensions } : body.data;
}

interface Visit {
  slug: string;
  visitorToken?: string;
  viewerToken: string;
  conversationId: string;
  shareSlug: string;
}

async function begin(t: TestApp, slug: string, { token, as }: { token?: string; as?: string } = {}): Promise<Visit> {
  const { beginVisit, ...error } = await asked(t, BEGIN, { input: { slug, visitorToken: token } }, as);
  if (!beginVisit) throw new Error(JSON.stringify(error));
  const visitorToken = beginVisit.visitorToken ?? token;
  const { viewerToken, conversation } = beginVisit;
  return { ...conversation, slug, viewerToken, ...(visitorToken ? { visitorToken } : {}) };
}

const say = (t: TestApp, { slug, visitorToken }: Visit, userText: string, output = 'video', as?: string) =>
  asked(t, SAY, { input: { slug, visitorToken, userText, output } }, as);

/** An avatar whose page is open; its slug. */
async function open(t: TestApp, owner: TestUser, settings: object = {}): Promise<{ avatarId: string; slug: string }> {
  const body = { displayName: 'Nova Ünal', personalityPrompt: 'You keep a secret: xyzzy.', ttsVoiceId: 'noop' };
  const { avatarId } = (await t.rest('POST', '/avatars', { as: owner.apiKey, body })).body;
  const input = { avatarId, audience: 'everyone', ...settings };
  const { setTalkSettings } = await asked(t, SET, { input }, owner.session);
  return { avatarId, slug: setTalkSettings.settings.url.split('/a/')[1] };
}

const set = (t: TestApp, owner: TestUser, input: object) => asked(t, SET, { input }, owner.session);

describe('on an avatar’s page', () => {
  let t: TestApp;
  let ada: TestUser;
  let bob: TestUser;
  let nowMs: number;
  const watchers: Watcher[] = [];

  beforeAll(async () => {
    nowMs = Math.floor(Date.now() / DAY_MS) * DAY_MS + DAY_MS / 2;
    t = await openTestApp({ env: { SIGNUP_CREDITS: '0' }, clock: { now: () => nowMs++ } });
    [ada, bob] = [await t.person('Ada', 100), await t.person('Bob', 100)];
  });
  afterEach(async () => {
    await Promise.all(watchers.splice(0).map((watcher) => watcher.stop()));
    await expectSoundLedger(t.app.db);
  });
  afterAll(() => t.close());

  const held = async (person = ada) => (await balance(t, person)).held as number;
  async function watch({ shareSlug, viewerToken }: Visit): Promise<Watcher> {
    const watcher = new Watcher(t.url, shareSlug, { viewerToken, after: '0' });
    watchers.push(watcher);
    return watcher.until(({ updates }) => updates.length > 0);
  }

  test('no visitor talks until the owner opens it, and only the owner can', async () => {
    const body = { displayName: 'Nova', publiclyRenderable: true };
    const { avatarId } = (await t.rest('POST', '/avatars', { as: ada.apiKey, body })).body;
    const read = 'query($avatarId: ID!) { talkSettings(avatarId: $avatarId) { audience url creditsPerDay greeting } }';
    const { talkSettings } = await asked(t, read, { avatarId }, ada.session);
    expect(talkSettings).toEqual({ audience: 'nobody', url: null, creditsPerDay: null, greeting: null });
    for (const query of [read, VISITORS]) {
      expect(await asked(t, query, { avatarId }, bob.session)).toMatchObject({ code: 'NOT_FOUND' });
    }
    expect(await set(t, bob, { avatarId, audience: 'everyone' })).toMatchObject({ code: 'NOT_FOUND' });
    expect(await set(t, ada, { avatarId, creditsPerDay: -1 })).toMatchObject({ code: 'BAD_INPUT' });
    const opened = await set(t, ada, { avatarId, audience: 'everyone', greeting: ' Hello! ', creditsPerDay: 2 });
    const { settings } = opened.setTalkSettings;
    expect(settings).toMatchObject({ audience: 'everyone', greeting: 'Hello!', creditsPerDay: 2, spentToday: 0 });
    // A cap that was not named, of a page that was never open; null lifts it, and it stays lifted.
    expect(settings.creditsPerVisitor).toBe(0.5);
    const bare = (await open(t, ada, { audience: 'signed_in' })).avatarId;
    const caps = async (input: object) => {
      const { creditsPerVisitor, creditsPerDay } = (await set(t, ada, { avatarId: bare, ...input })).setTalkSettings
        .settings;
      return [creditsPerVisitor, creditsPerDay];
    };
    expect(await caps({})).toEqual([0.5, 5]);
    expect(await caps({ creditsPerVisitor: null, creditsPerDay: null })).toEqual([null, null]);
    await caps({ audience: 'nobody' });
    expect(await caps({ audience: 'everyone' })).toEqual([null, null]);
    const slug = settings.url.split('/a/')[1];
    expect(slug).toMatch(/^nova-[a-z0-9]{8}$/);
    const page = 'query($slug: String!) { talkPage(slug: $slug) { displayName greeting audience hasVoice } }';
    expect((await asked(t, page, { slug })).talkPage).toMatchObject({ displayName: 'Nova', hasVoice: false });
    // What is left out stays, null takes away, and the address is the same when it is opened again.
    await set(t, ada, { avatarId, audience: 'nobody', greeting: null });
    for (const [query, variables] of [
      [page, { slug }],
      [BEGIN, { input: { slug } }],
    ] as const) {
      expect(await asked(t, query, variables)).toMatchObject({ code: 'NOT_FOUND' });
    }
    const again = (await set(t, ada, { avatarId, audience: 'signed_in' })).setTalkSettings.settings;
    expect(again).toMatchObject({ url: settings.url, greeting: null, creditsPerDay: 2 });
    expect(await asked(t, BEGIN, { input: { slug } })).toMatchObject({ code: 'UNAUTHENTICATED' });
    expect((await begin(t, slug, { as: bob.session })).visitorToken).toBeUndefined();
  });

  test('each visitor has one conversation of their own, greeted in writing, and comes back to it', async () => {
    const { slug, avatarId } = await open(t, ada, { greeting: 'Welcome, whoever you are.' });
    const before = await held();
    const [one, two] = [await begin(t, slug), await begin(t, slug)];
    expect(one.visitorToken).toMatch(/^\w{32}$/);
    expect(one.conversationId).not.toBe(two.conversationId);
    const back = await begin(t, slug.toUpperCase(), { token: one.visitorToken! });
    expect(back.conversationId).toBe(one.conversationId);
    const { turns } = (await asked(t, TURNS, { slug: one.shareSlug, viewerToken: one.viewerToken })).conversationBySlug;
    expect(turns).toEqual([
      { role: 'avatar', userText: null, avatarText: 'Welcome, whoever you are.', status: 'ready' },
    ]);
    expect(await held()).toBe(before);
    // A person who opens several pages at once is one visitor; so is one whose token is of another avatar a new one.
    const pages = await Promise.all(Array.from({ length: 6 }, () => begin(t, slug, { as: bob.session })));
    expect(new Set(pages.map(({ conversationId }) => conversationId)).size).toBe(1);
    const other = await open(t, bob);
    expect((await begin(t, other.slug, { token: one.visitorToken! })).visitorToken).not.toBe(one.visitorToken);
    const listed = (await asked(t, VISITORS, { avatarId, first: 2 }, ada.session)).visitors;
    const rest = (await asked(t, VISITORS, { avatarId, after: listed.pageInfo.endCursor }, ada.session)).visitors;
    const all = [...listed.nodes, ...rest.nodes];
    expect(all.map(({ isSignedIn, displayName }) => [isSignedIn, displayName])).toEqual([
      [true, 'Bob'],
      [false, null],
      [false, null],
    ]);
    expect(all.map(({ turns: said }) => said)).toEqual([1, 1, 1]);
  });

  test('a visitor’s conversation is theirs alone, and of the avatar they see what its page shows', async () => {
    const { slug, avatarId } = await open(t, ada);
    const [mine, theirs] = [await begin(t, slug), await begin(t, slug)];
    const signedIn = await begin(t, slug, { as: bob.session });
    await say(t, mine, 'Private words.', 'text');
    const { turn } = (await say(t, theirs, 'Others’ words.', 'text')).sayToAvatar;
    // Others, its own owner, and the avatar's owner with whatever they have.
    for (const [visit, viewerToken, as] of [
      [mine, undefined, undefined],
      [mine, theirs.viewerToken, undefined],
      [mine, undefined, ada.session],
      [mine, undefined, bob.session],
      [signedIn, undefined, ada.apiKey],
    ] as const) {
      expect(await asked(t, TURNS, { slug: visit.shareSlug, viewerToken }, as)).toMatchObject({ code: 'FORBIDDEN' });
    }
    const interrupt = 'mutation($input: InterruptAvatarInput!) { interruptAvatar(input: $input) { turnId } }';
    const input = { slug, visitorToken: mine.visitorToken, turn: { turnId: turn.id } };
    expect(await asked(t, interrupt, { input })).toMatchObject({ code: 'NOT_FOUND' });
    expect(await asked(t, SAY, { input: { slug, visitorToken: 'x'.repeat(32), userText: 'Hi' } })).toMatchObject({
      code: 'NOT_FOUND',
    });
    expect(await asked(t, SAY, { input: { slug, visitorToken: "' or 1=1", userText: 'Hi' } })).toMatchObject({
      code: 'BAD_INPUT',
    });
    // With an account there is no other way into it either: the page has the rules.
    const id = signedIn.conversationId;
    const inject =
      'mutation($id: ID!) { injectTurn(conversationId: $id, input: { userText: "Hi", avatarText: "I lie" }) { async } }';
    const show = 'mutation($id: ID!) { setConversationVisibility(conversationId: $id, isPublic: true) { ok } }';
    const link = 'mutation($id: ID!) { createAccessLink(conversationId: $id) { url } }';
    for (const query of [inject, show, link]) {
      expect(await asked(t, query, { id }, bob.session)).toMatchObject({ code: 'FORBIDDEN' });
    }
    for (const as of [ada.session, bob.session]) {
      const { conversations } = await asked(t, '{ conversations { nodes { conversationId } } }', {}, as);
      expect(conversations.nodes.map((one: any) => one.conversationId)).not.toContain(id);
    }
    const avatar = 'query($avatarId: ID!) { avatar(avatarId: $avatarId) { personalityPrompt } }';
    expect((await asked(t, avatar, { avatarId })).code).toBe('NOT_FOUND');
    const begun = await asked(
      t,
      `mutation($input: BeginVisitInput!) { beginVisit(input: $input) { conversation {
      viewerToken liveUrl avatar { personalityPrompt owner { displayName } } turns { nodes { userText } } } } }`,
      {
        input: { slug, visitorToken: mine.visitorToken },
      },
    );
    expect(begun.beginVisit.conversation).toMatchObject({ viewerToken: null, avatar: null });
    expect(begun.beginVisit.conversation.liveUrl).not.toContain('token');
    expect(JSON.stringify(begun)).not.toContain('xyzzy');
    // What is anyone's own may be deleted by them.
    const gone = 'mutation($id: ID!) { deleteConversation(conversationId: $id) { deletedId } }';
    expect(await asked(t, gone, { id }, bob.session)).toEqual({ deleteConversation: { deletedId: id } });
    expect((await begin(t, slug, { as: bob.session })).conversationId).not.toBe(id);
  });

  test('caps of a visitor and of a day hold for turns at once; a refusal is a sentence, holds nothing, and text goes on', async () => {
    nowMs += DAY_MS;
    const { slug, avatarId } = await open(t, ada, { creditsPerVisitor: null, creditsPerDay: null });
    const visit = await begin(t, slug);
    const before = await held();
    expect((await say(t, visit, 'Hello')).sayToAvatar.turn.status).toBe('pending');
    const price = Number(((await held()) - before).toFixed(6));
    expect(price).toBeGreaterThan(0);
    const times = (n: number) => Number((n * price).toFixed(6));
    nowMs += DAY_MS;
    await set(t, ada, { avatarId, creditsPerVisitor: times(2.5) });
    const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => say(t, visit, `Hello ${n}`)));
    expect(answers.filter(({ sayToAvatar }) => sayToAvatar)).toHaveLength(2);
    const refused = answers.filter(({ code }) => code === 'INSUFFICIENT_CREDITS');
    expect(refused).toHaveLength(6);
    expect(refused[0].message).toBe('You have heard as much as you can today. Ask for text, or come back tomorrow.');
    expect(Object.keys(refused[0].extensions).sort()).toEqual(['code', 'requestId']);
    expect(Number(((await held()) - before).toFixed(6))).toBe(times(3));
    expect((await say(t, visit, 'In writing then', 'text')).sayToAvatar).toBeDefined();
    // Another visitor has a cap of their own, and all have one together.
    await set(t, ada, { avatarId, creditsPerDay: times(5.5) });
    const others = await Promise.all(Array.from({ length: 8 }, () => begin(t, slug)));
    const theirs = await Promise.all(others.map((other) => say(t, other, 'Hello')));
    expect(theirs.filter(({ sayToAvatar }) => sayToAvatar)).toHaveLength(3);
    expect(theirs.find(({ code }) => code)?.message).toMatch(/^This avatar has spoken enough for today/);
    const { nodes: visitors } = (await asked(t, VISITORS, { avatarId }, ada.session)).visitors;
    expect(visitors.filter((one: any) => one.spentToday === price)).toHaveLength(3);
    expect(visitors.at(-1)).toMatchObject({ spentToday: times(2), spent: times(3), turns: 4 });
    nowMs += DAY_MS;
    expect((await say(t, visit, 'Tomorrow')).sayToAvatar).toBeDefined();
    // What its owner has is not disclosed.
    const poor = await t.person('Poor');
    const bare = await open(t, poor);
    const nothing = await say(t, await begin(t, bare.slug), 'Hello');
    expect(nothing.message).toMatch(/^This avatar cannot answer aloud just now/);
    expect(Object.keys(nothing.extensions).sort()).toEqual(['code', 'requestId']);
  });

  test('closing the page, blocking and deleting send visitors away at once, their open sockets too', async () => {
    const { slug, avatarId } = await open(t, ada, { greeting: 'Hello' });
    const [anonymous, signedIn] = [await begin(t, slug), await begin(t, slug, { as: bob.session })];
    const sockets = [await watch(anonymous), await watch(signedIn)] as const;
    await set(t, ada, { avatarId, audience: 'signed_in' });
    await sockets[0].until(({ closed }) => closed !== undefined);
    expect(await asked(t, TURNS, { slug: anonymous.shareSlug, viewerToken: anonymous.viewerToken })).toMatchObject({
      code: 'FORBIDDEN',
    });
    expect(await say(t, anonymous, 'Still here?', 'text')).toMatchObject({ code: 'UNAUTHENTICATED' });
    expect((await say(t, signedIn, 'I am.', 'text', bob.session)).sayToAvatar).toBeDefined();
    expect(sockets[1].closed).toBeUndefined();
    await set(t, ada, { avatarId, audience: 'everyone' });
    const listed = (await asked(t, VISITORS, { avatarId }, ada.session)).visitors.nodes;
    const block = (visitorId: string, isBlocked: boolean, as = ada) =>
      asked(t, BLOCK, { input: { visitorId, isBlocked } }, as.session);
    expect(await block(listed[0].visitorId, true, bob)).toMatchObject({ code: 'NOT_FOUND' });
    for (const { visitorId } of listed) {
      const answer = { isBlocked: true, visitor: { id: visitorId, isBlocked: true } };
      expect((await block(visitorId, true)).setVisitorBlocked).toEqual(answer);
    }
    await sockets[1].until(({ closed }) => closed !== undefined);
    for (const [visit, as] of [
      [anonymous, undefined],
      [signedIn, bob.session],
    ] as const) {
      expect(await say(t, visit, 'And now?', 'text', as)).toMatchObject({ code: 'FORBIDDEN' });
      expect(await asked(t, BEGIN, { input: { slug, visitorToken: visit.visitorToken } }, as)).toMatchObject({
        code: 'FORBIDDEN',
      });
    }
    // A new face from the network of a blocked one is no new visitor.
    expect(await asked(t, BEGIN, { input: { slug } })).toMatchObject({ code: 'FORBIDDEN' });
    for (const { visitorId } of listed) await block(visitorId, false);
    expect((await begin(t, slug, { token: anonymous.visitorToken! })).conversationId).toBe(anonymous.conversationId);
    const last = await watch(anonymous);
    const [guest] = await t.app.db.rows<{ id: string }>(
      'select owner_user_id as id from conversation where share_slug = $1',
      [anonymous.shareSlug],
    );
    const gone = 'mutation($id: ID!) { deleteAvatar(avatarId: $id) { ok deletedId } }';
    expect(await asked(t, gone, { id: avatarId }, ada.session)).toEqual({
      deleteAvatar: { ok: true, deletedId: avatarId },
    });
    await last.until(({ closed, isComplete, errors }) => closed !== undefined || isComplete || errors.length > 0);
    expect(await asked(t, BEGIN, { input: { slug } })).toMatchObject({ code: 'NOT_FOUND' });
    expect(await t.app.db.rows('select 1 from app_user where id = $1', [guest!.id])).toEqual([]);
    expect(await t.app.db.rows('select 1 from app_user where id = $1', [bob.userId])).toHaveLength(1);
  });

  test('a visitor who never said anything and stays away for a day is forgotten, and no other', async () => {
    const { slug, avatarId } = await open(t, ada, { greeting: 'Hello' });
    const [silent, blocked, spoke] = [await begin(t, slug), await begin(t, slug), await begin(t, slug)];
    const signedIn = await begin(t, slug, { as: bob.session });
    await say(t, spoke, 'I was here.', 'text');
    const listed = async () =>
      (await asked(t, VISITORS, { avatarId }, ada.session)).visitors.nodes.map((one: any) => one.visitorId);
    const [last, third, second] = await listed();
    await asked(t, BLOCK, { input: { visitorId: second, isBlocked: true } }, ada.session);
    const owner = 'select owner_user_id as id from conversation where id = $1';
    const [guest] = await t.app.db.rows<{ id: string }>(owner, [silent.conversationId]);
    await t.app.visitorCleanup.run();
    expect(await listed()).toHaveLength(4);
    nowMs += DAY_MS + 1;
    expect(await t.app.visitorCleanup.run()).toBeGreaterThan(0);
    expect(await listed()).toEqual([last, third, second]);
    expect(await t.app.db.rows('select 1 from app_user where id = $1', [guest!.id])).toEqual([]);
    expect(await t.app.db.rows(owner, [silent.conversationId])).toEqual([]);
    expect(await t.app.db.rows(owner, [blocked.conversationId])).toHaveLength(1);
    expect((await begin(t, slug, { token: spoke.visitorToken! })).conversationId).toBe(spoke.conversationId);
    expect((await begin(t, slug, { as: bob.session })).conversationId).toBe(signedIn.conversationId);
    expect(await t.app.visitorCleanup.run()).toBe(0);
  });

  test('silent visitors are forgotten however many there are', async () => {
    const { slug, avatarId } = await open(t, ada);
    const first = await begin(t, slug);
    const [guest] = await t.app.db.rows<{ id: string }>('select owner_user_id as id from conversation where id = $1', [
      first.conversationId,
    ]);
    const count = 'select count(*)::int as n from visitor where avatar_id = $1';
    await t.app.db.rows(`with guests as (
        insert into app_user select (jsonb_populate_record(u, jsonb_build_object('id', 'usr_many' || n))).* from app_user u, generate_series(1, 250) n where u.id = '${guest!.id}' returning id)
      insert into visitor select (jsonb_populate_record(v, jsonb_build_object('id', 'vst_many' || g.id, 'user_id', g.id, 'token_hash', md5(g.id)))).* from visitor v, guests g where v.user_id = '${guest!.id}'`);
    expect(await t.app.db.rows(count, [avatarId])).toEqual([{ n: 251 }]);
    nowMs += DAY_MS + 1;
    expect(await t.app.visitorCleanup.run()).toBeGreaterThanOrEqual(251);
    expect(await t.app.db.rows(count, [avatarId])).toEqual([{ n: 0 }]);
  });

  test('a silent visitor is forgotten while their greeting changes and then the version: no deadlock', async () => {
    const { slug } = await open(t, ada, { greeting: 'Hello' });
    const { conversationId } = await begin(t, slug);
    nowMs += DAY_MS + 1;
    const waiting = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    let forgetting: Promise<number> | undefined;
    await t.app.db.transaction(async (tx) => {
      await tx.rows('update conversation_turn set stream_key = null where conversation_id = $1', [conversationId]);
      forgetting = t.app.visitorCleanup.run();
      await until(async () => (await t.app.db.rows(waiting)).length > 0);
      await tx.rows('update conversation set version = version + 1 where id = $1', [conversationId]);
    });
    expect(await forgetting).toBeGreaterThan(0);
    expect(await t.app.db.rows('select 1 from conversation where id = $1', [conversationId])).toEqual([]);
  });

  test('accounts on either side can be deleted', async () => {
    const [owner, visitor] = [await t.person('Owner', 10), await t.person('Caller', 10)];
    const { slug } = await open(t, owner);
    const visit = await begin(t, slug, { as: visitor.session });
    await say(t, visit, 'Hello', 'text', visitor.session);
    const bye = 'mutation { deleteAccount(password: "correct horse") { deletedId } }';
    expect(await asked(t, bye, {}, visitor.session)).toEqual({ deleteAccount: { deletedId: visitor.userId } });
    expect(await t.app.db.rows('select 1 from conversation where id = $1', [visit.conversationId])).toEqual([]);
    const other = await begin(t, slug);
    expect(await asked(t, bye, {}, owner.session)).toEqual({ deleteAccount: { deletedId: owner.userId } });
    expect(await say(t, other, 'Hello', 'text')).toMatchObject({ code: 'NOT_FOUND' });
    expect(await t.app.db.rows('select 1 from conversation where id = $1', [other.conversationId])).toEqual([]);
  });
});

describe('with limits, a check of visitors and a worker', () => {
  let t: TestApp;
  let ada: TestUser;
  let server: Server;
  let verdict = 204;
  const seen: any[] = [];

  beforeAll(async () => {
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => {
        seen.push({ authorization: request.headers.authorization, ...JSON.parse(body) });
        response.writeHead(verdict).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t = await openTestApp({
      work: true,
      env: {
        RATE_LIMITS: 'on',
        VISITOR_CHALLENGE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/check`,
        VISITOR_CHALLENGE_SECRET: 'of-ours',
      },
      engines: { ...createNoopEngines(), chat: createResponder(), chatIsEmbedded: true, close: async () => {} },
    });
    ada = await t.person('Ada', 100);
  });
  afterAll(async () => {
    await t.close();
    await new Promise((resolve) => server.close(resolve));
  });

  test('new anonymous visitors are checked once, with what their page handed on; who says no keeps them out', async () => {
    const { slug, avatarId } = await open(t, ada);
    const input = { slug, challenge: 'captcha-token' };
    const { beginVisit } = await asked(t, BEGIN, { input });
    expect(seen).toEqual([{ authorization: 'Bearer of-ours', address: '127.0.0.1', slug, answer: 'captcha-token' }]);
    verdict = 403;
    expect(await asked(t, BEGIN, { input })).toMatchObject({ code: 'FORBIDDEN' });
    verdict = 500;
    expect(await asked(t, BEGIN, { input })).toMatchObject({ code: 'UNAVAILABLE' });
    expect((await begin(t, slug, { token: beginVisit.visitorToken })).shareSlug).toBe(
      beginVisit.conversation.shareSlug,
    );
    await begin(t, slug, { as: ada.session });
    expect(seen).toHaveLength(3);
    verdict = 204;
    const { nodes: visitors } = (await asked(t, VISITORS, { avatarId }, ada.session)).visitors;
    expect(visitors).toHaveLength(2);
  });

  test('what a visitor states is remembered for them alone', async () => {
    const { slug } = await open(t, ada);
    const [one, two] = [await begin(t, slug), await begin(t, slug)];
    const answered = async (visit: Visit, words: string): Promise<string> => {
      await say(t, visit, words, 'text');
      const read = async () =>
        (await asked(t, TURNS, { slug: visit.shareSlug, viewerToken: visit.viewerToken })).conversationBySlug.turns;
      const { avatarText } = await until(async () => {
        const last = (await read()).at(-1);
        return last.role === 'avatar' && last.status === 'ready' && last;
      });
      return avatarText;
    };
    await answered(one, 'My name is Balthazar.');
    // And ended: ending it locks what is deleted below, in another order.
    const remembered = `select count(*)::int as n from injection where remembered and state = 'done'`;
    await untilIs(
      async () => (await t.app.db.rows<{ n: number }>(remembered))[0]?.n,
      (n) => n === 1,
    );
    // Not from the conversation itself, which is new.
    await t.app.db.rows('delete from conversation where share_slug = $1', [one.shareSlug]);
    const again = await begin(t, slug, { token: one.visitorToken! });
    expect(await answered(again, 'What is my name?')).toContain('Balthazar');
    expect(await answered(two, 'What is my name?')).not.toContain('Balthazar');
  });

  test('who says too much at once waits, and an address sends only so many new visitors', async () => {
    const { slug } = await open(t, ada);
    const visit = await begin(t, slug);
    const codes: (string | undefined)[] = [];
    for (let n = 0; n < 14; n += 1) codes.push((await say(t, visit, `Line ${n}`, 'text')).code);
    expect(codes.slice(0, 12)).toEqual(Array.from({ length: 12 }, () => undefined));
    expect(codes.slice(12)).toEqual(['RATE_LIMITED', 'RATE_LIMITED']);
    const begun = await Promise.all(Array.from({ length: 21 }, () => asked(t, BEGIN, { input: { slug } })));
    const refused = begun.filter(({ code }) => code === 'RATE_LIMITED');
    expect(refused.map(({ message }) => message)).toEqual(
      Array.from({ length: 2 }, () => 'Too many visitors have come from your network. Try again later.'),
    );
    const crowded = begun.find(({ beginVisit }) => beginVisit).beginVisit;
    const burst = Array.from({ length: 20 }, (_, n) => say(t, { slug, ...crowded }, `Line ${n}`, 'text'));
    expect((await Promise.all(burst)).filter(({ sayToAvatar }) => sayToAvatar)).toHaveLength(12);
    expect((await begin(t, slug, { token: visit.visitorToken! })).conversationId).toBe(visit.conversationId);
  });
});
