/** docker-compose.yml against the code: right even where no Docker engine can run it. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
// @ts-expect-error: plain JavaScript, which runs before anything is built.
import { ALLOCATOR, platformCommand } from '../../scripts/tools.mjs';
import { readConfig, VARIABLES } from '../../src/kernel/config.ts';

const compose = parse(readFileSync('docker-compose.yml', 'utf8'), { merge: true });
const ours = Object.entries<any>(compose.services).filter(([, service]) => service.build);

const modelServers = Object.entries<any>(compose.services).filter(([, service]) =>
  service.profiles?.includes('models'),
);

/** What .env must bring. */
const REQUIRED: Record<string, string> = { POSTGRES_PASSWORD: 'f00d' };

/** `${NAME:-default}` and `${NAME:?why}` as Docker reads them with the required ones set. */
const filled = (text: string): string =>
  text
    .replace(/\$\{\w+:-([^}]*)\}/g, '$1')
    .replace(/\$\{(\w+):\?[^}]+\}/g, (_, name) => REQUIRED[name] ?? `no ${name}`);

/** The container's own: what is published and mounted is said elsewhere in the file. */
const CONTAINERS_OWN = ['PORT', 'HOST', 'DATA_DIR'];
/** Set by the file itself. */
const SET = ['ROLE', 'DATABASE_URL'];
/** What the file has a server for. */
const SERVED: Record<string, string> = { REDIS_URL: 'redis://redis:6379' };

describe('docker-compose.yml', () => {
  test('has web, worker, PostgreSQL and Redis, and servers of models by a profile, each with a health check', () => {
    const usual = Object.entries<any>(compose.services).filter(([, { profiles }]) => !profiles);
    expect(usual.map(([name]) => name).sort()).toEqual(['postgres', 'redis', 'web', 'worker']);
    expect(modelServers.map(([name]) => name).sort()).toEqual(['kokoro', 'ollama', 'whisper']);
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

  test.each(ours)('%s is passed the whole configuration', (_, service) => {
    const wanted = Object.keys(VARIABLES).filter((name) => !CONTAINERS_OWN.includes(name));
    expect(Object.keys(service.environment).sort()).toEqual(wanted.sort());
    for (const name of wanted.filter((one) => !SET.includes(one))) {
      expect(service.environment[name]).toBe(`\${${name}:-${SERVED[name] ?? ''}}`);
    }
    expect(service.environment.DATABASE_URL).toContain('POSTGRES_PASSWORD:?');
  });

  test('every variable it asks of .env is known', () => {
    const text = readFileSync('docker-compose.yml', 'utf8').replace(/^#.*$/gm, '');
    const asked = [...text.matchAll(/\$\{(\w+)/g)].map((match) => match[1]!);
    const memory = Object.keys(compose.services).map((name) => `${name.toUpperCase()}_MEMORY`);
    const outside = ['PORT', 'ENGINE_PACKAGES', ...memory];
    for (const name of asked) expect([...outside, ...Object.keys(REQUIRED), ...Object.keys(VARIABLES)]).toContain(name);
  });

  test('with PgBouncer between: the processes reach it, and the database itself where they need a session', () => {
    const pooled = parse(readFileSync('deploy/compose/pgbouncer.yaml', 'utf8'), { merge: true });
    for (const [name, { environment }] of ours) {
      const set = { ...environment, ...pooled.services[name].environment };
      const config = readConfig(
        Object.fromEntries(Object.entries<string>(set).map(([key, value]) => [key, filled(value)])),
      );
      expect(new URL(config.DATABASE_URL!).host).toBe('pgbouncer:6432');
      expect(config.DATABASE_DIRECT_URL).toContain('@postgres:5432/avatars');
      expect(pooled.services[name].depends_on).toHaveProperty('pgbouncer');
    }
    const { pgbouncer } = pooled.services;
    expect(pgbouncer.build.dockerfile_inline).toContain(`FROM ${compose.services.postgres.image}\n`);
    expect(pgbouncer).toMatchObject({ cap_drop: ['ALL'], read_only: true, networks: ['database'], pids_limit: 64 });
    // Its settings and password are written where it may write.
    for (const name of ['SETTINGS', 'USERS']) expect(pgbouncer.entrypoint.at(-1)).toMatch(`"$$${name}" > /tmp/`);
    expect(pgbouncer.environment.SETTINGS).toMatch(/^auth_file = \/tmp\/users\.txt$/m);
    expect(filled(pgbouncer.environment.USERS)).toBe('"avatars" "f00d"');
    // Compose copies these into the container, which fails where its disk is read-only.
    for (const { configs, secrets } of Object.values<any>({ ...compose.services, ...pooled.services }))
      expect([configs, secrets]).toEqual([undefined, undefined]);
  });

  test('what README grows to finds a port for each web, and room in the database', () => {
    const [, range, webs, workers] = /`PORT=(\S+) docker compose up --scale web=(\d) --scale worker=(\d)`/.exec(
      readFileSync('README.md', 'utf8'),
    )!;
    const [first, last] = range!.split('-').map(Number) as [number, number];
    expect(last - first + 1).toBe(Number(webs));
    expect(compose.services.web.ports[0]).toMatch(/^\$\{PORT:-4000\}:4000$/);
    const [, most] = /max_connections=(\d+)/.exec(compose.services.postgres.command.join(' '))!;
    const { DATABASE_POOL } = readConfig({});
    // A few are kept back for the superuser.
    expect((Number(webs) + Number(workers)) * (DATABASE_POOL + 4)).toBeLessThan(Number(most) - 10);
  });

  test('has no password of its own', () => {
    const text = readFileSync('docker-compose.yml', 'utf8') + readFileSync('deploy/compose/pgbouncer.yaml', 'utf8');
    expect([...text.matchAll(/\$\{\w*(?:PASSWORD|SECRET|KEY|TOKEN)\w*:-[^}]+\}/g)].map(([found]) => found)).toEqual([]);
    const passwords = [...text.matchAll(/\$\{POSTGRES_PASSWORD[^}]*\}/g)].map(([found]) => found);
    expect(passwords.length).toBe(5);
    for (const found of passwords) expect(found).toMatch(/^\$\{POSTGRES_PASSWORD:\?.{20,}\}$/);
  });

  test('the database is well once it can be reached by others, and not while its first start makes it', () => {
    expect(compose.services.postgres.healthcheck.test.join(' ')).toMatch(/^CMD pg_isready -h 127\.0\.0\.1 /);
  });

  test('what is logged has an end, in every container', () => {
    const pooled = parse(readFileSync('deploy/compose/pgbouncer.yaml', 'utf8'), { merge: true });
    for (const { logging } of Object.values<any>({ ...compose.services, pgbouncer: pooled.services.pgbouncer })) {
      expect(logging).toEqual({ driver: 'json-file', options: { 'max-size': '20m', 'max-file': '5' } });
    }
  });

  test('models.env wires the platform to the servers of the profile', () => {
    const lines = readFileSync('models.env', 'utf8').split('\n');
    const env = Object.fromEntries(
      lines.flatMap((line) => [/^(\w+)=(.*)$/.exec(line)?.slice(1) ?? []].filter(([name]) => name)),
    );
    expect(env.COMPOSE_PROFILES).toBe('models');
    const config = readConfig(env);
    expect(config.SPEECH_VOICES.length).toBe(8);
    const hosts = ['CHAT', 'EMBEDDING', 'SPEECH', 'TRANSCRIPTION'].map(
      (kind) => new URL(env[`${kind}_BASE_URL`]).hostname,
    );
    expect([...new Set(hosts)].sort()).toEqual(modelServers.map(([name]) => name).sort());
    for (const name of Object.keys(env)) expect(['COMPOSE_PROFILES', ...Object.keys(VARIABLES)]).toContain(name);
  });

  test.each(modelServers)(
    '%s, which others publish, has no rights, an end to its memory, and keeps its models',
    (name, service) => {
      expect(service).toMatchObject({
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        pids_limit: expect.any(Number),
        networks: ['outside'],
        image: expect.stringMatching(/:v?\d+\.\d+\.\d+[\w.-]*$/),
        mem_limit: expect.stringMatching(/^\$\{\w+_MEMORY:-\d+[gm]\}$/),
        volumes: [expect.stringMatching(new RegExp(`^${name}:/`))],
      });
      expect(service.ports).toBe(undefined);
      expect(compose.volumes).toHaveProperty(name);
    },
  );

  const usual = Object.entries<any>(compose.services).filter(([, { profiles }]) => !profiles);
  test.each(usual)('%s has no rights but those it needs', (name, service) => {
    expect(service).toMatchObject({
      cap_drop: ['ALL'],
      read_only: true,
      security_opt: ['no-new-privileges:true'],
      pids_limit: expect.any(Number),
      mem_limit: expect.stringMatching(/^\$\{\w+_MEMORY:-\d+[gm]\}$/),
    });
    expect((service.tmpfs ?? []).every((one: string) => one.includes('noexec'))).toBe(true);
    if (name === 'postgres') {
      expect(service.networks).toEqual(['database']);
      expect(compose.networks.database.internal).toBe(true);
      expect(service.ports).toBe(undefined);
    } else {
      expect(service.user).toBe(name === 'redis' ? '65534:65534' : 'node');
      expect(service.cap_add).toBe(undefined);
    }
  });

  test('images are named by digest, packages installed from the lock', () => {
    const dockerfile = readFileSync('Dockerfile', 'utf8');
    expect(compose.services.postgres.image).toMatch(/:[\w.-]+@sha256:[0-9a-f]{64}$/);
    expect(dockerfile).toMatch(/^ARG NODE_IMAGE=node:[\w.-]+@sha256:[0-9a-f]{64}$/m);
    expect(dockerfile.match(/^FROM/gm)!.length).toBe(2);
    expect(dockerfile.match(/^FROM \$\{NODE_IMAGE\}/gm)!.length).toBe(2);
    expect(dockerfile).toMatch(/^RUN npm ci --omit=dev/m);
    // Also what is a package of our tests, which `--omit=dev` would leave out; and what npm brings back thereby is removed behind it.
    expect(dockerfile).toMatch(
      /^ARG ENGINE_PACKAGES[\s\S]*npm install .*--save-prod .*\$ENGINE_PACKAGES;[\s\S]*^RUN rm -rf node_modules\/node-\*/m,
    );
    for (const [, service] of ours) expect(service.build.args).toEqual({ ENGINE_PACKAGES: expect.any(String) });
    expect(dockerfile).toMatch(/^USER node$/m);
  });

  test('the image runs as npm start does: its command and its allocator', () => {
    const dockerfile = readFileSync('Dockerfile', 'utf8');
    const [, command] = /^CMD (.+)$/m.exec(dockerfile)!;
    const [main, ...options] = platformCommand().args.toReversed();
    expect(JSON.parse(command!)).toEqual(['node', ...options.toReversed(), path.relative('', main)]);
    for (const [name, value] of Object.entries(ALLOCATOR)) expect(dockerfile).toContain(`${name}=${value}`);
    expect(platformCommand().env).toMatchObject(ALLOCATOR);
  });

  test('the image copies what the build reads', () => {
    const dockerfile = readFileSync('Dockerfile', 'utf8');
    // By which the bundles of pages are made: without it they are others than those that are tested.
    const { extends: settings } = JSON.parse(readFileSync('src/pages/client/tsconfig.json', 'utf8'));
    expect(dockerfile).toContain(`COPY ${path.relative('', path.resolve('src/pages/client', settings))} ./`);
    for (const match of dockerfile.matchAll(/^COPY (\S+(?: \S+)*) \S+$/gm)) {
      for (const source of match[1]!.split(' ').filter((word) => !word.startsWith('--') && !word.startsWith('/'))) {
        expect(existsSync(source)).toBe(true);
      }
    }
  });
});
