/**
 * Deleting: media leave the store and their links die, memories go, the ledger stays, what runs ends uncharged, viewers are
 * notified, and no user deletes what is another's.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createNoopEngines } from '../../src/engines/noop/index.ts';
import type { LanguageModelV4 } from '../../src/engines/ports/index.ts';
import { HOUR_MS } from '../../src/kernel/clock.ts';
import { TURN_UPDATED, Watcher } from '../graphql/live-viewers.ts';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { balance, expectSoundLedger } from '../support/credits.ts';
import { until } from '../support/until.ts';

/** Engines that wait at these words until the test lets them go on. */
const SLOW = 'slowly';

let t: TestApp;
let ada: TestUser;
let bob: TestUser;
let avatarId: string;
let nowMs = Date.now();
let latch = Promise.withResolvers<void>();
let waiting = 0;
const watchers: Watcher[] = [];

async function pass(text: string): Promise<void> {
  if (!text.includes(SLOW)) return;
  waiting += 1;
  await latch.promise;
}

beforeAll(async () => {
  const { chat, speech, video, ...others } = createNoopEngines();
  const slowChat: LanguageModelV4 = {
    ...chat,
    async doStream(call) {
      await pass(JSON.stringify(call.prompt.at(-1)));
      return chat.doStream(call);
    },
  };
  t = await openTestApp({
    work: true,
    clock: { now: () => nowMs },
    engines: {
      ...others,
      chat: slowChat,
      chatIsEmbedded: false,
      speech: {
        ...speech,
        async *stream(query) {
          await pass(query.text);
          yield* speech.stream(query);
        },
      },
      video: {
        ...video,
        async *render(order) {
          await pass(JSON.stringify(order));
          yield* video.render(order);
        },
      },
      close: async () => {},
    },
  });
  ada = await t.person('Ada', 100);
  bob = await t.person('Bob', 100);
  avatarId = await makeAvatar();
});
afterEach(async () => {
  latch.resolve();
  latch = Promise.withResolvers();
  waiting = 0;
  await Promise.all(watchers.splice(0).map((watcher) => watcher.stop()));
});
afterAll(() => t.close());

const call = (method: string, path: string, body?: object, as = ada) =>
  t.rest(method, path, { as: as.apiKey, ...(body ? { body } : {}) });
const remove = async (path: string, as = ada) => {
  const { status, body } = await call('DELETE', path, undefined, as);
  return [status, body];
};
const DONE = [200, { ok: true }];
const gone = (what: string) => [404, expect.objectContaining({ error: `${what} not found.` })];

async function makeAvatar(body: object = {}): Promise<string> {
  const asked = {
    displayName: 'Nova',
    personalityPrompt: 'Kind.',
    ttsVoiceId: 'noop',
    publiclyRenderable: true,
    ...body,
  };
  return (await call('POST', '/avatars', asked)).body.avatarId;
}

async function converse(as = ada, with_ = avatarId): Promise<{ conversationId: string; shareSlug: string }> {
  return (await call('POST', '/conversations', { avatarOwnerUserId: ada.userId, avatarId: with_ }, as)).body;
}

const say = async (slug: string, body: object, as = ada) =>
  (await call('POST', `/conversations/${slug}/turn`, { output: 'text', ...body }, as)).body.turn.id as string;
const read = async (slug: string, as = ada) =>
  (await call('GET', `/conversations/by-slug/${slug}`, undefined, as)).body.turns as any[];
const linkStatus = async (url: string): Promise<number> => {
  const answer = await fetch(url);
  await answer.arrayBuffer();
  return answer.status;
};
const linkDies = (url: string) => until(async () => (await linkStatus(url)) === 404);
const held = async () => (await balance(t, ada)).held;
const entries = async () => (await t.app.db.rows<{ n: number }>('select count(*)::int as n from ledger_entry'))[0]!.n;
const memories = async (of = avatarId) => {
  const query = 'query($id: ID!) { memories(avatarId: $id) { nodes { content } } }';
  const { body } = await t.graphql<any>(query, { id: of }, ada.session);
  return body.data.memories.nodes.map(({ content }: any) => content);
};

function watch(slug: string, after?: string): Watcher {
  const query = TURN_UPDATED.replace('cursor', 'isDeleted cursor');
  const watcher = new Watcher(t.url, slug, { as: ada.apiKey, query, ...(after === undefined ? {} : { after }) });
  watchers.push(watcher);
  return watcher;
}
const deletedIn = (watcher: Watcher) => watcher.updates.filter((update: any) => update.isDeleted).map((u) => u.turn);

describe('a turn', () => {
  test('its words, sound, link and card are gone; what it cost stays; viewers are notified, late ones too', async () => {
    const { shareSlug } = await converse();
    const id = await say(shareSlug, { userText: 'Hi', output: 'audio' });
    await t.settled(shareSlug, ada.apiKey);
    const [, reply] = await read(shareSlug);
    expect(reply.id).toBe(id);
    expect(await linkStatus(reply.audioUrl)).toBe(200);
    const before = await entries();
    const viewer = watch(shareSlug, '0');
    await viewer.until(({ updates }) => updates.some(({ turn }) => turn.id === id));
    const seen = viewer.updates.at(-1)!.cursor;

    expect(await remove(`/turns/${id}`, bob)).toEqual([403, expect.anything()]);
    expect(await remove(`/turns/${id}`)).toEqual(DONE);
    expect(await remove(`/turns/${id}`)).toEqual(gone('Turn'));

    expect((await read(shareSlug)).map((turn) => turn.role)).toEqual(['user']);
    await linkDies(reply.audioUrl);
    expect((await t.rest('GET', `/${reply.shareSlug}`)).status).toBe(404);
    expect(await entries()).toBe(before);
    const blank = expect.objectContaining({ id, avatarText: null, audioUrl: null, status: 'error' });
    await viewer.until((watcher) => deletedIn(watcher).length > 0);
    expect(deletedIn(viewer)).toEqual([blank]);
    const late = watch(shareSlug, seen);
    await late.until((watcher) => deletedIn(watcher).length > 0);
    expect(late.updates).toHaveLength(1);
    await expectSoundLedger(t.app.db);
  });

  test('of a reply that is being written: it ends uncharged, and the next one is answered', async () => {
    const { shareSlug } = await converse();
    const first = await say(shareSlug, { userText: `Tell it ${SLOW}`, output: 'audio' });
    const next = await say(shareSlug, { userText: 'And you?', output: 'text' });
    await until(async () => waiting > 0);
    expect(await held()).toBeGreaterThan(0);
    expect(await remove(`/turns/${first}`)).toEqual(DONE);
    expect(await held()).toBe(0);
    latch.resolve();
    const turns = await until(async () => {
      const all = await read(shareSlug);
      return all.some((turn) => turn.id === next && turn.status === 'ready') && all;
    });
    expect(turns.filter(({ userText }: any) => userText === `Tell it ${SLOW}`)).toHaveLength(1);
    expect(turns.some(({ id }: any) => id === first)).toBe(false);
    await expectSoundLedger(t.app.db);
  });

  test('that is being spoken: nothing is charged and no file is left, when its worker comes to store it', async () => {
    const { shareSlug, conversationId } = await converse();
    const id = await say(shareSlug, { userText: 'Hi', output: 'audio', avatarText: `Well, ${SLOW}.` });
    await until(async () => waiting > 0);
    const before = await balance(t, ada);
    expect(await remove(`/turns/${id}`)).toEqual(DONE);
    latch.resolve();
    const key = `conversations/${conversationId}/turns/${id}-1.m4a`;
    await until(async () => {
      const [job] = await t.app.db.rows<any>(`select state from pgboss.job where data->>'id' = $1`, [id]);
      return job?.state === 'completed';
    });
    expect(await t.app.store.exists(key)).toBe(false);
    const after = await balance(t, ada);
    expect([after.held, after.available]).toEqual([0, Number((before.available + before.held).toFixed(6))]);
  });

  test('what a killed worker stored behind its back goes an hour later', async () => {
    const { shareSlug, conversationId } = await converse();
    const id = await say(shareSlug, { userText: 'Hi', output: 'audio' });
    await t.settled(shareSlug, ada.apiKey);
    await remove(`/turns/${id}`);
    const key = `conversations/${conversationId}/turns/${id}-1.m4a`;
    await until(async () => !(await t.app.store.exists(key)));
    await until(async () => (await t.app.db.rows('select 1 from media_removal where not is_again')).length === 0);
    await t.app.store.put(key, new Uint8Array(8), { contentType: 'audio/mp4' });
    expect(await t.app.removals.round()).toBe(0);
    nowMs += 2 * HOUR_MS;
    await until(async () => !(await t.app.store.exists(key)));
    await until(async () => (await t.app.db.rows('select 1 from media_removal')).length === 0);
  });

  test('what the speaker stated in it is forgotten with it, and nothing else', async () => {
    const { shareSlug } = await converse();
    await say(shareSlug, { userText: 'My name is Zelda.' });
    await say(shareSlug, { userText: 'I live in Oslo.' });
    await t.settled(shareSlug, ada.apiKey);
    expect(await memories()).toEqual(
      expect.arrayContaining([expect.stringMatching(/Zelda/), expect.stringMatching(/Oslo/)]),
    );
    const [turn] = (await read(shareSlug)).filter(({ userText }) => userText?.includes('Zelda'));
    expect(await remove(`/turns/${turn.id}`)).toEqual(DONE);
    expect((await memories()).join()).not.toMatch(/Zelda/);
    expect((await memories()).join()).toMatch(/Oslo/);
    const left = await t.app.db.rows(`select 1 from injection where request::text like '%Zelda%'`);
    expect(left).toEqual([]);
  });
});

describe('a conversation', () => {
  test('its media, links, memories and viewers go; what runs ends uncharged', async () => {
    const { shareSlug, conversationId } = await converse();
    await say(shareSlug, { userText: 'My dog is called Rexford.', output: 'audio' });
    await t.settled(shareSlug, ada.apiKey);
    const { audioUrl } = (await read(shareSlug)).at(-1);
    await say(shareSlug, { userText: `Hum ${SLOW}`, output: 'audio' });
    await until(async () => waiting > 0);
    const before = await entries();
    const viewer = watch(shareSlug, '0');
    await viewer.until(({ updates }) => updates.length > 0);

    expect(await remove(`/conversations/${shareSlug}`, bob)).toEqual([403, expect.anything()]);
    expect(await remove(`/conversations/${shareSlug}`)).toEqual(DONE);
    expect(await remove(`/conversations/${conversationId}`)).toEqual(gone('Conversation'));
    expect(await call('GET', `/conversations/by-slug/${shareSlug}`)).toMatchObject({ status: 404 });
    expect(await held()).toBe(0);
    expect(await entries()).toBe(before);
    await viewer.until(({ errors, isComplete }) => isComplete && errors.length > 0);
    expect(viewer.errors[0]).toMatchObject({ extensions: { code: 'NOT_FOUND' } });
    await linkDies(audioUrl);
    expect((await memories()).join()).not.toMatch(/Rexford/);
    latch.resolve();
    await expectSoundLedger(t.app.db);
  });

  test('deleted while turns are accepted, written and settled: no credit is lost or held', async () => {
    const all = await Promise.all(Array.from({ length: 6 }, () => converse()));
    const work = all.flatMap(({ shareSlug }) => [
      ...Array.from({ length: 4 }, () => say(shareSlug, { userText: 'Hi', output: 'audio' }).catch(() => undefined)),
      remove(`/conversations/${shareSlug}`),
    ]);
    await Promise.all(work);
    await until(async () => (await held()) === 0);
    await expectSoundLedger(t.app.db);
  });
});

describe('what was generated', () => {
  test('an image', async () => {
    const { imageUrl } = (await call('POST', '/images/generate', { prompt: 'a red kite', model: 'default' })).body;
    const { body } = await t.graphql<any>('{ images { nodes { imageId } } }', {}, ada.session);
    const { imageId } = body.data.images.nodes[0];
    expect(await remove(`/images/${imageId}`, bob)).toEqual(gone('Image'));
    expect(await remove(`/images/${imageId}`)).toEqual(DONE);
    expect(await remove(`/images/${imageId}`)).toEqual(gone('Image'));
    await linkDies(imageUrl);
  });

  test('a video, ready or being made', async () => {
    const start = async (prompt: string) => (await call('POST', '/videos/generate', { prompt })).body.generationId;
    const ready = await start('a kite');
    const { videoUrl } = await until(async () => {
      const { body } = await call('GET', `/videos/${ready}`);
      return body.status === 'ready' && body;
    });
    expect(await remove(`/videos/${ready}`, bob)).toEqual(gone('Video'));
    expect(await remove(`/videos/${ready}`)).toEqual(DONE);
    expect((await call('GET', `/videos/${ready}`)).status).toBe(404);
    await linkDies(videoUrl);
    const running = await start(`a kite, ${SLOW}`);
    await until(async () => waiting > 0);
    expect(await held()).toBeGreaterThan(0);
    expect(await remove(`/videos/${running}`)).toEqual(DONE);
    expect(await held()).toBe(0);
    await expectSoundLedger(t.app.db);
  });

  test('speech, ready or being spoken', async () => {
    const start = async (text: string) =>
      (await call('POST', `/avatars/${avatarId}/speak`, { text })).body.generationId as string;
    const ready = await start('A kite.');
    const { audioUrl } = await until(async () => {
      const { body } = await call('GET', `/avatars/speak/${ready}`);
      return body.status === 'audio' && body;
    });
    expect(await remove(`/avatars/speak/${ready}`, bob)).toEqual(gone('Generation'));
    expect(await remove(`/avatars/speak/${ready}`)).toEqual(DONE);
    await linkDies(audioUrl);
    const running = await start(`A kite, ${SLOW}.`);
    await until(async () => waiting > 0);
    expect(await remove(`/avatars/speak/${running}`)).toEqual(DONE);
    expect(await held()).toBe(0);
    // The same words are spoken anew.
    expect(await start('A kite.')).not.toBe(ready);
    await expectSoundLedger(t.app.db);
  });
});

test('an avatar goes with everything made of it, by whichever user', async () => {
  const id = await makeAvatar({ displayName: 'Vega' });
  const images = (await call('GET', `/avatars/${id}/images`)).body;
  const mine = await converse(ada, id);
  const theirs = await converse(bob, id);
  await say(theirs.shareSlug, { userText: 'My name is Bobby.', output: 'audio' }, bob);
  await t.settled(theirs.shareSlug, bob.apiKey);
  const { audioUrl } = (await read(theirs.shareSlug, bob)).at(-1);
  // It speaks in a conversation with another avatar, too.
  const other = await converse();
  await say(other.shareSlug, { userText: 'Hello there.', speakerAvatarId: id });
  await t.settled(other.shareSlug, ada.apiKey);
  await call('POST', `/avatars/${id}/speak`, { text: `Vega, ${SLOW}.` });
  await until(async () => waiting > 0);
  const before = await entries();

  expect(await remove(`/avatars/${id}`, bob)).toEqual(gone('Avatar'));
  expect(await remove(`/avatars/${id}`)).toEqual(DONE);
  expect(await remove(`/avatars/${id}`)).toEqual(gone('Avatar'));
  expect(await held()).toBe(0);
  expect(await entries()).toBe(before);
  for (const [{ shareSlug }, as] of [
    [mine, ada],
    [theirs, bob],
  ] as const) {
    expect((await call('GET', `/conversations/by-slug/${shareSlug}`, undefined, as)).status).toBe(404);
  }
  expect((await read(other.shareSlug)).some(({ userText }) => userText === 'Hello there.')).toBe(false);
  await linkDies(audioUrl);
  await linkDies(images.primary);
  const kept = await t.app.db.rows('select 1 from brain where avatar_id = $1', [id]);
  expect(kept).toEqual([]);
  await expectSoundLedger(t.app.db);
});

test('an app’s token deletes nothing', async () => {
  const { shareSlug } = await converse();
  const fields = ['deleteAvatar', 'deleteConversation', 'deleteTurn', 'deleteImage', 'deleteVideo', 'deleteSpeech'];
  const { ruleOf } = await import('../../src/auth/allow.ts');
  expect(fields.map((field) => ruleOf(field)?.auth)).toEqual(fields.map(() => 'firstParty'));
  expect((await t.rest('DELETE', `/conversations/${shareSlug}`)).status).toBe(401);
});
