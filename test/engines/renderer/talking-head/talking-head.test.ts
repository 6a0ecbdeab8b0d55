/** The talking head, measured on decoded frames: what the viewer sees at each sound, and what must not move. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createCanvas } from '@napi-rs/canvas';
import { createCodec } from '../../../../src/engines/embedded/codec/index.ts';
import { createTalkingHead } from '../../../../src/engines/embedded/renderer/talking-head/index.ts';
import type { Rig, TalkingHeadQuery } from '../../../../src/engines/ports/index.ts';
import { sharedDecoders } from '../../../support/decoders.ts';
import {
  backgroundChange,
  boxes,
  drawnFace,
  join,
  lids,
  openness,
  phonemeMarks,
  type Raster,
  rate,
  rig,
  voice,
} from './still.ts';

const decoders = sharedDecoders();
const codec = createCodec({ decoders });
const heads = createTalkingHead();
afterAll(() => Promise.all([codec.close(), heads.close()]));

async function shoot(query: Partial<TalkingHeadQuery> & { image: Uint8Array }): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  for await (const piece of heads.render({ pcm: voice(1), rate, marks: [], ...query })) pieces.push(piece);
  return pieces;
}

const SECONDS = 7;
const LETTERS = 'm a p ɑ b æ m a f a b i p ɑː m aɪ b ɛ p a m ɔ b a';
const marks = phonemeMarks(LETTERS);

test.each([
  [640, 720, 640],
  [900, 720, 720],
  [300, 720, 512],
  [900, 360, 360],
])('an image of %i pixels is a video of up to %i: %i', async (side, size, expected) => {
  const larger = createTalkingHead({ size, threads: 1 });
  try {
    const pieces: Uint8Array[] = [];
    const query = { image: await drawnFace(side, side), rig, pcm: voice(0.1), rate, marks: [] };
    for await (const piece of larger.render(query)) pieces.push(piece);
    const [frame] = await codec.decodeFrames(join(pieces), [20]);
    expect([frame?.width, frame?.height]).toEqual([expected, expected]);
  } finally {
    await larger.close();
  }
});

const [OLD, NEW] = [
  [0.1, 0.2, 0],
  [0.3, 0.4, 0],
];
test.each<[source: Rig['source'], version: Rig['version'], points: number[] | undefined, kept: boolean]>([
  ['detected', 1, undefined, false],
  ['detected', 2, OLD, false],
  ['detected', 3, OLD, false],
  ['detected', 4, OLD, false],
  ['detected', 5, OLD, false],
  ['detected', 6, OLD, true],
  ['manual', 5, OLD, false],
  ['manual', 6, OLD, true],
  ['rig', 1, undefined, true],
])('the points of a face kept as %s of version %i (%j) are kept: %j', async (source, version, landmarks, isKept) => {
  const known: Rig = { ...rig, source, version, ...(landmarks && { landmarks }) };
  const found: Rig = { ...rig, source: 'detected', version: 6, landmarks: NEW };
  const head = createTalkingHead({ detect: async () => ({ rig: found, confidence: 0.9 }), threads: 1 });
  try {
    const { rig: used, source: from } = await head.analyse(new Uint8Array(), known);
    expect(used?.landmarks).toEqual(isKept ? landmarks : NEW);
    expect(from).toBe(source);
  } finally {
    await head.close();
  }
});

test.each<[source: Rig['source'], version: Rig['version'], handed: number]>([
  ['detected', 5, 1],
  ['detected', 6, 0],
  ['rig', 1, 0],
])('a video of a face kept as %s of version %i hands out %i rigs to be kept', async (source, version, handed) => {
  const known: Rig = { ...rig, source, version, ...(source === 'detected' && { landmarks: OLD }) };
  const found: Rig = { ...rig, source: 'detected', version: 1 };
  const head = createTalkingHead({ detect: async () => ({ rig: found, confidence: 0.9 }), threads: 1 });
  const kept: Rig[] = [];
  const keepRig = async (one: Rig) => void kept.push(one);
  try {
    const query = { image: await drawnFace(256, 256), rig: known, pcm: voice(0.1), rate, marks: [], keepRig };
    // The first piece is the file's header: the rig is handed out before anything is drawn.
    for await (const _ of head.render(query)) break;
    expect(kept).toEqual(handed ? [found] : []);
  } finally {
    await head.close();
  }
});

describe('a speech', () => {
  let pieces: Uint8Array[];
  let video: Uint8Array;
  let images: Raster[];
  beforeAll(async () => {
    pieces = await shoot({ image: await drawnFace(), rig, pcm: voice(SECONDS), marks });
    video = join(pieces);
    images = await codec.decodeFrames(
      video,
      Array.from({ length: SECONDS * 25 }, (_, i) => i * 40 + 20),
    );
  });

  const frameAt = (ms: number) => images[Math.round(ms / 40)] as Raster;
  /** Each must be spoken several times, or what is said of its mouth says nothing. */
  const marksOf = (pattern: RegExp) => {
    const found = marks.filter((mark) => pattern.test(mark.ipa ?? ''));
    expect(found.length).toBeGreaterThan(2);
    return found;
  };
  const widest = () => Math.max(...images.map(openness));

  test('comes as an init segment and then whole fragments, each of which plays by itself', async () => {
    expect(boxes(pieces[0] as Uint8Array)).toEqual(['ftyp', 'moov']);
    expect(pieces.length).toBeGreaterThan(SECONDS);
    for (const piece of pieces.slice(1)) {
      expect(boxes(piece).slice(0, 2)).toEqual(['moof', 'mdat']);
      const alone = join([pieces[0] as Uint8Array, piece]);
      await expect(codec.decodeFrames(alone, [0])).resolves.toHaveLength(1);
    }
  });

  test('lasts as long as its sound, which it carries', async () => {
    expect(Math.abs((await codec.durationSeconds(video)) - SECONDS)).toBeLessThan(0.04);
    const sound = await codec.decodeAudio(video);
    expect(Math.abs(sound.pcm.length / sound.rate - SECONDS)).toBeLessThan(0.04);
    expect(sound.pcm.some((value) => value > 5_000)).toBe(true);
  });

  test('becomes a faststart file without losing a frame', async () => {
    const file = await codec.faststart(video);
    expect(boxes(file)).toEqual(['ftyp', 'moov', 'mdat']);
    expect(await codec.durationSeconds(file)).toBeCloseTo(await codec.durationSeconds(video), 2);
    const [there, here] = [await codec.decodeFrames(file, [3_100]), await codec.decodeFrames(video, [3_100])];
    expect(Buffer.compare(there[0]?.rgba as Uint8Array, here[0]?.rgba as Uint8Array)).toBe(0);
  });

  test('opens wide on open vowels', () => {
    expect(widest()).toBeGreaterThan(0.03);
    for (const { ms } of marksOf(/^[aɑæ]/)) expect(openness(frameAt(ms + 80))).toBeGreaterThan(0.3 * widest());
  });

  test('shuts the lips on p, b and m: at most 5 % of the widest opening', () => {
    for (const { ms } of marksOf(/^[pbm]$/)) expect(openness(frameAt(ms))).toBeLessThanOrEqual(0.05 * widest());
  });

  test('blinks, and keeps the eyes open most of the time', () => {
    const shut = images.filter((image) => lids(image) > 130).length;
    expect(shut).toBeGreaterThan(0);
    expect(shut).toBeLessThan(images.length * 0.12);
  });

  test('moves the head and leaves the background alone', () => {
    const first = images[0] as Raster;
    const changes = images.filter((_, i) => i % 5 === 0).map((image) => backgroundChange(first, image));
    expect(Math.max(...changes)).toBeLessThan(1);
    const centre = images.map((image) => whereEyeIs(image));
    expect(Math.max(...centre) - Math.min(...centre)).toBeGreaterThan(0.8);
  });

  test('begins and ends at rest, so that videos join', () => {
    const [first, last] = [images[0] as Raster, images.at(-1) as Raster];
    expect(openness(last)).toBe(0);
    let sum = 0;
    for (let i = 0; i < first.rgba.length; i++) sum += Math.abs((first.rgba[i] ?? 0) - (last.rgba[i] ?? 0));
    expect(sum / first.rgba.length).toBeLessThan(1.5);
  });
});

/** The horizontal centre of the left eye's dark iris, pixels. */
function whereEyeIs(image: Raster): number {
  let [sum, weight] = [0, 0];
  const y = Math.round(rig.leftEye.y * image.height);
  for (let x = Math.round(0.35 * image.width); x < 0.45 * image.width; x++) {
    const dark = Math.max(0, 120 - (image.rgba[(y * image.width + x) * 4] ?? 0));
    sum += dark * x;
    weight += dark;
  }
  return weight > 200 ? sum / weight : rig.leftEye.x * image.width;
}

test.each([0, 0.001, 0.3])('a speech of %d s is an init segment and a fragment too', async (seconds) => {
  const pieces = await shoot({ image: await drawnFace(64, 64), rig, size: 64, pcm: voice(seconds) });
  expect(pieces.map((piece) => boxes(piece).slice(0, 2))).toEqual([
    ['ftyp', 'moov'],
    ['moof', 'mdat'],
  ]);
});

test('the same speech gives the same video, another one another', async () => {
  const image = await drawnFace(128, 128);
  const query = { image, rig, size: 128, marks: phonemeMarks('m a m i') };
  const framesOf = async (shot: Partial<TalkingHeadQuery>) =>
    codec.decodeFrames(join(await shoot({ ...query, ...shot })), [100, 400, 700]);
  const [one, same, other] = [await framesOf({}), await framesOf({}), await framesOf({ pcm: voice(1.04) })];
  const farthest = (frames: Raster[]) => Math.max(...frames.map((frame, i) => meanSquare(frame, one[i] as Raster)));
  // What is drawn is the same to the bit; the encoder gives one run in a hundred other bits to a frame (.16 was seen).
  expect(farthest(same)).toBeLessThan(0.5);
  expect(farthest(other)).toBeGreaterThan(2);
});

function meanSquare(one: Raster, other: Raster): number {
  return one.rgba.reduce((sum, value, i) => sum + (value - (other.rgba[i] ?? 0)) ** 2, 0) / one.rgba.length;
}

test.each([
  [640, 360, 512, 512, 288],
  [300, 501, 256, 154, 256],
  [200, 200, 130, 130, 130],
])('a still of %i x %i at size %i becomes %i x %i', async (width, height, size, wide, tall) => {
  const still = await drawnFace(width, height);
  const video = join(await shoot({ image: still, rig, size, pcm: voice(0.3) }));
  const [frame] = await codec.decodeFrames(video, [0]);
  expect([frame?.width, frame?.height]).toEqual([wide, tall]);
});

test('what is transparent in a still is white in its video', async () => {
  const canvas = createCanvas(256, 256);
  const pen = canvas.getContext('2d');
  pen.fillStyle = '#aa6644';
  pen.fillRect(64, 32, 128, 224);
  const video = join(
    await shoot({ image: new Uint8Array(await canvas.encode('png')), rig, size: 256, pcm: voice(0.3) }),
  );
  const [frame] = (await codec.decodeFrames(video, [0])) as [Raster];
  expect(Math.min(...frame.rgba.subarray(0, 12))).toBeGreaterThan(250);
});

describe('a still without a face', () => {
  test('pans, zooms and shows the voice', async () => {
    const canvas = createCanvas(256, 256);
    const pen = canvas.getContext('2d');
    for (let i = 0; i < 16; i++) {
      pen.fillStyle = `hsl(${i * 40} 60% 50%)`;
      pen.fillRect(i * 16, 0, 16, 256);
    }
    const image = new Uint8Array(await canvas.encode('png'));
    const video = join(await shoot({ image, size: 256, pcm: voice(3) }));
    const [first, middle, last] = (await codec.decodeFrames(video, [0, 1_500, 2_990])) as [Raster, Raster, Raster];
    const change = (one: Raster, other: Raster) =>
      one.rgba.reduce((sum, v, i) => sum + Math.abs(v - (other.rgba[i] ?? 0)), 0) / one.rgba.length;
    expect(change(first, middle)).toBeGreaterThan(4);
    expect(change(first, last)).toBeLessThan(change(first, middle) / 2);
    expect(await codec.durationSeconds(video)).toBeCloseTo(3, 1);
    // A clip of silence goes before and follows: the voice is shown in neither the first frame nor the last.
    const silence = join(await shoot({ image, size: 256, pcm: new Int16Array(rate) }));
    const [silent] = (await codec.decodeFrames(silence, [0])) as [Raster];
    const bars = ({ rgba, width }: Raster) => rgba.subarray(width * 4 * 215);
    for (const frame of [first, last]) {
      const most = bars(frame).reduce((far, v, i) => Math.max(far, Math.abs(v - (bars(silent)[i] ?? 0))), 0);
      expect(most).toBeLessThan(40);
    }
  });
});

describe('analyse', () => {
  test('takes a known rig before detection, and its source', async () => {
    const image = await drawnFace(64, 64);
    const engine = createTalkingHead({
      detect: async () => ({ rig: { ...rig, source: 'detected' }, confidence: 0.8 }),
    });
    expect(await engine.analyse(image, { ...rig, source: 'manual' })).toMatchObject({
      source: 'manual',
      confidence: 1,
    });
    expect(await engine.analyse(image)).toMatchObject({ source: 'detected' });
    expect(await engine.analyse(image, { ...rig, mouth: { ...rig.mouth, w: 0 } })).toMatchObject({
      source: 'detected',
    });
  });

  test('never throws, and says why the detector failed', async () => {
    const failures: unknown[] = [];
    const engine = createTalkingHead({
      detect: () => Promise.reject(new Error('odd image')),
      onDetectFailed: (error) => failures.push(error),
    });
    expect(await engine.analyse(new Uint8Array(3))).toEqual({ source: 'none', confidence: 0 });
    expect(failures).toEqual([new Error('odd image')]);
    expect(await createTalkingHead().analyse(new Uint8Array(3))).toEqual({ source: 'none', confidence: 0 });
  });
});

describe('what goes wrong', () => {
  test('bytes that are no image: BAD_INPUT, and the next video works', async () => {
    await expect(shoot({ image: new Uint8Array(100), rig })).rejects.toMatchObject({ code: 'BAD_INPUT' });
    await expect(shoot({ image: await drawnFace(64, 64), rig, size: 64, pcm: voice(0.2) })).resolves.toBeDefined();
  });

  test('an aborted video rejects with the reason, and the next one works', async () => {
    const abort = new AbortController();
    const image = await drawnFace();
    const under = shoot({ image, rig, pcm: voice(30), signal: abort.signal });
    abort.abort(new Error('gone'));
    await expect(under).rejects.toThrow('gone');
    await expect(shoot({ image, rig, size: 64, pcm: voice(0.2) })).resolves.toBeDefined();
  });

  test('a reader that leaves stops the video, and the next one works', async () => {
    const image = await drawnFace();
    for await (const piece of heads.render({ image, rig, pcm: voice(30), rate, marks: [] })) {
      expect(boxes(piece)).toEqual(['ftyp', 'moov']);
      break;
    }
    await expect(shoot({ image, rig, size: 64, pcm: voice(0.2) })).resolves.toBeDefined();
  });
});
