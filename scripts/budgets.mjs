/**
 * Counts where the program has the compiler look away: `x!`, `as unknown as`, `as never` and `any`. The numbers only
 * fall: `npm run lint` fails when there are more than `MOST`, which is lowered with every one that goes. Nothing
 * below the programs reads `process.env`, past the configuration. What a module exports has a docstring. Bad input names
 * its field: `badInput` and `refusedInput` of `kernel/errors.ts` alone make it. None reads a private field of a package. None looks for files beside itself: in a bundle it lies elsewhere, which `built()` of `src/kernel/built.ts` knows.
 * Comments and documents use plain standard terms: informal words (`INFORMAL`) are counted in them. A decision is one page.
 * `--list` prints the counts by file.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from '@swc/core';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** How many of each there may be. */
const MOST = {
  'non-null !': 81,
  'blind casts and any': 8,
  'process.env read': 0,
  'files looked for beside a module': 0,
  'bad input that may name no field': 0,
  'private fields of packages': 0,
  'exports without a docstring': 0,
  'words of decisions beyond a page': 0,
  'informal words in comments and documents': 0,
  'informal words in tests and scripts': 0,
};

/** What is informal in technical prose; "notify", "report", "the caller", "no worker" say more. */
export const INFORMAL = /\b(?:tells?|told|telling|whoever|(?:any|every|no|some)body)\b/i;
const COMMENT = /^\s*(?:\/?\*+|\/\/).*$/gm;

/** What a comment quotes, and names such as the Unix user `nobody`. */
const QUOTED = /"[^"\n]*"|`[^`\n]*`/g;

/** How many informal words the comments of a source, or the whole of a document, have. */
export const informalWords = (file, text) =>
  (file.endsWith('.md') ? [text] : (text.match(COMMENT) ?? [])).flatMap(
    (part) => part.replace(QUOTED, '').match(new RegExp(INFORMAL, 'gi')) ?? [],
  ).length;

/** A page of a decision. */
const PAGE_WORDS = 600;

/** How many words of a decision stand beyond its page: what lasts of them belongs into a document of its subject. */
const beyondPage = (file, text) =>
  file.startsWith('docs/decisions/') ? Math.max(0, (text.match(/[\p{L}\p{N}]\S*/gu) ?? []).length - PAGE_WORDS) : 0;

/** What is generated, a table's columns, or a resolver or GraphQL type, whose decorators hold its description. */
const UNDOCUMENTED_FILES =
  /^(?:schema\/entities|src\/migrations)\/|^schema\/enums|^src\/pages\/(?:client\/lib\/)?operations\.ts$|\/generated\//;
const EXPORT = /^export (?:declare |abstract |async )*(class|function\*?|const|interface|type) (\w+)/;

/**
 * Exports of a file without a docstring, by name. A module that begins with a comment and exports one class, function or
 * constant is documented by that comment; a decorated class by its decorators, a connection
 * by its name.
 */
export function undocumented(file, code) {
  if (UNDOCUMENTED_FILES.test(file)) return [];
  const lines = code.split('\n');
  const exported = lines.flatMap((line, at) => {
    const [, kind, name] = EXPORT.exec(line) ?? [];
    return name && !line.includes('= ConnectionOf(')
      ? [{ name, isType: /^(?:interface|type)$/.test(kind), before: lines[at - 1] ?? '' }]
      : [];
  });
  const values = new Set(exported.filter(({ isType }) => !isType).map(({ name }) => name));
  const isHeader = (name) => code.startsWith('/**') && values.size === 1 && values.has(name);
  return exported
    .filter(({ name, before }) => !/(?:\*\/|^@.*\)|^\}\))$/.test(before) && !isHeader(name))
    .map(({ name }) => name);
}

/** Programs, and a child process's allocator: everything else is given its configuration. */
const READS_ENVIRONMENT = /^src\/(main\.ts$|commands\/|engines\/decoders\/child\.ts$)/;

const isKeyword = (type, kind) => type?.type === 'TsKeywordType' && type.kind === kind;
const isBlind = (node) =>
  isKeyword(node, 'any') ||
  (node.type === 'TsAsExpression' && isKeyword(node.typeAnnotation, 'never')) ||
  (node.type === 'TsAsExpression' &&
    node.expression.type === 'TsAsExpression' &&
    isKeyword(node.expression.typeAnnotation, 'unknown'));
const readsEnvironment = (node) =>
  node.type === 'MemberExpression' && node.object.value === 'process' && node.property.value === 'env';

/** `new URL('./thread.js', import.meta.url)` */
const looksBeside = ({ type, callee, arguments: given }) =>
  type === 'NewExpression' && callee.value === 'URL' && given?.[1]?.expression.object?.type === 'MetaProperty';

/** `new PlatformError('BAD_INPUT', ...)` */
const makesBadInput = ({ type, callee, arguments: given }) =>
  type === 'NewExpression' && callee.value === 'PlatformError' && given?.[0]?.expression.value === 'BAD_INPUT';

/** `client._queryQueue`, or the protocol behind `pg`'s client: both change without notice. Ours begin with `#`. */
const readsPrivate = ({ type, property }) =>
  type === 'MemberExpression' && property.type === 'Identifier' && /^(?:_[a-z]\w*|connection)$/.test(property.value);

/** Every node of a syntax tree. */
export function* nodes(node) {
  if (Array.isArray(node)) for (const each of node) yield* nodes(each);
  else if (node && typeof node === 'object') {
    if (node.type) yield node;
    for (const value of Object.values(node)) yield* nodes(value);
  }
}

/** Counts of each kind, by file. */
export function blindSpots() {
  return ['src', 'schema', 'resolvers', 'rest-compat', 'clients/typescript/src']
    .flatMap((dir) => readdirSync(path.join(root, dir), { recursive: true }).map((file) => `${dir}/${file}`))
    .filter((file) => file.endsWith('.ts'))
    .map((file) => {
      const code = readFileSync(path.join(root, file), 'utf8');
      const { body } = parseSync(code, { syntax: 'typescript', decorators: true, target: 'es2024' });
      const found = {
        file,
        'non-null !': 0,
        'blind casts and any': 0,
        'process.env read': 0,
        'files looked for beside a module': 0,
        'bad input that may name no field': 0,
        'private fields of packages': 0,
        'exports without a docstring': undocumented(file, code).length,
        'informal words in comments and documents': informalWords(file, code),
      };
      for (const node of nodes(body)) {
        if (node.type === 'TsNonNullExpression') found['non-null !'] += 1;
        if (isBlind(node)) found['blind casts and any'] += 1;
        if (!READS_ENVIRONMENT.test(file) && readsEnvironment(node)) found['process.env read'] += 1;
        if (looksBeside(node)) found['files looked for beside a module'] += 1;
        if (file !== 'src/kernel/errors.ts' && makesBadInput(node)) found['bad input that may name no field'] += 1;
        if (readsPrivate(node)) found['private fields of packages'] += 1;
      }
      return found;
    });
}

/** Documents, but the changes of releases, and what is not the server's source. */
const isDocument = (file) => file.endsWith('.md') && file !== 'CHANGELOG.md';
const isBeside = (file) => /^(?:test|scripts|examples)\/.*\.(?:ts|mjs)$/.test(file);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const listed = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
  const documents = listed
    .filter((file) => isDocument(file) || isBeside(file))
    .map((file) => {
      const kind = isDocument(file)
        ? 'informal words in comments and documents'
        : 'informal words in tests and scripts';
      const text = readFileSync(path.join(root, file), 'utf8');
      return { file, [kind]: informalWords(file, text), 'words of decisions beyond a page': beyondPage(file, text) };
    });
  const found = [...blindSpots(), ...documents];
  for (const [kind, most] of Object.entries(MOST)) {
    const total = found.reduce((sum, counts) => sum + (counts[kind] ?? 0), 0);
    console.log(`${total} ${kind}; at most ${most}.`);
    if (total > most) process.exitCode = 1;
    if (!process.argv.includes('--list') && total <= most) continue;
    const inFiles = found.filter((counts) => counts[kind] > 0).sort((a, b) => b[kind] - a[kind]);
    for (const counts of inFiles) console.log(`  ${counts[kind]}  ${counts.file}`);
  }
}
