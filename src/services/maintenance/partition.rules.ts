/** Which partitions the tables should have (docs/decisions/0018-partitions.md). */
import { DAY_MS, HOUR_MS } from '../../kernel/clock.ts';

/** Times from one to another, epoch ms; the last is not in it. Whole hours. */
export interface TimeRange {
  fromMs: number;
  toMs: number;
}

/** The partitions that a table has, by time. */
export interface Made {
  /** The end of the last one, epoch ms; undefined where there is none. */
  endMs: number | undefined;
  /** Rows in the largest. */
  rows: number;
  /** The range that was tried has rows already: a shorter one may have none. */
  isTaken?: boolean;
}

/** How a table is partitioned. */
export interface PartitionRule {
  table: 'account_change' | 'ledger_entry' | 'pgboss.job_common';
  /** How far ahead partitions are made. */
  aheadMs: number;
  /** With less than this ahead an alert is due: no worker makes partitions, or it cannot. */
  lowMs: number;
  /** The range after the existing ones; never one that is past. */
  next(made: Made, nowMs: number): TimeRange;
}

/**
 * Changes of accounts. A partition lasts half the time that changes are kept for, so that there are three or four; past ones are
 * dropped.
 */
export function changePartitions(keepDays: number): PartitionRule {
  const widthMs = (keepDays * DAY_MS) / 2;
  return {
    table: 'account_change',
    aheadMs: widthMs,
    lowMs: widthMs / 2,
    next({ endMs = 0 }, nowMs) {
      const fromMs = Math.max(endMs, Math.floor(nowMs / widthMs) * widthMs);
      return { fromMs, toMs: (Math.floor(fromMs / widthMs) + 1) * widthMs };
    },
  };
}

/**
 * How long a partition of jobs lasts: twice as long as ended jobs are kept, so that there are three. @param keepHours of ended
 * jobs
 */
export const slotMs = (keepHours: number): number => 2 * Math.max(2, keepHours) * HOUR_MS;

/** Jobs of turns, by the time at which they were enqueued (src/jobs/job-slots.ts). */
export function jobPartitions(keepHours: number): PartitionRule {
  const widthMs = slotMs(keepHours);
  return {
    table: 'pgboss.job_common',
    aheadMs: widthMs / 2,
    lowMs: widthMs / 4,
    next({ endMs = 0 }, nowMs) {
      const fromMs = Math.floor(Math.max(endMs, nowMs) / widthMs) * widthMs;
      return { fromMs, toMs: fromMs + widthMs };
    },
  };
}

/** With more entries than this the indexes of a partition fit neither into memory nor, when they are built, into a night. */
const LARGE = 50_000_000;

/** Entries of the ledger, which stay: a year each, so that there are few, and a month each once a partition is large. */
export const LEDGER_PARTITIONS: PartitionRule = {
  table: 'ledger_entry',
  aheadMs: 60 * DAY_MS,
  lowMs: 30 * DAY_MS,
  next({ endMs = 0, rows, isTaken }, nowMs) {
    const now = new Date(nowMs);
    const fromMs = Math.max(endMs, Date.UTC(now.getUTCFullYear(), now.getUTCMonth()));
    const from = new Date(fromMs);
    const [year, month] = [from.getUTCFullYear(), from.getUTCMonth()];
    const isShort = rows > LARGE || isTaken;
    return { fromMs, toMs: isShort ? Date.UTC(year, month + 1) : Date.UTC(year + 1, 0) };
  },
};

/**
 * Turns, by the age of their conversation: one partition takes all until it has so many, then a next one is made for conversations
 * from `aheadMs` on. Until that is there the newest has an end, which is moved when it comes nearer than `lowMs`.
 */
export const TURN_PARTITIONS = {
  table: 'conversation_turn',
  most: 10_000_000,
  aheadMs: 14 * DAY_MS,
  lowMs: 7 * DAY_MS,
} as const;
