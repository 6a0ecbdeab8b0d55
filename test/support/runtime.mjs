/**
 * How jest loads modules in a test worker: Node does it, once a process, so that only the first test file of a worker pays
 * for loading the platform. Jest's own way, every module anew for every file, cost some five seconds of computing a file.
 */
import { createRequire } from 'node:module';

const { default: Runtime } = createRequire(import.meta.url)('jest-runtime');

class NativeRuntime extends Runtime {
  unstable_shouldLoadAsEsm(file) {
    return file.endsWith('.ts');
  }

  async unstable_importModule(file) {
    await this._environment.importTestFile(file, this.jestGlobals.cjsGlobals(file));
  }

  getSourceMaps() {
    return this._environment.sourceMaps;
  }
}

// Jest loads it by require(), and takes what it gets.
export { NativeRuntime as 'module.exports' };
