/**
 * Video models of the AI SDK as the platform's VideoEngine: it maps fields, waits for operations, fetches what came back
 * and has it fitted to what was asked for. That interface has no place for given sound: its length is asked for, and the
 * sound is laid under the video afterwards. A failure of the model is UPSTREAM_FAILED, with its reason for the log alone.
 */
import { randomInt } from 'node:crypto';
import type {
  Experimental_VideoModelV4CallOptions as CallOptions,
  Experimental_VideoModelV4File as File,
  SharedV4ProviderOptions,
  Experimental_VideoModelV4VideoData as VideoData,
} from '@ai-sdk/provider';
import { badInput, PlatformError } from '../../kernel/errors.ts';
import { upstreamFailure } from '../../kernel/remote-calls.ts';
import { DEFAULT_S, secondsOf, shapeOf } from '../embedded/renderer/video/plan.ts';
import type { MediaCodec, VideoEngine, VideoModelV4, VideoOrder, VideoPiece, VideoQuery } from '../ports/index.ts';
import { isAway, POLL_MS, polled } from './provider-polling.ts';
import { imageType, ratioOfImage } from './ratio.ts';

/** Held for a video whose length the model chooses: they make 4 to 10 seconds. */
const CHOSEN_S = 2 * DEFAULT_S;
/** Providers do not report how far an operation is: two thirds of `WAITING_SHARE` are shown after this long. */
const USUAL_WAIT_MS = 60_000;
const WAITING_SHARE = 0.85;

/** Names of `VIDEO_MODEL`: the model for all, and others for what it does not do. */
export interface VideoModels {
  all: VideoModelV4;
  /** Videos that open on an image. */
  motion?: VideoModelV4;
  scene?: VideoModelV4;
  ensemble?: VideoModelV4;
}

/** The models, and what is handed to them. */
export interface RemoteVideoOptions {
  models: VideoModels;
  /** Handed to every call, as the providers document them. */
  providerOptions?: SharedV4ProviderOptions;
  /** Measures a video that was given. */
  codec: Pick<MediaCodec, 'durationSeconds'>;
  /** Makes of a video what was asked for (`EmbeddedVideo.conform`). */
  conform(query: VideoQuery & { seed: number }, made: Uint8Array): AsyncIterable<VideoPiece>;
  /** Fetches a video that the provider gives as an address. */
  download(url: string, signal?: AbortSignal): Promise<Uint8Array>;
  pollMs?: number;
}

export function fromVideoModels(options: RemoteVideoOptions): VideoEngine {
  const { models, conform, codec } = options;
  const { provider, modelId } = models.all;
  return {
    about: `Videos by ${provider} ${modelId}, cut to the size, rate and length asked for.`,
    async seconds(query) {
      const { srcVideo, duration } = query;
      if (!srcVideo) return secondsOf({ ...query, duration: duration ?? CHOSEN_S });
      const { owner } = query;
      const origin = { field: 'srcVideo', ...(owner === undefined ? {} : { owner }) };
      const sourceS = await codec.durationSeconds(srcVideo, origin).catch((error: unknown) => {
        if (error instanceof PlatformError && error.code === 'UNAVAILABLE') throw error;
        throw badInput('srcVideo', 'must be a video (mp4, webm or mov) that can be decoded.');
      });
      return secondsOf(query, sourceS);
    },
    async *render(query) {
      yield { progress: 0 };
      const model = pick(models, query);
      const under = query.under?.model === nameOf(model) ? query.under : undefined;
      const seed = under?.seed ?? query.seed ?? randomInt(2 ** 31);
      const call = await callOf(query, seed, options.providerOptions);
      const made = yield* ask({ model, call, seed, under, signal: query.signal }, options);
      for await (const piece of conform({ ...query, seed }, made)) {
        yield 'file' in piece ? piece : { progress: WAITING_SHARE + (1 - WAITING_SHARE) * piece.progress };
      }
    },
  };
}

/** What the API calls cinematic does both: with an opening image it is the other kind of work for most providers. */
function pick({ all, motion = all, scene = all, ensemble = all }: VideoModels, query: VideoQuery): VideoModelV4 {
  if (query.model === 'ensemble') return ensemble;
  if (query.image) return motion;
  return query.model === 'scene' ? scene : all;
}

const nameOf = ({ provider, modelId }: VideoModelV4): string => `${provider}:${modelId}`;

interface Asked {
  model: VideoModelV4;
  call: CallOptions;
  seed: number;
  /** Already asked for, by an attempt that did not live to see it. */
  under: VideoOrder | undefined;
  signal: AbortSignal | undefined;
}

/** Yields progress while it waits; returns the video's bytes. */
async function* ask(
  asked: Asked,
  { download, pollMs = POLL_MS }: RemoteVideoOptions,
): AsyncGenerator<VideoPiece, Uint8Array> {
  const { signal } = asked;
  try {
    const videos = yield* generate(asked, pollMs);
    const [video] = videos;
    if (!video || video.type === 'uploaded') throw new Error('The video model gave no video.');
    if (video.type === 'url') return await download(video.url, signal);
    return video.type === 'base64' ? new Uint8Array(Buffer.from(video.data, 'base64')) : video.data;
  } catch (cause) {
    signal?.throwIfAborted();
    throw upstreamFailure('The video model could not make this video.', cause);
  }
}

async function* generate(asked: Asked, pollMs: number): AsyncGenerator<VideoPiece, VideoData[]> {
  const { model, call, seed, under } = asked;
  if (!model.doStart || !model.doStatus) {
    if (!model.doGenerate) throw new Error(`${model.modelId} cannot generate.`);
    return (await model.doGenerate(call)).videos;
  }
  const { operation } = under ?? (await model.doStart(call));
  if (!under) yield { progress: 0, under: { model: nameOf(model), seed, operation } };
  try {
    return yield* waited(asked, operation, pollMs);
  } catch (error) {
    // A connection that broke loses no video; what the provider gave up, or knows nothing of, must be asked for anew.
    if (!isAway(error) && !asked.signal?.aborted) yield { progress: 0, under: null };
    throw error;
  }
}

async function* waited(
  { model, signal }: Asked,
  operation: VideoOrder['operation'],
  pollMs: number,
): AsyncGenerator<VideoPiece, VideoData[]> {
  const polls = polled(
    async () => {
      const state = await model.doStatus?.({ operation, ...(signal ? { abortSignal: signal } : {}) });
      if (state?.status === 'error') throw new Error(state.error);
      return state?.status === 'completed' ? state.videos : undefined;
    },
    { pollMs, signal },
  );
  for (;;) {
    const { done, value } = await polls.next();
    if (done) return value;
    yield { progress: WAITING_SHARE * (1 - Math.exp(-value / USUAL_WAIT_MS)) };
  }
}

async function callOf(query: VideoQuery, seed: number, options: SharedV4ProviderOptions = {}): Promise<CallOptions> {
  const { image, lastFrameImage, references = [], srcVideo, draft, promptUpsampling, audio } = query;
  const opening = image ?? lastFrameImage;
  const { width, height } = shapeOf(query, opening && (await ratioOfImage(opening)));
  const frames = lastFrameImage ? [{ image: fileOf(lastFrameImage), frameType: 'last_frame' as const }] : [];
  const inputs = [...references.map((one) => fileOf(one.image)), ...(srcVideo ? [fileOf(srcVideo, 'video/mp4')] : [])];
  return {
    prompt: query.prompt,
    n: 1,
    // Given images have their own, which every provider takes over when none is given.
    aspectRatio: opening || srcVideo ? undefined : (query.aspectRatio ?? '16:9'),
    resolution: `${width}x${height}`,
    duration: audio ? Math.min(20, Math.ceil(secondsOf(query))) : query.duration,
    fps: query.fps ?? 24,
    seed,
    image: image && fileOf(image),
    frameImages: frames.length > 0 ? frames : undefined,
    inputReferences: inputs.length > 0 ? inputs : undefined,
    generateAudio: query.saveAudio !== false && !audio,
    providerOptions: {
      ...options,
      platform: { draft: draft === true, promptUpsampling: promptUpsampling !== false },
    },
    ...(query.signal ? { abortSignal: query.signal } : {}),
  };
}

function fileOf(data: Uint8Array, mediaType = imageType(data)): File {
  return { type: 'file', mediaType, data };
}
