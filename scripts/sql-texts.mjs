/**
 * Counts the SQL texts of the program, outside migrations: ordinary reads and writes go through the ORM, hot statements
 * are built by Kysely, and what is left is written by hand for a reason. The number only falls: `npm run lint` fails
 * when there are more than `MOST`, which is lowered with every one that goes. A template of Kysely's `sql` that is no whole statement is
 * a fragment, of which the compiler checks nothing: they have a number of their own. Prepared statements stand in `*.queries.ts`, whose
 * headers say why they are not the ORM's. Prints what is counted by file with `--list`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from '@swc/core';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** How many of each there may be. */
const MOST = {
  'SQL texts outside migrations': 48,
  'fragments of SQL in typed queries': 219,
  'statements prepared outside *.queries.ts': 0,
  '*.queries.ts that do not say why they are not the ORM': 0,
};

/** What makes `prepared`, and where it is explained. */
const MAKES_PREPARED = /^schema\/entities\/tables\.ts$/;

const SQL =
  /^\s*(--.*\n\s*)*(select\s|insert into\s|update\s+\w+(\s+\w+)?\s+set\s|delete from\s|with\s+((recursive\s+)?\w+\s*(\([^)]*\)\s*)?as\s|$)|create (table|index|unique|or replace|extension|function)|alter |drop |lock table|vacuum |reset \w+$|begin$|commit$|rollback$|listen |unlisten |notify |truncate )/i;

/** The texts of a syntax tree (strings, and templates by their first part), its templates of `sql`, and its calls of `prepared`. */
function* found(node) {
  if (Array.isArray(node)) for (const each of node) yield* found(each);
  else if (node && typeof node === 'object') {
    if (node.type === 'StringLiteral') yield { text: node.value };
    if (node.type === 'TemplateLiteral') yield { text: node.quasis[0].raw };
    if (node.type === 'TaggedTemplateExpression' && node.tag.value === 'sql') {
      yield { fragment: node.template.quasis[0].raw };
    }
    if (node.type === 'CallExpression' && node.callee.value === 'prepared') yield { isPrepared: true };
    for (const value of Object.values(node)) yield* found(value);
  }
}

/** How many of each kind every file has. */
export function sqlTexts() {
  const files = ['src', 'schema', 'resolvers', 'rest-compat']
    .flatMap((dir) => readdirSync(path.join(root, dir), { recursive: true }).map((file) => `${dir}/${file}`))
    .filter(
      (file) => file.endsWith('.ts') && !/^(src\/(migrations|engines|pages\/client)|schema\/entities)\//.test(file),
    );
  return files.map((file) => {
    const code = readFileSync(path.join(root, file), 'utf8');
    const tree = parseSync(code, { syntax: 'typescript', decorators: true, target: 'es2024' });
    const all = [...found(tree.body)];
    const isQueries = file.endsWith('.queries.ts');
    const header = code.slice(0, code.indexOf('*/')).replace(/\s*\n \*\s*/g, ' ');
    return {
      file,
      'SQL texts outside migrations': all.filter(({ text }) => text !== undefined && SQL.test(text)).length,
      'fragments of SQL in typed queries': all.filter(({ fragment }) => fragment !== undefined && !SQL.test(fragment))
        .length,
      'statements prepared outside *.queries.ts':
        isQueries || MAKES_PREPARED.test(file) ? 0 : all.filter(({ isPrepared }) => isPrepared).length,
      '*.queries.ts that do not say why they are not the ORM': isQueries && !/not (by )?the ORM/i.test(header) ? 1 : 0,
    };
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = sqlTexts();
  for (const [kind, most] of Object.entries(MOST)) {
    const total = files.reduce((sum, counts) => sum + counts[kind], 0);
    console.log(`${total} ${kind}; at most ${most}.`);
    if (total > most) process.exitCode = 1;
    if (!process.argv.includes('--list') && total <= most) continue;
    const those = files.filter((counts) => counts[kind] > 0).sort((a, b) => b[kind] - a[kind]);
    for (const counts of those) console.log(`  ${counts[kind]}  ${counts.file}`);
  }
}
