/**
 * Log messages are fixed event names, so that they can be searched and alerted on: the message of every `log.<level>()` is
 * a plain string of lower-case words, with what varies in fields before it. Every event that docs/operations.md names is
 * there, and it names every error, which says what an operator does about it. `npm run lint` runs it.
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

/** The log calls in a source: their level, and the message, undefined where that is no plain string. */
function callsIn(code) {
  const { body } = parseSync(code, { syntax: 'typescript', decorators: true, target: 'es2024' });
  const calls = [...nodes(body)].filter((node) => node.type === 'CallExpression' && isLog(node.callee));
  return calls.map(({ callee, arguments: given }) => {
    const { expression } = given.at(-1) ?? {};
    const message = expression?.type === 'StringLiteral' ? expression.value : undefined;
    return { level: callee.property.value, message };
  });
}

/** Messages of the log calls in a source: the string, or undefined for what is none. */
export const messagesIn = (code) => callsIn(code).map(({ message }) => message);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const events = new Set();
  const errors = new Set();
  const wrong = [];
  for (const dir of ['src', 'schema', 'resolvers', 'rest-compat'])
    for (const name of readdirSync(path.join(root, dir), { recursive: true })) {
      if (!name.endsWith('.ts')) continue;
      const file = `${dir}/${name}`;
      for (const { level, message } of callsIn(readFileSync(path.join(root, file), 'utf8'))) {
        if (message === undefined || !EVENT.test(message))
          wrong.push(`${file}: ${message ?? 'a message that is put together'}`);
        else events.add(message);
        if (level === 'error' || level === 'fatal') errors.add(message);
      }
    }
  const [, table] = /^## Log events\n([\s\S]*?)^## /m.exec(readFileSync(path.join(root, 'docs/operations.md'), 'utf8'));
  const named = [...table.matchAll(/^\| (`[^|]*)\|/gm)].flatMap(([, cell]) =>
    [...cell.matchAll(/`([^`:]+)`/g)].map(([, event]) => event),
  );
  for (const event of named) if (!events.has(event)) wrong.push(`docs/operations.md: ${event}, which nothing logs`);
  for (const event of errors)
    if (!named.includes(event)) wrong.push(`docs/operations.md: the error ${event} is missing`);
  console.log(`${events.size} log events.`);
  for (const line of wrong) console.error(`Not a fixed, documented event name in ${line}`);
  if (wrong.length > 0) process.exitCode = 1;
}
