/**
 * Whether an error says that what we depend on (the database, the store of media) is away or overloaded: nothing is wrong
 * with what was asked, and the same may go well in a while.
 */

/**
 * SQLSTATEs: connection exceptions, shutdown, too many connections, no room, cancelled by a time-out, also of a lock, and picked out
 * of transactions that wait in a circle.
 */
const SQL_STATE = /^(?:08\w{3}|57P0\w|53\w{3}|57014|55P03|40P01|25P0[34])$/;
const NETWORK =
  /^(?:ECONN(?:REFUSED|RESET|ABORTED)|EPIPE|E(?:HOST|NET)(?:UNREACH|DOWN)|ETIMEDOUT|EAI_AGAIN|ENOTFOUND)$/;
/** What the clients of PostgreSQL say without a code; MikroORM hands it on in the same words. */
const SENTENCE =
  /^(?:Connection terminated|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|Client was closed|Query read timeout|terminating connection|Cannot use a pool after)/;
/** Errors behind errors that are looked at. */
const DEPTH = 6;

interface Seen {
  code?: unknown;
  message?: unknown;
  name?: unknown;
  cause?: unknown;
  $metadata?: { httpStatusCode?: number };
}

export function isOutage(error: unknown): boolean {
  let seen = error as Seen | null | undefined;
  for (let depth = 0; depth < DEPTH && typeof seen === 'object' && seen !== null; depth += 1) {
    if (says(seen)) return true;
    seen = seen.cause as Seen | undefined;
  }
  return false;
}

function says({ code, message, name, $metadata }: Seen): boolean {
  if (typeof code === 'string' && (SQL_STATE.test(code) || NETWORK.test(code))) return true;
  const status = $metadata?.httpStatusCode ?? 0;
  // The S3 client's own: its time-outs have no status.
  if ($metadata && (status >= 500 || status === 429 || (status === 0 && name === 'TimeoutError'))) return true;
  return typeof message === 'string' && SENTENCE.test(message);
}
