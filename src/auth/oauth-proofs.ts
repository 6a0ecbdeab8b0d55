/**
 * The proofs of the sign-in flow: client secrets, PKCE S256 (RFC 7636), and the pairwise subject of userinfo. Pure
 * functions; `plain` challenges do not exist here.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { sha256 } from '../kernel/ids.ts';

/** A SHA-256 in base64url: the only form of a code challenge. */
export const CODE_CHALLENGE = /^[A-Za-z0-9_-]{43}$/;
const CODE_VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;
const SUBJECT_CHARS = 32;

/** True when the verifier is the one behind the challenge. */
export function provesChallenge(verifier: string, challenge: string): boolean {
  if (!CODE_VERIFIER.test(verifier)) return false;
  return isEqual(createHash('sha256').update(verifier).digest('base64url'), challenge);
}

/** True when the secret is the one whose hash is stored. */
export const provesSecret = (secret: string, secretHash: string): boolean => isEqual(sha256(secret), secretHash);

/** The pseudonym of a user at an app as an avatar: stable, and unlike that of any other app or avatar. */
export function pairwiseSubject(key: Buffer, who: { userId: string; clientId: string; avatarId: string }): string {
  const text = JSON.stringify([who.userId, who.clientId, who.avatarId]);
  return `ava_${createHmac('sha256', key).update(text).digest('base64url').slice(0, SUBJECT_CHARS)}`;
}

function isEqual(given: string, stored: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(stored)];
  return a.length === b.length && timingSafeEqual(a, b);
}
