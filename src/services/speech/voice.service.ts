/** Voices: the engine's curated presets, and the custom voices attached to the caller's avatars. */

import { LockMode } from '@mikro-orm/core';
import type { DeletedVoice, Voice } from '../../../schema/avatar.ts';
import { AvatarEntity, CustomVoiceEntity } from '../../../schema/entities/avatars.ts';
import type { CreateCustomVoiceInput, VoiceSampleArgs } from '../../../schema/inputs/avatar.ts';
import type { Principal } from '../../auth/principal.ts';
import type { VoiceSettings } from '../../engines/ports/index.ts';
import { wavFile } from '../../engines/wav.ts';
import type { Tx } from '../../kernel/database.ts';
import { badInput, PlatformError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { keepResult } from '../accounts/idempotency.service.ts';
import { avatars } from '../avatars/avatar.repository.ts';
import type { Platform } from '../platform/platform.port.ts';

/** Every voice says it in its own language. */
const SAMPLE_TEXT = '1, 2, 3, 4, 5.';

const notListed = (field: string): PlatformError => badInput(field, 'is not in your voice list.');

export class Voices {
  readonly #p: Pick<Platform, 'db' | 'clock' | 'engines'>;

  constructor(platform: Pick<Platform, 'db' | 'clock' | 'engines'>) {
    this.#p = platform;
  }

  async list(principal: Principal): Promise<Voice[]> {
    const custom = await this.#p.db
      .em()
      .find(CustomVoiceEntity, { owner: principal.userId }, { orderBy: { createdAt: 'asc' } });
    return [...this.#presets(), ...custom.map((row) => this.#showCustom(row))];
  }

  /** Presets, and the caller's own custom voices, in the order of the ids, else null. For the loader behind `Avatar.voice`. */
  async readAll(principal: Principal | undefined, ids: readonly string[]): Promise<(Voice | null)[]> {
    const byId = new Map<string, Voice>(this.#presets().map((voice) => [voice.id, voice]));
    const others = ids.filter((id) => !byId.has(id));
    const owned = { id: { $in: others }, owner: principal?.userId ?? '' };
    const custom = others.length > 0 && principal ? await this.#p.db.em().find(CustomVoiceEntity, owned) : [];
    for (const row of custom) byId.set(row.id, this.#showCustom(row));
    return ids.map((id) => byId.get(id) ?? null);
  }

  #presets(): Voice[] {
    const voices = this.#p.engines.speech.voices();
    return voices.map(({ id, name, language }) => ({ id, name, source: 'preset', language }));
  }

  #showCustom({ id, name, settings }: CustomVoiceEntity): Voice {
    return { id, name, source: 'custom', language: this.#languageOf(settings.base) };
  }

  /** A custom voice is a preset bent by pitch, rate and timbre; it belongs to one of the caller's avatars. */
  async createCustom(principal: Principal, input: CreateCustomVoiceInput): Promise<Voice> {
    const { name } = input;
    const settings = this.#readSettings(input);
    const createdAt = this.#p.clock.now();
    const id = newId('voc', createdAt);
    const language = this.#languageOf(input.baseVoiceId);
    const made: Voice = { id, name, source: 'custom', language };
    await this.#p.db.transaction(async (tx) => {
      const { avatarId: avatar } = input;
      if (!(await avatars(tx.em).holdOwned(avatar, principal.userId))) {
        throw new PlatformError('NOT_FOUND', 'Avatar not found.');
      }
      tx.em.create(CustomVoiceEntity, { id, owner: principal.userId, avatar, name, settings, createdAt });
      keepResult(tx, principal, made);
    });
    return made;
  }

  /**
   * Deletes a voice of the caller's own. Avatars that speak with it speak with the preset it was made from, or not at all
   * where that is gone; one-shot speech that waits for it ends uncharged. NOT_FOUND for another user's.
   */
  async deleteCustom({ userId }: Principal, voiceId: string): Promise<DeletedVoice> {
    return this.#p.db.transaction(async (tx) => {
      const own = { id: voiceId, owner: userId };
      const voice = await tx.em.findOne(CustomVoiceEntity, own, { lockMode: LockMode.PESSIMISTIC_WRITE });
      if (!voice) throw new PlatformError('NOT_FOUND', 'Voice not found.');
      const { base } = voice.settings;
      const ttsVoiceId = this.#presets().some(({ id }) => id === base) ? base : null;
      const changes = { ttsVoiceId, updatedAt: this.#p.clock.now() };
      const changedAvatars = await tx.em.nativeUpdate(AvatarEntity, { owner: userId, ttsVoiceId: voiceId }, changes);
      tx.em.remove(voice);
      return { deletedId: voiceId, changedAvatars, ttsVoiceId };
    });
  }

  /** A preset may be gone since: what it spoke is not known then. */
  #languageOf(baseVoiceId: string): string {
    return this.#p.engines.speech.voices().find(({ id }) => id === baseVoiceId)?.language ?? 'und';
  }

  /**
   * How a voice would sound before it is made, or a voice of the caller's own as it is: a few words as a WAV file in base64.
   * Free, stored nowhere.
   */
  async sample({ userId }: Principal, input: VoiceSampleArgs): Promise<string> {
    const pieces: Int16Array[] = [];
    let rate = 0;
    const own = await this.#p.db.em().findOne(CustomVoiceEntity, { id: input.baseVoiceId, owner: userId });
    const voice = own?.settings ?? this.#readSettings(input);
    for await (const piece of this.#p.engines.speech.stream({ text: SAMPLE_TEXT, voice })) {
      pieces.push(piece.pcm);
      rate = piece.rate;
    }
    return wavFile(pieces, rate).toString('base64');
  }

  #readSettings(input: VoiceSampleArgs): VoiceSettings {
    const { speech } = this.#p.engines;
    if (!speech.voices().some((voice) => voice.id === input.baseVoiceId)) {
      throw badInput('baseVoiceId', 'is not a preset of the voice list.');
    }
    if (input.variant && !speech.variants().includes(input.variant)) {
      throw badInput('variant', `must be one of ${speech.variants().join(', ')}.`);
    }
    return {
      base: input.baseVoiceId,
      ...(input.variant ? { variant: input.variant } : {}),
      ...(input.pitch == null ? {} : { pitch: input.pitch }),
      ...(input.rate == null ? {} : { rate: input.rate }),
    };
  }

  /** What the engine needs to speak with a voice; undefined when the id names none that this owner may use. */
  async settingsOf(voiceId: string, ownerUserId: string): Promise<VoiceSettings | undefined> {
    if (this.#p.engines.speech.voices().some((voice) => voice.id === voiceId)) return { base: voiceId };
    return (await this.#p.db.em().findOne(CustomVoiceEntity, { id: voiceId, owner: ownerUserId }))?.settings;
  }

  /** Throws 400 unless the caller may give this voice to an avatar. */
  async check(field: string, voiceId: string, ownerUserId: string): Promise<string> {
    if (!(await this.settingsOf(voiceId, ownerUserId))) throw notListed(field);
    return voiceId;
  }

  /**
   * The same in the transaction that gives it: a custom voice is not deleted until that has ended. Throws 400 also where it
   * was deleted while this waited for it.
   */
  async hold({ em }: Pick<Tx, 'em'>, field: string, voiceId: string, ownerUserId: string): Promise<void> {
    if (this.#presets().some(({ id }) => id === voiceId)) return;
    const own = { id: voiceId, owner: ownerUserId };
    const voice = await em.findOne(CustomVoiceEntity, own, { lockMode: LockMode.PESSIMISTIC_READ });
    if (!voice) throw notListed(field);
  }
}
