/** The client that calls what an owner named: bounded answers, no redirects, no private network. */
import { createServer, type Server } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { createGuardedFetch } from '../../src/storage/guarded-client.ts';

let server: Server;
let host: string;
const seen: string[] = [];
const answers: Record<string, (response: import('node:http').ServerResponse) => void> = {
  '/json': (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"a":1}'),
  '/none': (response) => response.writeHead(204).end(),
  '/moved': (response) => response.writeHead(307, { location: '/json' }).end(),
  '/large': (response) => response.writeHead(200).end('x'.repeat(2_000)),
  '/bomb': (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(500_000))),
  '/silent': () => {},
  '/late': (response) => {
    held.resolve(() => response.writeHead(200).end('{"a":1}'));
  },
};
/** Has '/late' answer, once it was asked. */
const held = Promise.withResolvers<() => void>();

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    seen.push(`${request.method} ${request.url} ${request.headers['x-api-key']} ${body}`);
    answers[request.url!]!(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  host = `127.0.0.1:${(server.address() as { port: number }).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const open = () => createGuardedFetch({ allowHosts: [host], maxBytes: 1_000 });

describe('the guarded client', () => {
  // First: the package's own clock of timeouts is made by its first call, and would be a real one.
  test('an answer may take as long as its caller waits', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'performance', 'Date'] });
    try {
      const answer = open()(`http://${host}/late`, { signal: AbortSignal.timeout(30_000) });
      const release = await held.promise;
      jest.advanceTimersByTime(14_000);
      release();
      expect((await answer).status).toBe(200);
    } finally {
      jest.useRealTimers();
    }
  });

  test('sends method, headers and body, and gives status and answer back', async () => {
    const init = { method: 'POST', headers: { 'x-api-key': 'k' }, body: '{"q":2}' };
    const response = await open()(`http://${host}/json`, init);
    expect([response.status, await response.json()]).toEqual([200, { a: 1 }]);
    expect(seen.at(-1)).toBe('POST /json k {"q":2}');
    expect((await open()(`http://${host}/none`, {})).status).toBe(204);
  });

  test('does not follow a redirect, so the key stays', async () => {
    const before = seen.length;
    expect((await open()(`http://${host}/moved`, { headers: { 'x-api-key': 'k' } })).status).toBe(307);
    expect(seen).toHaveLength(before + 1);
  });

  test('an answer that is too long is refused; a packed one stays packed', async () => {
    await expect(open()(`http://${host}/large`, {})).rejects.toThrow('1000 bytes');
    expect((await (await open()(`http://${host}/bomb`, {})).arrayBuffer()).byteLength).toBeLessThan(1_000);
  });

  test('a silent one ends with the signal', async () => {
    const signal = AbortSignal.timeout(50);
    await expect(open()(`http://${host}/silent`, { signal })).rejects.toThrow();
  });

  test.each([
    'http://127.0.0.1:80/',
    'http://169.254.169.254/',
    'http://[::1]/',
    'https://10.0.0.1/',
    'http://0x7f.1/',
  ])('reaches no private network: %s', async (url) => {
    const refused = await open()(url, {}).catch((error: Error) => error);
    expect(refused).toMatchObject({ name: 'FetchRefusal' });
  });

  test.each(['file:///etc/passwd', 'http://user:pw@example.com/', 'http://example.com:8080/', 'nowhere'])(
    'refuses %s before any socket',
    async (url) => expect(await open()(url, {}).catch((error: Error) => error.name)).toBe('FetchRefusal'),
  );
});
