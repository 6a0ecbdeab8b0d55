/** A model of this machine that writes down what is said. The language is given by `providerOptions.local.language`. */
import type { TranscriptionModelV4 } from '@ai-sdk/provider';
import { PlatformError } from '../../kernel/errors.ts';
import type { Pool } from '../ports/threads.ts';
import { readWav } from '../wav.ts';
import type { InstalledModel } from './installed.ts';
import type { TranscribeTask } from './onnx-thread.ts';

/** What is louder is speech: of silence such models make up words. Full scale is 32 768. */
const SILENCE = 150;

/** `doGenerate` takes 16-bit mono WAV, which is what the platform sends, and rejects with UPSTREAM_FAILED for anything else. */
export function createLocalTranscription(
  { model, models, packages }: InstalledModel<'transcription'>,
  thread: Pool,
): TranscriptionModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'local',
    modelId: model.name,
    async doGenerate({ audio, abortSignal, providerOptions }) {
      const sound = readWav(typeof audio === 'string' ? Buffer.from(audio, 'base64') : audio);
      if (!sound) throw new PlatformError('UPSTREAM_FAILED', 'The transcription model takes 16-bit mono WAV alone.');
      const { language } = providerOptions?.local ?? {};
      const task = {
        ...{ model, models, packages, ...sound },
        // The model knows no regions.
        ...(typeof language === 'string' ? { language: language.split('-')[0]?.toLowerCase() ?? language } : {}),
      } satisfies TranscribeTask;
      const isSilent = !sound.pcm.some((sample) => Math.abs(sample) > SILENCE);
      const text = isSilent ? '' : await thread.run<string>(task, { signal: abortSignal });
      return {
        text,
        segments: [],
        language: undefined,
        durationInSeconds: sound.pcm.length / sound.rate,
        warnings: [],
        response: { timestamp: new Date(), modelId: model.name, headers: undefined },
      };
    },
  };
}
