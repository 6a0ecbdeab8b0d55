/**
 * Opaque, sortable ids behind a short prefix (`avt_01jd...`), and the random texts that act as secrets. An id shows
 * nothing but the kind of the thing and roughly when it was made; nothing ever parses one.
 */
import { createHash } from 'node:crypto';
import { customAlphabet } from 'nanoid';

const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz';
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const TIME_CHARS = 10;
const RANDOM_CHARS = 16;

const randomTail = customAlphabet(CROCKFORD, RANDOM_CHARS);

/** A new id: prefix, then 10 characters of time and 16 of randomness (80 bits), in Crockford base 32. */
export function newId(prefix: string, nowMs: number = Date.now()): string {
  let time = nowMs;
  let head = '';
  for (let i = 0; i < TIME_CHARS; i += 1) {
    head = CROCKFORD[time % 32] + head;
    time = Math.floor(time / 32);
  }
  return `${prefix}_${head}${randomTail()}`;
}

/** A text that sorts after every id that was made before `nowMs` and before all others, to read or remove rows by age. */
export const idsFrom = (prefix: string, nowMs: number): string => newId(prefix, nowMs).slice(0, -RANDOM_CHARS);

const PROCESS_CHARS = 12;
let requests = 0;
const processName = newId('req').slice(0, -RANDOM_CHARS + PROCESS_CHARS);

/** Names a request in logs and answers: this process and a number. Not a secret, and free of the cost of randomness. */
export function newRequestId(): string {
  requests += 1;
  return `${processName}${requests.toString(32).padStart(4, '0')}`;
}

/** Random base-62 text without bias; 32 characters carry 190 bits. */
export const randomText: (length: number) => string = customAlphabet(BASE62);

/** SHA-256 as hex: the only form in which keys, codes and client secrets are stored. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

const CHECKSUM_CHARS = 6;

function checksum(body: string): string {
  let value = BigInt(`0x${sha256(body).slice(0, 12)}`);
  let text = '';
  for (let i = 0; i < CHECKSUM_CHARS; i += 1) {
    text += BASE62[Number(value % 62n)];
    value /= 62n;
  }
  return text;
}

/** Keys and access tokens, client secrets, client ids, refresh tokens. */
type TokenPrefix = 'svc_' | 'svcs_' | 'svcc_' | 'svcr_';

/** A new secret token: prefix, 32 random characters and a checksum that lets scanners and us reject typos early. */
export function newToken(prefix: TokenPrefix): string {
  const body = randomText(32);
  return `${prefix}${body}${checksum(body)}`;
}

/** True when a token is whole: the right prefix, length and checksum. Says nothing about whether it exists. */
export function isWholeToken(token: string, prefix: TokenPrefix): boolean {
  const body = token.slice(prefix.length, -CHECKSUM_CHARS);
  return token.startsWith(prefix) && body.length === 32 && token.endsWith(checksum(body));
}
