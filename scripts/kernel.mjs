/**
 * `npm run kernel`: compiles the kernels of the renderer (AssemblyScript, `*.as`) to the WebAssembly beside each, which is
 * committed; run it after a change. With `--check` nothing is written, and it fails where the two do not match. The compiler
 * is 100 MB and none of the platform's dependencies: `test/drawing-kernel` has it, with a lock of its own.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { root, run } from './tools.mjs';

const KERNELS = ['video/kernel/blit', 'talking-head/kernel/warp'];
const FLAGS = '-O3 --runtime stub --enable simd --enable relaxed-simd --noAssert --importMemory'.split(' ');

const isCheck = process.argv.includes('--check');
const folder = path.join(root, 'test/drawing-kernel');

if (process.env.CI || !existsSync(path.join(folder, 'node_modules'))) {
  const options = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', ['ci', ...options], { cwd: folder, stdio: 'inherit' });
}

const work = mkdtempSync(path.join(os.tmpdir(), 'kernel-'));
try {
  for (const kernel of KERNELS) process.exitCode ||= await compile(kernel);
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** 0 where the kernel was compiled, or is what its source says. */
async function compile(kernel) {
  const source = path.join(root, 'src/engines/embedded/renderer', `${kernel}.as`);
  const committed = source.replace(/as$/, 'wasm');
  // The compiler takes no other ending than that of the sources our own compiler would read.
  copyFileSync(source, path.join(work, 'kernel.ts'));
  const compiler = path.join(folder, 'node_modules/assemblyscript/bin/asc.js');
  const failed = await run(process.execPath, [compiler, 'kernel.ts', '-o', 'kernel.wasm', ...FLAGS], { cwd: work });
  if (failed) {
    console.error(`${kernel}.as does not compile.`);
    return failed;
  }
  const compiled = path.join(work, 'kernel.wasm');
  if (!isCheck) copyFileSync(compiled, committed);
  else if (readFileSync(compiled).equals(readFileSync(committed)))
    console.log(`${kernel}.wasm is what its source says.`);
  else {
    console.error(`${kernel}.wasm is not what ${kernel}.as compiles to: \`npm run kernel\`, and commit it.`);
    return 1;
  }
  return 0;
}
