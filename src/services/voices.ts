/** Voices (api.md 4.2): the engine's curated presets, and the custom voices attached to the caller's avatars. */

import { Avatar, CustomVoice, type Voice } from '../../schema/avatar.ts';
import type { Principal } from '../auth/principal.ts';
import type { VoiceSettings } from '../engines/ports.ts';
import { badInput, PlatformError } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import { LIMITS } from '../kernel/limits.ts';
import { requiredText } from './inputs.ts';
import type { Platform } from './platform.ts';

export interface NewVoice {
  avatarId: string;
  name: string;
  baseVoiceId: string;
  variant?: string | null;
  /** Semitones, -12 to 12. */
  pitch?: number | null;
  /** Speed factor, 0.5 to 2. */
  rate?: number | null;
}

export class Voices {
  readonly #p: Pick<Platform, 'db' | 'clock' | 'engines'>;

  constructor(platform: Pick<Platform, 'db' | 'clock' | 'engines'>) {
    this.#p = platform;
  }

  async list(principal: Principal): Promise<Voice[]> {
    const custom = await this.#p.db.orm.em
      .fork()
      .find(CustomVoice, { ownerUserId: principal.userId }, { orderBy: { createdAt: 'asc' } });
    return [
      ...this.#p.engines.speech.voices().map(({ id, name }) => ({ id, name, source: 'preset' })),
      ...custom.map(({ id, name }) => ({ id, name, source: 'custom' })),
    ];
  }

  /** A custom voice is a preset bent by pitch, rate and timbre; it belongs to one of the caller's avatars. */
  async createCustom(principal: Principal, input: NewVoice): Promise<Voice> {
    const name = requiredText('name', input.name, LIMITS.displayName);
    const { speech } = this.#p.engines;
    if (!speech.voices().some((voice) => voice.id === input.baseVoiceId)) {
      throw badInput('baseVoiceId', 'is not a preset of the voice list.');
    }
    if (input.variant && !speech.variants().includes(input.variant)) {
      throw badInput('variant', `must be one of ${speech.variants().join(', ')}.`);
    }
    if (input.pitch != null && !(Math.abs(input.pitch) <= 12)) throw badInput('pitch', 'must be from -12 to 12.');
    if (input.rate != null && !(input.rate >= 0.5 && input.rate <= 2)) throw badInput('rate', 'must be from 0.5 to 2.');
    const settings: VoiceSettings = {
      base: input.baseVoiceId,
      ...(input.variant ? { variant: input.variant } : {}),
      ...(input.pitch == null ? {} : { pitch: input.pitch }),
      ...(input.rate == null ? {} : { rate: input.rate }),
    };
    const createdAt = this.#p.clock.now();
    const id = newId('voc', createdAt);
    await this.#p.db.transaction(async (tx) => {
      const owned = await tx.em.count(Avatar, { avatarId: input.avatarId, avatarOwnerUserId: principal.userId });
      if (owned === 0) throw new PlatformError('NOT_FOUND', 'Avatar not found.');
      tx.em.create(CustomVoice, {
        id,
        ownerUserId: principal.userId,
        avatarId: input.avatarId,
        name,
        settings,
        createdAt,
      });
    });
    return { id, name, source: 'custom' };
  }

  /** What the engine needs to speak with a voice; undefined when the id names none that this owner may use. */
  async settingsOf(voiceId: string, ownerUserId: string): Promise<VoiceSettings | undefined> {
    if (this.#p.engines.speech.voices().some((voice) => voice.id === voiceId)) return { base: voiceId };
    const [row] = await this.#p.db.rows<{ settings: VoiceSettings }>(
      'select settings from custom_voice where id = $1 and owner_user_id = $2',
      [voiceId, ownerUserId],
    );
    return row?.settings;
  }

  /** Throws 400 unless the caller may give this voice to an avatar. */
  async check(field: string, voiceId: string, ownerUserId: string): Promise<string> {
    if (!(await this.settingsOf(voiceId, ownerUserId))) throw badInput(field, 'is not in your voice list.');
    return voiceId;
  }
}
