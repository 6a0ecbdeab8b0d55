/**
 * Giving a turn its media: speech, then the talking head, each stored and shown as soon as it is there. Settling a turn
 * (state, media, capture of the hold, version) is one transaction fenced by the attempt, so a job may run twice and
 * charge once.
 */
import type { Rig, VoiceSettings } from '../../engines/ports.ts';
import type { Tx } from '../../kernel/database.ts';
import { PlatformError } from '../../kernel/errors.ts';
import { priceOfSpeech } from '../../kernel/prices.ts';
import { settleHold } from '../../ledger/holds.ts';
import { bumpVersion } from '../conversations/conversation-version.ts';
import { attempt, StaleAttemptError } from '../job-attempts.ts';
import { paidMedia } from '../media.repository.ts';
import type { Platform } from '../platform.ts';
import { captions, dropEarlier, dropMedia, gatherSpeech, type Spoken, withSlug } from '../speech/speech-media.ts';
import type { Voices } from '../speech/voice.service.ts';
import { moveTurn, type TurnChange } from './turn-states.ts';

interface RenderTurn extends Record<string, unknown> {
  id: string;
  conversationId: string;
  attempt: number;
  status: 'pending' | 'audio';
  output: 'audio' | 'video';
  text: string;
  holdId: string | null;
  shareSlug: string | null;
  audioKey: string | null;
  ttsVoiceId: string | null;
  ownerUserId: string;
  imageKey: string | null;
  rig: Rig | null;
}

type Needs = Pick<Platform, 'db' | 'clock' | 'config' | 'notifier' | 'engines' | 'store' | 'log'>;

export class TurnRenders {
  readonly #p: Needs;
  readonly #voices: Voices;

  constructor(platform: Needs, voices: Voices) {
    this.#p = platform;
    this.#voices = voices;
  }

  /**
   * Renders a turn that waits for its media; does nothing when it has ended or has no work left. Throws when trying again may help
   * and `isLastAttempt` is false; else the turn ends in error and its hold goes back.
   */
  async render(turnId: string, isLastAttempt: boolean, signal?: AbortSignal): Promise<void> {
    const turn = await this.#claim(turnId);
    if (!turn) return;
    await dropEarlier(this.#p, turn.attempt, (earlier) => filesOf({ ...turn, attempt: earlier }), turn.audioKey);
    await attempt(this.#p.log, {
      what: { turnId },
      isLastAttempt,
      signal,
      otherwise: 'The media could not be rendered.',
      work: () => this.#work(turn, signal),
      // What was shown is kept: somebody may be listening to it.
      drop: () =>
        dropMedia(
          this.#p,
          filesOf(turn).filter((key) => key !== turn.audioKey),
        ),
      fail: (message) => this.fail(turn, message),
    });
  }

  async #work(turn: RenderTurn, signal?: AbortSignal): Promise<void> {
    const startedAtMs = this.#p.clock.now();
    const spoken = await this.#speak(turn, signal);
    await (turn.output === 'video' ? this.#video(turn, spoken, signal) : this.#audio(turn, spoken));
    const ms = this.#p.clock.now() - startedAtMs;
    this.#p.log.info({ turnId: turn.id, output: turn.output, seconds: spoken.seconds, ms }, 'turn rendered');
  }

  /** Ends a turn in error and gives its hold back; what its attempts stored and nothing shows is removed. */
  async fail(turn: AttemptOf & { holdId: string | null; audioKey: string | null }, message: string): Promise<void> {
    await this.#p.db.transaction(async (tx) => {
      if (turn.holdId) await settleHold(tx, turn.holdId, 0n, this.#p.clock.now());
      await moveTurn(tx, turn, 'error', { errorMessage: message, streamKey: null });
      bumpVersion(tx, this.#p.notifier, turn.conversationId, { turnIds: [turn.id] });
    });
    await dropEarlier(this.#p, turn.attempt + 1, (one) => filesOf({ ...turn, attempt: one }), turn.audioKey);
  }

  async #claim(turnId: string): Promise<RenderTurn | undefined> {
    const [row] = await this.#p.db.rows<RenderTurn>(
      `with claimed as (
         update turn set attempt = attempt + 1 where id = $1 and output is not null
           and (status = 'pending' or status = 'audio' and output = 'video') returning *)
       select t.id, t.conversation_id as "conversationId", t.attempt, t.status, t.output,
         coalesce(t.avatar_text, t.user_text) as "text", t.hold_id as "holdId", t.share_slug as "shareSlug",
         t.audio_key as "audioKey", a.tts_voice_id as "ttsVoiceId", a.owner_user_id as "ownerUserId", i.media_key as "imageKey", i.rig
       from claimed t join avatar a on a.id = t.voiced_by_avatar_id join conversation c on c.id = t.conversation_id
       left join avatar_image i on i.id = case when t.voiced_by_avatar_id = c.avatar_id then c.image_id
         else (select p.id from avatar_image p where p.avatar_id = a.id and p.is_primary) end`,
      [turnId],
    );
    return row;
  }

  async #speak(turn: RenderTurn, signal?: AbortSignal): Promise<Spoken> {
    const voice: VoiceSettings | undefined = turn.ttsVoiceId
      ? await this.#voices.settingsOf(turn.ttsVoiceId, turn.ownerUserId)
      : undefined;
    if (!voice) throw new PlatformError('BAD_INPUT', 'The avatar lost its voice before the turn was spoken.');
    const query = { text: turn.text, voice, ...(signal ? { signal } : {}) };
    return gatherSpeech(this.#p.engines.speech.stream(query));
  }

  async #audio(turn: RenderTurn, spoken: Spoken): Promise<void> {
    const audioKey = await this.#storeAudio(turn, spoken);
    await this.#settle(turn, spoken, 'audio', { audioKey });
  }

  async #video(turn: RenderTurn, spoken: Spoken, signal?: AbortSignal): Promise<void> {
    const { engines, store } = this.#p;
    const image = turn.imageKey ? await store.readBytes(turn.imageKey) : undefined;
    if (!image) throw new PlatformError('BAD_INPUT', 'The avatar has no image to animate.');
    const streamKey = `${base(turn)}-live.mp4`;
    const audioStored = this.#storeAudio(turn, spoken);
    // Its outcome is awaited below; a failure of the video must not leave it unobserved.
    audioStored.catch(() => {});
    try {
      const pieces: Uint8Array[] = [];
      for await (const piece of engines.talkingHead.render({
        image,
        ...(turn.rig ? { rig: turn.rig } : {}),
        pcm: spoken.pcm,
        rate: spoken.rate,
        marks: spoken.marks,
        ...(signal ? { signal } : {}),
      })) {
        await store.putFragment(streamKey, pieces.length, piece);
        pieces.push(piece);
        // Initialisation and one fragment can be played: viewers start while the rest renders.
        if (pieces.length === 2) await this.#showAudio(turn, spoken, await audioStored, streamKey);
      }
      await store.endFragments(streamKey);
      if (pieces.length < 2) await this.#showAudio(turn, spoken, await audioStored, null);
      const videoKey = `${base(turn)}.mp4`;
      const video = await engines.codec.faststart(Buffer.concat(pieces));
      await store.put(videoKey, video, { contentType: 'video/mp4' });
      await paidMedia(this.#p.db, turn.holdId, videoKey, video.length);
      await this.#settle(turn, spoken, 'video', { videoKey });
    } finally {
      // A file that is stored after the others were dropped would stay for ever.
      await audioStored.catch(() => {});
    }
  }

  async #storeAudio(turn: RenderTurn, spoken: Spoken): Promise<string> {
    // What an earlier attempt has shown stays: somebody may be listening to it.
    if (turn.audioKey) return turn.audioKey;
    const key = `${base(turn)}.m4a`;
    const bytes = await this.#p.engines.codec.encodeAudio(spoken.pcm, spoken.rate);
    await this.#p.store.put(key, bytes, { contentType: 'audio/mp4' });
    await paidMedia(this.#p.db, turn.holdId, key, bytes.length);
    return key;
  }

  /** pending -> audio of a video turn: its sound can be heard and its first fragments be seen. */
  async #showAudio(turn: RenderTurn, spoken: Spoken, audioKey: string, streamKey: string | null): Promise<void> {
    const change = { audioKey, streamKey, ...captions(spoken) };
    await withSlug(this.#p, 't', turn, async (tx, shareSlug) => {
      if (turn.status === 'pending') await moveTurn(tx, turn, 'audio', { ...change, shareSlug });
      else await this.#again(tx, turn, change);
      bumpVersion(tx, this.#p.notifier, turn.conversationId, { turnIds: [turn.id] });
    });
    turn.status = 'audio';
    turn.audioKey = audioKey;
  }

  /** A second attempt shows its own files; the state stays. */
  async #again(tx: Tx, turn: RenderTurn, change: { audioKey: string; streamKey: string | null }): Promise<void> {
    const rows = await tx.rows(
      `update turn set audio_key = $3, stream_key = $4 where id = $1 and attempt = $2 and status = 'audio' returning id`,
      [turn.id, turn.attempt, change.audioKey, change.streamKey],
    );
    if (rows.length === 0) throw new StaleAttemptError(`Turn ${turn.id} was taken over.`);
  }

  /** Ends the turn well: state, media, capture of what was used, version; one transaction. */
  async #settle(turn: RenderTurn, spoken: Spoken, to: 'audio' | 'video', media: TurnChange): Promise<void> {
    await withSlug(this.#p, 't', turn, async (tx, shareSlug) => {
      const price = priceOfSpeech(to, spoken.seconds);
      // Sent together, run one after the other: the ledger's locks come first.
      await Promise.all([
        turn.holdId && settleHold(tx, turn.holdId, price, this.#p.clock.now(), `${to} ${spoken.seconds.toFixed(2)} s`),
        moveTurn(tx, turn, to, { ...media, ...captions(spoken), shareSlug }),
      ]);
      bumpVersion(tx, this.#p.notifier, turn.conversationId, { turnIds: [turn.id] });
    });
  }
}

interface AttemptOf {
  id: string;
  conversationId: string;
  attempt: number;
}

const base = ({ id, conversationId, attempt }: AttemptOf): string =>
  `conversations/${conversationId}/turns/${id}-${attempt}`;

/** Every file that an attempt may store; another attempt's have other names. */
const filesOf = (turn: AttemptOf): string[] => ['.m4a', '.mp4', '-live.mp4'].map((ending) => base(turn) + ending);
