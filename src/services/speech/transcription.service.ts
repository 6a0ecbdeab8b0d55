/**
 * Speech as text. The recording is opened by a decoder process and goes on as plain mono sound, so that a
 * model is sent the same whatever a browser recorded; nothing of it is kept, and nothing is charged.
 */
import type { TranscribeInput } from '../../../schema/inputs/speech.ts';
import type { Transcript } from '../../../schema/speech.ts';
import type { Principal } from '../../auth/principal.ts';
import { wavFile } from '../../engines/wav.ts';
import { badInput, PlatformError } from '../../kernel/errors.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { upstreamFailure } from '../../kernel/remote-calls.ts';
import { runAsAccount } from '../../kernel/work-account.ts';
import type { Platform } from '../platform/platform.port.ts';

type Needs = Pick<Platform, 'engines' | 'clock' | 'log'>;

export class Transcriptions {
  readonly #p: Needs;

  constructor(platform: Needs) {
    this.#p = platform;
  }

  /** Whether transcription is configured: pages offer the microphone by it. */
  get areThere(): boolean {
    return this.#p.engines.transcription !== undefined;
  }

  /**
   * The words of a recording; `text` is empty where nothing was said. Throws BAD_INPUT for what is no recording or too
   * long, UNAVAILABLE where no transcription is set up, UPSTREAM_FAILED when the model fails.
   */
  async transcribe({ userId }: Pick<Principal, 'userId'>, { audio, language }: TranscribeInput): Promise<Transcript> {
    const { transcription: model, codec } = this.#p.engines;
    if (!model) {
      throw new PlatformError('UNAVAILABLE', 'Speech is not understood here: TRANSCRIPTION_MODEL is not set.');
    }
    if (audio.length === 0) throw badInput('audio', 'is empty.');
    if (audio.length > LIMITS.spokenBytes) throw new PlatformError('TOO_LARGE');
    const startedAtMs = this.#p.clock.now();
    const rules = { field: 'audio', owner: userId, maxSeconds: LIMITS.spokenSeconds };
    const { pcm, rate } = await codec.decodeAudio(audio, rules);
    const seconds = pcm.length / rate;
    // Providers read their own options alone.
    const [provider = ''] = model.provider.split('.');
    const text = await runAsAccount(userId, async () => {
      try {
        const heard = await model.doGenerate({
          audio: wavFile([pcm], rate),
          mediaType: 'audio/wav',
          ...(language ? { providerOptions: { [provider]: { language } } } : {}),
        });
        return heard.text;
      } catch (error) {
        throw upstreamFailure('The transcription service failed.', error);
      }
    });
    const ms = this.#p.clock.now() - startedAtMs;
    this.#p.log.info({ userId, seconds, ms }, 'speech transcribed');
    return { text: text.replaceAll('\0', '').trim().toWellFormed(), seconds };
  }
}
