/**
 * Looks, before anything else is loaded, whether the compiled packages load on this machine: one that does not is named in
 * a sentence, not in a stack trace. The video codec is tried by its self-test, in a thread. Does nothing else.
 */
import { createRequire } from 'node:module';

const COMPILED = ['@napi-rs/canvas', 'sharp', '@resvg/resvg-js'];

const load = createRequire(import.meta.url);
for (const name of COMPILED) {
  try {
    load(name);
  } catch {
    process.stderr.write(`The package ${name} has no binary that loads on this machine: npm install it.\n`);
    process.exit(1);
  }
}
