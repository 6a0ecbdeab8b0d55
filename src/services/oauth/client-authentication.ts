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
  scopes: Scope[];
  serviceAvatarId: string | null;
}

/** The client, held against its deletion until the transaction ends. */
export async function holdClient(tx: Tx, clientId: string): Promise<ClientRow> {
  const [client] = isWholeToken(clientId, 'svcc_')
    ? await tx.rows<ClientRow>(
        `select id, owner_user_id as "ownerUserId", name, secret_hash as "secretHash", scopes,
           service_avatar_id as "serviceAvatarId" from oauth_client where id = $1 for share`,
        [clientId],
      )
    : [];
  if (!client) throw refused('INVALID_CLIENT', 'The client is unknown or its secret is wrong.');
  return client;
}

/** Throws `invalid_client` for a wrong secret. */
export function checkSecret(client: ClientRow, secret: string): void {
  if (!provesSecret(secret, client.secretHash)) {
    throw refused('INVALID_CLIENT', 'The client is unknown or its secret is wrong.');
  }
}

/** An error of RFC 6749 5.2: `error` is its code, the sentence goes beside it. */
export const refused = (code: ErrorCode, sentence: string): PlatformError =>
  new PlatformError(code, undefined, { details: { error_description: sentence } });
