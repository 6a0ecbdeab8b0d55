/** What an install brings: exact versions, every platform's binaries, licences that go with ours. */
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
// @ts-expect-error: plain JavaScript, which runs before anything is built.
import { isOfModules } from '../../scripts/build.mjs';
// @ts-expect-error: the same.
import { isAllowed, refused } from '../../scripts/licences.mjs';
// @ts-expect-error: the same.
import { bareEntries, complete, missingOptionals, readLock } from '../../scripts/lock.mjs';
// @ts-expect-error: the same.
import { installCommand, isInstalled } from '../../scripts/tools.mjs';
// @ts-expect-error: the same.
import { isUnread, PACKED } from '../../scripts/trim.mjs';

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const lock = readLock();
const KINDS = ['dependencies', 'optionalDependencies', 'devDependencies'];
const packages = Object.entries<any>(lock.packages).filter(([location]) => location);

test.each(['llama', 'onnx'])(
  'packages of local models (%s): exact versions, checksums, licences that go with ours',
  (name) => {
    const folder = `src/engines/local/packages/${name}`;
    const wanted = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')).dependencies;
    const locked = JSON.parse(readFileSync(`${folder}/package-lock.json`, 'utf8'));
    expect(locked.packages[''].dependencies).toEqual(wanted);
    for (const version of Object.values(wanted)) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(bareEntries(locked)).toEqual([]);
    expect(refused(locked)).toEqual([]);
  },
);

describe('package.json and its lock', () => {
  test.each(KINDS)('%s are exact versions', (kind) => {
    const ranges = Object.entries<string>(manifest[kind]).filter(
      ([, version]) => !/^(npm:[@\w/.-]+@)?\d+\.\d+\.\d+[\w.-]*$/.test(version),
    );
    expect(ranges).toEqual([]);
    expect(lock.packages[''][kind]).toEqual(manifest[kind]);
  });

  test('the lock holds every platform’s binaries: npm run lock adds what is missing', () => {
    expect(missingOptionals(lock)).toEqual([]);
    for (const platform of ['darwin-arm64', 'linux-arm64-gnu', 'linux-x64-gnu', 'win32-x64-msvc']) {
      expect(lock.packages[`node_modules/@swc/core-${platform}`]).toMatchObject({ optional: true });
    }
  });

  test('what has no checksum is a binary of one platform, at one version', () => {
    const bare: [string, any][] = bareEntries(lock);
    // May only become fewer: with the public registry `npm run lock` leaves none.
    expect(bare.length).toBeLessThanOrEqual(66);
    for (const [location, { version, optional, os, cpu }] of bare) {
      expect({ location, isBinary: Boolean(optional && os?.length === 1 && cpu?.length === 1) }).toMatchObject({
        isBinary: true,
      });
      expect(version).toMatch(/^\d+\.\d+\.\d+/);
    }
  });

  test('what the image and the tests install, on Linux with x64, all has a checksum', () => {
    const fits = (allowed: string[] | undefined, ours: string) => !allowed || allowed.includes(ours);
    const bare: [string, any][] = bareEntries(lock);
    const ours = bare.filter(([, { os, cpu, libc }]) => fits(os, 'linux') && fits(cpu, 'x64') && fits(libc, 'glibc'));
    // Some say that they are for musl by their names alone.
    expect(ours.map(([location]) => location).filter((location) => !location.endsWith('-musl'))).toEqual([]);
  });

  test('a run with a registry that has more gives checksums to what had none, and changes nothing else', () => {
    const bare = { version: '1.0.0', optional: true, os: ['darwin'], cpu: ['arm64'] };
    const old = {
      lockfileVersion: 3,
      packages: {
        '': {},
        'node_modules/@a/tool-darwin-arm64': bare,
        'node_modules/@a/tool-win32-x64': { ...bare, os: ['win32'], cpu: ['x64'] },
        'node_modules/b': { version: '2.0.0', integrity: 'sha512-b' },
      },
    };
    const asked: string[] = [];
    const ask = (name: string, version: string) => {
      asked.push(`${name}@${version}`);
      return name.endsWith('darwin-arm64') ? { integrity: 'sha512-a', os: ['other'] } : { os: ['win32'], cpu: ['x64'] };
    };
    const completed = complete(structuredClone(old), ask);
    expect(asked).toEqual(['@a/tool-darwin-arm64@1.0.0', '@a/tool-win32-x64@1.0.0']);
    expect(completed).toEqual({
      ...old,
      packages: { ...old.packages, 'node_modules/@a/tool-darwin-arm64': { ...bare, integrity: 'sha512-a' } },
    });
  });

  test('checksums are SHA-512', () => {
    for (const [, { integrity }] of packages) if (integrity) expect(integrity).toMatch(/^sha512-/);
  });

  test('install scripts run for named packages alone, and no package reports that it was installed', () => {
    const scripted = packages.filter(([, { hasInstallScript }]) => hasInstallScript);
    const names = scripted.map(([location]) => location.slice(location.lastIndexOf('node_modules/') + 13));
    expect(names.filter((name) => !(name in manifest.allowScripts))).toEqual([]);
    expect(manifest.scarfSettings).toEqual({ enabled: false });
  });
});

describe('an install', () => {
  const one = { version: '1.0.0', integrity: 'sha512-a' };
  const binary = { ...one, optional: true, os: ['linux'], cpu: ['x64'] };
  const wanted = (packages: object) => ({
    packages: { '': { optionalDependencies: { binary: '1.0.0' } }, ...packages },
  });
  test.each<[string, object, object, boolean]>([
    ['the same', { 'node_modules/a': one }, { 'node_modules/a': one }, true],
    ['another version', { 'node_modules/a': one }, { 'node_modules/a': { ...one, version: '1.0.1' } }, false],
    ['other bytes', { 'node_modules/a': one }, { 'node_modules/a': { ...one, integrity: 'sha512-b' } }, false],
    ['one missing', { 'node_modules/a': one }, {}, false],
    ['another platform’s missing', { 'node_modules/binary': { ...binary, os: ['darwin'] } }, {}, true],
    ['our own binary missing', { 'node_modules/binary': binary }, {}, false],
    ['an optional one of a package missing', { 'node_modules/a-musl': binary }, {}, true],
  ])('with %s', (_, packages, noted, done) => {
    expect(isInstalled(wanted(packages), { packages: noted }, { dev: true, platform: 'linux', arch: 'x64' })).toBe(
      done,
    );
  });

  const tool = { ...one, dev: true };
  const lock = wanted({ 'node_modules/a': one, 'node_modules/tool': tool });
  const runs = { packages: { 'node_modules/a': one } };
  const tests = { packages: { 'node_modules/a': one, 'node_modules/tool': tool } };
  const old = { packages: { 'node_modules/a': { ...one, version: '0.9.0' }, 'node_modules/tool': tool } };
  test.each<[string, object | undefined, boolean, string | undefined]>([
    ['a start of a fresh clone brings what running needs', undefined, false, 'ci --omit=dev'],
    ['a start where tests ran brings nothing', tests, false, undefined],
    ['a second start brings nothing', runs, false, undefined],
    ['a start after an update keeps what tests need', old, false, 'ci --include=dev'],
    ['tests of a fresh clone bring all', undefined, true, 'ci --include=dev'],
    ['tests beside a running server add to what it has', runs, true, 'install --no-save --include=dev'],
    ['tests after an update bring all', old, true, 'ci --include=dev'],
    ['a second run of tests brings nothing', tests, true, undefined],
  ])('%s', (_, noted, dev, command) => {
    expect(installCommand(lock, noted, { dev, platform: 'linux', arch: 'x64' })?.join(' ')).toBe(command);
  });
});

describe('licences', () => {
  test('of production go with GPL-3.0-or-later', () => {
    expect(refused(lock)).toEqual([]);
  });

  test.each<[string, boolean]>([
    ['MIT', true],
    ['(MIT OR CC0-1.0)', true],
    ['(AFL-2.1 OR BSD-3-Clause)', true],
    ['Apache-2.0 AND LGPL-3.0-or-later', true],
    ['GPL-2.0-only', false],
    ['MIT AND SSPL-1.0', false],
    ['SEE LICENSE IN LICENSE', false],
  ])('%s: %s', (expression, expected) => {
    expect(isAllowed(expression)).toBe(expected);
  });

  test('one that is not named, or not allowed, is refused; what only tests use is not asked', () => {
    const fake = {
      '': {},
      'node_modules/a': { version: '1.0.0', integrity: 'x' },
      'node_modules/b': { version: '1.0.0', license: 'SSPL-1.0', integrity: 'x' },
      'node_modules/c': { version: '1.0.0', license: 'SSPL-1.0', integrity: 'x', dev: true },
    };
    expect(refused({ packages: fake })).toEqual(['a@1.0.0: none named', 'b@1.0.0: SSPL-1.0']);
  });
});

/**
 * What a clone may weigh after `npm start`, in MiB as `du -sm` counts, without its history and what users make with it: 516 once
 * its programs have started, whose compiled code (9) is kept in `dist`.
 */
const MOST_MIB = 522;

/** What is packed after installing is less than an eighth of itself. */
const PACKED_PART = 1 / 8;

const counted = new Set<number>();

/** How much of a file is left of it after `npm start`. */
function partLeft(file: string): number {
  if (file.startsWith('dist/')) return isOfModules(path.relative('dist', file)) ? 0 : 1;
  if (!file.startsWith('node_modules/')) return file.includes('/node_modules/') ? 0 : 1;
  const name = path.relative('node_modules', file);
  if (isUnread(name)) return 0;
  return PACKED.includes(name) ? PACKED_PART : 1;
}

/**
 * What the files of a folder take on the disk, bytes: in node_modules as it is after installing, in `dist` without what tests need,
 * in other folders without what their own tools have installed there.
 */
function weighed(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).reduce((sum, entry) => {
    const file = path.join(entry.parentPath, entry.name);
    // A program may have two names, as that of the bundler has.
    const { ino, blocks } = lstatSync(file);
    if (!entry.isFile() || counted.has(ino)) return sum;
    counted.add(ino);
    return sum + blocks * 512 * partLeft(file);
  }, 0);
}

test(`a clone after npm start weighs at most ${MOST_MIB} MiB: what running needs, the build, and what is tracked`, () => {
  const running = packages.filter(([location, { dev, devOptional }]) => !dev && !devOptional && existsSync(location));
  const folders = running.map(([location]) => location);
  // A package inside of another one is counted with it.
  const outer = folders.filter((folder) => !folders.some((other) => folder.startsWith(`${other}/`)));
  const tracked = ['schema', 'src', 'resolvers', 'rest-compat', 'test', 'clients/typescript/src', 'docs', 'scripts'];
  const bytes = [...outer, 'dist', ...tracked].reduce((sum, folder) => sum + weighed(folder), 0);
  expect(Math.round(bytes / 2 ** 20)).toBeLessThanOrEqual(MOST_MIB);
});
