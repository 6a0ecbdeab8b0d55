/**
 * Refresh tokens (RFC 6749 6, RFC 9700 4.14.2): each is used once, for a new access token and the next refresh token. They belong to
 * the grant, which is the row of its access token, so that whatever ends the grant ends them. A refresh token that is used again was
 * copied, which ends the grant.
 */
import { type Loaded, LockMode } from '@mikro-orm/core';
import { SqlEntityRepository } from '@mikro-orm/postgresql';
import { OAuthRefreshEntity } from '../../../schema/entities/oauth.ts';
import type { ApiKeyEntity } from '../../../schema/entities/users.ts';
import type { Origin } from '../../auth/principal.ts';
import { DAY_MS } from '../../kernel/clock.ts';
import type { Tx } from '../../kernel/database.ts';
import { PlatformError } from '../../kernel/errors.ts';
import { newToken, sha256 } from '../../kernel/ids.ts';
import { repositoryOf } from '../../kernel/repository.ts';
import type { Platform } from '../platform/platform.port.ts';
import { oauthError } from './client-authentication.access.ts';
import { revokeTokens } from './oauth-grant.service.ts';

type Ports = Pick<Platform, 'clock' | 'config' | 'notifier' | 'audit' | 'log'>;

/** What comes with a refresh token. */
export interface PresentedRefresh {
  refreshToken: string;
  clientId: string;
  /** The secret was given and is right. */
  isAuthenticated: boolean;
  scope: string | null | undefined;
  resource: string | null;
  origin: Origin | undefined;
  /** When the request arrived, before it waited for anything. */
  arrivedAt: number;
}

/** A refresh token with the grant that it belongs to. */
export type RefreshToken = Loaded<OAuthRefreshEntity, 'grant'>;

class RefreshTokenRepository extends SqlEntityRepository<OAuthRefreshEntity> {
  /** With its grant, both locked: of two requests with one token the second waits here, and then sees what the first has done. */
  hold(token: string): Promise<RefreshToken | null> {
    return this.findOne({ tokenHash: sha256(token) }, { populate: ['grant'], lockMode: LockMode.PESSIMISTIC_WRITE });
  }
}
/** Refresh tokens of an entity manager. */
export const refreshTokens = repositoryOf(OAuthRefreshEntity, RefreshTokenRepository);

/** A new refresh token of a grant, which is shown this once. */
export function addRefreshToken(
  tx: Tx,
  { clock, config }: Pick<Ports, 'clock' | 'config'>,
  of: { grant: ApiKeyEntity; needsSecret: boolean },
): string {
  const token = newToken('svcr_');
  const expiresAt = clock.now() + config.OAUTH_REFRESH_DAYS * DAY_MS;
  tx.em.create(OAuthRefreshEntity, { ...of, tokenHash: sha256(token), expiresAt });
  return token;
}

/** Uses up the token and returns it; or returns why not, which the caller throws after the commit, for a reuse revokes the grant. */
export async function claimRefreshToken(
  tx: Tx,
  ports: Ports,
  presented: PresentedRefresh,
): Promise<RefreshToken | PlatformError> {
  const token = await refreshTokens(tx.em).hold(presented.refreshToken);
  const grant = token?.grant.$;
  if (!token || !grant || grant.clientId !== presented.clientId) return unusable();
  if (token.needsSecret && !presented.isAuthenticated) {
    return oauthError('INVALID_CLIENT', 'client_secret is required: the code was redeemed with it.');
  }
  const isRevoked = grant.revokedAt != null;
  if (token.usedAt != null) {
    // A request that was sent before the token was used is the same app repeating itself: it is refused, and nothing is revoked.
    if (presented.arrivedAt >= token.usedAt && !isRevoked) await endGrant(tx, ports, presented, grant.id);
    return unusable();
  }
  if (isRevoked || token.expiresAt <= ports.clock.now()) return unusable();
  const scopes = grant.scopes ?? [];
  const asked = (presented.scope ?? '').split(' ').filter((scope) => scope && scope !== 'offline_access');
  const isOther = new Set(asked).size !== scopes.length || !asked.every((scope) => scopes.includes(scope));
  if (asked.length > 0 && isOther) {
    return oauthError('INVALID_SCOPE', `The scope is the one that was allowed: ${scopes.join(' ')}.`);
  }
  if (presented.resource !== null && presented.resource !== (grant.audience ?? null)) {
    return oauthError('INVALID_TARGET', 'resource is not the one that was allowed.');
  }
  token.usedAt = ports.clock.now();
  return token;
}

async function endGrant(tx: Tx, ports: Ports, { clientId, origin }: PresentedRefresh, tokenId: string): Promise<void> {
  await revokeTokens(tx, ports, { clientId, origin }, { id: tokenId });
  tx.afterCommit(() => ports.log.warn({ tokenId, clientId }, 'refresh token reused'));
}

const unusable = (): PlatformError =>
  oauthError('INVALID_GRANT', 'The refresh token is unknown, expired, used or revoked.');
