/**
 * What an archive of `npm run backup` holds: `manifest.json` first, then the folders `media/` and `database/` (PostgreSQL's
 * data), `keys/` where they were asked for, and `complete.json` last, without which it broke off.
 */
import { MIGRATIONS } from '../migrations/index.ts';

/** Version of the archive's format. */
export const FORMAT = 1;
/** Name of the archive's first entry. */
export const MANIFEST = 'manifest.json';
/** Name of the archive's last entry: without it the archive is cut off. */
export const COMPLETE = 'complete.json';
/** Folders of an archive. */
export const MEDIA = 'media';
/** Folder of the database's files in the archive. */
export const DATABASE = 'database';
/** Folder of the key files in the archive. */
export const KEYS = 'keys';
/** The files of DATA_DIR that hold secrets as they are: the key of the instance's keys, and the demo's password. */
export const KEY_FILES = { secretsKey: 'secrets.key', demo: 'demo.json' } as const;

/** What an archive says of itself. */
export interface Manifest {
  format: number;
  /** ISO 8601, when the backup began. */
  createdAt: string;
  /** Of the program that made it, e.g. `1.3.0`. */
  release: string;
  /** The last migration of the database. */
  schema: string;
  /** Major version of PostgreSQL, whose files no other version reads. */
  postgres: string;
  /** E.g. `linux-x64`: PostgreSQL's files are read by machines of the same kind alone. */
  platform: string;
  /** `bucket` where they lie in MEDIA_URL and not in the archive. */
  media: 'included' | 'bucket';
  /** Which SECRETS_KEY opens the instance's keys, and whether it is in the archive. */
  secretsKey: { fingerprint: string | null; isIncluded: boolean };
}

/** Last of the migrations that this code knows. */
export const latestMigration = (): string => MIGRATIONS.at(-1)?.name ?? '';

/** Operating system and processor, which a copy of PostgreSQL's files is bound to. */
export const platformName = `${process.platform}-${process.arch}`;

/** A readable size: 1.2 GB, 340 kB. */
export function showBytes(bytes: number): string {
  const [unit, size] = bytes >= 1e9 ? ['GB', 1e9] : bytes >= 1e6 ? ['MB', 1e6] : ['kB', 1e3];
  return `${(bytes / size).toFixed(bytes / size < 10 ? 1 : 0)} ${unit}`;
}
