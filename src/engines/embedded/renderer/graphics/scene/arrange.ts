import { seatedShare } from '../art/index.ts';
import { ASSORTED } from '../colour.ts';
import type { Subject } from '../prompt.ts';
import { between, type Random, seeded } from '../random.ts';
import { flatness } from '../sprites.ts';
import { FACES_RIGHT, type Spot } from './spot.ts';
import type { Stage } from './stage.ts';
import { bringTogether } from './together.ts';

const SKY_LOW = new Set(['butterfly', 'honeybee', 'balloon', 'kite']);
/** From bank to bank. */
const SPANS = new Set(['own:bridge', 'own:suspension']);
const GROUNDED_SPACE = new Set(['own:astronaut', 'own:alien']);

/** A place for each of the subjects, in the order in which they are painted: what flies, then by the foot. */
export function arrange(subjects: Subject[], stage: Stage, seed: number): Spot[] {
  const random = seeded(seed, 'subjects');
  const total = subjects.reduce((sum, { count }) => sum + count, 0);
  const crowd = total <= 1 ? 1.45 : total <= 3 ? 1.12 : total <= 6 ? 0.84 : 0.62;
  const groups = { stand: [] as Spot[], swim: [] as Spot[], fly: [] as Spot[], float: [] as Spot[] };
  const tallest = Math.max(...subjects.map(({ role, height }) => (GROWN.test(role) ? height : 0)));
  for (const subject of subjects) {
    const mode = modeOf(subject, stage);
    for (let i = 0; i < subject.count; i++) {
      groups[mode].push({
        subject: subject.isVaried ? { ...subject, colour: ASSORTED[i % ASSORTED.length] as string } : subject,
        x: 0,
        foot: 0,
        size: sizeOf(subject, stage, mode) * crowd * besides(subject, tallest),
        mode,
        flip: false,
        tilt: 0,
        nth: i,
      });
    }
  }
  placeStanding(groups.stand, stage, random);
  placeSwimming(groups.swim, stage, random);
  placeAloft(groups.fly, stage, random, 0.1, Math.max(0.2, stage.camera.horizonY - 0.08));
  placeAloft(groups.float, stage, random, 0.2, 0.72);
  if (stage.sill) placeOnSill(groups.stand, stage.sill);
  const spots = [...groups.float, ...groups.fly, ...groups.swim, ...groups.stand];
  bringTogether(spots, stage);
  return spots.sort((a, b) => rank(a) - rank(b));
}

const rank = ({ mode, foot, subject }: Spot): number =>
  subject.side === 'over' && subject.by ? 1e4 + foot : (mode === 'fly' ? -1e4 : 0) + foot;

function modeOf(subject: Subject, stage: Stage): Spot['mode'] {
  if (stage.surface === 'none') return 'float';
  if (subject.role === 'flyer') return 'fly';
  if (subject.role === 'space' && !GROUNDED_SPACE.has(subject.sprite)) return 'fly';
  if ((subject.role === 'swimmer' || subject.role === 'boat' || subject.act === 'surf') && stage.water) return 'swim';
  if (stage.surface === 'water') return 'swim';
  return 'stand';
}

/** What gives the small beside it their size. */
const GROWN = /^(?:animal|person|vehicle)$/;

/** Beside something tall the small are smaller: a cup is no barrel, a child no grown-up. @param tallest metres */
function besides({ role, height, size }: Subject, tallest: number): number {
  if (
    size === 'big' ||
    tallest === 0 ||
    height > tallest ||
    (height === tallest && role !== 'thing') ||
    /^(?:building|space)$/.test(role)
  )
    return 1;
  if (role === 'plant' && height > 1) return 1;
  return Math.max(0.45, (height / tallest) ** 0.35) * (role === 'thing' && height === 1 ? 0.62 : 1);
}

/** Visible height as the eye expects it: a cat is not as large as a castle, but may be seen beside it. */
function sizeOf(subject: Subject, stage: Stage, mode: Spot['mode']): number {
  const { width, height } = stage.camera;
  const unit = Math.min(width, height * 0.95, Math.max(height, width) * 0.76);
  const byHeight = 0.155 + 0.115 * Math.log2(1 + subject.height);
  const factor =
    (subject.size === 'big' ? 1.4 : subject.size === 'small' ? 0.62 : 1) *
    (subject.role === 'vehicle' ? 0.8 : 1) *
    (subject.role === 'thing' && subject.height <= 1 ? Math.min(1, flatness(subject.sprite) * 1.3) : 1) *
    (subject.act ? seatedShare(subject.act) : 1) *
    (stage.surface === 'floor' ? 1.35 : 1) *
    (mode === 'fly' ? (subject.height > 1.5 ? 0.66 : 0.5) : mode === 'float' ? 0.95 : 1);
  return Math.min(height * 0.62, unit * byHeight * factor);
}

function placeStanding(spots: Spot[], stage: Stage, random: Random): void {
  const { width, height, horizonY } = stage.camera;
  const top = stage.groundTop * height;
  const slots = lanes(spots.length, random, stage.sides ? 0.14 : 0.2);
  // The tall stand back, so that the small are seen before them.
  const order = spots
    .map((_, i) => i)
    .sort((a, b) => (spots[b] as Spot).subject.height - (spots[a] as Spot).subject.height);
  for (const [turn, i] of order.entries()) {
    const spot = spots[i] as Spot;
    const back = spot.subject.role === 'building' ? 0.12 : spot.subject.height > 2.2 ? 0.34 : 0.62;
    const t = Math.min(0.93, Math.max(0.03, back + between(random, -0.1, 0.1) + (turn % 2 ? 0.08 : 0)));
    spot.foot = top + (height * 0.97 - top) * t;
    const grown = (spot.foot - horizonY * height) / (top + (height * 0.97 - top) * back - horizonY * height);
    spot.size *= Math.min(1.3, Math.max(0.7, grown));
    let across = slots[i] as number;
    const isSpan = SPANS.has(spot.subject.sprite);
    if (spot.subject.sprite === 'own:fuji') {
      // Far away: on the horizon, without a shadow on the meadow.
      Object.assign(spot, {
        foot: horizonY * height * 1.03,
        size: height * 0.34 * (width > height ? 1 : width / height),
        mode: 'float',
      });
      across = 0.5 + (across - 0.5) * 0.6;
    }
    if (isSpan) across = 0.5;
    else if (stage.sides) across = across < 0.5 ? across * 0.55 : 1 - (1 - across) * 0.55;
    spot.x = width * across;
    spot.flip = across < 0.5 !== FACES_RIGHT.has(spot.subject.sprite);
  }
}

/** Small before the window, side by side. */
function placeOnSill(spots: Spot[], { x, y, wide }: NonNullable<Stage['sill']>): void {
  const those = spots.filter(({ subject }) => subject.isOnSill);
  for (const [i, spot] of those.entries()) {
    const step = (wide * 0.8) / those.length;
    Object.assign(spot, {
      mode: 'float',
      x: x + (i - (those.length - 1) / 2) * step,
      foot: y,
      size: Math.min(spot.size, wide * 0.62, step),
    });
  }
}

/** Even lanes over the width, jittered, the first subject nearest the middle. */
function lanes(count: number, random: Random, margin: number): number[] {
  if (count === 1) return [0.5 + (random() < 0.5 ? -1 : 1) * between(random, 0.02, 0.1)];
  const step = (1 - 2 * margin) / (count - 1);
  const all = Array.from({ length: count }, (_, i) => margin + i * step + between(random, -0.1, 0.1) * step);
  return all.sort((a, b) => Math.abs(a - 0.5) - Math.abs(b - 0.5));
}

function placeSwimming(spots: Spot[], stage: Stage, random: Random): void {
  const { width, height } = stage.camera;
  const water = stage.water ?? { top: stage.groundTop, bottom: 1 };
  const slots = lanes(spots.length, random, 0.2);
  for (const [i, spot] of spots.entries()) {
    const t = Math.min(
      0.85,
      (stage.sides ? 0.55 : spot.subject.height > 2 ? 0.3 : 0.45) + between(random, -0.08, 0.12),
    );
    spot.foot = (water.top + (water.bottom - water.top) * t) * height;
    const room = Math.min(1, (spot.foot - stage.camera.horizonY * height) / (height * 0.1));
    // What is tall keeps its head in the image, also in a video that sees less of it.
    spot.size = Math.min(spot.size * Math.max(0.62, room), spot.foot * 0.82);
    // A river keeps its swimmers to its middle.
    spot.x = width * (stage.sides ? 0.5 + ((slots[i] as number) - 0.5) * 0.35 : (slots[i] as number));
    spot.flip = (slots[i] as number) < 0.5 !== FACES_RIGHT.has(spot.subject.sprite);
  }
}

function placeAloft(spots: Spot[], stage: Stage, random: Random, from: number, to: number): void {
  const { width, height } = stage.camera;
  const slots = lanes(spots.length, random, 0.17);
  for (const [i, spot] of spots.entries()) {
    const isLow = SKY_LOW.has(spot.subject.sprite);
    const [low, high] = spot.mode === 'float' ? [from, to] : isLow ? [to * 0.65, to + 0.16] : [from, to];
    const wave = spots.length === 1 ? between(random, 0.35, 0.6) : (i % 2 ? 0.2 : 0.7) + between(random, -0.15, 0.15);
    spot.foot = height * (low + (high - low) * wave) + spot.size / 2;
    spot.size *= between(random, 0.85, 1.12);
    spot.x = width * (slots[i] as number);
    spot.tilt =
      spot.subject.role === 'animal' || spot.mode === 'float'
        ? between(random, -0.22, 0.22)
        : between(random, -0.06, 0.06);
    spot.flip = (slots[i] as number) < 0.5 !== FACES_RIGHT.has(spot.subject.sprite) && spot.subject.role !== 'space';
    if (spot.mode === 'float' && stage.bed !== undefined && /^(?:thing|vehicle|building)$/.test(spot.subject.role))
      Object.assign(spot, { foot: height * stage.bed, tilt: spot.tilt / 3 });
  }
}
