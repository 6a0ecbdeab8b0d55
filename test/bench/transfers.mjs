/**
 * Transfers per second through the ledger, over 1 000 accounts and over 4 hot ones, beside the same transfer as bare SQL
 * through `pg` in the same run: lock both in id order, compare, write the transfer, both balances and both entries. Runs
 * on the build in dist/, on a PostgreSQL of its own that syncs as it would in earnest.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { openSchema } from '../../dist/src/app/open-schema.js';
import { startPostgres } from '../../dist/src/embedded-postgres/server.js';
import { openDatabase } from '../../dist/src/kernel/database.js';
import { newId } from '../../dist/src/kernel/ids.js';
import { migrate } from '../../dist/src/kernel/migrations.js';
import { auditLedger } from '../../dist/src/ledger/reads.js';
import { giveGift, grant, lockGiftAccounts } from '../../dist/src/ledger/transfers.js';
import { median } from './support/rows.mjs';

const ROUND_SECONDS = 0.5;
const ROUNDS = 7;
const AT_ONCE = 16;
const HOT = 4;
const GOAL = 0.6;

const directory = await mkdtemp(path.join(os.tmpdir(), 'bench-transfers-'));
const postgres = await startPostgres(directory, { max_connections: '100' });
await postgres.ensureDatabase('bench');
const db = await openDatabase(openSchema(postgres.urlOf('bench'), AT_ONCE));
const pool = new pg.Pool({ connectionString: postgres.urlOf('bench'), max: AT_ONCE });
let failed = false;
try {
  await migrate(db);
  const users = await makeUsers(1_000);
  for (const [name, count] of [
    ['1 000 accounts', 1_000],
    [`${HOT} hot accounts`, HOT],
  ]) {
    const rates = { bare: [], ledger: [] };
    for (const transfer of [bareTransfer, ledgerTransfer]) await measure(users.slice(0, count), transfer);
    // Turn and turn about, so that a slow moment of the machine meets both.
    for (let round = 0; round < ROUNDS; round += 1) {
      rates.bare.push(await measure(users.slice(0, count), bareTransfer));
      rates.ledger.push(await measure(users.slice(0, count), ledgerTransfer));
    }
    const [bare, ledger] = [median(rates.bare), median(rates.ledger)];
    const ratio = median(rates.ledger.map((rate, round) => rate / rates.bare[round]));
    failed ||= ratio < GOAL;
    console.log(
      `transfers, ${name}: ledger ${Math.round(ledger)}/s, bare SQL ${Math.round(bare)}/s, ratio ${ratio.toFixed(2)} (goal >= ${GOAL})`,
    );
  }
  const broken = (await auditLedger(db)).filter((line) => !line.holds && !line.invariant.startsWith('a gift'));
  if (broken.length > 0) throw new Error(`The ledger is not sound: ${JSON.stringify(broken)}`);
} finally {
  await pool.end();
  await db.close();
  await postgres.stop();
  await rm(directory, { recursive: true, force: true });
}
process.exitCode = failed ? 1 : 0;

async function makeUsers(count) {
  const ids = Array.from({ length: count }, () => newId('usr'));
  await db.rows('insert into app_user (id, created_at) select id, 0 from unnest($1::text[]) as u (id)', [ids]);
  await db.transaction(async (tx) => {
    for (const userId of ids)
      await grant(tx, { userId, amount: 1_000_000_000n, source: `bench:${userId}` }, Date.now());
  });
  return ids;
}

/** Transfers per second between random users, AT_ONCE at a time. */
async function measure(users, transfer) {
  let done = 0;
  const end = performance.now() + ROUND_SECONDS * 1_000;
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (performance.now() < end) {
        const from = Math.floor(Math.random() * users.length);
        const to = (from + 1 + Math.floor(Math.random() * (users.length - 1))) % users.length;
        await transfer(users[from], users[to], 1n);
        done += 1;
      }
    }),
  );
  return done / ((performance.now() - startedAt) / 1_000);
}

async function ledgerTransfer(fromUserId, toUserId, amount) {
  const source = newId('bench');
  await db.transaction(async (tx) => {
    const gift = await lockGiftAccounts(tx, fromUserId, toUserId);
    if (gift.transferable < amount) throw new Error('too little');
    await giveGift(tx, gift, { source, fromUserId, toUserId, amount }, Date.now());
  });
}

async function bareTransfer(fromUserId, toUserId, amount) {
  const [from, to, id] = [`g:${fromUserId}`, `g:${toUserId}`, newId('bench')];
  const client = await pool.connect();
  try {
    await client.query('begin');
    const { rows } = await client.query(
      'select id, balance::text, held::text from ledger_account where id in ($1, $2) order by id for no key update',
      [from, to],
    );
    const sender = rows.find((row) => row.id === from);
    if (BigInt(sender.balance) - BigInt(sender.held) < amount) throw new Error('too little');
    await client.query(
      `insert into ledger_transfer (id, source, leg, kind, created_at) values ($1, $1, 'gift', 'gift', $2)`,
      [id, Date.now()],
    );
    await client.query(
      `with moved as (
         update ledger_account a set balance = a.balance + m.amount
         from (values ($1::text, -$3::bigint), ($2::text, $3::bigint)) as m (id, amount)
         where a.id = m.id returning a.id, m.amount, a.balance)
       insert into ledger_entry (transfer_id, account_id, amount, balance_before, balance_after)
       select $4, id, amount, balance - amount, balance from moved`,
      [from, to, String(amount), id],
    );
    await client.query('commit');
  } finally {
    client.release();
  }
}
