/**
 * No two migrations have one number, which says in what order they run, and each is listed in `index.ts`: `npm run lint` fails
 * when two branches took the same, or one is forgotten.
 */
import { readdirSync, readFileSync } from 'node:fs';

const folder = new URL('../src/migrations/', import.meta.url);
const names = readdirSync(folder).sort();
const doubled = names.filter((name, at) => at > 0 && name.slice(0, 4) === names[at - 1].slice(0, 4));
for (const name of doubled)
  console.error(`src/migrations/${name}: another one has its number; take the next free one.`);
const files = names.filter((name) => /^\d{4}_/.test(name)).map((name) => name.replace(/\.ts$/, ''));
const listed = [...readFileSync(new URL('index.ts', folder), 'utf8').matchAll(/name: '(\w+)', class: m(\d{4})/g)];
const isListed =
  files.length === listed.length && files.every((name, at) => listed[at][1] === name && name.startsWith(listed[at][2]));
if (!isListed) console.error('src/migrations/index.ts: it does not list the files of its folder in their order.');
process.exitCode = doubled.length > 0 || !isListed ? 1 : 0;
