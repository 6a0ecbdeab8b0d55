/**
 * `npm run models [-- name ...]`: brings what local models need into DATA_DIR/models, once: the packages that run them and
 * their files, with a progress bar, each file verified by its SHA-256. Without names: those that the configuration names,
 * else those of MODELS=local. `--list` shows what there is to have, `--check` verifies all that is there again, and
 * `--catalogue file.json` adds models of one's own.
 */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { bytesOf, CATALOGUE, type LocalModel, MODEL, packagesFor } from '../engines/local/catalogue.ts';
import { brokenFile, localName, MODEL_FILE, modelsFolder, readModel } from '../engines/local/installed.ts';
import { ConfigError, LOCAL_MODELS, readDataConfig } from '../kernel/config.ts';
import { checkRoom, DownloadError, type DownloadOptions, download, gigabytes, sentenceOf } from './models/download.ts';
import { installPackages } from './models/packages.ts';
import { createProgress, type Output } from './models/progress.ts';
import { readWords, runCommand } from './program.ts';

const USAGE = `npm run models -- [name ...] [--list] [--check] [--catalogue file.json]
  Brings the models of these names, or those that the configuration names, into DATA_DIR/models.
  --list        what there is to have
  --check       verifies all that is there
  --catalogue   models of your own, described in a file`;

/** The variables of the program. */
type Env = Record<string, string | undefined>;

/** @throws ConfigError and DownloadError, with a sentence for the operator */
export async function models(
  args: readonly string[],
  env: Env,
  out: Output,
  options: DownloadOptions = {},
): Promise<void> {
  const { values, positionals } = readWords(args, {
    list: { type: 'boolean' },
    check: { type: 'boolean' },
    catalogue: { type: 'string' },
  });
  const servers = Object.values(LOCAL_MODELS).map(({ unless }) => unless);
  const config = readDataConfig(env, ['MODELS', 'MODELS_URL', ...MODEL_VARIABLES, ...servers]);
  const catalogue = [...CATALOGUE, ...(values.catalogue ? readCatalogue(values.catalogue) : [])];
  const folder = modelsFolder(config.DATA_DIR);
  const say = (line: string) => out.write(`${line}\n`);
  if (values.list) {
    for (const model of catalogue) say(describe(model));
    return;
  }
  if (values.check) return check(folder, say);
  const named = MODEL_VARIABLES.flatMap((variable) => localName(config[variable]) ?? []);
  const usual = Object.values(LOCAL_MODELS).flatMap(({ name }) => localName(name) ?? []);
  const wanted = [positionals, named, usual].find((names) => names.length > 0) ?? [];
  const chosen = wanted.map((name) => find(name, folder, catalogue));
  for (const model of chosen) say(describe(model));
  await mkdir(folder, { recursive: true }).catch((error: unknown) => {
    throw sentenceOf(error, folder);
  });
  const missing = chosen.flatMap((model) => missingFiles(folder, model).map(({ bytes }) => bytes));
  await checkRoom(
    folder,
    missing.reduce((sum, bytes) => sum + bytes, 0),
  );
  for (const name of new Set(chosen.map(({ use }) => packagesFor(use)))) {
    say(`Packages (${name}) ...`);
    say((await installPackages(folder, name)) ? 'installed.' : 'are there.');
  }
  for (const model of chosen) await bring(model, { folder, hub: config.MODELS_URL, out, options });
  const unnamed = chosen.filter(({ name }) => !named.includes(name));
  say(`Everything is in ${folder}; to have it on another machine of this kind, copy that folder.`);
  if (unnamed.length > 0)
    say(`To use it, set ${unnamed.map(({ use, name }) => `${use.toUpperCase()}_MODEL=local:${name}`).join(' ')}.`);
}

const MODEL_VARIABLES = Object.keys(LOCAL_MODELS) as (keyof typeof LOCAL_MODELS)[];

function readCatalogue(file: string): LocalModel[] {
  let text: unknown;
  try {
    text = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new ConfigError(`${file} cannot be read: ${(error as Error).message}`);
  }
  const { data, error } = z.array(MODEL).safeParse(text);
  if (data) return data;
  const [issue] = error.issues;
  throw new ConfigError(`${file}: ${issue?.path.join('.')} ${issue?.message}`);
}

/** The one that is there stays what it is, and needs no catalogue. */
function find(name: string, folder: string, catalogue: readonly LocalModel[]): LocalModel {
  const found = catalogue.findLast((model) => model.name === name) ?? readModel(folder, name);
  if (found) return found;
  throw new ConfigError(`There is no model "${name}"; there are ${catalogue.map((model) => model.name).join(', ')}.`);
}

const describe = (model: LocalModel): string =>
  `${model.name.padEnd(14)} ${model.use.padEnd(13)} ${gigabytes(bytesOf(model)).padStart(8)}  ${model.licence.padEnd(10)}  ` +
  `${model.about} (${model.repository})`;

const missingFiles = (folder: string, model: LocalModel) =>
  model.files.filter((file) => brokenFile(folder, { ...model, files: [file] }));

interface Bringing {
  folder: string;
  hub: string;
  out: Output;
  options: DownloadOptions;
}

async function bring(model: LocalModel, { folder, hub, out, options }: Bringing): Promise<void> {
  const target = path.join(folder, model.name);
  const kept = readModel(folder, model.name);
  const note = path.join(target, MODEL_FILE);
  // Files of another revision are of no use, whatever their length.
  if (kept && JSON.stringify(kept.files) !== JSON.stringify(model.files)) await rm(target, { recursive: true });
  const progress = createProgress(model.name, bytesOf(model), out);
  let before = 0;
  for (const file of model.files) {
    if (brokenFile(folder, { ...model, files: [file] })) {
      const url = `${hub}/${model.repository}/resolve/${model.revision}/${file.path}`;
      await rm(note, { force: true });
      await download(
        { url, file: path.join(target, file.path), bytes: file.bytes, sha256: file.sha256 },
        { ...options, progress: (bytes) => progress.at(before + bytes) },
      );
    }
    before += file.bytes;
    progress.at(before);
  }
  progress.end();
  try {
    await writeFile(`${note}.part`, `${JSON.stringify(model, null, 2)}\n`);
    await rename(`${note}.part`, note);
  } catch (error) {
    throw sentenceOf(error, note);
  }
}

/** Reads every byte of every model that is there. */
async function check(folder: string, say: (line: string) => void): Promise<void> {
  const names = existsSync(folder) ? await readdir(folder) : [];
  const there = names.sort().flatMap((name) => readModel(folder, name) ?? []);
  if (there.length === 0) say(`There is no model in ${folder}.`);
  const wrong: string[] = [];
  for (const model of there) {
    for (const { path: name, sha256 } of model.files) {
      const file = path.join(folder, model.name, name);
      const hash = createHash('sha256');
      const isRight =
        existsSync(file) && (await pipeline(createReadStream(file), hash).then(() => hash.digest('hex') === sha256));
      if (!isRight) wrong.push(`${model.name}/${name}`);
    }
    say(`${model.name}: ${wrong.some((name) => name.startsWith(`${model.name}/`)) ? 'wrong' : 'right'}`);
  }
  if (wrong.length === 0) return;
  throw new DownloadError(
    `${wrong.join(', ')}: not what was downloaded. Remove ${wrong.length === 1 ? 'it' : 'them'} and run npm run models again.`,
  );
}

if (import.meta.main) runCommand(USAGE, (words) => models(words, process.env, process.stdout));
