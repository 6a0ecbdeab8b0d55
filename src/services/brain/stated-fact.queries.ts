/**
 * What speakers stated that is still to be remembered, and the mark of what was. Not the ORM's: some run for each reply (two
 * queries by hand take 85 µs, as entities 678; docs/decisions/0002), and what is due is found and taken by one statement, so
 * that no two workers remember it.
 */
import { type Kysely, sql } from 'kysely';
import { prepared, type Tables } from '../../../schema/entities/tables.ts';
import { anyOf } from '../../kernel/prepared.ts';
import type { TurnRequest } from '../turns/turn-plan.rules.ts';

const said = (tables: Kysely<Tables>, isRemembered: boolean) =>
  tables
    .selectFrom('injection as i')
    .innerJoin('conversation as c', 'c.id', 'i.conversation_id')
    .select(['c.avatar_id as avatarId', 'c.client_id as clientId', 'i.request', 'i.created_at as statedAt'])
    .where('i.remembered', '=', sql.lit(isRemembered))
    .$narrowType<{ request: TurnRequest }>();

/** An injection that is not remembered yet. */
export const statedIn = prepared((tables, given: { injectionId: string }) =>
  said(tables, false).where('i.id', '=', given.injectionId),
);

/** One that is. */
export const rememberedIn = prepared((tables, given: { injectionId: string }) =>
  said(tables, true).where('i.id', '=', given.injectionId),
);

/** Memories of a speaker's slice with these words. */
export const statedEntries = prepared((tables, given: { avatarId: string; speakerRef: string; contents: string[] }) =>
  tables
    .selectFrom('brain_entry as p')
    .innerJoin('brain as b', 'b.scope_id', 'p.scope_id')
    .select('p.id')
    .where('b.avatar_id', '=', given.avatarId)
    .where('b.sandbox_id', '=', sql.lit(''))
    .where('p.speaker_ref', '=', given.speakerRef)
    .where('p.content', '=', anyOf(given.contents)),
);

/** Which of an external system's memories these of ours are is known no more. */
export const forgetExternal = prepared((tables, given: { avatarId: string; ids: string[] }) =>
  tables.deleteFrom('brain_external').where('avatar_id', '=', given.avatarId).where('id', '=', anyOf(given.ids)),
);

/** No row where it was remembered before. */
export const markRemembered = prepared((tables, given: { injectionId: string }) =>
  tables
    .updateTable('injection')
    .set({ remembered: true })
    .where('id', '=', given.injectionId)
    .where('remembered', '=', false)
    .returning('id'),
);

/** Takes what is due, the earliest of its speaker, until `takenUntil`. */
export const takeDue = prepared((tables, given: { now: number; takenUntil: number }) =>
  tables
    .updateTable('pending_memory')
    .set((eb) => ({ due_at: given.takenUntil, attempts: eb('attempts', '+', 1) }))
    .where('injection_id', '=', (eb) =>
      eb
        .selectFrom('pending_memory as w')
        .select('w.injection_id')
        .where('w.due_at', '<=', given.now)
        .where(({ exists, not, selectFrom }) =>
          not(
            exists(
              selectFrom('pending_memory as e')
                .select(sql.lit(1).as('one'))
                .whereRef('e.avatar_id', '=', 'w.avatar_id')
                .whereRef('e.speaker_ref', '=', 'w.speaker_ref')
                .where(({ eb: inner, refTuple }) =>
                  inner(refTuple('e.stated_at', 'e.injection_id'), '<', refTuple('w.stated_at', 'w.injection_id')),
                ),
            ),
          ),
        )
        .orderBy('w.due_at')
        .limit(sql.lit(1))
        .forUpdate()
        .skipLocked(),
    )
    .returning(['injection_id as injectionId', 'avatar_id as avatarId', 'stated_at as statedAt', 'attempts']),
);

/** The whole avatar waits until then: what else it has to remember goes to the same system. */
export const delayAvatar = prepared((tables, given: { avatarId: string; injectionId: string; until: number }) =>
  tables
    .updateTable('pending_memory')
    .set({
      due_at: sql`greatest(${given.until}, case when injection_id = ${given.injectionId} then 0 else due_at end)`,
    })
    .where('avatar_id', '=', given.avatarId),
);

/** Removes a fact that no longer waits. */
export const forgetPending = prepared((tables, given: { injectionId: string }) =>
  tables.deleteFrom('pending_memory').where('injection_id', '=', given.injectionId),
);

interface Pending {
  injectionId: string;
  avatarId: string;
  speakerRef: string;
}

/** Notes, once, that an injection is still to be remembered. */
export const notePending = prepared((tables, given: Pending & { statedAt: number; dueAt: number }) =>
  tables
    .insertInto('pending_memory')
    .values({
      injection_id: given.injectionId,
      avatar_id: given.avatarId,
      speaker_ref: given.speakerRef,
      stated_at: given.statedAt,
      due_at: given.dueAt,
    })
    .onConflict((conflict) => conflict.column('injection_id').doNothing()),
);

/** Something else that the speaker stated and that waits. */
export const otherPending = prepared((tables, given: Pending) =>
  tables
    .selectFrom('pending_memory')
    .select('injection_id as id')
    .where('avatar_id', '=', given.avatarId)
    .where('speaker_ref', '=', given.speakerRef)
    .where('injection_id', '<>', given.injectionId)
    .limit(sql.lit(1)),
);
