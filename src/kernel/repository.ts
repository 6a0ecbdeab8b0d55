/**
 * Repositories: what a domain reads and writes of one entity, in words of the domain. A repository is MikroORM's own
 * with methods of ours; it stands on a unit of work, which is `tx.em` where something is written and `db.em()` for
 * reads:
 *
 *     export class AvatarRepository extends SqlEntityRepository<AvatarEntity> {
 *       ofOwner(ownerId: string): Promise<AvatarEntity[]> {
 *         return this.find({ owner: ownerId }, { orderBy: { createdAt: 'asc' } });
 *       }
 *     }
 *     export const avatars = repositoryOf(AvatarEntity, AvatarRepository);
 *
 *     await avatars(db.em()).ofOwner(principal.userId);
 *
 * Inside a transaction nothing else may be used than `tx.em`: another manager would run on another connection.
 */
import type { EntityName } from '@mikro-orm/core';
import type { SqlEntityManager, SqlEntityRepository } from '@mikro-orm/postgresql';

/** Gives the repository of an entity on a unit of work. */
export const repositoryOf =
  <T extends object, R extends SqlEntityRepository<T>>(
    entity: EntityName<T>,
    Repository: new (em: SqlEntityManager, entity: EntityName<T>) => R,
  ) =>
  (em: SqlEntityManager): R =>
    new Repository(em, entity);
