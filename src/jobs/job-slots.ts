/**
 * Jobs of turns are partitioned by the time at which they were enqueued, which their ids say: such an id begins with all ones and
 * the number of a time slot. Slot numbers are used again in turn, so that statements that name one in their text are few. Other
 * jobs, and all of earlier releases, have random ids; all of them sort before the first slot
 * (docs/decisions/0023-partitions-of-turns-and-jobs.md).
 */
import { randomUUID } from 'node:crypto';
import type { JobKind } from '../kernel/job-kinds.ts';

/** How many slots there are (`add_partition` of src/migrations/0076_job_partitions.ts). */
const SLOTS = 8;

const START = 'ffffffff-0';

/** Steps of time within a slot by which its ids are ordered, so that the index pages of recent jobs are few. */
const STEPS = 0x100000;

/** Kinds of job that come with each turn and end within minutes. */
const OF_TURNS: ReadonlySet<JobKind> = new Set(['reply', 'render', 'speak', 'remember']);

/** Whether jobs of this kind have an id that says its slot. */
export const isOfTurns = (kind: JobKind): boolean => OF_TURNS.has(kind);

/** A new id of a slot: version 8 of RFC 9562. @param widthMs how long a slot lasts */
export function idInSlot(nowMs: number, widthMs: number): string {
  const slot = Math.floor(nowMs / widthMs) % SLOTS;
  const step = Math.floor(((nowMs % widthMs) / widthMs) * STEPS)
    .toString(16)
    .padStart(5, '0');
  return `${START}${slot}${step.slice(0, 2)}-8${step.slice(2)}-${randomUUID().slice(19)}`;
}

/** The ids of a slot, or those before or after all slots: from `from`, to before `to`. */
export interface IdRange {
  from: string;
  to: string;
}

/** The first id of a slot. */
const firstOf = (slot: number): string => `${START}${slot}00-0000-0000-000000000000`;

/** After the slots: a random id may lie there too. */
const BEHIND: IdRange = { from: firstOf(SLOTS), to: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };

/** The other ranges, in order. */
const RANGES: readonly IdRange[] = [
  { from: '00000000-0000-0000-0000-000000000000', to: firstOf(0) },
  ...Array.from({ length: SLOTS }, (_, slot) => ({ from: firstOf(slot), to: firstOf(slot + 1) })),
];

/** The range that an id is in; the same object for every id of a range. */
export const rangeOf = (id: string): IdRange => RANGES.find(({ to }) => id < to) ?? BEHIND;
