/**
 * What decoders do, as data: the name of each task, the part of the API's error that follows the field, and what it may
 * use. Types and numbers only: this file is read by the processes that must not decode.
 */
import type { ErrorCode } from '../../kernel/errors.ts';
import type { SeededVideoQuery } from '../embedded/renderer/video/compose.ts';
import type { FittedQuery } from '../embedded/renderer/video/conform.ts';
import type { SoundRules, VideoFile } from '../ports/index.ts';
import type { ReencodeOptions } from './image.ts';

/** What a task may use. */
export interface TaskLimits {
  /** CPU time of all threads, since the start or the last piece that was reported. */
  cpuMs: number;
  /**
   * Wall clock of the whole task, several times what its CPU time takes on a busy machine: a task that runs into it was not
   * given the cores, which says nothing of the bytes.
   */
  wallMs: number;
}

/** Limits and error text of a kind of task. */
export interface TaskRule extends TaskLimits {
  /** Follows the field's name when the bytes were refused by ending their decoder. */
  refusal: string;
  /** Ended after it: what edits videos is nice to others for good and keeps its memory. */
  isLast?: boolean;
}

const UNREADABLE = {
  image: 'is not a JPEG, PNG or WebP image that can be read.',
  sound: 'is not a recording that can be read.',
  video: 'is not a video that can be read.',
};

/** A video reports progress at every fiftieth of it, and its CPU time is counted anew from there. */
export const RULES = {
  image: { cpuMs: 10_000, wallMs: 60_000, refusal: UNREADABLE.image },
  cut: { cpuMs: 10_000, wallMs: 60_000, refusal: UNREADABLE.image },
  sound: { cpuMs: 15_000, wallMs: 90_000, refusal: UNREADABLE.sound },
  seconds: { cpuMs: 10_000, wallMs: 60_000, refusal: UNREADABLE.video },
  videoSeconds: { cpuMs: 10_000, wallMs: 60_000, refusal: UNREADABLE.video },
  frames: { cpuMs: 15_000, wallMs: 90_000, refusal: UNREADABLE.video },
  edit: { cpuMs: 60_000, wallMs: 3_600_000, refusal: UNREADABLE.video, isLast: true },
  conform: { cpuMs: 60_000, wallMs: 3_600_000, refusal: UNREADABLE.video, isLast: true },
} as const satisfies Record<string, TaskRule>;

/** A kind of task. */
export type TaskName = keyof typeof RULES;

/** Bytes as a decoder is sent them: whole, or the size of a file that it asks its parent for piece by piece. */
export type SentBytes = Uint8Array | { fileBytes: number };

/** What each is given. */
export interface TaskArguments extends Record<TaskName, unknown[]> {
  image: [bytes: SentBytes, options: ReencodeOptions];
  cut: [ratio: number, bytes: Uint8Array];
  sound: [bytes: SentBytes, rules: SoundRules];
  seconds: [bytes: Uint8Array];
  videoSeconds: [bytes: SentBytes];
  frames: [bytes: Uint8Array, atMs: number[]];
  edit: [query: SeededVideoQuery & { srcVideo: Uint8Array }];
  conform: [query: FittedQuery, made: SentBytes];
}

/** A task by name with its arguments. */
export type Task = { [Name in TaskName]: [name: Name, ...args: TaskArguments[Name]] }[TaskName];

/** What a decoder is sent; `bytes` answers its question of that number. */
export type ToDecoder =
  | { kind: 'task'; task: Task }
  | { kind: 'stop' }
  | { kind: 'bytes'; number: number; bytes: Uint8Array };

/** Of a file that is read piece by piece: the most at once. */
export const MAX_READ_BYTES = 4 * 1_024 * 1_024;

/** A decoder's question for a piece of the file that it works on. */
export interface ReadRequest {
  kind: 'read';
  number: number;
  from: number;
  length: number;
}

/**
 * What a decoder reports. A failure without a code is a library's, whose words are for the log; `field` is the one that
 * the operation knows the bytes by.
 */
export type FromDecoder =
  | { kind: 'ready' }
  | ReadRequest
  | { kind: 'piece'; value: { progress: number } | VideoFile }
  | { kind: 'done'; value: unknown }
  | { kind: 'failed'; code?: ErrorCode; text: string; field?: string };
