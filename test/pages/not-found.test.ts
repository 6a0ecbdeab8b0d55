/** Addresses that nothing matches: browsers get the page, programs the error body. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openTestApp, type TestApp } from '../support/app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await openTestApp();
});
afterAll(() => t?.close());

test('a browser sees the same page as for what is private', async () => {
  const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
  const unmatched = await t.rest('GET', '/no/such/place', { headers: { accept } });
  const hidden = await t.rest('GET', '/c-26-01-zzzz', { headers: { accept } });
  expect(unmatched.status).toBe(404);
  expect(unmatched.body).toBe(hidden.body);
  expect(unmatched.headers.get('vary')).toContain('accept');
  expect(unmatched.headers.get('content-security-policy')).toContain("default-src 'none'");
});

test.each([
  ['GET', {}],
  ['GET', { accept: '*/*' }],
  ['GET', { accept: 'application/json' }],
  ['POST', { accept: 'text/html' }],
])('%s with %j gets the error body', async (method, headers) => {
  const answer = await t.rest(method, '/no/such/place', { headers });
  expect(answer.status).toBe(404);
  expect(answer.headers.get('content-type')).toContain('json');
  expect(answer.body.error).toBe('There is nothing at this address.');
});
