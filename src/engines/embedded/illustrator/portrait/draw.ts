/**
 * Draws a person from traits: background, hair behind, shoulders, head, hair, hat, in that order, each on its own layer
 * so that it can throw a shadow on what lies under it. Deterministic: same traits, size and seed, same bytes.
 */
import type { Canvas } from '@napi-rs/canvas';
import type { Rig } from '../../../ports.ts';
import { paintBackdrop } from './backdrop.ts';
import { paintBeard } from './beard.ts';
import { paintNeck } from './body.ts';
import { paintClothes, paintClothesBehind } from './clothes/index.ts';
import { type Rgb, tone } from './colour.ts';
import { paintBrows, paintEyes } from './eyes.ts';
import { paintMouth, paintNose } from './features.ts';
import { paintGlasses } from './glasses.ts';
import { paintBall, paintGreasepaint } from './greasepaint.ts';
import { paintHairBehind, paintHairFront } from './hair/index.ts';
import { headroom, paintHat, paintHatBehind } from './hats/index.ts';
import { glow, type Layer, lay, layerOf, type Pen, rimOf, shadowOf, trace, type View } from './layer.ts';
import { randomFrom } from './random.ts';
import { rigOf } from './rig.ts';
import { type Face, faceOf } from './shape.ts';
import { paintFaceSkin, type SkinColours, skinOf } from './skin.ts';
import { paintEars, paintFreckles, paintPanels } from './skin-details.ts';
import type { PersonTraits } from './traits.ts';

/** Size of the image in pixels, 64..4096 a side. */
export interface PortraitSize {
  width: number;
  height: number;
}

/** Head and shoulders in any frame: the head fills about half of the shorter side, tall hats get their room. */
function viewOf(size: PortraitSize, traits: PersonTraits): View {
  const { width, height } = size;
  const above = headroom(traits) + 26;
  const scale = Math.min(height / (above + 264), width / 400);
  const tall = Math.max(0, height / scale - (above + 264));
  return { width, height, scale, x: width / 2, y: (above + tall * 0.24) * scale };
}

function paintHead(
  pen: Pen,
  view: View,
  face: Face,
  traits: PersonTraits,
  colours: SkinColours,
  hair: Layer,
  seed: number,
): void {
  paintEars(pen, face, traits, colours);
  if (traits.earrings) paintEarrings(pen, face);
  pen.save();
  trace(pen, face.outline);
  pen.clip();
  paintFaceSkin(pen, face, traits, colours, Math.max(0.8, 1.4 / view.scale));
  if (traits.freckles) paintFreckles(pen, face, colours, randomFrom(seed, 'freckles'));
  if (traits.species === 'robot') paintPanels(pen, face, colours);
  if (traits.species === 'clown') paintGreasepaint(pen, face, traits);
  lay(pen, shadowOf(hair, view, 7, colours.deep, 0.5), view, 4, 7);
  pen.restore();
  paintNose(pen, view, face, colours);
  if (traits.species === 'clown') paintBall(pen, face);
  paintMouth(pen, face, traits, colours);
  paintEyes(pen, face, traits, colours, randomFrom(seed, 'eyes'));
  paintBrows(pen, face, traits, colours, randomFrom(seed, 'brows'));
}

function paintEarrings(pen: Pen, face: Face): void {
  for (const side of [-1, 1]) {
    const [x, y] = [side * (face.ear.x + 4), face.ear.y + face.ear.h + 6];
    glow(pen, x, y, 7, 9, [206, 160, 70], 1);
    glow(pen, x - 1.5, y - 2.5, 3, 3, [255, 246, 214], 1);
  }
}

/** A last grade over everything: light from the upper left, corners down. */
function grade(pen: Pen, view: View): void {
  const { width, height } = view;
  pen.save();
  pen.setTransform(1, 0, 0, 1, 0, 0);
  const reach = Math.hypot(width, height) / 2;
  const g = pen.createRadialGradient(width * 0.46, height * 0.42, reach * 0.45, width / 2, height / 2, reach * 1.05);
  g.addColorStop(0, 'rgba(10,4,24,0)');
  g.addColorStop(1, 'rgba(10,4,24,0.42)');
  pen.fillStyle = g;
  pen.fillRect(0, 0, width, height);
  pen.restore();
}

/** The colour of light from behind: what the background is at the right, lightened. */
function backlightOf(image: Layer): Rgb {
  const { width, height } = image.canvas;
  const { data } = image.pen.getImageData(Math.floor(width * 0.82), Math.floor(height * 0.3), 1, 1);
  return tone([data[0]!, data[1]!, data[2]!], 0.45);
}

/** Draws the portrait and its exact rig. At 1024x1024 about 0.3 s of CPU, long hair 0.5 to 0.6 (2 shared cores). */
export function drawPortrait(
  traits: PersonTraits,
  options: PortraitSize & { seed: number },
): { canvas: Canvas; rig: Rig } {
  const { seed } = options;
  const view = viewOf(options, traits);
  const face = faceOf(traits);
  const colours = skinOf(traits);
  const random = (purpose: string) => randomFrom(seed, purpose);

  const image = layerOf(view);
  paintBackdrop(image.pen, view, traits, random('backdrop'));

  const behind = layerOf(view);
  paintHatBehind(behind.pen, face, traits, random('hat behind'));
  paintHairBehind(behind.pen, face, traits, random('hair behind'));

  const bodyView = { ...view, y: view.y - face.lift * view.scale };
  const body = layerOf(bodyView);
  paintNeck(body.pen, bodyView, face, traits, colours);
  const clothes = layerOf(bodyView);
  paintClothes(clothes.pen, bodyView, face, traits, random('clothes'));
  lay(body.pen, clothes, bodyView);

  const over = layerOf(view);
  paintHairFront(over.pen, face, traits, random('hair'));
  const hat = layerOf(view);
  paintHat(hat.pen, face, traits, random('hat'));
  if (traits.hat !== 'none') lay(over.pen, hat, view);

  const head = layerOf(view);
  paintHead(head.pen, view, face, traits, colours, over, seed);
  paintBeard(head.pen, face, traits, random('beard'));

  const person = layerOf(view);
  paintClothesBehind(person.pen, face, traits);
  lay(person.pen, behind, view);
  body.pen.globalCompositeOperation = 'source-atop';
  for (const above of [head, over]) lay(body.pen, shadowOf(above, view, 9, [24, 10, 16], 0.42), view, 5, 10);
  for (const layer of [body, head, over]) lay(person.pen, layer, view);
  paintGlasses(person.pen, face, traits.glasses);
  person.pen.globalCompositeOperation = 'source-atop';
  lay(person.pen, rimOf(person, view, 7, backlightOf(image), 0.38), view);
  lay(image.pen, person, view);
  grade(image.pen, view);
  return { canvas: image.canvas, rig: rigOf(view, face, traits, colours, [behind, head, over]) };
}
