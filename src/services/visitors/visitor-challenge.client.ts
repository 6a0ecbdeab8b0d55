/**
 * The operator's own check of new anonymous visitors (VISITOR_CHALLENGE_URL): a captcha's verdict, a list of addresses,
 * whatever they run. It is asked once for each new visitor, never for one who comes back.
 */
import { PlatformError } from '../../kernel/errors.ts';
import type { Platform } from '../platform/platform.port.ts';

/** Who begins a visit without an account. */
export interface Challenged {
  /** Network address of the visitor. */
  address: string;
  /** Last part of the address of the avatar's page. */
  slug: string;
  /** What the page was handed to be passed on, e.g. a captcha's token; null without. */
  answer: string | null;
}

/** Throws FORBIDDEN when the check says no, UNAVAILABLE when it has no answer; nothing is asked where none is set up. */
export async function checkNewVisitor(
  { config, remote }: Pick<Platform, 'config' | 'remote'>,
  challenged: Challenged,
): Promise<void> {
  const { VISITOR_CHALLENGE_URL: url, VISITOR_CHALLENGE_SECRET: secret } = config;
  if (!url) return;
  let status: number;
  try {
    const answer = await remote.fetch('challenge')(url, {
      method: 'POST',
      redirect: 'error',
      headers: { 'content-type': 'application/json', ...(secret ? { authorization: `Bearer ${secret}` } : {}) },
      body: JSON.stringify(challenged),
    });
    status = answer.status;
  } catch (cause) {
    throw new PlatformError('UNAVAILABLE', 'New visitors cannot be let in just now. Please try again soon.', { cause });
  }
  if (status >= 200 && status < 300) return;
  if (status < 500) throw new PlatformError('FORBIDDEN', 'You could not be let in: the check of visitors says no.');
  throw new PlatformError('UNAVAILABLE', 'New visitors cannot be let in just now. Please try again soon.');
}
