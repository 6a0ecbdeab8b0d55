/** A microphone whose utterances are recorded one by one: hands-free by voice activity, or for as long as one says. */
import { VoiceActivity } from './voice-activity.ts';

/** What the recorder reports. */
export interface RecorderEvents {
  /** The user has begun to speak. */
  begins(): void;
  /** What was said, from shortly before it began. */
  said(recording: Blob): void;
  /** What is held by hand is as long as it may be: it is to be closed. */
  full(): void;
}

const LOOK_MS = 50;
/** Silence that is kept before an utterance, at most. */
const LEAD_MS = 3_000;
/** The server takes two minutes. */
const LONGEST_MS = 110_000;
const SAMPLES = 2_048;

export class Recorder {
  readonly #stream: MediaStream;
  readonly #context = new AudioContext();
  readonly #analyser: AnalyserNode;
  readonly #samples = new Float32Array(SAMPLES);
  readonly #events: RecorderEvents;
  readonly #timer: ReturnType<typeof setInterval>;
  #voice = new VoiceActivity();
  #recording: MediaRecorder;
  #recordingSinceMs = 0;
  /** Held by hand: silence ends nothing. */
  #isHeld: boolean;

  private constructor(stream: MediaStream, events: RecorderEvents, isHeld: boolean) {
    this.#stream = stream;
    this.#events = events;
    this.#isHeld = isHeld;
    this.#analyser = this.#context.createAnalyser();
    this.#analyser.fftSize = SAMPLES;
    this.#context.createMediaStreamSource(stream).connect(this.#analyser);
    this.#recording = this.#record();
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
  }

  /** Asks for the microphone; throws the browser's error when it is refused or there is none. */
  static async open(events: RecorderEvents, { isHeld = false } = {}): Promise<Recorder> {
    // What the avatar says comes out of the same machine: it is not the user's speech.
    const audio = { echoCancellation: true, noiseSuppression: true, autoGainControl: true };
    return new Recorder(await navigator.mediaDevices.getUserMedia({ audio }), events, isHeld);
  }

  /** Ends listening; with `isSent` what is being recorded counts as said. */
  close(isSent = false): void {
    clearInterval(this.#timer);
    const { isSpeaking } = this.#voice;
    this.#finish(isSent && (this.#isHeld || isSpeaking));
    for (const track of this.#stream.getTracks()) track.stop();
    void this.#context.close();
  }

  #record(): MediaRecorder {
    const recording = new MediaRecorder(this.#stream);
    recording.start();
    this.#recordingSinceMs = performance.now();
    return recording;
  }

  #finish(isSaid: boolean): void {
    const recording = this.#recording;
    if (isSaid) recording.addEventListener('dataavailable', ({ data }) => this.#events.said(data), { once: true });
    if (recording.state !== 'inactive') recording.stop();
  }

  #look(): void {
    this.#analyser.getFloatTimeDomainData(this.#samples);
    let sum = 0;
    for (const sample of this.#samples) sum += sample * sample;
    const nowMs = performance.now();
    const change = this.#voice.push(Math.sqrt(sum / SAMPLES), nowMs);
    if (change === 'begins') this.#events.begins();
    const ageMs = nowMs - this.#recordingSinceMs;
    if (this.#isHeld) {
      if (ageMs > LONGEST_MS) this.#events.full();
      return;
    }
    if (change === 'ends' || (this.#voice.isSpeaking && ageMs > LONGEST_MS)) {
      this.#finish(true);
      this.#recording = this.#record();
    } else if (!this.#voice.isSpeaking && ageMs > LEAD_MS) {
      this.#finish(false);
      this.#recording = this.#record();
    }
  }
}
