/**
 * `npm run clients`: what clients' tools make of the platform, each with its own settings. Redocly and Spectral lint the
 * OpenAPI document; openapi-typescript and hey-api, graphql-codegen and Relay's compiler generate from it and from the schema, and
 * programs against that are compiled. Then a platform is started: Apollo Client, urql and graphql-request ask it, our own
 * client as it is published in Node, Deno and Bun, and the examples are run. The tools are in test/clients, with a lock of their own:
 * openapi-typescript wants an older TypeScript than the project, and 580 MB of packages need not be installed by who does not
 * run this.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { startPlatform } from './clients-platform.mjs';
import { nodeBinary, root, run } from './tools.mjs';

const DOCUMENT = path.join(root, 'rest-compat/openapi.json');
const folder = path.join(root, 'test/clients');
const generated = path.join(folder, 'generated');
const app = path.join(generated, 'app');
/** Our client, from the file that would be published. */
const installed = path.join(folder, 'node_modules/avatar-platform-client');

function install() {
  if (process.env.CI || !existsSync(path.join(folder, 'node_modules'))) {
    const options = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
    execFileSync('npm', ['ci', ...options], { cwd: folder, stdio: 'inherit' });
  }
  for (const old of [generated, installed]) rmSync(old, { recursive: true, force: true });
  for (const made of [installed, app, path.join(generated, 'relay')]) mkdirSync(made, { recursive: true });
  writeFileSync(path.join(generated, 'spectral.json'), JSON.stringify({ extends: 'spectral:oas' }));
  execFileSync(nodeBinary(), [path.join(root, 'scripts/client-package.mjs')], { stdio: 'inherit' });
  const packed = ['pack', path.join(root, 'clients/typescript'), '--pack-destination', generated, '--silent'];
  const file = execFileSync('npm', packed, { cwd: generated, encoding: 'utf8' }).trim();
  execFileSync('tar', ['-xzf', path.join(generated, file), '--strip-components=1', '-C', installed]);
  cpSync(path.join(folder, 'graph/any-runtime.mjs'), path.join(app, 'any-runtime.mjs'));
  cpSync(path.join(root, 'examples'), app, { recursive: true, filter: (file) => !file.includes('node_modules') });
}

/** By the tool's name: its program, its arguments and where it is run, below test/clients. */
const TOOLS = {
  Redocly: ['@redocly/cli/bin/cli.js', ['lint', DOCUMENT, '--format=summary']],
  Spectral: [
    '@stoplight/spectral-cli/dist/index.js',
    ['lint', DOCUMENT, '--ruleset', 'generated/spectral.json', '--fail-severity=warn'],
  ],
  'openapi-typescript': ['openapi-typescript/bin/cli.js', [DOCUMENT, '-o', 'generated/openapi-typescript.ts']],
  'hey-api': ['@hey-api/openapi-ts/bin/run.js', ['-i', DOCUMENT, '-o', 'generated/hey-api', '--no-log-file']],
  'graphql-codegen': ['@graphql-codegen/cli/cjs/bin.js', ['--config', 'graph/codegen.ts']],
  'Relay’s compiler': ['relay-compiler/cli.js', ['relay.config.json'], 'graph'],
  'the programs against the document': ['typescript/bin/tsc', ['-p', '.']],
  'the programs against the graph': ['typescript/bin/tsc', ['-p', 'graph']],
};

async function runTools() {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', DO_NOT_TRACK: '1' };
  for (const [name, [program, args, where = '.']] of Object.entries(TOOLS)) {
    const cwd = path.join(folder, where);
    const code = await run(nodeBinary(), [path.join(folder, 'node_modules', program), ...args], { cwd, env });
    if (code !== 0) throw new Error(`${name}: exit code ${code}.`);
  }
}

/** Bundles the programs, because they import each other as a bundler lets them, and what they use stays outside. */
async function bundlePrograms() {
  await build({
    entryPoints: [path.join(folder, 'graph/programs.ts')],
    outfile: path.join(app, 'programs.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'warning',
  });
}

try {
  install();
  await runTools();
  await bundlePrograms();
  const platform = await startPlatform();
  try {
    const env = { ...process.env, ...platform.env };
    const code = await run(nodeBinary(), ['--no-warnings', 'programs.mjs'], { cwd: app, env });
    if (code !== 0) throw new Error(`a program against the platform: exit code ${code}.`);
  } finally {
    await platform.stop();
  }
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
