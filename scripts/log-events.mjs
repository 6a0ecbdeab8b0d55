/**
 * Log messages are fixed event names, so that they can be searched and alerted on: the message of every `log.<level>()` is
 * a plain string of lower-case words, with what varies in fields before it, and an event is logged at one place. Every
 * event that docs/operations.md names is there. `npm run lint` runs it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from '@swc/core';
import { nodes } from './budgets.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const LEVELS = new Set(['trace', 'debug', 'info', 'warn', 'error', 'fatal']);
const EVENT = /^[a-z][a-z0-9]*(?: [a-z0-9]+)*$/;

const isLog = ({ type, object, property }) =>
  type === 'MemberExpression' &&
  LEVELS.has(property.value) &&
  /^#?log(?:ger)?$/i.test(object.property?.value ?? object.property?.id?.value ?? object.value ?? '');

/** Messages of the log calls in a source: the string, or undefined for what is none. */
export function messagesIn(code) {
  const { body } = parseSync(code, { syntax: 'typescript', decorators: true, target: 'es2024' });
  const calls = [...nodes(body)].filter((node) => node.type === 'CallExpression' && isLog(node.callee));
  return calls.map(({ arguments: given }) => {
    const { expression } = given.at(-1) ?? {};
    return expression?.type === 'StringLiteral' ? expression.value : undefined;
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const filesOf = new Map();
  const wrong = [];
  for (const dir of ['src', 'schema', 'resolvers', 'rest-compat'])
    for (const name of readdirSync(path.join(root, dir), { recursive: true })) {
      if (!name.endsWith('.ts')) continue;
      const file = `${dir}/${name}`;
      for (const message of messagesIn(readFileSync(path.join(root, file), 'utf8')))
        if (message === undefined || !EVENT.test(message))
          wrong.push(`${file}: ${message ?? 'a message that is put together'}`);
        else filesOf.set(message, [...(filesOf.get(message) ?? []), file]);
    }
  const [, table] = /^## Log events\n([\s\S]*?)^## /m.exec(readFileSync(path.join(root, 'docs/operations.md'), 'utf8'));
  const named = [...table.matchAll(/^\| (`[^|]*)\|/gm)].flatMap(([, cell]) =>
    [...cell.matchAll(/`([^`:]+)`/g)].map(([, event]) => event),
  );
  for (const event of named) if (!filesOf.has(event)) wrong.push(`docs/operations.md: ${event}, which nothing logs`);
  console.log(`${filesOf.size} log events.`);
  for (const line of wrong) console.error(`Not a fixed event name in ${line}`);
  if (wrong.length > 0) process.exitCode = 1;
}
