/**
 * `npm run reset-password -- <email>` prints a link that sets a new password for an account, once and for 30 minutes: for
 * instances that send no mail. Following it signs the user out everywhere.
 */
import { pino } from 'pino';
import { openSchema } from '../app/open-schema.ts';
import { AuditLog } from '../auth/audit-log.ts';
import { PASSWORD_COST } from '../auth/passwords.ts';
import { systemClock } from '../kernel/clock.ts';
import { type Config, ConfigError, readDataConfig } from '../kernel/config.ts';
import { openDatabase } from '../kernel/database.ts';
import { AccountLinks } from '../services/accounts/account-links.service.ts';
import { withDatabase } from './database.ts';
import { readWords, runCommand, say } from './program.ts';

const USAGE = `npm run reset-password -- <email>
  Prints a link that sets a new password for this account, once and for 30 minutes. It is a link of the address that the
  variables say: give PORT, BASE_URL and SITE_URL as the platform has them.`;

async function main(words: readonly string[]): Promise<void> {
  const [email, ...more] = readWords(words, {}).positionals;
  if (!email || more.length > 0) throw new ConfigError('Name the e-mail address of one account.');
  // Besides the data: where the site is, and who has a configured password.
  const config = readDataConfig(process.env, ['PORT', 'BASE_URL', 'SITE_URL', 'OPERATOR_EMAILS', 'OPERATOR_PASSWORD']);
  await withDatabase(config, async (url) => {
    say(await linkFor(url, config, email));
  });
}

async function linkFor(url: string, config: Config, email: string): Promise<string> {
  const db = await openDatabase(openSchema(url, 2));
  const nothing = (): never => {
    throw new Error('No mail is sent here.');
  };
  const ports = {
    db,
    config,
    clock: systemClock,
    log: pino({ level: 'silent' }),
    audit: new AuditLog({ db, clock: systemClock }),
    jobs: { enqueue: nothing },
    notifier: { emit: nothing },
    passwordCost: PASSWORD_COST,
  };
  return new AccountLinks(ports, undefined, { confirm: nothing }).resetLink(email).finally(() => db.close());
}

runCommand(USAGE, main);
