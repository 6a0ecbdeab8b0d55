/**
 * `npm run backup -- [file] [--with-keys]`: the embedded database of DATA_DIR and its media in one archive, whether the
 * platform runs or not. The keys that open what is sealed in the database are left out unless asked for.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { InstanceSecretEntity } from '../../schema/entities/platform.ts';
import { openSchema } from '../app/open-schema.ts';
import { secretsKeyFile } from '../auth/secrets-key.ts';
import { takeBaseBackup } from '../embedded-postgres/base-backup.ts';
import { type EmbeddedPostgres, startPostgres } from '../embedded-postgres/server.ts';
import { type Config, ConfigError, readDataConfig } from '../kernel/config.ts';
import { openDatabase } from '../kernel/database.ts';
import { VERSION } from '../kernel/version.ts';
import { type ArchiveWriter, writeArchive } from './archive.ts';
import {
  COMPLETE,
  DATABASE,
  FORMAT,
  KEY_FILES,
  KEYS,
  MANIFEST,
  type Manifest,
  MEDIA,
  platformName,
  showBytes,
} from './backup-format.ts';
import { readWords, runCommand, say } from './program.ts';

/** Files of media that are being written, of no use elsewhere. */
const TEMPORARY = '.tmp';

const USAGE = `npm run backup -- [file] [--with-keys]
  Writes the embedded database of DATA_DIR and its media into one archive; without a name, backups/avatars-<time>.tar.zst.
  --with-keys   with secrets.key and demo.json: who has the file has the whole instance`;

async function main(words: readonly string[]): Promise<void> {
  const { values, positionals } = readWords(words, { 'with-keys': { type: 'boolean' } });
  if (positionals.length > 1) throw new ConfigError('Name one file to write, or none.');
  const config = readDataConfig(process.env);
  if (config.DATABASE_URL)
    throw new ConfigError(
      'DATABASE_URL is set: back that database up with pg_dump, and the media as docs/operations.md says.',
    );
  const directory = path.join(config.DATA_DIR, 'postgres');
  if (!existsSync(directory)) throw new ConfigError(`There is no database in ${directory}: start the platform once.`);
  const target = path.resolve(positionals[0] ?? path.join('backups', `avatars-${stampOf(new Date())}.tar.zst`));
  for (const file of [target, `${target}.partial`])
    if (existsSync(file)) throw new ConfigError(`${file} is there already: name another file, or remove it.`);
  mkdirSync(path.dirname(target), { recursive: true });
  const postgres = await startPostgres(directory);
  try {
    await backUp(config, postgres, target, values['with-keys'] === true);
  } finally {
    if (!postgres.adopted) await postgres.stop();
  }
}

/** 20261122-145134, of UTC. */
const stampOf = (now: Date): string =>
  now
    .toISOString()
    .replace(/[-:]|\..*/g, '')
    .replace('T', '-');

async function backUp(config: Config, postgres: EmbeddedPostgres, target: string, withKeys: boolean): Promise<void> {
  const before = await describe(config, postgres, withKeys);
  let total = '';
  await writeArchive(target, async (archive) => {
    await archive.text(MANIFEST, JSON.stringify(before, null, 2));
    if (before.secretsKey.isIncluded) await archive.file(`${KEYS}/${KEY_FILES.secretsKey}`, secretsKeyFile(config));
    if (withKeys) await archive.file(`${KEYS}/${KEY_FILES.demo}`, path.join(config.DATA_DIR, KEY_FILES.demo));
    const media = new MediaCopy(archive, path.join(config.DATA_DIR, 'media'));
    // Once before the database, and what is new after it: every file that the copied rows name was there at one of both.
    if (before.media === 'included') await media.add();
    await takeBaseBackup(postgres.urlOf('avatars'), postgres.data, {
      folder: (name) => archive.folder(`${DATABASE}/${name}`),
      file: async (name, source) => void (await archive.file(`${DATABASE}/${name}`, source)),
      text: (name, content) => archive.text(`${DATABASE}/${name}`, content),
    });
    if (before.media === 'included') await media.add();
    const after = await describe(config, postgres, withKeys);
    if (after.schema !== before.schema) throw new Error('The database was migrated meanwhile: make the backup again.');
    const { files, bytes } = archive;
    await archive.text(COMPLETE, JSON.stringify({ files, bytes, media: media.count }));
    total = `${media.count} media files`;
  });
  say(`${target}: ${showBytes((await stat(target)).size)}, the database and ${total}, as of now.`);
  for (const line of notesOn(config, before)) say(line);
}

/** What the archive does not hold, in sentences. */
function notesOn(config: Config, { media, secretsKey }: Manifest): string[] {
  return [
    ...(media === 'bucket' ? ['The media in MEDIA_URL are not in it: keep copies of the bucket.'] : []),
    secretsKey.isIncluded
      ? 'The secrets key is in it: who has this file has the whole instance.'
      : `The secrets key is NOT in it, and a restored instance does not start without: keep ${
          config.SECRETS_KEY ? 'SECRETS_KEY' : secretsKeyFile(config)
        } in another place, or add --with-keys.`,
  ];
}

async function describe(config: Config, postgres: EmbeddedPostgres, withKeys: boolean): Promise<Manifest> {
  const db = await openDatabase(openSchema(postgres.urlOf('avatars'), 1));
  try {
    const applied = await db.orm.migrator.getExecuted();
    const secret = await db.em().findOne(InstanceSecretEntity, { wrappedBy: { $ne: null } });
    return {
      format: FORMAT,
      createdAt: new Date().toISOString(),
      release: VERSION,
      schema:
        applied
          .map(({ name }) => name)
          .sort()
          .at(-1) ?? '',
      postgres: (await readFile(path.join(postgres.data, 'PG_VERSION'), 'utf8')).trim(),
      platform: platformName,
      media: config.MEDIA_URL ? 'bucket' : 'included',
      secretsKey: {
        fingerprint: secret?.wrappedBy ?? null,
        isIncluded: withKeys && !config.SECRETS_KEY && existsSync(secretsKeyFile(config)),
      },
    };
  } finally {
    await db.close();
  }
}

/** Adds the files of a folder to an archive; called again, those that came or changed meanwhile. */
class MediaCopy {
  readonly #archive: ArchiveWriter;
  readonly #root: string;
  /** Size, time and inode of what was added, by name. */
  readonly #added = new Map<string, string>();

  constructor(archive: ArchiveWriter, root: string) {
    this.#archive = archive;
    this.#root = root;
  }

  /** Files, each counted once. */
  get count(): number {
    return this.#added.size;
  }

  async add(folder = ''): Promise<void> {
    const entries = await readdir(path.join(this.#root, folder), { withFileTypes: true }).catch(orNone);
    for (const entry of entries ?? []) {
      const name = folder ? `${folder}/${entry.name}` : entry.name;
      if (entry.isDirectory() && name !== TEMPORARY) await this.add(name);
      if (entry.isFile()) await this.#addFile(name);
    }
  }

  async #addFile(name: string): Promise<void> {
    const file = path.join(this.#root, name);
    const facts = await stat(file).catch(orNone);
    if (!facts) return;
    const state = [facts.size, facts.mtimeMs, facts.ino].join(' ');
    if (this.#added.get(name) === state) return;
    if (await this.#archive.file(`${MEDIA}/${name}`, file)) this.#added.set(name, state);
  }
}

function orNone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

runCommand(USAGE, main);
