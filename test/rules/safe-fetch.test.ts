/** Hostile addresses and servers: refused before a socket is opened. */

import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import {
  type AddressInfo,
  createServer as createTcpServer,
  isIP,
  type Socket,
  type Server as TcpServer,
} from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { systemClock } from '../../src/kernel/clock.ts';
import { PlatformError } from '../../src/kernel/errors.ts';
import { createMediaLinks } from '../../src/storage/links.ts';
import { isPublicAddress } from '../../src/storage/public-address.ts';
import { FetchRefusal, type ResolvedAddress } from '../../src/storage/safe-connect.ts';
import { createSafeFetch, ownMedia, type SafeFetchRequest } from '../../src/storage/safe-fetch.ts';
import { openStore } from '../../src/storage/store.ts';

const MIB = 1024 * 1024;
const PIXEL = Buffer.from('not really an image, but nobody looks here');
const PAGE = '<p>hello</p>';
// Of 2000::/3, so public by its number, and of a block that was never given to anyone, so no server is disturbed.
const NOBODY = '2000::1';

let server: Server;
let silent: TcpServer;
const held = new Set<Socket>();
let port: number;
let silentPort: number;
let requests: string[] = [];
const asked: string[] = [];

/** What each path of the test server answers. */
const ROUTES: Record<string, (response: ServerResponse, query: URLSearchParams) => void> = {
  '/ok.png': (response) => response.writeHead(200, { 'content-type': 'image/png' }).end(PIXEL),
  '/untyped': (response) => response.writeHead(200).end(PIXEL),
  '/page': (response) => response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(PAGE),
  '/packed': (response, query) => {
    const pack = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync }[query.get('by') ?? '']!;
    response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': query.get('by')! }).end(pack(PAGE));
  },
  '/bomb': (response) =>
    response
      .writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' })
      .end(gzipSync(Buffer.alloc(32 * MIB))),
  '/encoded': (response, query) =>
    response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': query.get('as')! }).end(gzipSync(PAGE)),
  '/broken-gzip': (response) =>
    response
      .writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' })
      .end(gzipSync('x'.repeat(9_999)).subarray(0, 30)),
  '/endless': (response, query) => {
    response.writeHead(Number(query.get('status') ?? 200), { 'content-type': 'image/png', location: '/ok.png' });
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536)));
    };
    response.on('drain', more);
    more();
  },
  '/announced': (response) => {
    response.writeHead(200, { 'content-type': 'image/png', 'content-length': String(2 * MIB) }).write('x');
  },
  '/drip': (response) => {
    response.writeHead(200, { 'content-type': 'image/png' });
    const timer = setInterval(() => response.write('x'), 20);
    response.on('close', () => clearInterval(timer));
  },
  '/stall': (response) => response.writeHead(200, { 'content-type': 'image/png' }).write('x'),
  '/cut': (response) => {
    response.writeHead(200, { 'content-type': 'image/png', 'content-length': '1000' }).write('x');
    setImmediate(() => response.destroy());
  },
  '/mute': () => {},
  '/to': (response, query) =>
    response.writeHead(Number(query.get('status') ?? 302), { location: query.get('url')! }).end(),
  '/hop': (response, query) => {
    const left = Number(query.get('left'));
    response.writeHead(302, { location: left > 1 ? `/hop?left=${left - 1}` : '/ok.png' }).end();
  },
  '/loop': (response) => response.writeHead(302, { location: '/loop' }).end(),
  '/gone': (response) => response.writeHead(404, { 'content-type': 'image/png' }).end(PIXEL),
  '/nowhere': (response) => response.writeHead(302).end(),
};

const NAMES: Record<string, string[]> = {
  'good.test': ['127.0.0.1'],
  localhost: ['127.0.0.1', '::1'],
  'localhost.': ['127.0.0.1'],
  '127.0.0.1.nip.io': ['127.0.0.1'],
  'private.test': ['10.1.2.3'],
  'mixed.test': [NOBODY, '192.168.0.1'],
  'mapped.test': ['::ffff:127.0.0.1'],
  'zoned.test': ['fe80::1%eth0'],
  'metadata.test': ['169.254.169.254'],
  'azure.test': ['168.63.129.16'],
  'nat64.test': ['64:ff9b::7f00:1'],
  'empty.test': [],
  'public.test': [NOBODY],
};

/** Like DNS; `rebind.test` answers a public address first and the loopback ever after. */
async function resolver(hostname: string): Promise<ResolvedAddress[]> {
  asked.push(hostname);
  if (hostname === 'hanging.test') return new Promise(() => {});
  const rebound = asked.filter((name) => name === 'rebind.test').length > 1 ? '127.0.0.1' : NOBODY;
  const addresses = hostname === 'rebind.test' ? [rebound] : NAMES[hostname];
  if (!addresses) throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), { code: 'ENOTFOUND' });
  return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
}

const listen = (on: Server | TcpServer) =>
  new Promise<number>((resolve) => on.listen(0, '127.0.0.1', () => resolve((on.address() as AddressInfo).port)));

beforeAll(async () => {
  server = createServer((request, response) => {
    requests.push(request.url!);
    const url = new URL(request.url!, 'http://x');
    ROUTES[url.pathname]?.(response, url.searchParams);
  });
  // Accepts and never says a word: a TLS handshake with it hangs.
  silent = createTcpServer((socket) => void held.add(socket.on('error', () => {})));
  [port, silentPort] = await Promise.all([listen(server), listen(silent)]);
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
  silent.close();
  for (const socket of held) socket.destroy();
});

beforeEach(() => {
  requests = [];
  asked.length = 0;
});

/** A busy machine meets no deadline by accident; where one is to be met, it is near. */
const TIMEOUTS = { connectMs: 20_000, idleMs: 20_000, totalMs: 20_000 };
const HASTY = { connectMs: 150, idleMs: 150, totalMs: 400 };
const IMAGE: SafeFetchRequest = { field: 'imageUrl', maxBytes: MIB, accept: 'image' };
const PAGES: SafeFetchRequest = { field: 'knowledgeBaseUrls', maxBytes: MIB, accept: 'page' };

const strict = createSafeFetch({ allowHosts: [], resolver, timeouts: TIMEOUTS });
const strictAndHasty = createSafeFetch({ allowHosts: [], resolver, timeouts: HASTY });
const lenient = (url: string, request: Partial<SafeFetchRequest> = {}, timeouts = TIMEOUTS) =>
  createSafeFetch({ allowHosts: [`good.test:${port}`, `good.test:${silentPort}`], resolver, timeouts })(url, {
    ...IMAGE,
    ...request,
  });
const good = (path: string) => `http://good.test:${port}${path}`;

async function refusal(fetching: Promise<unknown>, field = 'imageUrl'): Promise<Error> {
  const error = await fetching.then(
    () => undefined,
    (reason: unknown) => reason as PlatformError,
  );
  expect(error).toBeInstanceOf(PlatformError);
  expect(error).toMatchObject({ code: 'BAD_INPUT', message: `${field} could not be fetched.`, details: { field } });
  return error!.cause as Error;
}

describe('an address is refused before a socket is opened', () => {
  test.each([
    // Loopback, in every form a URL parser takes.
    'http://127.0.0.1/',
    'http://127.0.0.1:80/',
    'https://127.0.0.1/',
    'http://127.1/',
    'http://127.0.1/',
    'http://127.255.255.254/',
    'http://2130706433/',
    'http://017700000001/',
    'http://0x7f000001/',
    'http://0x7f.0.0.1/',
    'http://0177.0.0.1/',
    'http://0x7f.0x0.0x0.0x1/',
    'http://127.0.0.1./',
    'http://①②⑦.⓪.⓪.①/',
    'http://127%2e0%2e0%2e1/',
    'http://127。0。0。1/',
    'http://0/',
    'http://0.0.0.0/',
    // Private, link-local, shared, reserved and special addresses.
    'http://10.0.0.1/',
    'http://172.16.5.4/',
    'http://192.168.1.1/',
    'http://100.64.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://0xa9fea9fe/',
    'http://2852039166/',
    'http://168.63.129.16/',
    'http://192.0.0.192/',
    'http://198.18.0.1/',
    'http://203.0.113.7/',
    'http://224.0.0.1/',
    'http://240.0.0.1/',
    'http://255.255.255.255/',
    // IPv6, and IPv4 in its clothes.
    'http://[::]/',
    'http://[::1]/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[::ffff:169.254.169.254]/',
    'http://[::127.0.0.1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[64:ff9b:1::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://[2001:0:7f00:1::]/',
    'http://[fe80::1]/',
    'http://[fc00::1]/',
    'http://[fd00:ec2::254]/',
    'http://[fec0::1]/',
    'http://[ff02::1]/',
    'http://[2001:db8::1]/',
    // Names that lead there.
    'http://localhost/',
    'http://LOCALHOST/',
    'http://localhost./',
    'http://127.0.0.1.nip.io/',
    'http://private.test/',
    'http://mixed.test/',
    'http://mapped.test/',
    'http://zoned.test/',
    'http://metadata.test/',
    'http://azure.test/',
    'http://nat64.test/',
    'https://private.test/',
  ])('%s', async (url) => {
    const cause = await refusal(strict(url, IMAGE));
    expect(cause).toBeInstanceOf(FetchRefusal);
    expect(cause.message).toMatch(/ is at /);
    // A literal never reaches the resolver: the check that refused it was the connector's own.
    const { hostname } = new URL(url);
    expect(asked).toEqual(isIP(hostname.replace(/[[\]]/g, '')) ? [] : [hostname]);
  });
});

describe('a URL is refused without a question to DNS', () => {
  test.each([
    ['', 'Not a URL'],
    ['//good.test/x', 'Not a URL'],
    ['ok.png', 'Not a URL'],
    ['http://', 'Not a URL'],
    ['http://1.2.3.4.5.6:99999/', 'Not a URL'],
    ['http://256.256.256.256/', 'Not a URL'],
    ['http://[::1%25eth0]/', 'Not a URL'],
    ['file:///etc/passwd', 'Scheme file:'],
    ['ftp://good.test/x', 'Scheme ftp:'],
    ['gopher://127.0.0.1:6379/_INFO', 'Scheme gopher:'],
    ['data:image/png;base64,AAAA', 'Scheme data:'],
    ['javascript:alert(1)', 'Scheme javascript:'],
    ['blob:http://good.test/1', 'Scheme blob:'],
    ['unix:///var/run/docker.sock', 'Scheme unix:'],
    ['http://user@good.test/', 'credentials'],
    ['http://user:secret@good.test/', 'credentials'],
    ['http://good.test@127.0.0.1/', 'credentials'],
    ['http://public.test:22/', 'Port 22'],
    ['http://public.test:6379/', 'Port 6379'],
    ['https://public.test:8443/', 'Port 8443'],
    ['http://public.test:0/', 'Port 0'],
  ])('%s', async (url, reason) => {
    const cause = await refusal(strict(url, IMAGE));
    expect(cause).toBeInstanceOf(FetchRefusal);
    expect(cause.message).toContain(reason);
    expect(asked).toEqual([]);
  });
});

test('a URL is refused when it is longer than any URL needs to be', async () => {
  expect((await refusal(strict(`http://public.test/${'x'.repeat(2_048)}`, IMAGE))).message).toContain('too long');
});

describe('names that change or fail', () => {
  test('the address that was checked is the one dialled: a second answer is never asked for', async () => {
    const cause = await refusal(strictAndHasty('http://rebind.test/', IMAGE));
    expect(cause).not.toBeInstanceOf(FetchRefusal);
    expect(asked).toEqual(['rebind.test']);
    // By now the name means the loopback, and that is refused.
    expect((await refusal(strict('http://rebind.test/', IMAGE))).message).toBe('rebind.test is at 127.0.0.1.');
  });

  test.each(['http://unknown.test/', 'http://empty.test/', 'http://hanging.test/', 'http://public.test/'])(
    '%s',
    async (url) => {
      await refusal(strictAndHasty(url, IMAGE));
    },
  );

  test('a caller need not wait for a name that hangs', async () => {
    const stop = new AbortController();
    const patient = createSafeFetch({ allowHosts: [], resolver });
    const fetching = patient('http://hanging.test/', { ...IMAGE, signal: stop.signal });
    stop.abort(new Error('gone home'));
    await expect(fetching).rejects.toThrow('gone home');
  });

  test('an exempt host is exempt at its port alone, and its neighbours not at all', async () => {
    const both = createSafeFetch({ allowHosts: [`GOOD.test:${port}`], resolver, timeouts: TIMEOUTS });
    expect((await both(good('/ok.png'), IMAGE)).bytes.length).toBe(PIXEL.length);
    expect((await refusal(both('http://good.test/', IMAGE))).message).toBe('good.test is at 127.0.0.1.');
    expect((await refusal(both(`http://localhost:${port}/ok.png`, IMAGE))).message).toBe(`Port ${port}`);
    expect((await refusal(both(`http://127.0.0.1:${port}/ok.png`, IMAGE))).message).toBe(`Port ${port}`);
  });

  test('an exempt host without a port is exempt at all of them, as a name or as an address', async () => {
    const exempt = createSafeFetch({ allowHosts: ['good.test', '127.0.0.1'], resolver, timeouts: TIMEOUTS });
    expect((await exempt(good('/ok.png'), IMAGE)).bytes.length).toBe(PIXEL.length);
    expect((await exempt(`http://127.0.0.1:${port}/ok.png`, IMAGE)).bytes.length).toBe(PIXEL.length);
  });
});

describe('a redirect', () => {
  const to = (url: string, status = 302) => good(`/to?status=${status}&url=${encodeURIComponent(url)}`);

  test.each([301, 302, 303, 307, 308])('%i is followed', async (status) => {
    expect((await lenient(to('/ok.png', status))).finalUrl).toBe(good('/ok.png'));
  });

  test('is followed three times, and not four', async () => {
    expect((await lenient(good('/hop?left=3'))).finalUrl).toBe(good('/ok.png'));
    expect((await refusal(lenient(good('/hop?left=4')))).message).toBe('More than 3 redirects');
    requests = [];
    await refusal(lenient(good('/loop')));
    expect(requests).toEqual(Array(4).fill('/loop'));
  });

  test.each([
    ['http://127.0.0.1/', '127.0.0.1 is at 127.0.0.1.'],
    ['http://[::1]/', '::1 is at ::1.'],
    ['//169.254.169.254/latest/', '169.254.169.254 is at 169.254.169.254.'],
    ['http://private.test/', 'private.test is at 10.1.2.3.'],
    ['http://localhost:6379/', 'Port 6379'],
    ['file:///etc/passwd', 'Scheme file:'],
    ['http://user:secret@good.test/', 'The URL carries credentials.'],
    ['http://', 'Not a URL.'],
  ])('to %s is refused', async (target, reason) => {
    expect((await refusal(lenient(to(target)))).message).toBe(reason);
  });

  test('without a target is no success', async () => {
    expect((await refusal(lenient(good('/nowhere')))).message).toBe('Status 302');
  });
});

describe('a hostile server', () => {
  test.each([
    ['a gzip bomb', '/bomb', /More than 1048576 bytes F/, PAGES],
    ['a body without end', '/endless', /More than 1048576 bytes F/, IMAGE],
    ['a length over the cap', '/announced', /Announced too large/, IMAGE],
    ['a body cut off', '/cut', /Mismatch|closed/, IMAGE],
    ['an error status', '/gone', /Status 404/, IMAGE],
    ['a page for an image', '/page', /Type text\/html/, IMAGE],
    ['an image for a page', '/ok.png', /Type image\/png/, PAGES],
    ['an image for a video', '/ok.png', /Type image\/png/, { ...IMAGE, accept: 'video' }],
    ['an unknown encoding', '/encoded?as=zstd', /Encoding zstd/, PAGES],
    ['encodings in layers', '/encoded?as=gzip,gzip', /Encoding gzip,gzip/, PAGES],
    ['a gzip stream cut off', '/broken-gzip', /unexpected end/, PAGES],
  ] as const)('%s', async (_what, path, reason, request) => {
    const cause = await refusal(lenient(good(path), request), request.field);
    expect(`${cause.message} ${cause.name}`).toMatch(reason);
  });

  test.each([
    ['a body that drips for ever', '/drip'],
    ['a body that stops coming', '/stall'],
    ['no answer at all', '/mute'],
  ])('%s', async (_what, path) => {
    const cause = await refusal(lenient(good(path), {}, HASTY));
    expect(`${cause.message} ${cause.name}`).toMatch(/timeout|terminated/i);
  });

  test.each([
    ['/stall', 'BodyTimeoutError'],
    ['/mute', 'HeadersTimeoutError'],
  ])('one that falls silent (%s), long before the whole time is up', async (path, name) => {
    expect((await refusal(lenient(good(path), {}, { ...TIMEOUTS, idleMs: 1_000 }))).name).toBe(name);
  });

  test('one that hangs while connecting', async () => {
    const cause = await refusal(lenient(`https://good.test:${silentPort}/`, {}, { ...TIMEOUTS, connectMs: 150 }));
    expect(cause.name).toBe('ConnectTimeoutError');
  });

  test.each(['/endless', '/endless?status=404', '/endless?status=302'])(
    'is left alone once we are done with it: its connection is closed (%s)',
    async (path) => {
      const closed = new Promise((resolve) =>
        server.once('request', (_request, answer) => answer.once('close', () => resolve('closed'))),
      );
      // The deadline is far: it is not what closes it.
      await lenient(good(path), {}, { ...TIMEOUTS, totalMs: 60_000 }).catch(() => {});
      expect(await closed).toBe('closed');
    },
  );
});

describe('what is good passes', () => {
  test('an image', async () => {
    const fetched = await lenient(good('/ok.png#part'));
    expect(fetched).toEqual({ bytes: PIXEL, contentType: 'image/png', finalUrl: good('/ok.png') });
  });

  test('an image without a type, which the decoder will judge', async () => {
    expect((await lenient(good('/untyped'))).contentType).toBe('application/octet-stream');
  });

  test.each(['gzip', 'deflate', 'br'])('a page packed by %s', async (by) => {
    const { bytes, contentType } = await lenient(good(`/packed?by=${by}`), PAGES);
    expect([Buffer.from(bytes).toString(), contentType]).toEqual([PAGE, 'text/html']);
  });

  test('a body exactly as long as the cap, and not one byte longer', async () => {
    expect((await lenient(good('/ok.png'), { maxBytes: PIXEL.length })).bytes.length).toBe(PIXEL.length);
    await refusal(lenient(good('/ok.png'), { maxBytes: PIXEL.length - 1 }));
  });
});

test('a caller who gives up hears his own reason', async () => {
  const stop = new AbortController();
  const fetching = lenient(good('/mute'), { signal: stop.signal });
  server.once('request', () => stop.abort(new Error('gone home')));
  await expect(fetching).rejects.toThrow('gone home');
  await expect(lenient(good('/ok.png'), { signal: stop.signal })).rejects.toThrow('gone home');
});

describe('our own media', () => {
  const own = createSafeFetch({
    allowHosts: [],
    resolver,
    ownMedia: async (url) => {
      if (url.endsWith('/theirs')) return undefined;
      if (url.endsWith('/forbidden')) throw new Error('not yours');
      return { bytes: PIXEL, contentType: 'image/png' };
    },
  });

  test('come straight from storage', async () => {
    const url = 'http://localhost:4000/media/x.png?s=1';
    expect(await own(url, IMAGE)).toEqual({ bytes: PIXEL, contentType: 'image/png', finalUrl: url });
    expect(asked).toEqual([]);
  });

  test('are read with a valid link, and not without', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'own-'));
    const store = openStore(undefined, folder);
    const baseUrl = 'http://localhost:4000';
    const secrets = [{ value: 'sixteen or more characters' }];
    const links = createMediaLinks({ baseUrl, secrets: () => secrets, clock: systemClock });
    const fetchOwn = createSafeFetch({ allowHosts: [], resolver, ownMedia: ownMedia(links, store) });
    await store.put('a/b.png', PIXEL, { contentType: 'image/png' });
    const fetched = await fetchOwn(links.sign('a/b.png'), IMAGE);
    expect([Buffer.from(fetched.bytes), fetched.contentType]).toEqual([PIXEL, 'image/png']);
    for (const url of [
      `${baseUrl}/media/a/b.png`,
      links.sign('a/none.png'),
      links.sign('a/b.png').replace('b.', 'c.'),
    ]) {
      expect((await refusal(fetchOwn(url, IMAGE))).message).toContain('Our own address');
    }
    expect(asked).toEqual([]);
    await rm(folder, { recursive: true });
  });

  test('obey the same caps and kinds, and a refusal does not fall back to the network', async () => {
    await refusal(own('http://localhost/x', { ...IMAGE, maxBytes: 3 }));
    await refusal(own('http://localhost/x', { ...IMAGE, accept: 'video' }));
    expect((await refusal(own('http://localhost/forbidden', IMAGE))).message).toBe('not yours');
    expect(asked).toEqual([]);
    await refusal(own('http://localhost/theirs', IMAGE));
    expect(asked).toEqual(['localhost']);
  });
});

test.each([
  ['8.8.8.8', true],
  ['::ffff:8.8.8.8', true],
  ['2606:4700:4700::1111', true],
  ['::8.8.8.8', false],
  ['0:0:0:0:0:0:8.8.8.8', false],
  ['fe80::1%eth0', false],
  ['2606:4700::1111%eth0', false],
  ['2002:808:808::', false],
  ['5f00::1', false],
  ['100::1', false],
  ['0x7f000001', false],
  ['8.8.8.8:80', false],
  ['', false],
  ['good.test', false],
])('%s is public: %s', (address, expected) => {
  expect(isPublicAddress(address)).toBe(expected);
});
