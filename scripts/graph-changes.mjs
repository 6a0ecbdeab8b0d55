/**
 * What of the graph breaks its clients: schema/schema.graphql against schema/released.graphql, the schema of the last release,
 * by graphql-inspector. `npm run generate` and `npm run drift` fail where CHANGELOG.md does not name such a change, by its
 * coordinate (`Query.avatars`, `Turn.status`; `Query.videos` covers its arguments, a type only that it is gone), in the part
 * of the coming release.
 * `npm run generate -- --release` is part of releasing: it keeps the schema of now as the released one.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { diff } from '@graphql-inspector/core';
import { buildSchema } from 'graphql';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const read = (file) => readFileSync(path.join(root, file), 'utf8');
const RELEASED = 'schema/released.graphql';

/** Parts of a changelog by release, the coming one first: [heading, text]. */
const partsOf = (changelog) =>
  changelog
    .split(/^## /m)
    .slice(1)
    .map((part) => part.split(/\n([\s\S]*)/));

/** Coordinates of what breaks between two schemas and what the text does not name: [{ at, message }]. */
export async function unannounced(before, after, text) {
  const named = new Set([...text.matchAll(/`([\w.]+)`/g)].map(([, name]) => name));
  const changes = await diff(buildSchema(before), buildSchema(after));
  return changes
    .filter(({ criticality }) => criticality.level === 'BREAKING')
    .map(({ path: at, message }) => ({ at, message }))
    .filter(({ at }) => !named.has(at) && !named.has(at.split('.', 2).join('.')));
}

/** Says what is not announced; the number of such things. `--release` keeps the schema of now instead. */
export async function checkGraphChanges(isRelease) {
  const [[coming, text], [last] = []] = partsOf(read('CHANGELOG.md'));
  const isReleased = !coming.includes('unreleased');
  const version = (isReleased ? coming : last).trim();
  const head = `# The schema of ${version}, which clients may be made for.\n`;
  if (isRelease) {
    if (!isReleased) throw new Error('CHANGELOG.md says that its newest part is unreleased.');
    writeFileSync(path.join(root, RELEASED), read('schema/schema.graphql').replace(/^#.*\n/, head));
    return 0;
  }
  const released = read(RELEASED);
  if (!released.startsWith(head)) {
    process.stderr.write(`${RELEASED} is not of ${version}: run npm run generate -- --release.\n`);
    return 1;
  }
  const found = await unannounced(released, read('schema/schema.graphql'), isReleased ? '' : text);
  for (const { at, message } of found)
    process.stderr.write(`${at} breaks clients and CHANGELOG.md does not name it: ${message}\n`);
  return found.length;
}
