/**
 * Authorization codes at their exchange: claimed by one atomic update, then checked. A failed check
 * keeps the claim, so that each code can be tried once.
 */
import { sql } from 'kysely';
import { prepared } from '../../../schema/entities/tables.ts';
import { provesChallenge } from '../../auth/oauth-proofs.ts';
import { storedHashes } from '../../auth/oauth-resources.ts';
import type { Origin } from '../../auth/principal.ts';
import type { Tx } from '../../kernel/database.ts';
import { PlatformError } from '../../kernel/errors.ts';
import type { Platform } from '../platform/platform.port.ts';
import { oauthError } from './client-authentication.access.ts';
import { revokeTokens } from './oauth-grant.service.ts';

type Ports = Pick<Platform, 'clock' | 'notifier' | 'audit'>;

/** What comes with a code. */
export interface Presented {
  clientId: string;
  code: string;
  redirectUri: string;
  codeVerifier?: string | null;
  /** What the token shall be for, where the exchange says it again. */
  resource: string | null;
  /** The secret was given and is right; without it the verifier alone proves who asks. */
  isAuthenticated: boolean;
  /** Where the exchange came from. */
  origin: Origin | undefined;
  /** When the exchange arrived, before it waited for anything. */
  arrivedAt: number;
}

/** What an authorization code was given for. */
export interface CodeRow {
  clientId: string;
  userId: string;
  avatarId: string;
  redirectUri: string;
  scopes: string[];
  codeChallenge: string | null;
  /** What the token is for; null: the whole API. */
  resource: string | null;
}

const COLUMNS = [
  'client_id as clientId',
  'user_id as userId',
  'avatar_id as avatarId',
  'redirect_uri as redirectUri',
  'scopes',
  'code_challenge as codeChallenge',
  'resource',
] as const;

/** Of two that bring one code, one meets it unclaimed. */
const claim = prepared((tables, given: { hashes: string[]; nowMs: number }) =>
  tables
    .updateTable('oauth_code')
    .set({ claimed_at: given.nowMs })
    .where('code_hash', '=', sql<string>`any(${given.hashes}::text[])`)
    .where('claimed_at', 'is', null)
    .where('expires_at', '>', given.nowMs)
    .returning(COLUMNS),
);

const settle = prepared((tables, given: { hashes: string[]; tokenId: string; nowMs: number }) =>
  tables
    .updateTable('oauth_code')
    .set({ token_id: given.tokenId, redeemed_at: given.nowMs })
    .where('code_hash', '=', sql<string>`any(${given.hashes}::text[])`),
);

const find = prepared((tables, given: { hashes: string[] }) =>
  tables
    .selectFrom('oauth_code')
    .select([...COLUMNS, 'token_id as tokenId', 'redeemed_at as redeemedAt'])
    .where('code_hash', '=', sql<string>`any(${given.hashes}::text[])`),
);

/** Codes that are forgotten at once, at most. */
const SWEPT = 100;

/** Deletes codes that ended before; those that another approval is deleting are left to it: two never wait. */
export const forgetCodes = prepared((tables, given: { before: number }) =>
  tables
    .deleteFrom('oauth_code')
    .where('code_hash', 'in', (codes) =>
      codes
        .selectFrom('oauth_code')
        .select('code_hash')
        .where('expires_at', '<', given.before)
        .limit(SWEPT)
        .forUpdate()
        .skipLocked(),
    ),
);

/** The code, claimed and right; or why not, which the caller throws once what was claimed or revoked is committed. */
export async function claimCode(tx: Tx, ports: Ports, presented: Presented): Promise<CodeRow | PlatformError> {
  const [claimed] = await claim(tx, { hashes: storedHashes(presented.code), nowMs: ports.clock.now() });
  if (!claimed) return unusable(tx, ports, presented);
  const fault = CODE_CHECKS.find(({ isFault }) => isFault(claimed, presented));
  if (fault) return oauthError('INVALID_GRANT', fault.says);
  const isOther = presented.resource !== null && presented.resource !== claimed.resource;
  return isOther ? oauthError('INVALID_TARGET', 'resource is not the one of the authorization request.') : claimed;
}

/** Remembers what a code gave, so that its replay takes that back. */
export async function settleCode(tx: Tx, ports: Ports, code: string, tokenId: string): Promise<void> {
  await settle(tx, { hashes: storedHashes(code), tokenId, nowMs: ports.clock.now() });
}

/**
 * A code that cannot be claimed. One that its own app brings again after it was redeemed is a replay: its token is
 * revoked. One that was already under way while the first was being redeemed is the same app in a hurry, and only
 * refused; so is a caller that is not proved to be that app, else a code read in a log would end another user's session.
 */
async function unusable(tx: Tx, ports: Ports, presented: Presented): Promise<PlatformError> {
  const [known] = await find(tx, { hashes: storedHashes(presented.code) });
  const isReplay = known?.tokenId && presented.arrivedAt >= known.redeemedAt! && isOwnApp(known, presented);
  const app = { clientId: presented.clientId, origin: presented.origin };
  if (isReplay) await revokeTokens(tx, ports, app, { id: known.tokenId! });
  return oauthError('INVALID_GRANT', 'The code is unknown, expired or used.');
}

/** The app that the code was issued to, proved by its secret or, as a public client, by the verifier. */
function isOwnApp(code: CodeRow, { clientId, isAuthenticated, codeVerifier }: Presented): boolean {
  if (code.clientId !== clientId) return false;
  return isAuthenticated || (code.codeChallenge !== null && provesChallenge(codeVerifier ?? '', code.codeChallenge));
}

/** What must hold of a claimed code; the first that does not is reported, and the code stays used up. */
const CODE_CHECKS: readonly { says: string; isFault(code: CodeRow, presented: Presented): boolean }[] = [
  { says: 'The code was issued to another client.', isFault: (code, { clientId }) => code.clientId !== clientId },
  {
    says: 'redirect_uri is not the one of the authorization request.',
    isFault: (code, { redirectUri }) => code.redirectUri !== redirectUri,
  },
  {
    says: 'code_verifier is required: the authorization request had a code_challenge.',
    isFault: (code, { codeVerifier }) => code.codeChallenge !== null && !codeVerifier,
  },
  {
    says: 'The authorization request had no code_challenge.',
    isFault: (code, { codeVerifier }) => code.codeChallenge === null && Boolean(codeVerifier),
  },
  {
    says: 'code_verifier does not match the code_challenge.',
    isFault: (code, { codeVerifier }) =>
      code.codeChallenge !== null && !provesChallenge(codeVerifier ?? '', code.codeChallenge),
  },
];
