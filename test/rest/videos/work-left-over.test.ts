/** Videos that wait, and those whose worker, attempt or job is gone. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { until } from '../../support/until.ts';
import {
  ada,
  at,
  balance,
  closeVideos,
  ended,
  engine,
  generate,
  make,
  nova,
  openVideos,
  read,
  startWork,
  stopWork,
  t,
  usual,
  usualEngine,
} from '../../support/videos.ts';

beforeAll(openVideos);
afterAll(closeVideos);
beforeEach(usualEngine);

test('a worker that stops gives the video back; another makes it once, from what was kept', async () => {
  const eve = await t.person('Eve', 1);
  const started = Promise.withResolvers<void>();
  engine.render = async function* ({ signal }) {
    yield { progress: 0.5 };
    started.resolve();
    await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
  };
  const { body } = await generate({ prompt: 'x', image: at('/face.png') }, eve.apiKey);
  await started.promise;
  engine.render = usual.render;
  await stopWork();
  await startWork();
  expect((await ended(body.generationId, eve.apiKey)).status).toBe('ready');
  expect(engine.queries.at(-1)!.image!.length).toBeGreaterThan(0);
  const charged = await t.app.db.rows('select 1 from ledger_transfer where source = $1', [
    `video:${body.generationId}`,
  ]);
  expect(charged).toHaveLength(1);
  expect(await balance(eve)).toEqual({ available: 0.875, held: 0 });
  await until(async () => !(await t.app.store.exists(`videos/${body.generationId}/image.bin`)));
});

test('an attempt that was overtaken is neither charged nor kept', async () => {
  const eve = await t.person('Eve', 1);
  let overtaken = false;
  engine.render = async function* (query) {
    if (!overtaken) {
      overtaken = true;
      await t.app.videoRenders.render(await accepted.promise, { isLastAttempt: true });
    }
    yield* usual.render(query);
  };
  const accepted = Promise.withResolvers<string>();
  const { body } = await generate({ prompt: 'x', duration: 2 }, eve.apiKey);
  accepted.resolve(body.generationId);
  expect((await ended(body.generationId, eve.apiKey)).videoUrl).toContain('-2.mp4');
  await until(async () => !(await t.app.store.exists(`videos/${body.generationId}-1.mp4`)));
  expect(await balance(eve)).toEqual({ available: 0.95, held: 0 });
});

test('work whose job was lost for good ends in error after 15 minutes, and its hold goes back', async () => {
  await stopWork();
  const eve = await t.person('Eve', 1);
  const echo = await make('Echo', 'noop', eve);
  const video = await generate({ prompt: 'x', image: at('/face.png') }, eve.apiKey);
  const path = `/avatars/${echo.avatarId}/speak`;
  const speech = await t.rest('POST', path, { as: eve.apiKey, body: { text: 'Never heard' } });
  const ids = [video.body.generationId, speech.body.generationId];
  const age = (table: string, column: string) =>
    t.app.db.rows(`update ${table} set created_at = created_at - 1000000 where ${column} = any($1)`, [ids]);
  await age('video_generation', 'id');
  await age('speech_generation', 'id');
  await age('ledger_hold', "split_part(source, ':', 2)");
  expect(await t.app.orphanReaper.reap()).toMatchObject({ generations: 0, holds: 0 });
  await t.app.db.rows(`delete from pgboss.job where data->>'id' = any($1)`, [ids]);
  // As a worker leaves it that is killed after it stored its file.
  for (const table of ['video_generation', 'speech_generation'])
    await t.app.db.rows(`update ${table} set attempt = 1 where id = any($1)`, [ids]);
  const left = [`videos/${ids[0]}-1.mp4`, `speech/${ids[1]}-1.mp4`];
  for (const key of left) await t.app.store.put(key, new Uint8Array([1]), { contentType: 'video/mp4' });
  // Replies and exports cannot be looked for: the other kinds have their turn all the same, and both are said.
  const away = ['injection', 'account_export'];
  for (const table of away) await t.app.db.rows(`alter table ${table} rename to ${table}_away`, []);
  await expect(t.app.orphanReaper.reap()).rejects.toThrow(/"injection".*"account_export"/s);
  for (const table of away) await t.app.db.rows(`alter table ${table}_away rename to ${table}`, []);
  expect(await t.app.orphanReaper.reap()).toMatchObject({ generations: 0, holds: 0 });
  for (const poll of [video.body.poll, speech.body.poll]) {
    expect((await t.rest('GET', poll, { as: eve.apiKey })).body.status).toBe('error');
  }
  expect(await balance(eve)).toEqual({ available: 1, held: 0 });
  expect(await t.app.store.exists(`videos/${video.body.generationId}/image.bin`)).toBe(false);
  for (const key of left) expect(await t.app.store.exists(key)).toBe(false);
  await startWork();
});

test('those that wait have a position, which moves up and ends when they are begun', async () => {
  await stopWork();
  const ids: string[] = [];
  for (const prompt of ['one', 'two', 'three']) ids.push((await generate({ prompt, duration: 1 })).body.generationId);
  const positions = async () => {
    const query = '{ videos(first: 3) { nodes { generationId queuePosition } } }';
    const { nodes } = (await t.graphql<any>(query, {}, ada.session)).body.data.videos;
    return ids.map((id) => nodes.find(({ generationId }: any) => generationId === id).queuePosition);
  };
  expect(await positions()).toEqual([1, 2, 3]);
  const cancel = 'mutation($id: ID!) { cancelVideo(generationId: $id) { status queuePosition } }';
  const { body } = await t.graphql<any>(cancel, { id: ids[1] }, ada.session);
  expect(body.data.cancelVideo).toEqual({ status: 'error', queuePosition: null });
  expect(await positions()).toEqual([1, null, 2]);
  await startWork();
  await Promise.all([ids[0]!, ids[2]!].map((id) => ended(id)));
  expect(await positions()).toEqual([null, null, null]);
});

test('while a video renders, speech is not kept waiting', async () => {
  const release = Promise.withResolvers<void>();
  engine.render = async function* (query) {
    await release.promise;
    yield* usual.render(query);
  };
  const long = [
    await generate({ prompt: 'one' }),
    await generate({ prompt: 'two' }),
    await generate({ prompt: 'three' }),
  ];
  const { body } = await t.rest('POST', `/avatars/${nova.avatarId}/speak`, {
    as: ada.apiKey,
    body: { text: 'Meanwhile' },
  });
  await until(async () => (await t.rest('GET', body.poll, { as: ada.apiKey })).body.status === 'audio');
  expect((await read(long[0]!.body.generationId)).body.status).not.toBe('ready');
  release.resolve();
  for (const { body: one } of long) await ended(one.generationId);
});
