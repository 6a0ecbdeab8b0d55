/**
 * Seals what must be read again (credentials of external systems, the instance's own keys) for storage: AES-256-GCM
 * under a key that the caller holds. It never logs, gives nothing away but through `openSecret`, and keeps no key.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const VERSION = 'v1';
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** Shortest key that others are derived from, in characters. */
export const MIN_KEY_CHARS = 32;

/** What a key is used for; keys derived for two purposes have nothing to do with each other. */
export type Purpose = 'brain credentials' | 'instance keys' | 'fingerprint';

/** Seals what must be read again, with the key of the instance; `context` binds the sealed text to its row. */
export interface Seal {
  seal(plain: string, context: string): string;
  open(sealed: string, context: string): string;
}

/** 32 bytes for one purpose from a master key: any high-entropy text. */
export const deriveKey = (masterKey: string, purpose: Purpose): Buffer =>
  Buffer.from(hkdfSync('sha256', masterKey, '', purpose, 32));

/**
 * Encrypts `plain`. `context` (say, the avatar's id) is bound in: a sealed text copied to another row does not open.
 * `masterKey` is any high-entropy text, at least 32 characters.
 */
export function sealSecret(
  masterKey: string,
  plain: string,
  context: string,
  purpose: Purpose = 'brain credentials',
): string {
  if (masterKey.length < MIN_KEY_CHARS) throw new Error('the key that seals credentials needs at least 32 characters');
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', deriveKey(masterKey, purpose), iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(context));
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return `${VERSION}.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')}`;
}

/** Opens what `sealSecret` made. Throws when the key, context or purpose is another, or a bit was changed. */
export function openSecret(
  masterKey: string,
  sealed: string,
  context: string,
  purpose: Purpose = 'brain credentials',
): string {
  const [version, encoded = ''] = sealed.split('.');
  const bytes = Buffer.from(encoded, 'base64url');
  if (version !== VERSION || bytes.length < IV_BYTES + TAG_BYTES) throw new Error('not a sealed secret');
  const iv = bytes.subarray(0, IV_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', deriveKey(masterKey, purpose), iv, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
}
