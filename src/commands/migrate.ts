/**
 * `npm run migrate` brings the database to this release before its processes start, which they would otherwise do by
 * themselves: a deployment that replaces many at once then sees the migration end, or fail, in one place.
 */
import { pino } from 'pino';
import { openSchema } from '../app/open-schema.ts';
import { openBoss } from '../jobs/queue.ts';
import { readDataConfig } from '../kernel/config.ts';
import { openDatabase } from '../kernel/database.ts';
import { migrate } from '../kernel/migrations.ts';
import { withDatabase } from './database.ts';
import { runCommand, say, takeNoWords } from './program.ts';

const USAGE = `npm run migrate
  Applies the migrations that the database has not seen; a start does the same by itself.`;

/**
 * Applies what the database of these variables has not seen; the tables of jobs too.
 * @param say takes one sentence of what was done
 */
async function migrateDatabase(env: Record<string, string | undefined>, say: (text: string) => void): Promise<void> {
  const config = readDataConfig(env, ['KEEP_JOB_HOURS']);
  await withDatabase(config, async (url) => {
    const db = await openDatabase(openSchema(url, 2));
    try {
      const applied = await migrate(db);
      const log = pino({ level: 'silent' });
      const boss = await openBoss({ db, url, log, work: false, keepHours: config.KEEP_JOB_HOURS });
      await boss.stop({ graceful: false, close: true });
      say(applied.length === 0 ? 'Nothing to migrate.' : `Migrated: ${applied.join(', ')}.`);
    } finally {
      await db.close();
    }
  });
}

if (import.meta.main)
  runCommand(USAGE, async (words) => {
    takeNoWords(words);
    await migrateDatabase(process.env, say);
  });
