/**
 * Compiles the TypeScript of the server to dist/ file by file, and bundles what the pages run in the browser.
 * Uses the compiler the tests use (swc), because type-graphql and MikroORM read decorator metadata; types are checked
 * by `npm run types`. Does nothing when no source is newer than the last build.
 */
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const sources = ['schema', 'resolvers', 'rest-compat', 'src'];
/** What the pages' scripts import beside their own: in their bundles, and nowhere else in dist/. */
const ofBundles = ['clients/typescript/src'];
const stamp = path.join(root, 'dist/.built');
const fresh = path.join(root, `.dist-${process.pid}`);

export const swcOptions = {
  jsc: {
    target: 'es2024',
    parser: { syntax: 'typescript', decorators: true },
    transform: {
      legacyDecorator: true,
      decoratorMetadata: true,
      useDefineForClassFields: false,
      verbatimModuleSyntax: true,
    },
    rewriteRelativeImportExtensions: true,
  },
  module: { type: 'es6' },
};

async function* walk(dir) {
  for (const entry of await readdir(dir, { withFileTypes: true })) {
    const file = path.join(dir, entry.name);
    if (entry.isDirectory()) yield* walk(file);
    else yield file;
  }
}

async function allSources() {
  const files = [path.join(root, 'package.json'), fileURLToPath(import.meta.url)];
  for (const dir of [...sources, ...ofBundles]) for await (const file of walk(path.join(root, dir))) files.push(file);
  return files;
}

async function isStale(files) {
  if (!existsSync(stamp)) return true;
  if ((await readFile(stamp, 'utf8')) !== String(files.length)) return true;
  const builtAt = (await stat(stamp)).mtimeMs;
  for (const file of files) if ((await stat(file)).mtimeMs > builtAt) return true;
  return false;
}

async function compile(file) {
  const { transform } = await import('@swc/core');
  const relative = path.relative(root, file);
  const target = path.join(fresh, relative);
  await mkdir(path.dirname(target), { recursive: true });
  if (!file.endsWith('.ts')) return writeFile(target, await readFile(file));
  const output = await transform(await readFile(file, 'utf8'), {
    ...swcOptions,
    filename: relative,
    sourceFileName: path.relative(path.dirname(target), file),
    sourceMaps: true,
    swcrc: false,
  });
  const out = target.replace(/\.ts$/, '.js');
  await writeFile(out, `${output.code}\n//# sourceMappingURL=${path.basename(out)}.map\n`);
  await writeFile(`${out}.map`, output.map);
}

/** Each file directly in src/pages/client is one browser bundle, named after it. */
async function bundlePages() {
  const clientDir = path.join(root, 'src/pages/client');
  if (!existsSync(clientDir)) return;
  const entries = (await readdir(clientDir)).filter((name) => /\.(ts|css)$/.test(name));
  const { build, stop } = await import('esbuild');
  await build({
    entryPoints: entries.map((name) => path.join(clientDir, name)),
    outdir: path.join(fresh, 'src/pages/assets'),
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    loader: { '.woff2': 'file', '.webp': 'file', '.svg': 'dataurl' },
    logLevel: 'warning',
  });
  // Its process would stay beside the platform for as long as that runs.
  await stop();
}

export async function buildIfStale() {
  const files = await allSources();
  if (!(await isStale(files))) return false;
  // Built beside and then put in place, so that what runs from dist/ never sees it half there.
  await rm(fresh, { recursive: true, force: true });
  const server = files.filter((file) => sources.some((dir) => file.startsWith(path.join(root, dir) + path.sep)));
  await Promise.all(server.filter((file) => !file.includes('/pages/client/')).map(compile));
  await bundlePages();
  await writeFile(path.join(fresh, '.built'), String(files.length));
  const dist = path.join(root, 'dist');
  const old = `${fresh}-old`;
  if (existsSync(dist)) await rename(dist, old);
  await rename(fresh, dist);
  await rm(old, { recursive: true, force: true });
  return true;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildIfStale();
