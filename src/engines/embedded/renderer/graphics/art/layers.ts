/**
 * A look as images that lie over one another: each is drawn once, at the size it is shown, and then only moved
 * (`compose.ts`). Throws for a look that `isLook` refuses.
 */
import { type Canvas, createCanvas } from '@napi-rs/canvas';
import { Resvg } from '@resvg/resvg-js';
import { type Art, art, type Head, type Role } from './art.ts';
import { type Frame, frameOf, isBeast } from './art-units.ts';
import { paintBackdrop } from './backdrop.ts';
import { BEASTS, type Beast } from './beasts.ts';
import { HAIR } from './hair.ts';
import type { Expression, Look, Worn } from './look.ts';
import { type BeastArt, OWN_BEASTS } from './own-beasts.ts';
import { OWN_PARTS } from './own-parts.ts';
import { blend, lighter, lightness, meanColour, tinted } from './tint.ts';

/** From behind; how each follows the head's turn is in `compose.ts`. */
export const LAYERS = ['behind', 'body', 'skin', 'face', 'beard', 'lip', 'brows', 'hair', 'hat', 'glasses'] as const;
/** Name of the layer, one of `LAYERS`. */
export type LayerName = (typeof LAYERS)[number];

/** One layer, cut to what is seen of it. */
export interface Layer {
  canvas: Canvas;
  /** Where its upper left corner lies, in pixels of the frame. */
  x: number;
  y: number;
}

/** All of a look at one size, ready to be moved and painted. Layers without anything to see are absent. */
export interface Layers {
  look: Look;
  frame: Frame;
  backdrop: Canvas;
  of: Partial<Record<LayerName, Layer>>;
}

/** What the art's skin is drawn in, and our own pieces of hair and cloth. */
const SKIN = '#e6ae8f';
const OWN_HAIR = '#e8c890';
const OWN_CLOTH = '#b9b2c8';
const GREY_HEADS = new Set(['older', 'old-man', 'old-woman']);

/** Where a hat ends and hair may be seen again, in units, and how far it is lifted to show the brows; `round`: its brim
 * goes round the head, which stands before it. */
const HATS: Readonly<Record<string, { line?: number; up?: number; half?: number; round?: true }>> = {
  'hat:chef': { line: 9.4, up: 1.4, half: 10.5 },
  'hat:hardhat': { line: 9.5, up: 2.6, half: 11 },
  'hat:police': { line: 9.5, up: 2, half: 10.5 },
  'hat:pilot': { line: 9.5, up: 1.2, half: 10.5 },
  'hat:cap': { line: 9, up: 1.2, half: 10.2 },
  'hat:fedora': { line: 9.5, up: 2, half: 10.5 },
  'hat:firefighter': { line: 8.6, up: 1.8, half: 10.5 },
  'hat:wizard': { line: 8.4, up: 2.6, half: 10.5, round: true },
  'hat:straw': { line: 8.4, up: 1.8, half: 10.5, round: true },
  'hat:crown': { up: 4.6 },
  'hat:tiara': { up: 2.2 },
  'hat:graduation': { line: 6.5, up: 0.4, half: 10 },
  'hat:beret': { line: 6, up: 0, half: 11 },
  'hat:bearskin': { line: 9, up: 3.2, half: 10.5 },
  'hat:beanie': { line: 9, up: 1.4, half: 10.5 },
  'hat:turban': { line: 9.5, up: 0.8, half: 11 },
  'hat:santa': { line: 8.5, up: 0.8, half: 10.5 },
  'hat:welder': { line: 8, up: 1.8, half: 10.5 },
  'hat:cowboy': { line: 8, up: 1.6, half: 10.5 },
  'hat:tophat': { line: 8, up: 0, half: 10.5 },
  'hat:circlet': { up: 0.4 },
  'own:sombrero': { line: 8, up: 0.8, half: 10.5 },
  'own:horned-helmet': { line: 9.5, up: 0.8, half: 10.5 },
};
/** Hats that cover the whole head: no hair is drawn under them. */
const COVERS_ALL = new Set(['hat:hijab', 'hat:space', 'own:cowl', 'own:nemes', 'own:wig']);

interface Piece {
  svg: string;
  /** How far it is moved up from its place in the art, in units of the art. */
  up?: number;
  clip?: string;
}

/** Draws every layer of a look for an image of that size in pixels. */
export function layersOf(look: Look, width: number, height: number): Layers {
  const frame = frameOf(look, width, height);
  return { look, frame, backdrop: paintBackdrop(look, frame), of: drawLayers(look, frame, LAYERS) };
}

/** The same of the head alone, before nothing. */
export function headLayersOf(look: Look, width: number, height: number): Layers {
  const frame = frameOf(look, width, height);
  const of = drawLayers(
    look,
    frame,
    LAYERS.filter((name) => name !== 'body'),
  );
  return { look, frame, backdrop: createCanvas(1, 1), of };
}

function drawLayers(look: Look, frame: Frame, names: readonly LayerName[]): Layers['of'] {
  const pieces = isBeast(look) ? beastPieces(look) : personPieces(look);
  const of: Layers['of'] = {};
  for (const name of names) {
    const layer = drawn(pieces[name] ?? [], frame, name);
    if (layer && look.hair?.isRainbow && (name === 'hair' || name === 'behind')) dyeInAll(layer);
    if (layer) of[name] = layer;
  }
  return of;
}

const RAINBOW = ['#e8404a', '#f2903a', '#f4d23f', '#48b85c', '#3f8fe0', '#8a55d0'];

/** All colours from one side to the other; light and shade stay. */
function dyeInAll({ canvas }: Layer): void {
  const dye = createCanvas(canvas.width, canvas.height);
  const pen = dye.getContext('2d');
  const across = pen.createLinearGradient(0, 0, canvas.width, canvas.height * 0.25);
  for (const [i, colour] of RAINBOW.entries()) across.addColorStop(i / (RAINBOW.length - 1), colour);
  pen.fillStyle = across;
  pen.fillRect(0, 0, dye.width, dye.height);
  pen.globalCompositeOperation = 'destination-in';
  pen.drawImage(canvas, 0, 0);
  const ctx = canvas.getContext('2d');
  ctx.globalCompositeOperation = 'color';
  ctx.drawImage(dye, 0, 0);
  ctx.globalAlpha = 0.35;
  ctx.globalCompositeOperation = 'source-over';
  ctx.drawImage(dye, 0, 0);
  ctx.globalAlpha = 1;
}

/** The art of a head of `BEASTS`, as SVG without eyes and mouth. */
export const beastArt = (head: string): BeastArt => OWN_BEASTS[head] ?? { dyed: art().beasts[head] as string };

type Pieces = Partial<Record<LayerName, Piece[]>>;

function beastPieces(look: Look): Pieces {
  const { fur } = BEASTS[look.head] as { fur: string };
  const { dyed, kept } = beastArt(look.head);
  const coloured = look.skin ? tinted(dyed, fur, look.skin, 0.75) : dyed;
  const pieces: Pieces = { skin: [{ svg: coloured }, ...(kept ? [{ svg: kept }] : [])] };
  wear(pieces, look, look.skin ?? fur, fitted(look.head));
  return pieces;
}

function personPieces(look: Look): Pieces {
  const { heads } = art();
  const skin = look.skin ?? SKIN;
  const worn = look.hair ?? { style: 'bald-man', colour: '#6b4a2b' };
  const style = HAIR[worn.style] as (typeof HAIR)[string];
  const hairHead = heads[style.head] as Head;
  const face = heads[look.head] as Head;
  const hats = look.over.map(({ part }) => part);
  const hidden = hats.some((part) => COVERS_ALL.has(part));
  const hat = hats.map((part) => HATS[part]).find((one) => one?.line !== undefined);
  const clip = hat?.line === undefined ? undefined : belowHat(hat.line, hat.half ?? 10.5);
  const skull = hidden ? (heads[look.lashes ? 'bald-woman' : 'bald-man'] as Head) : hairHead;
  const dye = (svg: string, base: string) => tinted(svg, base, worn.colour, 0.55);
  const base = hairBase(style.head, hairHead);
  const pieces: Pieces = {
    skin: [{ svg: tinted(skull.skin, SKIN, skin, 0.85), ...(clip && hat?.round ? { clip } : {}) }],
    face: [{ svg: tinted(face.nose, SKIN, skin, 0.85) }],
    brows: [
      {
        svg: leaning(tinted(face.brows, meanColour([face.brows]), browColour(worn.colour, skin), 0.5), look.expression),
      },
    ],
  };
  const add = (name: LayerName, piece: Piece) => {
    const list = pieces[name] ?? [];
    list.push(piece);
    pieces[name] = list;
  };
  if (look.wrinkles && face.marks) add('face', { svg: tinted(face.marks, SKIN, skin, 0.85) });
  if (look.freckles) add('face', { svg: freckles(skin) });
  if (!hidden) {
    if (style.behind) add('behind', { svg: dye(style.behind, OWN_HAIR), ...(clip ? { clip } : {}) });
    if (style.only !== 'front' && hairHead.behind)
      add('behind', { svg: dye(hairHead.behind, base), ...(clip ? { clip } : {}) });
    if (style.only !== 'behind' && hairHead.front)
      add('hair', { svg: dye(hairHead.front, base), ...(clip ? { clip } : {}) });
    if (style.over) add('hair', { svg: dye(style.over, OWN_HAIR), ...(clip ? { clip } : {}) });
  }
  wear(pieces, look, skin);
  return pieces;
}

const bases = new Map<string, string>();
function hairBase(name: string, head: Head): string {
  const found = bases.get(name) ?? meanColour([head.front ?? '', head.behind ?? '']);
  bases.set(name, found);
  return GREY_HEADS.has(name) ? '#a3a0a4' : found;
}

/** Brows go with the hair, and are seen on the skin. */
function browColour(hair: string, skin: string): string {
  const [light, under] = [lightness(hair), lightness(skin)];
  if (light > 0.82) return blend(hair, '#8d8790', 0.35);
  const brow = lighter(hair, light > 0.45 ? -0.13 : 0.02);
  return Math.abs(lightness(brow) - under) < 0.08 ? lighter(brow, under > 0.4 ? -0.16 : 0.16) : brow;
}

/** Degrees that a brow's inner end is down by (up: negative), and how far it comes down, in units. */
const BROWS: Readonly<Record<Expression, { lean: number; down: number }>> = {
  serious: { lean: 5, down: 0.35 },
  sad: { lean: -13, down: -0.2 },
  angry: { lean: 15, down: 0.75 },
};

/** Both brows turned, each about its own middle. */
function leaning(brows: string, expression: Expression | undefined): string {
  if (!expression) return brows;
  const { lean, down } = BROWS[expression];
  const half = (name: string, left: number, degrees: number, middle: number) =>
    `<clipPath id="${name}"><rect x="${left}" y="0" width="16" height="32"/></clipPath><g transform="translate(0 ${down}) rotate(${degrees} ${middle} 13)"><g clip-path="url(#${name})">${brows.replaceAll('url(#', `url(#${name}`).replaceAll(' id="', ` id="${name}`)}</g></g>`;
  return half('browLeft', 0.1, lean, 11.65) + half('browRight', 16.1, -lean, 20.55);
}

/** Where on one cheek: to the side of the middle, and down. */
const FRECKLES = [
  [6.6, 0.2],
  [5.2, -0.3],
  [4, 0.3],
  [5.9, 1],
  [4.6, 1.1],
] as const;

function freckles(skin: string): string {
  const colour = lighter(skin, -0.13);
  const spots = FRECKLES.flatMap(([x, y]) =>
    [-x, x].map((aside) => `<circle cx="${16.1 + aside}" cy="${20.3 + y}" r=".36" fill="${colour}"/>`),
  );
  return `<g fill-opacity=".75">${spots.join('')}</g>`;
}

/** Everything below a hat's brim; at its sides hair comes out in a curve. */
const belowHat = (line: number, half: number) =>
  `M-20 ${line + 9}C${15.6 - half - 4.5} ${line + 7} ${16.1 - half - 2.5} ${line + 1.2} ${16.1 - half + 0.8} ${line}H${16.1 + half - 0.8}C${16.1 + half + 2.5} ${line + 1.2} ${16.6 + half + 4.5} ${line + 7} 52 ${line + 9}V70H-20Z`;

/** Layers of what is worn, by the kind in its name. */
const LAYER_OF: Readonly<Record<string, LayerName>> = {
  hat: 'hat',
  ears: 'skin',
  beard: 'beard',
  glasses: 'glasses',
  mask: 'face',
  clown: 'face',
  body: 'body',
};
const OWN_LAYERS: Readonly<Record<string, LayerName>> = {
  'own:flowers': 'hat',
  'own:headphones': 'hat',
  'own:halo': 'hat',
  'own:horns': 'hat',
  'own:shell': 'hat',
  'own:cowl': 'hat',
  'own:nemes': 'hat',
  'own:wig': 'hat',
  'own:tusks': 'lip',
  'own:tears': 'lip',
  'own:earrings': 'skin',
  'own:third-eye': 'face',
  'own:scales': 'face',
  'own:round': 'glasses',
  'own:cat-eye': 'glasses',
  'own:aviator': 'glasses',
  'own:patch': 'glasses',
  'own:monocle': 'glasses',
  'own:square': 'glasses',
  'own:hair-flower': 'hat',
  'own:hair-bow': 'hat',
  'own:animal-ears': 'hat',
  'own:bunny-ears': 'hat',
  'own:pipe': 'lip',
  'own:skullcap': 'hat',
  'own:sombrero': 'hat',
  'own:horned-helmet': 'hat',
  'own:vitiligo': 'face',
  'own:bindi': 'face',
  'own:scar': 'face',
  'own:mole': 'face',
  'own:nose-ring': 'lip',
  'clown:wig': 'behind',
  'clown:nose': 'lip',
  'beard:handlebar': 'lip',
};

/** Glasses of people before the eyes of an animal, wherever it has them. */
function fitted(head: string): (svg: string) => string {
  const { left, right, y } = (BEASTS[head] as Beast).eyes;
  const wide = Math.min(1.5, Math.max(0.85, (right - left) / (PUPILS.right - PUPILS.left)));
  const [dx, dy] = [(left + right) / 2 - ((PUPILS.left + PUPILS.right) / 2) * wide, y - PUPILS.y * wide];
  return (svg) => `<g transform="translate(${dx.toFixed(3)} ${dy.toFixed(3)}) scale(${wide.toFixed(3)})">${svg}</g>`;
}
/** Where people's eyes are. */
const PUPILS = { left: 11.65, right: 20.55, y: 16.9 };

/** @param place puts glasses where the eyes are, if they are not a person's */
function wear(pieces: Pieces, look: Look, skin: string, place = (svg: string) => svg): void {
  for (const worn of [look.body, ...look.over]) {
    const name = OWN_LAYERS[worn.part] ?? LAYER_OF[worn.part.split(':')[0] as string] ?? 'body';
    const up = HATS[worn.part]?.up ?? 0;
    for (const [role, svg] of coloured(worn, skin, look.hair?.colour)) {
      const into = role === 'behind' || HATS[worn.part]?.round ? 'behind' : name;
      const list = pieces[into] ?? [];
      list.push({ svg: into === 'glasses' ? place(svg) : svg, up });
      pieces[into] = list;
    }
  }
}

function runsOf({ part }: Worn): Art['parts'][string] {
  return art().parts[part] ?? OWN_PARTS[part] ?? [];
}

/** The runs of a part in the colours that are asked for. */
function coloured(worn: Worn, skin: string, hair: string | undefined): (readonly [Role | 'behind', string])[] {
  const runs = runsOf(worn);
  const own = Object.hasOwn(OWN_PARTS, worn.part);
  const baseOf = (role: Role) =>
    own
      ? role === 'hair'
        ? '#c98f72'
        : OWN_CLOTH
      : meanColour(runs.filter(([one]) => one === role).map(([, svg]) => svg));
  const wanted: Partial<Record<Role | 'behind', string | undefined>> = {
    skin,
    cloth: worn.colour,
    accent: worn.accent,
    hair: worn.colour ?? hair,
  };
  return runs.map(([role, svg]) => {
    const to = wanted[role];
    if (!to || role === 'keep' || role === 'behind') return [role, svg] as const;
    return [
      role,
      tinted(
        svg,
        role === 'skin' ? SKIN : baseOf(role),
        to,
        role === 'hair' ? 0.5 : role === 'skin' && worn.part.startsWith('body:') ? 0.35 : 0.7,
      ),
    ] as const;
  });
}

/** A part of the world, in units: x, y, width, height. */
type Reach = readonly [x: number, y: number, w: number, h: number];

/** The part that is drawn of portraits. */
const REACH: Reach = [-14, -15, 60, 64];
/** The part that limbs and trunks of figures lie in, a sixth of it. */
export const FIGURE_REACH: Reach = [5, 4, 22, 28];
/**
 * Pixels a unit is drawn at, before a layer takes the frame's size. The renderer of SVG ends the process where two edges
 * of a filter round to different pixels; at these, with these reaches and shifts by whole pixels, none of the art does
 * (scripts/portrait-art.mjs draws all of it). The smallest is for heads of figures: they took a quarter of a video with people.
 */
export const RASTERS = [6.05, 12.1, 24.2] as const;
/** Pieces are shifted by whole pixels of this raster, or of a smaller one. */
const SHIFT = 12.1;

/** Pieces of a figure over one another as one layer at a scale; undefined where nothing of them is seen. */
export const drawPieces = (pieces: readonly { svg: string }[], frame: Frame): Layer | undefined =>
  drawn(pieces, frame, 'face', FIGURE_REACH);

/** Pieces over one another as one image, cut to what is seen of it. */
function drawn(pieces: readonly Piece[], frame: Frame, name: LayerName, reach = REACH): Layer | undefined {
  if (pieces.length === 0) return undefined;
  const raster = RASTERS.find((one) => one >= frame.scale * 0.96) ?? RASTERS[2];
  const step = Math.min(raster, SHIFT);
  const clips = [...new Set(pieces.flatMap(({ clip }) => (clip ? [clip] : [])))];
  const body = pieces.map(({ svg, up = 0, clip }, i) => {
    const named = svg.replaceAll('url(#', `url(#p${i}`).replaceAll(' id="', ` id="p${i}`);
    const rise = Math.round(up * step) / step;
    const moved = rise ? `<g transform="translate(0 ${-rise})">${named}</g>` : named;
    return clip ? `<g clip-path="url(#clip${clips.indexOf(clip)})">${moved}</g>` : moved;
  });
  const defs = clips.map((clip, i) => `<clipPath id="clip${i}"><path d="${clip}"/></clipPath>`).join('');
  return cut(rasterOf(defs + body.join(''), raster, reach), raster, frame, name === 'body');
}

interface Raster {
  pixels: Uint8Array;
  width: number;
  height: number;
  /** Where its upper left corner lies, in units. */
  x: number;
  y: number;
}

/** A piece of SVG in units as premultiplied pixels of a reach, whose corner is whole pixels from that of `REACH`. */
export function rasterOf(svg: string, raster: number, reach = REACH): Raster {
  const [left, top, w, h] = reach;
  const [width, height] = [Math.ceil(w * raster), Math.ceil(h * raster)];
  const x = REACH[0] + Math.round((left - REACH[0]) * raster) / raster;
  const y = REACH[1] + Math.round((top - REACH[1]) * raster) / raster;
  const box = `${x} ${y} ${width / raster} ${height / raster}`;
  const whole = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}" width="${width}" height="${height}">${svg}</svg>`;
  return { pixels: new Resvg(whole, { font: { loadSystemFonts: false } }).render().pixels, width, height, x, y };
}

/** What is visible of a raster, at the frame's size. resvg's pixels are premultiplied, a canvas's image data are not. */
function cut(drawing: Raster, raster: number, frame: Frame, toBottom: boolean): Layer | undefined {
  const { pixels, width, height } = drawing;
  let [x0, y0, x1, y1] = [width, height, -1, -1];
  const words = new Uint32Array(pixels.buffer, pixels.byteOffset, width * height);
  for (let row = 0; row < height; row++) {
    for (let column = 0, at = row * width; column < width; column++, at++) {
      if (words[at] === 0) continue;
      if (column < x0) x0 = column;
      if (column > x1) x1 = column;
      if (row < y0) y0 = row;
      y1 = row;
    }
  }
  if (x1 < 0) return undefined;
  const [w, h] = [x1 - x0 + 1, y1 - y0 + 1];
  const source = createCanvas(w, h);
  const image = source.getContext('2d').createImageData(w, h);
  for (let row = 0; row < h; row++) {
    const from = ((y0 + row) * width + x0) * 4;
    for (let i = 0; i < w * 4; i += 4) {
      const to = row * w * 4 + i;
      const alpha = pixels[from + i + 3] as number;
      if (alpha === 0) continue;
      image.data[to + 3] = alpha;
      const k = 255 / alpha;
      for (let c = 0; c < 3; c++) image.data[to + c] = (pixels[from + i + c] as number) * k;
    }
  }
  source.getContext('2d').putImageData(image, 0, 0);
  const k = frame.scale / raster;
  const left = frame.x + (drawing.x + x0 / raster) * frame.scale;
  const top = frame.y + (drawing.y + y0 / raster) * frame.scale;
  const [x, y] = [Math.floor(left), Math.floor(top)];
  const bottom = toBottom ? Math.max(frame.height + 8, Math.ceil(top + h * k)) : Math.ceil(top + h * k);
  const canvas = createCanvas(Math.ceil(left + w * k) - x, bottom - y);
  const pen = canvas.getContext('2d');
  pen.imageSmoothingQuality = 'high';
  pen.drawImage(source, left - x, top - y, w * k, h * k);
  // The art's shoulders end somewhere: a taller image goes on with their last row.
  const end = Math.floor(top + h * k) - y - 2;
  if (toBottom && end < canvas.height - 1)
    pen.drawImage(source, 0, h - 3, w, 1, left - x, end, w * k, canvas.height - end);
  return { canvas, x, y };
}
