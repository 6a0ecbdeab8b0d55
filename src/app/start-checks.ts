/**
 * What a start depends on, looked at before anything is started: each thing that is wrong is one sentence that names the
 * variable to mend.
 */
import { constants, existsSync } from 'node:fs';
import { access, mkdir, statfs } from 'node:fs/promises';
import path from 'node:path';
import { SECOND_MS } from '../kernel/clock.ts';
import { type Config, ConfigError } from '../kernel/config.ts';
import { isOutage } from '../kernel/outages.ts';
import { openStore } from '../storage/store.ts';

/** One segment of PostgreSQL's log, which it makes whole: with less it does not even start. */
const LEAST_FREE_BYTES = 16 * 1024 * 1024;
/** The embedded PostgreSQL with an empty platform in it is 70 MB. */
const FIRST_START_BYTES = 100 * 1024 * 1024;
const BUCKET_WAIT_MS = 5 * SECOND_MS;

/** PostgreSQL's codes for a database that is not there, and for a user or password that it refuses. */
const REFUSED = /^(?:3D000|28\w{3})$/;

/**
 * Makes DATA_DIR where it is used and looks whether it takes files. @throws ConfigError when it does not
 * @param freeOf bytes that are left where a folder is
 */
export async function checkDataDir(config: Config, freeOf: (folder: string) => Promise<number> = freeBytes) {
  if (config.DATABASE_URL && config.MEDIA_URL) return;
  const folder = config.DATA_DIR;
  let free: number;
  try {
    await makeFolder(folder);
    await access(folder, constants.W_OK | constants.X_OK);
    free = await freeOf(folder);
  } catch (error) {
    throw new ConfigError(`DATA_DIR cannot be used: ${(error as Error).message}.`);
  }
  if (free < LEAST_FREE_BYTES) throw new ConfigError(`DATA_DIR cannot be used: the disk of ${folder} is full.`);
  const isFirst = !config.DATABASE_URL && !existsSync(path.join(folder, 'postgres'));
  if (isFirst && free < FIRST_START_BYTES)
    throw new ConfigError(
      `DATA_DIR cannot be used: the disk of ${folder} is nearly full, and a first start takes 100 MB.`,
    );
}

/** As `mkdir` does it with `recursive`, which on a disk that may only be read says that there is no such folder. */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' || path.dirname(folder) === folder) throw error;
    await makeFolder(path.dirname(folder));
    await mkdir(folder);
  }
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/**
 * @throws ConfigError when the store says that there is no such bucket. One that is away may come back, and a key that may
 * write objects need not be allowed to ask for the bucket: both are left to readiness.
 */
export async function checkBucket({ MEDIA_URL, DATA_DIR }: Config): Promise<void> {
  if (!MEDIA_URL) return;
  try {
    await openStore(MEDIA_URL, DATA_DIR).missing(AbortSignal.timeout(BUCKET_WAIT_MS));
  } catch (error) {
    const { $metadata } = error as { $metadata?: { httpStatusCode?: number } };
    if ($metadata?.httpStatusCode !== 404) return;
    throw new ConfigError(`MEDIA_URL names the bucket ${new URL(MEDIA_URL).hostname}, which does not exist: make it.`);
  }
}

/** @throws ConfigError when a file of operations is missing or malformed */
export async function checkTrustedDocuments({ TRUSTED_DOCUMENTS: files }: Config): Promise<void> {
  if (files.length === 0) return;
  const { readTrustedDocuments } = await import('../../resolvers/trusted-documents.ts');
  readTrustedDocuments(files);
}

/** Why DATABASE_URL cannot be opened, naming the variable and the address; what has other causes stays as it is. */
export function databaseError(databaseUrl: string, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code !== undefined && REFUSED.test(code)) return new ConfigError(`DATABASE_URL cannot be opened: ${message}.`);
  if (!isOutage(error)) return error;
  const { host } = new URL(databaseUrl);
  // Of a name with several addresses, as localhost has, and of a time-out the library says no address.
  const why = /:\d+$/.test(message) ? message : `${host} does not answer${code ? ` (${code})` : ''}`;
  return new ConfigError(`DATABASE_URL cannot be opened: ${why}.`);
}
