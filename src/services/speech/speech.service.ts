/**
 * One-shot speech: one text, spoken once by an avatar outside of any conversation. Identical
 * requests meet in one generation, also when they come together; what it sounds like is made by `speech-render.service.ts`.
 */
import { SpeechGenerationEntity } from '../../../schema/entities/generations.ts';
import type { SpeakInput } from '../../../schema/inputs/speech.ts';
import type { SpeakGeneration, SpeechCard } from '../../../schema/speech.ts';
import type { Principal } from '../../auth/principal.ts';
import type { VoiceSettings } from '../../engines/ports/index.ts';
import { isGone } from '../../kernel/constraint-errors.ts';
import type { Tx } from '../../kernel/database.ts';
import { badInput, busy, PlatformError, refusedInput } from '../../kernel/errors.ts';
import { newId, sha256 } from '../../kernel/ids.ts';
import { type Connection, type Keyset, type Listing, type PageRequest, readPage } from '../../kernel/keyset.ts';
import type { SpeakOutput, TextMode } from '../../kernel/media-options.ts';
import { readSlug } from '../../kernel/slugs.ts';
import { lockPayers, settleHold } from '../../ledger/holds.ts';
import { keepResult } from '../accounts/idempotency.service.ts';
import { checkRoom } from '../accounts/quota.service.ts';
import { openRenderHolds } from '../accounts/spending-cap.service.ts';
import { users } from '../accounts/user.repository.ts';
import type { AvatarImages } from '../avatars/avatar-image.service.ts';
import type { MediaRemovals } from '../media/media-removal.service.ts';
import type { Platform } from '../platform/platform.port.ts';
import { estimate } from '../turns/turn-plan.rules.ts';
import { checkWaiting } from '../work/waiting-work.service.ts';
import { identicalSpeech, insertSpeech, ownSpeeches, type SpeechRow, setHold, speaker } from './speech.queries.ts';
import { speeches } from './speech.repository.ts';
import { speechFilesOf } from './speech-render.service.ts';
import type { Voices } from './voice.service.ts';

type SpeakingAvatar = Awaited<ReturnType<typeof speaker>>[number];

/** What of a generation is shown, as it was polled or listed. */
type Shown = Pick<SpeechRow, 'id' | 'status' | 'text' | 'createdAt'> &
  Partial<Pick<SpeechRow, 'audioKey' | 'videoKey' | 'shareSlug' | 'errorMessage'>>;

/** A request that may be spoken: who pays, and what makes it the same as another. */
interface Accepted {
  avatar: SpeakingAvatar;
  voice: VoiceSettings;
  imageId: string | null;
  text: string;
  textMode: TextMode;
  output: SpeakOutput;
  language: string | null;
  payerUserId: string;
  dedupKey: string;
}

const SPEECHES: Listing<{ id: string }> = { name: 'SpeakGeneration', order: 'desc', keyOf: ({ id }) => id };
/** What a speech refers to and goes with its avatar. */
const SPOKEN_BY = [
  'speech_generation_avatar_id_fkey',
  'speech_generation_image_id_fkey',
  'non_owner_spending_avatar_id_fkey',
];
/** A generation may fail, and free its key, between looking for it and making a new one. */
const MEETING_ATTEMPTS = 5;

type Needs = Pick<Platform, 'db' | 'clock' | 'links' | 'config' | 'engines' | 'jobs' | 'log'>;

export class Speeches {
  readonly #p: Needs;
  readonly #images: AvatarImages;
  readonly #voices: Voices;
  readonly #removals: MediaRemovals;

  constructor(platform: Needs, images: AvatarImages, voices: Voices, removals: MediaRemovals) {
    this.#p = platform;
    this.#removals = removals;
    this.#images = images;
    this.#voices = voices;
  }

  /** Accepts a text, or gives the identical request's generation. Throws 400, 402, 403 or 404; then nothing is held. */
  async start(principal: Principal, input: SpeakInput): Promise<SpeakGeneration> {
    const accepted = await this.#accept(principal, input);
    for (let attempt = 1; ; attempt += 1) {
      const [known] = await identicalSpeech(this.#p.db, { dedupKey: accepted.dedupKey });
      if (known) return this.#show(known, true);
      const made = await this.#make(principal, accepted);
      if (made) return made;
      if (attempt === MEETING_ATTEMPTS) throw busy('An identical request keeps failing.');
    }
  }

  /** A generation for the account that asked or the one that pays; an app’s token sees only what its app asked for. Else 404. */
  async read(principal: Principal, generationId: string): Promise<SpeakGeneration> {
    return this.#show(await this.#own(principal, generationId), false);
  }

  /** Those of these that the caller asked for or pays; null for any other. For loaders. */
  async readAll(principal: Principal, ids: readonly string[]): Promise<(SpeakGeneration | null)[]> {
    const { userId, clientId = null } = principal;
    const rows = await ownSpeeches(this.#p.db, { ids, userId, clientId });
    const byId = new Map(rows.map((row) => [row.id, this.#show(row, false)]));
    return ids.map((id) => byId.get(id) ?? null);
  }

  /** What the caller asked for, newest first. */
  list(principal: Principal, page: PageRequest): Promise<Connection<SpeakGeneration>> {
    const read = (keyset: Keyset) => speeches(this.#p.db.em()).askedBy(principal.userId, keyset);
    return readPage(page, SPEECHES, read, (row) => this.#show(row, false));
  }

  async #own(principal: Principal, id: string): Promise<SpeechRow> {
    const { userId, clientId = null } = principal;
    const [row] = await ownSpeeches(this.#p.db, { ids: [id], userId, clientId });
    if (!row) throw new PlatformError('NOT_FOUND', 'Generation not found.');
    return row;
  }

  /** Deletes a generation, for the account that asked or the one that pays, and its files; one that is not ready ends uncharged. Else 404. */
  async delete(principal: Principal, generationId: string): Promise<void> {
    const { id } = await this.#own(principal, generationId);
    await this.#p.db.transaction(async (tx) => {
      const before = await tx.em.findOne(SpeechGenerationEntity, { id });
      // Held nothing any more once it has ended: then this changes nothing.
      if (before?.hold) await settleHold(tx, before.hold.id, 0n, this.#p.clock.now());
      const row = await tx.em.findOne(SpeechGenerationEntity, { id }, { refresh: true });
      if (!row) return;
      await this.#removals.add(tx, {
        owned: [row.audioKey ?? null, row.videoKey ?? null],
        others: Array.from({ length: row.attempt }, (_, index) => speechFilesOf({ id, attempt: index + 1 })).flat(),
      });
      await tx.em.nativeDelete(SpeechGenerationEntity, { id });
    });
    this.#p.log.info({ generationId: id }, 'speech deleted');
  }

  /** The recording behind a `g-` slug, which is the grant. Throws 404 when there is none. */
  async card(text: string): Promise<SpeechCard> {
    const slug = readSlug(text, 'g');
    const row = slug && (await speeches(this.#p.db.em()).withShareSlug(slug));
    if (!row) throw new PlatformError('NOT_FOUND', 'Recording not found.');
    return {
      generation: this.#show(row, false),
      text: row.spokenText ?? row.text,
      words: row.marks ?? null,
      avatarDisplayName: row.avatar.$.displayName ?? null,
      avatarImageUrl: row.image ? this.#p.links.signPublic(row.image.$.mediaKey) : null,
    };
  }

  async #accept(principal: Principal, input: SpeakInput): Promise<Accepted> {
    const { avatarId, text } = input;
    const textMode = input.textMode ?? 'literal';
    const output = input.output ?? 'audio';
    const language = this.#language(input.language);
    const avatar = await this.#avatar(principal, avatarId, input.avatarOwnerUserId ?? principal.userId);
    const voice = avatar.ttsVoiceId && (await this.#voices.settingsOf(avatar.ttsVoiceId, avatar.ownerUserId));
    if (!voice) {
      throw refusedInput('avatarId', 'The avatar has no voice: it cannot speak.');
    }
    const imageId =
      input.avatarImageUrl == null
        ? avatar.imageId
        : (await this.#images.byUrl(avatarId, 'avatarImageUrl', input.avatarImageUrl)).id;
    if (output === 'video' && !imageId) throw refusedInput('avatarId', 'The avatar has no image to animate.');
    const same = [
      principal.userId,
      principal.clientId ?? null,
      avatarId,
      avatar.ttsVoiceId,
      avatar.personalityPrompt,
      imageId,
      text,
      textMode,
      output,
      language,
    ];
    return {
      avatar,
      voice,
      imageId,
      text,
      textMode,
      output,
      language,
      payerUserId: principal.clientCredentials ? principal.userId : avatar.ownerUserId,
      dedupKey: sha256(JSON.stringify(same)),
    };
  }

  #language(language: string | null | undefined): string | null {
    if (language == null) return null;
    if (!this.#p.engines.speech.speaks(language)) throw badInput('language', 'is not one that the voices speak.');
    return language.replaceAll('_', '-').toLowerCase();
  }

  /** The caller's own avatar, or the publicly renderable one of the owner they name (404, 403). */
  async #avatar(principal: Principal, avatarId: string, ownerUserId: string): Promise<SpeakingAvatar> {
    const [avatar] = await speaker(this.#p.db, { avatarId, ownerUserId });
    if (!avatar) throw new PlatformError('NOT_FOUND', 'Avatar not found.');
    if (avatar.ownerUserId !== principal.userId && !avatar.publiclyRenderable) {
      throw new PlatformError('FORBIDDEN', 'This avatar is not publicly renderable.');
    }
    return avatar;
  }

  /** The new generation with its hold and its job; undefined when an identical one came first. */
  async #make(principal: Principal, accepted: Accepted): Promise<SpeakGeneration | undefined> {
    const nowMs = this.#p.clock.now();
    const id = newId('spk', nowMs);
    await checkRoom(this.#p.db, this.#p.config, accepted.payerUserId, 'storageBytes');
    const { avatar, payerUserId, output, voice, text } = accepted;
    const rendering = { avatarId: avatar.id, ownerUserId: avatar.ownerUserId, callerUserId: principal.userId };
    const hold = {
      source: `speech:${id}`,
      kind: 'speech',
      userId: payerUserId,
      amount: estimate(this.#p.engines.speech, output, voice, text, accepted.language ?? undefined),
      revealBalance: payerUserId === principal.userId,
      ...(avatar.ownerUserId === payerUserId ? {} : { creatorUserId: avatar.ownerUserId }),
    };
    const make = async (tx: Tx) => {
      await users(tx.em).holdCaller(principal.userId);
      // The payer before the speech, which locks its avatar: the avatar's deletion locks payers first. A request with the same key,
      // whose payer is the same, waits here too.
      await lockPayers(tx, [hold]);
      if (!(await this.#insert(tx, id, principal, accepted, nowMs))) return undefined;
      await checkWaiting(tx, { account: principal.userId, kinds: ['speak'] });
      const [holdId] = await openRenderHolds(tx, rendering, [hold], nowMs);
      const [row] = await setHold(tx, { id, holdId: holdId! });
      await this.#p.jobs.enqueue(tx, 'speak', { id, account: principal.userId, isQuick: accepted.output === 'audio' });
      const made = this.#show(row!, false);
      keepResult(tx, principal, made);
      return made;
    };
    const made = await this.#p.db.transaction(make).catch((error: unknown) => {
      throw isGone(error, ...SPOKEN_BY) ? new PlatformError('NOT_FOUND', 'Avatar not found.') : error;
    });
    if (made) this.#p.log.info({ generationId: id, output: accepted.output }, 'speech accepted');
    return made;
  }

  async #insert(tx: Tx, id: string, principal: Principal, accepted: Accepted, nowMs: number): Promise<boolean> {
    const { avatar, imageId, text, textMode, output, language, payerUserId, dedupKey } = accepted;
    const rows = await insertSpeech(tx, {
      id,
      callerUserId: principal.userId,
      payerUserId,
      clientId: principal.clientId ?? null,
      avatarId: avatar.id,
      imageId,
      // Speech of an avatar without a voice was refused before.
      voiceId: avatar.ttsVoiceId!,
      dedupKey,
      text,
      textMode,
      output,
      language,
      createdAt: nowMs,
    });
    return rows.length > 0;
  }

  #show(row: Shown, reused: boolean): SpeakGeneration {
    const { links } = this.#p;
    return {
      generationId: row.id,
      status: row.status,
      audioUrl: row.audioKey ? links.sign(row.audioKey) : null,
      videoUrl: row.videoKey ? links.sign(row.videoKey) : null,
      shareSlug: row.shareSlug ?? null,
      reused,
      poll: `/avatars/speak/${row.id}`,
      errorMessage: row.errorMessage ?? null,
      text: row.text,
      createdAt: row.createdAt,
    };
  }
}
