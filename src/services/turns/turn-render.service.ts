/**
 * Renders the media of a turn: speech, then the talking head, each stored and shown as soon as it is ready. Settling a turn
 * (state, media, capture of the hold, version) is one transaction, fenced by the attempt, so that a job that runs twice
 * charges once.
 */
import { TurnEntity } from '../../../schema/entities/turns.ts';
import type { RemoteTalkingHead, VoiceSettings } from '../../engines/ports/index.ts';
import type { Tx } from '../../kernel/database.ts';
import { refusedInput } from '../../kernel/errors.ts';
import { priceOfSpeech } from '../../kernel/prices.ts';
import { inPhase, observeTurn } from '../../kernel/work-metrics.ts';
import { sendSettlement, settleHold } from '../../ledger/holds.ts';
import { bumpVersion } from '../conversations/conversation-version.repository.ts';
import { rigOf } from '../images/image-rig.queries.ts';
import { removeAttemptMedia, removeEarlierMedia } from '../media/attempt-media.service.ts';
import { sendPaidMediaRecord } from '../media/media.repository.ts';
import type { Platform } from '../platform/platform.port.ts';
import { renderRemotely } from '../speech/remote-talking-head.service.ts';
import { withShareSlug } from '../speech/share-slug.service.ts';
import { captionColumns, gatherSpeech, type SpeechMedia } from '../speech/speech-media.codec.ts';
import type { Voices } from '../speech/voice.service.ts';
import { type Attempts, StaleAttemptError } from '../work/attempt-failure.rules.ts';
import { runAttempt } from '../work/work-attempt.service.ts';
import { sendTransition, transitionTurn } from './turn-state.repository.ts';
import { attemptAtTurn, claimTurn, keepTurnOrder } from './turn-work.queries.ts';

type RenderTurn = Awaited<ReturnType<typeof claimTurn>>[number];

/** What a job says of the attempt it makes. */
export interface RenderAttempt extends Attempts {
  signal?: AbortSignal | undefined;
  /** Ends the job in the transaction that settles the turn. */
  complete?(tx: Tx): void;
}

type Complete = RenderAttempt['complete'];

type Needs = Pick<Platform, 'db' | 'clock' | 'config' | 'notifier' | 'engines' | 'store' | 'log' | 'jobs'>;

/** Renders a turn: sound first, then the talking head; each is shown as soon as it is there. */
export class TurnRenders {
  readonly #p: Needs;
  readonly #voices: Voices;

  constructor(platform: Needs, voices: Voices) {
    this.#p = platform;
    this.#voices = voices;
  }

  /**
   * Renders a turn that waits for its media; does nothing when the turn has ended. Throws when it failed and another
   * attempt may follow; after the last one the turn ends in error and its hold is released.
   */
  async render(turnId: string, attempt: RenderAttempt): Promise<void> {
    const [turn] = await claimTurn(this.#p.db, { id: turnId, startedJob: null });
    await this.#render(turn, attempt);
  }

  /**
   * Claims a turn for its first attempt, in the transaction that starts its job; `run` then renders it as `render` does. While
   * that transaction commits the turn is spoken, and its sound is written to a file that has no name yet.
   */
  async claim(
    tx: Pick<Tx, 'rows'>,
    given: { id: string; startedJob: string | null },
  ): Promise<{ prepare(): void; drop(): void; run(attempt: RenderAttempt): Promise<void> }> {
    const [turn] = await claimTurn(tx, given);
    const committed = Promise.withResolvers<void>();
    committed.promise.catch(() => {});
    const ending = new AbortController();
    const end = (reason: unknown): void => {
      committed.reject(reason);
      ending.abort(reason);
    };
    let begun: Begun | undefined;
    return {
      prepare: () => {
        if (turn) begun = this.#begin(turn, ending.signal, committed.promise);
      },
      drop: () => end(new Error('The turn was not taken.')),
      run: (attempt) => {
        attempt.signal?.addEventListener('abort', () => end(attempt.signal?.reason), { once: true });
        committed.resolve();
        return this.#render(turn, attempt, begun);
      },
    };
  }

  /** Speaks a turn. The sound of an audio turn is also stored, under its name once `committed` has resolved. */
  #begin(turn: RenderTurn, signal: AbortSignal | undefined, committed?: Promise<void>): Begun {
    const speaking = this.#speak(turn, signal);
    const storing =
      turn.output === 'audio' ? speaking.then((speech) => this.#storeAudio(turn, speech, committed)) : undefined;
    // The next step of the turn awaits both.
    for (const work of [speaking, storing]) work?.catch(() => {});
    return { speaking, storing };
  }

  async #render(
    turn: RenderTurn | undefined,
    { signal, complete, ...attempts }: RenderAttempt,
    begun?: Begun,
  ): Promise<void> {
    if (!turn) return;
    await removeEarlierMedia(this.#p, turn.attempt, (earlier) => filesOf({ ...turn, attempt: earlier }), turn.audioKey);
    await runAttempt(this.#p, {
      what: { turnId: turn.id },
      attempts,
      signal,
      otherwise: 'The media could not be rendered.',
      work: () => this.#work(turn, begun ?? this.#begin(turn, signal), signal, complete),
      // Files that viewers were shown are kept: one may still be playing.
      removeMedia: () =>
        removeAttemptMedia(
          this.#p,
          filesOf(turn).filter((key) => key !== turn.audioKey),
        ),
      fail: (message) => this.fail(turn, message),
    });
  }

  async #work(
    turn: RenderTurn,
    { speaking, storing }: Begun,
    signal: AbortSignal | undefined,
    complete: Complete,
  ): Promise<void> {
    const startedAtMs = this.#p.clock.now();
    const speech = await speaking;
    if (storing) await this.#audio(turn, speech, await storing, complete);
    else await this.#video(turn, speech, signal, complete);
    const ms = this.#p.clock.now() - startedAtMs;
    this.#p.log.info({ turnId: turn.id, output: turn.output, seconds: speech.seconds, ms }, 'turn rendered');
  }

  /** Ends a turn in error, releases its hold and removes the files of its attempts that are not shown. */
  async fail(turn: AttemptOf & { holdId: string | null; audioKey: string | null }, message: string): Promise<void> {
    await this.#p.db.transaction(async (tx) => {
      if (turn.holdId) await settleHold(tx, turn.holdId, 0n, this.#p.clock.now());
      await transitionTurn(tx, turn, 'error', { errorMessage: message, streamKey: null });
      bumpVersion(tx, this.#p, turn.conversationId, { turnIds: [turn.id] });
    });
    await removeEarlierMedia(this.#p, turn.attempt + 1, (one) => filesOf({ ...turn, attempt: one }), turn.audioKey);
  }

  async #speak(turn: RenderTurn, signal?: AbortSignal): Promise<SpeechMedia> {
    const voice: VoiceSettings | undefined = turn.ttsVoiceId
      ? await this.#voices.settingsOf(turn.ttsVoiceId, turn.ownerUserId)
      : undefined;
    if (!voice) throw refusedInput('avatarId', 'The avatar lost its voice before the turn was spoken.');
    const query = { text: turn.text, voice, ...(signal ? { signal } : {}) };
    return inPhase('speech', turn.output, () => gatherSpeech(this.#p.engines.speech.stream(query)));
  }

  async #audio(
    turn: RenderTurn,
    speech: SpeechMedia,
    { key: audioKey, bytes }: Stored,
    complete: Complete,
  ): Promise<void> {
    await this.#settle(turn, speech, 'audio', { audioKey }, bytes, complete);
  }

  async #video(
    turn: RenderTurn,
    speech: SpeechMedia,
    signal: AbortSignal | undefined,
    complete: Complete,
  ): Promise<void> {
    const { engines, store } = this.#p;
    const image = turn.imageKey ? await store.readBytes(turn.imageKey) : undefined;
    if (!image) throw refusedInput('avatarId', 'The avatar has no image to animate.');
    const audioStored = this.#storeAudio(turn, speech);
    // Awaited below. If the video fails first, a rejection here must not be unhandled.
    audioStored.catch(() => {});
    const drawingFromMs = performance.now();
    const ended = new AbortController();
    const remoteSignal = signal ? AbortSignal.any([signal, ended.signal]) : ended.signal;
    const { remoteTalkingHead: remote } = engines;
    let remoteVideo: Promise<Uint8Array> | undefined;
    const show = async (streamKey: string | null) => {
      await this.#showAudio(turn, speech, await audioStored, streamKey);
      // Ordered only now that the sound is stored: an attempt that continues the order needs it.
      remoteVideo = remote && this.#renderRemotely(remote, turn, { image, speech, signal: remoteSignal });
      remoteVideo?.catch(() => {});
    };
    try {
      const isEmbeddedShown = !remote || this.#p.config.TALKING_HEAD_PREVIEW === 'on';
      const pieces = isEmbeddedShown ? await this.#stream(turn, { image, speech, signal }, show) : [];
      if (pieces.length < 2) await show(null);
      const embeddedVideo = () => engines.codec.faststart(Buffer.concat(pieces));
      const keepPreview = (error: unknown): Promise<Uint8Array> => {
        if (pieces.length === 0 || error instanceof StaleAttemptError || signal?.aborted) throw error;
        this.#p.log.warn({ err: error, turnId: turn.id }, 'talking head preview kept');
        // The order is dropped: its video would not be shown any more.
        return keepTurnOrder(this.#p.db, { id: turn.id, attempt: turn.attempt, order: null }).then(embeddedVideo);
      };
      const video = await (remoteVideo?.catch(keepPreview) ?? embeddedVideo());
      observeTurn('talking_head', 'video', performance.now() - drawingFromMs);
      const videoKey = `${base(turn)}.mp4`;
      await inPhase('store', 'video', () => store.put(videoKey, video, { contentType: 'video/mp4' }));
      await this.#settle(turn, speech, 'video', { videoKey }, video.length, complete);
    } finally {
      // The order stays in the turn's row, for the next attempt.
      ended.abort();
      // A file that is stored after the attempt's others were removed would stay for ever.
      await audioStored.catch(() => {});
    }
  }

  /** Renders with the embedded talking head; viewers can watch its fragments meanwhile. */
  async #stream(
    turn: RenderTurn,
    { image, speech, signal }: TalkingHeadInput,
    show: (streamKey: string) => Promise<void>,
  ): Promise<Uint8Array[]> {
    const { engines, store } = this.#p;
    const streamKey = `${base(turn)}-live.mp4`;
    const pieces: Uint8Array[] = [];
    for await (const piece of engines.talkingHead.render({
      image,
      ...rigOf(this.#p, turn),
      pcm: speech.pcm,
      rate: speech.rate,
      marks: speech.marks,
      ...(signal ? { signal } : {}),
    })) {
      await store.putFragment(streamKey, pieces.length, piece);
      pieces.push(piece);
      // The initialisation segment and one fragment are playable: viewers start while the rest renders.
      if (pieces.length === 2) await show(streamKey);
    }
    await store.endFragments(streamKey);
    return pieces;
  }

  #renderRemotely(remote: RemoteTalkingHead, turn: RenderTurn, given: TalkingHeadInput): Promise<Uint8Array> {
    const { db } = this.#p;
    return renderRemotely(
      this.#p,
      remote,
      { ...turn, ...given },
      {
        keep: (order) => keepTurnOrder(db, order),
        attemptNow: () => attemptAtTurn(db, { id: turn.id }),
      },
    );
  }

  /** Key and size of the stored sound; 0 bytes when an earlier attempt stored it. */
  async #storeAudio(turn: RenderTurn, speech: SpeechMedia, allowed?: Promise<void>): Promise<Stored> {
    // Sound that an earlier attempt has shown is kept: it may still be playing.
    if (turn.audioKey) return { key: turn.audioKey, bytes: 0 };
    const key = `${base(turn)}.m4a`;
    return inPhase('store', 'audio', async () => {
      const sound = await this.#p.engines.codec.encodeAudio(speech.pcm, speech.rate);
      await this.#p.store.put(key, sound, { contentType: 'audio/mp4', allowed });
      return { key, bytes: sound.length };
    });
  }

  /** pending -> audio of a video turn: viewers can hear its sound and see the first fragments. */
  async #showAudio(turn: RenderTurn, speech: SpeechMedia, sound: Stored, streamKey: string | null): Promise<void> {
    const change = { audioKey: sound.key, streamKey };
    await withShareSlug(this.#p, 't', turn, async (tx, shareSlug) => {
      if (turn.status === 'pending')
        sendTransition(tx, turn, 'audio', { ...change, ...captionColumns(speech), shareSlug });
      else await this.#replaceShown(tx, turn, change);
      sendPaidMediaRecord(tx, turn.holdId, sound);
      bumpVersion(tx, this.#p, turn.conversationId, { turnIds: [turn.id] });
    });
    if (turn.status === 'pending') this.#observe('shown', turn);
    turn.status = 'audio';
    turn.audioKey = sound.key;
  }

  /** A later attempt replaces the files that are shown; the state stays. */
  async #replaceShown(tx: Tx, turn: RenderTurn, change: { audioKey: string; streamKey: string | null }): Promise<void> {
    const mine = { id: turn.id, attempt: turn.attempt, status: 'audio' } as const;
    const shown = await tx.em.nativeUpdate(TurnEntity, mine, change);
    if (shown === 0) throw new StaleAttemptError(`Turn ${turn.id} was taken over.`);
  }

  /** How long ago the turn was accepted. */
  #observe(phase: 'shown' | 'done', { output, createdAt }: RenderTurn): void {
    observeTurn(phase, output, this.#p.clock.now() - createdAt);
  }

  /** Ends the turn in success: state, media, capture of the price, version; one transaction and one round trip. */
  async #settle(
    turn: RenderTurn,
    speech: SpeechMedia,
    to: 'audio' | 'video',
    media: { audioKey: string } | { videoKey: string },
    bytes: number,
    complete: Complete,
  ): Promise<void> {
    const [key] = Object.values(media) as [string];
    const settle = async (tx: Tx, shareSlug: string): Promise<void> => {
      const price = priceOfSpeech(to, speech.seconds);
      // PostgreSQL runs them in this order: the ledger's locks come first.
      if (turn.holdId)
        sendSettlement(tx, turn.holdId, price, this.#p.clock.now(), `${to} ${speech.seconds.toFixed(2)} s`);
      sendTransition(tx, turn, to, { ...media, ...captionColumns(speech), shareSlug });
      sendPaidMediaRecord(tx, turn.holdId, { key, bytes });
      complete?.(tx);
      bumpVersion(tx, this.#p, turn.conversationId, { turnIds: [turn.id] });
    };
    await inPhase('settle', to, () => withShareSlug(this.#p, 't', turn, settle));
    if (to === 'audio') this.#observe('shown', turn);
    this.#observe('done', turn);
  }
}

/** What a face is to say. */
interface TalkingHeadInput {
  image: Uint8Array;
  speech: SpeechMedia;
  signal: AbortSignal | undefined;
}

/** What a render begins with. */
interface Begun {
  speaking: Promise<SpeechMedia>;
  /** Absent where more than sound is made. */
  storing: Promise<Stored> | undefined;
}

/** A file that was stored, and how large it is. */
interface Stored {
  key: string;
  bytes: number;
}

interface AttemptOf {
  id: string;
  conversationId: string;
  attempt: number;
}

const base = ({ id, conversationId, attempt }: AttemptOf): string =>
  `conversations/${conversationId}/turns/${id}-${attempt}`;

/** Every file that an attempt may store; another attempt's have other names. */
export const filesOf = (turn: AttemptOf): string[] =>
  ['.m4a', '.mp4', '-live.mp4'].map((ending) => base(turn) + ending);
