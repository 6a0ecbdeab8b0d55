/**
 * A figure from head to foot, for scenes: the head of a portrait on a body of the art whose limbs turn about their
 * joints. A pose is one moment of a cycle; moments a little apart make the figure walk or wave.
 */
import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas';
import { LRUCache } from 'lru-cache';
import { art, type Limb } from './art.ts';
import { frameOf } from './art-units.ts';
import { paintFrame, REST } from './compose.ts';
import { drawSport, EYE, HIP, SPORT_BOX, type Sport, trunkPoint } from './figure-sport.ts';
import { drawPieces, headLayersOf, type Layer } from './layers.ts';
import type { Look } from './look.ts';
import { lighter, meanColour, tinted } from './tint.ts';

/** A figure's looks from head to foot. */
export interface Figure {
  look: Look;
  body: 'man' | 'woman';
  isChild: boolean;
  /** '#rrggbb'; absent: the colour of the look's clothes, and grey. */
  cloth?: string;
  legs?: string;
  /** How far a dress or a robe reaches. */
  skirt?: 'knee' | 'ankle';
}

/** What a figure does. */
export type Act = 'stand' | 'walk' | 'wave' | 'dance' | Seated | Sport;
/** On a seat, or on the ground with its legs crossed. */
type Seated = 'sit' | 'sit-on-ground';

/** Soles of those who sit, and how tall they are, in units: they sit as large as they stand. */
const SEATED: Readonly<Record<Seated, { soles: number; h: number }>> = {
  sit: { soles: 27.2, h: 25.4 },
  'sit-on-ground': { soles: 22.4, h: 20.6 },
};
/** A seated figure's height as a share of its standing one. */
export const seatedShare = (act: Act): number => (isSeated(act) ? SEATED[act].h / TALL : 1);

const isSeated = (act: Act): act is Seated => Object.hasOwn(SEATED, act);
const isSport = (act: Act): act is Sport => Object.hasOwn(SPORT_BOX, act);

/** A moment of it: `phase` 0 to 1 is where in its cycle. */
export interface FigurePose {
  act: Act;
  phase: number;
}

/** A figure is as tall as this, in units of the art, from the crown to the soles. */
const TALL = 28.4;
const SOLES = 30.2;
/** Room for hats and raised arms, in units. */
const MARGIN = { top: 9, side: 6, bottom: 1 };
const JOINTS: Readonly<Record<'walking' | 'standing', Partial<Record<Limb, readonly [x: number, y: number]>>>> = {
  walking: { armFar: [15.2, 9.9], armNear: [16.4, 9.9], legFar: [17.2, 16.8], legNear: [16.4, 16.8] },
  standing: { armFar: [13.4, 9.9], armNear: [18.6, 9.9] },
};
/** Where the middle of the eyes is, and units of the figure for one of the portrait. */
const EYES = { walking: [14.9, 5.1], standing: [16, 5.2] } as const;
const HEAD = { grown: 0.29, child: 0.37 };
const ART = { skin: '#e6ae8f', legs: '#8f8791', man: '#3f8fd0', woman: '#7a66b0' };

interface Puppet {
  limbs: Partial<Record<Limb, Layer>>;
  head: Canvas;
  /** Where the middle of its eyes is in `head`. */
  eyes: { x: number; y: number };
  stance: 'walking' | 'standing';
  scale: number;
  cloth: string;
}

const puppets = new LRUCache<string, Puppet>({ max: 12 });

type Take = (width: number, height: number) => { canvas: Canvas; ctx: SKRSContext2D };

const fresh: Take = (width, height) => {
  const canvas = createCanvas(width, height);
  return { canvas, ctx: canvas.getContext('2d') };
};

/**
 * A figure at a moment.
 * @param pixels from crown to soles
 * @param take gives the empty canvas that it is painted on
 * @returns its canvas, and where crown and soles are in it
 */
export function paintFigure(figure: Figure, { act, phase }: FigurePose, pixels: number, take: Take = fresh) {
  if (isSport(act)) return paintSport(figure, act, phase, pixels, take);
  const puppet = puppetOf(figure, act === 'walk' ? 'walking' : 'standing', pixels / seatedShare(act));
  const { scale, stance, limbs } = puppet;
  const { canvas, ctx: pen } = take(
    Math.ceil((32 + MARGIN.side * 2) * scale),
    Math.ceil((SOLES + MARGIN.top + MARGIN.bottom) * scale),
  );
  pen.imageSmoothingQuality = 'low';
  const moves = MOVES[act](phase * 2 * Math.PI);
  const draw = (name: Limb) => {
    const layer = limbs[name];
    const joint = JOINTS[stance][name];
    if (!layer) return;
    pen.setTransform(1, 0, 0, 1, MARGIN.side * scale, MARGIN.top * scale);
    const isLeg = name.startsWith('leg');
    if (!isLeg || act === 'walk' || act === 'dance') pen.translate(0, (moves.rise ?? 0) * scale);
    const turn = moves.turns[name];
    if (joint && turn !== undefined) turnAbout(pen, joint, turn, moves.lift?.[name] ?? 1, scale);
    pen.drawImage(layer.canvas, layer.x, layer.y);
  };
  if (act !== 'dance') draw('armFar');
  if (act === 'stand' || isSeated(act)) draw('armNear');
  if (!isSeated(act)) {
    for (const limb of ['legFar', 'legNear'] as const) draw(limb);
    if (figure.skirt) paintSkirt(pen, puppet, figure.skirt, moves);
  }
  for (const limb of ['neck', 'torso'] as const) draw(limb);
  if (isSeated(act)) {
    pen.setTransform(scale, 0, 0, scale, MARGIN.side * scale, MARGIN.top * scale);
    drawSeatedLegs(pen, act, { legs: figure.legs ?? ART.legs, cloth: puppet.cloth, skirt: figure.skirt });
  }
  if (act === 'walk') draw('armNear');
  pen.setTransform(1, 0, 0, 1, MARGIN.side * scale, (MARGIN.top + (moves.rise ?? 0)) * scale);
  const [x, y] = EYES[stance];
  pen.translate(x * scale, y * scale);
  pen.rotate(moves.nod ?? 0);
  pen.drawImage(puppet.head, -puppet.eyes.x, -puppet.eyes.y);
  if (act === 'dance') draw('armFar');
  if (act === 'wave' || act === 'dance') draw('armNear');
  pen.setTransform(1, 0, 0, 1, 0, 0);
  const crown = (SOLES - TALL + MARGIN.top) * scale;
  return { canvas, box: { x: (MARGIN.side + 9) * scale, y: crown, w: 14 * scale, h: TALL * seatedShare(act) * scale } };
}

/** As `paintFigure`, with bicycle, board or skis; they count as part of its height. */
function paintSport(figure: Figure, sport: Sport, phase: number, pixels: number, take: Take) {
  const room = SPORT_BOX[sport];
  const puppet = puppetOf(figure, 'walking', (pixels * TALL) / room.h);
  const { scale, limbs, cloth } = puppet;
  const { canvas, ctx: pen } = take(
    Math.ceil((32 + MARGIN.side * 2) * scale),
    Math.ceil((SOLES + MARGIN.top + MARGIN.bottom) * scale),
  );
  pen.imageSmoothingQuality = 'low';
  pen.setTransform(scale, 0, 0, scale, MARGIN.side * scale, MARGIN.top * scale);
  const legs = figure.skirt === 'ankle' ? cloth : (figure.legs ?? ART.legs);
  drawSport(pen, sport, phase, {
    skin: figure.look.skin ?? ART.skin,
    cloth,
    legs,
    drawTrunk(_, { hip, lean, nod }) {
      pen.save();
      pen.translate(...hip);
      pen.rotate(lean);
      pen.translate(-HIP[0], -HIP[1]);
      pen.scale(1 / scale, 1 / scale);
      for (const { canvas: layer, x, y } of [limbs.neck, limbs.torso].filter((one) => one !== undefined))
        pen.drawImage(layer, x, y);
      pen.restore();
      pen.save();
      pen.translate(...trunkPoint(EYE, hip, lean));
      pen.rotate(nod);
      pen.scale(1 / scale, 1 / scale);
      pen.drawImage(puppet.head, -puppet.eyes.x, -puppet.eyes.y);
      pen.restore();
    },
  });
  const box = { x: (MARGIN.side + room.x) * scale, y: (MARGIN.top + room.y) * scale };
  return { canvas, box: { ...box, w: room.w * scale, h: room.h * scale } };
}

/** From the waist down, over the legs. */
function paintSkirt(
  pen: SKRSContext2D,
  { stance, scale, cloth }: Puppet,
  length: 'knee' | 'ankle',
  moves: Moves,
): void {
  const [waist, half] = stance === 'walking' ? [15.7, 2.6] : [16, 3];
  const hem = length === 'knee' ? 23.4 : 28.6;
  const wide = half + (length === 'knee' ? 1.9 : 2.3);
  pen.setTransform(scale, 0, 0, scale, MARGIN.side * scale, (MARGIN.top + (moves.rise ?? 0)) * scale);
  const fall = pen.createLinearGradient(waist - wide, 0, waist + wide, 0);
  fall.addColorStop(0, lighter(cloth, -0.07));
  fall.addColorStop(0.4, lighter(cloth, 0.03));
  fall.addColorStop(1, lighter(cloth, -0.1));
  pen.fillStyle = fall;
  pen.beginPath();
  pen.moveTo(waist - half, 15.2);
  pen.quadraticCurveTo(waist - half - 0.3, 18, waist - wide, hem - 0.6);
  pen.quadraticCurveTo(waist, hem + 1, waist + wide, hem - 0.6);
  pen.quadraticCurveTo(waist + half + 0.3, 18, waist + half, 15.2);
  pen.fill();
}

function turnAbout(
  pen: SKRSContext2D,
  [x, y]: readonly [number, number],
  angle: number,
  length: number,
  scale: number,
): void {
  pen.translate(x * scale, y * scale);
  pen.rotate(angle);
  pen.scale(1, length);
  pen.translate(-x * scale, -y * scale);
}

interface Moves {
  /** Radians, clockwise. */
  turns: Partial<Record<Limb, number>>;
  /** A leg that swings forwards is lifted: shares of its length. */
  lift?: Partial<Record<Limb, number>>;
  /** Units; negative is up. */
  rise?: number;
  nod?: number;
}

/** Legs from the front: thighs towards us, or crossed on the ground. A skirt reaches over the knees. */
function drawSeatedLegs(
  pen: SKRSContext2D,
  act: Seated,
  { legs, cloth, skirt }: { legs: string; cloth: string; skirt: Figure['skirt'] },
): void {
  const line = (points: readonly (readonly [number, number])[], width: number, colour: string): void => {
    pen.beginPath();
    for (const [x, y] of points) pen.lineTo(x, y);
    pen.lineWidth = width;
    pen.strokeStyle = colour;
    pen.stroke();
  };
  pen.lineCap = 'round';
  pen.lineJoin = 'round';
  const thigh = skirt ? cloth : legs;
  const soles = SEATED[act].soles;
  for (const side of [-1, 1]) {
    const at = (x: number, y: number) => [16 + side * x, y] as const;
    if (act === 'sit') {
      const shin = skirt === 'ankle' ? cloth : legs;
      line([at(2, 20), at(2.1, soles - 1.4)], 2.5, lighter(shin, -0.07));
      line([at(2, soles - 0.9), at(2.6, soles - 0.8)], 1.7, SHOES);
      line([at(1.5, 17.4), at(2.1, 19.7)], 3.4, thigh);
      line([at(2.1, 19.6), at(2.1, 19.9)], 3, lighter(thigh, 0.04));
    } else {
      line([at(1.4, 18.2), at(5, 20.2)], 3.1, thigh);
      line([at(5, 20.3), at(-1.6, 21.2)], 2.3, lighter(thigh, -0.06));
      line([at(-1.8, 21.4), at(-2.8, 21.5)], 1.6, SHOES);
    }
  }
  if (skirt && act === 'sit')
    line(
      [
        [14, 18.4],
        [14, 20.2],
        [18, 20.2],
        [18, 18.4],
      ].map(([x = 0, y = 0]) => [x, y] as const),
      2.6,
      cloth,
    );
}
const SHOES = '#33343d';

/** The art's stride: half of the angle between its legs, and their length in units. */
const STRIDE = 0.46;
const LEG = 13.4;

const MOVES: Record<Exclude<Act, Sport>, (angle: number) => Moves> = {
  stand: (a) => ({
    turns: { armFar: 0.03 * Math.sin(a), armNear: -0.03 * Math.sin(a) },
    rise: -0.12 * (1 - Math.cos(a)),
    nod: 0.02 * Math.sin(a),
  }),
  sit: (a) => ({ turns: { armFar: -0.08, armNear: 0.08 }, nod: 0.03 * Math.sin(a) }),
  'sit-on-ground': (a) => ({ turns: { armFar: 0.1, armNear: -0.1 }, nod: 0.03 * Math.sin(a) }),
  wave: (a) => ({
    turns: { armFar: 0.03 * Math.sin(a), armNear: -2.35 + 0.32 * Math.sin(2 * a) },
    rise: -0.12 * (1 - Math.cos(a)),
    nod: 0.04 * Math.sin(a),
  }),
  // Both arms up, one higher than the other in turn, and off the ground twice.
  dance: (a) => ({
    turns: { armFar: 2.2 + 0.45 * Math.sin(a), armNear: -2.2 + 0.45 * Math.sin(a) },
    rise: -0.55 * Math.abs(Math.sin(a)),
    nod: 0.09 * Math.sin(a),
  }),
  // The art has its near leg before it; it ends behind, and comes back lifted.
  walk: (a) => {
    const swung = STRIDE * (1 - Math.cos(a));
    const forwards = Math.sin(a);
    return {
      turns: { legNear: -swung, legFar: swung, armNear: swung * 1.2, armFar: -swung },
      lift: { legNear: 1 - 0.12 * Math.max(0, -forwards), legFar: 1 - 0.12 * Math.max(0, forwards) },
      rise: LEG * (Math.cos(STRIDE) - Math.cos(STRIDE * Math.cos(a))),
      nod: 0.025 * Math.sin(2 * a),
    };
  },
};

function puppetOf(figure: Figure, stance: Puppet['stance'], pixels: number): Puppet {
  const key = JSON.stringify([figure, stance, Math.round(pixels)]);
  const known = puppets.get(key);
  if (known) return known;
  const { look, body, isChild } = figure;
  const scale = pixels / TALL;
  const frame = { width: 0, height: 0, scale, x: 0, y: 0 };
  const skin = look.skin ?? ART.skin;
  const cloth = figure.cloth ?? clothOf(look);
  const colours = {
    skin: (svg: string) => tinted(svg, ART.skin, skin, 0.85),
    cloth: (svg: string) => tinted(svg, ART[body], cloth, 0.7),
    legs: (svg: string) => (figure.legs ? tinted(svg, ART.legs, figure.legs, 0.7) : svg),
    keep: (svg: string) => svg,
  };
  const limbs: Puppet['limbs'] = {};
  const pieces = Map.groupBy(art().figures[`${stance}-${body}`] ?? [], ([limb]) => limb);
  for (const [limb, rows] of pieces) {
    const layer = drawPieces(
      rows.map(([, role, svg]) => ({ svg: colours[role](svg) })),
      frame,
    );
    if (layer) limbs[limb] = layer;
  }
  const puppet = { limbs, stance, scale, cloth, ...headOf(look, scale * (isChild ? HEAD.child : HEAD.grown)) };
  puppets.set(key, puppet);
  return puppet;
}

/** The look's head alone. @param scale pixels of a unit of the portrait */
function headOf(look: Look, scale: number): Pick<Puppet, 'head' | 'eyes'> {
  const side = Math.ceil((scale / frameOf(look, 100, 100).scale) * 100);
  const layers = headLayersOf(look, side, side);
  const head = createCanvas(side, side);
  paintFrame(head.getContext('2d'), layers, REST);
  const { frame } = layers;
  return { head, eyes: { x: frame.x + 16.1 * frame.scale, y: frame.y + 16.7 * frame.scale } };
}

/** What a figure wears: its colour, or that of the art's piece. */
function clothOf({ body }: Look): string {
  if (body.colour) return body.colour;
  const cloth = (art().parts[body.part] ?? []).flatMap(([role, svg]) => (role === 'cloth' ? [svg] : []));
  return cloth.length > 0 ? meanColour(cloth) : ART.man;
}
