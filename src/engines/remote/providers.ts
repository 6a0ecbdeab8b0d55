/**
 * Models of the AI SDK's provider packages, by name: `@ai-sdk/fal:fal-ai/flux/dev` is the model `fal-ai/flux/dev` of the
 * package `@ai-sdk/fal`, which the operator installed beside the platform. A package that is missing, or has no model of
 * the kind, stops the start with one sentence. Keys come from the package's own environment variables unless ours are set.
 */
import type {
  EmbeddingModelV4,
  ImageModelV4,
  TranscriptionModelV4,
  Experimental_VideoModelV4 as VideoModelV4,
} from '@ai-sdk/provider';
import { ConfigError } from '../../kernel/config.ts';

/** Settings for a package's `create...()`; it reads what is absent from its own variables. */
export interface ProviderSettings {
  apiKey?: string;
  baseURL?: string;
}

type Named<T> = (modelId: string) => T;

/** The methods of a provider that are of use here; older packages have the shorter names alone. */
interface Provider {
  imageModel?: Named<ImageModelV4>;
  image?: Named<ImageModelV4>;
  videoModel?: Named<VideoModelV4>;
  video?: Named<VideoModelV4>;
  embeddingModel?: Named<EmbeddingModelV4>;
  embedding?: Named<EmbeddingModelV4>;
  transcriptionModel?: Named<TranscriptionModelV4>;
  transcription?: Named<TranscriptionModelV4>;
}

const NAME = /^((?:@[\w.-]+\/)?[\w.-]+):(.+)$/;

/** `package:model`, taken apart; undefined for another form. */
export function readModelName(text: string): { packageName: string; modelId: string } | undefined {
  const [, packageName, modelId] = NAME.exec(text) ?? [];
  return packageName && modelId ? { packageName, modelId } : undefined;
}

/** @param variable the one that names the model, for the sentence of a ConfigError */
export function loadImageModel(variable: string, name: string, settings: ProviderSettings): Promise<ImageModelV4> {
  return load(variable, name, settings, 'image', ({ imageModel, image }) => imageModel ?? image);
}

/** As `loadImageModel`. */
export function loadVideoModel(variable: string, name: string, settings: ProviderSettings): Promise<VideoModelV4> {
  return load(variable, name, settings, 'video', ({ videoModel, video }) => videoModel ?? video);
}

/** As `loadImageModel`. */
export function loadEmbeddingModel(
  variable: string,
  name: string,
  settings: ProviderSettings,
): Promise<EmbeddingModelV4> {
  return load(variable, name, settings, 'embedding', ({ embeddingModel, embedding }) => embeddingModel ?? embedding);
}

/** As `loadImageModel`. */
export function loadTranscriptionModel(
  variable: string,
  name: string,
  settings: ProviderSettings,
): Promise<TranscriptionModelV4> {
  return load(
    variable,
    name,
    settings,
    'transcription',
    ({ transcriptionModel, transcription }) => transcriptionModel ?? transcription,
  );
}

async function load<T extends { specificationVersion: string }>(
  variable: string,
  name: string,
  settings: ProviderSettings,
  kind: 'image' | 'video' | 'embedding' | 'transcription',
  methodOf: (provider: Provider) => Named<T> | undefined,
): Promise<T> {
  const parts = readModelName(name);
  if (!parts) throw new ConfigError(`${variable} must name a model as package:model, not "${name}".`);
  const { packageName, modelId } = parts;
  const provider = open(await importPackage(variable, packageName), settings);
  if (!provider) throw new ConfigError(`${variable} names ${packageName}, which is no provider of the AI SDK.`);
  const method = methodOf(provider);
  let model: T | undefined;
  try {
    model = method?.call(provider, modelId);
  } catch (error) {
    const { message } = error as Error;
    throw new ConfigError(`${variable}: ${packageName} has no ${kind} model "${modelId}" (${message}).`);
  }
  if (!model) throw new ConfigError(`${variable} names ${packageName}, which has no ${kind} models.`);
  if (model.specificationVersion !== 'v4') {
    throw new ConfigError(
      `${variable}: ${packageName} speaks version ${model.specificationVersion} of the model interface; install one for AI SDK 7 (v4).`,
    );
  }
  return model;
}

async function importPackage(variable: string, packageName: string): Promise<Record<string, unknown>> {
  try {
    return await import(packageName);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isMissing = code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
    const why = isMissing ? `is not installed: npm install ${packageName}` : `cannot be loaded: ${message}`;
    throw new ConfigError(`${variable} names the package ${packageName}, which ${why}`);
  }
}

/** Every provider package exports a `create...` function; what it makes is known by its methods. */
function open(exports: Record<string, unknown>, settings: ProviderSettings): Provider | undefined {
  for (const [name, create] of Object.entries(exports)) {
    if (typeof create !== 'function' || !/^create[A-Z]/.test(name)) continue;
    const made = create(settings) as unknown;
    if (isProvider(made)) return made;
  }
  return undefined;
}

function isProvider(made: unknown): made is Provider {
  if (made === null || (typeof made !== 'object' && typeof made !== 'function')) return false;
  return ['imageModel', 'image', 'videoModel', 'video', 'embeddingModel', 'languageModel'].some(
    (method) => method in made,
  );
}
