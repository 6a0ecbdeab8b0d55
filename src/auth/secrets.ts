/** Secrets an instance makes for itself once and keeps in its database: every process of it reads the same. */
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import type { Database } from '../kernel/database.ts';

export interface InstanceSecrets {
  /** Signs media links. */
  media: Buffer;
  /** Encrypts what must be read again: credentials of external memory systems. */
  encryption: Buffer;
  /** Makes pairwise subjects of userinfo. */
  pairwise: Buffer;
  /** Signs ID tokens: a PEM of an Ed25519 private key. */
  signing: string;
}

const MAKERS: Record<keyof InstanceSecrets, () => string> = {
  media: () => randomBytes(32).toString('base64'),
  encryption: () => randomBytes(32).toString('base64'),
  pairwise: () => randomBytes(32).toString('base64'),
  signing: () => String(generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' })),
};

/** Reads the secrets, making those that are missing; two starting processes end with the same ones. */
export async function loadSecrets(db: Pick<Database, 'rows'>, nowMs: number): Promise<InstanceSecrets> {
  for (const [name, make] of Object.entries(MAKERS)) {
    await db.rows('insert into instance_secret (name, value, created_at) values ($1, $2, $3) on conflict do nothing', [
      name,
      make(),
      nowMs,
    ]);
  }
  const rows = await db.rows<{ name: string; value: string }>('select name, value from instance_secret');
  const value = (name: string) => rows.find((row) => row.name === name)!.value;
  return {
    media: Buffer.from(value('media'), 'base64'),
    encryption: Buffer.from(value('encryption'), 'base64'),
    pairwise: Buffer.from(value('pairwise'), 'base64'),
    signing: value('signing'),
  };
}
