/** Chooses the engines of this process from its configuration: the embedded ones, or remote ones in their place. */
import type { Config } from '../kernel/config.ts';
import { createCodec } from './embedded/codec/index.ts';
import { createFaceDetector } from './embedded/faces/index.ts';
import { createEspeakSpeech } from './embedded/speech/index.ts';
import { createTalkingHead } from './embedded/talking-head/index.ts';
import { createNoopEngines } from './noop/index.ts';
import type { Engines } from './ports.ts';

export interface RunningEngines extends Engines {
  /** Ends every thread. */
  close(): Promise<void>;
}

export function createEngines(config: Config): RunningEngines {
  if (config.ENGINES === 'noop') return { ...createNoopEngines(), close: async () => {} };
  const faces = createFaceDetector();
  const speech = createEspeakSpeech();
  const codec = createCodec();
  const talkingHead = createTalkingHead({ detect: async (image) => (await faces.detect(image))?.rig });
  return {
    ...createNoopEngines(),
    speech,
    codec,
    talkingHead,
    close: async () => {
      await Promise.all([speech.close(), codec.close(), talkingHead.close(), faces.close()]);
    },
  };
}
