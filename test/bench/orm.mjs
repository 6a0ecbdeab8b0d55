/**
 * What a statement by hand (`prepared`) gains over the entity manager, by kind: docs/decisions/0002 and the headers of the
 * `*.queries.ts` files cite these kinds. Computing is compared, of this process and of its connections' servers, because
 * clock time of what takes several round trips is that of a busy machine's other programs. One process, one connection at a time, commits that do not wait for the disk.
 */
import { readFile } from 'node:fs/promises';
import { LockMode } from '@mikro-orm/core';
import { ConversationEntity } from '../../dist/schema/entities/conversations.js';
import { ImageRequestEntity } from '../../dist/schema/entities/generations.js';
import { LedgerHoldEntity } from '../../dist/schema/entities/ledger.js';
import { prepared } from '../../dist/schema/entities/tables.js';
import { TurnEntity } from '../../dist/schema/entities/turns.js';
import { AuditEventEntity } from '../../dist/schema/entities/users.js';
import { openSchema } from '../../dist/src/app/open-schema.js';
import { openDatabase } from '../../dist/src/kernel/database.js';
import { newId } from '../../dist/src/kernel/ids.js';
import { migrate } from '../../dist/src/kernel/migrations.js';
import { unnest } from '../../dist/src/kernel/prepared.js';
import { findConversation } from '../../dist/src/services/conversations/conversation.queries.js';
import { median, row } from './support/rows.mjs';

const BATCHES = 20;
const TIMES = 20;
/** Batches before those that count: code is compiled, statements are planned. */
const WARM = 4;
const USER = 'usr_bench';
const HOLDS = 1_000;
const SEED = [
  `insert into app_user (id, created_at) values ('${USER}', 1)`,
  `insert into avatar (id, owner_user_id, display_name, created_at, updated_at) values ('avt_bench', '${USER}', 'Nova', 1, 1)`,
  `insert into conversation (id, share_slug, owner_user_id, avatar_id, viewer_token, created_at)
    values ('cnv_bench', 'c-20-01-1', '${USER}', 'avt_bench', 'token', 1)`,
  `insert into injection (id, conversation_id, number, state, request, created_at)
    select 'inj_' || n, 'cnv_bench', n, 'done', '{}', n from generate_series(1, 100) n`,
  `insert into conversation_turn (id, conversation_id, injection_id, number, chunk, role, user_text, status, voiced_by_avatar_id, version, created_at)
    select 'trn_' || n, 'cnv_bench', 'inj_' || n, n, 0, 'user', repeat('How is it there? ', 8), 'ready', 'avt_bench', n, n
    from generate_series(1, 100) n`,
  `insert into ledger_hold (id, source, user_id, amount, kind, created_at)
    select 'hld_' || n, 'bench:' || n, '${USER}', n, 'turn', n from generate_series(1, ${HOLDS}) n`,
  `insert into image_request (id, user_id, request, credit_cost, hold_id, created_at, waited_at)
    select 'img_' || n, '${USER}', '{"prompt": "A harbour at night"}', 1, 'hld_' || n, n, n from generate_series(1, 100) n`,
  'analyze',
  `do $$ begin execute format('alter database %I set synchronous_commit = off', current_database()); end $$`,
];

const requestOfId = prepared((tables, given) =>
  tables
    .selectFrom('image_request')
    .select(['id', 'state', 'attempt', 'hold_id as holdId', 'media_key as mediaKey', 'error'])
    .where('id', '=', given.id),
);
const pageOfTurns = prepared((tables, given) =>
  tables
    .selectFrom('conversation_turn')
    .select([
      'id',
      'number',
      'chunk',
      'role',
      'user_text as userText',
      'avatar_text as avatarText',
      'status',
      'version',
    ])
    .select([
      'output',
      'audio_key as audioKey',
      'video_key as videoKey',
      'error_message as error',
      'created_at as createdAt',
    ])
    .where('conversation_id', '=', given.id)
    .orderBy('number', 'desc')
    .limit(20),
);
const claim = prepared((tables, given) =>
  tables
    .updateTable('image_request')
    .set(({ eb }) => ({ attempt: eb('attempt', '+', 1) }))
    .where('id', '=', given.id)
    .where('state', '=', 'waiting')
    .returning(['id', 'attempt', 'request']),
);
const take = prepared((tables, given) =>
  tables
    .updateTable('image_request')
    .set({ waited_at: given.nowMs })
    .where('id', 'in', (due) =>
      due
        .selectFrom('image_request')
        .select('id')
        .where('state', '=', 'waiting')
        .orderBy('waited_at')
        .limit(10)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['id', 'attempt']),
);
const addEvent = prepared((tables, given) =>
  tables.insertInto('audit_event').values({ id: given.id, user_id: USER, action: 'bench', created_at: given.nowMs }),
);
const addEvents = prepared((tables, given) =>
  tables
    .insertInto('audit_event')
    .columns(['id', 'user_id', 'action', 'created_at'])
    .expression(
      tables
        .selectFrom(unnest('e', { id: ['text', given.ids] }))
        .select(({ val }) => [
          'e.id',
          val(USER).as('user_id'),
          val('bench').as('action'),
          val(given.nowMs).as('created_at'),
        ]),
    ),
);
const heldByKind = prepared((tables, given) =>
  tables
    .selectFrom('ledger_hold')
    .select(({ fn }) => ['kind', fn.sum('amount').as('amount')])
    .where('user_id', '=', given.userId)
    .groupBy('kind'),
);

const ids = (count) => Array.from({ length: count }, () => newId('aud', Date.now()));
const event = (id) => ({ id, userId: USER, action: 'bench', createdAt: Date.now() });
let turn = 0;
const nextId = () => `img_${(turn++ % 100) + 1}`;

/** Each kind both ways: by a statement, and by the entity manager as a repository would do it. */
const kinds = (db) => [
  {
    kind: 'a row by its key',
    statement: () => requestOfId(db, { id: 'img_7' }),
    entities: () => db.em().findOne(ImageRequestEntity, { id: 'img_7' }),
  },
  {
    kind: 'a row with its relations',
    statement: () => findConversation(db, 'cnv_bench'),
    entities: () =>
      db.em().findOne(ConversationEntity, { id: 'cnv_bench' }, { populate: ['avatar', 'image', 'visitor'] }),
  },
  {
    kind: 'a page of 20 rows',
    statement: () => pageOfTurns(db, { id: 'cnv_bench' }),
    entities: () => db.em().find(TurnEntity, { conversation: 'cnv_bench' }, { orderBy: { number: 'desc' }, limit: 20 }),
  },
  {
    kind: 'a fenced write',
    statement: () => claim(db, { id: nextId() }),
    entities: () =>
      db.transaction(async ({ em }) => {
        const waiting = { id: nextId(), state: 'waiting' };
        const request = await em.findOne(ImageRequestEntity, waiting, { lockMode: LockMode.PESSIMISTIC_WRITE });
        request.attempt += 1;
      }),
  },
  {
    kind: 'what is due, taken (10 rows)',
    statement: () => take(db, { nowMs: Date.now() }),
    entities: () =>
      db.transaction(async ({ em }) => {
        const due = await em.find(
          ImageRequestEntity,
          { state: 'waiting' },
          { orderBy: { waitedAt: 'asc' }, limit: 10, lockMode: LockMode.PESSIMISTIC_PARTIAL_WRITE },
        );
        for (const request of due) request.waitedAt = Date.now();
      }),
  },
  {
    kind: 'three writes without waiting',
    statement: () =>
      db.transaction(async (tx) => {
        for (const id of ids(3)) {
          const { sql, values } = addEvent.filled({ id, nowMs: Date.now() });
          tx.send(sql, values);
        }
      }),
    entities: () =>
      db.transaction(async ({ em }) => {
        for (const id of ids(3)) em.create(AuditEventEntity, event(id));
      }),
  },
  {
    kind: '50 rows written',
    statement: () => addEvents(db, { ids: ids(50), nowMs: Date.now() }),
    entities: () =>
      db.transaction(async ({ em }) => {
        for (const id of ids(50)) em.create(AuditEventEntity, event(id));
      }),
  },
  {
    kind: 'a sum over 1 000 rows',
    statement: () => heldByKind(db, { userId: USER }),
    entities: async () => {
      const sums = new Map();
      for (const { kind, amount } of await db
        .em()
        .find(LedgerHoldEntity, { user: USER }, { fields: ['kind', 'amount'] })) {
        sums.set(kind, (sums.get(kind) ?? 0n) + amount);
      }
    },
  },
];

/** What this process and the servers of its connections have computed so far. Linux alone says it of those. */
async function cpuMicros({ pool }) {
  const { user, system } = process.cpuUsage();
  const client = await pool.connect();
  try {
    const { rows } = await client.query(
      "select pid from pg_stat_activity where datname = current_database() and backend_type = 'client backend'",
    );
    const times = await Promise.all(rows.map(({ pid }) => readFile(`/proc/${pid}/schedstat`, 'utf8')));
    return user + system + times.reduce((sum, text) => sum + Number(text.split(' ')[0]) / 1_000, 0);
  } finally {
    client.release();
  }
}

/** Commits do not wait for the disk afterwards: what is measured is not the disk. */
async function seed(databaseUrl) {
  const db = await openDatabase(openSchema(databaseUrl, 4));
  try {
    await migrate(db);
    for (const statement of SEED) await db.rows(statement);
  } finally {
    await db.close();
  }
}

export async function bench({ databaseUrl }) {
  await seed(databaseUrl);
  const db = await openDatabase(openSchema(databaseUrl, 4));
  try {
    const all = kinds(db).map((one) => ({ ...one, took: { statement: [], entities: [] } }));
    for (let batch = -WARM; batch < BATCHES; batch += 1) {
      for (const { statement, entities, took } of all) {
        for (const [way, run] of Object.entries({ statement, entities })) {
          globalThis.gc?.();
          const startedAt = await cpuMicros(db);
          for (let time = 0; time < TIMES; time += 1) await run();
          if (batch >= 0) took[way].push(((await cpuMicros(db)) - startedAt) / TIMES);
        }
      }
    }
    const us = (times) => `${median(times).toFixed(0)} us`;
    return all.map(({ kind, took }) =>
      row({
        figure: `${kind}: by the entity manager, over a statement`,
        measured: us(took.entities),
        baseline: us(took.statement),
        value: median(took.entities) / median(took.statement),
        note: `CPU of client and server, median of ${BATCHES} times ${TIMES}`,
      }),
    );
  } finally {
    await db.close();
  }
}
