/**
 * Messages between a process and its decoder over a socket for each direction: four bytes of length, then the message as
 * V8 serialises it. Node's own IPC gathers a message of some megabytes in pieces and copies it twice; here it arrives in
 * one buffer, and the arrays in it are views of that. Erasable TypeScript only: tests run it unbuilt.
 */
import { writeSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { deserialize, serialize } from 'node:v8';

/** The decoder's descriptors: what it is sent, and what it reports. */
export const TASKS_FD = 3;
/** File descriptor by which a decoder reports. */
export const REPORTS_FD = 4;

const HEADER_BYTES = 4;
/** Several times the largest video. A decoder that was taken over may announce anything. */
const MAX_MESSAGE_BYTES = 256 * 1_024 * 1_024;

/** Hands each message to `receive`. Bytes that are no message destroy the socket with an error. */
export function receiveMessages<Message>(socket: Socket, receive: (message: Message) => void): void {
  const header = Buffer.alloc(HEADER_BYTES);
  let body: Buffer | undefined;
  let filled = 0;
  /** What came makes a whole: the length of a message, or the message. */
  const complete = (): void => {
    filled = 0;
    if (body) {
      const message = deserialize(body) as Message;
      body = undefined;
      receive(message);
      return;
    }
    const length = header.readUInt32LE();
    if (length === 0 || length > MAX_MESSAGE_BYTES) throw new Error(`A message of ${length} bytes was announced.`);
    body = Buffer.allocUnsafeSlow(length);
  };
  socket.on('data', (chunk: Buffer) => {
    for (let from = 0; from < chunk.length && !socket.destroyed; ) {
      const target = body ?? header;
      const copied = chunk.copy(target, filled, from);
      from += copied;
      filled += copied;
      if (filled < target.length) continue;
      try {
        complete();
      } catch (error) {
        socket.destroy(error as Error);
      }
    }
  });
}

/** Sends a message; to a socket that is closed, nothing. */
export function sendMessage(stream: Writable, message: unknown): void {
  if (!stream.writable) return;
  stream.cork();
  for (const part of partsOf(message)) stream.write(part);
  stream.uncork();
}

function partsOf(message: unknown): [header: Buffer, body: Buffer] {
  const body = serialize(message);
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32LE(body.length);
  return [header, body];
}

/**
 * The decoder's end: hands over what it is sent and returns what reports. It ends the process when the parent is gone.
 * Reports are written at once, which blocks: a writer that waits for the event loop at every 200 kB of its socket takes
 * three times as long for a recording.
 */
export function openParentChannel<In, Out>(receive: (message: In) => void): (report: Out) => void {
  const socket = new Socket({ fd: TASKS_FD, readable: true, writable: false });
  socket.on('error', () => process.exit(1));
  socket.on('close', () => process.exit(0));
  receiveMessages<In>(socket, receive);
  return (report) => {
    for (const part of partsOf(report)) {
      for (let from = 0; from < part.length; ) from += writeSync(REPORTS_FD, part, from);
    }
  };
}
