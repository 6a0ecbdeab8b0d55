/**
 * A million turns in a hundred thousand conversations with ten thousand avatars, made by SQL beside what is there: as many
 * accounts with their ledgers, a share of all of it one account's. Constraints and triggers rest meanwhile.
 */
import pg from 'pg';

const ACCOUNTS = 10_000;
/** Conversations of each account, with ten turns each. */
const EACH = 10;
const TURNS = 10;
/** What the account that is measured has beside. */
const OWN = { conversations: 5_000, turns: 20_000, ledger: 50_000 };

/** An id of these sorts before those that are made now. */
const id = (prefix, number) => `'${prefix}_0' || lpad((${number})::text, 25, '0')`;
const LONG_AGO = '1600000000000';

const STATEMENTS = ({ userId, conversationId }) => [
  `create temp table own as select c.owner_user_id as user_id, c.avatar_id, c.image_id,
    (select max(version) from conversation_turn where conversation_id = c.id) as version,
    (select max(number) from conversation_turn where conversation_id = c.id) as number
    from conversation c where c.id = '${conversationId}'`,
  `insert into app_user (id, email, display_name, created_at)
    select ${id('usr', 'n')}, 'person' || n || '@example.com', 'Person ' || n, ${LONG_AGO} from generate_series(1, ${ACCOUNTS}) n`,
  `insert into ledger_account (id, kind, user_id, balance)
    select 'g:' || id, 'global', id, 1000000 from app_user where id like 'usr_00%'`,
  `insert into avatar (id, owner_user_id, display_name, personality_prompt, publicly_renderable, created_at, updated_at)
    select ${id('avt', 'n')}, ${id('usr', 'n')}, 'Avatar ' || n, repeat('Calm. ', 20), n % 2 = 0, ${LONG_AGO}, ${LONG_AGO}
    from generate_series(1, ${ACCOUNTS}) n`,
  `insert into conversation (id, share_slug, owner_user_id, avatar_id, viewer_token, version, injections, created_at)
    select ${id('cnv', `u * ${EACH} + n`)}, 'c-20-01-' || (u * ${EACH} + n), ${id('usr', 'u')}, ${id('avt', 'u')}, 'token',
      ${TURNS}, ${TURNS / 2}, ${LONG_AGO}
    from generate_series(1, ${ACCOUNTS}) u, generate_series(1, ${EACH}) n`,
  `insert into conversation (id, share_slug, owner_user_id, avatar_id, viewer_token, created_at)
    select ${id('cnv', `(${ACCOUNTS} + 1) * ${EACH} + n`)}, 'c-20-02-' || n, user_id, avatar_id, 'token', ${LONG_AGO}
    from own, generate_series(1, ${OWN.conversations}) n`,
  ...turnsOf(
    `select c.id as cnv, n / 2 + n % 2 as number, n % 2 as part, n as version, c.avatar_id from conversation c, generate_series(1, ${TURNS}) n
      where c.id like 'cnv_00%' and c.version > 0`,
  ),
  // Behind the turns that are there, and of the same kind.
  ...turnsOf(
    `select '${conversationId}' as cnv, number + (n + 1) / 2 as number, n % 2 as part, version + n as version, avatar_id
      from own, generate_series(1, ${OWN.turns}) n`,
  ),
  `update conversation set version = version + ${OWN.turns}, injections = injections + ${OWN.turns / 2} where id = '${conversationId}'`,
  `insert into ledger_transfer (id, source, leg, kind, created_at)
    select ${id('tfr', 'n')}, 'grown:' || n, 'capture', 'turn', ${LONG_AGO} from generate_series(1, 500000) n`,
  `insert into ledger_entry (transfer_id, account_id, amount, balance_before, balance_after)
    select ${id('tfr', 'n')}, 'g:' || case when n <= ${OWN.ledger} then '${userId}' else ${id('usr', `n % ${ACCOUNTS} + 1`)} end,
      -1, 2, 1 from generate_series(1, 500000) n`,
  `insert into ledger_hold (id, source, user_id, amount, captured, state, kind, created_at, settled_at)
    select ${id('hld', 'n')}, 'grown:' || n, case when n <= ${OWN.ledger} then '${userId}' else ${id('usr', `n % ${ACCOUNTS} + 1`)} end,
      1, 1, 'captured', 'turn', ${LONG_AGO}, ${LONG_AGO} from generate_series(1, 500000) n`,
];

/** Injections and turns of what this selects: `cnv`, `number`, `part` (1 the person's, 0 the avatar's), `version`, `avatar_id`. */
function turnsOf(numbered) {
  return [
    `insert into injection (id, conversation_id, number, state, request, created_at, remembered)
      select 'inj_' || cnv || '_' || number, cnv, number, 'done', '{}', ${LONG_AGO}, true from (${numbered}) p where part = 1`,
    `insert into conversation_turn (id, conversation_id, injection_id, number, chunk, role, user_text, avatar_text, status, voiced_by_avatar_id,
        version, created_at)
      select 'trn_' || cnv || '_' || number || '_' || part, cnv, 'inj_' || cnv || '_' || number, number, 1 - part,
        case part when 1 then 'user' else 'avatar' end, case part when 1 then repeat('What did you see? ', 5) end,
        case part when 0 then repeat('I saw the whole of Orion over the cranes. ', 5) end, 'ready', avatar_id, version, ${LONG_AGO}
      from (${numbered}) p`,
  ];
}

/** Grows the database around this account and its conversation. */
export async function grow(databaseUrl, { userId, conversationId, say }) {
  const startedAt = performance.now();
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query("set session_replication_role = 'replica'; set synchronous_commit = off; set work_mem = '64MB'");
    for (const statement of STATEMENTS({ userId, conversationId })) await client.query(statement);
  } finally {
    await client.end();
  }
  say(`grown in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
}
