/**
 * Puts what a text says is beside, under, over, behind, before or between others there, after each has got a place of
 * its own: so large and so far away that both are seen.
 */
import type { Subject } from '../prompt.ts';
import type { Side } from '../relations.ts';
import { sprite } from '../sprites.ts';
import { FACES_RIGHT, type Spot } from './spot.ts';
import type { Stage } from './stage.ts';

/** Half of the width of those that are no sprites, as a share of their height. */
const HALF: Partial<Record<Subject['role'], number>> = { person: 0.25, plant: 0.34 };
function halfOf({ subject: { role, sprite: name }, size }: Spot): number {
  const told = HALF[role];
  if (told !== undefined) return size * told;
  const { box } = sprite(name, 64);
  return (size * box.w) / box.h / 2;
}
/** Puts a spot where it is wholly seen, before others are put beside it. */
function settle(spot: Spot, { camera: { width } }: Stage): void {
  const half = Math.min(width / 2, halfOf(spot) * 1.04);
  spot.x = Math.min(Math.max(spot.x, half), width - half);
}

const has = ({ sprite, load = [] }: Subject, name: string): boolean =>
  sprite === name || load.some((one) => has(one, name));

/** What is open below: who is under it is seen between its legs. */
const OPEN_BELOW = new Set(['own:table', 'own:bench', 'chair', 'bed', 'own:bridge', 'own:suspension', 'own:armchair']);
/** Room that is left above and below, as a share of the image's height. */
const EDGE = 0.03;

/** Moves a spot to a foot, as large as it is seen there. */
function moveTo(spot: Spot, foot: number, { camera }: Stage): void {
  const horizon = camera.horizonY * camera.height;
  const near = Math.min(1.3, Math.max(0.7, (foot - horizon) / Math.max(1, spot.foot - horizon)));
  if (spot.mode === 'stand') spot.size *= near;
  spot.foot = foot;
}

type Place = (spot: Spot, hosts: readonly [Spot, ...Spot[]], stage: Stage, spots: Spot[]) => void;

/** Beside it, on the side that has more room. */
const beside: Place = (spot, [host], stage, spots) => {
  const { width, height } = stage.camera;
  if (spot.mode === 'stand' && host.mode === 'stand')
    moveTo(spot, Math.min(height * 0.97, host.foot + (host.size > spot.size ? 0.012 : 0) * height), stage);
  const away = (halfOf(host) + halfOf(spot)) * 0.96;
  const crowded = (x: number): number =>
    spots.reduce(
      (sum, one) =>
        sum + (one === spot || one === host ? 0 : Math.max(0, halfOf(one) + halfOf(spot) - Math.abs(one.x - x))),
      Math.max(0, halfOf(spot) - x, x + halfOf(spot) - width) * 3,
    );
  const side = host.x > width / 2 ? -1 : 1;
  const places = [side, -side, 2 * side, -2 * side].map(
    (one) => host.x + Math.sign(one) * (away + (Math.abs(one) - 1) * 2 * halfOf(spot)),
  );
  spot.x = places.reduce((best, x) => (crowded(x) < crowded(best) - 1 ? x : best));
};

/** The host grows until there is room below it: between its legs, before its stem, or where it is held up like a roof. */
const under: Place = (spot, [host], stage) => {
  const { height, width } = stage.camera;
  if (host.mode !== 'stand') {
    spot.x = host.x;
    if (spot.mode !== 'stand') spot.foot = Math.min(height * (1 - EDGE), host.foot + spot.size * 0.95);
    return;
  }
  if (host.subject.role === 'thing' && !OPEN_BELOW.has(host.subject.sprite) && host.subject.height <= 1) {
    host.size = Math.max(host.size, spot.size * 0.9);
    Object.assign(host, { mode: 'float', x: spot.x, foot: spot.foot - spot.size * 0.72 });
    return;
  }
  const isOpen = OPEN_BELOW.has(host.subject.sprite);
  const room = isOpen ? 0.52 : 0.62;
  const most = Math.min(host.foot - height * EDGE, height * (isOpen ? 0.42 : 0.72));
  host.size = Math.min(Math.max(host.size, spot.size / room), Math.max(host.size, most));
  settle(host, stage);
  spot.size = Math.min(spot.size, host.size * room);
  spot.foot = Math.min(height * 0.97, host.foot + (isOpen ? -0.004 : 0.012) * height);
  spot.x = host.x + (isOpen ? 0 : (host.x > width / 2 ? -1 : 1) * host.size * 0.17);
};

/** Above it, in the air. */
const over: Place = (spot, [host], stage) => {
  const { height } = stage.camera;
  const gap = height * EDGE;
  settle(host, stage);
  spot.size = Math.min(spot.size, Math.max(height * 0.16, host.foot - host.size - 2 * gap));
  Object.assign(spot, {
    mode: stage.surface === 'none' ? 'float' : 'fly',
    x: host.x,
    foot: Math.max(spot.size + gap, host.foot - host.size - gap),
  });
};

/** Farther away and a little aside, so that it is not hidden. */
const behind: Place = (spot, [host], stage) => {
  settle(host, stage);
  moveTo(spot, host.foot - stage.camera.height * 0.02, stage);
  const isHigher = spot.size > host.size * 1.25;
  const side = host.x > stage.camera.width / 2 ? -1 : 1;
  spot.x = host.x + side * (isHigher ? halfOf(host) * 0.15 : halfOf(host) * 0.9);
};

/** Nearer, before its side. */
const before: Place = (spot, [host], stage) => {
  const { height, width } = stage.camera;
  settle(host, stage);
  if (host.mode === 'stand') host.foot = Math.min(host.foot, height * 0.9);
  if (host.mode === 'stand' && spot.mode === 'stand') moveTo(spot, host.foot + height * 0.035, stage);
  const isLarge = host.size > spot.size * 1.5;
  const side = host.x > width / 2 ? -1 : 1;
  spot.x = host.x + side * (isLarge ? halfOf(host) * 0.35 : halfOf(host) * 0.85);
};

/** In the middle, one of them on either side. */
const between: Place = (spot, hosts, stage, spots) => {
  const [host, other] = hosts;
  if (!other) return beside(spot, hosts, stage, spots);
  const { width } = stage.camera;
  const away = Math.max(halfOf(host), halfOf(other)) + halfOf(spot);
  spot.x = Math.min(width - away - halfOf(other), Math.max(away + halfOf(host), (host.x + other.x) / 2));
  [host.x, other.x] = [spot.x - away, spot.x + away];
  const foot = Math.max(host.foot, other.foot);
  for (const one of [host, other, spot]) if (one.mode === 'stand') moveTo(one, foot, stage);
};

const PLACES: Readonly<Record<Side, Place>> = { under, over, behind, before, between };

/** Who is by another (`by`) is there, and looks at it. */
export function bringTogether(spots: Spot[], stage: Stage): void {
  const beneath = new Map<Spot, number>();
  for (const spot of spots) {
    const { by, side, and } = spot.subject;
    const others = by
      ? spots.filter((one) => one !== spot && (has(one.subject, by) || (and !== undefined && has(one.subject, and))))
      : [];
    const [first = spot, ...rest] = [...others.slice(spot.nth % Math.max(1, others.length)), ...others];
    if (first === spot || (first.subject.by && first.nth < spot.nth && has(spot.subject, first.subject.by))) continue;
    (side ? PLACES[side] : beside)(spot, [first, ...rest.filter((one) => one !== first)], stage, spots);
    // Of several under one the next is on its other side.
    const before = beneath.get(first) ?? 0;
    if (side === 'under' && before > 0)
      spot.x += (before % 2 ? -1 : 1) * Math.ceil(before / 2) * halfOf(spot) * 2 * Math.sign(spot.x - first.x || 1);
    beneath.set(first, before + 1);
    if (spot.x !== first.x) spot.flip = spot.x < first.x !== FACES_RIGHT.has(spot.subject.sprite);
  }
}
