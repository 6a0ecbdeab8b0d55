/** A plain drawn face with an exact rig, and speech whose marks are known: what the talking head's tests measure on. */
import { createCanvas } from '@napi-rs/canvas';
import type { Mark, Rig } from '../../../../src/engines/ports/index.ts';

const head = Array.from({ length: 48 }, (_, i) => ({
  x: 0.5 + 0.25 * Math.cos((i * Math.PI) / 24),
  y: 0.46 + 0.36 * Math.sin((i * Math.PI) / 24),
}));

export const rig: Rig = {
  version: 1,
  source: 'rig',
  face: { x: 0.27, y: 0.34, w: 0.46, h: 0.48 },
  leftEye: { x: 0.4, y: 0.42, rx: 0.05, ry: 0.03 },
  rightEye: { x: 0.6, y: 0.42, rx: 0.05, ry: 0.03 },
  mouth: { x: 0.5, y: 0.66, w: 0.18, h: 0.05 },
  chin: { x: 0.5, y: 0.82 },
  head,
  skin: '#e6b996',
};

/** The face before a checked background, on which any bending would show. */
export async function drawnFace(width = 512, height = 512): Promise<Uint8Array> {
  const canvas = createCanvas(width, height);
  const pen = canvas.getContext('2d');
  for (let x = 0; x < width; x += 32) {
    for (let y = 0; y < height; y += 32) {
      pen.fillStyle = ((x + y) / 32) % 2 ? '#3a6ea5' : '#5c8fc2';
      pen.fillRect(x, y, 32, 32);
    }
  }
  const ellipse = (colour: string, x: number, y: number, rx: number, ry: number) => {
    pen.fillStyle = colour;
    pen.beginPath();
    pen.ellipse(x * width, y * height, rx * width, ry * height, 0, 0, 2 * Math.PI);
    pen.fill();
  };
  pen.fillStyle = '#d9a884';
  pen.fillRect(0.42 * width, 0.78 * height, 0.16 * width, 0.22 * height);
  ellipse('#e6b996', 0.5, 0.46, 0.25, 0.36);
  for (const x of [0.4, 0.6]) {
    ellipse('#ffffff', x, 0.42, 0.05, 0.03);
    ellipse('#202020', x, 0.42, 0.026, 0.028);
  }
  ellipse('#c0606a', 0.5, 0.66, 0.09, 0.025);
  pen.fillStyle = '#9a4450';
  pen.fillRect(0.42 * width, 0.658 * height, 0.16 * width, 0.004 * height);
  return new Uint8Array(await canvas.encode('png'));
}

export const rate = 22_050;

/** Phonemes 160 ms each, first at 240 ms. */
export function phonemeMarks(letters: string): Mark[] {
  return letters.split(' ').map((ipa, i) => ({ ms: 240 + i * 160, kind: 'phoneme', at: i, len: 0, ipa }));
}

/** A voice-like buzz that is never silent, so that only the marks decide what the mouth does. */
export function voice(seconds: number): Int16Array {
  return Int16Array.from({ length: Math.round(seconds * rate) }, (_, i) => {
    const t = i / rate;
    return 9_000 * Math.sin(2 * Math.PI * 130 * t) * (0.75 + 0.25 * Math.sin(2 * Math.PI * 3 * t));
  });
}

export interface Raster {
  width: number;
  height: number;
  rgba: Uint8Array;
}

function lumaAt({ width, rgba }: Raster, x: number, y: number): number {
  const at = (Math.round(y) * width + Math.round(x)) * 4;
  return 0.2126 * (rgba[at] ?? 0) + 0.7152 * (rgba[at + 1] ?? 0) + 0.0722 * (rgba[at + 2] ?? 0);
}

/** How many rows in the middle of the mouth show its dark inside, as a fraction of the image's height. */
export function openness(image: Raster): number {
  let dark = 0;
  for (let y = (rig.mouth.y - 0.04) * image.height; y < (rig.chin.y - 0.02) * image.height; y++) {
    if (lumaAt(image, rig.mouth.x * image.width, y) < 72) dark++;
  }
  return dark / image.height;
}

/** Mean brightness of both irises: dark when open, skin when shut. */
export function lids(image: Raster): number {
  const of = (eye: { x: number; y: number }) => lumaAt(image, eye.x * image.width, eye.y * image.height);
  return (of(rig.leftEye) + of(rig.rightEye)) / 2;
}

/** Mean absolute difference of two images outside the head, its rim and its neck; 0..255. */
export function backgroundChange(one: Raster, other: Raster): number {
  let [sum, count] = [0, 0];
  for (let y = 0; y < one.height; y += 2) {
    for (let x = 0; x < one.width; x += 2) {
      const [u, v] = [x / one.width - 0.5, y / one.height];
      const inHead = (u / 0.28) ** 2 + ((v - 0.46) / 0.4) ** 2 < 1;
      if (inHead || (Math.abs(u) < 0.25 && v > 0.7)) continue;
      sum += Math.abs(lumaAt(one, x, y) - lumaAt(other, x, y));
      count++;
    }
  }
  return sum / count;
}

/** Names of the boxes at the top of an MP4 or of a piece of one. */
export function boxes(file: Uint8Array): string[] {
  const names: string[] = [];
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  for (let at = 0; at + 8 <= file.length; at += view.getUint32(at)) {
    names.push(String.fromCharCode(...file.subarray(at + 4, at + 8)));
  }
  return names;
}

export function join(pieces: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
