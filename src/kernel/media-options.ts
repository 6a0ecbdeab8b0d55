/** The closed lists of the documented API: what a caller may choose from. */

/** Aspect ratios of images and videos, width to height. */
export const ASPECT_RATIOS = ['1:1', '16:9', '9:16', '4:3', '3:4', '3:2', '2:3'] as const;
/** One of `ASPECT_RATIOS`. */
export type AspectRatio = (typeof ASPECT_RATIOS)[number];

/** The default of an edit: the proportions of the first reference. */
export const MATCH_INPUT = 'match_input_image';

/** Models that make an image of a prompt. */
export const GENERATE_MODELS = ['default', 'typo_gen'] as const;
/** Models that edit images. */
export const EDIT_MODELS = ['default', 'typo_edit'] as const;
/** Any model of images. */
export type ImageModelId = (typeof GENERATE_MODELS)[number] | (typeof EDIT_MODELS)[number];

/** Of one-shot speech. */
const TEXT_MODES = ['literal', 'personality'] as const;
/** One of `TEXT_MODES`. */
export type TextMode = (typeof TEXT_MODES)[number];
/** Media of one-shot speech. */
const SPEAK_OUTPUTS = ['audio', 'video'] as const;
/** One of `SPEAK_OUTPUTS`. */
export type SpeakOutput = (typeof SPEAK_OUTPUTS)[number];

/** Of turns. */
const TURN_OUTPUTS = ['text', 'audio', 'video'] as const;
/** One of `TURN_OUTPUTS`. */
export type TurnOutput = (typeof TURN_OUTPUTS)[number];
/** How a text becomes a turn. */
const TURN_MODES = ['chat', 'speak'] as const;
/** One of `TURN_MODES`. */
export type TurnMode = (typeof TURN_MODES)[number];

/** Of video generation. */
const VIDEO_MODELS = ['cinematic', 'motion', 'scene', 'ensemble'] as const;
/** One of `VIDEO_MODELS`. */
export type VideoModel = (typeof VIDEO_MODELS)[number];
/** Resolutions of videos. */
export const RESOLUTIONS = ['720p', '1080p'] as const;
/** One of `RESOLUTIONS`. */
export type Resolution = (typeof RESOLUTIONS)[number];
/** Frames a second of videos. */
export const VIDEO_FPS = [24, 48] as const;
/** One of `VIDEO_FPS`. */
export type VideoFps = (typeof VIDEO_FPS)[number];
/** Who may see a video or a conversation. */
const VISIBILITIES = ['private', 'public'] as const;
/** One of `VISIBILITIES`. */
export type Visibility = (typeof VISIBILITIES)[number];
