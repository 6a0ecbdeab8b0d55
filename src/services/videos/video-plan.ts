/**
 * What a requested video is to be, worked out from its fields alone: each field's rule and its 400, which
 * fields exclude each other, which model is picked, and whose names the prompt holds. Pure: it reads and fetches nothing.
 */
import { badInput, PlatformError } from '../../kernel/errors.ts';
import { LIMITS } from '../../kernel/limits.ts';
import {
  ASPECT_RATIOS,
  type AspectRatio,
  RESOLUTIONS,
  VIDEO_FPS,
  VIDEO_MODELS,
  VISIBILITIES,
  type VideoModel,
} from '../../kernel/media-options.ts';
import { httpUrl, oneOf, requiredText } from '../input-fields.ts';

export interface VideoInput {
  prompt: string;
  avatarId?: string | null;
  avatarIds?: string[] | null;
  /** Absent: the avatar's still; null: no opening frame. */
  image?: string | null;
  lastFrameImage?: string | null;
  srcVideo?: string | null;
  speechText?: string | null;
  audio?: string | null;
  model?: string | null;
  duration?: number | null;
  resolution?: string | null;
  fps?: number | null;
  aspectRatio?: string | null;
  seed?: number | null;
  draft?: boolean | null;
  saveAudio?: boolean | null;
  promptUpsampling?: boolean | null;
  visibility?: string | null;
}

/** The fields, checked. */
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
  resolution: (typeof RESOLUTIONS)[number];
  fps: (typeof VIDEO_FPS)[number];
  aspectRatio: AspectRatio;
  seed: number | null;
  draft: boolean;
  saveAudio: boolean;
  promptUpsampling: boolean;
  isPublic: boolean;
}

/** Reads the body of POST /videos/generate; throws 400 naming the field. */
export function readVideoInput(input: VideoInput): VideoFields {
  const fields: VideoFields = {
    prompt: requiredText('prompt', input.prompt, LIMITS.videoPrompt),
    avatarId: input.avatarId ?? null,
    avatarIds: [...new Set(input.avatarIds ?? [])],
    opening: null,
    lastFrameImage: address('lastFrameImage', input.lastFrameImage),
    srcVideo: address('srcVideo', input.srcVideo),
    speechText: input.speechText == null ? null : requiredText('speechText', input.speechText, LIMITS.speechText),
    audio: address('audio', input.audio),
    model: input.model == null ? null : oneOf('model', input.model, VIDEO_MODELS),
    duration: whole('duration', input.duration, 1, LIMITS.videoSeconds),
    resolution: oneOf('resolution', input.resolution ?? '720p', RESOLUTIONS),
    fps: readFps(input.fps ?? 24),
    aspectRatio: oneOf('aspectRatio', input.aspectRatio ?? '16:9', ASPECT_RATIOS),
    seed: whole('seed', input.seed, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
    draft: input.draft ?? false,
    saveAudio: input.saveAudio ?? true,
    promptUpsampling: input.promptUpsampling ?? true,
    isPublic: oneOf('visibility', input.visibility ?? 'private', VISIBILITIES) === 'public',
  };
  if ((input.avatarIds?.length ?? 0) > LIMITS.featuredAvatars) {
    throw badInput('avatarIds', `must have at most ${LIMITS.featuredAvatars} items.`);
  }
  if (input.image != null) fields.opening = { url: httpUrl('image', input.image) };
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

function address(field: string, url: string | null | undefined): string | null {
  return url == null ? null : httpUrl(field, url);
}

function whole(field: string, value: number | null | undefined, min: number, max: number): number | null {
  if (value == null) return null;
  if (!Number.isInteger(value)) throw badInput(field, 'must be a whole number.');
  if (value < min || value > max) throw badInput(field, `must be from ${min} to ${max}.`);
  return value;
}

function readFps(fps: number): (typeof VIDEO_FPS)[number] {
  const known = VIDEO_FPS.find((one) => one === fps);
  if (!known) throw badInput('fps', `must be one of ${VIDEO_FPS.join(', ')}.`);
  return known;
}

/**
 * The model of a film. `pictures` counts the opening frame and the stills of featured avatars.
 * Throws 400 when the chosen model needs an image and there is none.
 */
export function pickModel(fields: Pick<VideoFields, 'model' | 'opening' | 'srcVideo'>, pictures: number): VideoModel {
  const { model, opening, srcVideo } = fields;
  if (!model) return srcVideo || pictures >= 2 ? 'ensemble' : 'cinematic';
  const lacks = (model === 'motion' && !opening) || (model === 'ensemble' && !srcVideo && pictures === 0);
  if (lacks) throw new PlatformError('BAD_INPUT', `model ${model} needs an image.`, { details: { field: 'model' } });
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
