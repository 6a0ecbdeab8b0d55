/** Apps, and what their users chose for them, as they are stored. */
import { LockMode } from '@mikro-orm/core';
import { SqlEntityRepository } from '@mikro-orm/postgresql';
import type { ExpressionBuilder } from 'kysely';
import { OAuthChoiceEntity, OAuthClientEntity } from '../../../schema/entities/oauth.ts';
import type { Tables } from '../../../schema/entities/tables.ts';
import type { Tx } from '../../kernel/database.ts';
import { PlatformError } from '../../kernel/errors.ts';
import { repositoryOf } from '../../kernel/repository.ts';

class OAuthClientRepository extends SqlEntityRepository<OAuthClientEntity> {
  ofOwner(ownerId: string): Promise<OAuthClientEntity[]> {
    return this.find({ owner: ownerId }, { orderBy: { createdAt: 'asc', id: 'asc' } });
  }

  /** Keeps the app from being changed or deleted until the transaction ends; null where it does not exist. */
  hold(id: string): Promise<OAuthClientEntity | null> {
    return this.findOne({ id }, { lockMode: LockMode.PESSIMISTIC_READ });
  }

  /** An app of this owner, locked until the transaction ends. Throws NOT_FOUND. */
  async lockOwned(id: string, ownerId: string): Promise<OAuthClientEntity> {
    const client = await this.findOne({ id, owner: ownerId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!client) throw notFound();
    return client;
  }

  /** Throws NOT_FOUND. */
  async removeOwned(id: string, ownerId: string): Promise<void> {
    if ((await this.nativeDelete({ id, owner: ownerId })) === 0) throw notFound();
  }

  /**
   * Replaces the secret in one statement. The one before is kept until `keepUntil` (epoch ms), or not at all.
   * Throws NOT_FOUND.
   */
  async replaceSecret(
    { id, ownerId }: { id: string; ownerId: string },
    secret: { hash: string; nowMs: number; keepUntil: number | null },
  ): Promise<void> {
    const { hash, nowMs, keepUntil } = secret;
    const replaced = await this.em
      .getKysely<Tables>()
      .updateTable('oauth_client')
      .set(({ ref }) => ({
        secret_hash: hash,
        secret_rotated_at: nowMs,
        previous_secret_until: keepUntil,
        previous_secret_hash: keepUntil === null ? null : ref('secret_hash'),
      }))
      .where('id', '=', id)
      .where('owner_user_id', '=', ownerId)
      .returning('id')
      .execute();
    if (replaced.length === 0) throw notFound();
  }
}
/** Registered apps of an entity manager. */
export const oauthClients = repositoryOf(OAuthClientEntity, OAuthClientRepository);

/** Whether no user permits an app anything now. */
const isUnused = ({ and, not, exists, selectFrom }: ExpressionBuilder<Tables, 'oauth_client'>) =>
  and([
    not(exists(selectFrom('oauth_choice as o').select('o.user_id').whereRef('o.client_id', '=', 'oauth_client.id'))),
    not(
      exists(
        selectFrom('api_key as k')
          .select('k.id')
          .whereRef('k.client_id', '=', 'oauth_client.id')
          .where('k.revoked_at', 'is', null),
      ),
    ),
  ]);

/**
 * Deletes at most `most` apps that registered themselves before a time and that no user permits anything; returns how many. An
 * app that is being permitted something at this moment is locked, and stays.
 */
export async function forgetUnusedApps({ em }: Tx, beforeMs: number, most: number): Promise<number> {
  const apps = await em
    .getKysely<Tables>()
    .selectFrom('oauth_client')
    .select('id')
    .where('owner_user_id', 'is', null)
    .where('created_at', '<', beforeMs)
    .where(isUnused)
    .limit(most)
    .forUpdate()
    .skipLocked()
    .execute();
  if (apps.length === 0) return 0;
  // Asked again with the rows locked: the first statement does not see a permission that was committed while it waited for the
  // lock.
  const { numDeletedRows } = await em
    .getKysely<Tables>()
    .deleteFrom('oauth_client')
    .where(
      'id',
      'in',
      apps.map(({ id }) => id),
    )
    .where(isUnused)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

class OAuthChoiceRepository extends SqlEntityRepository<OAuthChoiceEntity> {
  /** The avatar that the user was last at this app. */
  async lastAvatarId(userId: string, clientId: string): Promise<string | null> {
    return (await this.findOne({ user: userId, client: clientId }))?.avatar.id ?? null;
  }

  async remember(userId: string, clientId: string, avatarId: string): Promise<void> {
    const choice = { user: userId, client: clientId, avatar: avatarId };
    await this.upsert(choice, { onConflictFields: ['user', 'client'], onConflictMergeFields: ['avatar'] });
  }
}
/** Which avatar a user last chose at an app. */
export const oauthChoices = repositoryOf(OAuthChoiceEntity, OAuthChoiceRepository);

const notFound = (): PlatformError => new PlatformError('NOT_FOUND', 'App not found.');
