/**
 * The decoder process: one task at a time, over the channel of the process that started it. It ends with that channel. The only
 * module through which bytes that we did not make get to a codec; nothing imports it but types.
 */
import os from 'node:os';
import '../embedded/codec/webcodecs.ts';
import { PlatformError } from '../../kernel/errors.ts';
import '../embedded/codec/decode/bounded.ts';
import { decodeAudio } from '../embedded/codec/decode/index.ts';
import { decodeFrames, durationSeconds, free } from '../embedded/codec/frames.ts';
import type { SeededVideoQuery } from '../embedded/renderer/video/compose.ts';
import type { VideoFile } from '../ports/index.ts';
import type { TaskRun } from '../ports/serve.ts';
import { openParentChannel } from './channel.ts';
import { cutTo, reencodeImage } from './image.ts';
import { ParentFiles } from './parent-file.ts';
import type { FromDecoder, Task, TaskArguments, TaskName, ToDecoder } from './tasks.ts';

let isStopped = false;
const run: TaskRun = {
  stopped: () => isStopped,
  piece: (value) => send({ kind: 'piece', value } as FromDecoder),
};

const files = new ParentFiles((request) => send(request));

const operations: { [Name in TaskName]: (...args: TaskArguments[Name]) => Promise<unknown> } = {
  image: async (bytes, options) => reencodeImage(await files.whole(bytes), options),
  cut: cutTo,
  sound: async (bytes, rules) => decodeAudio(await files.whole(bytes), rules),
  seconds: durationSeconds,
  frames: decodeFrames,
  // Loaded when they are needed: with the illustrator they take half a second and 50 MB, and most decoders never edit.
  videoSeconds: async (file) => (await import('../embedded/renderer/video/edit.ts')).sourceSeconds(files.open(file)),
  edit: async (query) => {
    yieldToOthers();
    deliver(
      await (await import('../embedded/renderer/video/edit.ts')).editVideo(ownSound(query), run, () =>
        free(query.srcVideo),
      ),
    );
  },
  conform: async (query, sent) => {
    yieldToOthers();
    const made = files.open(sent);
    const onRead = () => (made instanceof Uint8Array ? free(made) : undefined);
    deliver(
      await (await import('../embedded/renderer/video/conform.ts')).conformVideo(ownSound(query), made, run, onRead),
    );
  },
};

const send = openParentChannel<ToDecoder, FromDecoder>((message) => {
  if (message.kind === 'stop') isStopped = true;
  else if (message.kind === 'bytes') files.answer(message.number, message.bytes);
  else void perform(message.task);
});
send({ kind: 'ready' });

async function perform([name, ...args]: Task): Promise<void> {
  isStopped = false;
  try {
    const operation = operations[name] as (...args: unknown[]) => Promise<unknown>;
    send({ kind: 'done', value: await operation(...args) });
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    if (!(error instanceof PlatformError)) return send({ kind: 'failed', text });
    const { field } = error.details ?? {};
    send({ kind: 'failed', code: error.code, text, ...(typeof field === 'string' ? { field } : {}) });
  }
}

/**
 * The arrays of a message are views of one buffer, and the video is freed as soon as it is read: the sound, whose end is
 * encoded behind the last frame, gets memory of its own.
 */
function ownSound<Query extends Pick<SeededVideoQuery, 'audio'>>(query: Query): Query {
  const { audio } = query;
  return audio ? { ...query, audio: { ...audio, pcm: audio.pcm.slice() } } : query;
}

/** The finished video as the last piece; nothing when it is no longer waited for. */
function deliver(video: VideoFile | undefined): void {
  if (!video) return;
  run.piece({ progress: 1 });
  run.piece(video);
}

/**
 * A video takes a core for many seconds: turns that are being spoken beside it come first. And it needs the memory that
 * its own arrival has left behind.
 */
function yieldToOthers(): void {
  globalThis.gc?.();
  os.setPriority(0, os.constants.priority.PRIORITY_BELOW_NORMAL);
}
