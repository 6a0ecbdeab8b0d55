/**
 * The ring round the avatar of an audio turn, moved by its loudness. The loudness is read from the file beforehand
 * instead of from the playing element: routing the sound through an AudioContext would mute it until the viewer taps.
 */

const STEP_MS = 40;
const MAX_BYTES = 4_000_000;

export class LoudnessRing {
  readonly #element: HTMLElement;
  #levels: Float32Array | undefined;
  #turnId = '';

  constructor(element: HTMLElement) {
    this.#element = element;
  }

  async show(turnId: string, audioUrl: string): Promise<void> {
    this.#turnId = turnId;
    this.#levels = undefined;
    this.#element.hidden = false;
    const levels = await readLevels(audioUrl).catch(() => undefined);
    if (this.#turnId === turnId) this.#levels = levels;
  }

  hide(): void {
    this.#turnId = '';
    this.#levels = undefined;
    this.#element.hidden = true;
  }

  at(timeMs: number): void {
    if (this.#element.hidden) return;
    const level = this.#levels?.[Math.floor(timeMs / STEP_MS)] ?? 0;
    this.#element.style.setProperty('--level', level.toFixed(3));
  }
}

/** Loudness of every 40 ms, from 0 to 1. */
async function readLevels(url: string): Promise<Float32Array> {
  const response = await fetch(url, { credentials: 'omit' });
  if (Number(response.headers.get('content-length')) > MAX_BYTES) throw new Error('too long');
  const context = new OfflineAudioContext(1, 1, 22_050);
  const sound = await context.decodeAudioData(await response.arrayBuffer());
  const samples = sound.getChannelData(0);
  const size = Math.round((sound.sampleRate * STEP_MS) / 1000);
  const levels = new Float32Array(Math.ceil(samples.length / size));
  for (let step = 0; step < levels.length; step += 1) {
    let sum = 0;
    const end = Math.min(samples.length, (step + 1) * size);
    for (let i = step * size; i < end; i += 1) sum += samples[i]! * samples[i]!;
    levels[step] = Math.min(1, Math.sqrt(sum / size) * 4);
  }
  return levels;
}
