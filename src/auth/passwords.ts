/** Passwords as PHC strings of argon2id (`$argon2id$v=19$m=19456,t=2,p=1$salt$tag`), by @node-rs/argon2. */
import { isDeepStrictEqual } from 'node:util';
import { hash, parseOptions, verify } from '@node-rs/argon2';

/** What making or checking a hash takes: KiB of memory, passes over it, threads; and the bytes of the hash. */
export interface PasswordCost {
  memoryCost: number;
  timeCost: number;
  parallelism: number;
  outputLen: number;
}

/** OWASP's second choice: 19 MiB, two passes; about 25 ms on one of our cores. The library's default is argon2id. */
export const PASSWORD_COST: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 };

/** PHC string of a new password, with a random salt. */
export function hashPassword(password: string, cost: PasswordCost): Promise<string> {
  return hash(password, cost);
}

/** A hash of no password: verifying against it costs what a real one costs, so an unknown e-mail is not seen by the time it takes. */
const ABSENT = `$argon2id$v=19$m=${PASSWORD_COST.memoryCost},t=${PASSWORD_COST.timeCost},p=${PASSWORD_COST.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** What releases before 1.3 wrote: `argon2id$memory$passes$salt$tag`, in base64url. */
const EARLIER = /^argon2id\$(\d+)\$(\d+)\$([\w-]+)\$([\w-]+)$/;

/** The stored hash as a PHC string: one of an earlier release says the same in other letters. */
function phcOf(stored: string): string {
  const base64 = (text: string) => text.replaceAll('-', '+').replaceAll('_', '/');
  return stored.replace(
    EARLIER,
    (_, memory, passes, salt, tag) => `$argon2id$v=19$m=${memory},t=${passes},p=1$${base64(salt)}$${base64(tag)}`,
  );
}

/** True when the password belongs to the hash; false, after the same work, when there is no hash. */
export async function verifyPassword(password: string, stored: string | null | undefined): Promise<boolean> {
  const matches = await verify(phcOf(stored ?? ABSENT), password);
  return matches && Boolean(stored);
}

/** Whether a hash is not what `hashPassword` writes today, in its form or in its cost. */
export function isOutdated(stored: string, cost: PasswordCost): boolean {
  if (EARLIER.test(stored)) return true;
  const { memoryCost, timeCost, parallelism, outputLen } = parseOptions(stored);
  return !isDeepStrictEqual({ memoryCost, timeCost, parallelism, outputLen }, cost);
}
