/**
 * A VideoDecoder that never runs far ahead of its reader. Demultiplexers hand over forty packets at once, and the native
 * decoder turns all of them into frames while JavaScript is busy with the first: 120 MB of 1080p, half a gigabyte of
 * 4096 x 2304. Here packets, which are small, wait until enough of the frames made so far were closed.
 */
import { VideoDecoder, type VideoFrame } from '@napi-rs/webcodecs';

/** Frames that were made and are not closed yet: one that is read, one held back by the reader, and two ahead. */
const FRAMES = 4;
/** Packets inside the native decoder at once. It is fed again when it has taken them, whether it showed one or not. */
const PACKETS = 2;
/**
 * Packets that were taken and whose frames have not come: those the codec puts in order, one for each of its threads, and
 * those it has made and not handed over, since it says that it took a packet before JavaScript sees the frame. A busy
 * machine hands over late: without this bound 91 of 120 frames were made behind the reader's back.
 */
const UNSEEN = 24;
/** Packets without a frame of their own are no frames: a decoder that is idle for so long shows none for what it took. */
const IDLE_MS = 100;

type Init = ConstructorParameters<typeof VideoDecoder>[0];
type Chunk = Parameters<VideoDecoder['decode']>[0];

export class BoundedVideoDecoder extends VideoDecoder {
  readonly #packets: Chunk[] = [];
  #frames = 0;
  #unseen = 0;
  #idle: ReturnType<typeof setTimeout> | undefined;
  #drained = Promise.withResolvers<void>();

  constructor({ output, error }: Init) {
    super({ error, output: (frame) => output(this.#seen(frame)) });
    super.ondequeue = () => this.#feed();
  }

  override get decodeQueueSize(): number {
    return this.#packets.length + super.decodeQueueSize;
  }

  override decode(chunk: Chunk): void {
    this.#packets.push(chunk);
    this.#feed();
  }

  override async flush(): Promise<void> {
    while (this.#packets.length > 0 && this.state === 'configured') await this.#drained.promise;
    return super.flush();
  }

  override reset(): void {
    this.#drop();
    super.reset();
  }

  override close(): void {
    this.#drop();
    super.close();
  }

  #feed(): void {
    if (this.state !== 'configured') this.#drop();
    clearTimeout(this.#idle);
    while (this.#packets.length > 0 && this.#frames < FRAMES && super.decodeQueueSize < PACKETS) {
      if (this.#unseen >= UNSEEN) {
        this.#idle = setTimeout(() => this.#goOn(), IDLE_MS);
        return;
      }
      super.decode(this.#packets.shift()!);
      this.#unseen += 1;
    }
    if (this.#packets.length === 0) this.#emitDrained();
  }

  #goOn(): void {
    this.#unseen = 0;
    this.#feed();
  }

  #drop(): void {
    clearTimeout(this.#idle);
    this.#packets.length = 0;
    this.#emitDrained();
  }

  #emitDrained(): void {
    this.#drained.resolve();
    this.#drained = Promise.withResolvers<void>();
  }

  #seen(frame: VideoFrame): VideoFrame {
    this.#unseen = Math.max(0, this.#unseen - 1);
    return this.#counted(frame);
  }

  /** The same frame, which says when it is closed; so do its copies, since each of them keeps the pixels. */
  #counted(frame: VideoFrame): VideoFrame {
    this.#frames += 1;
    const close = frame.close.bind(frame);
    const clone = frame.clone.bind(frame);
    let isOpen = true;
    frame.clone = () => this.#counted(clone());
    frame.close = () => {
      close();
      if (!isOpen) return;
      isOpen = false;
      this.#frames -= 1;
      this.#feed();
    };
    return frame;
  }
}

// It has the methods that mediabunny calls, not every one of the interface.
globalThis.VideoDecoder = BoundedVideoDecoder as unknown as typeof globalThis.VideoDecoder;
