/**
 * `npm run client-package`: builds clients/typescript into its dist/, from where it can be published (`npm publish
 * clients/typescript`), and holds what its README promises of its size: all of it without React under 15 kB of gzip, and a
 * program that uses one thing gets that one thing.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { ensureInstalled, nodeBinary, root } from './tools.mjs';

// After `npm start` alone the compiler is not there.
await ensureInstalled();
const { build } = await import('esbuild');

const folder = path.join(root, 'clients/typescript');
const dist = path.join(folder, 'dist');
const MOST_BYTES = 15_000;

rmSync(dist, { recursive: true, force: true });
execFileSync(nodeBinary(), [path.join(root, 'node_modules/typescript-native/bin/tsc'), '-p', folder], {
  stdio: 'inherit',
});
copyFileSync(path.join(root, 'schema/schema.graphql'), path.join(dist, 'schema.graphql'));

/** What a bundler makes of a program, minified. */
async function bundle(contents) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: dist },
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    external: ['react'],
    write: false,
  });
  return outputFiles[0].text;
}

/** Words that only a part of the client has | a program that does not use the part. */
const PARTS = { REST: '/avatar-folders', 'the live feed': 'graphql-transport-ws', 'another operation': 'SayToAvatar' };
/** A program | the parts that it uses. */
const PROGRAMS = {
  'one query': [`export { createClient } from './index.js'; export { me } from './graphql.js';`, []],
  'the documented paths': [`export { createClient, rest } from './index.js';`, ['REST']],
  'a live conversation': [`export { createClient, followConversation } from './index.js';`, ['the live feed']],
  React: [`export { createClient } from './index.js'; export * from './react.js';`, ['the live feed']],
  everything: [
    `export * from './index.js'; export * from './graphql.js'; export * from './react.js';`,
    Object.keys(PARTS),
  ],
};

for (const [name, [contents, uses]] of Object.entries(PROGRAMS)) {
  const text = await bundle(contents);
  const bytes = gzipSync(text, { level: 9 }).length;
  console.log(`${name}: ${text.length} bytes, ${bytes} gzipped.`);
  for (const [part, word] of Object.entries(PARTS)) {
    if (text.includes(word) === uses.includes(part)) continue;
    console.error(`${name}: ${part} is ${uses.includes(part) ? 'missing' : 'in it, which it does not use'}.`);
    process.exitCode = 1;
  }
  if (bytes <= MOST_BYTES) continue;
  console.error(`${name}: more than ${MOST_BYTES} bytes gzipped.`);
  process.exitCode = 1;
}
