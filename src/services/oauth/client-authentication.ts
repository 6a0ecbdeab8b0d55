/** Who the app is at the token endpoint (RFC 6749 2.3, 5.2), and how that endpoint refuses. */
import { provesSecret } from '../../auth/oauth-proofs.ts';
import type { Scope } from '../../auth/principal.ts';
import type { Tx } from '../../kernel/database.ts';
import { type ErrorCode, PlatformError } from '../../kernel/errors.ts';
import { isWholeToken } from '../../kernel/ids.ts';

export interface ClientRow extends Record<string, unknown> {
  id: string;
  ownerUserId: string;
  name: string;
  secretHash: string;
  /** The secret before the last rotation, and until when it verifies. */
  previousSecretHash: string | null;
  previousValidUntil: number | null;
  scopes: Scope[];
  serviceAvatarId: string | null;
}

/** The client, held against its deletion until the transaction ends. */
export async function holdClient(tx: Tx, clientId: string): Promise<ClientRow> {
  const [client] = isWholeToken(clientId, 'svcc_')
    ? await tx.rows<ClientRow>(
        `select id, owner_user_id as "ownerUserId", name, secret_hash as "secretHash", scopes,
           previous_secret_hash as "previousSecretHash", previous_secret_until::float8 as "previousValidUntil",
           service_avatar_id as "serviceAvatarId" from oauth_client where id = $1 for share`,
        [clientId],
      )
    : [];
  if (!client) throw refused('INVALID_CLIENT', 'The client is unknown or its secret is wrong.');
  return client;
}

/** Throws `invalid_client` for a wrong secret. The one before the last rotation is right until its time is over. */
export function checkSecret(client: ClientRow, secret: string, nowMs: number): void {
  const { secretHash, previousSecretHash, previousValidUntil } = client;
  const isPrevious = previousSecretHash !== null && provesSecret(secret, previousSecretHash);
  if (!provesSecret(secret, secretHash) && !(isPrevious && nowMs < (previousValidUntil ?? 0))) {
    throw refused('INVALID_CLIENT', 'The client is unknown or its secret is wrong.');
  }
}

/** An error of RFC 6749 5.2: `error` is its code, the sentence goes beside it. */
export const refused = (code: ErrorCode, sentence: string): PlatformError =>
  new PlatformError(code, undefined, { details: { error_description: sentence } });
