/** No two migrations have one number, which says in what order they run: `npm run lint` fails when two branches took the same. */
import { readdirSync } from 'node:fs';

const names = readdirSync(new URL('../src/migrations/', import.meta.url)).sort();
const doubled = names.filter((name, at) => at > 0 && name.slice(0, 4) === names[at - 1].slice(0, 4));
for (const name of doubled)
  console.error(`src/migrations/${name}: another one has its number; take the next free one.`);
process.exitCode = doubled.length > 0 ? 1 : 0;
