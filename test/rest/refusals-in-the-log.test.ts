/** What a caller got wrong is no operator's affair: it is a line without a trace, no warning, and no failed work. */
import { Writable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';

let t: TestApp;
let ada: TestUser;
const lines: { level: number; msg: string; reason?: string; err?: unknown }[] = [];
const sink = new Writable({
  write(chunk, _encoding, done) {
    for (const line of String(chunk).trim().split('\n')) lines.push(JSON.parse(line));
    done();
  },
});

beforeAll(async () => {
  t = await openTestApp({ log: pino({ level: 'info' }, sink), engines: 'real', work: true });
  ada = await t.person('Ada', 1);
});
afterAll(() => t.close());

const failedWork = async (): Promise<string> =>
  /^avatar_work_failed_total.*$/m.exec(String((await t.rest('GET', '/metrics')).body))?.[0] ?? '';

test.each([
  [
    'POST',
    '/avatars',
    { displayName: 'Nova', imageUrl: 'https://a:b@example.com/x.png' },
    'request refused',
    'imageUrl',
  ],
  ['POST', '/images/generate', { prompt: 'ftp://example.com/x' }, 'image refused', 'prompt'],
])('%s %s', async (method, path, body, event, field) => {
  const failed = await failedWork();
  lines.length = 0;
  expect((await t.rest(method, path, { as: ada.apiKey, body })).status).toBe(400);
  expect(lines).toContainEqual(expect.objectContaining({ msg: event, code: 'BAD_INPUT', field }));
  expect(lines.filter(({ level, err }) => level > 30 || err)).toEqual([]);
  // Nor is what was asked for repeated.
  expect(JSON.stringify(lines)).not.toMatch(/ftp|example/);
  expect(await failedWork()).toBe(failed);
});
