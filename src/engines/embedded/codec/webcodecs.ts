/**
 * The WebCodecs of `@napi-rs/webcodecs`, for us and, as globals, for mediabunny, with one repair: the native side holds the
 * two callbacks of a codec until the codec itself is collected, and callbacks that see their codec, as nearly all do,
 * keep it alive. Each video and each decoded file stayed in memory for good. Here a codec that is closed lets go of them.
 */
import * as native from '@napi-rs/webcodecs';
import '@napi-rs/webcodecs/polyfill';

interface Callbacks {
  output: (...given: never[]) => void;
  error: (error: Error) => void;
}

type Codec = new (callbacks: never) => { close(): void };

/** What the native side may keep: it sees the callbacks only until `cut`. */
function link(callbacks: Callbacks) {
  let now: Callbacks | undefined = callbacks;
  return {
    passed: {
      output: (...given: never[]) => now?.output(...given),
      // A codec that failed is closed, and calls nothing any more.
      error: (error: Error) => {
        const last = now;
        now = undefined;
        last?.error(error);
      },
    },
    cut: () => {
      now = undefined;
    },
  };
}

function lettingGo<T extends Codec>(Native: T): T {
  // A class of a type parameter cannot be extended, nor what extends it be returned as one: T is each of four codecs.
  const Base = Native as unknown as new (callbacks: Callbacks) => { close(): void };
  class LettingGo extends Base {
    readonly #cut: () => void;
    constructor(callbacks: Callbacks) {
      const { passed, cut } = link(callbacks);
      super(passed);
      this.#cut = cut;
    }
    override close(): void {
      super.close();
      this.#cut();
    }
  }
  Object.defineProperty(LettingGo, 'name', { value: Native.name });
  return LettingGo as unknown as T;
}

/** WebCodecs’ VideoEncoder that lets go of its callbacks when it is closed. */
export const VideoEncoder = lettingGo(native.VideoEncoder);
/** What its constructor makes. */
export type VideoEncoder = native.VideoEncoder;
/** WebCodecs’ AudioEncoder that lets go of its callbacks when it is closed. */
export const AudioEncoder = lettingGo(native.AudioEncoder);
/** What its constructor makes. */
export type AudioEncoder = native.AudioEncoder;

// mediabunny takes the global classes; the package's polyfill has set them to its own.
Object.assign(globalThis, {
  VideoEncoder,
  AudioEncoder,
  VideoDecoder: lettingGo(native.VideoDecoder),
  AudioDecoder: lettingGo(native.AudioDecoder),
});
