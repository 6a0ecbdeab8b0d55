/** POST /avatars/{id}/speak and its poll through REST. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createNoopEngines } from '../../src/engines/noop/index.ts';
import type { Engines, SpeechQuery, TalkingHeadQuery } from '../../src/engines/ports/index.ts';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { makeClient, tokenFor } from '../support/oauth.ts';
import { until } from '../support/until.ts';
import { openWorker, type TestWorker } from '../support/workers.ts';

let t: TestApp;
let worker: TestWorker;
let ada: TestUser;
let bob: TestUser;
let nova: any;
let mute: any;
const spoken: SpeechQuery[] = [];
const animated: TalkingHeadQuery[] = [];
const prompts: string[] = [];
/** Runs before each utterance: a test makes the engine wait or fail here. */
let beforeSpeech: (query: SpeechQuery) => Promise<void> = async () => {};

function engines(): Engines {
  const noop = createNoopEngines();
  return {
    ...noop,
    chat: {
      ...noop.chat,
      doStream: (call) => {
        prompts.push(JSON.stringify(call.prompt));
        return noop.chat.doStream(call);
      },
    },
    speech: {
      ...noop.speech,
      speaks: (language) => ['en', 'de', 'pt-BR'].includes(language),
      async *stream(query) {
        spoken.push(query);
        await beforeSpeech(query);
        yield* noop.speech.stream(query);
      },
    },
    talkingHead: {
      ...noop.talkingHead,
      async *render(query) {
        animated.push(query);
        yield* noop.talkingHead.render(query);
      },
    },
  };
}

beforeAll(async () => {
  t = await openTestApp({ env: { SIGNUP_CREDITS: '0' }, engines: { ...engines(), close: async () => {} } });
  worker = await openWorker(t, engines());
  ada = await t.person('Ada', 100);
  bob = await t.person('Bob', 1);
  nova = await make(ada, { displayName: 'Nova', personalityPrompt: 'You are a pirate.', ttsVoiceId: 'noop' });
  mute = await make(ada, { displayName: 'Mute' });
});
afterAll(async () => {
  await worker.stop();
  await t.close();
});

const make = async (owner: TestUser, body: object) =>
  (await t.rest('POST', '/avatars', { as: owner.apiKey, body })).body.avatar;
const speak = (body: object, options: { as?: string; avatar?: any; headers?: Record<string, string> } = {}) =>
  t.rest('POST', `/avatars/${(options.avatar ?? nova).avatarId}/speak`, {
    as: options.as ?? ada.apiKey,
    body,
    ...(options.headers ? { headers: options.headers } : {}),
  });
const poll = (generationId: string, as = ada.apiKey) => t.rest('GET', `/avatars/speak/${generationId}`, { as });
const ended = (generationId: string, output = 'audio', as = ada.apiKey) =>
  until(async () => {
    const { body } = await poll(generationId, as);
    return (body.status === 'error' || body.status === output) && body;
  });
const balance = async (person: TestUser) =>
  (await t.graphql<any>('{ me { balance { available held } } }', {}, person.session)).body.data.me.balance;
/** A user with credits and an avatar that nothing else is charged for. */
async function somebody() {
  const person = await t.person('Eve', 1);
  const avatar = await make(person, { displayName: 'Echo', ttsVoiceId: 'noop' });
  return { person, as: person.apiKey, avatar };
}
const charges = (generationId: string) =>
  t.app.db.rows('select 1 from ledger_transfer where source = $1', [`speech:${generationId}`]);

describe('a one-shot speech', () => {
  test('is accepted with 202, polled to its sound, charged for its seconds once', async () => {
    const before = await balance(ada);
    const { status, body } = await speak({ text: 'Hello there, everyone.' });
    expect(status).toBe(202);
    expect(body).toEqual({
      generationId: expect.stringMatching(/^spk_/),
      status: 'pending',
      audioUrl: null,
      videoUrl: null,
      shareSlug: null,
      reused: false,
      poll: `/avatars/speak/${body.generationId}`,
    });
    const done = await ended(body.generationId);
    expect(done).toMatchObject({
      status: 'audio',
      videoUrl: null,
      shareSlug: expect.stringMatching(/^g-\d\d-\d\d-[a-z0-9]{4}$/),
    });
    expect((await fetch(done.audioUrl)).headers.get('content-type')).toBe('audio/mp4');
    // 22 letters of the silent engine are 1.32 s, at 0.0015 a second.
    expect(await balance(ada)).toEqual({ available: expect.closeTo(before.available - 0.00198, 6), held: 0 });
    expect(await charges(body.generationId)).toHaveLength(1);
  });

  test('as video has its sound first, then the video of the chosen image', async () => {
    const { body } = await speak({ text: 'Look at me.', output: 'video' });
    const done = await ended(body.generationId, 'video');
    expect(done).toMatchObject({ status: 'video', audioUrl: expect.any(String), videoUrl: expect.any(String) });
    expect((await fetch(done.videoUrl)).status).toBe(200);
    expect(animated.at(-1)!.image.length).toBeGreaterThan(0);
  });

  test('with personality says what the persona makes of it, in the language asked for', async () => {
    const { body } = await speak({ text: 'Good day.', textMode: 'personality', language: 'de' });
    await ended(body.generationId);
    expect(prompts.at(-1)).toContain('You are a pirate.');
    expect(prompts.at(-1)).toContain('<task>personality</task>');
    expect(prompts.at(-1)).toContain('German (de)');
    expect(spoken.at(-1)).toMatchObject({ text: 'Yes. I hear you. Go on.', language: 'de' });
  });

  test('literal says exactly the text', async () => {
    const { body } = await speak({ text: '  Exactly: “this” — 1, 2, 3!  ', language: 'pt-BR' });
    await ended(body.generationId);
    expect(spoken.at(-1)).toMatchObject({ text: 'Exactly: “this” — 1, 2, 3!', language: 'pt-br' });
  });

  test.each<[object, string]>([
    [{}, 'text is required.'],
    [{ text: ' ' }, 'text must not be empty.'],
    [{ text: '🙂'.repeat(501) }, 'text must have at most 500 characters.'],
    [{ text: 'x', textMode: 'free' }, 'textMode must be one of literal, personality.'],
    [{ text: 'x', output: 'text' }, 'output must be one of audio, video.'],
    [{ text: 'x', language: 'not a language' }, 'language must be a language code like de or pt-BR.'],
    [{ text: 'x', language: 'tlh' }, 'language is not one that the voices speak.'],
    [
      { text: 'x', avatarImageUrl: 'https://example.com/a.png' },
      'avatarImageUrl is not in the image list of this avatar.',
    ],
  ])('bad input %# is refused by name, nothing is held', async (body, error) => {
    const before = await balance(ada);
    expect(await speak(body)).toMatchObject({ status: 400, body: { error } });
    expect(await balance(ada)).toEqual(before);
  });

  test('an image of another avatar is refused; one of the list is animated', async () => {
    const images = async (avatar: any) =>
      (await t.rest('GET', `/avatars/${avatar.avatarId}/images`, { as: ada.apiKey })).body.primary;
    const foreign = await speak({ text: 'x', output: 'video', avatarImageUrl: await images(mute) });
    expect(foreign.status).toBe(400);
    const own = await speak({ text: 'With my face', output: 'video', avatarImageUrl: await images(nova) });
    expect((await ended(own.body.generationId, 'video')).status).toBe('video');
  });

  test('an avatar without an image cannot be animated, and the avatar is what is named', async () => {
    const faceless = (
      await t.rest('POST', '/avatars', { as: ada.apiKey, body: { displayName: 'Faceless', ttsVoiceId: 'noop' } })
    ).body;
    await t.app.db.rows('delete from avatar_image where avatar_id = $1', [faceless.avatarId]);
    const input = { avatarId: faceless.avatarId, text: 'x', output: 'video' };
    const { body } = await t.graphql<any>(
      'mutation($input: SpeakInput!) { speak(input: $input) { id } }',
      { input },
      ada.apiKey,
    );
    expect(body.errors?.[0]).toMatchObject({
      message: 'The avatar has no image to animate.',
      extensions: { code: 'BAD_INPUT', field: 'avatarId' },
    });
  });

  test('an avatar without a voice cannot speak', async () => {
    const { status, body } = await speak({ text: 'x' }, { avatar: mute });
    expect([status, body.error]).toEqual([400, 'The avatar has no voice: it cannot speak.']);
    const input = { avatarId: mute.avatarId, text: 'x' };
    const asked = await t.graphql<any>(
      'mutation($input: SpeakInput!) { speak(input: $input) { id } }',
      { input },
      ada.apiKey,
    );
    expect(asked.body.errors?.[0]?.extensions).toMatchObject({ code: 'BAD_INPUT', field: 'avatarId' });
  });

  test('who cannot pay hears both amounts', async () => {
    const poor = await t.person('Poor', 0.0001);
    const avatar = await make(poor, { displayName: 'P', ttsVoiceId: 'noop' });
    const { status, body } = await speak({ text: 'A few words' }, { as: poor.apiKey, avatar });
    expect([status, body]).toEqual([
      402,
      expect.objectContaining({ requiredCredits: 0.00099, availableCredits: 0.0001 }),
    ]);
    // A refusal leaves nothing that a later request would meet.
    expect((await speak({ text: 'A few words' }, { as: poor.apiKey, avatar })).status).toBe(402);
  });
});

describe('another user’s avatar', () => {
  test('needs its owner’s id and to be public; the owner pays', async () => {
    const open = await make(ada, { displayName: 'Open', ttsVoiceId: 'noop', publiclyRenderable: true });
    const before = [await balance(ada), await balance(bob)];
    expect((await speak({ text: 'Hi' }, { as: bob.apiKey, avatar: open })).status).toBe(404);
    expect((await speak({ text: 'Hi', avatarOwnerUserId: ada.userId }, { as: bob.apiKey })).status).toBe(403);
    expect((await speak({ text: 'Hi', avatarOwnerUserId: bob.userId }, { as: bob.apiKey, avatar: open })).status).toBe(
      404,
    );
    const { status, body } = await speak(
      { text: 'Hi', avatarOwnerUserId: ada.userId },
      { as: bob.apiKey, avatar: open },
    );
    expect(status).toBe(202);
    await ended(body.generationId, 'audio', bob.apiKey);
    expect((await balance(bob)).available).toBe(before[1]!.available);
    expect((await balance(ada)).available).toBeLessThan(before[0]!.available);
    expect((await poll(body.generationId)).status).toBe(200);
    const eve = await t.person('Eve');
    expect((await poll(body.generationId, eve.apiKey)).status).toBe(404);
    expect((await poll('spk_none')).status).toBe(404);
  });

  test('a non-owner never hears the owner’s balance', async () => {
    const poor = await t.person('Poor');
    const open = await make(poor, { displayName: 'Open', ttsVoiceId: 'noop', publiclyRenderable: true });
    const { status, body } = await speak(
      { text: 'Hi', avatarOwnerUserId: poor.userId },
      { as: bob.apiKey, avatar: open },
    );
    expect([status, body.availableCredits]).toEqual([402, 0]);
  });

  test('an app polls what it started, and nothing else', async () => {
    const client = await makeClient(t, ada, { scopes: ['generate'] });
    const token = await tokenFor(t, ada, nova.avatarId, client, 'generate');
    const mine = await speak({ text: 'Said by the app' }, { as: token });
    expect(mine.status).toBe(202);
    expect((await poll(mine.body.generationId, token)).status).toBe(200);
    const other = await speak({ text: 'Said by the owner' });
    expect((await poll(other.body.generationId, token)).status).toBe(404);
  });
});

describe('identical requests', () => {
  test('fifty at once are one generation and one charge; later ones are answered by it', async () => {
    const { person, as, avatar } = await somebody();
    const release = Promise.withResolvers<void>();
    beforeSpeech = () => release.promise;
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => speak({ text: 'All together now' }, { as, avatar })),
    );
    beforeSpeech = async () => {};
    release.resolve();
    expect(new Set(answers.map(({ body }) => body.generationId)).size).toBe(1);
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(49).fill(200), 202]);
    expect(answers.every(({ status, body }) => body.reused === (status === 200))).toBe(true);
    const { generationId } = answers[0]!.body;
    await ended(generationId, 'audio', as);
    const later = await speak({ text: 'All together now' }, { as, avatar });
    expect([later.status, later.body]).toEqual([
      200,
      expect.objectContaining({ generationId, reused: true, status: 'audio', audioUrl: expect.any(String) }),
    ]);
    expect(await charges(generationId)).toHaveLength(1);
    expect((await balance(person)).available).toBeCloseTo(1 - 0.00144, 6);
  });

  test.each<[string, object]>([
    ['another text', { text: 'Same again!' }],
    ['another mode', { text: 'Same again', textMode: 'personality' }],
    ['another output', { text: 'Same again', output: 'video' }],
    ['another language', { text: 'Same again', language: 'de' }],
  ])('%s is another generation', async (_, body) => {
    const first = await speak({ text: 'Same again' });
    expect((await speak(body)).body.generationId).not.toBe(first.body.generationId);
  });

  test('another caller, or the same through an app, is another generation', async () => {
    const open = await make(ada, { displayName: 'Open', ttsVoiceId: 'noop', publiclyRenderable: true });
    const body = { text: 'Mine alone', avatarOwnerUserId: ada.userId };
    const ids = await Promise.all(
      [ada, bob].map(async ({ apiKey: as }) => (await speak(body, { as, avatar: open })).body.generationId),
    );
    const client = await makeClient(t, ada, { scopes: ['generate'] });
    const as = await tokenFor(t, ada, open.avatarId, client, 'generate');
    ids.push((await speak(body, { as, avatar: open })).body.generationId);
    expect(new Set(ids).size).toBe(3);
  });

  test('another voice, prompt or image of the avatar is another generation', async () => {
    const avatar = await make(ada, { displayName: 'Change', ttsVoiceId: 'noop' });
    const say = async () => (await speak({ text: 'Who am I' }, { avatar })).body.generationId;
    const first = await say();
    expect(await say()).toBe(first);
    await t.app.db.rows('update avatar set personality_prompt = $2 where id = $1', [avatar.avatarId, 'Someone new.']);
    expect(await say()).not.toBe(first);
  });

  test('a failure is reported, charges nothing, and is not repeated', async () => {
    const { person, as, avatar } = await somebody();
    let attempts = 0;
    beforeSpeech = async () => {
      attempts += 1;
      throw new Error('speech: password=hunter2');
    };
    const { body } = await speak({ text: 'This will fail' }, { as, avatar });
    const failed = await ended(body.generationId, 'audio', as);
    beforeSpeech = async () => {};
    expect(failed).toMatchObject({
      status: 'error',
      errorMessage: 'The speech could not be rendered.',
      audioUrl: null,
    });
    expect(attempts).toBe(3);
    expect(await balance(person)).toEqual({ available: 1, held: 0 });
    const again = await speak({ text: 'This will fail' }, { as, avatar });
    expect([again.status, again.body.reused]).toEqual([202, false]);
    expect((await ended(again.body.generationId, 'audio', as)).status).toBe('audio');
  });

  test('an Idempotency-Key replays the first answer', async () => {
    const headers = { 'idempotency-key': 'speak-1' };
    const first = await speak({ text: 'Once by key' }, { headers });
    const again = await speak({ text: 'Once by key' }, { headers });
    expect([again.status, again.body]).toEqual([202, first.body]);
  });
});

describe('a worker that goes away in the middle', () => {
  test('gives the work back; it is done once and charged once', async () => {
    const started = Promise.withResolvers<void>();
    beforeSpeech = async (query) => {
      if (query.text !== 'Interrupted words') return;
      started.resolve();
      // Until the stopping worker aborts it.
      await new Promise((_, reject) => query.signal?.addEventListener('abort', () => reject(query.signal!.reason)));
    };
    const { person, as, avatar } = await somebody();
    const { body } = await speak({ text: 'Interrupted words' }, { as, avatar });
    await started.promise;
    beforeSpeech = async () => {};
    await worker.stop();
    worker = await openWorker(t, engines());
    expect((await ended(body.generationId, 'audio', as)).status).toBe('audio');
    expect(await charges(body.generationId)).toHaveLength(1);
    expect(await balance(person)).toEqual({ available: expect.closeTo(1 - 0.00153, 6), held: 0 });
  });

  test('an attempt that was overtaken leaves neither a charge nor a file', async () => {
    const { person, as, avatar } = await somebody();
    let overtaken = false;
    const accepted = Promise.withResolvers<string>();
    beforeSpeech = async ({ text }) => {
      if (text !== 'Overtaken' || overtaken) return;
      overtaken = true;
      await t.app.speechRenders.render(await accepted.promise, { isLastAttempt: true });
    };
    const id: string = (await speak({ text: 'Overtaken' }, { as, avatar })).body.generationId;
    accepted.resolve(id);
    const done = await ended(id, 'audio', as);
    beforeSpeech = async () => {};
    expect(done.audioUrl).toContain(`${id}-2.m4a`);
    await until(async () => !(await t.app.store.exists(`speech/${id}-1.m4a`)));
    expect(await charges(id)).toHaveLength(1);
    expect((await balance(person)).available).toBeCloseTo(1 - 0.00081, 6);
  });
});
