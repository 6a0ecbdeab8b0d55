/**
 * The ledger against a small reference of it: whatever users do, in whatever order, both give the
 * same answers and the same balances, and every invariant of the audit holds.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openSchema } from '../../src/app/open-schema.ts';
import { type Database, openDatabase } from '../../src/kernel/database.ts';
import { PlatformError } from '../../src/kernel/errors.ts';
import { newId } from '../../src/kernel/ids.ts';
import { openHolds, settleHold } from '../../src/ledger/holds.ts';
import { balanceOf, ledgerPage } from '../../src/ledger/reads.ts';
import { giveGift, grant, lockGiftAccounts, lockPaymentAccounts, payCreator } from '../../src/ledger/transfers.ts';
import { expectSoundLedger, ledgerUsers } from '../support/credits.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import fc from '../support/properties.ts';
import { ReferenceLedger } from '../support/reference-ledger.ts';

const USERS = 2;
const RUNS = 60;
const STEPS = 30;

let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  db = await openDatabase(openSchema(database.url, 4));
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const who = fc.nat(USERS - 1);
const amount = fc.oneof(fc.bigInt(1n, 20n), fc.bigInt(1n, 2_000_000n));
const creator = fc.option(who, { nil: null, freq: 3 });
const step = fc.oneof(
  fc.record({ do: fc.constant('grant' as const), who, amount, creator }),
  fc.record({ do: fc.constant('welcome' as const), who, amount }),
  fc.record({ do: fc.constant('hold' as const), who, amount, creator }),
  fc.record({ do: fc.constant('hold' as const), who, amount, creator }),
  fc.record({ do: fc.constant('settle' as const), hold: fc.nat(6), amount: fc.oneof(fc.constant(0n), amount) }),
  fc.record({ do: fc.constant('gift' as const), who, to: who, amount }),
  fc.record({ do: fc.constant('pay' as const), who, to: who, amount }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Plays one life of a ledger on both sides. */
class Play {
  readonly reference = new ReferenceLedger();
  readonly #holds: string[] = [];
  readonly #users: string[];

  constructor(users: string[]) {
    this.#users = users;
  }

  /** Every account begins with credits of both kinds, or most steps would only be refusals. */
  async begin(): Promise<void> {
    for (const [i, userId] of this.#users.entries()) {
      await this.#grant(userId, 5_000_000n, null);
      await this.#grant(userId, 1_000_000n, 'welcome');
      await this.#grant(userId, 500_000n, this.#users[(i + 1) % USERS]!);
    }
  }

  /** Does the step on both sides and compares the answers. */
  async take(next: Step): Promise<void> {
    if (next.do === 'settle') return this.#settle(next.hold, next.amount);
    const userId = this.#users[next.who]!;
    if (next.do === 'welcome') return this.#grant(userId, next.amount, 'welcome');
    if (next.do === 'grant' || next.do === 'hold') {
      const other = next.creator === null || next.creator === next.who ? null : this.#users[next.creator]!;
      return next.do === 'grant' ? this.#grant(userId, next.amount, other) : this.#hold(userId, next.amount, other);
    }
    if (next.who === next.to) return;
    const to = this.#users[next.to]!;
    await (next.do === 'gift' ? this.#gift(userId, to, next.amount) : this.#pay(userId, to, next.amount));
  }

  /** `to` is the creator whom the credits are locked to, or null for global ones. */
  async #grant(userId: string, amount: bigint, to: string | null | 'welcome'): Promise<void> {
    const isWelcome = to === 'welcome';
    const lockedToCreatorUserId = isWelcome ? null : to;
    const request = { userId, amount, source: newId('grt'), lockedToCreatorUserId, isWelcome };
    const twice = async () => db.transaction((tx) => grant(tx, request, Date.now()));
    expect([await twice(), await twice()]).toEqual([true, false]);
    const kind = lockedToCreatorUserId ? { creator: lockedToCreatorUserId } : isWelcome ? 'welcome' : 'global';
    this.reference.grant(userId, amount, kind);
  }

  async #hold(userId: string, amount: bigint, creatorUserId: string | null): Promise<void> {
    const expected = this.reference.hold(userId, amount, creatorUserId);
    const request = { source: newId('turn'), kind: 'turn', userId, amount, revealBalance: true };
    const asked = { ...request, ...(creatorUserId ? { creatorUserId } : {}) };
    const opened = db.transaction((tx) => openHolds(tx, [asked], Date.now()));
    if ('hold' in expected) {
      this.#holds[expected.hold] = (await opened)[0]!;
      return;
    }
    const error: PlatformError = await opened.then(
      () => Promise.reject(new Error('It held more than there was.')),
      (refused) => refused,
    );
    expect([error.code, error.details]).toEqual([
      'INSUFFICIENT_CREDITS',
      { requiredCredits: Number(amount) / 1e6, availableCredits: Number(expected.available) / 1e6 },
    ]);
  }

  async #settle(index: number, amount: bigint): Promise<void> {
    const holdId = this.#holds[index];
    if (!holdId) return;
    const captured = await db.transaction((tx) => settleHold(tx, holdId, amount, Date.now()));
    expect(captured).toBe(this.reference.settle(index, amount));
  }

  async #gift(fromUserId: string, toUserId: string, amount: bigint): Promise<void> {
    const given = await db.transaction(async (tx) => {
      const gift = await lockGiftAccounts(tx, fromUserId, toUserId);
      if (gift.transferable < amount) return false;
      return giveGift(tx, gift, { source: newId('test'), fromUserId, toUserId, amount }, Date.now());
    });
    expect(given).toBe(this.reference.gift(fromUserId, toUserId, amount));
  }

  async #pay(member: string, creatorUserId: string, amount: bigint): Promise<void> {
    const paid = await db.transaction(async (tx) => {
      const payment = await lockPaymentAccounts(tx, member, creatorUserId);
      if (payment.balance < amount) return false;
      return payCreator(tx, payment, { source: newId('test'), kind: 'test', amount }, Date.now());
    });
    expect(paid).toBe(this.reference.pay(member, creatorUserId, amount));
  }

  /** Every account has the same on both sides. */
  async compare(): Promise<void> {
    let sum = 0n;
    for (const userId of this.#users) {
      const shown = await balanceOf(db, userId);
      const { global, welcome, locked } = this.reference.funds(userId);
      const lockedSum = [...locked.values()].reduce((total, amount) => total + amount, 0n);
      expect(shown).toMatchObject({
        transferable: global,
        welcome,
        available: global + welcome + lockedSum,
        held: this.reference.held(userId),
      });
      for (const { creatorUserId, amount } of shown.locked) expect(amount).toBe(locked.get(creatorUserId));
      sum += shown.available + shown.held;
      await this.#compareLines(userId, shown.available + shown.held);
    }
    expect(sum + this.reference.revenue).toBe(this.reference.issued);
  }

  /** The lines of the ledger, page by page, add up to the balance; none comes twice. */
  async #compareLines(userId: string, balance: bigint): Promise<void> {
    const seen = new Set<string>();
    let total = 0n;
    let after: string | null | undefined;
    do {
      const page = await ledgerPage(db, userId, { first: 7, after: after ?? null });
      for (const line of page.nodes) {
        expect(seen.has(line.id)).toBe(false);
        seen.add(line.id);
        if (line.kind !== 'hold') total += line.amount;
      }
      after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
    } while (after);
    expect(total).toBe(balance);
  }
}

test('does what the reference does, step by step', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: STEPS, size: 'max' }), async (steps) => {
      const play = new Play(await ledgerUsers(db, USERS));
      await play.begin();
      for (const next of steps) await play.take(next);
      await play.compare();
    }),
    { numRuns: RUNS },
  );
  // Its gifts have no intents: they are the ledger's alone.
  await expectSoundLedger(db, /^a gift/);
});

test('the audit sees a forged balance, entry, hold and charge', async () => {
  const [ada] = (await ledgerUsers(db, 1, 5_000_000n)) as [string];
  const forge = async (sql: string, values: unknown[] = []) => {
    const broken: string[] = [];
    await db
      .transaction(async (tx) => {
        await tx.rows(sql, values);
        for (const line of await tx.rows<{ invariant: string; holds: boolean }>('select * from ledger_audit()')) {
          if (!line.holds) broken.push(line.invariant);
        }
        throw new Error('undo');
      })
      .catch(() => {});
    return broken.join('; ');
  };
  expect(await forge(`update ledger_account set balance = balance + 1 where id = 'g:' || $1`, [ada])).toMatch(
    /sum to zero.*sum of its entries.*chain/,
  );
  expect(await forge(`update ledger_account set held = held + 1 where id = 'g:' || $1`, [ada])).toMatch(/held/);
  expect(await forge(`delete from ledger_entry where account_id = 'g:' || $1`, [ada])).toMatch(
    /each transfer takes.*sum of its entries/,
  );
  expect(
    await forge(
      `with out as (insert into ledger_transfer (id, source, leg, kind, created_at) values ('tfr_x', 'x', 'pay:w', 'tribe', 0)
         returning id)
       insert into ledger_entry (transfer_id, account_id, amount, balance_before, balance_after)
       select out.id, a.id, -1, a.balance, a.balance - 1 from out, ledger_account a where a.kind = 'welcome' limit 1`,
    ),
  ).toMatch(/welcome credits are granted/);
  expect(
    await forge(
      `insert into ledger_hold (id, source, user_id, amount, captured, state, kind, created_at, settled_at)
       values ('hld_x', 'turn:x', $1, 5, 5, 'captured', 'turn', 0, 0)`,
      [ada],
    ),
  ).toMatch(/sum of its parts.*exactly what was transferred/);
  expect(
    await forge(
      `insert into gift_intent (id, from_user_id, to_user_id, to_as_sent, amount, status, created_at, expires_at, resolved_at)
       select 'gft_x', $1, id, id, 5, 'confirmed', 0, 0, 0 from app_user where id <> $1 limit 1`,
      [ada],
    ),
  ).toMatch(/gift is confirmed exactly/);
});
