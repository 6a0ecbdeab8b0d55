/** The build's WebAssembly: functions over a memory of the caller's, which read and write nothing else. */
import { readFileSync } from 'node:fs';
import { built } from './built.ts';

/** The unit in which a memory grows, in bytes. */
export const PAGE_BYTES = 65_536;

/** What the functions read and write. `buffer` is another one each time it has grown. */
export interface KernelMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): void;
}

// The types of Node leave WebAssembly to those of browsers.
declare const WebAssembly: {
  Module: new (code: Uint8Array) => object;
  Memory: new (size: { initial: number }) => KernelMemory;
  Instance: new <Functions>(module: object, imports: object) => { exports: Functions };
};

/**
 * Compiles a file of the build, and makes memories with its functions on them.
 * @param file as `built` takes it
 */
export function compileKernel<Functions>(
  file: string,
): (pages: number) => { memory: KernelMemory; functions: Functions } {
  const code = new WebAssembly.Module(readFileSync(built(file)));
  return (pages) => {
    const memory = new WebAssembly.Memory({ initial: pages });
    return { memory, functions: new WebAssembly.Instance<Functions>(code, { env: { memory } }).exports };
  };
}
