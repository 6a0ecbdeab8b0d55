/**
 * The instance's own keys: wrapped in the database by a key that is not in it, found by every process, replaced by
 * command while those before still verify.
 */
import { existsSync, statSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type App, openApp } from '../../src/app/app.ts';
import { rotateKeys } from '../../src/commands/rotate-keys.ts';
import { DAY_MS, MINUTE_MS } from '../../src/kernel/clock.ts';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { makeAvatar } from '../support/oauth.ts';
import { runModule } from '../support/program.ts';

let t: TestApp;
let ada: TestUser;
let nowMs = Date.now();
let folders: string[];
const clock = { now: () => nowMs };

beforeEach(async () => {
  folders = [];
  nowMs = Date.now();
  t = await openTestApp({ clock });
  ada = await t.person('Ada');
});
afterEach(async () => {
  await t.close();
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

const stored = () => t.app.db.rows<any>('select * from instance_secret order by name, generation');
const keyFile = () => path.join(t.app.config.DATA_DIR, 'secrets.key');
const newFolder = async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'avatar-keys-'));
  folders.push(folder);
  return folder;
};

/** Another process on the same database: what it makes of it, or the sentence with which it does not start. */
async function other<T>(env: Record<string, string>, look: (app: App) => Promise<T>): Promise<T | string> {
  const config = { ...t.app.config, SECRETS_KEY: undefined, ...env };
  let app: App;
  try {
    app = await openApp({ config, databaseUrl: t.databaseUrl, work: false, clock });
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`;
  }
  return look(app).finally(() => app.close());
}
const idOf = (as: string) => async (app: App) =>
  (await app.credentials.principalOf(`Bearer ${as}`))?.userId ?? 'nobody';

const env = (more: Record<string, string> = {}) => ({
  DATABASE_URL: t.databaseUrl,
  DATA_DIR: t.app.config.DATA_DIR,
  ...more,
});

/** What the command does and says, without the start of a program. */
async function command(words: string[], more?: Record<string, string>): Promise<string> {
  const said: string[] = [];
  await rotateKeys(words, env(more), (text) => said.push(text));
  return said.join('\n');
}
const refusal = (words: string[], more?: Record<string, string>) =>
  command(words, more).then(
    () => 'no refusal',
    (error: Error) => error.message,
  );

describe('the keys in the database', () => {
  test('are wrapped by a key file of mode 600 beside the data, made at the first start', async () => {
    const key = (await readFile(keyFile(), 'utf8')).trim();
    expect(key).toMatch(/^[\w-]{43}$/);
    expect(statSync(keyFile()).mode & 0o777).toBe(0o600);
    const rows = await stored();
    expect(rows.map(({ name }) => name)).toEqual(['encryption', 'media', 'pairwise', 'signing']);
    for (const { value, wrapped_by: by } of rows) expect([value.slice(0, 3), by?.length]).toEqual(['v1.', 16]);
    expect(JSON.stringify(rows)).not.toMatch(/PRIVATE KEY/);
    expect(JSON.stringify(rows)).not.toContain(key);
  });

  test('that an older version left plain are wrapped at the next start, and stay the same keys', async () => {
    for (const name of ['encryption', 'media', 'pairwise', 'signing'] as const) {
      const [{ value }] = t.app.secrets.versions(name) as any;
      await t.app.db.rows('update instance_secret set value = $2, wrapped_by = null where name = $1', [name, value]);
    }
    expect(await other({}, idOf(ada.session))).toBe(ada.userId);
    expect((await stored()).every(({ wrapped_by: by }) => by !== null)).toBe(true);
    await t.app.secrets.reload();
    expect((await t.graphql('{ me { userId } }', {}, ada.session)).body.data.me.userId).toBe(ada.userId);
  });

  test('do not open under another name', async () => {
    await t.app.db.rows(`update instance_secret set value = (select value from instance_secret where name = 'media')
      where name = 'pairwise'`);
    await expect(t.app.secrets.reload()).rejects.toThrow();
  });

  test('made by processes that start at once are the same ones', async () => {
    await t.app.db.rows('delete from instance_secret');
    const DATA_DIR = await newFolder();
    const keys = (app: App) => Promise.resolve(JSON.stringify(app.secrets.versions('signing')));
    const made = await Promise.all(Array.from({ length: 4 }, () => other({ DATA_DIR }, keys)));
    expect(new Set(made).size).toBe(1);
    expect(await stored()).toHaveLength(4);
  });
});

describe('a machine', () => {
  test('that has the key of the first one reads the same keys, from a variable or a file', async () => {
    const SECRETS_KEY = (await readFile(keyFile(), 'utf8')).trim();
    const DATA_DIR = await newFolder();
    expect(await other({ DATA_DIR, SECRETS_KEY }, idOf(ada.session))).toBe(ada.userId);
    expect(await other({ DATA_DIR, SECRETS_KEY_FILE: keyFile() }, idOf(ada.session))).toBe(ada.userId);
    expect(existsSync(path.join(DATA_DIR, 'secrets.key'))).toBe(false);
  });

  test('that has none or another says what to set, and makes none', async () => {
    const DATA_DIR = await newFolder();
    expect(await other({ DATA_DIR }, idOf(ada.session))).toBe(
      'ConfigError: The keys in this database are wrapped: set SECRETS_KEY to what the machine that started first has in its SECRETS_KEY or in secrets.key of its DATA_DIR.',
    );
    expect(existsSync(path.join(DATA_DIR, 'secrets.key'))).toBe(false);
    expect(await other({ DATA_DIR, SECRETS_KEY: 'x'.repeat(32) }, idOf(ada.session))).toBe(
      'ConfigError: The keys in this database are wrapped with another SECRETS_KEY than this one: set SECRETS_KEY to the one that it was first started with.',
    );
    await writeFile(path.join(DATA_DIR, 'secrets.key'), 'y'.repeat(40));
    expect(await other({ DATA_DIR }, idOf(ada.session))).toContain('than the one in DATA_DIR');
    await writeFile(path.join(DATA_DIR, 'secrets.key'), 'short');
    expect(await other({ DATA_DIR }, idOf(ada.session))).toContain('holds no key');
  });
});

describe('npm run rotate-keys', () => {
  const me = async (as: string) => (await t.graphql<any>('{ me { userId } }', {}, as)).body.data?.me.userId ?? 'nobody';
  const signIn = async () => {
    const query = `mutation { signIn(email: "${ada.email}", password: "correct horse") { idToken } }`;
    return (await t.graphql<any>(query)).body.data.signIn.idToken as string;
  };
  const kid = (token: string) => JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString()).kid;
  const later = async (ms: number) => {
    nowMs += ms;
    await t.app.secrets.reload();
  };

  test('signs with a new key a minute later, while sessions of the one before go on for their time', async () => {
    const before = ada.session;
    expect(await command(['signing'])).toContain('signing:2 is used in a minute');
    // The command has a clock of its own.
    const [made] = await t.app.db.rows<{ created: string; active: string }>(
      `select created_at as created, active_at as active from instance_secret where name = 'signing' and generation = 2`,
    );
    const activeMs = Number(made!.active);
    expect(activeMs - Number(made!.created)).toBe(MINUTE_MS);
    await later(activeMs - 1 - nowMs);
    expect(kid(await signIn())).toBe('signing:1');
    await later(1);
    const after = await signIn();
    expect(kid(after)).toBe('signing:2');
    expect(await Promise.all([me(before), me(after)])).toEqual([ada.userId, ada.userId]);
    // A process that reads a moment later knows both as well.
    expect(await other({}, idOf(before))).toBe(ada.userId);
    await later(29 * DAY_MS);
    const renewed = await signIn();
    await later(2 * DAY_MS);
    const versions = t.app.secrets.versions('signing').map(({ id }) => id);
    expect([versions, await me(renewed)]).toEqual([['signing:2'], ada.userId]);
    const [line] = await t.app.db.rows(`select subject from audit_event where action = 'instance_keys_rotated'`);
    expect(line).toEqual({ subject: 'signing:2' });
  });

  test('a token of before the first rotation, which names no key, counts on', async () => {
    const [, payload] = ada.session.split('.');
    const header = Buffer.from(JSON.stringify({ alg: 'EdDSA', typ: 'JWT' })).toString('base64url');
    const { createPrivateKey, sign } = await import('node:crypto');
    const key = createPrivateKey(t.app.secrets.versions('signing')[0]!.value);
    const signature = sign(null, Buffer.from(`${header}.${payload}`), key).toString('base64url');
    const old = `${header}.${payload}.${signature}`;
    await command(['signing']);
    await later(2 * MINUTE_MS);
    expect(await me(old)).toBe(ada.userId);
  });

  test('makes new media links, and the public ones of before hold', async () => {
    await makeAvatar(t, ada);
    const image = async () =>
      (await t.rest('GET', '/avatars', { as: ada.apiKey })).body.avatars[0].avatarImageUrl as string;
    const old = await image();
    await command(['media']);
    await later(2 * MINUTE_MS);
    const fresh = await image();
    expect(fresh).not.toBe(old);
    await later(40 * DAY_MS);
    expect((await Promise.all([fetch(old), fetch(fresh)])).map(({ status }) => status)).toEqual([200, 200]);
    await command(['media', '--compromised']);
    nowMs = Date.now() + 41 * DAY_MS;
    await t.app.secrets.reload();
    const dead = await Promise.all([fetch(old), fetch(fresh), fetch(await image())]);
    expect(dead.map(({ status }) => status)).toEqual([404, 404, 200]);
  });

  test('--compromised ends every session at once', async () => {
    const other = await signIn();
    expect(await command(['signing', '--compromised'])).toContain('signing:2 is used at once');
    await t.app.secrets.reload();
    nowMs = Date.now() + 6_000;
    expect([await me(ada.session), await me(other)]).toEqual(['nobody', 'nobody']);
    expect(await me(await signIn())).toBe(ada.userId);
  });

  test('secrets-key wraps everything with a new key file, which running processes follow', async () => {
    const before = [await readFile(keyFile(), 'utf8'), await stored()] as const;
    expect(await command(['secrets-key'])).toBe('All keys are wrapped with a new key file.');
    expect(await readFile(keyFile(), 'utf8')).not.toBe(before[0]);
    expect(statSync(keyFile()).mode & 0o777).toBe(0o600);
    expect(existsSync(`${keyFile()}.next`)).toBe(false);
    const rows = await stored();
    expect(rows.some(({ value }, i) => value === before[1][i].value)).toBe(false);
    await t.app.secrets.reload();
    expect(await me(ada.session)).toBe(ada.userId);
  });

  test('one that was broken off before the file was put in place is finished by the next start', async () => {
    const old = await readFile(keyFile(), 'utf8');
    await command(['secrets-key']);
    const next = await readFile(keyFile(), 'utf8');
    await writeFile(`${keyFile()}.next`, next);
    await writeFile(keyFile(), old);
    expect(await other({}, idOf(ada.session))).toBe(ada.userId);
    expect(await readFile(keyFile(), 'utf8')).toBe(next);
    // And one that got no further than the file changes nothing.
    await writeFile(`${keyFile()}.next`, 'z'.repeat(43));
    expect(await other({}, idOf(ada.session))).toBe(ada.userId);
    expect(await readFile(keyFile(), 'utf8')).toBe(next);
  });

  test('with SECRETS_KEY set it asks for the one that follows; it knows no other keys', async () => {
    const SECRETS_KEY = (await readFile(keyFile(), 'utf8')).trim();
    expect(await refusal(['secrets-key'], { SECRETS_KEY })).toContain('set SECRETS_KEY_NEW');
    expect(await refusal(['pairwise'])).toContain('Name signing, media or secrets-key');
    for (const words of [[], ['--compromised']]) expect(await refusal(words)).toContain('Name what to replace');
    const SECRETS_KEY_NEW = 'n'.repeat(40);
    expect(await command(['secrets-key'], { SECRETS_KEY, SECRETS_KEY_NEW })).toContain('start every process again');
    expect(await other({ SECRETS_KEY: SECRETS_KEY_NEW }, idOf(ada.session))).toBe(ada.userId);
    expect(await other({ SECRETS_KEY }, idOf(ada.session))).toContain('another SECRETS_KEY');
  });

  test('is a program that says what it did, or in one sentence why not, with exit 1', async () => {
    const program = (...words: string[]) => runModule('src/commands/rotate-keys', env(), ...words);
    const done = program('media');
    expect({ code: await done.exit, output: done.output() }).toEqual({
      code: 0,
      output: 'media:2 is used in a minute; the one before still verifies.\n',
    });
    const refused = program('everything');
    expect({ code: await refused.exit, output: refused.output() }).toEqual({
      code: 1,
      output: 'Name signing, media or secrets-key, and --compromised; not "everything".\n',
    });
  });
});

test('keys are replaced by themselves at KEY_ROTATION_DAYS, once', async () => {
  expect(await t.app.keyRotation.rotateOld()).toEqual([]);
  const old = await other({ KEY_ROTATION_DAYS: 90 } as never, async (app) => {
    nowMs += 90 * DAY_MS - 1_000_000;
    const early = await app.keyRotation.rotateOld();
    nowMs += 1_000_000;
    return JSON.stringify([early, await app.keyRotation.rotateOld(), await app.keyRotation.rotateOld()]);
  });
  expect(JSON.parse(old)).toEqual([[], ['signing:2', 'media:2'], []]);
});
