/**
 * Compiles the TypeScript of the server file by file, puts what is started (programs, threads) together with the packages
 * that it imports into few files of dist/, and bundles what the pages run in the browser. The modules by themselves are kept
 * there only for the tests and scripts that import one: `buildIfStale({ modules: true })`.
 * Uses the compiler the tests use (swc), because type-graphql and MikroORM read decorator metadata; types are checked
 * by `npm run types`. Does nothing when no source is newer than the last build.
 */
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const sources = ['schema', 'resolvers', 'rest-compat', 'src'];
/** What the pages' scripts import beside their own: in their bundles, and nowhere else in dist/. */
const ofBundles = ['clients/typescript/src'];
const dist = path.join(root, 'dist');
const stamp = path.join(dist, '.built');
/** There while dist/ has the modules by themselves, too. */
const MODULES = '.modules';
const fresh = path.join(root, `.dist-${process.pid}`);

/** What is started, by its path in dist/: processes and threads. */
const PROGRAMS = [
  /^src\/main\.js$/,
  /^src\/commands\/(?:audit|backup|doctor|jobs|migrate|models|reset-password|restore|rotate-keys)\.js$/,
  /^src\/engines\/decoders\/process\.js$/,
  /^src\/.*thread\.js$/,
];
/**
 * Packages that stay where they are: compiled ones, those that look for files or threads beside themselves, those that
 * operators' own packages have to share with us, and class-validator, which we load as CommonJS.
 */
const UNBUNDLED = [
  '@ai-sdk/*',
  '@echogarden/*',
  '@napi-rs/*',
  '@node-rs/*',
  '@resvg/*',
  '@wasm-audio-decoders/*',
  'class-validator',
  'mpg123-decoder',
  'opus-decoder',
  'pg-native',
  'pino',
  'sharp',
];

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
  // What is installed is built into programs.
  const files = ['package.json', 'package-lock.json'].map((name) => path.join(root, name));
  files.push(fileURLToPath(import.meta.url));
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

/**
 * Puts each program into one file in its place, and what programs share into dist/shared: linking a module for each
 * source was most of a start (docs/architecture.md, "The build"). What is imported when it is needed stays apart.
 */
async function bundlePrograms(modules) {
  const { build, stop } = await import('esbuild');
  const programs = modules.filter(isProgram);
  const { metafile } = await build({
    absWorkingDir: fresh,
    entryPoints: programs,
    outdir: '.',
    outbase: '.',
    chunkNames: 'shared/[name]-[hash]',
    allowOverwrite: true,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    // Names of classes are those of GraphQL types and of tables.
    keepNames: true,
    external: UNBUNDLED,
    // Packages that are CommonJS ask for Node's modules.
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
    sourcemap: true,
    sourcesContent: false,
    metafile: true,
    logLevel: 'warning',
    logOverride: { 'ignored-bare-import': 'silent' },
  });
  await stop();
  // A program that another one imports would not be in its own file, and so would not know that it is the one that was started.
  const empty = programs.filter((name) => !(name in metafile.outputs[name].inputs));
  if (empty.length > 0) throw new Error(`Programs that others import: ${empty}.`);
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

const isProgram = (name) => PROGRAMS.some((one) => one.test(name));

/** The modules of the server as they are called in dist/, and the sources that have to be there for them. */
function serverFiles(files) {
  const server = files.filter(
    (file) =>
      sources.some((dir) => file.startsWith(path.join(root, dir) + path.sep)) && !file.includes('/pages/client/'),
  );
  const modules = server
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `${path.relative(root, file).slice(0, -2)}js`);
  return { server, modules };
}

/** True for a file of dist/, by its path there, that it has only with `modules`. */
export function isOfModules(name) {
  const module = name.replace(/\.map$/, '');
  return module.endsWith('.js') && !isProgram(module) && existsSync(path.join(root, `${module.slice(0, -2)}ts`));
}

/** Takes the modules by themselves out of a build: programs have them in their files, and a quarter of dist/ are they. */
async function removeModules(modules) {
  const own = modules.filter((name) => !isProgram(name));
  await Promise.all(own.flatMap((name) => ['', '.map'].map((end) => rm(path.join(fresh, name + end)))));
  const folders = [...new Set(own.map((name) => path.dirname(name)))].sort((a, b) => b.length - a.length);
  for (let folder of folders)
    for (; folder !== '.' && existsSync(path.join(fresh, folder)); folder = path.dirname(folder)) {
      if ((await readdir(path.join(fresh, folder))).length > 0) break;
      await rmdir(path.join(fresh, folder));
    }
}

/** Puts the modules beside the programs that are there, which may be running. */
async function addModules(files) {
  await rm(fresh, { recursive: true, force: true });
  const { server, modules } = serverFiles(files);
  await Promise.all(server.filter((file) => file.endsWith('.ts')).map(compile));
  for (const name of modules.filter((one) => !isProgram(one))) {
    await mkdir(path.dirname(path.join(dist, name)), { recursive: true });
    for (const end of ['.map', '']) await rename(path.join(fresh, name + end), path.join(dist, name + end));
  }
  await writeFile(path.join(dist, MODULES), '');
  await rm(fresh, { recursive: true, force: true });
}

/** @returns true when it built. With `modules` dist/ has each module by itself too; once there, a later build has them as well. */
export async function buildIfStale({ modules: wanted = false } = {}) {
  const files = await allSources();
  const hasModules = existsSync(path.join(dist, MODULES));
  if (!(await isStale(files))) {
    if (wanted && !hasModules) await addModules(files);
    return wanted && !hasModules;
  }
  // Built beside and then put in place, so that what runs from dist/ never sees it half there.
  await rm(fresh, { recursive: true, force: true });
  const { server, modules } = serverFiles(files);
  await Promise.all(server.map(compile));
  await bundlePrograms(modules);
  if (wanted || hasModules) await writeFile(path.join(fresh, MODULES), '');
  else await removeModules(modules);
  await bundlePages();
  await writeFile(path.join(fresh, '.built'), String(files.length));
  const old = `${fresh}-old`;
  if (existsSync(dist)) await rename(dist, old);
  await rename(fresh, dist);
  await rm(old, { recursive: true, force: true });
  return true;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildIfStale();
