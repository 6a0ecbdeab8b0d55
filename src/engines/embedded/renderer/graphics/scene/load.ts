/** Where what a subject carries is seen: on its back or seat, over its rim, in a hand, before its feet. */
import type { Subject } from '../prompt.ts';
import { BOARDS } from '../relations.ts';
import { flatness } from '../sprites.ts';
import type { Spot } from './spot.ts';

/** Something carried, at its place; painted before what carries it, or over it. */
export interface Carried {
  spot: Spot;
  isBehind: boolean;
}

/** Height of backs and seats, as shares of what is sat on; for others the share of their role. */
const SEATS: Readonly<Record<string, number>> = {
  'couch-and-lamp': 0.3,
  chair: 0.46,
  bed: 0.3,
  canoe: 0.3,
  sailboat: 0.16,
  ship: 0.5,
  elephant: 0.78,
  'own:unicorn': 0.66,
  horse: 0.66,
  camel: 0.62,
  dragon: 0.55,
  'own:box': 0.5,
  basket: 0.5,
  amphora: 0.6,
  bathtub: 0.3,
  'own:bench': 0.42,
  'own:swing': 0.28,
  'own:bridge': 0.86,
  'own:suspension': 0.34,
  'own:armchair': 0.32,
  'own:rocking-chair': 0.34,
  motorcycle: 0.72,
  'motor-scooter': 0.7,
  sled: 0.3,
  'own:trampoline': 0.84,
  'own:picnic': 0.1,
  'own:iceberg': 0.5,
  'own:branch': 0.58,
  'manual-wheelchair': 0.44,
  'own:plate': 0.5,
  'own:tray': 0.7,
  'own:shelf': 0.96,
  'own:blanket': 0.8,
};
/** Seen through, with what is in them on their floor. */
const CLEAR: Readonly<Record<string, readonly [floor: number, share: number]>> = {
  'own:cage': [0.1, 0.56],
  jar: [0.08, 0.62],
  'own:glass': [0.06, 0.6],
};
const SEAT_OF: Partial<Record<Subject['role'], number>> = { animal: 0.7, vehicle: 0.9, boat: 0.4, plant: 0.8 };
/** Where something hangs from, as a share of the height. */
const HOOKS: Readonly<Record<string, number>> = {
  'own:branch': 0.62,
  'own:lamppost': 0.8,
  crane: 0.5,
  helicopter: 0.05,
};
/** Wide enough that who sits on it is nearly as tall as beside it. */
const WIDE = new Set([
  'couch-and-lamp',
  'bed',
  'chair',
  'own:box',
  'basket',
  'bathtub',
  'shopping-cart',
  'own:bench',
  'own:armchair',
  'own:rocking-chair',
  'own:picnic',
]);
const INSTRUMENTS = new Set([
  'guitar',
  'violin',
  'banjo',
  'accordion',
  'saxophone',
  'trumpet',
  'trombone',
  'drum',
  'flute',
]);
/** Held upright or flat, so that they are seen. */
const LONG = new Set([
  'own:tray',
  'own:plate',
  'own:net',
  'crossed-swords',
  'broom',
  'axe',
  'bow-and-arrow',
  'shovel',
  'fishing-pole',
  'bouquet',
  'shield',
  'magic-wand',
  'probing-cane',
]);
/** Legs on both sides. */
const STRADDLED = new Set(['motorcycle', 'motor-scooter']);
const MOST = 4;

/** What a subject carries, each at its place and size. */
export function loadOf(spot: Spot): Carried[] {
  const load = spot.subject.load ?? [];
  const isLaid = ({ how }: Subject) => how !== 'held' && how !== 'worn';
  // Of three on three swings one is on each, of one before two puddles none is at the second.
  const shareOf = ({ count }: Subject): number => {
    const hosts = spot.subject.count;
    return Math.min(MOST, Math.floor(count / hosts) + (spot.nth < count % hosts ? 1 : 0));
  };
  const isBehindIt = ({ how }: Subject) => how === 'at';
  const sum = (those: Subject[]) => those.reduce((many, one) => many + shareOf(one), 0);
  const all = sum(load.filter((one) => isLaid(one) && !isBehindIt(one)));
  const seats = sum(load.filter(isBehindIt));
  let [laid, taken] = [0, 0];
  return load.flatMap((subject, k) => {
    const count = isLaid(subject) ? shareOf(subject) : Math.min(MOST, subject.count);
    return Array.from({ length: count }, (_, i) => {
      const nth = spot.nth * count + i;
      // What lies on one thing lies side by side, whatever it is.
      const [at, of] = isBehindIt(subject) ? [taken++, seats] : isLaid(subject) ? [laid++, all] : [i, count];
      // Who sits at a table is beside what lies on it.
      const shift = seats === 0 || all === 0 || !isLaid(subject) ? 0 : isBehindIt(subject) ? -0.42 : 0.6;
      const aside = (of === 1 ? 0 : at - (of - 1) / 2) + shift;
      return subject.how === 'held' || subject.how === 'worn'
        ? held(k % 2 ? { ...spot, flip: !spot.flip } : spot, subject, nth, aside)
        : seated(spot, subject, nth, aside);
    });
  });
}

/** Legs of a seated figure below its seat, as a share of its height. */
const LEGS = 0.36;
/** Behind a table, of whose height they are this many times. */
const AT_TABLE = 1.3;

/** Who sits on a seat has the feet on its ground, where they reach it; on a wall or a rock they hang before it. */
function onSeat(spot: Spot, subject: Subject, nth: number, aside: number): Carried {
  const host = spot.subject;
  const isSmall = subject.height < 1.5;
  const own = isSmall ? 0.74 : 1;
  if (subject.how === 'at') {
    const size = spot.size * AT_TABLE * (isSmall ? 0.92 : 1);
    return { spot: at(spot, subject, nth, aside * size * 0.62, spot.size * 0.1, size), isBehind: true };
  }
  const seat = SEATS[host.sprite] ?? 0.9;
  const beside = (subject.height / host.height) ** 0.6 * 0.75;
  const size = spot.size * (seat < 0.5 ? (seat / LEGS) * own : Math.min(1, Math.max(0.5, beside)));
  return { spot: at(spot, subject, nth, aside * size * 0.56, spot.size * seat - size * LEGS, size), isBehind: false };
}

function seated(spot: Spot, subject: Subject, nth: number, aside: number): Carried {
  if (subject.act === 'sit') return onSeat(spot, subject, nth, aside);
  const host = spot.subject;
  if (subject.how === 'hung') {
    const isLarge = host.role === 'plant' || host.role === 'building';
    const size = isLarge
      ? spot.size * Math.min(0.4, Math.max(0.16, (subject.height / host.height) ** 0.7))
      : Math.min(spot.size * 0.62, spot.size * Math.max(0.36, (subject.height / host.height) ** 0.6 * 0.6));
    const up = spot.size * (HOOKS[host.sprite] ?? (isLarge ? 0.42 : 0.2));
    const dx = (aside + (isLarge ? 0.6 : host.sprite === 'own:branch' ? 0.35 : 0)) * size;
    return { spot: at(spot, subject, nth, spot.flip ? -dx : dx, up - size, size), isBehind: false };
  }
  // A child on shoulders; what is on a head.
  if (host.role === 'person' && subject.how === 'on') {
    const isAstride = subject.role === 'person';
    const size = spot.size * (isAstride ? 0.62 : 0.34);
    const up = spot.size * (isAstride ? 0.6 : 0.94);
    return { spot: at(spot, subject, nth, aside * size * 0.6, up, size), isBehind: isAstride };
  }
  if (host.sprite === 'own:flowerpot') {
    const size = spot.size * (subject.height > 1.4 ? 2 : 1.1);
    return { spot: at(spot, subject, nth, aside * size * 0.3, spot.size * 0.84, size), isBehind: false };
  }
  // On the far side of what lies on the blanket.
  if (subject.act === 'sit-on-ground') {
    const size = spot.size * (subject.height < 1.5 ? 0.8 : 1.1);
    return { spot: at(spot, subject, nth, aside * size * 0.6, spot.size * 0.42, size), isBehind: true };
  }
  // What burns has the flames before it.
  if (subject.sprite === 'fire')
    return { spot: at(spot, subject, nth, 0, spot.size * 0.16, spot.size * 0.6), isBehind: false };
  if (host.sprite === 'own:puddle') {
    const size = spot.size * 2.6 * (subject.height / 1.9) ** 0.5;
    return { spot: at(spot, subject, nth, aside * size * 0.6, spot.size * 0.4, size), isBehind: false };
  }
  const isIn = subject.how === 'in';
  const clear = isIn ? CLEAR[host.sprite] : undefined;
  if (clear) {
    const size = spot.size * clear[1];
    return {
      spot: at(spot, subject, nth, aside * size * 0.4, spot.size * clear[0], size),
      isBehind: host.sprite === 'own:cage',
    };
  }
  const isRider = subject.role === 'person' && (host.role === 'animal' || STRADDLED.has(host.sprite));
  const ratio = (subject.height / host.height) ** 0.6;
  const [least, most] =
    host.sprite === 'own:table' && subject.role === 'thing'
      ? [0.3, 0.46]
      : isIn
        ? [host.role === 'vehicle' ? 0.45 : 0.75, host.role === 'vehicle' ? 0.6 : 0.95]
        : [0.3, WIDE.has(host.sprite) ? 1 : 0.8];
  // On what is flat as large as on something as wide.
  const span =
    host.role === 'thing' && host.height <= 1 ? spot.size / Math.max(0.35, flatness(host.sprite)) : spot.size;
  const size = span * Math.min(most, Math.max(least, ratio * (isRider ? 0.95 : 0.75)));
  const isAt = subject.how === 'at';
  const seat = isAt
    ? 0.62
    : (SEATS[host.sprite] ?? (isIn ? (host.role === 'vehicle' ? 0.68 : 0.6) : (SEAT_OF[host.role] ?? 0.92)));
  // The legs of a rider, what is in a vessel and who is at a table are behind it.
  const isBehind = isIn || isAt || isRider || host.sprite === 'canoe';
  const sunk = isBehind && !isIn && !isAt ? size * 0.36 : 0;
  return { spot: at(spot, subject, nth, aside * size * (isIn ? 0.3 : 0.8), spot.size * seat - sunk, size), isBehind };
}

/** A giant teddy bear is so beside who hugs it. */
const grown = ({ size }: Subject): number => (size === 'big' ? 1.8 : size === 'small' ? 0.75 : 1);

function held(spot: Spot, subject: Subject, nth: number, aside: number): Carried {
  const side = spot.flip ? 1 : -1;
  const { size } = spot;
  if (subject.how === 'worn') {
    const [up, tall] = /glasses|goggles/.test(subject.sprite)
      ? [0.6, 0.13]
      : /^(?:scarf|necktie|own:bow-tie)$/.test(subject.sprite)
        ? [
            subject.sprite === 'own:bow-tie' ? 0.46 : 0.3,
            subject.sprite === 'scarf' ? 0.34 : subject.sprite === 'necktie' ? 0.2 : 0.09,
          ]
        : [0.86, 0.3];
    return { spot: at(spot, subject, nth, 0, size * up, size * tall), isBehind: false };
  }
  if (subject.role === 'animal' && spot.subject.role === 'person')
    return {
      spot: at(spot, subject, nth, side * size * 0.16, size * (subject.height < 0.9 ? 0.5 : 0.3), size * 0.34),
      isBehind: false,
    };
  if (subject.sprite === 'balloon')
    return {
      spot: at(spot, subject, nth, side * size * 0.24 + aside * size * 0.2, size * 0.5, size * 0.62),
      isBehind: true,
    };
  if (subject.sprite === 'own:flag')
    return { spot: at(spot, subject, nth, side * size * 0.3, size * 0.18, size * 0.95), isBehind: true };
  if (subject.sprite === 'backpack' && spot.subject.role === 'person')
    return { spot: at(spot, subject, nth, -side * size * 0.13, size * 0.36, size * 0.34), isBehind: true };
  if (subject.sprite === 'own:skateboard')
    return {
      spot: at(spot, subject, nth, 0, 0, size * (spot.subject.role === 'person' ? 0.12 : 0.2)),
      isBehind: false,
    };
  if (BOARDS.has(subject.sprite)) return { spot: at(spot, subject, nth, 0, 0, size * 0.16), isBehind: false };
  if (spot.subject.role === 'flyer')
    return { spot: at(spot, subject, nth, 0, -size * 0.28, size * 0.42), isBehind: true };
  if (spot.subject.role === 'animal')
    return { spot: at(spot, subject, nth, side * size * 0.42 + aside * size * 0.2, 0, size * 0.36), isBehind: false };
  if (subject.sprite === 'umbrella')
    return { spot: at(spot, subject, nth, side * size * 0.1, size * 0.5, size * 0.78), isBehind: true };
  const isPlayed = INSTRUMENTS.has(subject.sprite);
  const x = isPlayed ? 0 : side * size * 0.17;
  const share = isPlayed || LONG.has(subject.sprite) ? 0.38 : 0.24;
  return {
    spot: at(
      spot,
      subject,
      nth,
      x + aside * size * 0.2,
      size * (isPlayed ? 0.26 : subject.size === 'big' ? 0.2 : 0.32),
      size * share * grown(subject) * flatness(subject.sprite),
    ),
    isBehind: false,
  };
}

const at = (spot: Spot, subject: Subject, nth: number, dx: number, up: number, size: number): Spot => ({
  ...spot,
  subject: { ...subject, count: 1 },
  x: spot.x + dx,
  foot: spot.foot - up,
  size,
  mode: 'float',
  nth,
});
