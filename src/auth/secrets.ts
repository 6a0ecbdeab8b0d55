/**
 * Keys that an instance makes for itself and keeps in its database, wrapped with SECRETS_KEY: every process of it reads
 * the same. A key that was rotated is known to every process before the first one uses it, and verifies for a time after.
 */
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { InstanceSecretEntity } from '../../schema/entities/platform.ts';
import { MINUTE_MS, SECOND_MS } from '../kernel/clock.ts';
import { type Config, ConfigError } from '../kernel/config.ts';
import type { Database, Tx } from '../kernel/database.ts';
import { openSecret, sealSecret } from '../kernel/sealing.ts';
import { fingerprintOf, knownSecretsKeys, makeSecretsKey, useNextSecretsKey } from './secrets-key.ts';

type Name = InstanceSecretEntity['name'];
/**
 * Keys that can be replaced. With another encryption key what was sealed would be lost; with another pairwise key apps would know
 * no user any more.
 */
export const ROTATED = ['signing', 'media'] as const;
/** A kind of the instance's keys that can be rotated. */
export type RotatedName = (typeof ROTATED)[number];

const random = () => randomBytes(32).toString('base64');
const MAKERS: Record<Name, () => string> = {
  /** Signs media links. */
  media: random,
  /** Encrypts what must be read again: credentials of external memory systems. */
  encryption: random,
  /** Makes pairwise subjects of userinfo. */
  pairwise: random,
  /** Signs ID tokens: a PEM of an Ed25519 private key. */
  signing: () => String(generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' })),
};

/** Number of the advisory lock under which keys are made, wrapped and rotated. */
const LOCK = 4_020_262;
/** How often every process reads the keys again. */
const RELOAD_MS = 20 * SECOND_MS;
/** After this a new key is used: by then every process has read it. */
const ACTIVE_AFTER_MS = MINUTE_MS;

/** One generation of a key. */
export interface KeyVersion {
  /** For example signing:2; stands in the header of ID tokens. */
  id: string;
  value: string;
}

type Row = InstanceSecretEntity;

/** All of them, the newest of each name first. */
const readRows = (em: SqlEntityManager): Promise<Row[]> =>
  em.find(InstanceSecretEntity, {}, { orderBy: { name: 'asc', generation: 'desc' } });

type Ports = { db: Pick<Database, 'rows' | 'transaction' | 'em'>; clock: { now(): number }; config: Config };

/** The instance's keys, unwrapped in memory and read again regularly, so that every process learns of a rotation. */
export class InstanceSecrets {
  readonly #ports: Ports;
  #keys: Record<Name, readonly KeyVersion[]> = { media: [], encryption: [], pairwise: [], signing: [] };
  #timer: NodeJS.Timeout | undefined;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /** The active versions of a key: the first signs or seals, all verify. The same array until the versions change. */
  versions(name: Name): readonly KeyVersion[] {
    return this.#keys[name];
  }

  get encryption(): Buffer {
    return this.#newest('encryption');
  }

  get pairwise(): Buffer {
    return this.#newest('pairwise');
  }

  #newest(name: 'encryption' | 'pairwise'): Buffer {
    const [key] = this.#keys[name];
    if (!key) throw new Error(`There is no ${name} key.`);
    return Buffer.from(key.value, 'base64');
  }

  /**
   * Makes missing keys, wraps those that an older release left plain, and reads all. Throws ConfigError where SECRETS_KEY is not
   * the one that wrapped them.
   */
  async open(): Promise<void> {
    const { db } = this.#ports;
    const wrapped = await db.transaction(async (tx) => {
      const rows = await lockedRows(tx);
      const secretsKey = this.#secretsKey(rows);
      addMissing(tx, rows, secretsKey, this.#ports.clock.now());
      return wrapPlain(rows, secretsKey);
    });
    // The earlier plain text stays in the table's file until it is vacuumed, which not every database lets us do.
    if (wrapped > 0) await db.rows('vacuum full instance_secret').catch(() => {});
    await this.reload();
  }

  /** Reads the keys again at intervals; a failure is passed to `onError`, and they are read again later. */
  watch(onError: (error: unknown) => void): void {
    this.#timer = setInterval(() => void this.reload().catch(onError), RELOAD_MS).unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async reload(): Promise<void> {
    const rows = await readRows(this.#ports.db.em());
    const secretsKey = this.#secretsKey(rows);
    const nowMs = this.#ports.clock.now();
    for (const name of Object.keys(MAKERS) as Name[]) {
      const found = counting(
        rows.filter((row) => row.name === name),
        nowMs,
      ); // newest active one first
      const versions = found.map((row) => ({ id: idOf(row), value: unwrap(row, secretsKey) }));
      const known = this.#keys[name];
      if (JSON.stringify(versions) !== JSON.stringify(known)) this.#keys[name] = versions;
    }
  }

  /** The key that these rows are wrapped with; made where they are not wrapped at all. */
  #secretsKey(rows: readonly Row[]): string {
    const { config } = this.#ports;
    const wrappedBy = rows.find((row) => row.wrappedBy != null)?.wrappedBy;
    const known = knownSecretsKeys(config);
    const right = wrappedBy ? known.find((key) => fingerprintOf(key) === wrappedBy) : known[0];
    if (right) {
      if (right !== known[0]) useNextSecretsKey(config);
      return right;
    }
    if (!wrappedBy) return makeSecretsKey(config);
    throw new ConfigError(known.length > 0 ? wrongKey(config) : NO_KEY);
  }
}

const NO_KEY =
  'The keys in this database are wrapped: set SECRETS_KEY to what the machine that started first has in its ' +
  'SECRETS_KEY or in secrets.key of its DATA_DIR.';
const wrongKey = ({ SECRETS_KEY }: Config): string =>
  `The keys in this database are wrapped with another SECRETS_KEY than ${SECRETS_KEY ? 'this one' : 'the one in DATA_DIR'}: ` +
  'set SECRETS_KEY to the one that it was first started with.';

const idOf = ({ name, generation }: Pick<Row, 'name' | 'generation'>): string => `${name}:${generation}`;
const unwrap = (row: Row, secretsKey: string): string =>
  row.wrappedBy == null ? row.value : openSecret(secretsKey, row.value, idOf(row), 'instance keys');
const wrap = (row: Pick<Row, 'name' | 'generation'>, plain: string, secretsKey: string) => ({
  value: sealSecret(secretsKey, plain, idOf(row), 'instance keys'),
  wrappedBy: fingerprintOf(secretsKey),
});

/** The newest active row, then the others that still verify: older ones, and the one that is about to be active. */
function counting(rows: readonly Row[], nowMs: number): Row[] {
  const standing = rows.filter(({ verifyUntil }) => verifyUntil == null || verifyUntil > nowMs);
  const current = standing.find(({ activeAt }) => (activeAt ?? 0) <= nowMs) ?? standing.at(-1);
  return current ? [current, ...standing.filter((row) => row !== current)] : [];
}

async function lockedRows(tx: Tx): Promise<Row[]> {
  // An advisory lock, which the ORM has no call for: there may be no row to lock yet.
  await tx.rows('select pg_advisory_xact_lock($1)', [LOCK]);
  return readRows(tx.em);
}

type NewRow = Pick<Row, 'name' | 'generation' | 'createdAt'> & { activeAt: number };

function add(tx: Tx, row: NewRow, secretsKey: string): void {
  tx.em.create(InstanceSecretEntity, { ...row, ...wrap(row, MAKERS[row.name](), secretsKey) });
}

function addMissing(tx: Tx, rows: readonly Row[], secretsKey: string, nowMs: number): void {
  for (const name of Object.keys(MAKERS) as Name[]) {
    if (rows.some((row) => row.name === name)) continue;
    add(tx, { name, generation: 1, activeAt: 0, createdAt: nowMs }, secretsKey);
  }
}

function wrapPlain(rows: readonly Row[], secretsKey: string): number {
  const plain = rows.filter(({ wrappedBy }) => wrappedBy == null);
  for (const row of plain) Object.assign(row, wrap(row, row.value, secretsKey));
  return plain.length;
}

/** Which key is replaced, and how. */
export interface Rotation {
  name: RotatedName;
  /** How long the key before verifies from then on; null: for good. */
  overlapMs: number | null;
  /** Used at once, and all keys before are removed: for one that has leaked. */
  isCompromised: boolean;
  nowMs: number;
}

/** Adds a key that is used a minute from now, when every process has read it. Returns its id, e.g. signing:2. */
export async function rotateKey(tx: Tx, config: Config, rotation: Rotation): Promise<string> {
  const { name, overlapMs, isCompromised, nowMs } = rotation;
  const rows = await lockedRows(tx);
  const before = rows.filter((row) => row.name === name);
  const [newest] = before;
  if (!newest) throw new Error(`There is no ${name} key yet: start the platform once.`);
  const secretsKey = keyOf(rows, config);
  const activeAt = isCompromised ? nowMs : nowMs + ACTIVE_AFTER_MS;
  if (isCompromised) for (const row of before) tx.em.remove(row);
  else if (overlapMs !== null) for (const row of before) row.verifyUntil ??= activeAt + overlapMs;
  const row = { name, generation: newest.generation + 1, activeAt, createdAt: nowMs };
  add(tx, row, secretsKey);
  return idOf(row);
}

/** When the newest key of each name was made, for rotation by age. */
export async function keyAges(db: Pick<Database, 'em'>): Promise<Record<string, number>> {
  const rows = await readRows(db.em());
  return Object.fromEntries(rows.toReversed().map(({ name, createdAt }) => [name, createdAt]));
}

/** Wraps every key with another SECRETS_KEY. */
export async function rewrapKeys(tx: Tx, config: Config, next: string): Promise<void> {
  const rows = await lockedRows(tx);
  const secretsKey = keyOf(rows, config);
  for (const row of rows) Object.assign(row, wrap(row, unwrap(row, secretsKey), next));
}

function keyOf(rows: readonly Row[], config: Config): string {
  const wrappedBy = rows.find((row) => row.wrappedBy != null)?.wrappedBy;
  const key = knownSecretsKeys(config).find((one) => fingerprintOf(one) === wrappedBy);
  if (!key) throw new ConfigError('SECRETS_KEY is not the one that the keys in this database are wrapped with.');
  return key;
}
