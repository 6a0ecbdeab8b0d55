/**
 * `npm run jobs -- failed` lists the jobs that failed for good: their workers died again and again, or what they need was
 * away for longer than OUTAGE_SECONDS. `npm run jobs -- retry <id>` (or `all`) gives them more attempts.
 */
import { openSchema } from '../app/open-schema.ts';
import { operatorJobs } from '../jobs/operator-jobs.ts';
import { ConfigError, readConfig } from '../kernel/config.ts';
import { type Database, openDatabase } from '../kernel/database.ts';
import { withDatabase } from './database.ts';
import { readWords, runCommand, say } from './program.ts';

const USAGE = `npm run jobs -- failed
  Lists the jobs that failed for good.
npm run jobs -- retry <id>
  Gives one of them more attempts.
npm run jobs -- retry all
  Gives all of them more attempts.`;

/**
 * Lists or retries failed jobs, as the words of the command line.
 * @param say takes each line of what was found or done
 * @throws ConfigError whose message is for the user of the command
 */
export async function jobs(
  words: readonly string[],
  env: Record<string, string | undefined>,
  say: (text: string) => void,
): Promise<void> {
  const [asked, id, ...more] = readWords(words, {}).positionals;
  const isKnown = asked === 'failed' ? id === undefined : asked === 'retry' && id !== undefined && more.length === 0;
  if (!isKnown) throw new ConfigError('Say what to do: failed, retry <id>, or retry all.');
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

if (import.meta.main) runCommand(USAGE, (words) => jobs(words, process.env, say));
