/** Reads beside the documented endpoints: who calls, what they have, one avatar, one conversation, and lists page by page. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';

let t: TestApp;
let ada: TestUser;
let bob: TestUser;
beforeAll(async () => {
  t = await openTestApp({ work: true });
  [ada, bob] = [await t.person('Ada', 7), await t.person('Bob')];
});
afterAll(() => t?.close());

test('who calls, and what they have', async () => {
  const me = await t.rest('GET', '/me', { as: ada.apiKey });
  expect([me.status, me.body]).toMatchObject([200, { userId: ada.userId, displayName: 'Ada', email: ada.email }]);
  const { body } = await t.rest('GET', '/me/balance', { as: ada.apiKey });
  expect(body.balance).toMatchObject({ available: expect.any(Number), held: 0, locked: [] });
  expect(body.balance.available).toBeGreaterThanOrEqual(7);
});

test('an avatar: whole for its owner, without what is private for others, nothing at all when private', async () => {
  const make = async (publiclyRenderable: boolean) => {
    const body = { displayName: 'Nova', personalityPrompt: 'Keeps bees.', ttsVoiceId: 'noop', publiclyRenderable };
    const made = await t.rest('POST', '/avatars', { as: ada.apiKey, body });
    expect(made.body).toMatchObject({ avatar: { avatarId: expect.any(String) } });
    return made.body.avatar.avatarId as string;
  };
  const [open, closed] = [await make(true), await make(false)];
  const read = (id: string, { apiKey }: TestUser) => t.rest('GET', `/avatars/${id}`, { as: apiKey });
  expect((await read(open, ada)).body.avatar).toMatchObject({ avatarId: open, personalityPrompt: 'Keeps bees.' });
  const theirs = await read(open, bob);
  expect(theirs.body.avatar).toMatchObject({ avatarId: open, displayName: 'Nova' });
  expect(JSON.stringify(theirs.body)).not.toContain('bees');
  expect((await read(closed, bob)).status).toBe(404);
});

test('a conversation: its owner’s alone', async () => {
  const avatar = (await t.rest('POST', '/avatars', { as: ada.apiKey, body: { displayName: 'Nova' } })).body.avatar;
  const started = { avatarOwnerUserId: ada.userId, avatarId: avatar.avatarId };
  const { conversationId } = (await t.rest('POST', '/conversations', { as: ada.apiKey, body: started })).body;
  const mine = await t.rest('GET', `/conversations/${conversationId}`, { as: ada.apiKey });
  expect([mine.status, mine.body.conversation]).toMatchObject([200, { conversationId, avatarDisplayName: 'Nova' }]);
  expect((await t.rest('GET', `/conversations/${conversationId}`, { as: bob.apiKey })).status).toBeGreaterThanOrEqual(
    403,
  );
});

describe('lists', () => {
  const ITEMS = 3;
  /** Each list, by the field of its body. */
  const LISTS: [path: string, field: string][] = [
    ['/avatars/public', 'avatars'],
    ['/donations/sent?to=$bob', 'gifts'],
    ['/donations/received', 'gifts'],
    ['/conversations', 'conversations'],
    ['/conversations?search=Nova', 'conversations'],
    ['/conversations/$conversation/access-link', 'links'],
    ['/videos', 'videos'],
    ['/images', 'images'],
    ['/speech', 'speech'],
    ['/tribes/$cleo/members', 'members'],
  ];
  /** What identifies an item, and does not change meanwhile. */
  const nameOf = (item: any): string =>
    item.generationId ??
    item.imageId ??
    item.linkId ??
    item.conversationId ??
    item.avatarId ??
    item.member ??
    item.note;
  let cleo: TestUser;
  const ids: Record<string, string> = {};
  const read = (path: string) => t.rest('GET', path, { as: cleo.apiKey });
  const withIds = (path: string) => path.replace(/\$(\w+)/g, (_, name) => ids[name]!);

  beforeAll(async () => {
    cleo = await t.person('Cleo', 20);
    const ask = async (path: string, body: object, by = cleo) => {
      const answer = await t.rest('POST', path, { as: by.session, body });
      expect([answer.status, answer.body.error]).toEqual([expect.any(Number), undefined]);
      return answer.body;
    };
    const give = async (from: TestUser, to: TestUser, note: string) => {
      const { intentId } = await ask('/donations/intents', { to: to.userId, amount: 0.5, note }, from);
      await ask(`/donations/intents/${intentId}/confirm`, {}, from);
    };
    Object.assign(ids, { cleo: cleo.userId, bob: bob.userId });
    for (let i = 0; i < ITEMS; i += 1) {
      const friend = await t.person(`Friend ${i}`, 2);
      await ask(`/tribes/${cleo.userId}/join`, {}, friend);
      await give(friend, cleo, `to ${i}`);
      await give(cleo, bob, `from ${i}`);
      const made = await ask('/avatars', { displayName: 'Nova', ttsVoiceId: 'noop', publiclyRenderable: true });
      const started = { avatarOwnerUserId: cleo.userId, avatarId: made.avatarId };
      ids.conversation = (await ask('/conversations', started)).conversationId;
      await ask(`/avatars/${made.avatarId}/speak`, { text: `Number ${i}.` });
      await ask('/images/generate', { prompt: `a kite ${i}`, model: 'default' });
      await ask('/videos/generate', { prompt: `a boat ${i}`, duration: 1 });
    }
    for (let i = 0; i < ITEMS; i += 1) await ask(`/conversations/${ids.conversation}/access-link`, {});
  });

  test.each(LISTS)('%s is read page by page, by Link or by next, and ends', async (path, field) => {
    const whole = (await read(withIds(path))).body;
    expect(whole[field].length).toBeGreaterThanOrEqual(ITEMS);
    expect(whole).not.toHaveProperty('next');
    const found: object[] = [];
    const address = withIds(path);
    let next: string | undefined = `${address}${address.includes('?') ? '&' : '?'}first=2`;
    while (next) {
      const { status, body, headers } = await read(next);
      expect(status).toBe(200);
      expect(body[field].length).toBeLessThanOrEqual(2);
      found.push(...body[field]);
      const link = /^<(.+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
      expect(body.next).toBe(link && new URL(link).searchParams.get('after'));
      next = link?.replace(t.app.config.BASE_URL, '');
    }
    expect(found.map(nameOf)).toEqual(whole[field].map(nameOf));
  });

  test.each(LISTS)('%s refuses what is no page', async (path) => {
    const address = withIds(path);
    const sign = address.includes('?') ? '&' : '?';
    for (const [query, error] of [
      ['first=0', 'first must be from 1 to 100.'],
      ['first=101', 'first must be from 1 to 100.'],
      ['after=nonsense', 'after is not a cursor of this list.'],
    ]) {
      const { status, body } = await read(`${address}${sign}${query}`);
      expect([query, status, body.error]).toEqual([query, 400, error]);
    }
  });

  test('a documented body stays as it is for a caller who asks for no page; the header says that there is more', async () => {
    await t.app.db.rows(
      `insert into gift_intent (id, from_user_id, to_user_id, to_as_sent, amount, status, created_at, expires_at, resolved_at)
       select 'gft_' || n, $1, $2, $2, 10000, 'confirmed', n, n, n from generate_series(1, 101) n`,
      [cleo.userId, ada.userId],
    );
    const { body, headers } = await read(`/donations/sent?to=${ada.userId}`);
    expect(body).toEqual({ to: ada.userId, total: 1.01, count: 101, gifts: expect.any(Array) });
    expect(body.gifts).toHaveLength(100);
    expect(headers.get('link')).toMatch(/^<.*\/donations\/sent\?to=usr_\w+&after=[\w-]+>; rel="next"$/);
  });

  test('the members of a tribe are its owner’s to read', async () => {
    expect((await t.rest('GET', `/tribes/${cleo.userId}/members`, { as: bob.apiKey })).status).toBe(403);
    expect((await t.rest('GET', '/tribes/nobody_here/members', { as: bob.apiKey })).status).toBe(404);
    expect((await read(`/tribes/${cleo.userId}/members`)).body.members[0]).toMatchObject({
      displayName: 'Friend 0',
      charged: 0,
    });
  });

  test('gifts received say whose they are, and no other user reads them', async () => {
    const { gifts } = (await read('/donations/received')).body;
    expect(gifts[0]).toMatchObject({ fromDisplayName: 'Friend 2', amount: 0.5, note: 'to 2' });
    const { body } = await t.rest('GET', '/donations/received', { as: bob.apiKey });
    expect(body.gifts.map(({ from }: any) => from)).toEqual([cleo.userId, cleo.userId, cleo.userId]);
  });
});
