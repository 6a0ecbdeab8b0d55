/**
 * What a video will be before anything is drawn: its size, length and frame rate, from the query's fields alone and the
 * proportions of what it was given.
 */
import type { VideoQuery } from '../../../ports/index.ts';

/** Seconds of a video whose length is not set. */
export const DEFAULT_S = 5;
/** Longest video by `duration` or of an edited one. */
export const LONGEST_S = 20;
/** Longest given sound: 300 characters spoken slowly take more than 20 seconds. */
export const LONGEST_SOUND_S = 60;
const SHORTER_SIDE = { '720p': 720, '1080p': 1080 };
/** Beyond these proportions a video is no video: the image is cropped to them. */
const WIDEST = 2.4;

/** Size and rate of a video. */
export interface Shape {
  /** In pixels, even as H.264 asks for. */
  width: number;
  /** In pixels, even as H.264 asks for. */
  height: number;
  fps: number;
}

/** @param ratio width by height of the image or video it opens with, when there is one */
export function shapeOf(query: Pick<VideoQuery, 'resolution' | 'fps' | 'aspectRatio'>, ratio?: number): Shape {
  const [w = 16, h = 9] = (query.aspectRatio ?? '16:9').split(':').map(Number);
  const wanted = Math.min(WIDEST, Math.max(1 / WIDEST, ratio ?? w / h));
  const short = SHORTER_SIDE[query.resolution ?? '720p'];
  const long = even(short * Math.max(wanted, 1 / wanted));
  return { width: wanted >= 1 ? long : short, height: wanted >= 1 ? short : long, fps: query.fps ?? 24 };
}

/** @param sourceS length of `srcVideo`, when there is one */
export function secondsOf(query: Pick<VideoQuery, 'audio' | 'duration'>, sourceS?: number): number {
  const { audio, duration } = query;
  if (audio) return Math.max(0.5, audio.pcm.length / audio.rate);
  if (sourceS !== undefined) return Math.min(sourceS, duration ?? LONGEST_S, LONGEST_S);
  return duration ?? DEFAULT_S;
}

const even = (side: number): number => Math.round(side / 2) * 2;
