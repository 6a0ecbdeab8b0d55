/**
 * Rate limits that several web processes share, on a real Redis where one is installed: failures at one
 * process count at the other, and while Redis is away each counts by itself.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { openApp } from '../../src/app/app.ts';
import { startServer } from '../../src/http/server.ts';
import { freePort, openTestApp, type TestApp } from '../support/app.ts';
import { isInstalled } from '../support/machine.ts';
import { until } from '../support/until.ts';

(isInstalled('redis-server') ? describe : describe.skip)('two web processes and Redis', () => {
  let redis: ChildProcess;
  const lines: string[] = [];
  let t: TestApp;
  let other: { port: number; close(): Promise<void> };

  beforeAll(async () => {
    const port = await freePort();
    redis = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', ''], { stdio: 'pipe' });
    await new Promise<void>((resolve) => {
      redis.stdout!.on('data', (text) => String(text).includes('Ready to accept connections') && resolve());
    });
    const sink = new Writable({
      write(line, _encoding, done) {
        lines.push(String(line));
        done();
      },
    });
    const log = pino({ level: 'warn' }, sink);
    t = await openTestApp({ log, env: { RATE_LIMITS: 'on', REDIS_URL: `redis://127.0.0.1:${port}` } });
    const config = { ...t.app.config, PORT: await freePort() };
    const app = await openApp({ config, databaseUrl: t.databaseUrl, work: false });
    const server = await startServer(app);
    other = {
      port: server.port,
      close: async () => {
        await server.close();
        await app.close();
      },
    };
  });
  afterAll(async () => {
    await other.close();
    await t.close();
    redis.kill();
  });

  const signIn = async (url: string): Promise<string> => {
    const query = 'mutation { signIn(email: "nobody@example.com", password: "not the password") { idToken } }';
    const answer = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    return ((await answer.json()) as any).errors[0].extensions.code;
  };

  test('guesses at one count at the other; without Redis each counts for itself, and everything still answers', async () => {
    const here = t.url;
    const there = `http://127.0.0.1:${other.port}`;
    // Until Redis is reached each would count by itself.
    await until(async () => (await fetch(`${here}/avatars/public`)).headers.get('ratelimit-remaining') !== null);
    const codes: string[] = [];
    for (let guess = 0; guess < 11; guess += 1) codes.push(await signIn(guess % 2 ? there : here));
    expect(codes.slice(0, 10)).not.toContain('RATE_LIMITED');
    expect(codes[10]).toBe('RATE_LIMITED');
    expect(await signIn(there)).toBe('RATE_LIMITED');

    const gone = new Promise((resolve) => redis.once('exit', resolve));
    redis.kill('SIGKILL');
    await gone;
    await until(async () => lines.some((line) => line.includes('redis lost')));
    const alone: string[] = [];
    for (let guess = 0; guess < 11; guess += 1) alone.push(await signIn(here));
    expect(alone[0]).not.toBe('RATE_LIMITED');
    expect(alone[10]).toBe('RATE_LIMITED');
    expect(await signIn(there)).not.toBe('RATE_LIMITED');
    expect((await fetch(`${there}/health/live`)).status).toBe(200);
  });
});
