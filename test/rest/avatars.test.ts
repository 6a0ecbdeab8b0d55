/** Avatars, voices and folders over REST: every documented status, limit and body; what must not happen beside. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import type { Rig } from '../../src/engines/ports/index.ts';
import { rigOf } from '../../src/services/images/image-rig.queries.ts';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { type ImageServer, serveImages } from '../support/image-server.ts';
import { until } from '../support/until.ts';

let t: TestApp;
let imageServer: ImageServer;
let ada: TestUser;
let bob: TestUser;

beforeAll(async () => {
  imageServer = await serveImages();
  t = await openTestApp({ env: { FETCH_ALLOW_HOSTS: imageServer.host } });
  ada = await t.person('Ada');
  bob = await t.person('Bob');
});
afterAll(async () => {
  await t.close();
  await imageServer.close();
});

const create = (body: object, as = ada.apiKey) => t.rest('POST', '/avatars', { as, body });
const avatarsOf = async (person: TestUser) => (await t.rest('GET', '/avatars', { as: person.apiKey })).body.avatars;

describe('POST /avatars', () => {
  test('answers the avatar beside its two ids, with every documented field', async () => {
    const { status, body } = await create({
      displayName: 'Nova',
      imageUrl: `${imageServer.url}/face.png`,
      personalityPrompt: 'You are kind.',
      voiceId: 'noop',
      knowledgeBaseUrls: ['https://example.com/a'],
    });
    expect(status).toBe(200);
    expect(body.avatarId).toBe(body.avatar.avatarId);
    expect(body.avatarOwnerUserId).toBe(ada.userId);
    expect(body.avatar).toEqual({
      avatarId: expect.stringMatching(/^avt_/),
      avatarOwnerUserId: ada.userId,
      avatarOwnerDisplayName: 'Ada',
      avatarOwnerStreamUsername: null,
      displayName: 'Nova',
      avatarImageUrl: expect.stringContaining(`${t.app.config.BASE_URL}/media/avatars/`),
      personalityPrompt: 'You are kind.',
      ttsVoiceId: 'noop',
      publiclyRenderable: false,
      createdAt: expect.any(Number),
      updatedAt: expect.any(Number),
      folderId: null,
      nameLocked: false,
      knowledgeBaseUrls: ['https://example.com/a'],
    });
    const image = await fetch(body.avatar.avatarImageUrl);
    expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  });

  test('without imageUrl a portrait is there all the same', async () => {
    const { body } = await create({ displayName: 'Drawn' });
    expect((await fetch(body.avatar.avatarImageUrl)).status).toBe(200);
  });

  test('an image is served in a few smaller sizes, and as it is in every other', async () => {
    const { body } = await create({ displayName: 'Small', imageUrl: `${imageServer.url}/face.png` });
    const url = body.avatar.avatarImageUrl;
    const look = async (query: string) => {
      const answer = await fetch(url + query);
      const { width } = await sharp(await answer.arrayBuffer()).metadata();
      return { width, headers: answer.headers };
    };
    const whole = await look('');
    expect(whole.width).toBe(320);
    for (const side of [96, 192]) expect((await look(`&w=${side}`)).width).toBe(side);
    for (const side of ['640', '97', '', '1e9', '-1', 'x', '96&w=96']) {
      expect([side, (await look(`&w=${side}`)).width]).toEqual([side, whole.width]);
    }
    const { headers } = await look('&w=96');
    expect(headers.get('cache-control')).toBe(whole.headers.get('cache-control'));
    expect(Number(headers.get('content-length'))).toBeLessThan(12_000);
    const again = await fetch(`${url}&w=96`, { headers: { 'if-none-match': headers.get('etag')! } });
    expect(again.status).toBe(304);
    // Made before or not: who deletes the avatar takes them along.
    await t.rest('DELETE', `/avatars/${body.avatarId}`, { as: ada.apiKey });
    await until(async () => (await fetch(`${url}&w=96`).then(({ status }) => status)) === 404);
  });

  test.each<[string, object, string]>([
    ['no name', {}, 'displayName is required.'],
    ['blank name', { displayName: '  ' }, 'displayName must not be empty.'],
    ['81 characters', { displayName: 'x'.repeat(81) }, 'displayName must have at most 80 characters.'],
    ['81 emoji', { displayName: '🙂'.repeat(81) }, 'displayName must have at most 80 characters.'],
    ['number', { displayName: 7 }, 'displayName must be a string.'],
    [
      'long prompt',
      { displayName: 'x', personalityPrompt: 'x'.repeat(4001) },
      'personalityPrompt must have at most 4000 characters.',
    ],
    [
      '11 pages',
      { displayName: 'x', knowledgeBaseUrls: Array(11).fill('https://a.b') },
      'knowledgeBaseUrls must have at most 10 items.',
    ],
    [
      'bad page',
      { displayName: 'x', knowledgeBaseUrls: ['ftp://a.b'] },
      'knowledgeBaseUrls must be an http or https address.',
    ],
    ['unknown voice', { displayName: 'x', ttsVoiceId: 'nobody' }, 'ttsVoiceId is not in your voice list.'],
    ['unknown voice by its other name', { displayName: 'x', voiceId: 'nobody' }, 'voiceId is not in your voice list.'],
    [
      'two voices, by both names',
      { displayName: 'x', ttsVoiceId: 'noop', voiceId: 'other' },
      'voiceId is another name of ttsVoiceId: give one of them.',
    ],
    ['voice that is no text, by its other name', { displayName: 'x', voiceId: 1 }, 'voiceId must be a string.'],
    ['unknown folder', { displayName: 'x', folderId: 'fld_x' }, 'folderId is not one of your folders.'],
    ['no address', { displayName: 'x', imageUrl: 'hello' }, 'imageUrl must be an http or https address.'],
    ['private address', { displayName: 'x', imageUrl: 'http://127.0.0.1:1/a.png' }, 'imageUrl could not be fetched.'],
  ])('400 for %s names the field and makes nothing', async (_, body, error) => {
    const before = (await avatarsOf(ada)).length;
    const answer = await create(body);
    expect([answer.status, answer.body.error]).toEqual([400, error]);
    expect(answer.body).toMatchObject({ code: 'BAD_INPUT', requestId: expect.any(String) });
    expect(await avatarsOf(ada)).toHaveLength(before);
  });

  test.each(['/page.html', '/fake.png', '/vector.svg', '/gone.png'])('400 for imageUrl %s', async (path) => {
    const { status, body } = await create({ displayName: 'x', imageUrl: imageServer.url + path });
    expect(status).toBe(400);
    expect(body.error).toMatch(/^imageUrl /);
  });

  test('80 emoji are 80 characters', async () => {
    expect((await create({ displayName: '🙂'.repeat(80) })).status).toBe(200);
  });
});

describe('PATCH /avatars/{id}', () => {
  test('changes only the name; others, unknown ids and blank names are refused', async () => {
    const { avatar } = (await create({ displayName: 'Old', personalityPrompt: 'Stays.' })).body;
    const path = `/avatars/${avatar.avatarId}`;
    const renamed = await t.rest('PATCH', path, { as: ada.apiKey, body: { displayName: 'New' } });
    expect(renamed.body.avatar).toMatchObject({ displayName: 'New', personalityPrompt: 'Stays.' });
    const refused: [string, object, number][] = [
      [ada.apiKey, {}, 400],
      [ada.apiKey, { displayName: ' ' }, 400],
      [bob.apiKey, { displayName: 'Mine' }, 404],
    ];
    for (const [as, body, status] of refused) expect((await t.rest('PATCH', path, { as, body })).status).toBe(status);
    expect((await t.rest('PATCH', '/avatars/avt_none', { as: ada.apiKey, body: { displayName: 'x' } })).status).toBe(
      404,
    );
  });

  test('403 while the streaming platform manages the name', async () => {
    const { avatarId } = (await create({ displayName: 'Locked' })).body;
    await t.app.db.rows('update avatar set name_locked = true where id = $1', [avatarId]);
    const { status, body } = await t.rest('PATCH', `/avatars/${avatarId}`, {
      as: ada.apiKey,
      body: { displayName: 'x' },
    });
    expect([status, body.code]).toEqual([403, 'NAME_LOCKED']);
  });
});

describe('the public list and toggle', () => {
  test('only public avatars are listed, without prompts, to anyone', async () => {
    const { avatarId } = (await create({ displayName: 'Open', personalityPrompt: 'secret ways' })).body;
    const listed = async () =>
      (await t.rest('GET', '/avatars/public')).body.avatars.find((avatar: any) => avatar.avatarId === avatarId);
    expect(await listed()).toBeUndefined();
    const toggle = (as: string, body: object) => t.rest('POST', `/avatars/${avatarId}/public`, { as, body });
    expect((await toggle(bob.apiKey, { publiclyRenderable: true })).status).toBe(404);
    expect((await toggle(ada.apiKey, {})).body.error).toBe('publiclyRenderable is required.');
    expect((await toggle(ada.apiKey, { publiclyRenderable: 'yes' })).body.error).toBe(
      'publiclyRenderable must be true or false.',
    );
    expect((await toggle(ada.apiKey, { publiclyRenderable: true })).body.avatar.publiclyRenderable).toBe(true);
    const found = await listed();
    expect(found).toMatchObject({ displayName: 'Open', avatarOwnerDisplayName: 'Ada' });
    expect(JSON.stringify(found)).not.toContain('secret ways');
    await toggle(ada.apiKey, { publiclyRenderable: false });
    expect(await listed()).toBeUndefined();
  });
});

test('a face searched anew is kept with its still, unless its owner has said where it is meanwhile', async () => {
  const { avatarId } = (await create({ displayName: 'One' })).body;
  const stored = async () =>
    (await t.app.db.rows<any>('select media_key, rig from avatar_image where avatar_id = $1', [avatarId]))[0]!;
  const set = (rig: Rig) =>
    t.app.db.rows('update avatar_image set rig = $1 where avatar_id = $2', [JSON.stringify(rig), avatarId]);
  const face = (version: Rig['version'], y: number): Rig => {
    const eye = { x: 0.4, y: 0.4, rx: 0.05, ry: 0.02 };
    const box = { x: 0.2, y: 0.2, w: 0.6, h: 0.7 };
    return {
      version,
      source: 'detected',
      face: box,
      leftEye: eye,
      rightEye: { ...eye, x: 0.6 },
      mouth: { x: 0.5, y, w: 0.2, h: 0.05 },
      chin: { x: 0.5, y: 0.9 },
    };
  };
  await set(face(2, 0.7));
  const { media_key: imageKey, rig } = await stored();
  const { keepRig } = rigOf(t.app, { imageKey, rig, ownerUserId: ada.userId });
  await keepRig!(face(4, 0.71));
  expect((await stored()).rig).toEqual(face(4, 0.71));
  await set(face(1, 0.75));
  await keepRig!(face(4, 0.72));
  expect((await stored()).rig).toEqual(face(1, 0.75));
});

describe('voices', () => {
  test('presets, then custom voices of the caller alone; a custom voice may be given to an avatar', async () => {
    const { avatarId } = (await create({ displayName: 'Voiced' })).body;
    const made = await t.graphql<any>(
      'mutation($input: CreateCustomVoiceInput!) { createCustomVoice(input: $input) { id name source } }',
      { input: { avatarId, name: 'Deep', baseVoiceId: 'noop', pitch: -4 } },
      ada.session,
    );
    const voice = made.body.data.createCustomVoice;
    const voicesOf = async (person: TestUser) => (await t.rest('GET', '/voices', { as: person.apiKey })).body.voices;
    expect(await voicesOf(ada)).toEqual([
      { id: 'noop', name: 'Nobody', source: 'preset' },
      { id: voice.id, name: 'Deep', source: 'custom' },
    ]);
    expect(await voicesOf(bob)).toEqual([{ id: 'noop', name: 'Nobody', source: 'preset' }]);
    const give = (as: string, body: object) => t.rest('POST', `/avatars/${avatarId}/voice`, { as, body });
    expect((await give(ada.apiKey, { voiceId: voice.id })).body.avatar.ttsVoiceId).toBe(voice.id);
    expect((await give(ada.apiKey, {})).status).toBe(400);
    expect((await give(ada.apiKey, { voiceId: 'nobody' })).status).toBe(400);
    expect((await give(bob.apiKey, { voiceId: 'noop' })).status).toBe(404);
    // Deleted by its owner alone; who spoke with it speaks with the preset it was made from.
    const remove = async (as: string) =>
      (
        await t.graphql<any>(
          'mutation($id: ID!) { deleteCustomVoice(voiceId: $id) { deletedId changedAvatars ttsVoiceId } }',
          { id: voice.id },
          as,
        )
      ).body;
    expect((await remove(bob.session)).errors![0].extensions.code).toBe('NOT_FOUND');
    const sample = 'query($id: ID!) { voiceSample(baseVoiceId: $id) }';
    const heard = await t.graphql<any>(sample, { id: voice.id }, ada.session);
    expect(Buffer.from(heard.body.data.voiceSample, 'base64').toString('latin1', 0, 4)).toBe('RIFF');
    expect((await t.graphql<any>(sample, { id: voice.id }, bob.session)).body.errors![0].extensions.code).toBe(
      'BAD_INPUT',
    );
    expect((await remove(ada.session)).data.deleteCustomVoice).toEqual({
      deletedId: voice.id,
      changedAvatars: 1,
      ttsVoiceId: 'noop',
    });
    expect(await voicesOf(ada)).toEqual([{ id: 'noop', name: 'Nobody', source: 'preset' }]);
    const { avatars } = (await t.rest('GET', '/avatars', { as: ada.apiKey })).body;
    expect(avatars.find((one: any) => one.avatarId === avatarId).ttsVoiceId).toBe('noop');
    expect((await remove(ada.session)).errors![0].extensions.code).toBe('NOT_FOUND');
  });

  /** Who waits for that connection. Not asked by it: a transaction sees one moment of this view. */
  const blockedBy = (pid: number) =>
    until(async () => {
      const found = 'select pid from pg_stat_activity where $1::int = any(pg_blocking_pids(pid))';
      return (await t.app.db.rows<{ pid: number }>(found, [pid]))[0]?.pid;
    });

  test('an avatar whose voice is just being given to it is deleted behind that', async () => {
    const { avatarId } = (await create({ displayName: 'One' })).body;
    const made = await t.graphql<any>(
      'mutation($input: CreateCustomVoiceInput!) { createCustomVoice(input: $input) { id } }',
      { input: { avatarId, name: 'Deep', baseVoiceId: 'noop' } },
      ada.session,
    );
    const { deleting } = await t.app.db.transaction(async (tx) => {
      const held = 'select pg_backend_pid() as pid from custom_voice where id = $1 for share';
      const [own] = await tx.rows<{ pid: number }>(held, [made.body.data.createCustomVoice.id]);
      const deleting = t.rest('DELETE', `/avatars/${avatarId}`, { as: ada.apiKey });
      await blockedBy(own!.pid);
      await tx.rows('update avatar set tts_voice_id = $1 where id = $2', [
        made.body.data.createCustomVoice.id,
        avatarId,
      ]);
      return { deleting };
    });
    expect((await deleting).status).toBe(200);
  });

  test('a custom voice that is being deleted is given to no avatar', async () => {
    const [speaking, other] = [await create({ displayName: 'One' }), await create({ displayName: 'Two' })];
    const made = await t.graphql<any>(
      'mutation($input: CreateCustomVoiceInput!) { createCustomVoice(input: $input) { id } }',
      { input: { avatarId: speaking.body.avatarId, name: 'Gone', baseVoiceId: 'noop' } },
      ada.session,
    );
    const { id } = made.body.data.createCustomVoice;
    const give = (avatarId: string) =>
      t.rest('POST', `/avatars/${avatarId}/voice`, { as: ada.apiKey, body: { voiceId: id } });
    expect((await give(speaking.body.avatarId)).status).toBe(200);
    let answered = false;
    const remove = 'mutation($id: ID!) { deleteCustomVoice(voiceId: $id) { changedAvatars } }';
    const { removing, giving } = await t.app.db.transaction(async (tx) => {
      const locked = 'select pg_backend_pid() as pid from avatar where id = $1 for update';
      const [own] = await tx.rows<{ pid: number }>(locked, [speaking.body.avatarId]);
      // Holds the voice, and waits for the avatar that speaks with it.
      const removing = t.graphql<any>(remove, { id }, ada.session);
      const remover = await blockedBy(own!.pid);
      const giving = give(other.body.avatarId).finally(() => {
        answered = true;
      });
      await Promise.race([blockedBy(remover), giving]);
      expect(answered).toBe(false);
      return { removing, giving };
    });
    expect((await removing).body.data.deleteCustomVoice.changedAvatars).toBe(1);
    expect((await giving).body).toMatchObject({ error: 'voiceId is not in your voice list.' });
    const voices = (await avatarsOf(ada)).map(({ ttsVoiceId }: any) => ttsVoiceId);
    expect(voices).not.toContain(id);
  });

  test.each<[object, string]>([
    [{ baseVoiceId: 'nobody' }, 'baseVoiceId'],
    [{ pitch: 13 }, 'pitch'],
    [{ rate: 0.1 }, 'rate'],
    [{ variant: 'nobody' }, 'variant'],
    [{ name: '' }, 'name'],
  ])('a custom voice with %j is refused by name', async (fault, field) => {
    const { avatarId } = (await create({ displayName: 'Voiced' })).body;
    const { body } = await t.graphql(
      'mutation($input: CreateCustomVoiceInput!) { createCustomVoice(input: $input) { id } }',
      { input: { avatarId, name: 'Deep', baseVoiceId: 'noop', ...fault } },
      ada.session,
    );
    expect(body.errors![0].message).toMatch(new RegExp(`^${field} `));
    expect(body.errors![0].extensions.code).toBe('BAD_INPUT');
  });
});

describe('GET /avatars/{id}/images', () => {
  test('own always, others only when public; added images have ids, the primary has none', async () => {
    const { avatarId } = (await create({ displayName: 'Seen' })).body;
    const added = await t.graphql<any>(
      'mutation($id: ID!, $url: String!) { addAvatarImage(avatarId: $id, imageUrl: $url) { url assetId isPrimary } }',
      { id: avatarId, url: `${imageServer.url}/face.png` },
      ada.session,
    );
    expect(added.body.data.addAvatarImage).toMatchObject({ isPrimary: false, assetId: expect.stringMatching(/^img_/) });
    const own = await t.rest('GET', `/avatars/${avatarId}/images`, { as: ada.apiKey });
    expect(own.body).toMatchObject({ avatarId, avatarOwnerUserId: ada.userId });
    expect(own.body.images.map((image: any) => [image.isPrimary, image.assetId === null])).toEqual([
      [true, true],
      [false, false],
    ]);
    expect(own.body.primary).toBe(own.body.images[0].url);
    const theirs = (query: string) => t.rest('GET', `/avatars/${avatarId}/images${query}`, { as: bob.apiKey });
    expect((await theirs('')).status).toBe(404);
    expect((await theirs(`?avatarOwnerUserId=${ada.userId}`)).status).toBe(403);
    await t.rest('POST', `/avatars/${avatarId}/public`, { as: ada.apiKey, body: { publiclyRenderable: true } });
    expect((await theirs(`?avatarOwnerUserId=${ada.userId}`)).body.images).toHaveLength(2);
    expect((await theirs(`?avatarOwnerUserId=${bob.userId}`)).status).toBe(404);
  });
});

describe('avatar folders', () => {
  test('are made, listed to their owner, and deleted without their avatars', async () => {
    const made = await t.rest('POST', '/avatar-folders', {
      as: ada.apiKey,
      body: { name: 'Cast', icon: `${imageServer.url}/face.png` },
    });
    const { folder } = made.body;
    expect(folder).toMatchObject({ folderId: expect.stringMatching(/^fld_/), name: 'Cast' });
    expect((await fetch(folder.icon)).status).toBe(200);
    const filed = (await create({ displayName: 'Filed', folderId: folder.folderId })).body.avatar;
    expect(filed.folderId).toBe(folder.folderId);
    expect((await t.rest('GET', '/avatar-folders', { as: bob.apiKey })).body.folders).toEqual([]);
    const remove = (as: string) => t.rest('DELETE', `/avatar-folders/${folder.folderId}`, { as });
    expect((await remove(bob.apiKey)).status).toBe(404);
    expect((await remove(ada.apiKey)).body).toEqual({ ok: true, folderId: folder.folderId, unfiledAvatars: 1 });
    expect((await remove(ada.apiKey)).status).toBe(404);
    const kept = (await avatarsOf(ada)).find((avatar: any) => avatar.avatarId === filed.avatarId);
    expect(kept.folderId).toBeNull();
  });

  test.each<[object, string]>([
    [{}, 'name is required.'],
    [{ name: '' }, 'name must not be empty.'],
    [{ name: 'x', icon: 'nope' }, 'icon must be an http or https address.'],
  ])('%j is refused', async (body, error) => {
    const answer = await t.rest('POST', '/avatar-folders', { as: ada.apiKey, body });
    expect([answer.status, answer.body.error]).toEqual([400, error]);
  });
});
