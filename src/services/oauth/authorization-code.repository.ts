/**
 * Authorization codes at their exchange: claimed under the row's lock, then checked. A failed check
 * keeps the claim, so that each code can be tried once.
 */
import { LockMode } from '@mikro-orm/core';
import { SqlEntityRepository } from '@mikro-orm/postgresql';
import { OAuthCodeEntity } from '../../../schema/entities/oauth.ts';
import { provesChallenge } from '../../auth/oauth-proofs.ts';
import { storedHashes } from '../../auth/oauth-resources.ts';
import type { Origin } from '../../auth/principal.ts';
import type { Tx } from '../../kernel/database.ts';
import { PlatformError } from '../../kernel/errors.ts';
import { repositoryOf } from '../../kernel/repository.ts';
import type { Platform } from '../platform/platform.port.ts';
import { oauthError } from './client-authentication.access.ts';
import { revokeTokens } from './oauth-grant.service.ts';

type Ports = Pick<Platform, 'clock' | 'notifier' | 'audit'>;

/** What an app presents with a code. */
export interface Presented {
  clientId: string;
  code: string;
  redirectUri: string;
  codeVerifier?: string | null;
  /** The resource of the token, where the exchange repeats it. */
  resource: string | null;
  /** The right secret was given; without it only the verifier proves which app asks. */
  isAuthenticated: boolean;
  /** Where the exchange came from. */
  origin: Origin | undefined;
  /** When the exchange arrived, before it waited for anything. */
  arrivedAt: number;
}

/** Most expired codes that are deleted at once. */
const FORGOTTEN = 100;

class AuthorizationCodeRepository extends SqlEntityRepository<OAuthCodeEntity> {
  /** Of two requests with one code, the second waits here and then finds none unclaimed. */
  async claim(code: string, nowMs: number): Promise<OAuthCodeEntity | null> {
    const unclaimed = { codeHash: { $in: storedHashes(code) }, claimedAt: null, expiresAt: { $gt: nowMs } };
    const claimed = await this.findOne(unclaimed, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (claimed) claimed.claimedAt = nowMs;
    return claimed;
  }

  /** Claimed, expired or not. */
  known(code: string): Promise<OAuthCodeEntity | null> {
    return this.findOne({ codeHash: { $in: storedHashes(code) } });
  }

  /** Deletes expired codes, skipping those that another request is deleting: two never wait for each other. */
  async forget(beforeMs: number): Promise<void> {
    const ended = await this.find(
      { expiresAt: { $lt: beforeMs } },
      { fields: ['codeHash'], limit: FORGOTTEN, lockMode: LockMode.PESSIMISTIC_PARTIAL_WRITE },
    );
    if (ended.length > 0) await this.nativeDelete({ codeHash: { $in: ended.map(({ codeHash }) => codeHash) } });
  }
}
/** Authorization codes of an entity manager. */
export const authorizationCodes = repositoryOf(OAuthCodeEntity, AuthorizationCodeRepository);

/** Claims and checks the code; or returns why not, which the caller throws after the commit, for the claim or a revocation stays. */
export async function claimCode(tx: Tx, ports: Ports, presented: Presented): Promise<OAuthCodeEntity | PlatformError> {
  const claimed = await authorizationCodes(tx.em).claim(presented.code, ports.clock.now());
  if (!claimed) return unusable(tx, ports, presented);
  const fault = CODE_CHECKS.find(({ isFault }) => isFault(claimed, presented));
  if (fault) return oauthError('INVALID_GRANT', fault.says);
  const isOther = presented.resource !== null && presented.resource !== (claimed.resource ?? null);
  return isOther ? oauthError('INVALID_TARGET', 'resource is not the one of the authorization request.') : claimed;
}

/**
 * Refuses a code that cannot be claimed. When its own app presents it again after it was redeemed, that is a replay, and its token
 * is revoked. A request that was sent before the code was redeemed is the same app repeating itself, and is only refused. So is a
 * caller that is not proved to be that app: otherwise a code found in a log could end a user's session.
 */
async function unusable(tx: Tx, ports: Ports, presented: Presented): Promise<PlatformError> {
  const known = await authorizationCodes(tx.em).known(presented.code);
  const isReplay = known !== null && presented.arrivedAt >= (known.redeemedAt ?? 0) && isOwnApp(known, presented);
  const app = { clientId: presented.clientId, origin: presented.origin };
  if (isReplay && known.token) await revokeTokens(tx, ports, app, { id: known.token.id });
  return oauthError('INVALID_GRANT', 'The code is unknown, expired or used.');
}

/** The app that the code was issued to, proved by its secret or, as a public client, by the verifier. */
function isOwnApp(code: OAuthCodeEntity, { clientId, isAuthenticated, codeVerifier }: Presented): boolean {
  if (code.client.id !== clientId) return false;
  return isAuthenticated || (code.codeChallenge != null && provesChallenge(codeVerifier ?? '', code.codeChallenge));
}

/** What must hold of a claimed code; the first that does not is reported, and the code stays used up. */
const CODE_CHECKS: readonly { says: string; isFault(code: OAuthCodeEntity, presented: Presented): boolean }[] = [
  { says: 'The code was issued to another client.', isFault: (code, { clientId }) => code.client.id !== clientId },
  {
    says: 'redirect_uri is not the one of the authorization request.',
    isFault: (code, { redirectUri }) => code.redirectUri !== redirectUri,
  },
  {
    says: 'code_verifier is required: the authorization request had a code_challenge.',
    isFault: (code, { codeVerifier }) => code.codeChallenge != null && !codeVerifier,
  },
  {
    says: 'The authorization request had no code_challenge.',
    isFault: (code, { codeVerifier }) => code.codeChallenge == null && Boolean(codeVerifier),
  },
  {
    says: 'code_verifier does not match the code_challenge.',
    isFault: (code, { codeVerifier }) =>
      code.codeChallenge != null && !provesChallenge(codeVerifier ?? '', code.codeChallenge),
  },
];
