/**
 * Proof that an e-mail and a password were put into a sign-in link by this very instance, which does so for its demo
 * account alone. Without it any link could fill a visitor's form with another user's account.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** `secret` is the instance's; the proof holds for these two texts only. */
export function demoProof(secret: Buffer, email: string, password: string): string {
  return createHmac('sha256', secret)
    .update(JSON.stringify(['demo sign-in', email, password]))
    .digest('base64url');
}

/** Whether `proof` was made by this instance for these details; compared in constant time. */
export function isDemoProof(secret: Buffer, email: string, password: string, proof: string): boolean {
  const expected = Buffer.from(demoProof(secret, email, password));
  const given = Buffer.from(proof);
  return expected.length === given.length && timingSafeEqual(expected, given);
}
