/**
 * One word for one thing, and the one the field uses: names of files, identifiers, columns and log events have none of
 * the words below, which `docs/glossary.md` replaces; nor has a member or a column that a text names. What is drawn, filmed in a
 * prompt or said by a character keeps its own words. No text cites a paper that is not in the repository, no comment names a file
 * or a folder that is not there (any more), and comments and titles of tests have none of the plainest of these words. A file of src/services has its role in its name,
 * a test stands in the folder of what it tests, that of an engine in that engine's, and a helper such as `smoothstep` is defined once.
 * `npm run lint` runs it.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from '@swc/core';
import { INFORMAL, nodes } from './budgets.mjs';
import { messagesIn } from './log-events.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** Where scenes and faces are drawn, prompts read and characters talk: there is a house, a door and a floor. */
const DRAWN =
  /engines\/embedded\/|test\/engines\/|test\/faces\/|test\/support\/speaking-face|scripts\/(?:portrait-art|thing-words)|src\/text\/|src\/persona\//;
/** Pages, which fingers touch, and models, which have heads of attention. */
const TOUCHED = /src\/pages\/|test\/pages\//;
const MODEL_FILES = /test\/support\/(?:gguf|tiny-models)/;
/** Where the pipelined connection to PostgreSQL is: elsewhere a line is one of a text. */
const BESIDE_CONNECTIONS = /^(?!src\/kernel\/(?:database|transaction|replicas|prepared|named-statements)|src\/jobs\/)/;
/** Claims and fields that a standard names, and what hangs on a wall. */
const OPENID =
  /engines\/embedded\/|oauth|openapi|rest-compat|src\/pages\/operations|clients\/typescript\/src\/generated/;

/** Whole names that say nothing, or that several things had | what to say instead. */
const VAGUE = new Map([
  ['admit', 'authorize, or what is let in where'],
  ['Form', 'the form of what, e.g. UpdateEncoder'],
  ['Person', 'TestUser'],
  ['makeRoom', 'createConversation'],
  ['mayPass', 'isRetryable'],
  ['dropMedia', 'removeAttemptMedia'],
]);

/** Words that stand for something else | the word of the field | files where they mean what they say. */
const REPLACED = [
  ['abandoned', 'orphaned', DRAWN],
  ['astray', 'unclaimed'],
  ['clips?', 'video', DRAWN],
  ['decks?', 'video slot', DRAWN],
  ['doors?', 'transport or handler', DRAWN],
  ['dut(y|ies)', 'task'],
  ['evenings?', 'what is tested', DRAWN],
  ['films?', 'video', DRAWN],
  ['fellows?', 'members'],
  ['floors?', 'layer', DRAWN],
  ['gates?', 'bulkhead, or latch', new RegExp(`${DRAWN.source}|${MODEL_FILES.source}|test/support/image-prompts`)],
  ['hints?', 'notification', /oauth|src\/mcp\/|engines\/embedded\//],
  ['housekeeping', 'retention cleanup'],
  ['houses?', 'system account', DRAWN],
  ['lanes?', 'poller', DRAWN],
  ['lifelines?', 'lease'],
  ['people', 'users', DRAWN],
  ['pictures?', 'image', OPENID],
  ['places', 'slots', DRAWN],
  ['puppets?', 'painter', DRAWN],
  ['purse', 'balance'],
  ['recollect(s|ions?)?', 'recall'],
  ['seams?', 'what is tested', DRAWN],
  ['seats?', 'slot', DRAWN],
  ['shells?', 'pending turn, or layout', /engines\/embedded\/|scripts\/tools|test\//],
  ['strangers?', 'non-owner', DRAWN],
  ['tries', 'attempts', DRAWN],
  ['told', 'notified', DRAWN],
  ['tells?', 'notify or report', DRAWN],
].map(([word, instead, where]) => ({ word: new RegExp(`^(?:${word})$`), instead, where }));

/** The same of whole names, word by word with spaces between, since one of their words alone says nothing wrong. */
const REPLACED_NAMES = [
  ['catch(?:es)? up', 'resume, or retry', DRAWN],
  ['g[ai]ve[sn]? back', 'release, or requeue'],
  ['^grounds$', 'access grant', DRAWN],
  ['^hands$', 'concurrency, or worker', DRAWN],
  ['(?<!(?:talking|attention) )heads', 'conversation cache', new RegExp(`${DRAWN.source}|${MODEL_FILES.source}`)],
  ['^lines?$', 'pipelined connection', BESIDE_CONNECTIONS],
  ['live guards?', 'live revocation'],
  ['minds?', 'memory port', DRAWN],
  ['services spoken|spoken (?:media|queries|repository|service)', 'speech, or speech media'],
  ['touch(?:es|ed)?', 'bump version, or renew', new RegExp(`${DRAWN.source}|${TOUCHED.source}`)],
].map(([words, instead, where]) => ({ words: new RegExp(`\\b(?:${words})\\b`), instead, where }));

const PAPERS =
  /\b(?:api|DESIGN|RESOLUTIONS|TRAPS|STYLE|MEDIA|BRAIN)\.md\b|\bDESIGN \d|\bR\d{2}\b|\b[Ii]ssue #?\d+|\b[Ss]ections? \d+(?:\.\d+)* of (?:the|its|our|that) (?:spec|paper|brief|design|requirement)/;

/** What a file of src/services may be, by the last part of its name (docs/architecture.md says what each is). */
export const ROLES = [
  ...['service', 'repository', 'queries', 'jobs', 'cache', 'queue', 'rules', 'access'],
  ...['port', 'client', 'codec', 'thread', 'transport'],
];
const WITH_ROLE = new RegExp(`^src/services/(?:[\\w-]+/)+[\\w-]+\\.(?:${ROLES.join('|')})\\.ts$`);

/** Whether a file of src/services is in no domain or does not say its role. */
export const hasNoRole = (file) => /^src\/services\/.*\.ts$/.test(file) && !WITH_ROLE.test(file);

/** Whether a file lies directly in test/engines: each belongs in the folder of its engine. */
export const isLooseEngineTest = (file) => /^test\/engines\/[^/]+$/.test(file);

/** Whether a file of tests lies directly in test: each belongs in the folder of what it tests. */
export const isLooseTest = (file) => /^test\/[^/]+\.test\.ts$/.test(file);

/** Helpers that are written anew sooner than found. */
const SHARED_HELPER = /^(?:export )?(?:function|const) (clamp01|lerp|sha256|smoothstep)\b/gm;

/** Shared helpers that more than one of the `sources` ([file, text]) defines, each with its files. */
export function repeatedHelpers(sources) {
  const definitions = new Map();
  for (const [file, text] of sources)
    for (const [, name] of text.matchAll(SHARED_HELPER))
      definitions.set(name, [...(definitions.get(name) ?? []), file]);
  return [...definitions].filter(([, files]) => files.length > 1);
}

/** What was released keeps its text: migrations, by which they are known to be the same, and the schema. */
const KEPT = /^src\/migrations\/00(?:[0-3]\d)|^LICENSE$|^schema\/released\.graphql$|^package-lock\.json$/;
const TEXT = /\.(?:ts|as|mjs|js|json|graphql|md|css|yml|sh)$|^[A-Z]\w+$/;

/** A line of a comment, and what in it is the path of a file, or of a folder of ours. */
const COMMENT = /^\s*(?:\/?\*+|\/\/)(.*)$/gm;
const FILE_PATH = /(?<![\w/.*{-])(?:\.{1,2}\/)*\w[\w./-]*\.(?:ts|mjs|md)\b/g;
const FOLDER_PATH = /(?<![\w/.*{-])(?:src|schema|resolvers|rest-compat|scripts|docs|test)\/[\w/-]*[\w-](?![\w./*{$-])/g;

/** Paths that comments of a file name and that end none of the `listed` files and begin none. */
export function missingPaths(text, listed) {
  const comments = [...text.matchAll(COMMENT)].map(([, line]) => line);
  const files = comments.flatMap((line) => line.match(FILE_PATH) ?? []);
  const folders = comments.flatMap((line) => line.match(FOLDER_PATH) ?? []);
  return [
    ...files.filter((file) => !listed.some((one) => `/${one}`.endsWith(`/${file.replace(/^(?:\.{1,2}\/)+/, '')}`))),
    ...folders.filter(
      (folder) => !listed.some((one) => one.startsWith(folder) && /^[-./]/.test(one.slice(folder.length))),
    ),
  ];
}

/** Words of comments, documents and pages that mean nothing of ours: where they are drawn or said (`DRAWN`) they stand. */
const PROSE = new RegExp(
  `\\b(?:${[
    ...[
      'astray',
      'clips?',
      'doors?',
      'dut(?:y|ies)',
      'evenings?',
      'films?',
      'filmed',
      'housekeeping',
      'houses?',
      'lanes?',
    ],
    ...[
      'lifelines?',
      'people',
      'pictures?',
      'purses?',
      'puppets?',
      'seams?',
      'seats?',
      'strangers?',
      'g(?:ive[sn]?|ave) back',
    ],
    ...['lines? (?:broke|died|that (?:broke|died))'],
  ].join('|')})\\b`,
  'i',
);

/** The first such word of a text, where its file does not mean it by a standard. */
const proseIn = (file, text) => {
  const found = PROSE.exec(text)?.[0];
  return found && !(/^picture/i.test(found) && OPENID.test(file)) ? [found] : [];
};

/** What a comment quotes. */
const QUOTED = /"[^"\n]*"|`[^`\n]*`/g;

/** What a comment, or a document, says by another word than the glossary's, in `file`. */
export function wrongProse(file, text) {
  if (DRAWN.test(file) || /\/generated\/|^docs\/engines\/|^CHANGELOG\.md$/.test(file)) return [];
  const lines = file.endsWith('.md') ? prose(text).split('\n') : [...text.matchAll(COMMENT)].map(([, line]) => line);
  const kind = file.endsWith('.md') ? 'the document' : 'a comment';
  return lines.flatMap((line) => proseIn(file, line.replace(QUOTED, ''))).map((word) => `${kind} says "${word}"`);
}

/** A document without its code. */
const prose = (text) => text.replace(/^```[\s\S]*?^```/gm, '');

const TITLED = new Set(['describe', 'it', 'test']);

/** The first name of `test`, `test.each(...)`, `describe.skip` and so on. */
const calledOn = ({ type, value, callee, object, tag }) =>
  type === 'Identifier' ? value : (callee ?? object ?? tag) && calledOn(callee ?? object ?? tag);

/** The titles of a file's tests, and what rows of a table of tests are called: their first text, which of engines is often their input. */
function* titles(file, body) {
  for (const { type, callee, arguments: given } of nodes(body)) {
    const title = given?.[0]?.expression;
    if (!DRAWN.test(file) && callee?.property?.value === 'each' && title?.type === 'ArrayExpression')
      for (const { expression: row } of title.elements) {
        const name = row.type === 'ArrayExpression' ? row.elements[0]?.expression : row;
        if (name?.type === 'StringLiteral') yield name.value;
      }
    if (type !== 'CallExpression' || !TITLED.has(calledOn(callee))) continue;
    if (title?.type === 'StringLiteral') yield title.value;
    if (title?.type === 'TemplateLiteral') yield title.quasis.map(({ cooked }) => cooked).join('...');
  }
}

/** Where texts are what clients and users read: descriptions of the graph, of REST and of variables, errors, mails, pages. */
const DESCRIBES = /^(?:schema|resolvers|rest-compat|src)\//;
/** Where a text is code, or what an avatar says or hears. */
const QUOTES =
  /^src\/(?:migrations|pages\/operations\.ts|pages\/studio\/ready-(?:avatars|knowledge)\.ts|services\/brain\/memory\/ranking\.rules\.ts)/;

/** What descriptions and pages say by another word than the field's. */
function wrongDescriptions(file, body) {
  const texts = [...nodes(body)].flatMap(({ type, value, cooked }) =>
    type === 'StringLiteral' ? value : type === 'TemplateElement' ? cooked : [],
  );
  const wrong = (text) => (text.includes(' ') ? (INFORMAL.exec(text) ?? proseIn(file, text)) : []);
  return texts.flatMap((text) => wrong(text)).map((word) => `a text says "${word}"`);
}

/** What the titles of a file's tests say by another word than the field's. */
function wrongTitles(file, body) {
  const wrong = (title) => INFORMAL.exec(title) ?? (DRAWN.test(file) ? [] : proseIn(file, title));
  return [...titles(file, body)].flatMap((title) => wrong(title)).map((word) => `the title of a test says "${word}"`);
}

const partsOf = (name) =>
  name.split(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[^A-Za-z]+/).map((part) => part.toLowerCase());

/** Names that operators were given with such a word in them. */
const GIVEN = new Set(['HINTS_URL']);

/** The words of `name` that another one stands for, in `file`. */
export function replacedIn(name, file) {
  if (GIVEN.has(name)) return [];
  if (VAGUE.has(name)) return [`${name} is vague: ${VAGUE.get(name)}`];
  const parts = partsOf(name);
  const words = parts.filter(Boolean).join(' ');
  return [
    ...parts.flatMap((part) =>
      REPLACED.filter(({ word, where }) => word.test(part) && !where?.test(file)).map(
        ({ instead }) => `${name}: "${part}" is called ${instead}`,
      ),
    ),
    ...REPLACED_NAMES.filter(({ words: some, where }) => some.test(words) && !where?.test(file)).map(
      ({ words: some, instead }) => `${name}: "${some.exec(words)[0]}" is called ${instead}`,
    ),
  ];
}

/** Columns and tables in a text: several words with `_` between. */
const COLUMNS = /\b[a-z]+(?:_[a-z]+)+\b/g;

/** Members of `Math` that mean what they say. */
const OF_MATH = new Set(['floor']);

/** Names in a syntax tree, of members too, and those of columns in its texts. */
function* names(body) {
  for (const node of nodes(body)) {
    if (node.type === 'Identifier' && !OF_MATH.has(node.value)) yield node.value;
    if (node.type === 'PrivateName') yield node.value ?? node.id.value;
    if (node.type === 'StringLiteral') yield* node.value.match(COLUMNS) ?? [];
    if (node.type === 'TemplateElement') yield* node.raw.match(COLUMNS) ?? [];
  }
}

/** What is wrong with the words of a file. */
export function wrongWords(file, text) {
  const paper = PAPERS.exec(text);
  const wrong = [
    ...replacedIn(file, file),
    ...(hasNoRole(file) ? [`its name ends with none of ${ROLES}`] : []),
    ...(isLooseTest(file) ? ['it belongs in the folder of what it tests'] : []),
    ...(isLooseEngineTest(file) ? ['it belongs in the folder of its engine'] : []),
    ...(paper ? [`"${paper[0]}" is not in the repository`] : []),
  ];
  if (!/\.(?:ts|mjs)$/.test(file)) return wrong;
  const { body } = parseSync(text, { syntax: 'typescript', decorators: true, target: 'es2024' });
  for (const name of new Set(names(body))) wrong.push(...replacedIn(name, file));
  if (DESCRIBES.test(file) && !DRAWN.test(file) && !QUOTES.test(file)) wrong.push(...wrongDescriptions(file, body));
  if (file.startsWith('test/')) wrong.push(...wrongTitles(file, body));
  if (file.startsWith('src/')) for (const event of messagesIn(text)) wrong.push(...replacedIn(event ?? '', file));
  return wrong;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const listed = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
  const files = listed.filter((file) => TEXT.test(file) && !KEPT.test(file) && file !== 'scripts/words.mjs');
  const sources = [];
  for (const file of files) {
    const text = readFileSync(path.join(root, file), 'utf8');
    if (/^(?:src|schema|resolvers|rest-compat)\/.*\.ts$/.test(file)) sources.push([file, text]);
    const missing = /\.(?:ts|mjs)$/.test(file) ? missingPaths(text, listed) : [];
    for (const sentence of [
      ...wrongWords(file, text),
      ...wrongProse(file, text),
      ...missing.map((name) => `there is no ${name}`),
    ]) {
      console.error(`${file}: ${sentence}`);
      process.exitCode = 1;
    }
  }
  for (const [name, places] of repeatedHelpers(sources)) {
    console.error(`${name} is defined more than once: ${places.join(', ')}`);
    process.exitCode = 1;
  }
  console.log(`${files.length} files in the words of the glossary.`);
}
