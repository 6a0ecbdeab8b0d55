/** Passwords: argon2id with a random salt, in a text that carries its parameters. */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(argon2);
/** OWASP's second choice: 19 MiB, two passes; about 25 ms on one of our cores. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 };
const TAG_BYTES = 32;

/** Hash of a new password. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16);
  const tag = await derive('argon2id', { message: password, nonce, tagLength: TAG_BYTES, ...COST });
  return `argon2id$${COST.memory}$${COST.passes}$${nonce.toString('base64url')}$${tag.toString('base64url')}`;
}

/** A hash of no password: verifying against it costs what a real one costs, so an unknown e-mail is not told by time. */
const ABSENT = `argon2id$${COST.memory}$${COST.passes}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** True when the password belongs to the hash; false, after the same work, when there is no hash. */
export async function verifyPassword(password: string, hash: string | null | undefined): Promise<boolean> {
  const [, memory, passes, nonce, tag] = (hash ?? ABSENT).split('$') as [string, string, string, string, string];
  const expected = Buffer.from(tag, 'base64url');
  const actual = await derive('argon2id', {
    message: password,
    nonce: Buffer.from(nonce, 'base64url'),
    tagLength: expected.length,
    memory: Number(memory),
    passes: Number(passes),
    parallelism: COST.parallelism,
  });
  return timingSafeEqual(actual, expected) && Boolean(hash);
}
