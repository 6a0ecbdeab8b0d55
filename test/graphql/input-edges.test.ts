/** Inputs at the edge of what can be kept: each is refused, by its field. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';

let t: TestApp;
let ada: TestUser;
let avatarId: string;

beforeAll(async () => {
  t = await openTestApp();
  ada = await t.person();
  avatarId = (await t.rest('POST', '/avatars', { as: ada.apiKey, body: { displayName: 'Nova' } })).body.avatarId;
});
afterAll(() => t.close());

const TALK = (cap: string) =>
  `mutation($avatarId: ID!, $value: Credits) { setTalkSettings(input: { avatarId: $avatarId, ${cap}: $value }) { settings { url } } }`;
const CAP =
  'mutation($avatarId: ID!, $value: Credits) { setAvatarNonOwnerCap(input: { avatarId: $avatarId, creditsPerDay: $value }) { avatarId } }';
const HOOK =
  'mutation($value: ID) { createWebhookEndpoint(input: { url: "https://a.example/", events: ["turn.completed"], clientId: $value }) { secret } }';
const CAPTION = 'query($value: BCP47!) { translatedCaption(turnId: "t-none", language: $value) { text } }';

test.each([
  ['a cap beyond what PostgreSQL counts', CAP, 9_300_000_000_000, 'BAD_INPUT', 'creditsPerDay must be at most'],
  ['a cap of all visitors', TALK('creditsPerDay'), 10_000_000_000_000, 'BAD_INPUT', 'creditsPerDay must be at most'],
  ['a cap of one visitor', TALK('creditsPerVisitor'), 1e14, 'BAD_INPUT', 'creditsPerVisitor must be at most'],
  ['the empty id of an app', HOOK, '', 'NOT_FOUND', 'App not found.'],
  ['a language that is none', CAPTION, 'zz-ZZ-zz', 'BAD_INPUT', 'language must be a language code'],
])('%s', async (_, query, value, code, message) => {
  const { body } = await t.graphql(query, query.includes('$avatarId') ? { avatarId, value } : { value }, ada.session);
  expect(body.errors).toEqual([
    expect.objectContaining({
      message: expect.stringContaining(message),
      extensions: expect.objectContaining({ code }),
    }),
  ]);
});

test('what is not seen, and would turn the words behind it round, is not kept; lines are', async () => {
  const body = { displayName: '\u202eN\u2067ova\u0007 ', personalityPrompt: 'One.\n\tTwo \u202dthree.' };
  const { avatar } = (await t.rest('POST', '/avatars', { as: ada.apiKey, body })).body;
  expect([avatar.displayName, avatar.personalityPrompt]).toEqual(['Nova', 'One.\n\tTwo three.']);
  const { status } = await t.rest('POST', '/avatars', { as: ada.apiKey, body: { displayName: '\u202e' } });
  expect(status).toBe(400);
});

test('the largest cap is kept', async () => {
  const { body } = await t.graphql<any>(
    CAP.replace('{ avatarId }', '{ nonOwnerCapPerDay }'),
    { avatarId, value: 1e12 },
    ada.session,
  );
  expect(body.data.setAvatarNonOwnerCap.nonOwnerCapPerDay).toBe(1e12);
});
