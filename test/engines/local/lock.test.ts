/** What npm has installed for local models is what the lock names, and one package that was given to it by name. */
import { expect, test } from '@jest/globals';
import { compareWithLock, type Lock } from '../../../src/commands/models/lock.ts';

const PACKAGES: Lock['packages'] = {
  'node_modules/engine': { version: '3.0.0', integrity: 'sha512-engine' },
  'node_modules/@engine/linux': { version: '3.0.0', integrity: 'sha512-linux', optional: true },
};
const ENGINE = { 'node_modules/engine': { version: '3.0.0', integrity: 'sha512-engine' } };
const MAC = { name: '@engine/mac', version: '3.0.0' };
const LINUX = { name: '@engine/linux', version: '3.0.0' };
const compare = (found: Lock['packages'], named = MAC) =>
  compareWithLock({ packages: { '': {}, ...PACKAGES } }, { packages: found }, named);

test.each([
  ['the binary of a system that the lock has', LINUX, { '@engine/linux': ['3.0.0', 'sha512-linux'] }],
  ['the binary of one that it has not, at the version that was named', MAC, { '@engine/mac': ['3.0.0', 'sha512-mac'] }],
  ['no binary', MAC, {}],
])('%s is taken', (_, named, more) => {
  expect(() => compare({ ...ENGINE, ...at(more) }, named)).not.toThrow();
});

test.each([
  ['a locked one of other bytes', '@engine/linux', LINUX, { '@engine/linux': ['3.0.0', 'sha512-other'] }],
  ['the named one at another version', '@engine/mac', MAC, { '@engine/mac': ['3.0.1', 'sha512-mac'] }],
  ['another one of its kind', '@engine/win', MAC, { '@engine/win': ['3.0.0', 'sha512-win'] }],
  [
    'what lies inside the named one',
    '@engine/mac/node_modules/y',
    MAC,
    { '@engine/mac': ['3.0.0', 'sha512-mac'], '@engine/mac/node_modules/y': ['3.0.0', 'sha512-y'] },
  ],
])('%s is refused', (_, name, named, more) => {
  const sentence = `npm brought another node_modules/${name} than the lock names: nothing of it is used.`;
  expect(() => compare({ ...ENGINE, ...at(more) }, named)).toThrow(sentence);
});

test('one that is missing is refused', () => {
  expect(() => compare({})).toThrow('npm brought another node_modules/engine than the lock names');
});

/** Versions and hashes by name, as npm records them. */
function at(installed: object): Lock['packages'] {
  return Object.fromEntries(
    Object.entries(installed).map(([name, [version, integrity]]) => [`node_modules/${name}`, { version, integrity }]),
  );
}
