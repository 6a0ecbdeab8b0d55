/** The world of one test file: Node, with the modules that this worker has compiled before; it must be left as it was. */
import { TestEnvironment } from 'jest-environment-node';
import { beginFile } from './leftovers.mjs';
import './module-cache.mjs';

export default class FileEnvironment extends TestEnvironment {
  #file;
  #end;

  constructor(config, context) {
    super(config, context);
    this.#file = context.testPath;
  }

  async setup() {
    await super.setup();
    this.#end = await beginFile(this.global.process.env, this.#file);
  }

  async teardown() {
    await super.teardown();
    await this.#end?.();
  }
}
