/**
 * Making a video: its words are spoken, the engine renders, its progress is shown, and success is charged for the
 * seconds it has. Every step is fenced by the attempt; a video that failed or was cancelled leaves no file.
 */
import sharp from 'sharp';
import { VideoGenerationEntity } from '../../../schema/entities/generations.ts';
import type { VideoFile, VideoOrder, VideoPiece } from '../../engines/ports/index.ts';
import { PlatformError } from '../../kernel/errors.ts';
import { priceOfSeconds, videoRate } from '../../kernel/prices.ts';
import { settleHold } from '../../ledger/holds.ts';
import { removeAttemptMedia, removeEarlierMedia } from '../media/attempt-media.service.ts';
import { recordPaidMedia } from '../media/media.repository.ts';
import type { Platform } from '../platform/platform.port.ts';
import { notifyWebhooks } from '../webhooks/webhook-events.queries.ts';
import { type Attempts, StaleAttemptError } from '../work/attempt-failure.rules.ts';
import { runAttempt } from '../work/work-attempt.service.ts';
import { claimVideo, keepOrder, showProgress } from './video.queries.ts';
import { queryOf } from './video-input.service.ts';

type Claimed = Awaited<ReturnType<typeof claimVideo>>[number];

/** Progress is written at most this often. */
const PROGRESS_MS = 400;
/** Where in a video its still is taken: openings fade in, ends fade out. */
const STILL_AT = 0.4;
const STILL_WIDTH = 1280;

type Needs = Pick<Platform, 'db' | 'clock' | 'engines' | 'store' | 'safeFetch' | 'log'>;

export class VideoRenders {
  readonly #p: Needs;

  constructor(platform: Needs) {
    this.#p = platform;
  }

  /** Makes a video that waits for it; does nothing when it has ended. Throws when trying again may help. */
  async render(videoId: string, attempts: Attempts, signal?: AbortSignal): Promise<void> {
    const [row] = await claimVideo(this.#p.db, { id: videoId });
    if (!row) return;
    await this.#removeEarlierMedia(row.id, row.attempt);
    await runAttempt(this.#p, {
      what: { videoId },
      attempts,
      signal,
      otherwise: 'The video could not be rendered.',
      work: () => this.#work(row, signal),
      removeMedia: () => removeAttemptMedia(this.#p, filesOf(row)),
      fail: (message) => this.fail(row, message),
    });
  }

  /** Ends a video in error: its hold goes back, what was fetched for it and what its attempts stored is removed. */
  async fail(row: { id: string; attempt: number; holdId: string | null }, message: string): Promise<void> {
    await this.#p.db.transaction(async (tx) => {
      if (row.holdId) await settleHold(tx, row.holdId, 0n, this.#p.clock.now());
      const mine = { id: row.id, attempt: row.attempt, status: { $in: ['queued', 'rendering'] } } as const;
      const error = { status: 'error', errorMessage: message, seconds: 0, creditCost: 0n } as const;
      const ended = await tx.em.nativeUpdate(VideoGenerationEntity, mine, error);
      if (ended === 0) throw new StaleAttemptError(`Video ${row.id} has ended or was taken over.`);
      notifyWebhooks(tx, 'video', row.id, this.#p.clock.now());
    });
    await this.#removeEarlierMedia(row.id, row.attempt + 1);
    await this.#forget(row.id);
  }

  #removeEarlierMedia(id: string, attempt: number): Promise<void> {
    return removeEarlierMedia(this.#p, attempt, (one) => filesOf({ id, attempt: one }));
  }

  async #work(row: Claimed, signal: AbortSignal | undefined): Promise<void> {
    const startedAtMs = this.#p.clock.now();
    // Ended by the worker that stops, or by this attempt when it finds that it was cancelled or overtaken.
    const own = new AbortController();
    const ending = signal ? AbortSignal.any([signal, own.signal]) : own.signal;
    const query = await queryOf(this.#p, row.userId, row.request, ending);
    let shownAtMs = startedAtMs;
    let made: VideoFile | undefined;
    for await (const piece of this.#p.engines.video.render(query) as AsyncIterable<VideoPiece>) {
      if ('file' in piece) made = piece;
      else if (piece.under !== undefined) await this.#keepOrder(row, piece.under);
      else if (this.#p.clock.now() - shownAtMs >= PROGRESS_MS) {
        shownAtMs = this.#p.clock.now();
        void this.#progress(row, piece.progress).catch((error: unknown) => own.abort(error));
      }
    }
    if (!made) throw new PlatformError('UPSTREAM_FAILED', 'The video engine returned no video.');
    await this.#p.store.put(fileKey(row), made.file, { contentType: 'video/mp4' });
    await recordPaidMedia(this.#p.db, row.holdId, fileKey(row), made.file.length);
    await this.#settle(row, made, await this.#keepStill(row, made));
    await this.#forget(row.id);
    const ms = this.#p.clock.now() - startedAtMs;
    this.#p.log.info({ videoId: row.id, seconds: made.seconds, ms }, 'video rendered');
  }

  /** An image of the video for its card and its player; a video without one is a video all the same. */
  async #keepStill(row: Claimed, { file, seconds }: VideoFile): Promise<string | null> {
    const key = stillKey(row);
    try {
      const [frame] = await this.#p.engines.codec.decodeFrames(file, [seconds * STILL_AT * 1000], {
        owner: row.userId,
      });
      if (!frame) return null;
      const { width, height, rgba } = frame;
      const still = sharp(rgba, { raw: { width, height, channels: 4 } }).resize({
        width: STILL_WIDTH,
        withoutEnlargement: true,
      });
      await this.#p.store.put(key, await still.removeAlpha().jpeg({ quality: 85 }).toBuffer(), {
        contentType: 'image/jpeg',
      });
      return key;
    } catch (error) {
      this.#p.log.warn({ err: error, videoId: row.id }, 'video still not made');
      return null;
    }
  }

  /** Before anything is waited for: a worker that dies now must not have the video made, and paid for, once more. */
  async #keepOrder(row: Claimed, under: VideoOrder | null): Promise<void> {
    const { id, attempt } = row;
    const kept = await keepOrder(this.#p.db, { id, attempt, order: JSON.stringify(under ? { under } : {}) });
    if (kept.length === 0) throw new StaleAttemptError(`Video ${row.id} has ended or was taken over.`);
  }

  /** Shows how far it is; throws when this attempt no longer has it. */
  async #progress(row: Claimed, share: number): Promise<void> {
    const kept = await showProgress(this.#p.db, { id: row.id, attempt: row.attempt, share });
    if (kept.length === 0) throw new StaleAttemptError(`Video ${row.id} has ended or was taken over.`);
  }

  /** Ends a video well: billed once, for the seconds it has. */
  async #settle(row: Claimed, made: VideoFile, still: string | null): Promise<void> {
    const price = priceOfSeconds(videoRate(row.request), made.seconds);
    await this.#p.db.transaction(async (tx) => {
      const memo = `${row.request.model} ${made.seconds.toFixed(2)} s`;
      const billed = await settleHold(tx, row.holdId, price, this.#p.clock.now(), memo);
      const mine = { id: row.id, attempt: row.attempt, status: 'rendering' } as const;
      const moved = await tx.em.nativeUpdate(VideoGenerationEntity, mine, {
        status: 'ready',
        progress: 1,
        mediaKey: fileKey(row),
        seconds: made.seconds,
        creditCost: billed ?? 0n,
        width: made.width,
        height: made.height,
        seed: made.seed,
        stillKey: still,
      });
      if (moved === 0) throw new StaleAttemptError(`Video ${row.id} has ended or was taken over.`);
      notifyWebhooks(tx, 'video', row.id, this.#p.clock.now());
    });
  }

  /** What was fetched for a video is of no use once it has ended. */
  async #forget(videoId: string): Promise<void> {
    await this.#p.store
      .removePrefix(`videos/${videoId}/`)
      .catch((error: unknown) => this.#p.log.warn({ err: error, videoId }, 'media not removed'));
  }
}

const filesOf = (row: { id: string; attempt: number }): string[] => [fileKey(row), stillKey(row)];
const stillKey = (row: { id: string; attempt: number }): string => `videos/${row.id}-${row.attempt}.jpg`;
const fileKey = (row: { id: string; attempt: number }): string => `videos/${row.id}-${row.attempt}.mp4`;
