/** Documents against the code: links and anchors lead somewhere, named scripts and files are there, examples work. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { buildSchema, parse, validate } from 'graphql';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { makeAvatar } from '../support/oauth.ts';

/** Every file of the project, by its path with `/`. */
const FILES = filesIn('.');
const DOCUMENTS = FILES.filter((file) => file.endsWith('.md')).map(
  (file) => [file, readFileSync(file, 'utf8')] as const,
);
const SCRIPTS: Record<string, string> = JSON.parse(readFileSync('package.json', 'utf8')).scripts;
const TOP = new Set(FILES.map((file) => file.split('/')[0]!));

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory() && /^(?:node_modules|dist|\.(?!ci$).*)$/.test(entry.name)) return [];
    const name = path.posix.join(folder, entry.name);
    // What other programs made of the API's documents, with documents of their own.
    if (name === 'test/clients/generated') return [];
    return entry.isDirectory() ? filesIn(name) : [name];
  });
}

/** Without fenced code, where brackets and hashes mean something else. */
const prose = (text: string): string => text.replace(/^```[\s\S]*?^```/gm, '');

/** The examples in one language, fenced as such. */
const examples = (text: string, language: string): string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, code]) => code!);

/** As code hosts make anchors of headings. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

const anchorsIn = (text: string): string[] =>
  [...prose(text).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) => anchorOf(heading!));

/** The relative links, as they stand, that lead nowhere. */
function brokenLinks(file: string, text: string): string[] {
  const links = [...prose(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!);
  return links.filter((link) => {
    if (/^(?:https?|mailto):/.test(link)) return false;
    const [target, anchor] = link.split('#');
    const aim = target ? path.join(path.dirname(file), target) : file;
    if (!existsSync(aim)) return true;
    return Boolean(anchor) && !anchorsIn(readFileSync(aim, 'utf8')).includes(anchor!);
  });
}

/**
 * What looks like a file or folder of ours, in backticks, and is none: paths from the root, or their beginning as
 * `npm test` takes it, and names of source files with or without the folders before them.
 */
function missingPaths(text: string): string[] {
  const words = [...prose(text).matchAll(/`([^`\n]+)`/g)].flatMap(([, quoted]) => quoted!.split(/\s+/));
  return words.filter((word) => {
    if (!/^[\w.-]+(?:\/[\w.-]+)*\/?$/.test(word)) return false;
    if (/\.(?:ts|mjs|sql)$/.test(word)) return !FILES.some((file) => `/${file}`.endsWith(`/${word}`));
    const isOurs = word.includes('/') && TOP.has(word.split('/')[0]!);
    return isOurs && !FILES.some((file) => file.startsWith(word));
  });
}

describe.each(DOCUMENTS)('%s', (file, text) => {
  test('every relative link leads somewhere', () => {
    expect(brokenLinks(file, text)).toEqual([]);
  });

  test('every script and every file it names is there', () => {
    const named = [...text.matchAll(/\bnpm run (?:--silent )?([a-z][\w:-]*)/g)].map(([, name]) => name!);
    expect(named.filter((name) => !SCRIPTS[name])).toEqual([]);
    expect(missingPaths(text)).toEqual([]);
  });
});

test('broken links, missing files and wrong anchors are seen', () => {
  expect(brokenLinks('README.md', '[a](docs/none.md) [b](SECURITY.md#none) [c](SECURITY.md#reporting)')).toEqual([
    'docs/none.md',
    'SECURITY.md#none',
  ]);
  expect(missingPaths('`src/none/x` `none.ts` `src/kernel/config.ts` `config.ts` `GET /x`')).toEqual([
    'src/none/x',
    'none.ts',
  ]);
});

const SHELL = DOCUMENTS.flatMap(([file, text]) => examples(text, 'sh').map((code) => [file, code] as const));

/** Commands that are not run here as they stand: by what they are, and who runs them else, or why no test can. */
const RUN_ELSEWHERE: { command: RegExp; by?: [file: string, says: RegExp]; why: string }[] = [
  {
    command: /^npm start$/,
    by: ['test/rest/start.test.ts', /runModule\('src\/main'/],
    why: 'starts the program as this does once it is built',
  },
  { command: /^npm test\b/, by: ['.ci/run', /^npm test$/m], why: 'is what runs this' },
  ...['lint', 'types', 'drift'].map((name) => ({
    command: new RegExp(`^npm run ${name}$`),
    by: ['.ci/run', new RegExp(`^npm run --silent ${name}$`, 'm')] as [string, RegExp],
    why: 'is run before the tests',
  })),
  ...['backup', 'restore'].map((name) => ({
    command: new RegExp(`^npm run ${name}\\b`),
    by: ['test/rest/backup.test.ts', new RegExp(`command\\('${name}'`)] as [string, RegExp],
    why: 'of an instance of their own',
  })),
  {
    command: /^npm run rotate-keys\b/,
    by: ['test/rest/instance-keys.test.ts', /runModule\('src\/commands\/rotate-keys'/],
    why: 'of an instance of their own',
  },
  {
    command: /^npm run models$/,
    by: ['test/engines/local/models.test.ts', /src\/commands\/models\.ts'/],
    why: 'from a hub of its own',
  },
  {
    command: /^npm run jobs\b/,
    by: ['test/rest/outage-retries.test.ts', /src\/commands\/jobs\.ts'/],
    why: 'of an instance of their own',
  },
  {
    command: /^npm run reset-password\b/,
    by: ['test/rest/account-links.test.ts', /src\/commands\/reset-password/],
    why: 'of an instance of their own',
  },
  { command: /^helm upgrade /, by: ['scripts/helm.mjs', /'template'/], why: 'needs a cluster: the chart is rendered' },
  { command: /^(docker (build|push)|kubectl) /, why: 'needs a registry and a cluster' },
  {
    command: /^docker compose /,
    by: ['test/architecture/compose.test.ts', /docker-compose\.yml/],
    why: 'needs Docker: the file is read instead',
  },
  { command: /^(PGPASSWORD=|pg_dump)/, why: 'needs the client programs of PostgreSQL' },
  { command: /^npm install /, why: 'needs a registry, and changes package.json' },
  { command: /^git (clone|pull)\b/, why: 'needs the repository that the reader has' },
  { command: /^(cd|export) /, why: 'does nothing by itself' },
];

/** The commands of an example, one by one, without comments and settings before them. */
const commandsOf = (code: string): string[] =>
  code
    .replaceAll('\\\n', ' ')
    .split('\n')
    .map((line) => line.replace(/\s+# .*/, ''))
    .flatMap((line) => line.split(/ (?:&&|\|\|) /))
    .map((command) => command.trim().replace(/^(?:(?!PGPASSWORD)[A-Z_]+=\S+ )+/, ''))
    .filter(Boolean);

test.each(SHELL)('%s: a shell reads %j, and what is not run here is run elsewhere', (_, code) => {
  expect(() => execFileSync('sh', ['-n'], { input: code, stdio: ['pipe', 'ignore', 'pipe'] })).not.toThrow();
  const unknown = commandsOf(code).filter(
    (command) => !/^(curl|echo) /.test(command) && !RUN_ELSEWHERE.some((row) => row.command.test(command)),
  );
  expect(unknown).toEqual([]);
});

test('what runs them elsewhere does, and no row is left over', () => {
  const commands = SHELL.flatMap(([, code]) => commandsOf(code));
  for (const { command, by } of RUN_ELSEWHERE) {
    expect(commands.some((one) => command.test(one)) && command).toBe(command);
    if (by) expect(readFileSync(by[0], 'utf8')).toMatch(by[1]);
  }
});

test.each(SHELL.flatMap(([, code]) => commandsOf(code)).filter((command) => command.startsWith('echo ')))(
  '%s',
  async (command) => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'avatar-docs-'));
    try {
      execFileSync('sh', ['-c', command], { cwd: folder });
      expect(readFileSync(path.join(folder, '.env'), 'utf8')).toMatch(/^POSTGRES_PASSWORD=[0-9a-f]{64}\n$/);
    } finally {
      await rm(folder, { recursive: true });
    }
  },
);

/**
 * The statements of Mermaid that our diagrams use, as its grammar has them: the package itself is 80 MB. In a text `;` ends
 * a statement and `#` begins an entity, so neither may stand in one.
 */
const MERMAID: Record<string, RegExp> = {
  sequenceDiagram:
    /^(?:autonumber|participant \w+(?: as [^;#]+)?|\w+(?:->>|-->>|-\)|--\))[+-]?\w+: [^;#]+|Note (?:over|left of|right of) \w+(?:,\w+)?: [^;#]+|(?:loop|alt|else|opt|par|and) [^;#]+|end)$/,
  erDiagram:
    /^(?:\w+ (?:\|\||\|o|\}o|\}\|)--(?:\|\||o\||o\{|\|\{) \w+ : (?:\w+|"[^"]+")|\w+ \{|\w+ \w+(?: (?:PK|FK|UK)(?:, (?:PK|FK|UK))*)?(?: "[^"]*")?|\})$/,
};

/** Lines of a diagram that Mermaid would not read, or whose blocks do not close. */
function unreadable(diagram: string): string[] {
  const [kind, ...lines] = diagram
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  const statement = MERMAID[kind!];
  if (!statement) return [kind!];
  const opened = lines.filter((line) => /\{$/.test(line) || /^(?:loop|alt|opt|par) /.test(line)).length;
  const closed = lines.filter((line) => line === '}' || line === 'end').length;
  return [
    ...lines.filter((line) => !statement.test(line)),
    ...(opened === closed ? [] : ['a block that does not end']),
  ];
}

test.each(DOCUMENTS.flatMap(([file, text]) => examples(text, 'mermaid').map((code) => [file, code] as const)))(
  '%s: Mermaid reads %j',
  (_, code) => {
    expect(unreadable(code)).toEqual([]);
  },
);

test('a diagram that Mermaid would not read is seen', () => {
  expect(unreadable('sequenceDiagram\n A->>B: one; two\n A=>B: three\n loop again\n')).toEqual([
    'A->>B: one; two',
    'A=>B: three',
    'a block that does not end',
  ]);
  expect(unreadable('erDiagram\n a ||--o{ b\n a {\n text id PK\n }\n')).toEqual(['a ||--o{ b']);
});

/** Documents whose calls are those of the developers' page, which `test/pages/examples.test.ts` runs. */
const ON_DEVELOPERS_PAGE = ['docs/live.md'];

describe('the examples of README.md', () => {
  const README = readFileSync('README.md', 'utf8');
  const CURLS = examples(README, 'sh').filter((code) => code.startsWith('curl '));
  let t: TestApp;
  let owner: TestUser;
  let slug: string;

  beforeAll(async () => {
    t = await openTestApp({ engines: 'real' });
    owner = await t.person('Ada', 100);
    const avatarId = await makeAvatar(t, owner);
    const room = { avatarOwnerUserId: owner.userId, avatarId };
    const { status, body } = await t.rest('POST', '/conversations', { as: owner.apiKey, body: room });
    expect(status).toBe(200);
    slug = body.shareSlug;
  });
  afterAll(() => t?.close());

  /** The words of a call of curl as a shell reads them, with this server's address, key and conversation put in. */
  function wordsOf(code: string): string[] {
    const ours = code
      .replaceAll('http://localhost:4000', t.url)
      .replaceAll('svc_...', owner.apiKey)
      .replace(/c-\d\d-\d\d-\w+/, slug);
    const shown = execFileSync('sh', ['-c', ours.replace(/^curl/, String.raw`printf '%s\0'`)], { encoding: 'utf8' });
    return shown.split('\0').slice(0, -1);
  }

  test('are all there are, and there are some', () => {
    const run = SHELL.filter(([file, code]) => /\bcurl /.test(code) && !ON_DEVELOPERS_PAGE.includes(file));
    expect(CURLS).toEqual(run.map(([, code]) => code));
    expect(CURLS.length).toBeGreaterThanOrEqual(2);
  });

  test.each(CURLS)('%s', async (code) => {
    const words = wordsOf(code);
    const valuesOf = (option: string) => words.flatMap((word, at) => (word === option ? [words[at + 1]!] : []));
    const headers = valuesOf('-H').map((line) => line.split(': ') as [string, string]);
    const url = words.find((word) => word.startsWith(t.url))!;
    const answer = await fetch(url, { method: valuesOf('-X')[0]!, headers, body: valuesOf('-d')[0]! });
    expect(`${answer.status} ${await answer.text()}`).toMatch(/^20[02] \{/);
  });

  test.each(examples(README, 'graphql'))('the schema has %s', (code) => {
    expect(validate(buildSchema(readFileSync('schema/schema.graphql', 'utf8')), parse(code))).toEqual([]);
  });
});
