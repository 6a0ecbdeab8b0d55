/**
 * Counts the SQL texts of the program, outside migrations: ordinary reads and writes go through the ORM, hot statements
 * are built by Kysely, and what is left is written by hand for a reason. The number only falls: `npm run lint` fails
 * when there are more than `MOST`, which is lowered with every one that goes. Prints them by file with `--list`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from '@swc/core';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** How many there may be. */
const MOST = 50;

const SQL =
  /^\s*(--.*\n\s*)*(select\s|insert into\s|update\s+\w+(\s+\w+)?\s+set\s|delete from\s|with\s+((recursive\s+)?\w+\s*(\([^)]*\)\s*)?as\s|$)|create (table|index|unique|or replace|extension|function)|alter |drop |lock table|vacuum |reset \w+$|begin$|commit$|rollback$|listen |unlisten |notify |truncate )/i;

/** The texts of a syntax tree: strings, and templates by their first part. */
function* texts(node) {
  if (Array.isArray(node)) for (const each of node) yield* texts(each);
  else if (node && typeof node === 'object') {
    if (node.type === 'StringLiteral') yield node.value;
    if (node.type === 'TemplateLiteral') yield node.quasis[0].raw;
    for (const value of Object.values(node)) yield* texts(value);
  }
}

/** How many SQL texts each file has. */
export function sqlTexts() {
  const files = ['src', 'schema', 'resolvers', 'rest-compat']
    .flatMap((dir) => readdirSync(path.join(root, dir), { recursive: true }).map((file) => `${dir}/${file}`))
    .filter(
      (file) => file.endsWith('.ts') && !/^(src\/(migrations|engines|pages\/client)|schema\/entities)\//.test(file),
    );
  return files
    .map((file) => {
      const code = readFileSync(path.join(root, file), 'utf8');
      const tree = parseSync(code, { syntax: 'typescript', decorators: true, target: 'es2024' });
      return { file, count: [...texts(tree.body)].filter((text) => SQL.test(text)).length };
    })
    .filter(({ count }) => count > 0);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const found = sqlTexts().sort((a, b) => b.count - a.count);
  const total = found.reduce((sum, { count }) => sum + count, 0);
  if (process.argv.includes('--list')) for (const { file, count } of found) console.log(`${count}  ${file}`);
  console.log(`${total} SQL texts outside migrations; at most ${MOST}.`);
  process.exitCode = total > MOST ? 1 : 0;
}
