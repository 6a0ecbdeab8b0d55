/** The turn pipeline through the REST door (api.md 4.6; R3, R4, R12), with engines that do nothing. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openTestApp, type Person, type TestApp } from '../support/app.ts';

let t: TestApp;
let owner: Person;
let avatar: any;

beforeAll(async () => {
  t = await openTestApp({ work: true });
  owner = await t.person('Ada', 100);
  avatar = (
    await t.rest('POST', '/avatars', {
      as: owner.apiKey,
      body: { displayName: 'Nova', personalityPrompt: 'Kind.', ttsVoiceId: 'noop' },
    })
  ).body.avatar;
});
afterAll(() => t.close());

async function conversation(): Promise<any> {
  const { status, body } = await t.rest('POST', '/conversations', {
    as: owner.apiKey,
    body: { avatarOwnerUserId: owner.userId, avatarId: avatar.avatarId },
  });
  expect(status).toBe(200);
  return body;
}

describe('POST /conversations/{id}/turn', () => {
  test('answers 202 with a pending shell, then the reply comes with its media and is charged once', async () => {
    const { conversationId, shareSlug } = await conversation();
    const { status, body } = await t.rest('POST', `/conversations/${conversationId}/turn`, {
      as: owner.apiKey,
      body: { userText: 'Hello there', output: 'video' },
    });
    expect(status).toBe(202);
    expect(body).toMatchObject({
      async: true,
      turn: { role: 'avatar', status: 'pending', output: 'video', videoUrl: null },
    });
    expect(body.storePath).toBe(`conversations/${conversationId}/turns/${body.turn.id}`);
    const { turns } = await t.settled(shareSlug, owner.apiKey);
    expect(turns.map((turn: any) => [turn.role, turn.status, turn.userText])).toEqual([
      ['user', 'ready', 'Hello there'],
      ['avatar', 'video', null],
    ]);
    expect(turns[1].id).toBe(body.turn.id);
    expect(turns[1].shareSlug).toMatch(/^t-\d\d-\d\d-[a-z0-9]{4}$/);
    expect((await fetch(turns[1].videoUrl)).status).toBe(200);
    expect((await fetch(turns[1].audioUrl)).headers.get('content-type')).toBe('audio/mp4');
    const { body: ledger } = await t.graphql<any>(
      '{ ledgerEntries { entries { kind amount source } } }',
      {},
      owner.session,
    );
    const charges = ledger.data.ledgerEntries.entries.filter((line: any) => line.source === `turn:${body.turn.id}`);
    expect(charges).toHaveLength(1);
    expect(charges[0].amount).toBeLessThan(0);
  });
});
