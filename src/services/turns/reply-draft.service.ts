/**
 * Pushes the text of a reply to viewers while it is being written: at most ten times a second, each time the whole text so
 * far. It is in no table; only the finished chunk is.
 */
import { MAX_PAYLOAD_BYTES } from '../../events/notifier.ts';
import type { Platform } from '../platform/platform.port.ts';

const EVERY_MS = 100;

export class ReplyDraft {
  readonly #notifier: Pick<Platform['notifier'], 'emit'>;
  readonly #address: string;
  #text = '';
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  /** @param turnId the pending turn of the reply, which will hold these words. */
  constructor(notifier: Pick<Platform['notifier'], 'emit'>, conversationId: string, turnId: string) {
    this.#notifier = notifier;
    this.#address = `${conversationId} ${turnId} `;
  }

  /** More of the text. A reply that is complete before the first tick is pushed as a chunk only. */
  push(delta: string): void {
    if (this.#isOver) return;
    this.#text = this.#text === '' ? delta.trimStart() : this.#text + delta;
    this.#timer ??= setTimeout(() => this.#emit(), EVERY_MS);
  }

  /** The text is complete, or will not come: nothing more is pushed. */
  end(): void {
    clearTimeout(this.#timer);
    this.#isOver = true;
  }

  #emit(): void {
    this.#timer = undefined;
    const text = this.#text.trimEnd().toWellFormed();
    // A sentence without end is shown as far as a notification carries it.
    if (text === '' || Buffer.byteLength(this.#address + text) > MAX_PAYLOAD_BYTES) return;
    this.#notifier.emit('draft', this.#address + text);
  }
}
