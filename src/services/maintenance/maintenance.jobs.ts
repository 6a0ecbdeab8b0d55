/** Periodic tasks of maintenance: orphaned work, files of deleted things, partitions, and what is past its time. */
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts';
import type { MediaRemovals } from '../media/media-removal.service.ts';
import type { VisitorCleanup } from '../visitors/visitor-cleanup.service.ts';
import type { PeriodicTask } from '../work/job.port.ts';
import type { KeyRotation } from './key-rotation.service.ts';
import type { OrphanReaper } from './orphan-reaper.service.ts';
import type { Partitions } from './partition.service.ts';
import type { Retention } from './retention.service.ts';
import type { RetentionCleanup } from './retention-cleanup.service.ts';

/** How often files of deleted things are looked for that are still in the store. */
const REMOVE_MEDIA_MS = 5 * SECOND_MS;

interface Maintenance {
  orphanReaper: OrphanReaper;
  removals: MediaRemovals;
  partitions: Partitions;
  retentionCleanup: RetentionCleanup;
  visitorCleanup: VisitorCleanup;
  retention: Retention;
  keyRotation: KeyRotation;
}

/** All of maintenance. */
export const maintenanceTasks = (app: Maintenance): PeriodicTask[] => [
  { name: 'orphan reaper', everyMs: MINUTE_MS, run: () => app.orphanReaper.reap() },
  { name: 'media removal', everyMs: REMOVE_MEDIA_MS, run: () => app.removals.round() },
  { name: 'partitions', everyMs: HOUR_MS, run: (stopping) => app.partitions.run(stopping) },
  { name: 'retention cleanup', everyMs: HOUR_MS, run: (stopping) => app.retentionCleanup.run(stopping) },
  { name: 'visitor cleanup', everyMs: HOUR_MS, run: (stopping) => app.visitorCleanup.run(stopping) },
  { name: 'retention', everyMs: HOUR_MS, run: (stopping) => app.retention.run(stopping) },
  { name: 'key rotation', everyMs: HOUR_MS, run: () => app.keyRotation.rotateOld() },
];
