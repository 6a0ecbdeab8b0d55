/** What the hourly retention cleanup removes, and what it must leave: answers, sessions, and fragments of finished videos. */
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import sharp from 'sharp';
import { InjectionEntity } from '../../schema/entities/turns.ts';
import { createNoopEngines } from '../../src/engines/noop/index.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/kernel/clock.ts';
import { newId } from '../../src/kernel/ids.ts';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { approve, makeAvatar, makeClient, newPkce } from '../support/oauth.ts';
import { until } from '../support/until.ts';

let t: TestApp;
let ada: TestUser;
let nowMs = Date.now();

beforeAll(async () => {
  t = await openTestApp({
    work: true,
    clock: { now: () => nowMs },
    engines: { ...createNoopEngines(), close: async () => {} },
    env: { KEEP_JOB_HOURS: '5' },
  });
  ada = await t.person('Ada', 10);
});
afterAll(() => t.close());

const pieces = (key: string) => t.app.store.readFragments(key)[Symbol.asyncIterator]().next();

test('fragments stay while a link to them lives, and go afterwards; the video stays', async () => {
  const avatarId = await makeAvatar(t, ada);
  await t.rest('POST', `/avatars/${avatarId}/voice`, { as: ada.apiKey, body: { voiceId: 'noop' } });
  const body = { avatarOwnerUserId: ada.userId, avatarId };
  const { shareSlug } = (await t.rest('POST', '/conversations', { as: ada.apiKey, body })).body;
  const turn = { userText: 'Hi', output: 'video', avatarText: 'Hello.' };
  const { id } = (await t.rest('POST', `/conversations/${shareSlug}/turn`, { as: ada.apiKey, body: turn })).body.turn;
  await t.settled(shareSlug, ada.apiKey);
  const [{ streamKey, videoKey } = { streamKey: '', videoKey: '' }] = await t.app.db.rows<any>(
    'select stream_key as "streamKey", video_key as "videoKey" from conversation_turn where id = $1',
    [id],
  );
  // What a worker that was killed before this attempt would have left.
  const lost = streamKey.replace('-1-live.mp4', '-0.m4a').replace('-0.', '-1.');
  await t.app.db.rows('update conversation_turn set attempt = 2 where id = $1', [id]);
  await t.app.store.put(`${videoKey.slice(0, -4)}-x.mp4`, new Uint8Array(8), { contentType: 'video/mp4' });

  expect((await t.app.retentionCleanup.run()).streams).toBe(0);
  // As if its rendering had waited for three hours: the link to its stream is as young as before.
  await t.app.db.rows('update conversation_turn set created_at = created_at - $2 where id = $1', [id, 3 * HOUR_MS]);
  expect((await t.app.retentionCleanup.run()).streams).toBe(0);
  expect((await pieces(streamKey)).done).toBe(false);
  nowMs += 3 * HOUR_MS;
  expect((await t.app.retentionCleanup.run()).streams).toBe(1);
  const [{ left } = { left: 1 }] = await t.app.db.rows<any>(
    'select count(*)::int as left from conversation_turn where stream_key is not null',
  );
  expect(left).toBe(0);
  expect(await t.app.store.exists(videoKey)).toBe(true);
  // Shown media are kept although an earlier attempt made them.
  expect(await t.app.store.exists(lost)).toBe(true);
  expect((await t.app.retentionCleanup.run()).streams).toBe(0);
});

test('an app that registered itself goes when no user allowed it anything within a day; those of owners stay', async () => {
  const redirectUri = 'http://localhost:8090/callback';
  const register = async () =>
    (await t.rest('POST', '/oauth/register', { body: { redirect_uris: [redirectUri] } })).body.client_id;
  const [allowed, unused, owned] = [await register(), await register(), (await makeClient(t, ada)).clientId];
  const { challenge } = newPkce();
  const pkce = { codeChallenge: challenge, codeChallengeMethod: 'S256' };
  await approve(t, ada, await makeAvatar(t, ada), { clientId: allowed, redirectUri, scope: 'generate', ...pkce });
  const standing = async () => (await t.app.db.rows<{ id: string }>('select id from oauth_client')).map(({ id }) => id);
  expect((await t.app.retentionCleanup.run()).unusedApps).toBe(0);
  nowMs += DAY_MS + 1;
  expect((await t.app.retentionCleanup.run()).unusedApps).toBe(1);
  expect((await standing()).sort()).toEqual([allowed, owned].sort());
  expect(await standing()).not.toContain(unused);
});

test('the file of an unused upload goes although the store was away when its row went', async () => {
  const { body } = await t.graphql<any>('mutation { createUpload { uploadId uploadUrl } }', {}, ada.session);
  const { uploadId, uploadUrl } = body.data.createUpload;
  const png = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#336699' } })
    .png()
    .toBuffer();
  const { pathname, search } = new URL(uploadUrl);
  const sent = await fetch(t.url + pathname + search, { method: 'PUT', body: Uint8Array.from(png) });
  expect({ status: sent.status, body: await sent.text() }).toMatchObject({ status: 200 });
  const [{ key } = { key: '' }] = await t.app.db.rows<{ key: string }>(
    'select media_key as key from upload where id = $1',
    [uploadId],
  );
  expect(await t.app.store.exists(key)).toBe(true);

  nowMs += 2 * DAY_MS;
  const { remove } = t.app.store;
  t.app.store.remove = () => Promise.reject(new Error('The store is away.'));
  expect((await t.app.retentionCleanup.run()).uploads).toBe(1);
  t.app.store.remove = remove;
  expect(await t.app.store.exists(key)).toBe(true);
  await until(async () => {
    nowMs += MINUTE_MS;
    await t.app.removals.round();
    return !(await t.app.store.exists(key));
  });
});

test('answers go when they are no longer replayed, sessions when they ended a week ago', async () => {
  const headers = { 'idempotency-key': 'once' };
  const body = { prompt: 'a red kite', model: 'default' };
  const asked = () => t.rest('POST', '/images/generate', { as: ada.apiKey, body, headers });
  await asked();
  const count = async (table: string) => (await t.app.db.rows<any>(`select count(*)::int as n from ${table}`))[0]!.n;
  const before = { answers: await count('idempotency_key'), sessions: await count('session') };
  expect(before.answers).toBe(1);
  await t.app.retentionCleanup.run();
  expect({ answers: await count('idempotency_key'), sessions: await count('session') }).toEqual(before);
  nowMs += 2 * DAY_MS;
  await t.app.retentionCleanup.run();
  expect(await count('idempotency_key')).toBe(0);
  expect(await count('session')).toBe(before.sessions);
  nowMs += 40 * DAY_MS;
  // A worker that stops begins no further step.
  await t.app.retentionCleanup.run(AbortSignal.abort());
  expect(await count('session')).toBe(before.sessions);
  await t.app.retentionCleanup.run();
  expect(await count('session')).toBe(0);
});

test('by configuration what users made is deleted when it is old, and nothing else is', async () => {
  const config = (days: object) =>
    Object.assign(t.app.config, { KEEP_MEDIA_DAYS: 0, KEEP_CONVERSATION_DAYS: 0, ...days });
  const avatarId = await makeAvatar(t, ada);
  await t.rest('POST', `/avatars/${avatarId}/voice`, { as: ada.apiKey, body: { voiceId: 'noop' } });
  const begin = async () =>
    (await t.rest('POST', '/conversations', { as: ada.apiKey, body: { avatarOwnerUserId: ada.userId, avatarId } })).body
      .shareSlug;
  const sayIn = async (slug: string) => {
    const body = { userText: 'Hi', output: 'audio', avatarText: 'Hello.' };
    await t.rest('POST', `/conversations/${slug}/turn`, { as: ada.apiKey, body });
    await t.settled(slug, ada.apiKey);
  };
  const statusOf = async (slug: string) =>
    (await t.rest('GET', `/conversations/by-slug/${slug}`, { as: ada.apiKey })).status;
  const turnsIn = async (slug: string) =>
    (await t.rest('GET', `/conversations/by-slug/${slug}`, { as: ada.apiKey })).body.turns.length;
  const draw = () =>
    t.rest('POST', '/images/generate', { as: ada.apiKey, body: { prompt: 'a kite', model: 'default' } });
  const imageUrl = (await draw()).body.imageUrl;
  const speak = { text: 'A recording of its own.', output: 'audio' };
  const { poll } = (await t.rest('POST', `/avatars/${avatarId}/speak`, { as: ada.apiKey, body: speak })).body;
  await until(async () => (await t.rest('GET', poll, { as: ada.apiKey })).body.status === 'audio');
  const [left, goneOn] = [await begin(), await begin()];
  for (const slug of [left, goneOn]) await sayIn(slug);
  const ledger = async () => (await t.app.db.rows<any>('select count(*)::int as n from ledger_entry'))[0]!.n;
  const none = { images: 0, videos: 0, speech: 0, turns: 0, conversations: 0 };

  nowMs += 31 * DAY_MS;
  await sayIn(goneOn);
  await draw();
  const booked = await ledger();
  expect(await t.app.retention.run()).toEqual(none);
  config({ KEEP_MEDIA_DAYS: 40 });
  const older = await t.app.retention.run();
  config({ KEEP_MEDIA_DAYS: 30 });
  expect(await t.app.retention.run()).toMatchObject({ images: 1, speech: 1, turns: 0 });
  expect((await t.rest('GET', poll, { as: ada.apiKey })).status).toBe(404);
  await until(async () => (await fetch(imageUrl)).status === 404);
  expect([await turnsIn(left), await turnsIn(goneOn)]).toEqual([2, 4]);

  config({ KEEP_CONVERSATION_DAYS: 30 });
  expect(await t.app.retention.run()).toMatchObject({ images: 0, conversations: expect.any(Number) });
  expect([await statusOf(left), await turnsIn(goneOn)]).toEqual([404, 2]);
  expect(await t.app.retention.run()).toEqual(none);
  expect(await ledger()).toBe(booked);
  expect(older.speech).toBe(0);
  config({});
});

test('a conversation that gets a turn while it is being deleted stays', async () => {
  const avatarId = await makeAvatar(t, ada);
  const body = { avatarOwnerUserId: ada.userId, avatarId };
  const { conversationId } = (await t.rest('POST', '/conversations', { as: ada.apiKey, body })).body;
  nowMs += 31 * DAY_MS;
  Object.assign(t.app.config, { KEEP_MEDIA_DAYS: 0, KEEP_CONVERSATION_DAYS: 30 });
  const { run } = await t.app.db.transaction(async (tx) => {
    await tx.rows('select 1 from conversation where id = $1 for update', [conversationId]);
    const started = { run: t.app.retention.run() };
    const waiting = "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
    await until(async () => (await t.app.db.rows(waiting)).length > 0);
    const said = { id: newId('inj'), conversation: conversationId, number: 1, state: 'done', request: {} } as const;
    tx.em.create(InjectionEntity, { ...said, createdAt: nowMs });
    return started;
  });
  Object.assign(t.app.config, { KEEP_CONVERSATION_DAYS: 0 });
  await run;
  expect((await t.rest('GET', `/conversations/${conversationId}`, { as: ada.apiKey })).status).toBe(200);
});

test('what is old goes although it takes longer to find than a batch may last', async () => {
  await t.rest('POST', '/images/generate', { as: ada.apiKey, body: { prompt: 'a kite', model: 'default' } });
  nowMs += 31 * DAY_MS;
  Object.assign(t.app.config, { KEEP_MEDIA_DAYS: 30, KEEP_CONVERSATION_DAYS: 0 });
  const fast = t.app.db.em;
  const slow = jest.spyOn(t.app.db, 'em').mockImplementation(() => {
    const em = fast();
    const find = em.find.bind(em);
    return Object.assign(em, {
      find: (...of: Parameters<typeof find>) => wait(1.2 * SECOND_MS).then(() => find(...of)),
    });
  });
  const { images } = await t.app.retention.run(AbortSignal.timeout(15 * SECOND_MS));
  slow.mockRestore();
  Object.assign(t.app.config, { KEEP_MEDIA_DAYS: 0 });
  expect(images).toBeGreaterThan(0);
});

test('what is old goes in one run however much it is, once where two workers are at it', async () => {
  const draw = () =>
    t.rest('POST', '/images/generate', { as: ada.apiKey, body: { prompt: 'a kite', model: 'default' } });
  await draw();
  await t.person('Bea');
  // More than one batch of each.
  const copies = (table: string, count: number, changed: string) =>
    t.app.db.rows(`insert into ${table} select (jsonb_populate_record(o, jsonb_build_object(${changed}))).*
      from ${table} o, generate_series(1, ${count}) g where o.id = (select max(id) from ${table})`);
  await copies('image_generation', 120, `'id', o.id || g, 'media_key', 'images/' || g || '.jpg'`);
  await copies('session', 2_500, `'id', o.id || g`);
  const avatarId = await makeAvatar(t, ada);
  const body = { avatarOwnerUserId: ada.userId, avatarId };
  await t.rest('POST', '/conversations', { as: ada.apiKey, body });
  await copies('conversation', 120, `'id', o.id || g, 'share_slug', 'copy-' || g, 'viewer_token', 'copy-' || g`);
  nowMs += 40 * DAY_MS;
  Object.assign(t.app.config, { KEEP_MEDIA_DAYS: 30, KEEP_CONVERSATION_DAYS: 30 });
  const warned = jest.spyOn(t.app.log, 'warn');
  const count = async (table: string) => (await t.app.db.rows<any>(`select count(*)::int as n from ${table}`))[0]!.n;
  const there = { images: await count('image_generation'), sessions: await count('session') };
  const spokenIn = 'conversation c where exists (select 1 from injection where conversation_id = c.id)';
  const deleted = await Promise.all([t.app.retention.run(), t.app.retention.run()]);
  const removed = await Promise.all([t.app.retentionCleanup.run(), t.app.retentionCleanup.run()]);
  Object.assign(t.app.config, { KEEP_MEDIA_DAYS: 0, KEEP_CONVERSATION_DAYS: 0 });
  expect(deleted[0].images + deleted[1].images).toBe(there.images);
  expect(deleted[0].conversations + deleted[1].conversations).toBeGreaterThan(120);
  expect(removed[0].sessions + removed[1].sessions).toBe(there.sessions);
  expect([await count('image_generation'), await count('session')]).toEqual([0, 0]);
  expect(await count('conversation')).toBe(await count(spokenIn));
  expect(warned.mock.calls).toEqual([]);
  warned.mockRestore();
});

test('answers for an Idempotency-Key, changes of an account and ended jobs are kept for as long as is configured', async () => {
  const rows = async (text: string) => (await t.app.db.rows<{ n: number }>(text))[0]!.n;
  const kept = async () => {
    await t.app.retentionCleanup.run();
    return {
      answers: await rows('select count(*)::int as n from idempotency_key'),
      changes: await rows('select count(*)::int as n from account_change'),
    };
  };
  const headers = { 'idempotency-key': 'kept' };
  const draw = async () =>
    (
      await t.rest('POST', '/images/generate', {
        as: ada.apiKey,
        body: { prompt: 'a kite', model: 'default' },
        headers,
      })
    ).body.imageUrl;
  await t.app.retentionCleanup.run();
  const changed = `insert into account_feed (user_id, version, kept_from, watched_at) values ($1, 1, 1, $2)
    on conflict (user_id) do update set watched_at = $2`;
  await t.app.db.rows(changed, [ada.userId, nowMs]);
  await t.app.db.rows(
    `insert into account_change (user_id, kind, subject_id, changed_at) values ($1, 'balance', 'x', $2)`,
    [ada.userId, nowMs],
  );
  const first = await draw();
  const before = await kept();
  Object.assign(t.app.config, { KEEP_IDEMPOTENCY_DAYS: 3, KEEP_FEED_DAYS: 3 });
  nowMs += 2 * DAY_MS;
  expect(await kept()).toEqual(before);
  expect(new URL(await draw()).pathname).toBe(new URL(first).pathname);
  Object.assign(t.app.config, { KEEP_IDEMPOTENCY_DAYS: 1, KEEP_FEED_DAYS: 1 });
  expect(await kept()).toEqual({ answers: 0, changes: 0 });

  const [{ seconds } = { seconds: 0 }] = await t.app.db.rows<{ seconds: number }>(
    `select deletion_seconds as seconds from pgboss.job where name = 'image' order by created_on desc limit 1`,
  );
  expect(seconds).toBe(5 * 60 * 60);
});
