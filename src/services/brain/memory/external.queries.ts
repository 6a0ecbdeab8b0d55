/**
 * Which of our memories each of an external system's is, and who may read it. Not the ORM's, because a reply asks it for each
 * recall: two queries by hand take 85 µs, as entities 678 (docs/decisions/0002).
 */
import { type ExpressionBuilder, type Kysely, sql } from 'kysely';
import { prepared, type Tables } from '../../../../schema/entities/tables.ts';
import { anyOf, unnest } from '../../../kernel/prepared.ts';

/** Slices of speakers one recall may look into; the newest are taken. */
const MAX_SLICES = 50;

/** A row when this entry of an external brain is noted. */
export const keptExternal = prepared((tables, given: { avatarId: string; system: string; id: string }) =>
  tables
    .selectFrom('brain_external')
    .select('id')
    .where('avatar_id', '=', given.avatarId)
    .where('system', '=', given.system)
    .where('id', '=', given.id)
    .limit(sql.lit(1)),
);

interface NewMapping {
  avatarId: string;
  system: string;
  externalIds: readonly string[];
  id: string;
  sandboxId: string;
  namespace: 'public' | 'private' | 'speaker';
  speakerRef: string | null;
  createdAt: number;
  savedBy: string | null;
}

/** Notes an entry that an external brain has stored. */
export const addExternal = prepared((tables, given: NewMapping) =>
  tables
    .insertInto('brain_external')
    .columns([
      ...(['avatar_id', 'system', 'external_id', 'id', 'sandbox_id'] as const),
      ...(['namespace', 'speaker_ref', 'created_at', 'saved_by'] as const),
    ])
    .expression(
      tables
        .selectFrom(unnest<{ id: string }, 'theirs'>('theirs', { id: ['text', given.externalIds] }))
        .select(({ val }) => [
          val(given.avatarId).as('avatar_id'),
          val(given.system).as('system'),
          'theirs.id as external_id',
          val(given.id).as('id'),
          val(given.sandboxId).as('sandbox_id'),
          val(given.namespace).as('namespace'),
          val(given.speakerRef).as('speaker_ref'),
          val(given.createdAt).as('created_at'),
          val(given.savedBy).as('saved_by'),
        ]),
    )
    .onConflict((conflict) => conflict.columns(['avatar_id', 'system', 'external_id']).doNothing()),
);

/** Which memories of a place a reader may see. */
interface Visible {
  avatarId: string;
  system: string;
  sandboxId: string;
  shared: readonly string[];
  /** Speakers whose slices are seen: these, those that begin so (unless it is empty), or all. */
  refs: readonly string[];
  prefix: string;
  allSpeakers: boolean;
}

const visibleTo = (given: Visible) => (eb: ExpressionBuilder<Tables, 'brain_external'>) =>
  eb.or([
    eb('namespace', '=', sql<'public'>`any(${given.shared}::text[])`),
    eb.and([
      eb('namespace', '=', sql.lit('speaker')),
      eb.or([
        sql<boolean>`${given.allSpeakers}::boolean`,
        eb('speaker_ref', '=', anyOf(given.refs)),
        sql<boolean>`(${given.prefix}::text <> '' and ${eb.ref('speaker_ref')} ^@ ${given.prefix}::text)`,
      ]),
    ]),
  ]);

const inScope = (tables: Kysely<Tables>, given: Visible) =>
  tables
    .selectFrom('brain_external')
    .where('avatar_id', '=', given.avatarId)
    .where('system', '=', given.system)
    .where('sandbox_id', '=', given.sandboxId)
    .where(visibleTo(given));

/** Newest first. */
export const speakersInScope = prepared((tables, given: Visible) =>
  inScope(tables, given)
    .select('speaker_ref')
    .where('namespace', '=', sql.lit('speaker'))
    .groupBy('speaker_ref')
    .orderBy(({ fn }) => fn.max('created_at'), 'desc')
    .limit(sql.lit(MAX_SLICES)),
);

/** Those of the given external ids that are noted in a scope. */
export const knownInScope = prepared((tables, given: Visible & { externalIds: readonly string[] }) =>
  inScope(tables, given)
    .select(['external_id', 'id', 'namespace', 'speaker_ref', 'created_at'])
    .where('external_id', '=', anyOf(given.externalIds)),
);

/** A row for each of theirs. */
export const forgetScope = prepared((tables, given: { avatarId: string; system: string; sandboxId: string }) =>
  tables
    .deleteFrom('brain_external')
    .where('avatar_id', '=', given.avatarId)
    .where('system', '=', given.system)
    .where('sandbox_id', '=', given.sandboxId)
    .returning('id'),
);
