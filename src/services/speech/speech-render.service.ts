/**
 * Giving a one-shot speech its media: the persona's words first when they are asked for, then the sound,
 * then the talking head. Each step is fenced by the attempt, so a job may run twice and charge once.
 */
import { SpeechGenerationEntity } from '../../../schema/entities/generations.ts';
import type { Tx } from '../../kernel/database.ts';
import { refusedInput } from '../../kernel/errors.ts';
import { LIMITS, truncate } from '../../kernel/limits.ts';
import { priceOfSpeech } from '../../kernel/prices.ts';
import { settleHold } from '../../ledger/holds.ts';
import { rigOf } from '../images/image-rig.queries.ts';
import { removeAttemptMedia, removeEarlierMedia } from '../media/attempt-media.service.ts';
import { recordPaidMedia } from '../media/media.repository.ts';
import type { Platform } from '../platform/platform.port.ts';
import { rewriteUserText } from '../turns/chat-stream.service.ts';
import { notifyWebhooks } from '../webhooks/webhook-events.queries.ts';
import { type Attempts, StaleAttemptError } from '../work/attempt-failure.rules.ts';
import { runAttempt } from '../work/work-attempt.service.ts';
import { renderRemotely } from './remote-talking-head.service.ts';
import { withShareSlug } from './share-slug.service.ts';
import { attemptAtSpeech, claimSpeech, keepSpeechOrder, keepWords } from './speech.queries.ts';
import { gatherSpeech, type SpeechMedia, wordMarks } from './speech-media.codec.ts';
import type { Voices } from './voice.service.ts';

/** States of a one-shot speech. */
export type SpeechStatus = 'pending' | 'audio' | 'video' | 'error';

const SPEECH_MOVES: Record<SpeechStatus, readonly SpeechStatus[]> = {
  pending: ['audio', 'error'],
  audio: ['video', 'error'],
  video: [],
  error: [],
};

type Claimed = Awaited<ReturnType<typeof claimSpeech>>[number];

/** What a move may set beside the status. */
type Change = Partial<
  Pick<SpeechGenerationEntity, 'audioKey' | 'videoKey' | 'shareSlug' | 'errorMessage' | 'marks' | 'seconds'>
>;

type Needs = Pick<Platform, 'db' | 'clock' | 'config' | 'engines' | 'store' | 'log' | 'jobs'>;

/** Renders one-shot speech: sound first, then the talking head. */
export class SpeechRenders {
  readonly #p: Needs;
  readonly #voices: Voices;

  constructor(platform: Needs, voices: Voices) {
    this.#p = platform;
    this.#voices = voices;
  }

  /** Makes what a generation still lacks; does nothing when it has ended. Throws when trying again may help. */
  async render(generationId: string, attempts: Attempts, signal?: AbortSignal): Promise<void> {
    const [row] = await claimSpeech(this.#p.db, { id: generationId });
    if (!row) return;
    await this.#removeEarlierMedia(row, row.attempt);
    await runAttempt(this.#p, {
      what: { generationId },
      attempts,
      signal,
      otherwise: 'The speech could not be rendered.',
      work: () => this.#work(row, signal),
      removeMedia: () =>
        removeAttemptMedia(
          this.#p,
          speechFilesOf(row).filter((key) => key !== row.audioKey),
        ),
      fail: (message) => this.fail(row, message),
    });
  }

  /** Ends a generation in error and gives its hold back; what its attempts stored and nothing shows is removed. */
  async fail(
    row: { id: string; attempt: number; holdId: string | null; audioKey: string | null },
    message: string,
  ): Promise<void> {
    await this.#p.db.transaction(async (tx) => {
      if (row.holdId) await settleHold(tx, row.holdId, 0n, this.#p.clock.now());
      await this.#move(tx, row, 'error', { errorMessage: message });
    });
    await this.#removeEarlierMedia(row, row.attempt + 1);
  }

  #removeEarlierMedia({ id, audioKey }: { id: string; audioKey: string | null }, attempt: number): Promise<void> {
    return removeEarlierMedia(this.#p, attempt, (one) => speechFilesOf({ id, attempt: one }), audioKey);
  }

  async #work(row: Claimed, signal: AbortSignal | undefined): Promise<void> {
    const startedAtMs = this.#p.clock.now();
    const text = await this.#words(row, signal);
    const voice = await this.#voices.settingsOf(row.voiceId, row.ownerUserId);
    if (!voice) throw refusedInput('avatarId', 'The avatar lost its voice before it spoke.');
    const query = { text, voice, ...(row.language ? { language: row.language } : {}), ...(signal ? { signal } : {}) };
    const speech = await gatherSpeech(this.#p.engines.speech.stream(query));
    const audioKey = await this.#storeAudio(row, speech);
    if (row.output === 'audio') await this.#settle(row, speech, { audioKey });
    else {
      if (row.status === 'pending') await this.#showAudio(row, speech, audioKey);
      await this.#settle(row, speech, { videoKey: await this.#video(row, speech, signal) });
    }
    const ms = this.#p.clock.now() - startedAtMs;
    this.#p.log.info({ generationId: row.id, output: row.output, seconds: speech.seconds, ms }, 'speech rendered');
  }

  /** What is said. A rewriting is kept, so that a second attempt says the same. */
  async #words(row: Claimed, signal: AbortSignal | undefined): Promise<string> {
    if (row.textMode === 'literal') return row.text;
    if (row.spokenText !== null) return row.spokenText;
    const how = { task: 'personality', language: row.language, signal } as const;
    const written = await rewriteUserText(this.#p, row, row.text, how);
    const text = truncate(written, LIMITS.speakText);
    const kept = await keepWords(this.#p.db, { id: row.id, attempt: row.attempt, text });
    if (kept.length === 0) throw new StaleAttemptError(`Generation ${row.id} was taken over.`);
    return text;
  }

  async #storeAudio(row: Claimed, speech: SpeechMedia): Promise<string> {
    // What an earlier attempt has shown stays: a user may be listening to it.
    if (row.audioKey) return row.audioKey;
    const key = `${base(row)}.m4a`;
    const bytes = await this.#p.engines.codec.encodeAudio(speech.pcm, speech.rate);
    await this.#p.store.put(key, bytes, { contentType: 'audio/mp4' });
    await recordPaidMedia(this.#p.db, row.holdId, key, bytes.length);
    return key;
  }

  async #video(row: Claimed, speech: SpeechMedia, signal: AbortSignal | undefined): Promise<string> {
    const { db, store } = this.#p;
    const image = row.imageKey ? await store.readBytes(row.imageKey) : undefined;
    if (!image) throw refusedInput('avatarId', 'The avatar has no image to animate.');
    const remote = this.#p.engines.remoteTalkingHead;
    const video = remote
      ? await renderRemotely(
          this.#p,
          remote,
          { ...row, image, speech, signal },
          {
            keep: (order) => keepSpeechOrder(db, order),
            attemptNow: () => attemptAtSpeech(db, { id: row.id }),
          },
        )
      : await this.#own(row, image, speech, signal);
    const key = `${base(row)}.mp4`;
    await store.put(key, video, { contentType: 'video/mp4' });
    await recordPaidMedia(this.#p.db, row.holdId, key, video.length);
    return key;
  }

  /** By the embedded talking head. */
  async #own(
    row: Claimed,
    image: Uint8Array,
    { pcm, rate, marks }: SpeechMedia,
    signal: AbortSignal | undefined,
  ): Promise<Uint8Array> {
    const { engines } = this.#p;
    const pieces: Uint8Array[] = [];
    for await (const piece of engines.talkingHead.render({
      image,
      ...rigOf(this.#p, row),
      pcm,
      rate,
      marks,
      ...(signal && { signal }),
    })) {
      pieces.push(piece);
    }
    return engines.codec.faststart(Buffer.concat(pieces));
  }

  /** pending -> audio of a video: its sound can be heard, and it has its address. */
  async #showAudio(row: Claimed, speech: SpeechMedia, audioKey: string): Promise<void> {
    await withShareSlug(this.#p, 'g', row, (tx, shareSlug) =>
      this.#move(tx, row, 'audio', { audioKey, shareSlug, marks: wordMarks(speech), seconds: speech.seconds }),
    );
    row.status = 'audio';
    row.audioKey = audioKey;
  }

  /** Ends a generation well: state, media, capture of what was used; one transaction. */
  async #settle(row: Claimed, speech: SpeechMedia, media: Change): Promise<void> {
    await withShareSlug(this.#p, 'g', row, async (tx, shareSlug) => {
      const price = priceOfSpeech(row.output, speech.seconds);
      const memo = `${row.output} ${speech.seconds.toFixed(2)} s`;
      if (row.holdId) await settleHold(tx, row.holdId, price, this.#p.clock.now(), memo);
      await this.#move(tx, row, row.output, { ...media, shareSlug, marks: wordMarks(speech), seconds: speech.seconds });
    });
  }

  /** Moves a generation, fenced by the attempt. Throws StaleAttemptError when it has ended or was taken over. */
  async #move(tx: Tx, row: { id: string; attempt: number }, to: SpeechStatus, change: Change): Promise<void> {
    const sources = (Object.keys(SPEECH_MOVES) as SpeechStatus[]).filter((from) => SPEECH_MOVES[from].includes(to));
    const mine = { id: row.id, attempt: row.attempt, status: { $in: sources } };
    const moved = await tx.em.nativeUpdate(SpeechGenerationEntity, mine, { ...change, status: to });
    if (moved === 0) throw new StaleAttemptError(`Generation ${row.id} cannot move to ${to}.`);
    notifyWebhooks(tx, 'speech', row.id, this.#p.clock.now());
  }
}

const base = (row: { id: string; attempt: number }): string => `speech/${row.id}-${row.attempt}`;

/** Every file that an attempt may store. */
export const speechFilesOf = (row: { id: string; attempt: number }): string[] => [
  `${base(row)}.m4a`,
  `${base(row)}.mp4`,
];
