/**
 * The world of one test file: the worker's own, as a program has it. What a file changes in it is put back, and it must be
 * left as it was found.
 */
import { createRequire } from 'node:module';
import vm from 'node:vm';
import { computed, noteComputing } from './cpu-time.mjs';
import { beginFile } from './leftovers.mjs';
import { importTestFile, sourceMaps } from './sources.mjs';

const require = createRequire(import.meta.url);
const { ModuleMocker } = require('jest-mock');
const { ModernFakeTimers } = require('@jest/fake-timers');

/** Stands for the worker's own context, for which Node has no name: what is to run there is compiled without one. */
const OWN_CONTEXT = vm.createContext(vm.constants.DONT_CONTEXTIFY);
const { compileFunction } = vm;
vm.compileFunction = (text, params, { parsingContext, ...options } = {}) =>
  compileFunction(text, params, parsingContext === OWN_CONTEXT ? options : { ...options, parsingContext });

/** What jest's parts keep in the global object from one file to the next, by their descriptions. */
const OF_JEST = /^(EVENT_HANDLERS|JEST_STATE_SYMBOL|RETRY_TIMES|TEST_TIMEOUT_SYMBOL)/;

const SHOWN_S = 0.25;

export default class FileEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  importTestFile = importTestFile;
  sourceMaps = sourceMaps;
  fakeTimers = null;
  fakeTimersModern;
  #context = OWN_CONTEXT;
  #file;
  #end;
  #computed = computed();
  #counted = 0;
  #before = { console: globalThis.console, exit: process.exit, env: { ...process.env }, folder: process.cwd() };

  constructor({ projectConfig }, { testPath }) {
    this.#file = testPath;
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    for (const key of Object.getOwnPropertySymbols(globalThis))
      if (OF_JEST.test(key.description)) delete globalThis[key];
  }

  async setup() {
    this.#end = await beginFile(process.env, this.#file);
  }

  async teardown() {
    this.fakeTimersModern.dispose();
    const { console, exit, env, folder } = this.#before;
    globalThis.console = console;
    process.exit = exit;
    if (process.cwd() !== folder) process.chdir(folder);
    await this.#end?.();
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
    this.#context = null;
    noteComputing(this.#file, computed() - this.#computed);
  }

  /** With TEST_CPU set, says of each test and hook what it computed, from a quarter of a second on. */
  handleTestEvent({ name, test, hook }) {
    if (!process.env.TEST_CPU || !/^(test_done|hook_success|run_start)$/.test(name)) return;
    const now = computed();
    const seconds = now - this.#counted;
    this.#counted = now;
    if (name === 'run_start' || seconds < SHOWN_S) return;
    process.stderr.write(`${seconds.toFixed(2).padStart(7)} s ${test?.name ?? hook.type}\n`);
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return this.#context;
  }
}
