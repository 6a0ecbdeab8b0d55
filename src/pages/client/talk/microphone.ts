/**
 * The microphone of the talk box: a click listens hands-free until the next one, holding it listens for as long as it is
 * held. Who begins to speak interrupts the avatar. The browser's own recognition is asked first; where it has none, or it
 * fails, recordings are written down by the platform.
 */
import { BrowserRecognition, hasRecognition } from './browser-recognition.ts';
import { Recorder } from './recorder.ts';
import type { TalkBox } from './talk-box.ts';

/** Held for longer, it is push to talk. */
const HOLD_MS = 350;
const USER_TEXT_CHARS = 500;
const NO_RECOGNITION = 'This browser does not understand speech, and this platform is not set up to. Please type.';
const REFUSED = 'The microphone is not available: allow it for this page in your browser.';

/** The microphone's button, and where its words go. */
export interface MicrophoneOptions {
  button: HTMLButtonElement;
  box: TalkBox;
  /** Writes a recording down; undefined where the platform cannot. */
  transcribe: ((recording: Blob) => Promise<string>) | undefined;
}

export class Microphone {
  readonly #button: HTMLButtonElement;
  readonly #box: TalkBox;
  readonly #transcribe: MicrophoneOptions['transcribe'];
  #listening: { close(isSent?: boolean): void } | undefined;
  #mayRecognise = hasRecognition;
  #heldSince: number | undefined;
  /** Number of the present attempt to listen: a user may take long to allow the microphone, and start another attempt meanwhile. */
  #turn = 0;

  constructor({ button, box, transcribe }: MicrophoneOptions) {
    this.#button = button;
    this.#box = box;
    this.#transcribe = transcribe;
    button.addEventListener('pointerdown', ({ pointerId }) => {
      // Let go anywhere, it is let go.
      button.setPointerCapture(pointerId);
      this.#press();
    });
    for (const type of ['pointerup', 'pointercancel']) button.addEventListener(type, () => this.#release());
    button.addEventListener('click', (event) => {
      // The keyboard's; a pointer's was dealt with when it was released.
      if (event.detail === 0) this.#toggle();
    });
    button.hidden = false;
  }

  #press(): void {
    this.#heldSince = undefined;
    if (this.#listening) return;
    this.#heldSince = performance.now();
    void this.#listen(true);
  }

  #release(): void {
    if (this.#heldSince === undefined) {
      this.#stop();
      return;
    }
    const isClick = performance.now() - this.#heldSince < HOLD_MS;
    this.#heldSince = undefined;
    if (isClick) {
      this.#stop();
      void this.#listen(false);
    } else this.#stop(true);
  }

  #toggle(): void {
    if (this.#listening) this.#stop();
    else void this.#listen(false);
  }

  #stop(isSent = false): void {
    this.#turn += 1;
    this.#listening?.close(isSent);
    this.#listening = undefined;
    this.#show(false);
  }

  async #listen(isHeld: boolean): Promise<void> {
    const turn = ++this.#turn;
    this.#show(true);
    if (this.#mayRecognise) {
      this.#listening = new BrowserRecognition({
        begins: () => this.#begins(),
        said: (words) => this.#say(words),
        failed: (error) => this.#recognitionFailed(error, isHeld),
      });
      return;
    }
    if (!this.#transcribe) {
      this.#fail(NO_RECOGNITION);
      return;
    }
    try {
      const events = {
        begins: () => this.#begins(),
        said: (recording: Blob) => void this.#send(recording),
        full: () => {
          this.#heldSince = undefined;
          this.#stop(true);
        },
      };
      const recorder = await Recorder.open(events, { isHeld });
      if (turn === this.#turn) this.#listening = recorder;
      else recorder.close();
    } catch {
      if (turn === this.#turn) this.#fail(REFUSED);
    }
  }

  #recognitionFailed(error: string, isHeld: boolean): void {
    if (!this.#listening) return;
    if (error === 'not-allowed' && !this.#transcribe) {
      this.#fail(REFUSED);
      return;
    }
    // Some browsers name a recognition that they do not have.
    this.#mayRecognise = false;
    this.#listening = undefined;
    void this.#listen(isHeld);
  }

  /** The user has begun to speak: it is shown, and the avatar falls silent. */
  #begins(): void {
    this.#button.dataset.heard = 'true';
    void this.#box.interrupt();
  }

  async #send(recording: Blob): Promise<void> {
    this.#button.classList.add('busy');
    try {
      const words = await this.#transcribe?.(recording);
      if (words) this.#say(words);
    } catch (error) {
      this.#box.showError((error as Error).message);
    } finally {
      this.#button.classList.remove('busy');
    }
  }

  #say(words: string): void {
    delete this.#button.dataset.heard;
    void this.#box.say([...words].slice(0, USER_TEXT_CHARS).join(''));
  }

  #fail(sentence: string): void {
    this.#stop();
    this.#box.showError(sentence);
  }

  #show(isListening: boolean): void {
    this.#button.setAttribute('aria-pressed', String(isListening));
    this.#button.classList.toggle('listening', isListening);
    delete this.#button.dataset.heard;
  }
}
