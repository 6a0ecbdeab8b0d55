/**
 * Idempotency keys as they are stored. Not the ORM's: each is a single statement whose rows say whether it met one, so that of two
 * requests with one key one goes on, and each charging request runs several; what a request did is sent without being
 * waited for, so it costs no round trip (docs/decisions/0002).
 */
import { prepared } from '../../../schema/entities/tables.ts';
import type { KeyedRequest } from '../../auth/principal.ts';

interface Key {
  caller: string;
  key: string;
}

/** The hashes by which a request is recognised when it is sent again. */
export interface RequestHash {
  /** As it was sent. */
  requestHash: string;
  /** With its fields in the order of their names, where a request may come with them in another. */
  sortedHash: string | null;
}

/** Deletes keys that are no longer replayed. */
export const forgetOld = prepared((tables, given: Key & { replayedSince: number; runningSince: number }) =>
  tables
    .deleteFrom('idempotency_key')
    .where('caller', '=', given.caller)
    .where('key', '=', given.key)
    .where(({ eb, or, and }) =>
      or([
        eb('created_at', '<', given.replayedSince),
        and([eb('status', 'is', null), eb('body', 'is', null), eb('created_at', '<', given.runningSince)]),
      ]),
    ),
);

/** Claims a key for a request; no row where it is claimed already. */
export const beginKey = prepared((tables, given: KeyedRequest & RequestHash & { process: number | null }) =>
  tables
    .insertInto('idempotency_key')
    .values({
      caller: given.caller,
      key: given.key,
      request_hash: given.requestHash,
      sorted_hash: given.sortedHash,
      created_at: given.begunAt,
      process: given.process,
    })
    .onConflict((conflict) => conflict.columns(['caller', 'key']).doNothing())
    .returning('key'),
);

/** Reads a key with its stored result. */
export const readKey = prepared((tables, given: Key) =>
  tables
    .selectFrom('idempotency_key')
    .select([
      'request_hash as requestHash',
      'sorted_hash as sortedHash',
      'status',
      'body',
      'created_at as begunAt',
      'process',
    ])
    .where('caller', '=', given.caller)
    .where('key', '=', given.key),
);

/** No row where the key is another request's by now, or its request was answered. */
export const keepBody = prepared((tables, given: KeyedRequest & { result: string }) =>
  tables
    .updateTable('idempotency_key')
    .set({ body: given.result })
    .where('caller', '=', given.caller)
    .where('key', '=', given.key)
    .where('created_at', '=', given.begunAt)
    .where('status', 'is', null)
    .returning('key'),
);

/** Keeps the answer of a key's request. */
export const finishKey = prepared((tables, given: KeyedRequest & { status: number; body: string }) =>
  tables
    .updateTable('idempotency_key')
    .set({ status: given.status, body: given.body })
    .where('caller', '=', given.caller)
    .where('key', '=', given.key)
    .where('created_at', '=', given.begunAt),
);

/** Waits for a transaction that is still to commit, and then finds what it has kept. */
export const releaseKey = prepared((tables, given: KeyedRequest) =>
  tables
    .deleteFrom('idempotency_key')
    .where('caller', '=', given.caller)
    .where('key', '=', given.key)
    .where('created_at', '=', given.begunAt)
    .where('status', 'is', null)
    .where('body', 'is', null),
);

/** From here on the request does not end with the process that began it. No row where the key is another request's by now. */
export const handOver = prepared((tables, given: KeyedRequest) =>
  tables
    .updateTable('idempotency_key')
    .set({ process: null })
    .where('caller', '=', given.caller)
    .where('key', '=', given.key)
    .where('created_at', '=', given.begunAt)
    .returning('key'),
);
