/** A reverse proxy in front that TRUST_PROXY does not count: the log says so once, and the header changes nothing. */
import { Writable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import { openTestApp } from '../support/app.ts';

const forwarded = { headers: { 'x-forwarded-for': '203.0.113.7' } };

async function warnings(env: Record<string, string>): Promise<string[]> {
  const events: { msg: string; address?: string }[] = [];
  const lines = new Writable({
    write(line, _, done) {
      events.push(JSON.parse(String(line)));
      done();
    },
  });
  const t = await openTestApp({ log: pino({ level: 'warn' }, lines), env });
  try {
    await t.rest('GET', '/avatars/public');
    expect(events.filter(({ msg }) => msg === 'proxy not trusted')).toEqual([]);
    for (let i = 0; i < 3; i += 1) expect((await t.rest('GET', '/avatars/public', forwarded)).status).toBe(200);
    return events.flatMap(({ msg, address }) => (msg === 'proxy not trusted' ? [address!] : []));
  } finally {
    await t.close();
  }
}

test('without TRUST_PROXY it is said once, with the address that all callers seem to have', async () => {
  expect(await warnings({})).toEqual([expect.stringMatching(/127\.0\.0\.1$/)]);
});

test('with TRUST_PROXY nothing is said', async () => {
  expect(await warnings({ TRUST_PROXY: '1' })).toEqual([]);
});
