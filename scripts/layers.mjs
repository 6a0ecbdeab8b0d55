/**
 * The layers: a folder imports only from layers below it, and no two modules import each other in a
 * circle. Used by `npm run lint` and by test/architecture; prints each breach and exits 1.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** Folder -> layer; the longest matching path counts. Folders of one layer never import each other. */
export const LAYERS = {
  'src/kernel': 0,
  'src/text': 1,
  'src/embedded-postgres': 1,
  'src/persona': 2,
  schema: 2,
  'src/ledger': 3,
  'src/auth': 3,
  'src/engines': 3,
  'src/storage': 3,
  'src/events': 3,
  'src/services/brain/memory': 3,
  'src/services/live/feeds': 4,
  'src/services': 5,
  resolvers: 6,
  'src/jobs': 6,
  'rest-compat': 7,
  'src/pages': 7,
  'src/services/live/transport': 7,
  'src/app': 8,
  'src/http': 9,
  'src/commands': 9,
  src: 10,
};

/** Transports (layer 7) execute GraphQL operations: they import neither services nor entities. */
const FORBIDDEN = [
  ['rest-compat', 'src/services'],
  ['src/pages', 'src/services'],
  ['src/services/live/transport', 'src/services'],
  ['src/services/live/transport', 'schema'],
  ['src/pages', 'schema'],
];

function* sources(dir) {
  for (const entry of readdirSync(path.join(root, dir), { withFileTypes: true })) {
    const file = `${dir}/${entry.name}`;
    if (entry.isDirectory()) yield* sources(file);
    else if (/\.(ts|mts)$/.test(entry.name)) yield file;
  }
}

const folderOf = (file) =>
  Object.keys(LAYERS)
    .filter((folder) => file.startsWith(`${folder}/`))
    .sort((a, b) => b.length - a.length)[0];

/** Imports of a file that are executed, and those that are only types. */
function importsOf(file) {
  const text = readFileSync(path.join(root, file), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
  const found = [];
  for (const match of text.matchAll(
    /(?:^|\n)\s*(?:import|export)\s+(type\s+)?[^'";]*?from\s+'(\.[^']+)'|import\(\s*'(\.[^']+)'\s*\)|\n?import\s+'(\.[^']+)'/g,
  )) {
    const target = match[2] ?? match[3] ?? match[4];
    found.push({ to: path.posix.join(path.posix.dirname(file), target), typeOnly: Boolean(match[1]) });
  }
  return found;
}

export function breaches() {
  const files = ['schema', 'resolvers', 'rest-compat', 'src']
    .flatMap((dir) => [...sources(dir)])
    .filter((file) => !file.startsWith('src/pages/client/'));
  const graph = new Map(files.map((file) => [file, importsOf(file)]));
  const found = [];
  for (const [file, imports] of graph) {
    for (const { to } of imports) {
      const [here, there] = [folderOf(file), folderOf(to)];
      if (!here || !there || here === there) continue;
      if (LAYERS[there] >= LAYERS[here])
        found.push(`${file} (layer ${LAYERS[here]}) imports ${to} (layer ${LAYERS[there]})`);
      if (FORBIDDEN.some(([transport, rule]) => transport === here && rule === there))
        found.push(`${file} goes past GraphQL to ${to}`);
    }
  }
  return [...found, ...cycles(graph)];
}

/** Circles of executed imports; a type import has no order at run time. */
function cycles(graph) {
  const state = new Map();
  const found = [];
  const visit = (file, trail) => {
    if (state.get(file) === 'done') return;
    if (state.get(file) === 'open') {
      found.push(`import circle: ${[...trail.slice(trail.indexOf(file)), file].join(' -> ')}`);
      return;
    }
    state.set(file, 'open');
    for (const { to, typeOnly } of graph.get(file) ?? []) if (!typeOnly && graph.has(to)) visit(to, [...trail, file]);
    state.set(file, 'done');
  };
  for (const file of graph.keys()) visit(file, []);
  return found;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const found = breaches();
  for (const breach of found) console.error(breach);
  console.log(found.length === 0 ? 'Layers hold, no import circles.' : `${found.length} breaches.`);
  process.exitCode = found.length === 0 ? 0 : 1;
}
