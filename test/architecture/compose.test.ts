/** docker-compose.yml against the code: right even where no Docker engine can run it. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
// @ts-expect-error: plain JavaScript, which runs before anything is built.
import { ALLOCATOR, platformCommand } from '../../scripts/tools.mjs';
import { readConfig, VARIABLES } from '../../src/kernel/config.ts';

const compose = parse(readFileSync('docker-compose.yml', 'utf8'), { merge: true });
const ours = Object.entries<any>(compose.services).filter(([, service]) => service.build);

/** `${NAME:-default}` as Docker reads it with nothing set. */
const filled = (text: string): string => text.replace(/\$\{\w+:-([^}]*)\}/g, '$1');

describe('docker-compose.yml', () => {
  test('has web, worker and PostgreSQL, each with a health check', () => {
    expect(Object.keys(compose.services).sort()).toEqual(['postgres', 'web', 'worker']);
    for (const service of Object.values<any>(compose.services)) expect(service.healthcheck.test[0]).toBe('CMD');
  });

  test.each(ours)('%s sets only variables that the configuration knows, to values that it takes', (name, service) => {
    const known = Object.keys(VARIABLES);
    for (const variable of Object.keys(service.environment)) expect(known).toContain(variable);
    const env = Object.fromEntries(
      Object.entries<string>(service.environment).map(([key, value]) => [key, filled(String(value))]),
    );
    const config = readConfig(env);
    expect(config.ROLE).toBe(name);
    expect(config.DATABASE_URL).toContain('@postgres:5432/');
  });

  test('every variable it asks of .env reaches a service', () => {
    const text = readFileSync('docker-compose.yml', 'utf8');
    const asked = [...text.matchAll(/\$\{(\w+):-/g)].map((match) => match[1]!);
    const outside = new Set(['POSTGRES_PASSWORD', 'PORT', 'ENGINE_PACKAGES']);
    for (const name of asked) expect(outside.has(name) || name in VARIABLES).toBe(true);
  });

  test('every engine’s variables are passed on, and its packages built in', () => {
    const engines = Object.keys(VARIABLES).filter((name) => /^(CHAT|IMAGE|VIDEO|SPEECH)_/.test(name));
    const passed = ours.map(([, service]) => service.environment);
    for (const environment of passed) {
      expect(engines.filter((name) => name !== 'VIDEO_CONCURRENCY' && !(name in environment))).toEqual([]);
    }
    for (const [, service] of ours) expect(service.build.args).toEqual({ ENGINE_PACKAGES: expect.any(String) });
    expect(readFileSync('Dockerfile', 'utf8')).toMatch(/^ARG ENGINE_PACKAGES[\s\S]*npm install .*\$ENGINE_PACKAGES$/m);
  });

  test('the image runs with the allocator of npm start', () => {
    const dockerfile = readFileSync('Dockerfile', 'utf8');
    for (const [name, value] of Object.entries(ALLOCATOR)) expect(dockerfile).toContain(`${name}=${value}`);
    expect(platformCommand().env).toMatchObject(ALLOCATOR);
  });

  test('the image copies what the build reads', () => {
    const dockerfile = readFileSync('Dockerfile', 'utf8');
    for (const match of dockerfile.matchAll(/^COPY (\S+(?: \S+)*) \S+$/gm)) {
      for (const source of match[1]!.split(' ').filter((word) => !word.startsWith('--') && !word.startsWith('/'))) {
        expect(existsSync(source)).toBe(true);
      }
    }
  });
});
