/**
 * `npm run jobs -- failed` lists the jobs that failed for good: their workers died again and again, or what they need was
 * away for longer than OUTAGE_SECONDS. `npm run jobs -- retry <id>` (or `all`) gives them more attempts.
 */
import { openSchema } from '../app/open-schema.ts';
import { operatorJobs } from '../jobs/operator-jobs.ts';
import { ConfigError, readConfig } from '../kernel/config.ts';
import { type Database, openDatabase } from '../kernel/database.ts';
import { withDatabase } from './database.ts';

/**
 * Lists or retries failed jobs, as the words of the command line.
 * @param say takes each line of what was found or done
 * @throws ConfigError whose message is for the user of the command
 */
export async function jobs(
  [asked, id]: readonly string[],
  env: Record<string, string | undefined>,
  say: (text: string) => void,
): Promise<void> {
  if (asked !== 'failed' && !(asked === 'retry' && id))
    throw new ConfigError('Say what to do: failed, retry <id>, or retry all.');
  const { DATABASE_URL, DATA_DIR } = env;
  await withDatabase(readConfig({ DATABASE_URL, DATA_DIR }), async (url) => {
    const db = await openDatabase(openSchema(url, 2));
    await (id ? retry(db, id, say) : list(db, say)).finally(() => db.close());
  });
}

async function list(db: Database, say: (text: string) => void): Promise<void> {
  const found = await operatorJobs(db).failed();
  for (const { jobId, kind, workId, userId, failedAt, attempts, errors, outages } of found) {
    const why = `${attempts} attempts, ${errors} errors, ${outages} outages`;
    say(`${jobId}  ${new Date(failedAt).toISOString()}  ${kind} of ${workId}  account ${userId ?? 'none'}  ${why}`);
  }
  say(found.length === 0 ? 'No job has failed.' : `${found.length} failed.`);
}

async function retry(db: Database, id: string, say: (text: string) => void): Promise<void> {
  const retried = await operatorJobs(db).retry(id === 'all' ? null : id);
  if (id !== 'all' && retried === 0)
    throw new ConfigError(`${id} is no failed job, or another job does its work: see npm run jobs -- failed.`);
  say(`${retried} will be tried again. What has ended meanwhile is not done, nor charged, a second time.`);
}

if (import.meta.main)
  jobs(process.argv.slice(2), process.env, (text) => void process.stdout.write(`${text}\n`)).catch((error: Error) => {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  });
