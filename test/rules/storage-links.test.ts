import { describe, expect, test } from '@jest/globals';
import { HOUR_MS, MINUTE_MS } from '../../src/kernel/clock.ts';
import { createMediaLinks } from '../../src/storage/links.ts';

const KEY = 'conversations/cnv_1/turns/trn_1.mp4';
const START_MS = Date.UTC(2026, 0, 1, 12, 7);
const BASE = 'https://api.example.com';

function setUp(options: { baseUrl?: string; secret?: string } = {}) {
  const clock = {
    ms: START_MS,
    now() {
      return this.ms;
    },
  };
  const { baseUrl = BASE, secret = 'a secret of 32 characters, or so' } = options;
  const ring = { keys: [{ value: secret }] };
  const siteUrl = 'https://site.example.com';
  return { clock, ring, links: createMediaLinks({ baseUrl, siteUrl, secrets: () => ring.keys, clock }) };
}

const local = (url: string, base = BASE) => url.slice(base.length);

describe('a signed link', () => {
  test('opens its key, privately, for what is left of its life', () => {
    const { links } = setUp();
    const url = links.sign(KEY);
    expect(url).toMatch(
      /^https:\/\/api\.example\.com\/media\/conversations\/cnv_1\/turns\/trn_1\.mp4\?e=\w+&s=[\w-]{22}$/,
    );
    expect(links.verify(local(url))).toEqual({ key: KEY, stream: false, maxAgeS: 83 * 60 });
  });

  test('is equal within one half hour and changes with the next', () => {
    const { links, clock } = setUp();
    const first = links.sign(KEY);
    clock.ms = Date.UTC(2026, 0, 1, 12, 29, 59, 999);
    expect(links.sign(KEY)).toBe(first);
    clock.ms += 1;
    expect(links.sign(KEY)).not.toBe(first);
  });

  test.each([0, 7, 29, 30, 59])(
    'lives at least an hour, at most an hour and a half, when fetched at minute %i',
    (minute) => {
      const { links, clock } = setUp();
      clock.ms = Date.UTC(2026, 0, 1, 12, minute);
      const url = local(links.sign(KEY));
      clock.ms += HOUR_MS - 1;
      expect(links.verify(url)).toBeDefined();
      clock.ms += 30 * MINUTE_MS + 1;
      expect(links.verify(url)).toBeUndefined();
    },
  );

  test('takes another life when asked', () => {
    const { links, clock } = setUp();
    const url = local(links.sign(KEY, 5 * MINUTE_MS));
    clock.ms = Date.UTC(2026, 0, 1, 12, 34, 59);
    expect(links.verify(url)).toBeDefined();
    clock.ms += 2_000;
    expect(links.verify(url)).toBeUndefined();
  });

  test('to a stream says so', () => {
    const { links } = setUp();
    expect(links.verify(local(links.signStream(KEY)))).toMatchObject({ key: KEY, stream: true });
  });

  test('survives parameters that others append', () => {
    const { links } = setUp();
    expect(links.verify(`${local(links.sign(KEY))}&fbclid=x%20y`)).toMatchObject({ key: KEY });
  });
});

describe('a public link', () => {
  test('is the same for ever and never expires', () => {
    const { links, clock } = setUp();
    const url = links.signPublic(KEY);
    clock.ms += 20 * 365 * 24 * HOUR_MS;
    expect(links.signPublic(KEY)).toBe(url);
    expect(links.verify(local(url))).toEqual({ key: KEY, stream: false, maxAgeS: undefined });
  });
});

describe('a link is refused', () => {
  const { links } = setUp();
  const signed = local(links.sign(KEY));
  const [, expiry, signature] = /e=(\w+)&s=(.+)$/.exec(signed)!;
  const publicSignature = /s=(.+)$/.exec(links.signPublic(KEY))![1];
  const later = (Number.parseInt(expiry!, 36) + 1).toString(36);
  test.each([
    ['with another key', signed.replace('trn_1', 'trn_2')],
    ['with a later expiry', signed.replace(`e=${expiry}`, `e=${later}`)],
    ['without its expiry', `/media/${KEY}?s=${signature}`],
    ['with an expiry on a public signature', `/media/${KEY}?e=${expiry}&s=${publicSignature}`],
    ['with a signature cut short', signed.slice(0, -1)],
    ['with an altered signature', signed.replace(/.$/, signed.endsWith('A') ? 'B' : 'A')],
    ['with its expiry moved into the key', `/media/${expiry}${KEY}?s=${signature}`],
    ['with dots in the key', signed.replace('turns/', 'turns/../turns/')],
    ['with an encoded slash', signed.replace('turns/', 'turns%2f')],
    ['without a signature', `/media/${KEY}`],
    ['under another path', signed.replace('/media/', '/other/')],
    ['when empty', ''],
    ['when signed by another secret', local(setUp({ secret: 'another secret, 32 characters...' }).links.sign(KEY))],
  ])('%s', (_how, url) => {
    expect(links.verify(url)).toBeUndefined();
  });
});

test('what is no key cannot be signed', () => {
  const { links } = setUp();
  for (const key of ['', '../x', 'a b', 'a?s=1', 'a\nb', '/a']) expect(() => links.sign(key)).toThrow('key');
});

test('after a rotation links are made with the new secret, and those of the one before hold until it is removed', () => {
  const { ring, links } = setUp();
  const [old, lasting] = [links.sign(KEY), links.signPublic(KEY)];
  ring.keys = [{ value: 'the next secret of 32 characters.' }, ...ring.keys];
  expect([links.sign(KEY) === old, links.signPublic(KEY) === lasting]).toEqual([false, false]);
  const made = [old, lasting, links.sign(KEY), links.signPublic(KEY)];
  expect(made.map((url) => links.verify(local(url))?.key)).toEqual([KEY, KEY, KEY, KEY]);
  ring.keys = ring.keys.slice(0, 1);
  expect(made.map((url) => links.verify(local(url))?.key)).toEqual([undefined, undefined, KEY, KEY]);
});

test('a secret too short to be one stops the start', () => {
  expect(() => setUp({ secret: 'short' })).toThrow('too short');
});

describe('our own addresses', () => {
  const { links, clock } = setUp();
  const signed = links.sign(KEY);
  test.each([
    ['a signed link', signed, { key: KEY, granted: true }],
    ['a stream link', links.signStream(KEY), { key: KEY, granted: true }],
    ['a public link', links.signPublic(KEY), { key: KEY, granted: true }],
    ['the same on the pages address', signed.replace('api.', 'site.'), { key: KEY, granted: true }],
    ['one with a forged signature', `${BASE}/media/${KEY}?s=${'A'.repeat(22)}`, { key: KEY, granted: false }],
    ['one without a signature', `${BASE}/media/${KEY}`, { key: KEY, granted: false }],
    ['another origin', signed.replace('example.com', 'example.org'), undefined],
    ['another origin whose name begins like ours', signed.replace('example.com', 'example.com.evil.org'), undefined],
    ['our name as credentials', signed.replace('https://', 'https://api.example.com@'), undefined],
    ['another scheme', signed.replace('https:', 'http:'), undefined],
    ['another port', signed.replace('.com/', '.com:8443/'), undefined],
    ['a page of ours', `${BASE}/docs`, undefined],
    ['no address', 'media/x.mp4', undefined],
  ])('%s', (_what, url, expected) => {
    expect(links.parseOwnUrl(url)).toEqual(expected);
  });

  test('an expired link is ours but grants nothing', () => {
    clock.ms += 3 * HOUR_MS;
    expect(links.parseOwnUrl(signed)).toEqual({ key: KEY, granted: false });
  });

  test('a base address with a path keeps it', () => {
    const base = 'https://example.com/avatars/api';
    const { links: below } = setUp({ baseUrl: base });
    const url = below.sign(KEY);
    expect(url.startsWith(`${base}/media/`)).toBe(true);
    expect(below.parseOwnUrl(url)).toEqual({ key: KEY, granted: true });
    expect(below.verify(local(url, base))).toMatchObject({ key: KEY });
  });
});
