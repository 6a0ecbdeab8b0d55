import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type MediaRequest, mediaResponse, streamResponse } from '../../src/storage/serve.ts';
import { type MediaStore, openStore } from '../../src/storage/store.ts';

const KEY = 'turns/one.mp4';
const BODY = '0123456789';
const text = (value: string) => new TextEncoder().encode(value);

let folder: string;
let store: MediaStore;
let etag: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'serve-'));
  store = openStore(undefined, folder, { fragments: { pollMs: 5 } });
  await store.put(KEY, text(BODY), { contentType: 'video/mp4' });
  await store.put('empty.mp4', new Uint8Array(), { contentType: 'video/mp4' });
  etag = (await store.stat(KEY))!.etag;
});

afterAll(() => rm(folder, { recursive: true }));

const ask = (headers: Record<string, string> = {}, rest: Partial<MediaRequest> = {}) =>
  mediaResponse(store, { method: 'GET', key: KEY, maxAgeS: 600, headers, ...rest });

test('a whole file comes with its type, length, tag and the headers that let others embed it', async () => {
  const { status, headers, body } = await ask();
  expect(status).toBe(200);
  expect(headers).toEqual({
    'accept-ranges': 'bytes',
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'Accept-Ranges, Content-Length, Content-Range, ETag',
    'cache-control': 'private, max-age=600',
    'content-disposition': 'inline; filename="one.mp4"',
    'content-length': '10',
    'content-type': 'video/mp4',
    'cross-origin-resource-policy': 'cross-origin',
    etag,
    'x-content-type-options': 'nosniff',
  });
  expect(await readText(body!)).toBe(BODY);
});

test('a public link is cached for good', async () => {
  const { headers, body } = await ask({}, { maxAgeS: undefined });
  expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
  body!.destroy();
});

describe('Range', () => {
  test.each([
    ['bytes=0-3', '0123', 'bytes 0-3/10'],
    ['bytes=4-', '456789', 'bytes 4-9/10'],
    ['bytes=-3', '789', 'bytes 7-9/10'],
    ['bytes=-30', BODY, 'bytes 0-9/10'],
    ['bytes=8-99', '89', 'bytes 8-9/10'],
    ['bytes=9-9', '9', 'bytes 9-9/10'],
  ])('%s is answered 206', async (range, part, contentRange) => {
    const { status, headers, body } = await ask({ range });
    expect(status).toBe(206);
    expect(headers).toMatchObject({ 'content-range': contentRange, 'content-length': String(part.length) });
    expect(await readText(body!)).toBe(part);
  });

  test.each(['bytes=5-2', 'bytes=0-1,4-5', 'bytes=-', 'bytes=a-b', 'items=0-1', 'bytes=0-1x', ''])(
    '%j is ignored, as RFC 9110 allows',
    async (range) => {
      const { status, body } = await ask({ range });
      expect(status).toBe(200);
      expect(await readText(body!)).toBe(BODY);
    },
  );

  test.each(['bytes=10-', 'bytes=10-20', 'bytes=-0'])('%s is answered 416', async (range) => {
    const { status, headers, body } = await ask({ range });
    expect([status, headers['content-range'], body]).toEqual([416, 'bytes */10', undefined]);
  });

  test('nothing of an empty file can be had', async () => {
    expect((await ask({ range: 'bytes=0-' }, { key: 'empty.mp4' })).status).toBe(416);
    expect(await readText((await ask({}, { key: 'empty.mp4' })).body!)).toBe('');
  });

  test('If-Range holds for the same version only', async () => {
    for (const [condition, status] of [
      [etag, 206],
      ['"other"', 200],
      ['Thu, 01 Jan 2026 00:00:00 GMT', 200],
    ] as const) {
      const answer = await ask({ range: 'bytes=0-1', 'if-range': condition });
      expect(answer.status).toBe(status);
      answer.body!.destroy();
    }
  });
});

describe('conditions and methods', () => {
  test('If-None-Match is answered 304, without a body or its headers', async () => {
    for (const condition of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const { status, headers, body } = await ask({ 'if-none-match': condition });
      expect([status, headers.etag, headers['content-length'], body]).toEqual([304, etag, undefined, undefined]);
    }
    const other = await ask({ 'if-none-match': '"other"' });
    expect(other.status).toBe(200);
    other.body!.destroy();
  });

  test('HEAD has the headers of the whole file and no body', async () => {
    const { status, headers, body } = await ask({ range: 'bytes=0-1' }, { method: 'HEAD' });
    expect([status, headers['content-length'], body]).toEqual([200, '10', undefined]);
  });

  test.each([
    ['GET', 'turns/none.mp4', 404],
    ['HEAD', 'turns/none.mp4', 404],
  ])('%s %s is %i', async (method, key, status) => {
    const answer = await ask({}, { method, key });
    expect([answer.status, answer.body]).toEqual([status, undefined]);
    expect(answer.headers['access-control-allow-origin']).toBe('*');
  });
});

describe('a medium that is still being written', () => {
  const stream = (key: string, from = store) => streamResponse(from, { method: 'GET', key, maxAgeS: 60, headers: {} });

  test('comes fragment by fragment', async () => {
    await store.putFragment('live.mp4', 0, text('head '));
    const { status, headers, body } = await stream('live.mp4');
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([200, 'video/mp4', 'no-store']);
    expect(headers['content-length']).toBeUndefined();
    const whole = readText(body!);
    await store.putFragment('live.mp4', 1, text('tail'));
    await store.endFragments('live.mp4');
    expect(await whole).toBe('head tail');
  });

  test('comes as the finished file once that is there, with ranges', async () => {
    const { status, headers, body } = await stream(KEY);
    expect([status, headers['content-length']]).toEqual([200, '10']);
    body!.destroy();
  });

  test('is 404 when nothing comes', async () => {
    const hasty = openStore(undefined, folder, { fragments: { pollMs: 5, idleTimeoutMs: 60 } });
    expect((await stream('never.mp4', hasty)).status).toBe(404);
  });

  test('breaks off when its fragments are removed, so that no half video passes for a whole one', async () => {
    await store.putFragment('gone.mp4', 0, text('head'));
    const { body } = await stream('gone.mp4');
    // Expected before it happens: a rejection that is not awaited yet would end the test.
    const broken = expect(readText(body!)).rejects.toMatchObject({ name: 'FragmentsError' });
    await store.removeFragments('gone.mp4');
    await broken;
  });

  test('is no longer followed when the client leaves', async () => {
    // Were it still followed, closing would take the 30 s of the idle timeout.
    await store.putFragment('left.mp4', 0, text('head'));
    const { body } = await stream('left.mp4');
    await new Promise((resolve) => body!.once('data', resolve));
    const closed = new Promise((resolve) => body!.once('close', resolve));
    body!.destroy();
    await closed;
    expect(body!.errored).toBeNull();
  });
});
