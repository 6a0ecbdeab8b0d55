/** Who the app is at the token endpoint (RFC 6749 2.3, 5.2), and how that endpoint refuses. */
import type { OAuthClientEntity } from '../../../schema/entities/oauth.ts';
import { provesSecret } from '../../auth/oauth-proofs.ts';
import type { Tx } from '../../kernel/database.ts';
import { type ErrorCode, PlatformError } from '../../kernel/errors.ts';
import { isWholeToken } from '../../kernel/ids.ts';
import { oauthClients } from './oauth-client.repository.ts';

/** The client, held against its deletion until the transaction ends. */
export async function lockClient(tx: Tx, clientId: string): Promise<OAuthClientEntity> {
  const client = isWholeToken(clientId, 'svcc_') ? await oauthClients(tx.em).hold(clientId) : null;
  if (!client) throw oauthError('INVALID_CLIENT', 'The client is unknown or its secret is wrong.');
  return client;
}

/** Throws `invalid_client` for a wrong secret. The secret before the last rotation is accepted until its overlap ends. */
export function checkSecret(client: OAuthClientEntity, secret: string, nowMs: number): void {
  const { secretHash, previousSecretHash, previousSecretUntil } = client;
  const isPrevious = previousSecretHash != null && provesSecret(secret, previousSecretHash);
  if (!provesSecret(secret, secretHash) && !(isPrevious && nowMs < (previousSecretUntil ?? 0))) {
    throw oauthError('INVALID_CLIENT', 'The client is unknown or its secret is wrong.');
  }
}

/** Throws `invalid_client` for a wrong secret, and for none of an app that registered itself with one. */
export function checkAuthentication(client: OAuthClientEntity, secret: string | null | undefined, nowMs: number): void {
  if (secret) checkSecret(client, secret, nowMs);
  else if ((client.authMethod ?? 'none') !== 'none') {
    throw oauthError('INVALID_CLIENT', 'client_secret is required: the app registered with one.');
  }
}

/** An error of RFC 6749 5.2: `error` is its code, the sentence goes beside it. */
export const oauthError = (code: ErrorCode, sentence: string): PlatformError =>
  new PlatformError(code, undefined, { details: { error_description: sentence } });
