/** Accounts at the streaming platform as they are stored: which user has which, with sealed tokens. */
import { SqlEntityRepository } from '@mikro-orm/postgresql';
import { StreamAccountEntity } from '../../../schema/entities/tribes.ts';
import { repositoryOf } from '../../kernel/repository.ts';

/** An account that was proved; its tokens are sealed. */
export interface NewStreamAccount {
  userId: string;
  platformUserId: string;
  accessToken: string;
  refreshToken: string;
  linkedAt: number;
}

class StreamAccountRepository extends SqlEntityRepository<StreamAccountEntity> {
  /** Both sides of a question about a subscription; undefined where either has linked no account. */
  async pair(
    creatorId: string,
    memberId: string,
  ): Promise<{ creator: StreamAccountEntity; member: StreamAccountEntity } | undefined> {
    const accounts = await this.find({ user: { $in: [creatorId, memberId] } });
    const [creator, member] = [creatorId, memberId].map((id) => accounts.find(({ user }) => user.id === id));
    return creator && member && { creator, member };
  }

  /** The sealed access token of a user's account. */
  async accessToken(userId: string): Promise<string | null> {
    return (await this.findOne({ user: userId }, { fields: ['accessToken'] }))?.accessToken ?? null;
  }

  /** Forgets tokens that the platform refuses; false where they were renewed meanwhile, which the statement itself sees. */
  async dropTokens(userId: string, refreshToken: string): Promise<boolean> {
    return (await this.nativeUpdate({ user: userId, refreshToken }, { accessToken: null, refreshToken: null })) > 0;
  }

  /** Stores refreshed tokens. */
  async keepTokens(userId: string, tokens: { accessToken: string; refreshToken: string }): Promise<void> {
    await this.nativeUpdate({ user: userId }, tokens);
  }

  /** Links an account, in place of the user's one before; false where it is another user's. */
  async link({ userId: user, ...account }: NewStreamAccount): Promise<boolean> {
    const { platformUserId } = account;
    if ((await this.count({ platformUserId, user: { $ne: user } })) > 0) return false;
    await this.upsert({ ...account, user });
    return true;
  }
}
/** Linked accounts of an entity manager. */
export const streamAccounts = repositoryOf(StreamAccountEntity, StreamAccountRepository);
