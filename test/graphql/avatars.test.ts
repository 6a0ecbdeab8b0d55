/** updateAvatar: what an owner changes of an avatar after it was made, within the limits of making it. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';

const UPDATE = `mutation($avatarId: ID!, $input: UpdateAvatarInput!) { updateAvatar(avatarId: $avatarId, input: $input) {
  displayName personalityPrompt knowledgeBaseUrls folderId } }`;
const MADE = {
  displayName: 'Nova',
  personalityPrompt: 'A guide.',
  knowledgeBaseUrls: ['https://example.com/a'],
  folderId: null,
};

let t: TestApp;
let ada: TestUser;
let bob: TestUser;

beforeAll(async () => {
  t = await openTestApp();
  [ada, bob] = [await t.person('Ada'), await t.person('Bob')];
});
afterAll(() => t.close());

const make = async (): Promise<string> =>
  (await t.rest('POST', '/avatars', { as: ada.apiKey, body: { ...MADE, publiclyRenderable: true } })).body.avatarId;
const update = async (avatarId: string, input: object, who = ada) => {
  const { body } = await t.graphql(UPDATE, { avatarId, input }, who.session);
  return body.errors
    ? { code: body.errors[0].extensions.code, message: body.errors[0].message }
    : body.data.updateAvatar;
};
const stored = async (avatarId: string) => {
  const { body } = await t.graphql(
    '{ avatars { nodes { avatarId displayName personalityPrompt knowledgeBaseUrls folderId } } }',
    {},
    ada.session,
  );
  const { avatarId: _, ...rest } = body.data.avatars.nodes.find((avatar: any) => avatar.avatarId === avatarId);
  return rest;
};

describe('updateAvatar', () => {
  test.each<[string, object, object]>([
    ['nothing', {}, {}],
    ['the pages', { knowledgeBaseUrls: ['https://example.com/b', 'http://example.com/c'] }, {}],
    ['no pages', { knowledgeBaseUrls: null }, { knowledgeBaseUrls: [] }],
    ['the personality', { personalityPrompt: ' A pirate. ' }, { personalityPrompt: 'A pirate.' }],
    ['no personality', { personalityPrompt: null }, {}],
    ['the name', { displayName: 'Rosa' }, {}],
  ])('changes %s and leaves the rest', async (_, input, wanted) => {
    const avatarId = await make();
    const after = { ...MADE, ...input, ...wanted };
    expect(await update(avatarId, input)).toEqual(after);
    expect(await stored(avatarId)).toEqual(after);
  });

  test('moves it into an own folder and out of it', async () => {
    const avatarId = await make();
    const { body } = await t.rest('POST', '/avatar-folders', { as: ada.apiKey, body: { name: 'Crew' } });
    const { folderId } = body.folder;
    expect(await update(avatarId, { folderId })).toMatchObject({ folderId });
    expect(await update(avatarId, { displayName: 'Rosa' })).toMatchObject({ folderId });
    expect(await update(avatarId, { folderId: null })).toMatchObject({ folderId: null });
  });

  test.each<[string, object, string]>([
    ['an empty name', { displayName: '  ' }, 'displayName'],
    ['no name', { displayName: null }, 'displayName'],
    ['a long name', { displayName: 'x'.repeat(81) }, 'displayName'],
    ['a long personality', { personalityPrompt: 'x'.repeat(4_001) }, 'personalityPrompt'],
    ['eleven pages', { knowledgeBaseUrls: Array(11).fill('https://example.com') }, 'knowledgeBaseUrls'],
    ['a page that is no address', { knowledgeBaseUrls: ['ftp://example.com'] }, 'knowledgeBaseUrls'],
    ['an unknown folder', { folderId: 'fld_none' }, 'folderId'],
  ])('refuses %s and changes nothing', async (_, input, field) => {
    const avatarId = await make();
    const refused = await update(avatarId, { displayName: 'Rosa', personalityPrompt: 'A pirate.', ...input });
    expect(refused).toMatchObject({ code: 'BAD_INPUT', message: expect.stringContaining(field) });
    expect(await stored(avatarId)).toEqual(MADE);
  });

  test('is not for others, nor for an avatar that does not exist', async () => {
    const avatarId = await make();
    for (const [id, who] of [
      [avatarId, bob],
      ['avt_none', ada],
    ] as const) {
      expect(await update(id, { displayName: 'Mine' }, who)).toMatchObject({ code: 'NOT_FOUND' });
    }
    expect(await stored(avatarId)).toEqual(MADE);
  });

  test('a locked name stays; the rest may change', async () => {
    const avatarId = await make();
    await t.app.db.rows('update avatar set name_locked = true where id = $1', [avatarId]);
    const both = { displayName: 'Rosa', personalityPrompt: 'A pirate.' };
    expect(await update(avatarId, both)).toMatchObject({ code: 'NAME_LOCKED' });
    expect(await stored(avatarId)).toEqual(MADE);
    expect(await update(avatarId, { ...both, displayName: 'Nova' })).toMatchObject({ personalityPrompt: 'A pirate.' });
  });
});
