/**
 * Lays the marks of one reading of a text onto another reading's audio. Finds where the audio is voiced by its energy,
 * pairs the pauses of both readings, and stretches the marks evenly over the voiced time between paired pauses. It
 * knows no phonetics: a word may be off by some tens of milliseconds, a sentence is not.
 */
import type { Mark } from '../ports/index.ts';

/** Milliseconds, half open. */
export interface Span {
  from: number;
  to: number;
}

const FRAME_MS = 10;
/** Voice is louder than this part of the loud frames (-30 dB) and clearly above the noise level. */
const VOICE_LEVEL = 0.032;
const NOISE_FACTOR = 2.5;
/** Noise is never taken to be louder than this; a level above it counts as voice. */
const NOISE_CEILING = 0.2;
/** Shorter gaps are closures of stops; shorter bursts are clicks. */
const SHORTEST_PAUSE_MS = 110;
const SHORTEST_VOICE_MS = 40;

/** @returns the voiced spans in order; one span over everything when nothing stands out. */
export function voicedSpans(pcm: Int16Array, rate: number): Span[] {
  const frame = Math.max(1, Math.round((FRAME_MS * rate) / 1_000));
  const levels: number[] = [];
  for (let start = 0; start < pcm.length; start += frame) {
    const part = pcm.subarray(start, start + frame);
    levels.push(Math.sqrt(part.reduce((sum, x) => sum + x * x, 0) / part.length));
  }
  const sorted = levels.toSorted((a, b) => a - b);
  const loud = sorted[Math.floor(sorted.length * 0.95)] ?? 0;
  const quiet = sorted[Math.floor(sorted.length * 0.05)] ?? 0;
  const threshold = Math.max(loud * VOICE_LEVEL, Math.min(quiet * NOISE_FACTOR, loud * NOISE_CEILING), 1);
  const frameMs = (frame / rate) * 1_000;
  const spans: Span[] = [];
  for (const [i, level] of levels.entries()) {
    if (level < threshold) continue;
    const last = spans.at(-1);
    if (last && i * frameMs - last.to < SHORTEST_PAUSE_MS) last.to = (i + 1) * frameMs;
    else spans.push({ from: i * frameMs, to: (i + 1) * frameMs });
  }
  const kept = spans.filter(({ from, to }) => to - from >= SHORTEST_VOICE_MS);
  return kept.length > 0 ? kept : [{ from: 0, to: (pcm.length / rate) * 1_000 }];
}

/**
 * @param plan marks of the reference reading and its length.
 * @param spans voiced spans of the audio, not empty. @param totalMs length of the audio.
 * @returns the same marks in the same order, at the audio's times.
 */
export function stretchMarks(plan: { marks: Mark[]; ms: number }, spans: Span[], totalMs: number): Mark[] {
  const reference = soundingSpans(plan.marks, plan.ms);
  if (reference.length === 0) return plan.marks.map((mark) => ({ ...mark, ms: (spans[0] as Span).from }));
  const blocks = pairBlocks(reference, spans);
  let last = 0;
  return plan.marks.map((mark) => {
    // A pause belongs to the voice before it; a word whose first sound is a closure belongs to the voice after.
    const block = isSilence(mark)
      ? (blocks.findLast(({ reference: [first] }) => mark.ms > (first as Span).from) ?? blocks[0])
      : (blocks.find(({ reference }) => mark.ms < (reference.at(-1) as Span).to) ?? blocks.at(-1));
    const at = place(block as Block, isSilence(mark) ? mark.ms - 1 : mark.ms);
    last = Math.min(totalMs, Math.max(last, Math.round(at)));
    return { ...mark, ms: last };
  });
}

const isSilence = ({ kind, ipa }: Mark) => kind === 'phoneme' && !ipa;

/** Spans of the reference between its own pauses. */
function soundingSpans(marks: Mark[], ms: number): Span[] {
  const spans: Span[] = [];
  const phonemes = marks.filter(({ kind }) => kind === 'phoneme');
  for (const [i, mark] of phonemes.entries()) {
    if (isSilence(mark)) continue;
    const to = phonemes[i + 1]?.ms ?? ms;
    const last = spans.at(-1);
    if (last && mark.ms - last.to < SHORTEST_PAUSE_MS) last.to = to;
    else spans.push({ from: mark.ms, to });
  }
  return spans.filter(({ from, to }) => to > from);
}

interface Block {
  reference: Span[];
  audio: Span[];
}

const length = (spans: Span[]) => spans.reduce((sum, { from, to }) => sum + to - from, 0);

/** Share of the voiced time that lies before each pause. */
function pauseShares(spans: Span[]): number[] {
  const total = length(spans);
  let before = 0;
  return spans.slice(0, -1).map(({ from, to }) => {
    before += to - from;
    return before / total;
  });
}

/** What leaving one pause without a partner costs, as a share of the utterance: two pauses twice as far apart never pair. */
const UNPAIRED_COST = 0.08;

/** Cuts both readings at the pauses that correspond: the cheapest monotone pairing by dynamic programming. */
function pairBlocks(reference: Span[], audio: Span[]): Block[] {
  const a = pauseShares(reference);
  const b = pauseShares(audio);
  const cost = Array.from({ length: a.length + 1 }, () => new Float64Array(b.length + 1));
  const at = (i: number, j: number) => (cost[i] as Float64Array)[j] as number;
  const apart = (i: number, j: number) => Math.abs((a[i - 1] as number) - (b[j - 1] as number));
  for (let i = 0; i <= a.length; i++) {
    for (let j = 0; j <= b.length; j++) {
      if (i === 0 && j === 0) continue;
      const skipA = i > 0 ? at(i - 1, j) + UNPAIRED_COST : Number.POSITIVE_INFINITY;
      const skipB = j > 0 ? at(i, j - 1) + UNPAIRED_COST : Number.POSITIVE_INFINITY;
      const pair = i > 0 && j > 0 ? at(i - 1, j - 1) + apart(i, j) : Number.POSITIVE_INFINITY;
      (cost[i] as Float64Array)[j] = Math.min(skipA, skipB, pair);
    }
  }
  const cuts: [number, number][] = [[reference.length, audio.length]];
  for (let i = a.length, j = b.length; i > 0 && j > 0; ) {
    if (at(i, j) === at(i - 1, j - 1) + apart(i, j)) cuts.unshift([i--, j--]);
    else if (at(i, j) === at(i - 1, j) + UNPAIRED_COST) i--;
    else j--;
  }
  return cuts.map(([i, j], n) => {
    const [fromI, fromJ] = cuts[n - 1] ?? [0, 0];
    return { reference: reference.slice(fromI, i), audio: audio.slice(fromJ, j) };
  });
}

/** The moment of the audio at which as much of the block's voice has been heard as in the reference at `ms`. */
function place({ reference, audio }: Block, ms: number): number {
  const heard = reference.reduce((sum, { from, to }) => sum + Math.min(Math.max(0, ms - from), to - from), 0);
  let left = (heard / length(reference)) * length(audio);
  for (const [i, { from, to }] of audio.entries()) {
    // A moment on the edge of two spans belongs to the later one, where the next sound begins.
    if (left < to - from || i === audio.length - 1) return from + Math.min(left, to - from);
    left -= to - from;
  }
  return (audio.at(-1) as Span).to;
}
