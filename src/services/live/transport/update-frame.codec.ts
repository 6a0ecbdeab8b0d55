/**
 * One update as a text frame (RFC 6455) for many sockets. All that differs between viewers is the id of their operation,
 * which stands at the beginning: clients that number their operations share ids, those that draw them at random have ids of one length.
 */
import type { Duplex } from 'node:stream';

/** An unmasked text frame that is complete. */
const FINAL_TEXT = 0x81;

export class UpdateFrame {
  readonly #tail: Buffer;
  /** Whole frames, by the length of what stands before the tail; no stream holds them. */
  readonly #frames = new Map<number, Buffer>();

  /** @param tail what follows the id, up to the end of the message */
  constructor(tail: Buffer) {
    this.#tail = tail;
  }

  /**
   * Writes it to the connection under a WebSocket, behind this head. Without compression ws writes its own frames at once,
   * so they never mix.
   */
  write(stream: Duplex, head: Buffer): void {
    if (stream.writableLength > 0) {
      this.#queue(stream, head);
      return;
    }
    const whole = this.#frames.get(head.length) ?? this.#frame(head.length);
    whole.set(head, whole.length - this.#tail.length - head.length);
    stream.write(whole);
    // What the kernel did not take at once the stream keeps: these bytes are that viewer's now.
    if (stream.writableLength > 0) this.#frames.delete(head.length);
  }

  /** A frame that has to wait shares the tail: many may wait. */
  #queue(stream: Duplex, head: Buffer): void {
    stream.cork();
    stream.write(Buffer.concat([opening(head.length + this.#tail.length), head]));
    stream.write(this.#tail);
    stream.uncork();
  }

  #frame(headBytes: number): Buffer {
    const frame = Buffer.concat([opening(headBytes + this.#tail.length), Buffer.alloc(headBytes), this.#tail]);
    this.#frames.set(headBytes, frame);
    return frame;
  }
}

/** What stands before a message of so many bytes. */
function opening(length: number): Buffer {
  if (length < 126) return Buffer.from([FINAL_TEXT, length]);
  const start = Buffer.alloc(length < 65_536 ? 4 : 10);
  start[0] = FINAL_TEXT;
  if (length < 65_536) {
    start[1] = 126;
    start.writeUInt16BE(length, 2);
  } else {
    start[1] = 127;
    start.writeBigUInt64BE(BigInt(length), 2);
  }
  return start;
}
