/**
 * A file with what is held of an account, made for its owner by a job: one at a time, deleted after a day. It is written
 * to the store as it is made and never held whole; its owner gets a link that expires.
 */
import type { Readable } from 'node:stream';
import { LockMode } from '@mikro-orm/core';
import { makeZip } from 'client-zip';
import { AccountExportEntity } from '../../../schema/entities/exports.ts';
import type { AccountExport } from '../../../schema/user.ts';
import type { Principal } from '../../auth/principal.ts';
import { DAY_MS, HOUR_MS } from '../../kernel/clock.ts';
import type { Tx } from '../../kernel/database.ts';
import { PlatformError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { inBatches } from '../maintenance/retention-batches.service.ts';
import type { MediaRemovals } from '../media/media-removal.service.ts';
import type { Platform } from '../platform/platform.port.ts';
import { type Attempts, StaleAttemptError } from '../work/attempt-failure.rules.ts';
import { runAttempt } from '../work/work-attempt.service.ts';
import { contentsOf, type ExportList, jsonOf } from './account-export.repository.ts';
import type { AuditEvents } from './audit.service.ts';
import { users } from './user.repository.ts';

/** From the request, and again from the moment that it is ready. */
const EXPORT_MS = DAY_MS;
/** Least time between two exports, unless the first failed. */
const BETWEEN_MS = HOUR_MS;
/** Exports that are removed at once. */
const BATCH = 100;

const README = `This is what is held of your account.

Each .json file is a list, with ids, times (milliseconds since 1970) and amounts as the API has them. Where a line
names a file, as in "audioKey": "conversations/...", that file is below media/ here. A file that was deleted while this
was put together is missing.
`;

type Needs = Pick<Platform, 'db' | 'clock' | 'store' | 'links' | 'jobs' | 'audit' | 'log'>;

const fileOf = (id: string, attempt: number): string => `exports/${id}/account-${attempt}.zip`;

const tooSoon = (ms: number): PlatformError =>
  new PlatformError('RATE_LIMITED', 'An export can be made once an hour.', {
    details: { retryAfterSeconds: Math.ceil(ms / 1_000) },
  });

interface ZipEntry {
  name: string;
  input: string | AsyncIterable<Uint8Array>;
}

/** Asked for, made, looked at, removed. */
export class AccountExports {
  readonly #p: Needs;
  readonly #audit: Pick<AuditEvents, 'own'>;
  readonly #removals: MediaRemovals;

  constructor(platform: Needs, audit: Pick<AuditEvents, 'own'>, removals: MediaRemovals) {
    this.#p = platform;
    this.#audit = audit;
    this.#removals = removals;
  }

  /** Asks for a new one, which replaces the last; while one is being made, that is the answer. 429 within an hour of the last. */
  async start(principal: Principal): Promise<AccountExport> {
    const { userId } = principal;
    const nowMs = this.#p.clock.now();
    return this.#p.db.transaction(async (tx) => {
      // Of two that ask at once one waits for the other, and finds its export.
      await users(tx.em).lock(userId);
      await users(tx.em).holdCaller(userId);
      const last = await tx.em.findOne(AccountExportEntity, { user: userId });
      if (last?.status === 'waiting' && last.expiresAt > nowMs) return this.#show(last);
      const freeAt = last && last.status !== 'failed' ? last.createdAt + BETWEEN_MS : nowMs;
      if (freeAt > nowMs) throw tooSoon(freeAt - nowMs);
      if (last) await this.drop(tx, [last.id]);
      const id = newId('exp', nowMs);
      const made = tx.em.create(AccountExportEntity, {
        ...{ id, user: userId, status: 'waiting', createdAt: nowMs, expiresAt: nowMs + EXPORT_MS },
      });
      await tx.em.flush();
      await this.#p.jobs.enqueue(tx, 'export', { id, account: userId });
      this.#p.audit.record(tx, principal, 'account_exported', { userId, subject: id });
      return this.#show(made);
    });
  }

  /** The caller's last one, with a fresh link where it is ready; null where there is none. */
  async read(principal: Principal): Promise<AccountExport | null> {
    const mine = { user: principal.userId, expiresAt: { $gt: this.#p.clock.now() } };
    const row = await this.#p.db.em().findOne(AccountExportEntity, mine);
    return row && this.#show(row);
  }

  /** The job. */
  async make(id: string, run: Attempts & { signal?: AbortSignal }): Promise<void> {
    const { db, log } = this.#p;
    const row = await db.transaction(async (tx) => {
      const wanted = { id, status: 'waiting' } as const;
      // Behind the lock: two claims at once would share an attempt's number, and its file.
      const waiting = await tx.em.findOne(AccountExportEntity, wanted, { lockMode: LockMode.PESSIMISTIC_WRITE });
      if (waiting) waiting.attempt += 1;
      return waiting;
    });
    if (!row) return;
    const mine = { id, attempt: row.attempt, status: 'waiting' } as const;
    const mediaKey = fileOf(id, row.attempt);
    await runAttempt(this.#p, {
      what: { exportId: id },
      attempts: run,
      signal: run.signal,
      otherwise: 'The export could not be made.',
      work: async () => {
        const bytes = await this.#write(mediaKey, row.user.id, run.signal);
        const ready = { status: 'ready', mediaKey, bytes, expiresAt: this.#p.clock.now() + EXPORT_MS } as const;
        const done = await db.em().nativeUpdate(AccountExportEntity, mine, ready);
        if (done === 0) throw new StaleAttemptError(`Export ${id} has ended or was taken over.`);
        log.info({ exportId: id, bytes }, 'account exported');
      },
      removeMedia: () => this.#p.store.remove(mediaKey),
      fail: () => this.fail(mine),
    });
  }

  /** Ends an export whose job is gone, so that its owner may ask again. @throws StaleAttemptError when it was taken up */
  async fail({ id, attempt }: { id: string; attempt: number }): Promise<void> {
    const lost = { id, attempt, status: 'waiting' } as const;
    const failed = await this.#p.db.em().nativeUpdate(AccountExportEntity, lost, { status: 'failed' });
    if (failed === 0) throw new StaleAttemptError(`Export ${id} has ended or was taken over.`);
    await this.#p.store.remove(fileOf(id, attempt));
  }

  /** Removes what is past its time, until `signal` aborts; how many. */
  async removeOld(signal?: AbortSignal): Promise<number> {
    let removed = 0;
    await inBatches(this.#p.db, { step: 'old exports', signal }, async (tx) => {
      const old = { expiresAt: { $lt: this.#p.clock.now() } };
      const rows = await tx.em.find(AccountExportEntity, old, { fields: ['id'], limit: BATCH });
      await this.drop(
        tx,
        rows.map(({ id }) => id),
      );
      removed += rows.length;
      return rows.length === BATCH;
    });
    return removed;
  }

  /** Removes the account's, in the transaction that deletes the account. */
  async forget(tx: Tx, userId: string): Promise<void> {
    const rows = await tx.em.find(AccountExportEntity, { user: userId }, { fields: ['id'] });
    await this.drop(
      tx,
      rows.map(({ id }) => id),
    );
  }

  async drop(tx: Tx, ids: readonly string[]): Promise<void> {
    await this.#removals.add(tx, { owned: [], others: ids.map((id) => `exports/${id}/`) });
    await tx.em.nativeDelete(AccountExportEntity, { id: { $in: [...ids] } });
  }

  /** Writes the file; returns its size. */
  async #write(mediaKey: string, userId: string, signal?: AbortSignal): Promise<number> {
    const opened = new Set<Readable>();
    let bytes = 0;
    const zip = makeZip(this.#entries(contentsOf(this.#p.db, this.#audit, userId), opened));
    async function* pieces() {
      for await (const piece of zip) {
        signal?.throwIfAborted();
        bytes += piece.length;
        yield piece;
      }
    }
    try {
      await this.#p.store.put(mediaKey, pieces(), { contentType: 'application/zip' });
    } finally {
      // Where the file broke off, the media that it was reading are still open.
      for (const body of opened) body.destroy();
    }
    return bytes;
  }

  /** Each entry is read when the one before is written. */
  async *#entries(lists: readonly ExportList[], opened: Set<Readable>): AsyncGenerator<ZipEntry> {
    yield { name: 'README.txt', input: README };
    for (const { name, rows } of lists) yield { name: `${name}.json`, input: jsonOf(rows()) };
    for (const { mediaKeys } of lists) {
      for await (const key of mediaKeys()) {
        const media = await this.#p.store.read(key);
        if (!media) continue;
        opened.add(media.body);
        yield { name: `media/${key}`, input: media.body };
        opened.delete(media.body);
      }
    }
  }

  #show({ status, createdAt, expiresAt, bytes, mediaKey }: AccountExportEntity): AccountExport {
    const isReady = status === 'ready' && mediaKey != null;
    return {
      status,
      createdAt,
      expiresAt,
      bytes: isReady ? bytes : null,
      url: isReady ? this.#p.links.sign(mediaKey) : null,
    };
  }
}
