/**
 * How loud the speech is over time, as the eye expects to see it: a level per video frame and the moments of
 * emphasis. Reads PCM only.
 */

/** Loudness of each frame, 0 to 1, relative to the loud parts of this utterance. */
export function levels(pcm: Int16Array, rate: number, fps: number, frames: number): Float32Array {
  const out = new Float32Array(frames);
  const reach = Math.round(rate * 0.025);
  for (let frame = 0; frame < frames; frame++) {
    const centre = Math.round((frame * rate) / fps);
    const from = Math.max(0, centre - reach);
    const to = Math.min(pcm.length, centre + reach);
    let sum = 0;
    for (let i = from; i < to; i++) sum += (pcm[i] as number) ** 2;
    out[frame] = to > from ? Math.sqrt(sum / (to - from)) : 0;
  }
  // The 95th percentile rather than the peak: one click must not make the whole speech look whispered.
  const loud = [...out].sort((one, other) => one - other)[Math.floor(frames * 0.95)] ?? 0;
  if (loud < 40) return out.fill(0); // Silence stays silent instead of being amplified.
  for (let frame = 0; frame < frames; frame++) out[frame] = Math.min(1, (out[frame] as number) / loud) ** 0.6;
  return out;
}

/** A centred moving average, twice, which is close to a Gaussian. */
export function movingAverage(values: Float32Array, radius: number): Float32Array {
  let current = values;
  for (let pass = 0; pass < 2; pass++) {
    const next = new Float32Array(values.length);
    for (let i = 0; i < values.length; i++) {
      let sum = 0;
      for (let k = -radius; k <= radius; k++) sum += current[Math.min(values.length - 1, Math.max(0, i + k))] as number;
      next[i] = sum / (2 * radius + 1);
    }
    current = next;
  }
  return current;
}

/** Frames at which the voice leans on a syllable: local maxima of the loudness, at least 0.6 s apart. */
export function emphases(level: Float32Array, fps: number): number[] {
  const soft = movingAverage(level, 2);
  const apart = Math.round(0.6 * fps);
  const peaks: number[] = [];
  for (let i = 1; i + 1 < soft.length; i++) {
    const here = soft[i] as number;
    if (here < 0.62 || here < (soft[i - 1] as number) || here <= (soft[i + 1] as number)) continue;
    if (peaks.length === 0 || i - (peaks.at(-1) as number) >= apart) peaks.push(i);
  }
  return peaks;
}
