/**
 * A face that speaks as a mesh, measured on its frames by the landmark library that found it: lips, teeth, lids, angles.
 * The photograph shows an astronaut who smiles with her teeth: Eileen Collins by NASA, in the public domain
 * (as the scikit-image project distributes it).
 */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import sharp from 'sharp';
import { createDecoders } from '../../../../src/engines/decoders/index.ts';
import { planesOf, toRgba } from '../../../../src/engines/embedded/codec/colour.ts';
import { createCodec } from '../../../../src/engines/embedded/codec/index.ts';
import { createFaceDetector } from '../../../../src/engines/embedded/faces/index.ts';
import { portraitFor } from '../../../../src/engines/embedded/renderer/graphics/portrait/index.ts';
import { createTalkingHead } from '../../../../src/engines/embedded/renderer/talking-head/index.ts';
import { meshPainter } from '../../../../src/engines/embedded/renderer/talking-head/mesh/mesh-painter.ts';
import type { MotionTrack } from '../../../../src/engines/embedded/renderer/talking-head/motion.ts';
import type { MouthTrack } from '../../../../src/engines/embedded/renderer/talking-head/mouth-track.ts';
import { readStill } from '../../../../src/engines/embedded/renderer/talking-head/still.ts';
import { createEmbeddedSpeech } from '../../../../src/engines/embedded/speech/index.ts';
import type { Mark, Rig } from '../../../../src/engines/ports/index.ts';
import {
  createFaceMeasures,
  type FrameTask,
  lidsApart,
  mouthWidth,
  opening,
  regionOf,
  rowsOfTeeth,
  type SeenFace,
} from '../../../support/face-measures.ts';
import { joined } from '../../../support/sound-files.ts';
import { FPS, gathered, judge } from '../../../support/speaking-face.ts';
import { join } from './still.ts';

const decoders = createDecoders();
const codec = createCodec({ decoders });
const detector = createFaceDetector();
const heads = createTalkingHead({ detect: detector.detect, lipsApart: detector.lipsApart, threads: 1 });
const measures = createFaceMeasures();
const speech = createEmbeddedSpeech();
afterAll(() =>
  Promise.all([codec.close(), heads.close(), detector.close(), measures.close(), speech.close(), decoders.close()]),
);

const photograph = async () =>
  new Uint8Array(await readFile(new URL('../../../fixtures/astronaut.jpg', import.meta.url)));

async function seen(frame: FrameTask): Promise<SeenFace> {
  const face = await measures.see({ ...frame, rgba: frame.rgba.slice(), isDescribed: false });
  if (!face) throw new Error('No face was seen in a frame.');
  return face;
}

interface Still {
  image: Uint8Array;
  rig: Rig;
}

async function found(image: Uint8Array): Promise<Still> {
  const { rig } = await heads.analyse(image);
  if (!rig?.landmarks) throw new Error('No face was found.');
  return { image, rig };
}

test('eyes of a photograph and of its mirror image are found in the same places', async () => {
  const image = await photograph();
  const mirrored = new Uint8Array(await sharp(image).flop().toBuffer());
  const [one, other] = [(await found(image)).rig.landmarks!, (await found(mirrored)).rig.landmarks!];
  const width = one[133 * 3]! - one[33 * 3]!;
  // Iris and the middles of both lids, of either eye.
  for (const [left, right] of [
    [468, 473],
    [159, 386],
    [145, 374],
  ] as const) {
    for (const [here, there] of [
      [left, right],
      [right, left],
    ] as const) {
      const [dx, dy] = [one[here * 3]! - (1 - other[there * 3]!), one[here * 3 + 1]! - other[there * 3 + 1]!];
      expect(Math.hypot(dx, dy)).toBeLessThan(width * 0.06);
    }
  }
});

test('lips of a head that leans far are found where they are', async () => {
  const image = await photograph();
  const lean = 32;
  const { data, info } = await sharp(image)
    .rotate(lean, { background: '#808080' })
    .png()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = await sharp(image).metadata();
  const [upright, leaning] = [(await found(image)).rig.landmarks!, (await found(new Uint8Array(data))).rig.landmarks!];
  const [cos, sin] = [Math.cos((lean * Math.PI) / 180), Math.sin((lean * Math.PI) / 180)];
  const at = (index: number) => [upright[index * 3]! * width, upright[index * 3 + 1]! * height] as const;
  const tall = Math.hypot(at(10)[0] - at(152)[0], at(10)[1] - at(152)[1]);
  const away = [78, 81, 13, 311, 308, 402, 14, 178, 61, 0, 291, 17].map((index) => {
    const [x, y] = [
      leaning[index * 3]! * info.width - info.width / 2,
      leaning[index * 3 + 1]! * info.height - info.height / 2,
    ];
    const [dx, dy] = [width / 2 + x * cos + y * sin - at(index)[0], height / 2 - x * sin + y * cos - at(index)[1]];
    return Math.hypot(dx, dy) / tall;
  });
  expect(away.reduce((sum, one) => sum + one, 0) / away.length).toBeLessThan(0.01);
});

test('the far eye of a turned head is found where it is', async () => {
  const image = await photograph();
  const whole = (await found(image)).rig.landmarks!;
  const { width, height } = await sharp(image).metadata();
  // Beyond the nose all is narrow and higher, as of a head that is turned and looks down.
  const nose = Math.round(whole[3]! * width);
  const [narrow, rise] = [0.35, 0.2];
  const far = Math.round((width - nose) * narrow);
  const half = async (left: number, wide: number) =>
    sharp(await sharp(image).extract({ left, top: 0, width: wide, height }).png().toBuffer());
  const risen = await (await half(nose, width - nose))
    .resize(far, height, { fit: 'fill' })
    .affine([1, 0, -rise, 1], { background: '#808080' })
    .png()
    .toBuffer({ resolveWithObject: true });
  const input = await sharp(risen.data)
    .extract({ left: 0, top: risen.info.height - height, width: far, height })
    .toBuffer();
  const turned = await (await half(0, nose))
    .extend({ right: far, background: '#808080' })
    .png()
    .toBuffer()
    .then((near) =>
      sharp(near)
        .composite([{ input, left: nose, top: 0 }])
        .png()
        .toBuffer(),
    );
  const points = (await found(new Uint8Array(turned))).rig.landmarks!;
  const middle = (marks: number[]) => ((marks[386 * 3 + 1]! + marks[374 * 3 + 1]!) / 2) * height;
  const away = (((whole[386 * 3]! + whole[374 * 3]!) / 2) * width - nose) * narrow;
  const wide = Math.abs(whole[263 * 3]! - whole[362 * 3]!) * width * narrow;
  expect(Math.abs(middle(points) - (middle(whole) - rise * away))).toBeLessThan(wide * 0.3);
});

test('a face that its image cuts off above the eyes is found where it is', async () => {
  const image = await photograph();
  const { width, height } = await sharp(image).metadata();
  const whole = (await found(image)).rig.landmarks!;
  const at = (index: number) => [whole[index * 3]! * width, whole[index * 3 + 1]! * height] as const;
  const box = { left: Math.round(at(234)[0]), top: Math.round(at(10)[1] * 0.75 + at(152)[1] * 0.25) };
  const size = { width: Math.round(at(454)[0]) - box.left, height: Math.round(at(152)[1]) - box.top };
  const cut = await sharp(image)
    .extract({ ...box, ...size })
    .png()
    .toBuffer();
  const near = (await found(new Uint8Array(await sharp(cut).resize(400).png().toBuffer()))).rig.landmarks!;
  for (const index of [13, 14, 61, 291, 468, 473]) {
    const [x, y] = [box.left + near[index * 3]! * size.width, box.top + near[index * 3 + 1]! * size.height];
    expect(Math.hypot(x - at(index)[0], y - at(index)[1])).toBeLessThan(size.width * 0.06);
  }
});

type Pose = { [Name in keyof MouthTrack | keyof MotionTrack]?: number };

const MOUTH = ['open', 'wide', 'press', 'bite', 'tongue', 'kept'] as const;
const MOTION = ['lids', 'gazeX', 'gazeY', 'brows', 'swayX', 'swayY', 'yaw', 'pitch', 'roll', 'breath'] as const;

/** Single frames of given poses. */
async function posed<Name extends string>(
  { image, rig }: Still,
  poses: Record<Name, Pose>,
): Promise<Record<Name, FrameTask>> {
  const still = await readStill(image, 512);
  const tracks = <Key extends keyof Pose>(keys: readonly Key[]) =>
    Object.fromEntries(
      keys.map((key) => [key, Float32Array.from(Object.values<Pose>(poses), (pose) => pose[key] ?? 0)]),
    ) as Record<Key, Float32Array>;
  const painter = meshPainter(still, rig, tracks(MOUTH), tracks(MOTION));
  const { width, height } = still;
  const frames = Object.keys(poses).map((name, index) => {
    painter.draw(index);
    return [name, { rgba: toRgba(planesOf(painter.frame.slice(), width, height)), width, height }];
  });
  return Object.fromEntries(frames) as Record<Name, FrameTask>;
}

const POSES = {
  rest: {},
  m: { press: 1 },
  a: { open: 0.95 },
  i: { open: 0.24, wide: 0.85 },
  u: { open: 0.27, wide: -1 },
  left: { yaw: -1 },
  right: { yaw: 1 },
  up: { pitch: -1 },
  down: { pitch: 1 },
  leaning: { roll: 1 },
  upright: { roll: -1 },
  blink: { lids: 1 },
} satisfies Record<string, Pose>;

describe.each<[string, number, { rest: number; m: number }, () => Promise<Uint8Array>]>([
  ['a photograph that smiles with its teeth', 0.62, { rest: 0.018, m: 0.01 }, photograph],
  [
    // Its eyes are larger than any the models know, and its closed lips a thick crescent.
    'a drawn portrait whose rig is withheld',
    0.92,
    { rest: 0.024, m: 0.02 },
    async () =>
      (await portraitFor('Portrait of a young woman with short black hair', { width: 512, height: 512 })).image,
  ],
])('%s', (_what, shutShare, closed, load) => {
  let frames: Record<keyof typeof POSES, FrameTask>;
  let faces: Record<keyof typeof POSES, SeenFace>;
  beforeAll(async () => {
    frames = await posed(await found(await load()), POSES);
    const all = [];
    for (const [name, frame] of Object.entries(frames)) all.push([name, await seen(frame)] as const);
    faces = Object.fromEntries(all) as typeof faces;
  });

  test('has closed lips at rest and at m, and opens them', () => {
    // The models see 0.01 in photographs of closed mouths too, and more where the cheeks still smile.
    expect(opening(faces.rest)).toBeLessThanOrEqual(closed.rest);
    expect(opening(faces.m)).toBeLessThanOrEqual(closed.m);
    expect(opening(faces.a)).toBeGreaterThan(0.06);
  });

  test('is rounded at u and wide at i', () => {
    expect(mouthWidth(faces.u)).toBeLessThan(mouthWidth(faces.i) * 0.96);
  });

  test('never shows two rows of teeth', () => {
    for (const name of ['rest', 'm', 'a', 'i', 'u'] as const) {
      expect(rowsOfTeeth(faces[name], frames[name])).toBeLessThanOrEqual(1);
    }
  });

  test('shuts both eyes', () => {
    const [open, shut] = [lidsApart(faces.rest), lidsApart(faces.blink)];
    for (const side of [0, 1] as const) expect(shut[side]).toBeLessThan(open[side] * shutShare);
  });

  test('turns, nods and leans', () => {
    const degrees = (one: SeenFace, other: SeenFace, axis: keyof SeenFace['angle']) =>
      (Math.abs(one.angle[axis] - other.angle[axis]) * 180) / Math.PI;
    expect(degrees(faces.left, faces.right, 'yaw')).toBeGreaterThan(6);
    expect(degrees(faces.up, faces.down, 'pitch')).toBeGreaterThan(2.5);
    expect(degrees(faces.leaning, faces.upright, 'roll')).toBeGreaterThan(3);
  });

  test('leaves what is far from the head as it was', () => {
    for (const frame of Object.values(frames)) expect(cornerChange(frames.rest, frame)).toBeLessThan(1);
  });
});

/** A frame as a still of its own. */
async function stillOf({ rgba, width, height }: FrameTask): Promise<Still> {
  return found(
    new Uint8Array(
      await sharp(rgba, { raw: { width, height, channels: 4 } })
        .png()
        .toBuffer(),
    ),
  );
}

/** From the nose to the chin, in distances between the eyes' corners. */
function noseToChin({ points }: SeenFace): number {
  const apart = (one: number, other: number) =>
    Math.hypot(points[one]![0] - points[other]![0], points[one]![1] - points[other]![1]);
  return apart(2, 152) / apart(33, 263);
}

describe('who laughs in the still with the jaw dropped', () => {
  let faces: Record<'rest' | 'm' | 'speaking', SeenFace>;
  beforeAll(async () => {
    // As far as a mouth opens from a smile, and from there once more.
    let laughing = await found(await photograph());
    for (const _ of [1, 2]) {
      const { laugh } = await posed(laughing, { laugh: { open: 1, kept: 1 } });
      laughing = await stillOf(laugh);
    }
    const frames = await posed(laughing, { rest: { kept: 1 }, m: { press: 1 }, speaking: { kept: 0.65 } });
    const all = [];
    for (const [name, frame] of Object.entries(frames)) all.push([name, await seen(frame)] as const);
    faces = Object.fromEntries(all) as typeof faces;
    expect(opening(faces.rest)).toBeGreaterThan(0.1);
  });

  test('shuts it by the jaw for m', () => {
    expect(opening(faces.m)).toBeLessThanOrEqual(0.015);
    expect(noseToChin(faces.m)).toBeLessThan(noseToChin(faces.rest) * 0.93);
  });

  test('speaks smiling', () => {
    expect(opening(faces.speaking)).toBeGreaterThan(0.03);
    expect(opening(faces.speaking)).toBeLessThan(opening(faces.rest) * 0.75);
  });
});

test('at f and v a smile shows its upper teeth over the lower lip', async () => {
  const poses = { smile: { kept: 0.75 }, f: { bite: 1, open: 0.1, kept: 0.6 }, m: { press: 1 } };
  const frames = await posed(await found(await photograph()), poses);
  const region = regionOf(await seen(frames.smile), frames.smile);
  const near = (frame: FrameTask) => seen({ ...frame, region });
  const [smile, f, m] = [await near(frames.smile), await near(frames.f), await near(frames.m)];
  // From the base of the nose to the inner edge of a lip, in heights of the face.
  const below = ({ points }: SeenFace, lip: 13 | 14) =>
    Math.hypot(points[lip]![0] - points[2]![0], points[lip]![1] - points[2]![1]) /
    Math.hypot(points[10]![0] - points[152]![0], points[10]![1] - points[152]![1]);
  expect(Math.abs(below(f, 13) - below(smile, 13))).toBeLessThan(0.012);
  expect(below(m, 13) - below(f, 13)).toBeGreaterThan(0.005);
  expect(below(smile, 14) - below(f, 14)).toBeGreaterThan(0.01);
  expect(opening(f)).toBeGreaterThan(0.02);
});

test('both irises glance aside', async () => {
  const glances = { left: { gazeX: -0.8 }, ahead: {}, right: { gazeX: 0.8 } };
  const frames = await posed(await found(await photograph()), glances);
  // The library's points are whole pixels: it is shown the face alone, enlarged.
  const region = regionOf(await seen(frames.ahead), frames.ahead);
  const near = (frame: FrameTask) => seen({ ...frame, region });
  const [left, ahead, right] = [await near(frames.left), await near(frames.ahead), await near(frames.right)];
  // The library says the iris between 263 and 362 first. In widths of the eye.
  for (const [iris, one, other] of [
    [473, 33, 133],
    [468, 362, 263],
  ] as const) {
    const aside = ({ points }: SeenFace) =>
      (points[iris]![0] - points[one]![0]) / (points[other]![0] - points[one]![0]);
    expect(aside(ahead) - aside(left)).toBeGreaterThan(0.02);
    expect(aside(right) - aside(ahead)).toBeGreaterThan(0.02);
  }
});

test('teeth of a photograph with hardly any colour are its own: they stay where drawn ones would hide behind rounded lips', async () => {
  const pale = await sharp(await photograph())
    .modulate({ saturation: 0.22 })
    .png()
    .toBuffer();
  const { round } = await posed(await found(new Uint8Array(pale)), { round: { open: 0.5, wide: -0.8 } });
  expect(rowsOfTeeth(await seen(round), round)).toBe(1);
});

test.each<[string, [lid: number[], lid: number[]]]>([
  // From the margins of the lids up over their folds.
  [
    'painted up to their folds',
    [
      [33, 160, 158, 133, 56, 27, 247],
      [263, 387, 385, 362, 286, 257, 467],
    ],
  ],
  [
    'painted up to the brows',
    [
      [33, 160, 158, 133, 55, 65, 52, 53, 46],
      [263, 387, 385, 362, 285, 295, 282, 283, 276],
    ],
  ],
])('shut lids of eyes that are wide open are skin: %s', async (_what, lids) => {
  const usual = await photograph();
  const { rig } = await found(usual);
  // Her eyes as tall as a child's.
  const { width, height: once } = await sharp(usual).metadata();
  const height = Math.round(once * 1.35);
  const image = await sharp(usual).resize(width, height, { fit: 'fill' }).toBuffer();
  const at = (index: number) => [rig.landmarks![index * 3]! * width, rig.landmarks![index * 3 + 1]! * height] as const;
  const canvas = createCanvas(width, height);
  const ctx = canvas.getContext('2d');
  ctx.drawImage(await loadImage(image), 0, 0);
  ctx.fillStyle = 'rgba(36, 26, 34, 0.85)';
  for (const lid of lids) {
    ctx.beginPath();
    for (const index of lid) ctx.lineTo(...at(index));
    ctx.fill();
  }
  const painted = new Uint8Array(canvas.toBuffer('image/png'));
  const { open, shut } = await posed({ image: painted, rig }, { open: {}, shut: { lids: 1 } });
  const light = (frame: FrameTask, index: number, down: number) => {
    const scale = frame.height / height;
    const [x, y] = [Math.round(at(index)[0] * scale), Math.round((at(index)[1] + down) * scale)];
    const pixel = (y * frame.width + x) * 4;
    return (frame.rgba[pixel]! + frame.rgba[pixel + 1]! + frame.rgba[pixel + 2]!) / 3;
  };
  for (const [upper, lower] of [
    [159, 145],
    [386, 374],
  ] as const) {
    const tall = at(lower)[1] - at(upper)[1];
    // In the middle of the eye, where the iris is while it is open, beside the skin below it.
    const skin = light(open, lower, tall);
    expect(light(open, upper, tall * 0.45)).toBeLessThan(skin * 0.65);
    expect(light(shut, upper, tall * 0.45)).toBeGreaterThan(skin * 0.75);
  }
});

/** The photograph to be painted over, and where its landmarks are in it. */
async function canvasOfPhotograph() {
  const usual = await photograph();
  const { rig } = await found(usual);
  const { width, height } = await sharp(usual).metadata();
  const at = (index: number) => [rig.landmarks![index * 3]! * width, rig.landmarks![index * 3 + 1]! * height] as const;
  const canvas = createCanvas(width, height);
  const ctx = canvas.getContext('2d');
  ctx.drawImage(await loadImage(Buffer.from(usual)), 0, 0);
  return { canvas, ctx, at, rig, width, height };
}

test.each<[string, string[], isUpright?: boolean]>([
  ['a plain mask', ['#9cc4dd']],
  ['a mask in folds', ['#9cc4dd', '#93bad3', '#a4cae2', '#90b6cf']],
  ['fingers', ['#e0b49a', '#d29c80', '#5a3226'], true],
])('behind %s no mouth opens, and the eyes blink', async (_what, colours, isUpright = false) => {
  const { canvas, ctx, at, rig, width } = await canvasOfPhotograph();
  ctx.beginPath();
  // Below the eyes from ear to ear, the jaw, and back over the nose.
  for (const index of [234, 132, 172, 150, 152, 379, 397, 361, 454, 280, 195, 50]) ctx.lineTo(...at(index));
  ctx.clip();
  const [top, bottom] = [at(195)[1], at(152)[1]];
  const fold = (bottom - top) / 12;
  const left = at(234)[0];
  for (let i = 0; i < 39; i++) {
    ctx.fillStyle = colours[i % colours.length]!;
    if (isUpright) ctx.fillRect(left + (i * fold) / 2, 0, fold / 2 + 1, bottom);
    else ctx.fillRect(0, top + i * fold - 10, width, fold + 11);
  }
  const masked = { image: new Uint8Array(canvas.toBuffer('image/png')), rig };
  const frames = await posed(masked, { rest: {}, open: { open: 1 }, pressed: { press: 1 }, blink: { lids: 1 } });
  const change = (one: FrameTask, [left, up, right, down]: number[]) => {
    let most = 0;
    for (let y = Math.round(up! * one.height); y < down! * one.height; y++) {
      for (let x = Math.round(left! * one.width); x < right! * one.width; x++) {
        const pixel = (y * one.width + x) * 4;
        most = Math.max(most, Math.abs(one.rgba[pixel]! - frames.rest.rgba[pixel]!));
      }
    }
    return most;
  };
  const { face, mouth, leftEye, rightEye } = rig;
  const mask = [face.x, mouth.y - mouth.h * 2, face.x + face.w, face.y + face.h * 1.1];
  expect(change(frames.open, mask)).toBe(0);
  expect(change(frames.pressed, mask)).toBe(0);
  expect(change(frames.blink, [leftEye.x, leftEye.y, rightEye.x, leftEye.y + leftEye.ry])).toBeGreaterThan(30);
});

test('white of the eye above where the lids are seen is not pulled down with them', async () => {
  const { canvas, ctx, at, rig, width, height } = await canvasOfPhotograph();
  ctx.fillStyle = '#cfd4da';
  // Between the margins of the lids and their folds.
  for (const eye of [
    [33, 160, 158, 133, 56, 27, 247],
    [263, 387, 385, 362, 286, 257, 467],
  ]) {
    ctx.beginPath();
    for (const index of eye) ctx.lineTo(...at(index));
    ctx.fill();
  }
  const { shut } = await posed({ image: new Uint8Array(canvas.toBuffer('image/png')), rig }, { shut: { lids: 1 } });
  const redness = (x: number, y: number) => {
    const pixel = (Math.round((y * shut.height) / height) * shut.width + Math.round((x * shut.width) / width)) * 4;
    return shut.rgba[pixel]! - shut.rgba[pixel + 2]!;
  };
  for (const [upper, lower] of [
    [159, 145],
    [386, 374],
  ] as const) {
    const [[x, y], [, below]] = [at(upper), at(lower)];
    const skin = redness(x, below + (below - y) * 1.2);
    expect(redness(x, y + (below - y) * 0.4)).toBeGreaterThan(skin * 0.5);
  }
});

test.each<[string, number, [upTo: number, grey: number][]]>([
  // Where the library takes a part of the lower lip for what is between the lips.
  [
    'one row between lips without colour',
    1,
    [
      [20, 150],
      [28, 215],
      [34, 40],
      [60, 150],
    ],
  ],
  [
    'two rows between lips without colour',
    2,
    [
      [20, 150],
      [28, 215],
      [34, 40],
      [42, 215],
      [60, 150],
    ],
  ],
])('%s', (_what, rows, bands) => {
  const side = 60;
  const rgba = new Uint8Array(side * side * 4).fill(255);
  for (let y = 0; y < side; y++) rgba.fill(bands.find(([upTo]) => y < upTo)![1], y * side * 4, (y + 1) * side * 4);
  const points: SeenFace['points'] = Array.from({ length: 478 }, () => [30, 30, 0]);
  for (const [index, x, y] of [
    [78, 10, 30],
    [308, 50, 30],
    [0, 30, 10],
    [13, 30, 19],
    [14, 30, 48],
    [17, 30, 58],
  ] as const)
    points[index] = [x, y, 0];
  const face = { points, angle: { yaw: 0, pitch: 0, roll: 0 }, embedding: [] };
  expect(rowsOfTeeth(face, { rgba, width: side, height: side })).toBe(rows);
});

/** Mean difference in the upper corners, which no head reaches; 0..255. */
function cornerChange(one: FrameTask, other: FrameTask): number {
  let [sum, count] = [0, 0];
  for (let y = 0; y < one.height * 0.3; y += 2) {
    for (let x = 0; x < one.width * 0.12; x += 2) {
      for (const column of [x, one.width - 1 - x]) {
        const at = (y * one.width + column) * 4;
        for (let c = 0; c < 3; c++) sum += Math.abs((one.rgba[at + c] as number) - (other.rgba[at + c] as number));
        count += 3;
      }
    }
  }
  return sum / count;
}

const SENTENCE = 'Hello! My name is Bob, and I love the night sky.';

describe('a video of the photograph', () => {
  let marks: Mark[];
  let pcm: Int16Array;
  let rate: number;
  beforeAll(async () => {
    const voice = { base: speech.voices()[0]!.id };
    const pieces = await gathered(speech.stream({ text: SENTENCE, voice }));
    rate = pieces[0]!.rate;
    pcm = joined(pieces.map((piece) => piece.pcm));
    marks = pieces.flatMap((piece) => piece.marks);
  });

  /** The photograph is rendered once as it says something. */
  const videos = new Map<Int16Array, Uint8Array[]>();
  const once: typeof heads = {
    ...heads,
    async *render(query) {
      const made = videos.get(query.pcm) ?? (await gathered(heads.render(query)));
      videos.set(query.pcm, made);
      yield* made;
    },
  };

  /** Each eighth frame of it, the first and the last. */
  async function video(sound: Int16Array): Promise<FrameTask[]> {
    const still = await found(await photograph());
    const pieces = await gathered(
      once.render({ ...still, pcm: sound, rate, marks: sound === pcm ? marks : [], size: 512, fps: FPS }),
    );
    const count = Math.floor((sound.length / rate) * FPS);
    return codec.decodeFrames(
      join(pieces),
      [...Array.from({ length: Math.ceil(count / 8) }, (_, i) => i * 8), count - 1].map((i) => (i * 1000) / FPS + 20),
    );
  }

  // `npm run faces` holds more stills to the goals themselves; what the library sees of this one is in the documents.
  test('closes at p, b and m, opens with what the sounds ask, and stays the same person before a background at rest', async () => {
    const still = await found(await photograph());
    const { figures } = await judge({ heads: once, codec, measures }, still, { pcm, rate, marks }, 8);
    expect(figures.closed[0]).toBeLessThanOrEqual(0.012);
    expect(figures.closed[1]).toBeLessThanOrEqual(0.016);
    expect(figures.opening).toBeGreaterThan(0.8);
    expect(Math.abs(figures.lateMs)).toBeLessThanOrEqual(40);
    expect(figures.doubled).toBe(0);
    expect(figures.likeness[0]).toBeGreaterThan(0.9);
    expect(figures.likeness[1]).toBeGreaterThan(0.8);
    expect(figures.background).toBeLessThan(1);
    expect(figures.yaw).toBeGreaterThan(2);
  });

  test('begins and ends as the idle video does', async () => {
    const [frames, idle] = [await video(pcm), await video(new Int16Array(rate / 5))];
    const change = (one: FrameTask, other: FrameTask) =>
      one.rgba.reduce((sum, value, i) => sum + Math.abs(value - (other.rgba[i] as number)), 0) / one.rgba.length;
    expect(change(frames[0] as FrameTask, idle[0] as FrameTask)).toBeLessThan(1.5);
    expect(change(frames.at(-1) as FrameTask, idle[0] as FrameTask)).toBeLessThan(2.5);
    // It smiles as in the still before it speaks and after: only in between the lips meet.
    for (const frame of [frames[0], frames.at(-1)])
      expect(opening(await seen(frame as FrameTask))).toBeGreaterThan(0.05);
    const middle = frames.slice(2, -2);
    expect(Math.max(...middle.map((frame) => change(frame, idle[0] as FrameTask)))).toBeGreaterThan(3);
  });
});
