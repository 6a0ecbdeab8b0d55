/**
 * Refresh tokens (RFC 6749 6, RFC 9700 4.14.2): each is used once and gives the next one. They belong to the grant, the row of
 * its access token, so that whatever ends the grant ends them. One that is used again was copied: the grant ends.
 */
import { prepared } from '../../../schema/entities/tables.ts';
import type { Origin } from '../../auth/principal.ts';
import { DAY_MS } from '../../kernel/clock.ts';
import type { Tx } from '../../kernel/database.ts';
import { PlatformError } from '../../kernel/errors.ts';
import { newToken, sha256 } from '../../kernel/ids.ts';
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

/** A refresh token and the grant that it belongs to. */
export interface RefreshRow {
  grantId: string;
  clientId: string | null;
  needsSecret: boolean;
  usedAt: number | null;
  expiresAt: number;
  userId: string;
  avatarId: string | null;
  scopes: string[];
  audience: string | null;
  revokedAt: number | null;
}

/** Of two that bring one token, the second waits here and then sees what the first has done. */
const lock = prepared((tables, given: { hash: string }) =>
  tables
    .selectFrom('oauth_refresh as r')
    .innerJoin('api_key as k', 'k.id', 'r.grant_id')
    .select([
      'r.grant_id as grantId',
      'k.client_id as clientId',
      'r.needs_secret as needsSecret',
      'r.used_at as usedAt',
      'r.expires_at as expiresAt',
      'k.user_id as userId',
      'k.avatar_id as avatarId',
      'k.scopes',
      'k.audience',
      'k.revoked_at as revokedAt',
    ])
    .where('r.token_hash', '=', given.hash)
    .forUpdate(),
);

const use = prepared((tables, given: { hash: string; nowMs: number }) =>
  tables.updateTable('oauth_refresh').set({ used_at: given.nowMs }).where('token_hash', '=', given.hash),
);

interface NewRow {
  hash: string;
  grantId: string;
  needsSecret: boolean;
  expiresAt: number;
}

const add = prepared((tables, given: NewRow) =>
  tables.insertInto('oauth_refresh').values({
    token_hash: given.hash,
    grant_id: given.grantId,
    needs_secret: given.needsSecret,
    expires_at: given.expiresAt,
  }),
);

/** A new refresh token of a grant, which is shown this once. */
export async function addRefreshToken(
  tx: Tx,
  { clock, config }: Pick<Ports, 'clock' | 'config'>,
  of: { grantId: string; needsSecret: boolean },
): Promise<string> {
  const token = newToken('svcr_');
  const expiresAt = clock.now() + config.OAUTH_REFRESH_DAYS * DAY_MS;
  await add(tx, { ...of, hash: sha256(token), expiresAt });
  return token;
}

/** The refresh token as it is stored, held until the transaction ends; undefined where there is none. */
export async function findRefreshToken(tx: Tx, token: string): Promise<RefreshRow | undefined> {
  const [row] = await lock(tx, { hash: sha256(token) });
  return row && { ...row, scopes: row.scopes ?? [] };
}

/** The grant that goes on, its token used up; or why not, which the caller throws once what was revoked is committed. */
export async function claimRefreshToken(
  tx: Tx,
  ports: Ports,
  presented: PresentedRefresh,
): Promise<RefreshRow | PlatformError> {
  const row = await findRefreshToken(tx, presented.refreshToken);
  if (!row || row.clientId !== presented.clientId) return unusable();
  if (row.needsSecret && !presented.isAuthenticated) {
    return oauthError('INVALID_CLIENT', 'client_secret is required: the code was redeemed with it.');
  }
  if (row.usedAt !== null) {
    // One that was under way while the first was being used is the same app in a hurry, and only refused.
    if (presented.arrivedAt >= row.usedAt && row.revokedAt === null) await endGrant(tx, ports, presented, row);
    return unusable();
  }
  if (row.revokedAt !== null || row.expiresAt <= ports.clock.now()) return unusable();
  const asked = (presented.scope ?? '').split(' ').filter((scope) => scope && scope !== 'offline_access');
  const isOther = new Set(asked).size !== row.scopes.length || !asked.every((scope) => row.scopes.includes(scope));
  if (asked.length > 0 && isOther) {
    return oauthError('INVALID_SCOPE', `The scope is the one that was allowed: ${row.scopes.join(' ')}.`);
  }
  if (presented.resource !== null && presented.resource !== row.audience) {
    return oauthError('INVALID_TARGET', 'resource is not the one that was allowed.');
  }
  await use(tx, { hash: sha256(presented.refreshToken), nowMs: ports.clock.now() });
  return row;
}

async function endGrant(tx: Tx, ports: Ports, { clientId, origin }: PresentedRefresh, row: RefreshRow): Promise<void> {
  await revokeTokens(tx, ports, { clientId, origin }, { id: row.grantId });
  tx.afterCommit(() => ports.log.warn({ tokenId: row.grantId, clientId }, 'refresh token reused'));
}

const unusable = (): PlatformError =>
  oauthError('INVALID_GRANT', 'The refresh token is unknown, expired, used or revoked.');
