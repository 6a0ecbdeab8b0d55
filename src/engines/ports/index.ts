/**
 * The ports of the engines: what the platform asks of every speech, talking-head, image, video or chat
 * engine. Chat and images use the model interfaces of `@ai-sdk/provider`, so any provider of that ecosystem plugs in;
 * speech and talking heads are ours because nothing existing carries word timings or mouth shapes, and video wraps
 * that ecosystem's interface, which has no place for given sound and progress. Beside it stands what an
 * engine takes of the platform: its errors, how threads are run, where the build lies, and what chat shares with it.
 */
import type {
  EmbeddingModelV4,
  ImageModelV4,
  JSONValue,
  LanguageModelV4,
  TranscriptionModelV4,
  Experimental_VideoModelV4 as VideoModelV4,
} from '@ai-sdk/provider';
import type { ImageModelId } from '../../kernel/media-options.ts';

export type { EmbeddingModelV4, ImageModelV4, LanguageModelV4, TranscriptionModelV4, VideoModelV4 };

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

/** A voice preset of an engine. `id` is what the API calls `ttsVoiceId`. */
export interface VoicePreset {
  id: string;
  /** A human name with its language, e.g. "Amelia (British English)". */
  name: string;
  /** BCP-47. */
  language: string;
}

/** Parameters of a custom voice: a preset bent by pitch, rate and timbre. */
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

/** What is to be spoken, and how. */
export interface SpeechQuery {
  text: string;
  voice: VoiceSettings;
  /** BCP-47-like; the voice speaks this language, keeping its timbre. Default: the preset's. */
  language?: string;
  signal?: AbortSignal;
}

/** Text to speech, with the times of words and sounds. */
export interface SpeechEngine {
  /** What this engine is and what it cannot do, in one or two sentences for README and operators. */
  readonly about: string;
  voices(): VoicePreset[];
  variants(): string[];
  /** True when the engine can speak this language code. */
  speaks(language: string): boolean;
  /** Seconds of speech that a text takes at most, for the hold; in the voice's own language unless another is given. */
  estimateSeconds(text: string, voice: VoiceSettings, language?: string): number;
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
  /**
   * 1 without landmarks, 6 with them; 2 has landmarks whose right eye lies beside the real one, 2 and 3 those of leaning heads
   * whose mouth does, 2 to 4 those of turned heads whose far eye lies below the real one, 2 to 5 those of some animals. The
   * landmarks of detected and clicked faces of older versions are looked for anew.
   */
  version: 1 | 2 | 3 | 4 | 5 | 6;
  source: 'rig' | 'manual' | 'detected';
  /** The face's box: brows to chin, ear to ear. */
  face: { x: number; y: number; w: number; h: number };
  /** As seen in the image: left is the viewer's left. */
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
  /**
   * The 478 points of the landmark models, x, y and z one after another: x and z in widths of the image, y in heights.
   * Smaller z is nearer to the viewer. Versions above 1 have them.
   */
  landmarks?: number[];
  /** How firmly its lips are pressed at p, b and m to be seen shut, 0 to 2; 1 where it is not said. */
  press?: number;
  /**
   * What the embedded illustrator drew, to draw it anew in layers; plain data that only the embedded engines read, and
   * check before. Lost with any edit of the image.
   */
  look?: unknown;
}

/** The outcome of looking for a face. `rig` is absent exactly when `source` is 'none'. */
export interface FaceAnalysis {
  rig?: Rig;
  source: 'rig' | 'manual' | 'detected' | 'none';
  /** 0..1. */
  confidence: number;
}

/** A portrait and the speech it shall speak. */
export interface TalkingHeadQuery {
  /** Encoded still (jpeg, png or webp). */
  image: Uint8Array;
  rig?: Rig;
  /** Handed the rig that was found in the place of one of an older version: kept with the still, it is not searched again. */
  keepRig?: (found: Rig) => Promise<void>;
  /** Mono PCM of the whole utterance. */
  pcm: Int16Array;
  rate: number;
  marks: Mark[];
  /** Longest side of the video in pixels, even; default 512. */
  size?: number;
  fps?: number;
  signal?: AbortSignal;
}

/** Portrait and speech to a video that speaks. */
export interface TalkingHeadEngine {
  readonly about: string;
  /** Finds the face: known rig first, else detection. Never throws for an image without a face. */
  analyse(image: Uint8Array, known?: Rig): Promise<FaceAnalysis>;
  /**
   * What takes seconds to find about a face that `analyse` found: the rig with `press`, or as it is where it has one, or nothing
   * can be found. Videos do without.
   */
  fit(image: Uint8Array, rig: Rig, signal?: AbortSignal): Promise<Rig>;
  /** Streams fragmented MP4 (H.264 + AAC): first piece is the initialisation segment, then whole fragments. */
  render(query: TalkingHeadQuery): AsyncIterable<Uint8Array>;
}

/** A talking head that is being made elsewhere; JSON. */
export interface TalkingHeadOrder {
  /** Which model has it: another one cannot go on with it. */
  model: string;
  /** The order's name, kept before the order is sent: a worker that takes the work over learns by it whether it was sent. */
  reference: string;
  /** What was asked; absent while the answer is awaited. */
  operation?: JSONValue;
}

/** The same for a provider, which takes files. */
export interface RemoteTalkingHeadQuery {
  /** Encoded still (jpeg, png or webp). */
  image: Uint8Array;
  rig?: Rig;
  /** Mono PCM of the whole utterance. */
  pcm: Int16Array;
  rate: number;
  /** An earlier attempt's order, to go on with. */
  under?: TalkingHeadOrder;
  /**
   * Stores the order with the work before anything is waited for, so that a worker that takes the work over does not have it
   * made, and paid for, once more; null gives it up, of which the provider is notified. Rejects when the work is no longer this attempt's.
   */
  keep(order: TalkingHeadOrder | null): Promise<void>;
  /** Asked between two polls: work that no attempt has is cancelled there, that of another attempt only left. */
  whose(): Promise<'ours' | 'anothers' | 'orphaned'>;
  /** Whose work it is: decoders share their time between owners. */
  owner?: string;
  signal?: AbortSignal;
}

/** Makes a talking head elsewhere, in minutes. The embedded engine stays beside it for faces, idle videos and previews. */
export interface RemoteTalkingHead {
  readonly about: string;
  /** Who is asked, for operators. */
  readonly model: string;
  /**
   * Faststart MP4 (H.264 + AAC) of the sound's length, in the still's proportions. Rejects with UPSTREAM_FAILED when it
   * cannot be had, with the signal's reason on abort, which cancels nothing.
   */
  render(query: RemoteTalkingHeadQuery): Promise<Uint8Array>;
  /** Cancels an order; also when it is done. Rejects when the provider could not be reached. */
  cancel(order: TalkingHeadOrder): Promise<void>;
}

/** Requirements on a recording that a user sent. */
export interface SoundRules {
  /** The field it came by, which the error begins with; default "file". */
  field?: string;
  /** Longer ones are refused, or cut; default an hour. */
  maxSeconds?: number;
  /** Cut at `maxSeconds` instead of refusing. */
  isCut?: boolean;
}

/** A file that is read piece by piece, because it may be larger than memory. */
export interface MediaFile {
  readonly size: number;
  /** `length` bytes from `from` on; fewer only at the end of the file. Rejects when the file is no more. */
  read(from: number, length: number): Promise<Uint8Array>;
}

/** Bytes to be opened, whole or as a file. */
export type MediaBytes = Uint8Array | MediaFile;

/** Where bytes come from that are to be decoded. */
export interface MediaOrigin {
  /** The field of the API they came by, which errors name; default `file`. */
  field?: string;
  /** Whose work it is: decoders share their time between owners. Absent: the instance's own. */
  owner?: string;
  signal?: AbortSignal;
}

/** Where the bytes of a decoder's task came from: its field is known. */
export interface InputSource {
  /** The field of the API that the bytes came by: errors begin with it. */
  field: string;
  /** Whose work it is: owners take turns. Absent: the instance's own. */
  owner?: string | undefined;
  signal?: AbortSignal | undefined;
  /** What the bytes are read from, where they are not given whole. */
  file?: MediaFile | undefined;
}

/** Follows the field's name in the refusal of a video file that holds sound alone. */
export const ONLY_SOUND = 'must be a video (mp4, webm or mov): this one has no video track.';

/** Turns finished recordings into the files that are stored. */
export interface MediaCodec {
  /** Encodes one frame and one audio packet; rejects with a sentence naming what is missing. Run at start. */
  selfTest(): Promise<void>;
  /** PCM to AAC in faststart MP4 (audio/mp4). */
  encodeAudio(pcm: Int16Array, rate: number): Promise<Uint8Array>;
  /** Fragmented MP4 to faststart MP4 without re-encoding. */
  faststart(fragmented: Uint8Array): Promise<Uint8Array>;
  /** Length of a media file in seconds, measured from its packets. */
  durationSeconds(file: Uint8Array, of?: MediaOrigin): Promise<number>;
  /**
   * Any recording (mp3, flac, wav, ogg, mp4, webm) to mono PCM at its own rate. Rejects with a BAD_INPUT that begins with
   * the field for what is none or is longer than it may be.
   */
  decodeAudio(file: Uint8Array, rules?: SoundRules & MediaOrigin): Promise<{ pcm: Int16Array; rate: number }>;
  /** The frames shown at the given times, in the order asked; after the end, the last one. */
  decodeFrames(
    file: Uint8Array,
    atMs: number[],
    of?: MediaOrigin,
  ): Promise<{ width: number; height: number; rgba: Uint8Array }[]>;
}

/** A still that must be recognisable in a video: an avatar's image or another reference. */
export interface VideoReference {
  /** Encoded (jpeg, png or webp). */
  image: Uint8Array;
  /** Who or what it shows; where the prompt names it decides the order. */
  name?: string;
  /** Where the face is, when known: a crop then keeps it. */
  rig?: Rig;
}

/** What a video is to be: the fields of the documented API, with every address already fetched and every voice already spoken. */
export interface VideoQuery {
  /** 1 to 2000 characters. */
  prompt: string;
  /** Already picked; an engine may read more from what is given than from this name. */
  model: 'cinematic' | 'motion' | 'scene' | 'ensemble';
  /** Opening frame. Decides the video's aspect ratio. */
  image?: Uint8Array;
  /** Where the face of the opening frame is, when known: it then blinks. */
  imageRig?: Rig;
  /** Closing frame: the last frame shown is this image, fitted to the video. */
  lastFrameImage?: Uint8Array;
  /** Up to 3 stills to be seen in the video. */
  references?: VideoReference[];
  /** A video to edit as the prompt says; its sound and, unless `duration` cuts it, its length are kept. */
  srcVideo?: Uint8Array;
  /** The sound track; sets the length, whatever `duration` says. */
  audio?: { pcm: Int16Array; rate: number };
  /** Seconds, 1 to 20; absent: the engine chooses. */
  duration?: number;
  /** An earlier attempt's order, to go on with. */
  under?: VideoOrder;
  /** Default '720p': the shorter side, as in 1280x720 and 720x1280. */
  resolution?: '720p' | '1080p';
  /** Default 24. */
  fps?: 24 | 48;
  /** Default '16:9'; an image's, a lastFrameImage's or a srcVideo's own ratio takes its place. */
  aspectRatio?: '16:9' | '9:16' | '4:3' | '3:4' | '3:2' | '2:3' | '1:1';
  /** The same query and seed give the same frames. Absent: a new one each time. */
  seed?: number;
  /** Coarser and at lower cost; size and frame rate stay as asked. */
  draft?: boolean;
  /** False: no sound track at all, also with `audio` (which still sets the length). Default true. */
  saveAudio?: boolean;
  /** Whose video it is: decoders share their time between owners. */
  owner?: string;
  /** False: nothing is shown that the prompt does not name. Default true. */
  promptUpsampling?: boolean;
  /** Ends the work; the stream then rejects with its reason and nothing is left behind. */
  signal?: AbortSignal;
}

/** The finished video: faststart MP4 (H.264 BT.709, and AAC unless silent). */
export interface VideoFile {
  file: Uint8Array;
  /** Its length as billed. */
  seconds: number;
  width: number;
  height: number;
  fps: number;
  /** The seed it was made with, so that a video without one can be made again. */
  seed: number;
}

/** How a video grows: shares done (0 to 1, never falling), then exactly one file as the last piece. */
/**
 * `under` comes when another machine has taken the work up, and null when it has given it up: stored with the video, it is
 * given to the worker that takes the video over, so that the work is not asked (and paid) for twice.
 */
export type VideoPiece = { progress: number; under?: VideoOrder | null } | VideoFile;

/** A video that is being made elsewhere; JSON. */
export interface VideoOrder {
  /** Which model has it: another one cannot go on with it. */
  model: string;
  seed: number;
  /** What that model calls it. */
  operation: JSONValue;
}

/**
 * Makes videos. Wraps `Experimental_VideoModelV4`: that interface has frames, references, seed and abort,
 * but no given sound (its provider options are JSON), no draft, no verbatim prompt and no stream of progress. Any such
 * model becomes a VideoEngine through `fromVideoModels` of `remote/video.ts`.
 */
export interface VideoEngine {
  readonly about: string;
  /** Seconds the video of this query will have, before it is made: what is held. */
  seconds(query: VideoQuery): Promise<number>;
  /**
   * Streams progress and then the file. Rejects with BAD_INPUT naming the field of the documented API for an image or video it
   * cannot read and for an edit it cannot do, with UPSTREAM_FAILED when it breaks, with the signal's reason on abort.
   */
  render(query: VideoQuery): AsyncIterable<VideoPiece>;
}

/** The engines a platform instance runs with; `create.ts` chooses them by the configuration. */
export interface Engines {
  chat: LanguageModelV4;
  /** True when `chat` is the built-in responder, which retrieves and does not reason. */
  chatIsEmbedded: boolean;
  /** Finds memories by meaning beside words; there is no embedded one. */
  embedding?: EmbeddingModelV4;
  speech: SpeechEngine;
  /** Writes down speech; there is no embedded one. */
  transcription?: TranscriptionModelV4;
  talkingHead: TalkingHeadEngine;
  /** Makes the videos of turns and speech in the place of `talkingHead`, where one is configured. */
  remoteTalkingHead?: RemoteTalkingHead;
  codec: MediaCodec;
  /** The models of the documented API: `default` draws and edits, `typo_gen` and `typo_edit` set legible words. */
  image(model: ImageModelId): ImageModelV4;
  /** Draws avatars that come without an image: always the illustrator, which knows its faces exactly and costs nothing. */
  portrait: ImageModelV4;
  video: VideoEngine;
}
