/**
 * Compiles src/engines/embedded/video/kernel/blit.as (AssemblyScript) to the WebAssembly beside it, which is committed: run it after
 * a change. The compiler is 100 MB and no dependency: `npm install assemblyscript@0.28.20` in some other folder, which is
 * the first argument.
 */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { root, run } from './tools.mjs';

const folder = path.join(root, 'src/engines/embedded/video/kernel');
const compiler = path.resolve(process.argv[2] ?? '', 'node_modules/assemblyscript/bin/asc.js');
const work = mkdtempSync(path.join(os.tmpdir(), 'kernel-'));
try {
  // The compiler takes no other ending than that of the sources our own compiler would read.
  copyFileSync(path.join(folder, 'blit.as'), path.join(work, 'blit.ts'));
  const flags = '-O3 --runtime stub --enable simd --noAssert --importMemory'.split(' ');
  const command = [compiler, 'blit.ts', '-o', path.join(folder, 'blit.wasm'), ...flags];
  process.exitCode = await run(process.execPath, command, { cwd: work });
} finally {
  rmSync(work, { recursive: true, force: true });
}
