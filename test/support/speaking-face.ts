/**
 * A video of a face that speaks, judged on its decoded frames by the landmark library: does the mouth do what the sounds ask,
 * does it close, is it still the same person, does the background rest.
 */
import { planesOf, toRgba } from '../../src/engines/embedded/codec/colour.ts';
import type { EmbeddedCodec } from '../../src/engines/embedded/codec/index.ts';
import { leanOf } from '../../src/engines/embedded/faces/detect.ts';
import { type EmbeddedTalkingHead, mouthTimeline } from '../../src/engines/embedded/renderer/talking-head/index.ts';
import { staysOf } from '../../src/engines/embedded/renderer/talking-head/mesh/mouth-outline.ts';
import type { MouthTrack } from '../../src/engines/embedded/renderer/talking-head/mouth-track.ts';
import { shapesOf } from '../../src/engines/embedded/renderer/talking-head/phonemes.ts';
import { readStill } from '../../src/engines/embedded/renderer/talking-head/still.ts';
import { restFrame } from '../../src/engines/embedded/renderer/talking-head/warp.ts';
import type { Mark, Rig } from '../../src/engines/ports/index.ts';
import {
  correlation,
  type createFaceMeasures,
  cropsAbout,
  type FrameTask,
  lidsApart,
  likeness,
  opening,
  type Region,
  regionOf,
  rowsOfTeeth,
  type SeenFace,
  similarity,
} from './face-measures.ts';

export const FPS = 25;
const SIZE = 512;
/** Frames decoded at once: a thousand kilobytes each. */
const BATCH = 50;
/** Shifts of the mouth against what was asked that are tried, in frames. */
const SHIFTS = [-4, -3, -2, -1, 0, 1, 2, 3, 4];
/** Lids nearer than this share of what is usual are shut. */
const SHUT = 0.62;

export interface Spoken {
  pcm: Int16Array;
  rate: number;
  marks: Mark[];
}

export interface Tools {
  heads: EmbeddedTalkingHead;
  codec: EmbeddedCodec;
  measures: ReturnType<typeof createFaceMeasures>;
}

/** What was measured of one video. */
export interface Figures {
  /** Pearson's r of the opening seen against the one asked for, at its best shift. */
  opening: number;
  /** That shift: how late the lips are. */
  lateMs: number;
  /**
   * Height between the inner lips at p, b and m in heights of the face: the middle one and the largest. Each is the mean of thirteen looks at
   * slightly different crops: those at one photograph of a closed mouth differ by .005 and up to .014.
   */
  closed: [median: number, largest: number];
  /** The same of one look each. */
  closedAtOnce: [median: number, largest: number];
  /** Frames that show two rows of teeth. */
  doubled: number;
  /** Cosine of the descriptions of still and frames: the middle one, and that which 5 % do not reach. */
  likeness: [median: number, low: number];
  /** The same by the library's own measure, 0 to 1, which falls faster. */
  similarity: [median: number, low: number];
  /** Mean change outside the head since the first frame, in grey levels: the largest of all frames. */
  background: number;
  /** Degrees to the lesser side; of the pitch up or down. */
  yaw: number;
  pitch: number;
  /** Closings of the eyes in 20 s. */
  blinks: number;
  /** Frames looked at. */
  frames: number;
}

/** What each figure must be. */
export const GOALS: Record<
  keyof Omit<Figures, 'frames' | 'similarity' | 'closedAtOnce'>,
  (figures: Figures) => boolean
> = {
  opening: (figures) => figures.opening >= 0.9,
  lateMs: (figures) => Math.abs(figures.lateMs) <= 40,
  closed: (figures) => figures.closed[1] <= 0.01,
  doubled: (figures) => figures.doubled === 0,
  likeness: (figures) => figures.likeness[0] >= 0.95 && figures.likeness[1] >= 0.85,
  background: (figures) => figures.background <= 1,
  yaw: (figures) => figures.yaw >= 5,
  pitch: (figures) => figures.pitch >= 3,
  blinks: (figures) => figures.blinks >= 3 && figures.blinks <= 6,
};

/** Frames worth looking at, by what they show. */
export type Samples = Record<'rest' | 'open' | 'closed' | 'round' | 'spread' | 'blink' | 'left' | 'right', FrameTask>;

interface Seen {
  index: number;
  face: SeenFace;
  doubled: boolean;
  background: number;
  /** At p, b and m: the opening by several looks. */
  closed: number | undefined;
}

/**
 * Renders a still that speaks and judges its frames.
 * @param every frames from one that is looked at to the next; those at p, b and m are looked at in any case
 */
export async function judge(
  { heads, codec, measures }: Tools,
  still: { image: Uint8Array; rig?: Rig },
  { pcm, rate, marks }: Spoken,
  every: number,
): Promise<{ figures: Figures; samples: Samples }> {
  const pieces = await gathered(heads.render({ ...still, pcm, rate, marks, size: SIZE, fps: FPS }));
  const video = new Uint8Array(Buffer.concat(pieces));
  const decoded = (indices: number[]) =>
    codec.decodeFrames(
      video,
      indices.map((index) => (index * 1000) / FPS + 20),
    );
  const count = Math.floor((pcm.length / rate) * FPS);
  const closures = closuresOf(marks, count);
  const reference = await frameOf(still.image);
  const region = await squareOf(measures, still.rig, reference);
  const self = await look(measures, { ...reference, region });
  const outside = outsideHead(self, reference);
  const [first] = (await decoded([0])) as [FrameTask];
  const seen: Seen[] = [];
  for (let from = 0; from < count; from += BATCH) {
    const indices = Array.from({ length: Math.min(BATCH, count - from) }, (_, i) => from + i).filter(
      (index) => index % every === 0 || closures.includes(index),
    );
    for (const [i, frame] of (await decoded(indices)).entries()) {
      const index = indices[i] as number;
      // Who it is, is asked of frames at even distances alone (`figuresOf`).
      const face = await look(measures, { ...frame, region, isDescribed: index % every === 0 });
      const background = change(first, frame, outside);
      const closed = closures.includes(index) ? await openingOf(measures, frame, region, face) : undefined;
      seen.push({ index, face, doubled: rowsOfTeeth(face, frame) > 1, background, closed });
    }
  }
  const asked = mouthTimeline({ pcm, rate, marks, fps: FPS, frames: count });
  const shown = shownFrames(seen, asked);
  const wanted = openingAsked(asked, opening(self));
  const samples = (await decoded(Object.values(shown))).map((frame, i) => [
    Object.keys(shown)[i],
    { ...frame, region },
  ]);
  return { figures: figuresOf(seen, wanted, self, every), samples: Object.fromEntries(samples) as Samples };
}

export async function gathered<T>(pieces: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const piece of pieces) all.push(piece);
  return all;
}

/** What an opening of 1 is of the face's height. */
const WIDEST = 0.15;

/**
 * The opening that still and sounds ask for, in heights of the face: who smiles with the teeth opens further from there, who laughs
 * from a smile.
 */
function openingAsked({ open, kept }: MouthTrack, atRest: number): Float32Array {
  return open.map((share, i) => {
    const ajar = staysOf(kept[i] as number, atRest) * atRest;
    return ajar + share * (WIDEST - ajar);
  });
}

/** The square of the face that speaks: where its rig says, should another be the first that is seen, or a small one not be. */
async function squareOf(measures: Tools['measures'], rig: Rig | undefined, reference: FrameTask): Promise<Region> {
  const { width, height } = reference;
  const seen = await measures.see({ ...reference, rgba: reference.rgba.slice(), isDescribed: false });
  const { landmarks } = rig ?? {};
  if (!landmarks) return regionOf(seen ?? (await look(measures, reference)), reference);
  const at = (i: number, side: number) => (landmarks[i] as number) * side;
  const points = Array.from({ length: landmarks.length / 3 }, (_, i): [number, number, number] => [
    at(i * 3, width),
    at(i * 3 + 1, height),
    at(i * 3 + 2, width),
  ]);
  const away = (one: [number, number, number], other: [number, number, number]) =>
    Math.hypot(one[0] - other[0], one[1] - other[1]);
  const isThere = seen && away(seen.points[1]!, points[1]!) < away(points[10]!, points[152]!) * 0.3;
  return regionOf(isThere ? seen : { points }, reference);
}

async function look(measures: Tools['measures'], frame: FrameTask): Promise<SeenFace> {
  const { region } = frame;
  // One crop of a frame may show the library no face where the next one does.
  for (const crop of region ? [region, ...cropsAbout(region, frame).slice(1)] : [region]) {
    // A copy: the thread takes what it is given.
    const face = await measures.see({ ...frame, rgba: frame.rgba.slice(), region: crop });
    if (face) return face;
  }
  throw new Error('No face was seen in a frame.');
}

/** The mean of several looks, the first of which was taken. */
async function openingOf(
  measures: Tools['measures'],
  frame: FrameTask,
  region: Region,
  first: SeenFace,
): Promise<number> {
  const looks = [opening(first)];
  for (const crop of cropsAbout(region, frame).slice(1)) {
    const face = await measures.see({ ...frame, rgba: frame.rgba.slice(), region: crop, isDescribed: false });
    if (face) looks.push(opening(face));
  }
  return looks.reduce((sum, one) => sum + one, 0) / looks.length;
}

/** A still as a frame of its video. */
async function frameOf(image: Uint8Array): Promise<FrameTask> {
  const { width, height, source } = await readStill(image, SIZE);
  const small = new Uint8Array((width * height * 3) / 2);
  const planes = planesOf(small, width, height);
  restFrame(source, planes);
  return { rgba: toRgba(planes), width, height };
}

/** The frame nearest to the mark of each p, b and m. */
function closuresOf(marks: Mark[], count: number): number[] {
  const closing = marks.filter(({ ipa = '' }) => (shapesOf(ipa)[0]?.shape.press ?? 0) > 0);
  // A few milliseconds within the end the mouth is at rest for the next video.
  return closing.map(({ ms }) => Math.round((ms * FPS) / 1000)).filter((index) => index > 1 && index < count - 2);
}

function figuresOf(seen: Seen[], asked: Float32Array, self: SeenFace, every: number): Figures {
  const openings = seen.map(({ face }) => opening(face));
  const shifted = SHIFTS.map((shift) => {
    const wanted = seen.map(({ index }) => asked[Math.min(asked.length - 1, Math.max(0, index - shift))] as number);
    return { shift, r: correlation(openings, wanted) };
  });
  const best = shifted.reduce((one, other) => (other.r > one.r ? other : one));
  const gaps = sorted(seen.flatMap(({ closed }) => closed ?? []));
  const once = sorted(seen.flatMap(({ closed, face }) => (closed === undefined ? [] : opening(face))));
  // Of frames at even distances: looked at one by one, closures would count for more than they last.
  const even = seen.filter(({ index }) => index % every === 0);
  const alike = sorted(even.map(({ face }) => likeness(self, face)));
  const same = sorted(even.map(({ face }) => similarity(self, face)));
  const lesser = (axis: 'yaw' | 'pitch') => {
    const degrees = sorted(seen.map(({ face }) => face.angle[axis] * (180 / Math.PI)));
    const middle = quantile(degrees, 0.5);
    return Math.min(middle - quantile(degrees, 0.01), quantile(degrees, 0.99) - middle);
  };
  return {
    opening: best.r,
    lateMs: (best.shift * 1000) / FPS,
    closed: [quantile(gaps, 0.5), quantile(gaps, 1)],
    closedAtOnce: [quantile(once, 0.5), quantile(once, 1)],
    doubled: seen.filter(({ doubled }) => doubled).length,
    likeness: [quantile(alike, 0.5), quantile(alike, 0.05)],
    similarity: [quantile(same, 0.5), quantile(same, 0.05)],
    background: Math.max(...seen.map(({ background }) => background)),
    yaw: lesser('yaw'),
    pitch: lesser('pitch'),
    blinks: (blinksOf(seen) * 20 * FPS) / asked.length,
    frames: seen.length,
  };
}

const sorted = (values: number[]): number[] => values.toSorted((one, other) => one - other);
const quantile = (ordered: number[], share: number): number =>
  ordered[Math.min(ordered.length - 1, Math.floor(share * ordered.length))] ?? Number.NaN;

function blinksOf(seen: Seen[]): number {
  const lids = seen.map(({ face }) => Math.min(...lidsApart(face)));
  const usual = quantile(sorted(lids), 0.5);
  return lids.filter((lid, i) => lid < usual * SHUT && !((lids[i - 1] ?? 0) < usual * SHUT)).length;
}

/** Pixels a side of the squares whose mean grey is compared: what an encoder makes of the grain in them is no motion. */
const SQUARE = 8;

/** Squares above the chin and well outside the head, by their corners: what must not move. The head may lean. */
function outsideHead({ points }: SeenFace, { width, height }: FrameTask): [x: number, y: number][] {
  const lean = leanOf({ points });
  const [cos, sin] = [Math.cos(lean), Math.sin(lean)];
  const upright = (x: number, y: number): [x: number, y: number] => [x * cos + y * sin, y * cos - x * sin];
  const at = (index: number) => upright(points[index]![0], points[index]![1]);
  const [, top] = at(10);
  const [chinX, chinY] = at(152);
  const [[left], [right]] = [at(234), at(454)];
  const [wide, tall] = [right - left, chinY - top];
  const [centreX, centreY] = [(left + right + chinX * 2) / 4, chinY - tall * 0.62];
  const out: [number, number][] = [];
  for (let y = 0; y + SQUARE <= Math.min(height, points[152]![1]); y += SQUARE) {
    for (let x = 0; x + SQUARE <= width; x += SQUARE) {
      const [headX, headY] = upright(x + SQUARE / 2, y + SQUARE / 2);
      const [u, v] = [(headX - centreX) / (wide * 1.05), (headY - centreY) / (tall * 1.05)];
      if (u * u + v * v > 1) out.push([x, y]);
    }
  }
  return out;
}

/** Mean difference of the mean greys of squares; 0 to 255. */
function change(one: FrameTask, other: FrameTask, squares: [x: number, y: number][]): number {
  const grey = ({ rgba, width }: FrameTask, left: number, top: number) => {
    let sum = 0;
    for (let y = top; y < top + SQUARE; y++) {
      for (let at = (y * width + left) * 4; at < (y * width + left + SQUARE) * 4; at += 4)
        sum += 0.2126 * (rgba[at] as number) + 0.7152 * (rgba[at + 1] as number) + 0.0722 * (rgba[at + 2] as number);
    }
    return sum / (SQUARE * SQUARE);
  };
  const changes = squares.map(([x, y]) => Math.abs(grey(one, x, y) - grey(other, x, y)));
  return changes.reduce((sum, value) => sum + value, 0) / Math.max(1, changes.length);
}

function shownFrames(seen: Seen[], asked: MouthTrack): Record<keyof Samples, number> {
  const most = (value: (one: Seen) => number) => seen.reduce((a, b) => (value(b) > value(a) ? b : a)).index;
  return {
    rest: 0,
    open: most(({ index }) => asked.open[index] as number),
    closed: most(({ closed }) => closed ?? -1),
    round: most(({ index }) => -(asked.wide[index] as number)),
    spread: most(({ index }) => asked.wide[index] as number),
    blink: most(({ face }) => -Math.min(...lidsApart(face))),
    left: most(({ face }) => face.angle.yaw),
    right: most(({ face }) => -face.angle.yaw),
  };
}
