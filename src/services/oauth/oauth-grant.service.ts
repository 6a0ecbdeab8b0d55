/**
 * The access tokens that apps hold: listed for their user without the tokens, taken back one by one.
 * Every process is notified of a revocation, forgets the credential and closes the sockets that it opened.
 */
import type { Tables } from '../../../schema/entities/tables.ts';
import type { OAuthGrant } from '../../../schema/oauth.ts';
import type { Actor } from '../../auth/audit-log.ts';
import type { Principal } from '../../auth/principal.ts';
import type { Tx } from '../../kernel/database.ts';
import { PlatformError } from '../../kernel/errors.ts';
import { type Connection, type Keyset, type Listing, type PageRequest, readPage } from '../../kernel/keyset.ts';
import { inKeyset } from '../../kernel/prepared.ts';
import type { AvatarImages } from '../avatars/avatar-image.service.ts';
import type { Platform } from '../platform/platform.port.ts';

/** Newest first. */
const GRANTS: Listing<OAuthGrant> = { name: 'OAuthGrant', order: 'desc', keyOf: ({ tokenId }) => tokenId };

/** Which tokens: those for which all of this holds. */
type Which = Partial<{ id: string; user_id: string; client_id: string; client_credentials: boolean }>;

/** Revokes the standing tokens of apps that `which` names; returns how many they were. */
export async function revokeTokens(
  tx: Tx,
  ports: Pick<Platform, 'clock' | 'notifier' | 'audit'>,
  by: Actor,
  which: Which,
): Promise<number> {
  const revoked = await tx.em
    .getKysely<Tables>()
    .updateTable('api_key')
    .set({ revoked_at: ports.clock.now() })
    .where('client_id', 'is not', null)
    .where('revoked_at', 'is', null)
    .where(({ and }) => and(which))
    .returning(['id', 'user_id as userId'])
    .execute();
  const lines = revoked.map(({ id, userId }) => ({ userId, subject: id }));
  ports.audit.record(tx, by, 'grant_revoked', ...lines);
  tx.afterCommit(() => {
    for (const { id } of revoked) ports.notifier.emit('revoked', `credential ${id}`);
  });
  return revoked.length;
}

/** The grants a user gave to apps: lists and revokes them. */
export class OAuthGrants {
  readonly #p: Pick<Platform, 'db' | 'clock' | 'notifier' | 'audit'>;
  readonly #images: AvatarImages;

  constructor(platform: Pick<Platform, 'db' | 'clock' | 'notifier' | 'audit'>, images: AvatarImages) {
    this.#p = platform;
    this.#images = images;
  }

  /** Standing tokens of the caller's apps, newest first. */
  list(principal: Principal, page: PageRequest): Promise<Connection<OAuthGrant>> {
    return readPage<OAuthGrant, OAuthGrant>(
      page,
      GRANTS,
      (keyset) => this.#read(principal, { keyset }),
      (grant) => grant,
    );
  }

  /** One standing token of the caller's apps; undefined when there is none. */
  async read(principal: Principal, tokenId: string): Promise<OAuthGrant | undefined> {
    const [grant] = await this.#read(principal, { id: tokenId });
    return grant;
  }

  async #read(principal: Principal, { keyset, id }: { keyset?: Keyset; id?: string }): Promise<OAuthGrant[]> {
    const rows = await this.#p.db
      .em()
      .getKysely<Tables>()
      .selectFrom('api_key as k')
      .innerJoin('oauth_client as c', 'c.id', 'k.client_id')
      .innerJoin('avatar as a', 'a.id', 'k.avatar_id')
      .select([
        'k.id as tokenId',
        'c.id as clientId',
        'c.name',
        'a.id as avatarId',
        'a.display_name as avatarName',
        'k.scopes',
        'k.client_credentials as clientCredentials',
        'k.created_at as createdAt',
      ])
      .where('k.user_id', '=', principal.userId)
      .where('k.revoked_at', 'is', null)
      .$if(id !== undefined, (one) => one.where('k.id', '=', id ?? ''))
      .$if(keyset !== undefined, (page) => (keyset ? page.where(inKeyset('k.id', keyset)).limit(keyset.limit) : page))
      .orderBy('k.id', keyset?.descending === false ? 'asc' : 'desc')
      .execute();
    const images = await this.#images.primaryUrls(rows.map((row) => row.avatarId));
    return rows.map(({ avatarId, avatarName, scopes, ...row }, i) => ({
      ...row,
      scopes: scopes ?? [],
      avatar: { id: avatarId, name: avatarName, picture: images[i] ?? null },
    }));
  }

  /** First-party callers revoke any grant of theirs, what has scopes only itself; 404 for every other. */
  async revoke(principal: Principal, tokenId: string): Promise<void> {
    if (principal.scopes && principal.credentialId !== tokenId) throw notFound();
    await this.#p.db.transaction(async (tx) => {
      const revoked = await revokeTokens(tx, this.#p, principal, { id: tokenId, user_id: principal.userId });
      if (revoked === 0) throw notFound();
    });
  }
}

const notFound = (): PlatformError => new PlatformError('NOT_FOUND', 'Grant not found.');
