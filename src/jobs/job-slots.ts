/**
 * Jobs of turns lie in partitions by the time at which they were enqueued, and their ids say which: such an id begins with all ones
 * and the number of a slot of time. Slots come round, so that statements which name one in their text are few. Other
 * jobs have random ids, as those of releases before have; all of them lie before the first slot (docs/decisions/0023-partitions-of-turns-and-jobs.md).
 */
import { randomUUID } from 'node:crypto';
import type { JobKind } from '../kernel/job-kinds.ts';

/** How many there are (`add_partition` of src/migrations/0076_job_partitions.ts). */
const SLOTS = 8;

const START = 'ffffffff-0';

/** Steps of time that ids of a slot are in the order of: a page of the index takes those of now. */
const STEPS = 0x100000;

/** What comes with each turn and ends in minutes. */
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

/** The ids of a slot, or those before or behind all of them: from the first to before the second. */
export interface IdRange {
  from: string;
  to: string;
}

/** The first id of a slot. */
const firstOf = (slot: number): string => `${START}${slot}00-0000-0000-000000000000`;

/** What is behind the slots: a random id may be. */
const BEHIND: IdRange = { from: firstOf(SLOTS), to: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };

/** The others, in their order. */
const RANGES: readonly IdRange[] = [
  { from: '00000000-0000-0000-0000-000000000000', to: firstOf(0) },
  ...Array.from({ length: SLOTS }, (_, slot) => ({ from: firstOf(slot), to: firstOf(slot + 1) })),
];

/** The range that an id is in; always the same object of one range. */
export const rangeOf = (id: string): IdRange => RANGES.find(({ to }) => id < to) ?? BEHIND;
