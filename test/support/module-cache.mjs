/**
 * Jest compiles every module anew for every test file: some two thousand for one that opens an instance. Here a worker
 * keeps V8's code of each, so that only the first file it runs pays for compiling.
 */
import vm from 'node:vm';

const { SourceTextModule, compileFunction } = vm;
/** By the file's path: its text and what V8 made of it. */
const compiled = new Map();

const codeOf = (file, text) => (compiled.get(file)?.text === text ? compiled.get(file).code : undefined);

/** Jest calls it with `new`; what it gets is of Node's own class. */
vm.SourceTextModule = function cached(text, options) {
  const cachedData = codeOf(options.identifier, text);
  try {
    if (cachedData) return new SourceTextModule(text, { ...options, cachedData });
  } catch (error) {
    // A test that sets a flag of V8 makes it reject all code made before.
    if (error.code !== 'ERR_VM_MODULE_CACHED_DATA_REJECTED') throw error;
  }
  const made = new SourceTextModule(text, options);
  compiled.set(options.identifier, { text, code: made.createCachedData() });
  return made;
};

/** The same for CommonJS, whose text jest wraps into a function. */
vm.compileFunction = (text, params, options = {}) => {
  const { filename } = options;
  if (!filename) return compileFunction(text, params, options);
  const cachedData = codeOf(filename, text);
  const made = compileFunction(
    text,
    params,
    cachedData ? { ...options, cachedData } : { ...options, produceCachedData: true },
  );
  if (made.cachedDataRejected) compiled.delete(filename);
  if (!cachedData && made.cachedData) compiled.set(filename, { text, code: made.cachedData });
  return made;
};
