/** Image, video, talking-head and transcription models, as `IMAGE_*`, `VIDEO_*`, `TALKING_HEAD_*` and `TRANSCRIPTION_*` name them; a wrong name stops the start. */
import type { ImageModelV4, TranscriptionModelV4 } from '@ai-sdk/provider';
import { type Config, ConfigError } from '../../kernel/config.ts';
import type { RemoteCalls } from '../../kernel/remote-calls.ts';
import type { Decoders } from '../decoders/index.ts';
import type { EmbeddedVideo } from '../embedded/renderer/video/index.ts';
import type { Engines, MediaCodec, RemoteTalkingHead, VideoEngine } from '../ports/index.ts';
import { addressOf, guardedImages, guardedTranscription, guardedVideo } from './guarded.ts';
import { remoteImages } from './images.ts';
import { createOpenAiCompatibleImages } from './openai-images.ts';
import { createOpenAiCompatibleTranscription } from './openai-transcription.ts';
import {
  loadImageModel,
  loadTranscriptionModel,
  loadVideoModel,
  type ProviderSettings,
  readModelName,
} from './providers.ts';
import { FAL_QUEUE, falTalkingHead } from './talking-head/fal.ts';
import { createRemoteTalkingHead, type RemoteTalkingHeadOptions } from './talking-head/index.ts';
import { inputsFor } from './talking-head/models.ts';
import type { InputFields } from './talking-head/protocol.ts';
import { REPLICATE, replicateTalkingHead } from './talking-head/replicate.ts';
import { selfHostedTalkingHead } from './talking-head/self-hosted.ts';
import { fromVideoModels } from './video.ts';

/** Bytes of a video or image behind an address that a provider gave. */
export type Download = (url: string, signal?: AbortSignal) => Promise<Uint8Array>;

/** Undefined: the illustrator draws. Throws ConfigError. */
export async function chooseImages(
  config: Config,
  decoders: Pick<Decoders, 'cut'>,
  calls: RemoteCalls,
): Promise<Engines['image'] | undefined> {
  const { IMAGE_MODEL: names, IMAGE_BASE_URL: baseUrl, IMAGE_API_KEY: apiKey } = config;
  if (!names) {
    if (baseUrl) throw new ConfigError('IMAGE_MODEL must be set when IMAGE_BASE_URL is.');
    return undefined;
  }
  const open = async (name: string): Promise<ImageModelV4> => {
    // With an address, only a scope distinguishes a package from models that are named like `flux:dev`.
    if (!baseUrl || (name.startsWith('@') && readModelName(name))) {
      return loadImageModel('IMAGE_MODEL', name, settingsOf(apiKey, baseUrl));
    }
    const timeoutMs = calls.longestMs('image');
    return createOpenAiCompatibleImages({ baseUrl, model: name, timeoutMs, ...(apiKey ? { apiKey } : {}) });
  };
  const guarded = async (name: string) =>
    guardedImages(await open(name), calls, addressOf('image', baseUrl, providerOf(name)));
  return remoteImages(await each(names, guarded), config.IMAGE_OPTIONS, decoders);
}

/** Undefined: the embedded engine makes videos. Throws ConfigError. */
export async function chooseVideo(
  config: Config,
  {
    embedded,
    codec,
    download,
    calls,
  }: { embedded: EmbeddedVideo; codec: MediaCodec; download: Download; calls: RemoteCalls },
): Promise<VideoEngine | undefined> {
  const { VIDEO_MODEL: names, VIDEO_BASE_URL: baseUrl, VIDEO_API_KEY: apiKey } = config;
  if (!names) {
    if (baseUrl) throw new ConfigError('VIDEO_MODEL must be set when VIDEO_BASE_URL is.');
    return undefined;
  }
  const settings = settingsOf(apiKey, baseUrl);
  const open = async (name: string) => {
    const model = await loadVideoModel('VIDEO_MODEL', name, settings);
    return guardedVideo(model, calls, addressOf('video', baseUrl, providerOf(name)));
  };
  return fromVideoModels({
    models: await each(names, open),
    providerOptions: config.VIDEO_OPTIONS,
    codec,
    conform: (query, made) => embedded.conform(query, made),
    download,
  });
}

const QUEUES = {
  fal: { address: FAL_QUEUE, open: falTalkingHead },
  replicate: { address: REPLICATE, open: replicateTalkingHead },
} as const;

/** Undefined: the embedded engine makes talking heads alone. Throws ConfigError. */
export function chooseTalkingHead(
  config: Config,
  { calls, ...ports }: Omit<RemoteTalkingHeadOptions, 'provider'> & { calls: RemoteCalls },
): RemoteTalkingHead | undefined {
  const { TALKING_HEAD_MODEL: name, TALKING_HEAD_URL: url, TALKING_HEAD_API_KEY: apiKey } = config;
  if (!name && !url) {
    if (config.TALKING_HEAD_PREVIEW === 'on')
      throw new ConfigError('TALKING_HEAD_MODEL or TALKING_HEAD_URL must be set when TALKING_HEAD_PREVIEW is on.');
    return undefined;
  }
  const [, queue, model = ''] = /^(?:@ai-sdk\/)?(fal|replicate):(.+)$/.exec(name ?? '') ?? [];
  const { TALKING_HEAD_FIELDS: fields, TALKING_HEAD_OPTIONS: options } = config;
  if (queue !== 'fal' && queue !== 'replicate') {
    if (!url)
      throw new ConfigError(`TALKING_HEAD_MODEL must name a model as fal:model or replicate:model, not "${name}".`);
    const provider = selfHostedTalkingHead({ baseUrl: url, apiKey, model: name ?? '', options, calls });
    return createRemoteTalkingHead({ ...ports, provider });
  }
  if (!apiKey) throw new ConfigError('TALKING_HEAD_API_KEY must be set when TALKING_HEAD_MODEL names a provider.');
  const preset = inputsFor(queue, model);
  const { address, open } = QUEUES[queue];
  const provider = open({
    baseUrl: url ?? address,
    apiKey,
    model,
    calls,
    fields: fieldsNamed(preset.fields, fields),
    options: { ...preset.options, ...options },
  });
  return createRemoteTalkingHead({ ...ports, provider });
}

/** A configuration that names the field of an image or of a video says thereby which of them the model takes. */
function fieldsNamed(preset: InputFields, { image, video, audio = preset.audio }: Partial<InputFields>): InputFields {
  if (!image && !video) return { ...preset, audio };
  return { ...(image ? { image } : {}), ...(video ? { video } : {}), audio };
}

/** Undefined: no transcription is configured. Throws ConfigError. */
export async function chooseTranscription(
  config: Config,
  calls: RemoteCalls,
): Promise<TranscriptionModelV4 | undefined> {
  const { TRANSCRIPTION_MODEL: name, TRANSCRIPTION_BASE_URL: baseUrl, TRANSCRIPTION_API_KEY: apiKey } = config;
  if (!name) {
    if (baseUrl) throw new ConfigError('TRANSCRIPTION_MODEL must be set when TRANSCRIPTION_BASE_URL is.');
    return undefined;
  }
  const isPackage = !baseUrl || (name.startsWith('@') && readModelName(name));
  const model = isPackage
    ? await loadTranscriptionModel('TRANSCRIPTION_MODEL', name, settingsOf(apiKey, baseUrl))
    : createOpenAiCompatibleTranscription({ baseUrl, model: name, ...(apiKey ? { apiKey } : {}) });
  return guardedTranscription(model, calls, addressOf('transcription', baseUrl, providerOf(name)));
}

/** Models of one provider are at one address. */
const providerOf = (name: string): string => readModelName(name)?.packageName ?? name;

const settingsOf = (apiKey: string | undefined, baseURL: string | undefined): ProviderSettings => ({
  ...(apiKey ? { apiKey } : {}),
  ...(baseURL ? { baseURL } : {}),
});

async function each<N extends object, T>(names: N, open: (name: string) => Promise<T>): Promise<{ [K in keyof N]: T }> {
  const opened = Object.entries(names).map(async ([use, name]) => [use, await open(name as string)]);
  return Object.fromEntries(await Promise.all(opened));
}
