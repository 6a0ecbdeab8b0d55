/** How events are signed: HMAC-SHA256 over id, time and body, as Standard Webhooks has it (standardwebhooks.com). */
import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** A new secret: `whsec_` and 32 random bytes in base64. */
export const newWebhookSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

/** What is signed. */
interface Message {
  id: string;
  /** Of the attempt, in whole seconds: receivers refuse old ones. */
  timestampS: number;
  body: string;
}

/** The headers of one attempt. Every secret signs it, so that a receiver may know either while one is replaced. */
export function signatureHeaders(
  { id, timestampS, body }: Message,
  secrets: readonly string[],
): Record<string, string> {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestampS}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestampS),
    'webhook-signature': signatures.join(' '),
  };
}
