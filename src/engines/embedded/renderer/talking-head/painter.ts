/** What the painters of faces share: each draws one frame of the video at a time. */

/** Draws the frames of one video. */
export interface FramePainter {
  /** The I420 frame that `draw` writes into. */
  frame: Uint8Array;
  draw(index: number): void;
}

/** One frame's values out of tracks that hold all frames'. */
export function valuesAt<Track extends object>(track: Track, index: number): { [Name in keyof Track]: number } {
  const entries = Object.entries(track as Record<string, Float32Array>).map(([name, values]) => [
    name,
    values[index] ?? 0,
  ]);
  return Object.fromEntries(entries) as { [Name in keyof Track]: number };
}
