/** A decoder that does what its bytes say, so that tests know how it ends. */
import { writeSync } from 'node:fs';
import { openParentChannel, REPORTS_FD } from '../../../src/engines/decoders/channel.ts';
import type { FromDecoder, ToDecoder } from '../../../src/engines/decoders/tasks.ts';

const MB = 1_024 * 1_024;
const kept: Uint8Array[] = [];

const ACTS: Record<string, () => void> = {
  read: () => send({ kind: 'done', value: process.pid }),
  refuse: () => send({ kind: 'failed', code: 'BAD_INPUT', text: 'file is odd.', field: 'file' }),
  crash: () => process.abort(),
  // No message, but one of 4 GB by its first four bytes; and one that V8 never wrote.
  boast: () => void writeSync(REPORTS_FD, Buffer.alloc(64, 255)),
  babble: () => void writeSync(REPORTS_FD, Buffer.from([4, 0, 0, 0, 1, 2, 3, 4])),
  spin: () => {
    for (;;);
  },
  hang: () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0),
  // Too much is enough: growing on, it would break down before a busy machine looks at it.
  grow: () => {
    while (process.memoryUsage.rss() < 600 * MB) kept.push(new Uint8Array(16 * MB).fill(1));
    setInterval(() => {}, 1_000);
  },
  // What it keeps is less than a decoder is replaced for.
  keep: () => {
    kept.push(new Uint8Array(200 * MB).fill(1));
    send({ kind: 'done', value: process.pid });
  },
  // Is too much beside what was kept, where it waits to be ended, and not alone.
  need: () => {
    kept.push(new Uint8Array(340 * MB).fill(1));
    if (process.memoryUsage.rss() > 512 * MB) setInterval(() => {}, 1);
    else send({ kind: 'done', value: process.pid });
  },
  // Answers no more, but looks at its clock.
  idle: () => void setInterval(() => {}, 1),
};

const send = openParentChannel<ToDecoder, FromDecoder>((message) => {
  if (message.kind === 'task') ACTS[Buffer.from(message.task[1] as Uint8Array).toString()]!();
});
send({ kind: 'ready' });
