/** A decoder that does what its bytes say, so that tests know how it ends. */
import type { FromDecoder, ToDecoder } from '../../src/engines/decoders/tasks.ts';

const send = (report: FromDecoder) => process.send?.(report);
const kept: Uint8Array[] = [];

const ACTS: Record<string, () => void> = {
  read: () => send({ kind: 'done', value: process.pid }),
  refuse: () => send({ kind: 'failed', code: 'BAD_INPUT', text: 'file is odd.', field: 'file' }),
  crash: () => process.abort(),
  spin: () => {
    for (;;);
  },
  hang: () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0),
  grow: () => {
    for (;;) kept.push(new Uint8Array(16 * 1_024 * 1_024).fill(1));
  },
  // Answers no more, but looks at its clock.
  idle: () => void setInterval(() => {}, 1),
};

process.on('disconnect', () => process.exit(0));
process.on('message', (message: ToDecoder) => {
  if (message.kind === 'task') ACTS[Buffer.from(message.task[1] as Uint8Array).toString()]!();
});
send({ kind: 'ready' });
