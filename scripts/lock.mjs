/**
 * `npm run lock`: brings package-lock.json in line with package.json and completes it with the binaries of every platform
 * that a package offers as optional dependencies. npm leaves out what the registry at hand does not have, and then an
 * install from the lock finds no binary on the platforms left out. An entry for one that this registry lacks has its
 * version alone: `npm ci` on that platform takes it by version. Each run asks again for those without a checksum: with the
 * public registry they all get one.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const file = path.join(root, 'package-lock.json');
const SYSTEMS = 'aix|android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|win32';
const NAME = new RegExp(`-(${SYSTEMS})-?(arm64|arm|x64|ia32|loong64|ppc64|riscv64|s390x)(?:-(gnu|musl))?`);

export const readLock = () => JSON.parse(readFileSync(file, 'utf8'));

/** Where `name` is found from the package at `from`, as Node looks for it; undefined when it is nowhere. */
function find(packages, from, name) {
  for (let base = from; ; base = base.slice(0, Math.max(0, base.lastIndexOf('/node_modules/')))) {
    const location = `${base ? `${base}/` : ''}node_modules/${name}`;
    if (packages[location]) return location;
    if (!base) return undefined;
    if (!base.includes('/node_modules/')) base = '';
  }
}

/** Optional dependencies that the lock names and does not hold: [{ parent, name, version }]. */
export function missingOptionals({ packages }) {
  return Object.entries(packages).flatMap(([parent, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => !find(packages, parent, name))
      .map(([name, version]) => ({ parent, name, version })),
  );
}

/** What the registry says of the package; its platform as read from its name where the registry does not have it. */
function describe(name, version) {
  try {
    const asked = ['view', `${name}@${version}`, 'dist.integrity', 'os', 'cpu', 'libc', 'license', '--json'];
    const { 'dist.integrity': integrity, ...facts } = JSON.parse(
      execFileSync('npm', asked, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
    );
    return { integrity, ...facts };
  } catch {
    const [, os, cpu, libc] = NAME.exec(name) ?? [];
    if (!os) throw new Error(`${name} is not in this registry, and its name does not tell its platform.`);
    return { os: [os], cpu: [cpu], ...(libc ? { libc: [libc === 'gnu' ? 'glibc' : libc] } : {}) };
  }
}

/** The entries without a checksum, by location; what is linked is our own. */
export function bareEntries({ packages }) {
  return Object.entries(packages).filter(([location, { integrity, link }]) => location && !integrity && !link);
}

const nameAt = (location) => location.slice(location.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** The lock with what it lacks. @param ask what a registry says of a package: `describe`, but in tests */
export function complete(lock, ask = describe) {
  // An older run could not ask for these: its registry did not have them.
  for (const [location, entry] of bareEntries(lock)) {
    const { integrity } = ask(entry.name ?? nameAt(location), entry.version);
    if (integrity) lock.packages[location] = { ...entry, integrity };
  }
  for (const { parent, name, version } of missingOptionals(lock)) {
    if (!/^\d/.test(version)) throw new Error(`${parent} asks for ${name} ${version}: not one exact version.`);
    const { dev, devOptional } = lock.packages[parent];
    const free = !lock.packages[`node_modules/${name}`];
    lock.packages[free ? `node_modules/${name}` : `${parent}/node_modules/${name}`] = {
      version,
      ...ask(name, version),
      ...(dev ? { dev } : {}),
      ...(devOptional ? { devOptional } : {}),
      optional: true,
    };
  }
  const sorted = Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, 'en'));
  return { ...lock, packages: Object.fromEntries(sorted) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const update = ['install', '--package-lock-only', '--no-audit', '--no-fund', '--loglevel=error'];
  const installed = path.join(root, 'node_modules/.package-lock.json');
  const noted = existsSync(installed) ? readFileSync(installed) : undefined;
  execFileSync('npm', update, { cwd: root, stdio: 'inherit' });
  // npm notes the new lock as installed too, which it is not: the next start would look for packages in vain.
  if (noted) writeFileSync(installed, noted);
  else rmSync(installed, { force: true });
  const found = readLock();
  const added = missingOptionals(found).length;
  const lock = complete(found);
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
  console.log(`${added} entries added; ${bareEntries(lock).length} have no checksum from this registry.`);
}
