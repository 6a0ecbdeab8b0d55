/**
 * The images and recordings a video is made from: fetched and checked when it is asked for, because links expire, and
 * kept beside it until it has ended. Only what the caller may read gets in (`safeFetch`).
 */
import type { Rig, VideoOrder, VideoQuery, VoiceSettings } from '../../engines/ports/index.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { Platform } from '../platform/platform.port.ts';
import { gatherSpeech } from '../speech/speech-media.codec.ts';
import type { VideoFields } from './video-plan.rules.ts';

/** A featured avatar with its still. */
export interface Featured extends Record<string, unknown> {
  id: string;
  name: string;
  imageKey: string | null;
  rig: Rig | null;
}

/** The request as it is kept: every address is a key of ours by now. */
export interface KeptRequest {
  prompt: string;
  model: VideoQuery['model'];
  duration: number | null;
  resolution: '720p' | '1080p';
  fps: 24 | 48;
  aspectRatio: NonNullable<VideoQuery['aspectRatio']>;
  seed: number | null;
  draft: boolean;
  saveAudio: boolean;
  promptUpsampling: boolean;
  imageKey: string | null;
  imageRig: Rig | null;
  lastFrameKey: string | null;
  srcVideoKey: string | null;
  audioKey: string | null;
  references: { key: string; name: string; rig: Rig | null }[];
  speech: { text: string; voice: VoiceSettings } | null;
  /** Set while another machine renders. */
  under?: VideoOrder;
}

/** What was fetched: the bytes of each field that named an address. */
export interface Fetched {
  image?: Uint8Array;
  lastFrameImage?: Uint8Array;
  srcVideo?: Uint8Array;
  audio?: { file: Uint8Array; pcm: Int16Array; rate: number };
}

type Reads = Pick<Platform, 'safeFetch' | 'engines' | 'store'>;
type Fetches = Pick<Platform, 'safeFetch' | 'engines' | 'decoders'>;

/** Fetches what the fields name. Throws 400 naming the field. @param owner whose request it is */
export async function fetchMedia(p: Fetches, owner: string, fields: VideoFields): Promise<Fetched> {
  const { opening, lastFrameImage, srcVideo, audio } = fields;
  const openingUrl = opening && opening !== 'avatar' ? opening.url : null;
  const [image, last, video, sound] = await Promise.all([
    openingUrl === null ? undefined : fetchImage(p, owner, 'image', openingUrl),
    lastFrameImage === null ? undefined : fetchImage(p, owner, 'lastFrameImage', lastFrameImage),
    srcVideo === null ? undefined : fetchBytes(p, 'srcVideo', srcVideo, 'video', LIMITS.videoBytes),
    audio === null ? undefined : fetchAudio(p, owner, audio),
  ]);
  return {
    ...(image ? { image } : {}),
    ...(last ? { lastFrameImage: last } : {}),
    ...(video ? { srcVideo: video } : {}),
    ...(sound ? { audio: sound } : {}),
  };
}

async function fetchBytes(
  p: Fetches,
  field: string,
  url: string,
  accept: 'image' | 'audio' | 'video',
  maxBytes: number,
) {
  return (await p.safeFetch(url, { field, accept, maxBytes })).bytes;
}

async function fetchImage(p: Fetches, owner: string, field: string, url: string): Promise<Uint8Array> {
  const bytes = await fetchBytes(p, field, url, 'image', LIMITS.imageBytes);
  return (await p.decoders.image(bytes, { field, owner })).bytes;
}

async function fetchAudio(p: Fetches, owner: string, url: string): Promise<NonNullable<Fetched['audio']>> {
  const file = await fetchBytes(p, 'audio', url, 'audio', LIMITS.audioBytes);
  const rules = { field: 'audio', owner, maxSeconds: LIMITS.soundSeconds };
  return { file, ...(await p.engines.codec.decodeAudio(file, rules)) };
}

/** Keeps what was fetched below `folder`, under the names of the request. */
export async function keepMedia(p: Reads, folder: string, fetched: Fetched) {
  const keep = async (name: string, bytes: Uint8Array | undefined): Promise<string | null> => {
    if (!bytes) return null;
    await p.store.put(`${folder}${name}.bin`, bytes, { contentType: 'application/octet-stream' });
    return `${folder}${name}.bin`;
  };
  return {
    imageKey: await keep('image', fetched.image),
    lastFrameKey: await keep('last', fetched.lastFrameImage),
    srcVideoKey: await keep('source', fetched.srcVideo),
    audioKey: await keep('audio', fetched.audio?.file),
  };
}

/** The query for the engine, its media read from the store and its words spoken. @param owner whose video it is */
export async function queryOf(
  p: Reads,
  owner: string,
  request: KeptRequest,
  signal?: AbortSignal,
): Promise<VideoQuery> {
  const read = async (key: string): Promise<Uint8Array> => {
    const bytes = await p.store.readBytes(key);
    if (!bytes) throw new Error(`${key} is gone.`);
    return bytes;
  };
  const optional = async <K extends string>(name: K, key: string | null) =>
    key === null ? {} : ({ [name]: await read(key) } as Record<K, Uint8Array>);
  const { prompt, model, duration, resolution, fps, aspectRatio, seed, draft, saveAudio, promptUpsampling } = request;
  const audio = await soundOf(p, owner, request, read, signal);
  return {
    ...{ owner, prompt, model, resolution, fps, aspectRatio, draft, saveAudio, promptUpsampling },
    ...(duration === null ? {} : { duration }),
    ...(seed === null ? {} : { seed }),
    ...(await optional('image', request.imageKey)),
    ...(request.imageRig ? { imageRig: request.imageRig } : {}),
    ...(await optional('lastFrameImage', request.lastFrameKey)),
    ...(await optional('srcVideo', request.srcVideoKey)),
    ...(audio ? { audio } : {}),
    ...(request.under ? { under: request.under } : {}),
    references: await Promise.all(
      request.references.map(async ({ key, name, rig }) => ({ image: await read(key), name, ...(rig ? { rig } : {}) })),
    ),
    ...(signal ? { signal } : {}),
  };
}

async function soundOf(
  p: Reads,
  owner: string,
  { audioKey, speech }: KeptRequest,
  read: (key: string) => Promise<Uint8Array>,
  signal: AbortSignal | undefined,
): Promise<VideoQuery['audio']> {
  if (audioKey) {
    const origin = { field: 'audio', owner, ...(signal ? { signal } : {}) };
    return p.engines.codec.decodeAudio(await read(audioKey), origin);
  }
  if (!speech) return undefined;
  const { pcm, rate } = await gatherSpeech(p.engines.speech.stream({ ...speech, ...(signal ? { signal } : {}) }));
  return { pcm, rate };
}
