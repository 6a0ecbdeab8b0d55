/** Speech recognition of the browser itself, where it has one. */

interface Recognition extends EventTarget {
  continuous: boolean;
  interimResults: boolean;
  lang: string;
  start(): void;
  stop(): void;
  abort(): void;
}

interface RecognitionEvent extends Event {
  resultIndex: number;
  results: ArrayLike<ArrayLike<{ transcript: string }> & { isFinal: boolean }>;
}

type MakeRecognition = new () => Recognition;

const Recognition = ((window as { SpeechRecognition?: MakeRecognition }).SpeechRecognition ??
  (window as { webkitSpeechRecognition?: MakeRecognition }).webkitSpeechRecognition) as MakeRecognition | undefined;

/** What speech recognition reports. */
export interface RecognitionEvents {
  begins(): void;
  said(words: string): void;
  /** It does not work here, or the microphone was refused (`not-allowed`). */
  failed(error: string): void;
}

/** Whether this browser has speech recognition. */
export const hasRecognition = Recognition !== undefined;

/** Listens until it is closed. */
export class BrowserRecognition {
  readonly #recognition: Recognition;
  #isClosed = false;

  constructor(events: RecognitionEvents) {
    if (!Recognition) throw new Error('This browser does not understand speech.');
    const recognition = new Recognition();
    this.#recognition = recognition;
    recognition.continuous = true;
    recognition.interimResults = false;
    recognition.lang = navigator.language;
    recognition.addEventListener('speechstart', () => events.begins());
    recognition.addEventListener('result', (event) => {
      const { results, resultIndex } = event as RecognitionEvent;
      for (const result of Array.from(results).slice(resultIndex)) {
        const words = result[0]?.transcript.trim();
        if (result.isFinal && words) events.said(words);
      }
    });
    recognition.addEventListener('error', (event) => {
      const { error } = event as Event & { error: string };
      // Silence is none.
      if (error === 'no-speech' || error === 'aborted' || this.#isClosed) return;
      this.#isClosed = true;
      events.failed(error);
    });
    // Browsers end it after a while of silence.
    recognition.addEventListener('end', () => this.#isClosed || recognition.start());
    recognition.start();
  }

  /** With `isSent` what was said last is still reported. */
  close(isSent = false): void {
    this.#isClosed = true;
    if (isSent) this.#recognition.stop();
    else this.#recognition.abort();
  }
}
