/**
 * `npm run backup` and `npm run restore` of a whole instance: taken while users talk, put into an empty folder, started.
 * What stood when the backup began is there again, whole, and nothing is overwritten.
 */
import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { packTar, unpackTar } from 'modern-tar';
import { restore } from '../../src/commands/restore.ts';
import { freePort } from '../support/machine.ts';
import { type Run, ready, runModule } from '../support/program.ts';
import { until } from '../support/until.ts';

// Each test starts programs, and some three.
jest.setTimeout(900_000);

const WHO = { email: 'ada@example.com', password: 'correct horse' };
const TURNS = 3;

let folder: string;
let env: Record<string, string>;
let base: string;
let instance: Run;
let apiKey: string;
let avatarId: string;
let slug: string;
/** Addresses of media and what they answered before the backup. */
const media = new Map<string, Buffer>();

/** What the instance logged as a warning or worse. */
const troubles = () =>
  instance
    .output()
    .split('\n')
    .filter((line) => /"level":[456]0/.test(line))
    .join('\n');

async function ask<T = any>(method: string, where: string, as: string | undefined, body?: object): Promise<T> {
  const answer = await fetch(base + where, {
    method,
    headers: { 'content-type': 'application/json', ...(as ? { authorization: `Bearer ${as}` } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${where}: ${answer.status} ${text}\n${troubles()}`);
  return JSON.parse(text);
}

const signIn = async (mutation: 'signIn' | 'signUp'): Promise<string> => {
  const query = `mutation($email: String!, $password: String!) {
    ${mutation}(email: $email, password: $password) { idToken } }`;
  return (await ask('POST', '/graphql', undefined, { query, variables: WHO })).data[mutation].idToken;
};
const say = (userText: string) =>
  ask('POST', `/conversations/${slug}/turn`, apiKey, {
    userText,
    mode: 'speak',
    avatarText: userText,
    output: 'audio',
  });
const turns = async (): Promise<any[]> => (await ask('GET', `/conversations/by-slug/${slug}`, apiKey)).turns;
const said = async () => (await turns()).filter(({ status }) => status === 'audio').map(({ avatarText }) => avatarText);
const recall = async () =>
  (await ask('POST', `/avatars/${avatarId}/brain/recall`, apiKey, { query: 'lighthouse' })).memories;
const bytesAt = async (url: string) => {
  const answer = await fetch(url);
  expect(`${answer.status} ${url}`).toBe(`200 ${url}`);
  return Buffer.from(await answer.arrayBuffer());
};

async function command(
  name: string,
  dataDir: string,
  ...args: string[]
): Promise<{ code: number | null; out: string }> {
  const run = runModule(`src/commands/${name}`, { DATA_DIR: dataDir }, ...args);
  return { code: await run.exit, out: run.output() };
}

async function newDataDir(name: string): Promise<string> {
  const dataDir = path.join(folder, name);
  await mkdir(dataDir, { mode: 0o755 });
  return dataDir;
}

const isRestored = (dataDir: string) =>
  ['postgres/data', 'media', 'secrets.key'].some((one) => existsSync(path.join(dataDir, one)));

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'avatar-backup-'));
  // PostgreSQL runs as `nobody` where the tests run as root, and must be able to enter.
  await chmod(folder, 0o755);
  const port = await freePort();
  base = `http://127.0.0.1:${port}`;
  env = { PORT: String(port), BASE_URL: base, ENGINES: 'noop', RATE_LIMITS: 'off' };
  instance = runModule('src/main', { ...env, DATA_DIR: path.join(folder, 'first') });
  await ready(instance);
  apiKey = (await ask('POST', '/api-keys', await signIn('signUp'), { name: 'test' })).token;
  avatarId = (
    await ask('POST', '/avatars', apiKey, { displayName: 'Nova', personalityPrompt: 'Kind.', ttsVoiceId: 'noop' })
  ).avatarId;
  const { userId } = (await ask('POST', '/graphql', apiKey, { query: '{ me { userId } }' })).data.me;
  slug = (await ask('POST', '/conversations', apiKey, { avatarOwnerUserId: userId, avatarId })).shareSlug;
  await ask('POST', `/avatars/${avatarId}/brain/pages`, apiKey, { content: 'The lighthouse is green.' });
  for (let turn = 0; turn < TURNS; turn += 1) await say(`Before ${turn}.`);
  await until(async () => (await said()).length === TURNS);
  for (const { audioUrl } of (await turns()).filter(({ role }) => role === 'avatar'))
    media.set(audioUrl, await bytesAt(audioUrl));
});
afterAll(async () => {
  if (instance.child.exitCode === null) instance.child.kill('SIGTERM');
  await instance.exit;
  await rm(folder, { recursive: true, force: true });
});

describe('an instance', () => {
  const archive = () => path.join(folder, 'whole.tar.zst');
  let second: string;

  test('is backed up while users talk to it', async () => {
    let isDone = false;
    let during = 0;
    const talking = (async () => {
      for (; !isDone; during += 1) await say(`During ${during}.`);
    })();
    const { code, out } = await command('backup', path.join(folder, 'first'), archive());
    isDone = true;
    await talking;
    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringMatching(/whole\.tar\.zst: .* media files, as of now/),
    });
    expect(out).toContain('The secrets key is NOT in it');
    expect(during).toBeGreaterThan(0);
    expect((await stat(archive())).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).not.toContain('whole.tar.zst.partial');
    expect(instance.child.exitCode).toBe(null);
    instance.child.kill('SIGTERM');
    expect(await instance.exit).toBe(0);
  });

  test('is restored into an empty folder: the ledger holds, and the key that is missing is named', async () => {
    second = await newDataDir('second');
    const { code, out } = await command('restore', second, archive());
    expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/(\d+) of \1 invariants of its ledger hold/) });
    expect(out).toContain(`put the secrets key of that instance into ${second}/secrets.key`);
    expect(await command('audit', second)).toEqual({ code: 0, out: expect.stringMatching(/All \d+ invariants hold/) });
  });

  test('is started without its key: one sentence', async () => {
    const run = runModule('src/main', { ...env, DATA_DIR: second, LOG_LEVEL: 'silent' });
    expect(await run.exit).toBe(1);
    expect(run.output()).toMatch(/^The keys in this database are wrapped: set SECRETS_KEY/);
  });

  test('is started with it: signing in, turns, media and memories are as before, and it goes on', async () => {
    await copyFile(path.join(folder, 'first/secrets.key'), path.join(second, 'secrets.key'));
    instance = runModule('src/main', { ...env, DATA_DIR: second });
    await ready(instance);
    expect(await signIn('signIn')).toMatch(/\w/);
    for (const [url, bytes] of media) expect(bytes.equals(await bytesAt(url))).toBe(true);
    expect((await recall()).map(({ content }: any) => content)).toContain('The lighthouse is green.');
    await say('After.');
    // Jobs that were under way when the backup was made run again.
    await until(async () => (await turns()).every(({ role, status }) => role === 'user' || status === 'audio'));
    const texts = await said();
    expect(texts.slice(0, TURNS)).toEqual(['Before 0.', 'Before 1.', 'Before 2.']);
    expect(texts.at(-1)).toBe('After.');
    for (const { audioUrl } of (await turns()).filter(({ role }) => role === 'avatar'))
      expect((await bytesAt(audioUrl)).length).toBeGreaterThan(0);
  });

  test('is not overwritten by a restore, and an archive not by a backup', async () => {
    const before = await readFile(archive());
    expect(await command('restore', second, archive())).toEqual({
      code: 1,
      out: expect.stringMatching(/postgres\/data is not empty, and nothing is overwritten/),
    });
    expect(await command('backup', second, archive())).toEqual({
      code: 1,
      out: expect.stringMatching(/is there already/),
    });
    expect(before.equals(await readFile(archive()))).toBe(true);
    expect((await turns()).length).toBeGreaterThan(TURNS);
  });

  test('is backed up with its keys, which are put in place', async () => {
    instance.child.kill('SIGTERM');
    await instance.exit;
    const withKeys = path.join(folder, 'keys.tar.zst');
    const made = await command('backup', second, withKeys, '--with-keys');
    expect(made).toEqual({ code: 0, out: expect.stringContaining('who has this file has the whole instance') });
    const third = await newDataDir('third');
    const { code, out } = await command('restore', third, withKeys);
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('The secrets key is there: npm start.') });
    for (const name of ['secrets.key', 'demo.json']) {
      expect(await readFile(path.join(third, name))).toEqual(await readFile(path.join(second, name)));
      expect((await stat(path.join(third, name))).mode & 0o777).toBe(0o600);
    }
  });

  type Entries = Awaited<ReturnType<typeof unpackTar>>;
  /** Of the archive: the manifest, a few files, and the end. */
  let few: Entries | undefined;
  const packed = async (entries: Entries) => promisify(zstdCompress)(await packTar(entries));
  const prepare = async () => {
    if (!few) {
      const all = await unpackTar(await promisify(zstdDecompress)(await readFile(archive())));
      const files = all.filter(({ header }) => header.name.startsWith('media/'));
      few = [all[0]!, ...files.slice(0, 4), all.at(-1)!];
    }
    return structuredClone(few);
  };
  /** What the command, which prints it alone, says of why it did nothing; one line. */
  const refusal = async (target: string, file: string) => {
    let out = '';
    const run = restore([file], { DATA_DIR: target }, { write: (text) => (out += text) });
    const { name, message } = await run.then(
      () => new Error('It was restored.'),
      (error: Error) => error,
    );
    expect({ name, out, lines: message.split('\n').length }).toEqual({ name: 'ConfigError', out: '', lines: 1 });
    return message;
  };
  const manifestOf = (entries: Entries, change: object) => {
    const [first] = entries as [Entries[number]];
    first.data = Buffer.from(JSON.stringify({ ...JSON.parse(Buffer.from(first.data!).toString()), ...change }));
    first.header.size = first.data.length;
    return entries;
  };

  test.each<[string, (entries: Entries) => Entries, RegExp]>([
    [
      'of a newer release',
      (all) => manifestOf(all, { release: '9.0.0', schema: '9999_next' }),
      /release 9\.0\.0 made it, with the schema 9999_next; this is/,
    ],
    [
      'of another PostgreSQL',
      (all) => manifestOf(all, { postgres: '12' }),
      /has data of PostgreSQL 12, and this program has \d+/,
    ],
    ['of another machine', (all) => manifestOf(all, { platform: 'plan9-mips' }), /was made on plan9-mips, and this is/],
    ['that broke off', (all) => all.slice(0, -1), /ends too early/],
    [
      'with a file outside',
      (all) => all.map((one, at) => (at === 1 ? { ...one, header: { ...one.header, name: 'media/../../x' } } : one)),
      /which no backup has/,
    ],
    ['that is none', (all) => all.slice(1), /is no archive of npm run backup/],
  ])('an archive %s is refused in one sentence, and leaves nothing', async (name, change, sentence) => {
    const file = path.join(folder, 'changed.tar.zst');
    await writeFile(file, await packed(change(await prepare())));
    const target = await newDataDir(name.replaceAll(' ', '-'));
    expect(await refusal(target, file)).toMatch(sentence);
    expect(isRestored(target)).toBe(false);
  });

  test.each<[string, (bytes: Buffer) => Buffer]>([
    ['cut', (bytes) => bytes.subarray(0, bytes.length >> 1)],
    [
      'with wrong bytes',
      (bytes) =>
        Buffer.concat([
          bytes.subarray(0, bytes.length >> 1),
          Buffer.alloc(64),
          bytes.subarray((bytes.length >> 1) + 64),
        ]),
    ],
    ['of something else', () => Buffer.from('no archive')],
  ])('a file %s is refused in one sentence, and leaves nothing', async (name, change) => {
    const file = path.join(folder, 'damaged.tar.zst');
    await writeFile(file, change(await packed(await prepare())));
    const target = await newDataDir(`damaged ${name}`);
    expect(await refusal(target, file)).toMatch(/cannot be read as an archive/);
    expect(isRestored(target)).toBe(false);
  });
});

test.each(['backup', 'restore'])('%s of a database of one’s own is not its business: one sentence', async (name) => {
  const env = { DATABASE_URL: 'postgres://127.0.0.1:1/x' };
  const run = runModule(`src/commands/${name}`, env, ...(name === 'restore' ? ['package.json'] : []));
  expect(await run.exit).toBe(1);
  expect(run.output()).toMatch(/^DATABASE_URL is set: .*\n$/);
});
