/** How the readers of foreign files say no, and the rules that all of them share. */

/** Throws a 400 of one sentence about the file; the caller knows which field the file came by. */
export type Refuse = (sentence: string) => never;

/** What toAacRate takes; far beyond what recordings have (8 to 192 kHz). */
const RATES = { lowest: 4_000, highest: 384_000 };
const MOST_CHANNELS = 8;

/** Refuses sound of no rate or channel count that a recording has. */
export function checkSound(rate: number, channels: number, refuse: Refuse): void {
  if (!(rate >= RATES.lowest && rate <= RATES.highest))
    refuse(`has a sample rate of ${rate} Hz: it must be between ${RATES.lowest} and ${RATES.highest} Hz.`);
  if (!(channels >= 1 && channels <= MOST_CHANNELS))
    refuse(`has ${channels} channels: it must have 1 to ${MOST_CHANNELS}.`);
}

/** The four characters at an offset; shorter at the end of the file. */
export function fourCharacters(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4));
}

/** A view of exactly these bytes. */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
