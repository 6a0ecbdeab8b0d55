/**
 * The key that wraps the instance's own keys in the database: SECRETS_KEY, or the file SECRETS_KEY_FILE, or else a file
 * `secrets.key` of mode 600 in DATA_DIR, made at the first start. The database alone holds none of its keys.
 */
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Config, ConfigError } from '../kernel/config.ts';
import { deriveKey, MIN_KEY_CHARS } from '../kernel/sealing.ts';

type Where = Pick<Config, 'SECRETS_KEY' | 'SECRETS_KEY_FILE' | 'DATA_DIR'>;

const FINGERPRINT_CHARS = 16;

/** A random key of 256 bits, in base64url. */
export const newSecretsKey = (): string => randomBytes(32).toString('base64url');

/** Names a key in the database; it reveals nothing of the key. */
export const fingerprintOf = (secretsKey: string): string =>
  deriveKey(secretsKey, 'fingerprint').toString('hex').slice(0, FINGERPRINT_CHARS);

/** Path of the file that holds the key where the configuration has none. */
export const secretsKeyFile = (config: Where): string =>
  config.SECRETS_KEY_FILE ?? path.join(config.DATA_DIR, 'secrets.key');

/** Where the next key waits while a rotation is under way. */
const nextOf = (file: string): string => `${file}.next`;

/**
 * The keys that this machine has, the one in use first: there are two after a rotation that ended between writing the database
 * and the file. Empty when none was made yet. Throws ConfigError for a file that cannot be read or holds no key.
 */
export function knownSecretsKeys(config: Where): string[] {
  if (config.SECRETS_KEY) return [config.SECRETS_KEY];
  const file = secretsKeyFile(config);
  return [file, nextOf(file)].filter((one) => existsSync(one)).map(readKey);
}

/**
 * Makes the key file and returns its key; of processes that do so at once, one makes it and the others read it. Throws
 * ConfigError.
 */
export function makeSecretsKey(config: Where): string {
  const file = secretsKeyFile(config);
  // Written to another file and linked into place: no process reads half a key, and no key is overwritten.
  const draft = `${file}.${process.pid}-${randomBytes(4).toString('hex')}`;
  try {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(draft, `${newSecretsKey()}\n`, { mode: 0o600, flag: 'wx' });
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw new ConfigError(`SECRETS_KEY is not set and ${file} cannot be made: ${(error as Error).message}.`);
    }
  } finally {
    rmSync(draft, { force: true });
  }
  return readKey(file);
}

/** Keeps the next key beside the one in use, before anything is wrapped with it. */
export function keepNextSecretsKey(config: Where, secretsKey: string): void {
  const next = nextOf(secretsKeyFile(config));
  writeFileSync(next, `${secretsKey}\n`, { mode: 0o600 });
  chmodSync(next, 0o600);
}

/** Puts the next key in the place of the one in use. Does nothing where there is none. */
export function useNextSecretsKey(config: Where): void {
  const file = secretsKeyFile(config);
  if (existsSync(nextOf(file))) renameSync(nextOf(file), file);
}

function readKey(file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new ConfigError(`The key file ${file} cannot be read: ${(error as Error).message}.`);
  }
  if (text.length < MIN_KEY_CHARS) {
    throw new ConfigError(`The key file ${file} holds no key: it must have at least ${MIN_KEY_CHARS} characters.`);
  }
  return text;
}
