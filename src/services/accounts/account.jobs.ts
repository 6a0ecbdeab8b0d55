/** The jobs of accounts: mails, and exports of all that an account holds. */
import { HOUR_MS } from '../../kernel/clock.ts';
import type { JobWork, PeriodicTask, QueueSettings } from '../work/job.port.ts';
import type { AccountExports } from './account-export.service.ts';
import { ACCOUNT_LINK, type AccountLinks } from './account-links.service.ts';
import type { EmailVerification } from './email-verification.service.ts';

/** Queues of accounts. */
export const accountQueues = {
  // An hour of a mail server that is away: a few attempts at once, then one a minute.
  mail: { retryLimit: 60, longestS: 120, spare: 'as many' },
  // An export may read and write 50 GB, so its attempts may be long.
  export: { retryLimit: 10, longestS: 3_600, spare: 'one' },
} satisfies Record<string, QueueSettings>;

/** Mails wait for servers outside of the platform. */
const MAILS_AT_ONCE = 4;

/** The work of accounts in this process. */
export function accountJobs({
  accountLinks,
  emailVerification,
  accountExports,
}: {
  accountLinks: AccountLinks;
  emailVerification: EmailVerification;
  accountExports: AccountExports;
}): Record<keyof typeof accountQueues, JobWork> {
  return {
    mail: {
      atOnce: MAILS_AT_ONCE,
      run: ({ id, ...run }) =>
        id.startsWith(`${ACCOUNT_LINK}_`) ? accountLinks.send(id, run) : emailVerification.send(id, run),
    },
    export: { atOnce: 1, run: ({ id, ...run }) => accountExports.make(id, run) },
  };
}

/** Removes old exports of accounts at intervals. */
export const accountTasks = ({ accountExports }: { accountExports: AccountExports }): PeriodicTask[] => [
  { name: 'export cleanup', everyMs: HOUR_MS, run: (stopping) => accountExports.removeOld(stopping) },
];
