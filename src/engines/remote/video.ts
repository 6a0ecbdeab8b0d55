/**
 * Any video model of the AI SDK as the platform's VideoEngine. It maps fields, waits and measures what came back. That
 * interface has no place for given sound: only its length is asked for. Draft and verbatim prompts go to
 * `providerOptions.platform`, for providers that know them.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type {
  Experimental_VideoModelV4CallOptions as CallOptions,
  Experimental_VideoModelV4File as File,
} from '@ai-sdk/provider';
import { PlatformError } from '../../kernel/errors.ts';
import { secondsOf, shapeOf } from '../embedded/video/plan.ts';
import type { MediaCodec, VideoEngine, VideoModelV4, VideoQuery } from '../ports.ts';

/** Between two looks at an operation under way. */
const POLL_MS = 2_000;

export interface RemoteVideoOptions {
  model: VideoModelV4;
  /** Measures what came back: it is what is billed. */
  codec: Pick<MediaCodec, 'durationSeconds' | 'decodeFrames'>;
  /** Fetches a file that the provider gives as an address. */
  download(url: string, signal?: AbortSignal): Promise<Uint8Array>;
}

export function fromVideoModel({ model, codec, download }: RemoteVideoOptions): VideoEngine {
  return {
    about: `Films by ${model.provider} ${model.modelId}.`,
    seconds: async (query) => secondsOf(query, query.srcVideo && (await codec.durationSeconds(query.srcVideo))),
    async *render(query) {
      yield { progress: 0 };
      const [video] = await videosOf(model, callOf(query), query.signal);
      if (!video || video.type === 'uploaded')
        throw new PlatformError('UPSTREAM_FAILED', 'The video model gave no film.');
      const file =
        video.type === 'url'
          ? await download(video.url, query.signal)
          : video.type === 'base64'
            ? new Uint8Array(Buffer.from(video.data, 'base64'))
            : video.data;
      const [frame] = await codec.decodeFrames(file, [0]);
      const { width = 0, height = 0 } = frame ?? {};
      const seconds = await codec.durationSeconds(file);
      yield { file, seconds, width, height, fps: query.fps ?? 24, seed: query.seed ?? 0 };
    },
  };
}

async function videosOf(model: VideoModelV4, call: CallOptions, signal: AbortSignal | undefined) {
  if (model.doGenerate) return (await model.doGenerate(call)).videos;
  if (!model.doStart || !model.doStatus) throw new PlatformError('UPSTREAM_FAILED', 'The video model cannot generate.');
  const { operation } = await model.doStart(call);
  for (;;) {
    const state = await model.doStatus({ operation, ...(signal ? { abortSignal: signal } : {}) });
    if (state.status === 'completed') return state.videos;
    if (state.status === 'error') throw new PlatformError('UPSTREAM_FAILED', state.error);
    await wait(POLL_MS, undefined, { signal });
  }
}

function callOf(query: VideoQuery): CallOptions {
  const { image, lastFrameImage, references = [], srcVideo, draft, promptUpsampling, audio } = query;
  const { width, height } = shapeOf(query);
  const frames = lastFrameImage ? [{ image: fileOf(lastFrameImage), frameType: 'last_frame' as const }] : [];
  const inputs = [...references.map((one) => fileOf(one.image)), ...(srcVideo ? [fileOf(srcVideo, 'video/mp4')] : [])];
  return {
    prompt: query.prompt,
    n: 1,
    aspectRatio: image || lastFrameImage || srcVideo ? 'adaptive' : (query.aspectRatio ?? '16:9'),
    resolution: `${width}x${height}`,
    duration: audio ? Math.ceil(secondsOf(query)) : query.duration,
    fps: query.fps ?? 24,
    seed: query.seed,
    image: image && fileOf(image),
    frameImages: frames.length > 0 ? frames : undefined,
    inputReferences: inputs.length > 0 ? inputs : undefined,
    generateAudio: query.saveAudio !== false,
    providerOptions: { platform: { draft: draft === true, promptUpsampling: promptUpsampling !== false } },
    ...(query.signal ? { abortSignal: query.signal } : {}),
  };
}

/** The first bytes tell the picture formats apart; providers insist on the right name. */
function fileOf(data: Uint8Array, mediaType?: string): File {
  const start = Buffer.from(data.subarray(0, 4)).toString('latin1');
  const sniffed = start === '\x89PNG' ? 'image/png' : start === 'RIFF' ? 'image/webp' : 'image/jpeg';
  return { type: 'file', mediaType: mediaType ?? sniffed, data };
}
