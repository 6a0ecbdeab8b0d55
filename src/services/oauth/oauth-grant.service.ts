/**
 * The access tokens that apps hold: listed for their user without the tokens, taken back one by one.
 * A revocation is told to every process, which forgets the credential and closes the sockets it opened.
 */
import type { OAuthGrant } from '../../../schema/oauth.ts';
import type { Actor } from '../../auth/audit-log.ts';
import type { Principal } from '../../auth/principal.ts';
import type { Tx } from '../../kernel/database.ts';
import { badInput, PlatformError } from '../../kernel/errors.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { AvatarImages } from '../avatars/avatar-image.service.ts';
import type { Platform } from '../platform.ts';

interface GrantRow extends Record<string, unknown> {
  tokenId: string;
  clientId: string;
  name: string;
  avatarId: string;
  avatarName: string | null;
  scopes: string[];
  clientCredentials: boolean;
  createdAt: number;
}

/** Revokes the standing tokens of apps that `where` names (SQL over `api_key`); returns how many they were. */
export async function revokeTokens(
  tx: Tx,
  ports: Pick<Platform, 'clock' | 'notifier' | 'audit'>,
  by: Actor,
  where: string,
  values: unknown[],
): Promise<number> {
  const revoked = await tx.rows<{ id: string; userId: string }>(
    `update api_key set revoked_at = $${values.length + 1}
     where client_id is not null and revoked_at is null and ${where} returning id, user_id as "userId"`,
    [...values, ports.clock.now()],
  );
  const lines = revoked.map(({ id, userId }) => ({ userId, subject: id }));
  ports.audit.record(tx, by, 'grant_revoked', ...lines);
  tx.afterCommit(() => {
    for (const { id } of revoked) ports.notifier.emit('revoked', `credential ${id}`);
  });
  return revoked.length;
}

export class OAuthGrants {
  readonly #p: Pick<Platform, 'db' | 'clock' | 'notifier' | 'audit'>;
  readonly #images: AvatarImages;

  constructor(platform: Pick<Platform, 'db' | 'clock' | 'notifier' | 'audit'>, images: AvatarImages) {
    this.#p = platform;
    this.#images = images;
  }

  /** Standing tokens of the caller's apps, newest first. */
  async list(principal: Principal, first?: number | null, after?: string | null): Promise<OAuthGrant[]> {
    const limit = first ?? LIMITS.pageSize;
    if (limit < 1 || limit > LIMITS.pageSize) throw badInput('first', `must be from 1 to ${LIMITS.pageSize}.`);
    const rows = await this.#p.db.rows<GrantRow>(
      `select k.id as "tokenId", k.client_id as "clientId", c.name, k.avatar_id as "avatarId",
         a.display_name as "avatarName", k.scopes, k.client_credentials as "clientCredentials",
         k.created_at::float8 as "createdAt"
       from api_key k join oauth_client c on c.id = k.client_id join avatar a on a.id = k.avatar_id
       where k.user_id = $1 and k.revoked_at is null and ($2::text is null or k.id < $2)
       order by k.id desc limit $3`,
      [principal.userId, after ?? null, limit],
    );
    const pictures = await this.#images.primaryUrls(rows.map((row) => row.avatarId));
    return rows.map(({ avatarId, avatarName, ...row }, i) => ({
      ...row,
      avatar: { id: avatarId, name: avatarName, picture: pictures[i] ?? null },
    }));
  }

  /** First-party callers revoke any grant of theirs, what has scopes only itself; 404 for every other. */
  async revoke(principal: Principal, tokenId: string): Promise<boolean> {
    if (principal.scopes && principal.credentialId !== tokenId) throw notFound();
    return this.#p.db.transaction(async (tx) => {
      const revoked = await revokeTokens(tx, this.#p, principal, 'id = $1 and user_id = $2', [
        tokenId,
        principal.userId,
      ]);
      if (revoked === 0) throw notFound();
      return true;
    });
  }
}

const notFound = (): PlatformError => new PlatformError('NOT_FOUND', 'Grant not found.');
