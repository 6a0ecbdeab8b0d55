/**
 * Lets Node itself load the TypeScript of a test worker: compiled by swc as the build does it, kept on disk by what is in it,
 * and once a process, as in the program. `@jest/globals` is the running test file's.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { enableCompileCache, registerHooks } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { transformSync } from '@swc/core';
import { swcOptions } from '../../scripts/build.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const folder = path.join(root, 'node_modules/.cache/test-sources');
const GLOBALS = 'jest-globals:';

// The sources import each other with the ending `.ts`, and Node loads them as that.
const { rewriteRelativeImportExtensions: _, ...jsc } = swcOptions.jsc;
const OPTIONS = { jsc, module: swcOptions.module, swcrc: false, sourceMaps: true };

/** By a source's path and by its address: the file that has its source map. */
export const sourceMaps = new Map();

let files = 0;
let globals;

function compiled(url) {
  const file = fileURLToPath(url);
  const text = readFileSync(file, 'utf8');
  const name = createHash('sha256')
    .update(JSON.stringify([file, OPTIONS, text]))
    .digest('hex');
  const place = path.join(folder, name);
  sourceMaps.set(file, `${place}.map`);
  sourceMaps.set(url, `${place}.map`);
  try {
    return readFileSync(place, 'utf8');
  } catch {
    const { code, map } = transformSync(text, { ...OPTIONS, filename: file, sourceFileName: file });
    mkdirSync(folder, { recursive: true });
    // The map first: who finds the code finds it too. Other workers may write the same.
    for (const [target, content] of [
      [`${place}.map`, map],
      [place, code],
    ]) {
      writeFileSync(`${target}-${process.pid}`, content);
      renameSync(`${target}-${process.pid}`, target);
    }
    return code;
  }
}

enableCompileCache(path.join(root, 'node_modules/.cache/test-modules'));
registerHooks({
  resolve(specifier, context, next) {
    if (specifier !== '@jest/globals') return next(specifier, context);
    return { url: `${GLOBALS}${files}`, format: 'module', shortCircuit: true };
  },
  load(url, context, next) {
    if (url.startsWith(GLOBALS)) {
      const names = Object.keys(globals);
      const source = `const all = globalThis[Symbol.for('${GLOBALS}')];\nexport const { ${names.join(', ')} } = all;\n`;
      return { format: 'module', source, shortCircuit: true };
    }
    if (!url.startsWith('file:') || !/\.ts(\?|$)/.test(url) || url.includes('/node_modules/'))
      return next(url, context);
    return { format: 'module', source: compiled(url), shortCircuit: true };
  },
});

/** Runs a test file, whose `@jest/globals` are these. */
export async function importTestFile(file, itsGlobals) {
  files += 1;
  globals = itsGlobals;
  globalThis[Symbol.for(GLOBALS)] = itsGlobals;
  // Of a file that is run again, as when jest watches, nothing is kept.
  await import(`${pathToFileURL(file).href}?run=${files}`);
}
