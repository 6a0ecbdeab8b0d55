/**
 * What `npm run models` has put into DATA_DIR/models: one folder a model with its `model.json`, and the packages that run
 * them. It reads names and sizes only; checksums are verified when a file comes, and by `npm run models -- --check`.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { ConfigError } from '../../kernel/config.ts';
import { type LocalModel, MODEL, type ModelFor, packagesFor, type Use } from './catalogue.ts';

/** `local:kokoro` names the model `kokoro` of this machine. */
const LOCAL = /^local:(.+)$/;
/** Written last: a folder without it is not whole. */
export const MODEL_FILE = 'model.json';
/** Written last: packages without it are not whole. Its text is the lock they were installed from. */
export const PACKAGES_MARK = 'installed.json';

/** The name behind `local:`; undefined for any other model. */
export const localName = (text: string | undefined): string | undefined => LOCAL.exec(text ?? '')?.[1];

/** Where models and their packages are. */
export const modelsFolder = (dataDir: string): string => path.join(dataDir, 'models');
/** Where the packages of a name are: `onnx` or `llama`. */
export const packagesFolder = (models: string, name: string): string => path.join(models, 'packages', name);

/** A model of this machine, ready to be loaded. */
export interface InstalledModel<U extends Use> {
  model: ModelFor<U>;
  /** Holds the folder of each model. */
  models: string;
  /** The module that imports what runs it. */
  packages: string;
}

/** What is kept of a model; undefined when it is not there. Throws a sentence for a file that is none of ours. */
export function readModel(models: string, name: string): LocalModel | undefined {
  const file = path.join(models, name, MODEL_FILE);
  if (!/^[\w.-]+$/.test(name) || !existsSync(file)) return undefined;
  const { data, error } = MODEL.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  if (data?.name === name) return data;
  const [issue] = error?.issues ?? [];
  throw new ConfigError(`${file} is no model: ${issue ? `${issue.path.join('.')} ${issue.message}` : 'another name.'}`);
}

/** The first file that is missing or of another length. */
export function brokenFile(models: string, model: LocalModel): string | undefined {
  const bytesOf = (name: string) => statSync(path.join(models, model.name, name), { throwIfNoEntry: false })?.size;
  return model.files.find(({ path: name, bytes }) => bytesOf(name) !== bytes)?.path;
}

/** @param variable that names it, for the sentence. Throws ConfigError with the command that brings what is missing. */
export function findInstalled<U extends Use>(
  dataDir: string,
  variable: string,
  name: string,
  use: U,
): InstalledModel<U> {
  const models = modelsFolder(dataDir);
  const command = `npm run models -- ${name}`;
  const model = readModel(models, name);
  if (!model) throw new ConfigError(`${variable} names local:${name}, which is not in ${models}: ${command}`);
  if (!isFor(model, use))
    throw new ConfigError(`${variable} names local:${name}, which is a model for ${model.use}, not for ${use}.`);
  const broken = brokenFile(models, model);
  if (broken)
    throw new ConfigError(`${variable} names local:${name}, of which ${broken} is not whole in ${models}: ${command}`);
  const packages = packagesFolder(models, packagesFor(use));
  if (!existsSync(path.join(packages, PACKAGES_MARK)))
    throw new ConfigError(`${variable} names local:${name}, whose packages are not in ${packages}: ${command}`);
  return { model, models, packages: path.join(packages, 'index.mjs') };
}

function isFor<U extends Use>(model: LocalModel, use: U): model is ModelFor<U> {
  return model.use === use;
}
