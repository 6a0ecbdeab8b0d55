import { mkdir, mkdtemp, readdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { FragmentsError, type FragmentTiming } from '../../src/storage/fragments.ts';
import { extensionOf } from '../../src/storage/objects.ts';
import { type MediaStore, openStore } from '../../src/storage/store.ts';
import { S3Server } from '../support/s3-server.ts';

const TIMING: FragmentTiming = { pollMs: 5, idleTimeoutMs: 60 };
const PATIENT: FragmentTiming = { pollMs: 5 };
const MP4 = { contentType: 'video/mp4' };
const text = (value: string) => new TextEncoder().encode(value);
const all = async (pieces: AsyncIterable<Uint8Array>) => {
  const seen: string[] = [];
  for await (const piece of pieces) seen.push(new TextDecoder().decode(piece));
  return seen;
};

let folder: string;
const s3 = new S3Server();
let s3Url: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'storage-'));
  s3Url = `s3://id:secret@bucket/some/where?endpoint=${await s3.start()}&region=eu-central-1`;
});

afterAll(async () => {
  await s3.stop();
  await rm(folder, { recursive: true });
});

const STORES: [string, (timing?: FragmentTiming) => MediaStore][] = [
  ['a folder', (timing) => openStore(undefined, folder, timing && { fragments: timing })],
  ['a bucket', (timing) => openStore(s3Url, folder, timing && { fragments: timing })],
];

describe.each(STORES)('media in %s', (_store, open) => {
  test('what was put is read back, whole, in part, in memory', async () => {
    const store = open();
    await store.put('a/b/one.mp4', text('0123456789'), MP4);
    const whole = await store.read('a/b/one.mp4');
    expect(whole).toMatchObject({ size: 10, contentType: 'video/mp4', etag: expect.stringMatching(/^".+"$/) });
    expect((await buffer(whole!.body)).toString()).toBe('0123456789');
    const part = await store.read('a/b/one.mp4', { start: 2, end: 4 });
    expect(part).toMatchObject({ size: 10, etag: whole!.etag });
    expect((await buffer(part!.body)).toString()).toBe('234');
    expect(Buffer.from((await store.readBytes('a/b/one.mp4'))!).toString()).toBe('0123456789');
    expect(await store.stat('a/b/one.mp4')).toEqual({ size: 10, contentType: 'video/mp4', etag: whole!.etag });
  });

  test('what comes piece by piece is stored as one file, and not at all where it breaks off', async () => {
    const store = open();
    const piece = new Uint8Array(5_000_000).map((_, i) => i % 251);
    const pieces = async function* (error?: Error) {
      // More than two parts of an upload to a bucket, and none of their size.
      for (let n = 0; n < 8; n += 1) yield piece;
      if (error) throw error;
    };
    await store.put('a/long.zip', pieces(), { contentType: 'application/zip' });
    const kept = Buffer.from((await store.readBytes('a/long.zip'))!);
    expect(kept.equals(Buffer.concat(Array(8).fill(piece)))).toBe(true);
    await expect(
      store.put('a/broken.zip', pieces(new Error('gone')), { contentType: 'application/zip' }),
    ).rejects.toThrow('gone');
    expect(await store.exists('a/broken.zip')).toBe(false);
    expect(s3.uploads.size).toBe(0);
  });

  test('a file gets its name when that is allowed, and none where it is not', async () => {
    const store = open();
    const { promise: allowed, resolve } = Promise.withResolvers<void>();
    const stored = store.put('allowed/one.mp4', text('1'), { ...MP4, allowed });
    expect(await store.exists('allowed/one.mp4')).toBe(false);
    resolve();
    await stored;
    expect(await store.exists('allowed/one.mp4')).toBe(true);
    const refused = Promise.reject(new Error('not committed'));
    refused.catch(() => {});
    await expect(store.put('allowed/two.mp4', text('2'), { ...MP4, allowed: refused })).rejects.toThrow(
      'not committed',
    );
    expect(await store.exists('allowed/two.mp4')).toBe(false);
  });

  test('a second put replaces the first', async () => {
    const store = open();
    await store.put('a/two.webp', text('old'), { contentType: 'image/webp' });
    const before = await store.stat('a/two.webp');
    await store.put('a/two.webp', text('newer'), { contentType: 'image/webp' });
    expect(Buffer.from((await store.readBytes('a/two.webp'))!).toString()).toBe('newer');
    expect((await store.stat('a/two.webp'))!.etag).not.toBe(before!.etag);
  });

  test('what is not there is undefined, and removing it is silent', async () => {
    const store = open();
    expect(await store.read('no/such.mp4')).toBeUndefined();
    expect(await store.readBytes('no/such.mp4')).toBeUndefined();
    expect(await store.exists('no/such.mp4')).toBe(false);
    await store.remove('no/such.mp4');
    await store.removePrefix('no/');
  });

  test('a prefix is removed with all below it and nothing beside it', async () => {
    const store = open();
    for (const key of ['p/1/a.mp4', 'p/1/b.mp4', 'p/1/deep/c.mp4', 'p/11/d.mp4']) await store.put(key, text('x'), MP4);
    await store.removePrefix('p/1/');
    const left = await Promise.all(
      ['p/1/a.mp4', 'p/1/b.mp4', 'p/1/deep/c.mp4', 'p/11/d.mp4'].map((key) => store.exists(key)),
    );
    expect(left).toEqual([false, false, false, true]);
    await store.remove('p/11/d.mp4');
    expect(await store.exists('p/11/d.mp4')).toBe(false);
  });

  test('a reader in another process follows the writer from the first fragment to the end', async () => {
    const [writer, reader] = [open(PATIENT), open(PATIENT)];
    const seen: string[] = [];
    const enough = Promise.withResolvers<void>();
    const following = (async () => {
      for await (const piece of reader.readFragments('f/live.mp4')) {
        seen.push(new TextDecoder().decode(piece));
        if (seen.length === 2) enough.resolve();
      }
    })();
    await writer.putFragment('f/live.mp4', 0, text('head'));
    await writer.putFragment('f/live.mp4', 1, text('one'));
    await enough.promise;
    await writer.putFragment('f/live.mp4', 2, text('two'));
    await writer.endFragments('f/live.mp4');
    await following;
    expect(seen).toEqual(['head', 'one', 'two']);
    expect(await all(reader.readFragments('f/live.mp4'))).toEqual(['head', 'one', 'two']);
    expect(await writer.exists('f/live.mp4')).toBe(false);
  });

  test('many readers of one process each get every fragment, early and late ones', async () => {
    const store = open(PATIENT);
    await store.putFragment('f/many.mp4', 0, text('a'));
    const early = Array.from({ length: 5 }, () => all(store.readFragments('f/many.mp4')));
    await store.putFragment('f/many.mp4', 1, text('b'));
    const late = all(store.readFragments('f/many.mp4'));
    await store.endFragments('f/many.mp4');
    expect(await Promise.all([...early, late])).toEqual(Array(6).fill(['a', 'b']));
  });

  test('a reader ends with an error when the fragments are removed', async () => {
    const store = open(PATIENT);
    await store.putFragment('f/gone.mp4', 0, text('a'));
    const pieces = store.readFragments('f/gone.mp4')[Symbol.asyncIterator]();
    await pieces.next();
    // Awaited from the start: the reader may see it before the removal has returned.
    const ended = expect(pieces.next()).rejects.toMatchObject({ name: 'FragmentsError', reason: 'removed' });
    await store.removeFragments('f/gone.mp4');
    await ended;
  });

  test('a reader ends with an error when nothing comes', async () => {
    const failure = all(open(TIMING).readFragments('f/never.mp4'));
    await expect(failure).rejects.toBeInstanceOf(FragmentsError);
    await expect(failure).rejects.toMatchObject({ reason: 'timeout' });
  });

  test('a reader ends with the reason of its signal, and the others go on', async () => {
    const store = open(PATIENT);
    await store.putFragment('f/stop.mp4', 0, text('a'));
    const stop = new AbortController();
    const other = all(store.readFragments('f/stop.mp4'));
    const pieces = store.readFragments('f/stop.mp4', stop.signal)[Symbol.asyncIterator]();
    await pieces.next();
    const next = pieces.next();
    stop.abort(new Error('left'));
    await expect(next).rejects.toThrow('left');
    await store.endFragments('f/stop.mp4');
    expect(await other).toEqual(['a']);
  });

  test('removing a file removes its fragments', async () => {
    const store = open(TIMING);
    await store.putFragment('f/both.mp4', 0, text('a'));
    await store.put('f/both.mp4', text('a'), MP4);
    await store.remove('f/both.mp4');
    await expect(all(store.readFragments('f/both.mp4'))).rejects.toMatchObject({ reason: 'timeout' });
  });

  const BAD_KEYS = [
    '',
    '/etc/passwd',
    '../x.mp4',
    'a/../b.mp4',
    'a//b.mp4',
    'a/',
    '.tmp/x',
    'a/.b',
    'a\\b',
    'a b',
    'a\0b',
  ];
  test.each([...BAD_KEYS, 'ä.mp4', `${'a'.repeat(201)}`, 'x.mp4.fragments/000000', 'a/b.mp4?x'])(
    'the key %j is refused everywhere',
    async (key) => {
      const store = open();
      await expect(store.put(key, text('x'), MP4)).rejects.toThrow();
      await expect(store.read(key)).rejects.toThrow();
      await expect(store.readBytes(key)).rejects.toThrow();
      await expect(store.stat(key)).rejects.toThrow();
      await expect(store.remove(key)).rejects.toThrow();
      await expect(store.putFragment(key, 0, text('x'))).rejects.toThrow();
      await expect(store.removePrefix(`${key}/`)).rejects.toThrow();
    },
  );

  test('a prefix without its slash is refused: it would take its neighbours along', async () => {
    await expect(open().removePrefix('p/1')).rejects.toThrow('slash');
  });

  test('an ending that lies about the type is refused', async () => {
    await expect(open().put('a/x.mp4', text('x'), { contentType: 'image/png' })).rejects.toThrow('ending');
    await expect(open().put('a/x.html', text('x'), { contentType: 'text/html' })).rejects.toThrow('ending');
  });
});

describe('a folder', () => {
  test('holds no temporary file after a write, and half a file is never seen', async () => {
    const store = openStore(undefined, folder);
    const versions = ['a', 'b'].map((letter) => text(letter.repeat(300_000)));
    await store.put('race.mp4', versions[0]!, MP4);
    const writes = Array.from({ length: 20 }, (_, i) => store.put('race.mp4', versions[i % 2]!, MP4));
    const reads = Array.from({ length: 20 }, async () => Buffer.from((await store.readBytes('race.mp4'))!));
    for (const bytes of await Promise.all(reads)) {
      expect(bytes.length).toBe(300_000);
      expect(bytes.every((byte) => byte === bytes[0])).toBe(true);
    }
    await Promise.all(writes);
    expect(await readdir(path.join(folder, 'media', '.tmp'))).toEqual([]);
  });

  test('others of the machine read neither files nor folders, also those of an earlier version', async () => {
    const root = path.join(folder, 'older');
    await mkdir(path.join(root, 'media'), { recursive: true, mode: 0o755 });
    const store = openStore(undefined, root);
    await store.put('a/b.mp4', text('x'), MP4);
    await store.putFragment('a/c.mp4', 0, text('y'));
    const names = await readdir(path.join(root, 'media'), { recursive: true, withFileTypes: true });
    expect(names.filter((name) => name.isFile()).length).toBeGreaterThanOrEqual(2);
    for (const name of names) {
      const { mode } = await stat(path.join(name.parentPath, name.name));
      expect(mode & 0o777).toBe(name.isFile() ? 0o640 : 0o750);
    }
    expect((await stat(path.join(root, 'media'))).mode & 0o777).toBe(0o750);
  });

  test('two writes of equal length in one tick of the clock have different tags', async () => {
    const store = openStore(undefined, folder);
    const tags: string[] = [];
    for (const letter of ['a', 'b']) {
      await store.put('tick.mp4', text(letter), MP4);
      await utimes(path.join(folder, 'media', 'tick.mp4'), 1, 1);
      tags.push((await store.stat('tick.mp4'))!.etag);
    }
    expect(tags[0]).not.toBe(tags[1]);
  });

  test('does not follow a symbolic link out of itself', async () => {
    const store = openStore(undefined, folder);
    await store.put('s/real.mp4', text('x'), MP4);
    await writeFile(path.join(folder, 'outside.txt'), 'secret');
    await symlink(path.join(folder, 'outside.txt'), path.join(folder, 'media', 's', 'link.mp4'));
    await expect(store.read('s/link.mp4')).rejects.toThrow('ELOOP');
  });
});

describe('a bucket', () => {
  test('gets its prefix, its content types and signed requests only', async () => {
    const store = openStore(s3Url, folder);
    await store.put('typed/x.m4a', text('x'), { contentType: 'audio/mp4' });
    expect(s3.objects.get('some/where/typed/x.m4a')?.type).toBe('audio/mp4');
    expect(s3.unsigned).toEqual([]);
  });

  test('an address of another kind is refused with a sentence', () => {
    expect(() => openStore('https://bucket/x', folder)).toThrow('s3://bucket/prefix');
  });
});

test.each([
  ['image/jpeg', 'jpg'],
  ['video/mp4', 'mp4'],
  ['audio/mp4; codecs=mp4a', 'm4a'],
  ['text/plain', 'txt'],
  ['image/svg+xml', undefined],
  ['text/html', undefined],
])('%s is kept as %s', (contentType, extension) => {
  expect(extensionOf(contentType)).toBe(extension);
});
