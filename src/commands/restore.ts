/**
 * `npm run restore -- <file>`: puts an archive of `npm run backup` into a DATA_DIR that has no database and no media yet,
 * lets PostgreSQL make its copy whole, and says whether the ledger holds. It overwrites nothing, and an archive that is
 * not whole, or not for this program, leaves nothing behind.
 */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { fingerprintOf, knownSecretsKeys, secretsKeyFile } from '../auth/secrets-key.ts';
import { findData, prepareData, serverVersion } from '../embedded-postgres/base-backup.ts';
import { startPostgres } from '../embedded-postgres/server.ts';
import { type Config, ConfigError, readDataConfig } from '../kernel/config.ts';
import { VERSION } from '../kernel/version.ts';
import { auditLedger } from '../ledger/reads.ts';
import { type ArchiveEntry, readArchive } from './archive.ts';
import {
  COMPLETE,
  DATABASE,
  FORMAT,
  KEY_FILES,
  KEYS,
  latestMigration,
  MANIFEST,
  type Manifest,
  MEDIA,
  platformName,
} from './backup-format.ts';
import { readWords, runCommand } from './program.ts';

const FILE_MODE = { [MEDIA]: 0o640, [DATABASE]: 0o600, [KEYS]: 0o600 } as const;
const FOLDER_MODE = { [MEDIA]: 0o750, [DATABASE]: 0o700, [KEYS]: 0o700 } as const;

const USAGE = `npm run restore -- <file>
  Puts an archive of npm run backup into DATA_DIR, which must have no database and no media: nothing is overwritten.`;

type Out = { write(text: string): unknown };

/** Restores the archive that `args` name. Throws ConfigError, its sentence for an operator, where that cannot be done. */
export async function restore(args: string[], env: NodeJS.ProcessEnv, out: Out): Promise<void> {
  const { positionals } = readWords(args, {});
  const [file] = positionals;
  if (!file || positionals.length > 1) throw new ConfigError('Name the archive: npm run restore -- <file>.');
  if (!existsSync(file)) throw new ConfigError(`There is no file ${file}.`);
  const config = readDataConfig(env);
  if (config.DATABASE_URL)
    throw new ConfigError('DATABASE_URL is set: an archive is restored into the embedded database of DATA_DIR.');
  checkEmpty(config);
  const manifest = await unpack(config, file);
  out.write(`Restored what release ${manifest.release} had on ${manifest.createdAt} into ${config.DATA_DIR}.\n`);
  await check(config, manifest, (line) => out.write(`${line}\n`));
}

/** Throws ConfigError where a restored instance would lie over another one. */
function checkEmpty(config: Config): void {
  const media = path.join(config.DATA_DIR, 'media');
  const found =
    findData(path.join(config.DATA_DIR, 'postgres')) ??
    (existsSync(media) && readdirSync(media).length > 0 ? media : undefined);
  if (found)
    throw new ConfigError(`${found} is not empty, and nothing is overwritten: name an empty folder as DATA_DIR.`);
}

/** Unpacks beside, and puts all in place once the archive was read to its end. */
async function unpack(config: Config, file: string): Promise<Manifest> {
  mkdirSync(config.DATA_DIR, { recursive: true });
  const data = prepareData(path.join(config.DATA_DIR, 'postgres'));
  const mediaFolder = path.join(config.DATA_DIR, 'media-new');
  const keysFolder = path.join(config.DATA_DIR, 'keys-new');
  const drop = () => {
    data.drop();
    for (const folder of [mediaFolder, keysFolder]) rmSync(folder, { recursive: true, force: true });
  };
  const folders = { [MEDIA]: mediaFolder, [DATABASE]: data.folder, [KEYS]: keysFolder };
  let manifest: Manifest | undefined;
  let isComplete = false;
  try {
    rmSync(mediaFolder, { recursive: true, force: true });
    await readArchive(file, async (entry) => {
      if (!manifest) manifest = await readManifest(entry);
      else if (entry.name === COMPLETE) isComplete = true;
      else await putFile(entry, folders);
    }).catch((error: Error) => {
      if (error instanceof ConfigError) throw error;
      throw new ConfigError(`${file} cannot be read as an archive of npm run backup: ${error.message}.`);
    });
    if (!manifest || !isComplete) throw new ConfigError(`${file} ends too early: it is no whole backup.`);
    keepKeys(config, keysFolder);
    if (existsSync(mediaFolder)) {
      rmSync(path.join(config.DATA_DIR, 'media'), { recursive: true, force: true });
      renameSync(mediaFolder, path.join(config.DATA_DIR, 'media'));
    }
    data.keep();
    return manifest;
  } finally {
    drop();
  }
}

/** Throws ConfigError for what this program cannot restore. */
async function readManifest(entry: ArchiveEntry): Promise<Manifest> {
  if (entry.name !== MANIFEST) throw new ConfigError('The file is no archive of npm run backup.');
  const manifest = JSON.parse((await entry.bytes()).toString()) as Manifest;
  const { format, release, schema, platform } = manifest;
  const newest = latestMigration();
  if (format > FORMAT || schema > newest)
    throw new ConfigError(
      `The backup is newer than this program: release ${release} made it, with the schema ${schema}; this is ` +
        `${VERSION}, with ${newest}. Restore it with that release or a later one.`,
    );
  if (manifest.postgres !== serverVersion())
    throw new ConfigError(
      `The backup has data of PostgreSQL ${manifest.postgres}, and this program has ${serverVersion()}: restore it with ` +
        `release ${release}, and move on as docs/operations.md says.`,
    );
  if (platform !== platformName)
    throw new ConfigError(
      `The backup was made on ${platform}, and this is ${platformName}: PostgreSQL's files cannot be moved between them. ` +
        'Restore it on such a machine, and move on with pg_dump.',
    );
  return manifest;
}

/** Writes a file below its folder. Names that lead out of it are refused. */
async function putFile(entry: ArchiveEntry, folders: Record<keyof typeof FILE_MODE, string>): Promise<void> {
  const [kind, ...rest] = entry.name.split('/') as [keyof typeof FILE_MODE, ...string[]];
  const root = folders[kind];
  if (!root || rest.length === 0 || rest.some((part) => part === '' || part === '.' || part === '..'))
    throw new ConfigError(`The archive holds ${entry.name}, which no backup has.`);
  const target = path.join(root, ...rest);
  mkdirSync(entry.isFolder ? target : path.dirname(target), { recursive: true, mode: FOLDER_MODE[kind] });
  if (!entry.isFolder) await entry.save(target, FILE_MODE[kind]);
}

/** Files of keys go where the program looks for them; one that is there stays. */
function keepKeys(config: Config, keysFolder: string): void {
  const targets = [
    [KEY_FILES.secretsKey, secretsKeyFile(config)],
    [KEY_FILES.demo, path.join(config.DATA_DIR, KEY_FILES.demo)],
  ] as const;
  for (const [name, target] of targets) {
    const file = path.join(keysFolder, name);
    if (existsSync(file) && !existsSync(target)) renameSync(file, target);
  }
}

/** Starts the database once, which ends the copy as a crash would be, and says whether all is well. */
async function check(config: Config, manifest: Manifest, say: (line: string) => void): Promise<void> {
  const postgres = await startPostgres(path.join(config.DATA_DIR, 'postgres'));
  const client = new pg.Client({ connectionString: postgres.urlOf('avatars') });
  try {
    await client.connect();
    const lines = await auditLedger({ rows: async (sql, values) => (await client.query(sql, values)).rows });
    const broken = lines.filter(({ holds }) => !holds);
    for (const { invariant } of broken) say(`BROKEN  ${invariant}`);
    say(`The database starts; ${lines.length - broken.length} of ${lines.length} invariants of its ledger hold.`);
    if (broken.length > 0) process.exitCode = 1;
  } finally {
    await client.end().catch(() => {});
    await postgres.stop();
  }
  for (const line of await notesOn(config, manifest)) say(line);
}

/** What is left to do before the platform starts, in sentences. */
async function notesOn(config: Config, { media, schema, secretsKey }: Manifest): Promise<string[]> {
  const opens = knownSecretsKeys(config).some((key) => fingerprintOf(key) === secretsKey.fingerprint);
  return [
    ...(schema < latestMigration() ? [`Its schema is of an earlier release (${schema}): the start migrates it.`] : []),
    ...(media === 'bucket' ? ['Its media are in a bucket: set MEDIA_URL as it was.'] : []),
    opens || secretsKey.fingerprint === null
      ? 'The secrets key is there: npm start.'
      : `Before npm start, put the secrets key of that instance into ${secretsKeyFile(config)}, or set SECRETS_KEY.`,
  ];
}

if (import.meta.main) runCommand(USAGE, (words) => restore(words, process.env, process.stdout));
