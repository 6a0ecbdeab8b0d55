/**
 * Engines that do nothing, in no time: they exist to measure what the platform itself costs (`ENGINES=noop`, used by
 * `npm run bench`). They speak silence of the right length and draw one grey pixel; no instance should run with them.
 */
import type { Engines, LanguageModelV4 } from '../ports/index.ts';

const RATE = 22_050;
const SECONDS_PER_CHAR = 0.06;
const REPLY = 'Yes. I hear you. Go on.';
/** A grey pixel, PNG. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
  'base64',
);

const chat: LanguageModelV4 = {
  specificationVersion: 'v4',
  provider: 'noop',
  modelId: 'noop',
  supportedUrls: {},
  async doGenerate() {
    return { content: [{ type: 'text', text: REPLY }], finishReason, usage, warnings: [] };
  },
  async doStream() {
    const stream: Awaited<ReturnType<LanguageModelV4['doStream']>>['stream'] = new ReadableStream({
      start(controller) {
        controller.enqueue({ type: 'stream-start', warnings: [] });
        controller.enqueue({ type: 'text-start', id: '0' });
        controller.enqueue({ type: 'text-delta', id: '0', delta: REPLY });
        controller.enqueue({ type: 'text-end', id: '0' });
        controller.enqueue({ type: 'finish', finishReason, usage });
        controller.close();
      },
    });
    return { stream };
  },
};

const finishReason = { unified: 'stop', raw: 'stop' } as const;
const usage = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
};

export function createNoopEngines(): Engines {
  return {
    chat,
    chatIsEmbedded: true,
    speech: {
      about: 'Speaks silence.',
      voices: () => [{ id: 'noop', name: 'Nobody', language: 'en' }],
      variants: () => [],
      speaks: () => true,
      estimateSeconds: (text) => text.length * SECONDS_PER_CHAR,
      async *stream({ text }) {
        yield { pcm: new Int16Array(Math.ceil(text.length * SECONDS_PER_CHAR * RATE)), rate: RATE, marks: [] };
      },
    },
    talkingHead: {
      about: 'Shows nothing.',
      analyse: async () => ({ source: 'none', confidence: 0 }),
      fit: async (_image, rig) => rig,
      async *render() {
        yield new Uint8Array(8);
        yield new Uint8Array(8);
      },
    },
    codec: {
      selfTest: async () => {},
      encodeAudio: async () => new Uint8Array(8),
      faststart: async (fragmented) => fragmented,
      durationSeconds: async () => 1,
      decodeAudio: async () => ({ pcm: new Int16Array(RATE), rate: RATE }),
      decodeFrames: async () => [],
    },
    video: {
      about: 'Makes no video.',
      seconds: async ({ duration = 5 }) => duration,
      async *render({ duration: seconds = 5, fps = 24, seed = 0 }) {
        yield { progress: 1 };
        yield { file: new Uint8Array(8), seconds, width: 2, height: 2, fps, seed };
      },
    },
    image,
    portrait: image('default'),
  };
}

const image: Engines['image'] = (modelId) => ({
  specificationVersion: 'v4',
  provider: 'noop',
  modelId,
  maxImagesPerCall: 1,
  doGenerate: async () => ({
    images: [PIXEL],
    warnings: [],
    response: { timestamp: new Date(), modelId, headers: undefined },
  }),
});
