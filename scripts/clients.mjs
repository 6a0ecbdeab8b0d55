/**
 * `npm run clients`: what other people's tools make of the OpenAPI document, each with its own settings. Redocly and Spectral
 * lint it, openapi-typescript and hey-api generate clients from it, and programs against them are compiled. The tools are in
 * test/clients, with a lock of their own: openapi-typescript wants an older TypeScript than the project, and 140 MB of
 * packages are nobody's to install who does not run this.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { nodeBinary, root, run } from './tools.mjs';

const DOCUMENT = path.join(root, 'rest-compat/openapi.json');
const folder = path.join(root, 'test/clients');
const generated = path.join(folder, 'generated');

if (process.env.CI || !existsSync(path.join(folder, 'node_modules'))) {
  const options = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', ['ci', ...options], { cwd: folder, stdio: 'inherit' });
}
rmSync(generated, { recursive: true, force: true });
mkdirSync(generated);
const ruleset = path.join(generated, 'spectral.json');
writeFileSync(ruleset, JSON.stringify({ extends: 'spectral:oas' }));

/** By the tool's name: its program and its arguments. */
const TOOLS = {
  Redocly: ['@redocly/cli/bin/cli.js', 'lint', DOCUMENT, '--format=summary'],
  Spectral: ['@stoplight/spectral-cli/dist/index.js', 'lint', DOCUMENT, '--ruleset', ruleset, '--fail-severity=warn'],
  'openapi-typescript': ['openapi-typescript/bin/cli.js', DOCUMENT, '-o', 'generated/openapi-typescript.ts'],
  'hey-api': ['@hey-api/openapi-ts/bin/run.js', '-i', DOCUMENT, '-o', 'generated/hey-api', '--no-log-file'],
  'the programs': ['typescript/bin/tsc', '-p', folder],
};
const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', DO_NOT_TRACK: '1' };

for (const [name, [program, ...args]] of Object.entries(TOOLS)) {
  const code = await run(nodeBinary(), [path.join(folder, 'node_modules', program), ...args], { cwd: folder, env });
  if (code !== 0) {
    process.stderr.write(`${name}: does not take rest-compat/openapi.json (exit code ${code}).\n`);
    process.exit(1);
  }
}
