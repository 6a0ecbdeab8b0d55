/**
 * `npm run rotate-keys -- signing media [--compromised]` replaces the keys that sign ID tokens and media links, while
 * the ones before still verify; with `--compromised` those are void at once. `npm run rotate-keys -- secrets-key` wraps
 * all keys in the database anew: with a new key file, or with SECRETS_KEY_NEW where SECRETS_KEY is set.
 */
import { pino } from 'pino';
import { openSchema } from '../app/open-schema.ts';
import { AuditLog } from '../auth/audit-log.ts';
import { ROTATED, type RotatedName, rewrapKeys } from '../auth/secrets.ts';
import { fingerprintOf, keepNextSecretsKey, newSecretsKey, useNextSecretsKey } from '../auth/secrets-key.ts';
import { systemClock } from '../kernel/clock.ts';
import { type Config, ConfigError, readConfig, readDataConfig } from '../kernel/config.ts';
import { type Database, openDatabase } from '../kernel/database.ts';
import { KeyRotation } from '../services/maintenance/key-rotation.service.ts';
import { withDatabase } from './database.ts';
import { runCommand, say } from './program.ts';

const USAGE = `npm run rotate-keys -- signing media [--compromised]
  Replaces the keys that sign ID tokens and media links, both or one of them; those before still verify.
  --compromised   what was signed before is void at once
npm run rotate-keys -- secrets-key
  Wraps all keys in the database anew: with a new key file, or with SECRETS_KEY_NEW where SECRETS_KEY is set.`;

/** The variables of the program. */
type Env = Record<string, string | undefined>;

/**
 * Replaces what `asked` names, as the words of the command line.
 * @param say takes each sentence of what was done
 * @throws ConfigError whose message is for the user of the command
 */
export async function rotateKeys(asked: readonly string[], env: Env, say: (text: string) => void): Promise<void> {
  const unknown = asked.find((word) => ![...ROTATED, 'secrets-key', '--compromised'].includes(word));
  if (unknown) throw new ConfigError(`Name signing, media or secrets-key, and --compromised; not "${unknown}".`);
  // Who runs the command to see what it does has replaced nothing.
  if (!asked.some((word) => word !== '--compromised'))
    throw new ConfigError(
      'Name what to replace: signing, media or secrets-key (npm run rotate-keys -- signing media).',
    );
  // Of a new wrapping the keys that were asked for beside it would know nothing.
  if (asked.includes('secrets-key') && asked.length > 1)
    throw new ConfigError('secrets-key stands alone: replace the others before it, or after it.');
  const config = readDataConfig(env, ['KEY_OVERLAP_DAYS']);
  await withDatabase(config, async (url) => {
    const db = await openDatabase(openSchema(url, 2));
    await work(db, { config, asked, say, next: env.SECRETS_KEY_NEW }).finally(() => db.close());
  });
}

interface Task {
  config: Config;
  asked: readonly string[];
  say(text: string): void;
  /** SECRETS_KEY_NEW. */
  next: string | undefined;
}

async function work(db: Database, task: Task): Promise<void> {
  const { config, asked, say } = task;
  const audit = new AuditLog({ db, clock: systemClock });
  if (asked.includes('secrets-key')) return rewrap(db, task, audit);
  const log = pino({ level: 'silent' });
  const rotation = new KeyRotation({ db, clock: systemClock, config, audit, log });
  for (const name of ROTATED.filter((one) => asked.includes(one)))
    say(await rotate(rotation, name, asked.includes('--compromised')));
}

async function rotate(rotation: KeyRotation, name: RotatedName, isCompromised: boolean): Promise<string> {
  const id = await rotation.rotate(name, isCompromised);
  const from = isCompromised
    ? 'at once; what the ones before signed is void'
    : 'in a minute; the one before still verifies';
  return `${id} is used ${from}.`;
}

/** The new key is kept before the database needs it: whatever breaks off in between, one of the two files opens it. */
async function rewrap(db: Database, { config, say, next: given }: Task, audit: AuditLog): Promise<void> {
  const next = config.SECRETS_KEY ? readConfig({ SECRETS_KEY: given }).SECRETS_KEY : newSecretsKey();
  if (!next) throw new ConfigError('SECRETS_KEY is set: set SECRETS_KEY_NEW to the key that shall replace it.');
  if (!config.SECRETS_KEY) keepNextSecretsKey(config, next);
  await db.transaction(async (tx) => {
    await rewrapKeys(tx, config, next);
    audit.record(tx, {}, 'instance_keys_rotated', { userId: null, subject: `secrets-key:${fingerprintOf(next)}` });
  });
  if (!config.SECRETS_KEY) useNextSecretsKey(config);
  await db.rows('vacuum full instance_secret').catch(() => {});
  say(
    config.SECRETS_KEY
      ? 'All keys are wrapped with SECRETS_KEY_NEW: start every process again with it as SECRETS_KEY.'
      : 'All keys are wrapped with a new key file.',
  );
}

if (import.meta.main) runCommand(USAGE, (words) => rotateKeys(words, process.env, say));
