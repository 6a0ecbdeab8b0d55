/**
 * The ports of the engines: what the platform asks of a speech, talking-head, image, video or chat engine, whoever
 * answers. Chat, images and video use the model interfaces of `@ai-sdk/provider`, so any provider of that ecosystem
 * plugs in; speech and talking heads are ours because nothing existing carries word timings or mouth shapes.
 * This file holds types only.
 */
import type { ImageModelV4, LanguageModelV4, Experimental_VideoModelV4 as VideoModelV4 } from '@ai-sdk/provider';

export type { ImageModelV4, LanguageModelV4, VideoModelV4 };

/** A moment of speech: when it starts (ms from the start of the audio) and which characters of the text it voices. */
export interface Mark {
  ms: number;
  kind: 'sentence' | 'word' | 'phoneme';
  /** Offset into the spoken text, in UTF-16 units, as JavaScript counts. */
  at: number;
  /** Length in the spoken text, in UTF-16 units. 0 for phonemes. */
  len: number;
  /** IPA of a phoneme mark. */
  ipa?: string;
}

/** A voice preset of an engine. `id` is what api.md calls `ttsVoiceId`. */
export interface VoicePreset {
  id: string;
  /** A human name with its language, e.g. "Amelia (British English)". */
  name: string;
  /** BCP-47. */
  language: string;
}

/** Parameters of a custom voice: a preset bent by pitch, rate and timbre (api.md 4.2, "custom voices"). */
export interface VoiceSettings {
  /** Id of the preset it starts from. */
  base: string;
  /** Timbre variant of the engine, from `SpeechEngine.variants()`. */
  variant?: string;
  /** Semitones, -12 to 12. */
  pitch?: number;
  /** Speed factor, 0.5 to 2. */
  rate?: number;
}

/** A piece of speech, in order; pieces are contiguous, marks are absolute from the start of the whole utterance. */
export interface SpeechPiece {
  pcm: Int16Array;
  /** Samples per second, mono; the same for every piece of one utterance. */
  rate: number;
  marks: Mark[];
}

export interface SpeechQuery {
  text: string;
  voice: VoiceSettings;
  /** BCP-47-like; the voice speaks this language, keeping its timbre. Default: the preset's. */
  language?: string;
  signal?: AbortSignal;
}

export interface SpeechEngine {
  /** What this engine is and what it cannot do, in one or two sentences for README and operators. */
  readonly about: string;
  voices(): VoicePreset[];
  variants(): string[];
  /** True when the engine can speak this language code. */
  speaks(language: string): boolean;
  /** Rough seconds of speech for a text, for the hold (api.md 1, prices per second); never below the truth by much. */
  estimateSeconds(text: string, voice: VoiceSettings): number;
  /** Streams the utterance. Rejects with EngineError when it cannot speak. */
  stream(query: SpeechQuery): AsyncIterable<SpeechPiece>;
}

/** A point in the image, 0..1 of its width and height from the top left. */
export interface Point {
  x: number;
  y: number;
}

/** An eye: centre, half width and half height of the visible opening, in image fractions (rx of width, ry of height). */
export interface RigEye extends Point {
  rx: number;
  ry: number;
}

/**
 * Where a face is in a still: all a talking head needs to move it. All coordinates are fractions of the image.
 * `source: 'rig'` is written by our illustrator and is exact; 'manual' comes from the owner; 'detected' from a detector.
 */
export interface Rig {
  version: 1;
  source: 'rig' | 'manual' | 'detected';
  /** The face's box: brows to chin, ear to ear. */
  face: { x: number; y: number; w: number; h: number };
  /** As seen in the picture: left is the viewer's left. */
  leftEye: RigEye;
  rightEye: RigEye;
  /** The closed mouth: centre of the lip line, width of the mouth, height of both lips together. */
  mouth: { x: number; y: number; w: number; h: number };
  chin: Point;
  /** Brow centres, when known. */
  leftBrow?: Point;
  rightBrow?: Point;
  /** Outline of everything that moves with the head (hair, hat, beard, ears), a closed polygon; absent: derived. */
  head?: Point[];
  /** '#rrggbb' of skin around the mouth, of the lips and of the eyelid, when known. */
  skin?: string;
  lips?: string;
  lid?: string;
  /** True when a beard or moustache covers the surroundings of the mouth. */
  beard?: boolean;
}

/** The outcome of looking for a face. `rig` is absent exactly when `source` is 'none'. */
export interface FaceAnalysis {
  rig?: Rig;
  source: 'rig' | 'manual' | 'detected' | 'none';
  /** 0..1. */
  confidence: number;
}

export interface TalkingHeadQuery {
  /** Encoded still (jpeg, png or webp). */
  image: Uint8Array;
  rig?: Rig;
  /** Mono PCM of the whole utterance. */
  pcm: Int16Array;
  rate: number;
  marks: Mark[];
  /** Longest side of the video in pixels, even; default 512. */
  size?: number;
  fps?: number;
  signal?: AbortSignal;
}

export interface TalkingHeadEngine {
  readonly about: string;
  /** Finds the face: known rig first, else detection. Never throws for an image without a face. */
  analyse(image: Uint8Array, known?: Rig): Promise<FaceAnalysis>;
  /** Streams fragmented MP4 (H.264 + AAC): first piece is the initialisation segment, then whole fragments. */
  render(query: TalkingHeadQuery): AsyncIterable<Uint8Array>;
}

/** Turns finished recordings into the files that are stored. */
export interface MediaCodec {
  /** Encodes one frame and one audio packet; rejects with a sentence naming what is missing. Run at start. */
  selfTest(): Promise<void>;
  /** PCM to AAC in faststart MP4 (audio/mp4). */
  encodeAudio(pcm: Int16Array, rate: number): Promise<Uint8Array>;
  /** Fragmented MP4 to faststart MP4 without re-encoding. */
  faststart(fragmented: Uint8Array): Promise<Uint8Array>;
  /** Length of a media file in seconds, measured from its packets. */
  durationSeconds(file: Uint8Array): Promise<number>;
  /** Any recording (mp3, flac, wav, ogg, mp4) to mono PCM at its own rate. Rejects with BAD_INPUT without audio. */
  decodeAudio(file: Uint8Array): Promise<{ pcm: Int16Array; rate: number }>;
  /** The frames shown at the given times, in the order asked; after the end, the last one. */
  decodeFrames(file: Uint8Array, atMs: number[]): Promise<{ width: number; height: number; rgba: Uint8Array }[]>;
}

/** The engines a platform instance runs with; adapters are chosen from configuration in `app.ts`. */
export interface Engines {
  chat: LanguageModelV4;
  /** True when `chat` is the built-in responder, which retrieves and does not reason. */
  chatIsEmbedded: boolean;
  speech: SpeechEngine;
  talkingHead: TalkingHeadEngine;
  codec: MediaCodec;
  image: ImageModelV4;
}
