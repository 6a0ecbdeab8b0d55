/**
 * What a requested video is to be, worked out from its fields alone: which fields need or exclude each other, which model is picked, and whose names the prompt holds. Pure: it reads and fetches nothing.
 */
import type { GenerateVideoInput } from '../../../schema/inputs/video.ts';
import { badInput, refusedInput } from '../../kernel/errors.ts';
import type { AspectRatio, Resolution, VideoFps, VideoModel } from '../../kernel/media-options.ts';

/** The fields, with the defaults of what was left out. */
export interface VideoFields {
  prompt: string;
  avatarId: string | null;
  avatarIds: string[];
  /** An address, `avatar` for the still of `avatarId`, or null for no opening frame. */
  opening: { url: string } | 'avatar' | null;
  lastFrameImage: string | null;
  srcVideo: string | null;
  speechText: string | null;
  audio: string | null;
  model: VideoModel | null;
  duration: number | null;
  resolution: Resolution;
  fps: VideoFps;
  aspectRatio: AspectRatio;
  seed: number | null;
  draft: boolean;
  saveAudio: boolean;
  promptUpsampling: boolean;
  isPublic: boolean;
}

/** Reads a checked input; throws 400 for fields that do not go together. */
export function readVideoInput(input: GenerateVideoInput): VideoFields {
  const fields: VideoFields = {
    prompt: input.prompt,
    avatarId: input.avatarId ?? null,
    avatarIds: [...new Set(input.avatarIds ?? [])],
    opening: null,
    lastFrameImage: input.lastFrameImage ?? null,
    srcVideo: input.srcVideo ?? null,
    speechText: input.speechText ?? null,
    audio: input.audio ?? null,
    model: input.model ?? null,
    duration: input.duration ?? null,
    resolution: input.resolution ?? '720p',
    fps: input.fps ?? 24,
    aspectRatio: input.aspectRatio ?? '16:9',
    seed: input.seed ?? null,
    draft: input.draft ?? false,
    saveAudio: input.saveAudio ?? true,
    promptUpsampling: input.promptUpsampling ?? true,
    isPublic: input.visibility === 'public',
  };
  if (input.image != null) fields.opening = { url: input.image };
  // A text-to-video model has no opening frame: the avatar is featured instead.
  else if (input.image === undefined && fields.avatarId && !fields.srcVideo && fields.model !== 'scene') {
    fields.opening = 'avatar';
  }
  checkTogether(fields);
  return fields;
}

/** Which fields need, and which exclude each other. */
function checkTogether(fields: VideoFields): void {
  const { speechText, audio, avatarId, srcVideo, opening, lastFrameImage, model } = fields;
  if (speechText !== null && audio !== null) throw badInput('audio', 'must not be given with speechText.');
  if (speechText !== null && !avatarId) throw badInput('avatarId', 'is required with speechText.');
  if (srcVideo !== null) {
    if (opening) throw badInput('image', 'must not be given with srcVideo.');
    if (lastFrameImage !== null) throw badInput('lastFrameImage', 'must not be given with srcVideo.');
    if (model !== null && model !== 'ensemble') throw badInput('model', 'must be ensemble with srcVideo.');
  }
  if (model === 'scene' && opening) throw badInput('image', 'is not taken by model scene, which makes text-to-video.');
}

/**
 * The model of a video. `images` counts the opening frame and the stills of featured avatars.
 * Throws 400 when the chosen model needs an image and there is none.
 */
export function pickModel(fields: Pick<VideoFields, 'model' | 'opening' | 'srcVideo'>, images: number): VideoModel {
  const { model, opening, srcVideo } = fields;
  if (!model) return srcVideo || images >= 2 ? 'ensemble' : 'cinematic';
  const lacks = (model === 'motion' && !opening) || (model === 'ensemble' && !srcVideo && images === 0);
  if (lacks) throw refusedInput('model', `model ${model} needs an image.`);
  return model;
}

/** Short names are often words as well (Will, Rose, May): they count only as they are written. */
const SHORT_NAME = 4;

/** Those whose whole name the prompt holds, in its order; a name inside a longer one that matched does not count. */
export function namedIn<T extends { name: string }>(prompt: string, avatars: readonly T[]): T[] {
  const found: { at: number; end: number; avatar: T }[] = [];
  for (const avatar of avatars.toSorted((a, b) => b.name.length - a.name.length)) {
    const name = avatar.name.trim();
    if (name.length < 2) continue;
    const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, '\\s+');
    const flags = name.length > SHORT_NAME ? 'giu' : 'gu';
    const pattern = new RegExp(`(?<![\\p{L}\\p{N}_])${escaped}(?![\\p{L}\\p{N}_])`, flags);
    for (const match of prompt.matchAll(pattern)) {
      const end = match.index + match[0].length;
      if (found.some((other) => match.index < other.end && end > other.at)) continue;
      found.push({ at: match.index, end, avatar });
      break;
    }
  }
  return found.sort((a, b) => a.at - b.at).map(({ avatar }) => avatar);
}
