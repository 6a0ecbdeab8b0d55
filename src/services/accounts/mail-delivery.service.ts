/** Sends the mail of a job, and decides which failures are worth another attempt. */
import { type Mail, MailError, type Mailer } from '../../mail/mailer.ts';
import { RetryLaterError } from '../work/attempt-failure.rules.ts';

/** After a few immediate attempts, a mail server that is away is tried this often. */
const RETRY_S = 60;

/** The attempt of the job that sends a mail. */
export interface MailAttempt {
  isLastAttempt: boolean;
  signal: AbortSignal;
}

/**
 * The refusal when the server will never take this mail; undefined when it took it. Throws when another attempt may help:
 * none is the last, only slower. `unsent` runs where the mail cannot have arrived.
 */
export async function deliverMail(
  mailer: Mailer,
  mail: Mail,
  run: MailAttempt,
  unsent?: () => Promise<void>,
): Promise<MailError | undefined> {
  try {
    await mailer.send(mail, run.signal);
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    if (!error.mayHaveArrived) await unsent?.();
    if (error.isRefused) return error;
    throw run.isLastAttempt ? new RetryLaterError(RETRY_S, error) : error;
  }
  return undefined;
}
