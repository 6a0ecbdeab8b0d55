/**
 * `npm run kernel`: compiles src/engines/embedded/renderer/video/kernel/blit.as (AssemblyScript) to the WebAssembly beside it, which is
 * committed; run it after a change. With `--check` nothing is written, and it fails where the two do not match. The compiler
 * is 100 MB and none of the platform's dependencies: `test/drawing-kernel` has it, with a lock of its own.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { root, run } from './tools.mjs';

const isCheck = process.argv.includes('--check');
const kernel = path.join(root, 'src/engines/embedded/renderer/video/kernel');
const folder = path.join(root, 'test/drawing-kernel');

if (process.env.CI || !existsSync(path.join(folder, 'node_modules'))) {
  const options = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', ['ci', ...options], { cwd: folder, stdio: 'inherit' });
}

const work = mkdtempSync(path.join(os.tmpdir(), 'kernel-'));
try {
  // The compiler takes no other ending than that of the sources our own compiler would read.
  copyFileSync(path.join(kernel, 'blit.as'), path.join(work, 'blit.ts'));
  const compiler = path.join(folder, 'node_modules/assemblyscript/bin/asc.js');
  const flags = '-O3 --runtime stub --enable simd --noAssert --importMemory'.split(' ');
  process.exitCode = await run(process.execPath, [compiler, 'blit.ts', '-o', 'blit.wasm', ...flags], { cwd: work });
  const compiled = path.join(work, 'blit.wasm');
  const committed = path.join(kernel, 'blit.wasm');
  if (process.exitCode) console.error('blit.as does not compile.');
  else if (!isCheck) copyFileSync(compiled, committed);
  else if (readFileSync(compiled).equals(readFileSync(committed))) {
    console.log('The kernel of videos is what its source says.');
  } else {
    console.error('blit.wasm is not what blit.as compiles to: `npm run kernel`, and commit it.');
    process.exitCode = 1;
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
