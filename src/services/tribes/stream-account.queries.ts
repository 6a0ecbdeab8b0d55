/** Accounts at the streaming platform: which user has which, with sealed tokens. Each is one statement that decides. */
import { prepared } from '../../../schema/entities/tables.ts';

/** Both sides of a question about a subscription; nothing where either has linked no account. */
export const linkedPair = prepared((tables, given: { creatorId: string; memberId: string }) =>
  tables
    .selectFrom(['stream_account as c', 'stream_account as m'])
    .select([
      'c.platform_user_id as creatorId',
      'm.platform_user_id as memberId',
      'm.access_token as accessToken',
      'm.refresh_token as refreshToken',
    ])
    .where('c.user_id', '=', given.creatorId)
    .where('m.user_id', '=', given.memberId),
);

/** Forgets tokens that the platform refuses, unless they were renewed meanwhile: then nothing comes back. */
export const dropTokens = prepared((tables, given: { userId: string; refreshToken: string }) =>
  tables
    .updateTable('stream_account')
    .set({ access_token: null, refresh_token: null })
    .where('user_id', '=', given.userId)
    .where('refresh_token', '=', given.refreshToken)
    .returning('user_id'),
);

/** Stores refreshed tokens of a linked stream account; they are sealed. */
export const keepTokens = prepared((tables, given: { userId: string; accessToken: string; refreshToken: string }) =>
  tables
    .updateTable('stream_account')
    .set({ access_token: given.accessToken, refresh_token: given.refreshToken })
    .where('user_id', '=', given.userId),
);

/** The sealed access token of a user's linked stream account. */
export const accessTokenOf = prepared((tables, given: { userId: string }) =>
  tables.selectFrom('stream_account').select('access_token as accessToken').where('user_id', '=', given.userId),
);

interface Account {
  userId: string;
  platformUserId: string;
  accessToken: string;
  refreshToken: string;
  linkedAt: number;
}

/** Links an account, in place of the user's one before. Nothing comes back where it is another user's. */
export const keepAccount = prepared((tables, given: Account) =>
  tables
    .insertInto('stream_account')
    .columns(['user_id', 'platform_user_id', 'access_token', 'refresh_token', 'linked_at'])
    .expression(
      tables
        .selectNoFrom(({ val }) => [
          val(given.userId).as('user_id'),
          val(given.platformUserId).as('platform_user_id'),
          val(given.accessToken).as('access_token'),
          val(given.refreshToken).as('refresh_token'),
          val(given.linkedAt).as('linked_at'),
        ])
        .where(({ not, exists }) =>
          not(
            exists(
              tables
                .selectFrom('stream_account')
                .select('user_id')
                .where('platform_user_id', '=', given.platformUserId)
                .where('user_id', '<>', given.userId),
            ),
          ),
        ),
    )
    .onConflict((on) =>
      on.column('user_id').doUpdateSet(({ ref }) => ({
        platform_user_id: ref('excluded.platform_user_id'),
        access_token: ref('excluded.access_token'),
        refresh_token: ref('excluded.refresh_token'),
        linked_at: ref('excluded.linked_at'),
      })),
    )
    .returning('user_id'),
);
