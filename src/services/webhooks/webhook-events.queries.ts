/**
 * Records events for webhook endpoints, in the transaction in which they happen. By statements, not the ORM: they are sent with
 * that transaction's other statements and not waited for (as entities three such writes cost 2.7 times as much:
 * docs/decisions/0002); without endpoints they cost one look into an empty table. An event of one subject is recorded once. It
 * holds ids and facts: no text that was said, which would outlive its deletion here, and no signed links.
 */
import { type AliasedExpression, type Expression, type Kysely, type RawBuilder, sql } from 'kysely';
import { prepared, type Tables } from '../../../schema/entities/tables.ts';
import type { Tx } from '../../kernel/database.ts';
import { idsFrom } from '../../kernel/ids.ts';
import { anyOf, sent, unplannedAnyOf } from '../../kernel/prepared.ts';
import type { WebhookEvent } from '../../kernel/webhook-events.ts';

/** What has happened to one thing. */
interface Occurrence {
  id: string;
  event: string;
  /** The account that the work was done for. */
  user_id: string;
  /** The app through which it was made. */
  client_id: string | null;
  data: unknown;
  /** When the thing was made; an endpoint gets no events of what was there before it. */
  since: number;
}

interface At {
  /** `whd_` and the time: see `idsFrom`. */
  head: string;
  nowMs: number;
}

interface Of extends At {
  ids: string[];
}

/** Length of the random tail of an id. A delivery's id ends with those of its subject and its endpoint, so that it is unique. */
const TAIL = sql.lit(16);

const among = (ids: string[]): RawBuilder<string> => anyOf(ids);
const text = <T extends string>(value: T): RawBuilder<T> => sql<T>`${sql.lit(value)}::text`;

/** `turn.failed` and the like where the state is that of a failure, else `turn.completed`. */
const endOf = (kind: string, state: Expression<string | null>, failed: string): RawBuilder<WebhookEvent> =>
  sql<WebhookEvent>`case ${state} when ${sql.lit(failed)} then ${text(`${kind}.failed`)} else ${text(`${kind}.completed`)} end`;

/** The statement that records these events for every endpoint that subscribes to them. */
const notifying = <Given extends At>(
  occurred: (tables: Kysely<Tables>, given: Given) => AliasedExpression<Occurrence, 'o'>,
) =>
  prepared((tables, given: Given) =>
    tables
      .insertInto('webhook_delivery')
      .columns(['id', 'endpoint_id', 'event_type', 'subject_id', 'data', 'due_at', 'begun_at', 'created_at'])
      .expression((eb) =>
        eb
          .selectFrom([occurred(tables, given), 'webhook_endpoint as e'])
          .select([
            sql<string>`${given.head}::text || right(o.id, ${TAIL}) || right(e.id, ${TAIL})`.as('id'),
            'e.id as endpoint_id',
            'o.event as event_type',
            'o.id as subject_id',
            sql<Record<string, unknown>>`o.data`.as('data'),
            sql<number>`${given.nowMs}::bigint`.as('due_at'),
            sql<number>`${given.nowMs}::bigint`.as('begun_at'),
            sql<number>`${given.nowMs}::bigint`.as('created_at'),
          ])
          .where('e.disabled_at', 'is', null)
          .where(sql<boolean>`e.events ? o.event`)
          .whereRef('e.created_at', '<=', 'o.since')
          .where(({ or, and, eb: is, ref }) =>
            or([
              and([is('e.client_id', 'is', null), is('e.user_id', '=', ref('o.user_id'))]),
              is('e.client_id', '=', ref('o.client_id')),
            ]),
          ),
      )
      .onConflict((conflict) => conflict.doNothing()),
  );

/** Avatars' turns that have ended. */
const turns = notifying((tables, given: Of) =>
  tables
    .selectFrom('conversation_turn as t')
    .innerJoin('conversation as c', 'c.id', 't.conversation_id')
    .select(({ ref }) => [
      't.id',
      endOf('turn', ref('t.status'), 'error').as('event'),
      'c.owner_user_id as user_id',
      'c.client_id',
      sql`jsonb_build_object('turnId', ${ref('t.id')}, 'conversationId', ${ref('c.id')}, 'shareSlug',
        ${ref('c.share_slug')}, 'avatarId', ${ref('t.voiced_by_avatar_id')}, 'output', coalesce(${ref('t.output')}, 'text'),
        'status', ${ref('t.status')}, 'errorMessage', ${ref('t.error_message')})`.as('data'),
      't.created_at as since',
    ])
    .where('t.id', '=', unplannedAnyOf(given.ids))
    .where('t.role', '=', sql.lit('avatar'))
    .where(({ ref }) => sql<boolean>`${ref('t.status')} in ('ready', 'error', ${ref('t.output')})`)
    .as('o'),
);

const speech = notifying((tables, given: Of) =>
  tables
    .selectFrom('speech_generation as g')
    .select(({ ref }) => [
      'g.id',
      endOf('speech', ref('g.status'), 'error').as('event'),
      'g.caller_user_id as user_id',
      'g.client_id',
      sql`jsonb_build_object('generationId', ${ref('g.id')}, 'avatarId', ${ref('g.avatar_id')}, 'output',
        ${ref('g.output')}, 'status', ${ref('g.status')}, 'errorMessage', ${ref('g.error_message')})`.as('data'),
      'g.created_at as since',
    ])
    .where('g.id', '=', among(given.ids))
    .where(({ ref }) => sql<boolean>`${ref('g.status')} in ('error', ${ref('g.output')})`)
    .as('o'),
);

const videos = notifying((tables, given: Of) =>
  tables
    .selectFrom('video_generation as g')
    .select(({ ref }) => [
      'g.id',
      endOf('video', ref('g.status'), 'error').as('event'),
      'g.user_id',
      'g.client_id',
      sql`jsonb_build_object('generationId', ${ref('g.id')}, 'slug', ${ref('g.share_slug')}, 'status',
        ${ref('g.status')}, 'errorMessage', ${ref('g.error_message')})`.as('data'),
      'g.created_at as since',
    ])
    .where('g.id', '=', among(given.ids))
    .where('g.status', 'in', ['ready', 'error'])
    .as('o'),
);

const images = notifying((tables, given: Of) =>
  tables
    .selectFrom('image_request as g')
    .select(({ ref }) => [
      'g.id',
      endOf('image', ref('g.state'), 'refused').as('event'),
      'g.user_id',
      'g.client_id',
      sql`jsonb_build_object('imageId', ${ref('g.id')}, 'code', ${ref('g.error')} -> 'code')`.as('data'),
      'g.created_at as since',
    ])
    .where('g.id', '=', among(given.ids))
    .where('g.state', '<>', sql.lit('waiting'))
    .as('o'),
);

const trainings = notifying((tables, given: Of) =>
  tables
    .selectFrom('training as g')
    .innerJoin('avatar as a', 'a.id', 'g.avatar_id')
    .select(({ ref }) => [
      'g.id',
      endOf('training', ref('g.status'), 'failed').as('event'),
      'a.owner_user_id as user_id',
      sql<string | null>`null::text`.as('client_id'),
      sql`jsonb_build_object('trainingId', ${ref('g.id')}, 'avatarId', ${ref('a.id')}, 'passages', ${ref('g.passages')},
        'errorMessage', ${ref('g.error')})`.as('data'),
      'g.requested_at as since',
    ])
    .where('g.id', '=', among(given.ids))
    .where('g.status', 'in', ['trained', 'failed'])
    .as('o'),
);

/** For the recipient, the sender, and the app that proposed it. */
const giftsReceived = notifying((tables, given: Of) =>
  tables
    .selectFrom('gift_intent as g')
    .select(({ ref }) => [
      'g.id',
      text<WebhookEvent>('gift.received').as('event'),
      'g.to_user_id as user_id',
      sql<string | null>`null::text`.as('client_id'),
      sql`jsonb_build_object('intentId', ${ref('g.id')}, 'amount', ${ref('g.amount')} / 1000000.0)`.as('data'),
      // The recipient of credits made no request: all their endpoints that exist by now get the event.
      sql<number>`${given.nowMs}::bigint`.as('since'),
    ])
    .where('g.id', '=', among(given.ids))
    .as('o'),
);
const giftsConfirmed = notifying((tables, given: Of) =>
  tables
    .selectFrom('gift_intent as g')
    .select(({ ref }) => [
      'g.id',
      text<WebhookEvent>('gift.confirmed').as('event'),
      'g.from_user_id as user_id',
      'g.client_id',
      sql`jsonb_build_object('intentId', ${ref('g.id')}, 'amount', ${ref('g.amount')} / 1000000.0)`.as('data'),
      'g.created_at as since',
    ])
    .where('g.id', '=', among(given.ids))
    .as('o'),
);

const ENDED = {
  speech: [speech],
  video: [videos],
  image: [images],
  training: [trainings],
  gift: [giftsReceived, giftsConfirmed],
};

/** Wakes the open feeds of an account (src/services/live/account-feeds.service.ts), behind the commit. */
const waking = (table: string, ...users: RawBuilder<string>[]) =>
  prepared((tables, given: { id: string }) =>
    tables
      .selectFrom(sql<{ id: string }>`${sql.table(table)}`.as('g'))
      .select([sql.lit('avatar_account').as('channel'), sql`unnest(array[${sql.join(users)}])`.as('payload')])
      .where('g.id', '=', given.id),
  );

const OWNERS = {
  speech: waking('speech_generation', sql`g.caller_user_id`),
  video: waking('video_generation', sql`g.user_id`),
  image: waking('image_request', sql`g.user_id`),
  training: waking('training', sql`(select a.owner_user_id from avatar a where a.id = g.avatar_id)`),
  gift: waking('gift_intent', sql`g.from_user_id`, sql`g.to_user_id`),
};

const at = (nowMs: number): At => ({ head: idsFrom('whd', nowMs), nowMs });

/**
 * Records that something has ended in this transaction, for webhooks and account feeds. Call it after the statement that ends it:
 * it reads the row as it is then (not what an entity holds unflushed), and records nothing if that has not ended.
 */
export function notifyWebhooks(tx: Tx, what: keyof typeof ENDED, id: string, nowMs: number): void {
  for (const notify of ENDED[what]) void notify(sent(tx), { ids: [id], ...at(nowMs) });
  const { sql: wake, values } = OWNERS[what].filled({ id });
  tx.notify(wake, values);
}

/** The same for turns, as a statement for the end of the transaction that changes them. */
export const notifyOfTurns = (ids: string[], nowMs: number) => turns.filled({ ids, ...at(nowMs) });
