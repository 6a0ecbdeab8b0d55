/** What tests of money share: the audit as an assertion, balances, and users made without the cost of signing up. */
import { expect } from '@jest/globals';
import type { Database } from '../../src/kernel/database.ts';
import { newId } from '../../src/kernel/ids.ts';
import { auditLedger } from '../../src/ledger/reads.ts';
import { grant } from '../../src/ledger/transfers.ts';
import type { TestApp, TestUser } from './app.ts';

/** Fails with every invariant that does not hold. `but` names one that a test breaks by leaving the services out. */
export async function expectSoundLedger(db: Pick<Database, 'rows'>, but?: RegExp): Promise<void> {
  const lines = await auditLedger(db);
  expect(lines.length).toBeGreaterThan(10);
  expect(lines.filter((line) => !line.holds && !but?.test(line.invariant))).toEqual([]);
}

/** `me.balance` of a person, as the API shows it. */
export async function balance(t: TestApp, person: TestUser): Promise<any> {
  const { body } = await t.graphql<any>(
    '{ me { balance { available transferable held locked { creatorUserId amount } } } }',
    {},
    person.session,
  );
  return body.data.me.balance;
}

/** An operator's grant; locked to a creator when one is given. */
export async function grantTo(t: TestApp, person: TestUser, amount: number, creator?: TestUser): Promise<void> {
  const { body } = await t.graphql<any>(
    `mutation($userId: ID!, $amount: Credits!, $creator: ID) {
      grantCredits(input: { userId: $userId, amount: $amount, lockedToCreatorUserId: $creator }) { available } }`,
    { userId: person.userId, amount, creator: creator?.userId ?? null },
    await t.operator(),
  );
  if (body.errors) throw new Error(JSON.stringify(body.errors));
}

/** Users that exist for the ledger alone, with global credits in micro-credits. */
export async function ledgerUsers(db: Database, count: number, amount = 0n): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId('usr'));
  await db.rows('insert into app_user (id, created_at) select id, 0 from unnest($1::text[]) as u (id)', [ids]);
  if (amount > 0n) {
    await db.transaction(async (tx) => {
      for (const userId of ids) await grant(tx, { userId, amount, source: `test:${userId}` }, Date.now());
    });
  }
  return ids;
}
