/** Conversations that are opened, and turns that are accepted: what is answered, what comes of it and what it costs. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  ada,
  balance,
  bob,
  closeConversations,
  inject,
  make,
  mute,
  openConversations,
  SEVEN,
  shown,
  start,
  t,
} from '../../support/conversations.ts';

beforeAll(openConversations);
afterAll(closeConversations);

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
      'select conversation_id, version from conversation_turn group by 1, 2 having count(*) > 1 or version is null',
    );
    expect(doubled).toEqual([]);
    expect((await balance(ada)).held).toBe(0);
  });
});
