/** The closed lists of the documented API: what a caller may choose from. */

export const ASPECT_RATIOS = ['1:1', '16:9', '9:16', '4:3', '3:4', '3:2', '2:3'] as const;
export type AspectRatio = (typeof ASPECT_RATIOS)[number];

/** The default of an edit: the proportions of the first reference. */
export const MATCH_INPUT = 'match_input_image';

export const GENERATE_MODELS = ['default', 'typo_gen'] as const;
export const EDIT_MODELS = ['default', 'typo_edit'] as const;
export type ImageModelId = (typeof GENERATE_MODELS)[number] | (typeof EDIT_MODELS)[number];

/** Of one-shot speech. */
export const TEXT_MODES = ['literal', 'personality'] as const;
export type TextMode = (typeof TEXT_MODES)[number];
export const SPEAK_OUTPUTS = ['audio', 'video'] as const;
export type SpeakOutput = (typeof SPEAK_OUTPUTS)[number];

/** Of turns. */
export const TURN_OUTPUTS = ['text', 'audio', 'video'] as const;
export type TurnOutput = (typeof TURN_OUTPUTS)[number];
export const TURN_MODES = ['chat', 'speak'] as const;
export type TurnMode = (typeof TURN_MODES)[number];

/** Of video generation. */
export const VIDEO_MODELS = ['cinematic', 'motion', 'scene', 'ensemble'] as const;
export type VideoModel = (typeof VIDEO_MODELS)[number];
export const RESOLUTIONS = ['720p', '1080p'] as const;
export type Resolution = (typeof RESOLUTIONS)[number];
export const VIDEO_FPS = [24, 48] as const;
export type VideoFps = (typeof VIDEO_FPS)[number];
export const VISIBILITIES = ['private', 'public'] as const;
export type Visibility = (typeof VISIBILITIES)[number];
