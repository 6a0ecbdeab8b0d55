/**
 * A figure that cycles, surfs, skis or rides a snowboard, with what it takes: torso and head of the walking figure, limbs
 * of two parts whose hands and feet are where the sport has them. Looks to the left; units are those of the art.
 */
import type { SKRSContext2D } from '@napi-rs/canvas';
import { lighter } from './tint.ts';

/** What a figure does on or with a thing. */
export type Sport = 'cycle' | 'surf' | 'ski' | 'snowboard';

/** The body that is posed. */
export interface Body {
  /** Draws torso and neck of the walking figure, then its head, upright but for `nod`. */
  drawTrunk(pen: SKRSContext2D, at: { hip: Point; lean: number; nod: number }): void;
  skin: string;
  cloth: string;
  legs: string;
}

type Point = readonly [x: number, y: number];

/** The walking figure's hip and shoulder: what a trunk turns about, and where its arms hang. */
export const HIP: Point = [16.7, 16.6];
const SHOULDER: Point = [16.2, 10.4];
/** Where the middle between its eyes is. */
export const EYE: Point = [14.9, 5.1];

/** What a sport's picture fills, in units: soles or wheels are at its bottom. */
export const SPORT_BOX: Readonly<Record<Sport, { x: number; y: number; w: number; h: number }>> = {
  cycle: { x: 1.4, y: 2.2, w: 28.4, h: 28 },
  surf: { x: 2, y: 4.2, w: 28, h: 26 },
  ski: { x: 3, y: 5.2, w: 26, h: 25 },
  snowboard: { x: 2, y: 4.2, w: 28, h: 26 },
};

const DARK = '#33343d';
const STEEL = '#b9c0c9';

/** A moment of a sport: `phase` 0 to 1 is where in its cycle. */
export function drawSport(pen: SKRSContext2D, sport: Sport, phase: number, body: Body): void {
  const angle = phase * 2 * Math.PI;
  pen.lineCap = 'round';
  pen.lineJoin = 'round';
  if (sport === 'cycle') drawCyclist(pen, angle, body);
  else if (sport === 'ski') drawSkier(pen, angle, body);
  else drawBoarder(pen, angle, body, sport);
}

const GROUND = 30.2;
const WHEEL = 5.1;
const CRANK = 2;
/** Turns of the wheels for one of the pedals, in eighths: there are eight spokes, so a cycle ends as it began. */
const GEAR = 10 / 8;
const BIKE = {
  rear: [24, GROUND - WHEEL],
  front: [6.6, GROUND - WHEEL],
  pedals: [16.6, 25.6],
  seat: [19.4, 17],
  bar: [8.7, 15.6],
} as const satisfies Record<string, Point>;
const FRAME = '#d2483c';

function drawCyclist(pen: SKRSContext2D, angle: number, body: Body): void {
  const { rear, front, pedals, seat, bar } = BIKE;
  const sway = 0.03 * Math.sin(angle * 2);
  const lean = -0.68 + sway;
  const hip: Point = [seat[0] - 0.5, seat[1] - 1.1 - 0.12 * Math.cos(angle * 2)];
  // To the left the pedals go round against the clock.
  const foot = (turn: number): Point => [pedals[0] + CRANK * Math.cos(turn), pedals[1] + CRANK * Math.sin(turn)];
  const [near, far] = [foot(-angle), foot(Math.PI - angle)];
  drawLeg(pen, hip, far, body, true);
  stroke(pen, [pedals, far], 0.7, STEEL);
  for (const wheel of [rear, front]) drawWheel(pen, wheel, -angle * GEAR);
  const [head, low]: Point[] = [
    [9.8, 17.4],
    [9.1, 19.6],
  ];
  for (const tube of [
    [seat, pedals],
    [pedals, rear],
    [rear, [18.9, 18.6]],
    [[18.8, 18.9], head],
    [low, pedals],
  ] as Point[][])
    stroke(pen, tube, 1, FRAME);
  stroke(pen, [head as Point, [8.6, 20.6], front], 0.9, lighter(FRAME, -0.1));
  stroke(pen, [head as Point, [9.5, 15.4], bar, [7.5, 16.5]], 0.75, DARK);
  stroke(
    pen,
    [
      [18.1, 16.9],
      [21.4, 16.5],
    ],
    1.3,
    DARK,
  );
  dot(pen, pedals, 1.3, DARK);
  const shoulder = trunkPoint(SHOULDER, hip, lean);
  drawArm(pen, shoulder, [bar[0] + 0.5, bar[1]], body, true);
  body.drawTrunk(pen, { hip, lean, nod: sway });
  stroke(pen, [pedals, near], 0.8, STEEL);
  drawLeg(pen, hip, near, body, false);
  drawArm(pen, shoulder, [bar[0], bar[1] + 0.3], body, false);
}

function drawWheel(pen: SKRSContext2D, [x, y]: Point, turn: number): void {
  for (let i = 0; i < 8; i++) {
    const [c, s] = [Math.cos(turn + (i * Math.PI) / 4), Math.sin(turn + (i * Math.PI) / 4)];
    stroke(
      pen,
      [
        [x, y],
        [x + c * WHEEL * 0.88, y + s * WHEEL * 0.88],
      ],
      0.16,
      STEEL,
    );
  }
  for (const [radius, width, colour] of [
    [WHEEL - 0.45, 0.9, DARK],
    [WHEEL - 1.05, 0.4, STEEL],
  ] as const) {
    pen.beginPath();
    pen.arc(x, y, radius, 0, 2 * Math.PI);
    pen.lineWidth = width;
    pen.strokeStyle = colour;
    pen.stroke();
  }
  dot(pen, [x, y], 0.6, STEEL);
}

function drawSkier(pen: SKRSContext2D, angle: number, body: Body): void {
  const swing = Math.sin(angle);
  const [low, lean] = [0.7 * Math.cos(angle * 2), -0.62 + 0.05 * swing];
  pen.translate(15, GROUND);
  pen.rotate(0.1 * swing);
  pen.translate(-15, -GROUND);
  const hip: Point = [18.4, 20.6 + low];
  const shoulder = trunkPoint(SHOULDER, hip, lean);
  const feet: [Point, Point] = [
    [15.4 - swing * 0.8, 28.7],
    [13.6 + swing * 0.8, 29.1],
  ];
  const hand = (i: number): Point => [9.6 + i * 1.1, 17.2 + low - i * 0.4];
  const pole = (from: Point, i: number) => stroke(pen, [from, [24.5 + i * 2, 25.2 + low - i]], 0.35, DARK);
  const ski = ([x, y]: Point, colour: string) => {
    const tip: Point[] = [
      [x + 11.5, y + 0.6],
      [x - 7.5, y + 0.6],
      [x - 9.3, y - 0.1],
      [x - 10, y - 1.1],
    ];
    stroke(pen, tip, 0.85, colour);
  };
  pole(hand(1), 1);
  ski(feet[0], lighter(body.cloth, -0.16));
  drawLeg(pen, hip, feet[0], body, true, true);
  drawArm(pen, shoulder, hand(1), body, true);
  ski(feet[1], lighter(body.cloth, -0.08));
  drawLeg(pen, hip, feet[1], body, false, true);
  body.drawTrunk(pen, { hip, lean, nod: 0.1 });
  drawArm(pen, shoulder, hand(0), body, false);
  pole(hand(0), 0);
}

/** On a board, sideways: of the sea with its arms out, of the snow lower and leaning into the turn. */
function drawBoarder(pen: SKRSContext2D, angle: number, body: Body, sport: 'surf' | 'snowboard'): void {
  const swing = Math.sin(angle);
  const isSea = sport === 'surf';
  const low = (isSea ? 0.9 : 0.6) * Math.cos(angle);
  pen.translate(16, GROUND - 1);
  pen.rotate((isSea ? -0.07 : -0.02) + (isSea ? 0.06 : 0.1) * swing);
  pen.translate(-16, 1 - GROUND);
  const hip: Point = [17, 18.3 + low * 0.7];
  const lean = (isSea ? -0.3 : -0.4) - 0.08 * swing;
  const shoulder = trunkPoint(SHOULDER, hip, lean);
  const feet: [Point, Point] = [
    [21.6, 28.3],
    [11.4, 28.3],
  ];
  const board = isSea ? ['#f4d35e', '#e2603f'] : [lighter(body.cloth, -0.12), '#f5f5f5'];
  drawLeg(pen, hip, feet[0], body, true, !isSea);
  drawArm(pen, shoulder, [shoulder[0] + 6.9, shoulder[1] + 1.4 - 1.4 * swing], body, true);
  pen.beginPath();
  pen.moveTo(2.2, 27.5);
  pen.quadraticCurveTo(5, 29, 9, 29);
  pen.lineTo(25, 29);
  pen.quadraticCurveTo(28.4, 28.9, 29.6, isSea ? 28.6 : 27.4);
  pen.quadraticCurveTo(28.6, 30.4, 24, 30.5);
  pen.lineTo(9, 30.5);
  pen.quadraticCurveTo(4, 30.3, 2.2, 27.5);
  pen.fillStyle = board[0] as string;
  pen.fill();
  stroke(
    pen,
    [
      [6.2, 29.8],
      [26.6, 29.8],
    ],
    0.45,
    board[1] as string,
  );
  drawLeg(pen, hip, feet[1], body, false, !isSea);
  body.drawTrunk(pen, { hip, lean, nod: 0.04 * swing });
  drawArm(pen, shoulder, [shoulder[0] - 6.7, shoulder[1] + 1.8 + 1.4 * swing], body, false);
}

/** A point of the walking figure, with its hip moved and its trunk turned. */
export function trunkPoint([x, y]: Point, [hipX, hipY]: Point, lean: number): Point {
  const [dx, dy] = [x - HIP[0], y - HIP[1]];
  const [c, s] = [Math.cos(lean), Math.sin(lean)];
  return [hipX + dx * c - dy * s, hipY + dx * s + dy * c];
}

/** Knees bend to the left, elbows to the right and down. */
function drawLeg(pen: SKRSContext2D, hip: Point, ankle: Point, body: Body, isFar: boolean, isBoot = false): void {
  const knee = bent(hip, ankle, 6.5, 1);
  const colour = isFar ? lighter(body.legs, -0.07) : body.legs;
  stroke(pen, [hip, knee], 3.1, colour);
  stroke(pen, [knee, ankle], 2.5, colour);
  const [x, y] = ankle;
  stroke(
    pen,
    isBoot
      ? [
          [x, y - 1.2],
          [x, y],
          [x - 1.3, y],
        ]
      : [
          [x + 0.3, y],
          [x - 1.6, y + 0.1],
        ],
    isBoot ? 2.2 : 1.7,
    DARK,
  );
}

function drawArm(pen: SKRSContext2D, shoulder: Point, hand: Point, { cloth, skin }: Body, isFar: boolean): void {
  const elbow = bent(shoulder, hand, 3.7, -1);
  const colour = lighter(cloth, isFar ? -0.09 : -0.03);
  stroke(pen, [shoulder, elbow, hand], 2, colour);
  dot(pen, hand, 1.15, isFar ? lighter(skin, -0.06) : skin);
}

/** The joint between two parts of one length; straight where they do not reach. @param side 1 to the left of the way down */
function bent([ax, ay]: Point, [bx, by]: Point, length: number, side: 1 | -1): Point {
  const [dx, dy] = [bx - ax, by - ay];
  const apart = Math.hypot(dx, dy) || 1;
  const out = Math.sqrt(Math.max(0, length * length - (apart * apart) / 4)) * side;
  return [(ax + bx) / 2 - (dy / apart) * out, (ay + by) / 2 + (dx / apart) * out];
}

function stroke(pen: SKRSContext2D, points: readonly Point[], width: number, colour: string): void {
  pen.beginPath();
  for (const [i, [x, y]] of points.entries()) i === 0 ? pen.moveTo(x, y) : pen.lineTo(x, y);
  pen.lineWidth = width;
  pen.strokeStyle = colour;
  pen.stroke();
}

function dot(pen: SKRSContext2D, [x, y]: Point, radius: number, colour: string): void {
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.fillStyle = colour;
  pen.fill();
}
