/** The rig of a portrait: the same numbers the painter used, as fractions of the image. Exact by construction. */
import type { Point, Rig } from '../../../ports.ts';
import { hex, mix } from './colour.ts';
import { lids } from './eyes.ts';
import { sagOf } from './features.ts';
import { type Layer, layerOf, type View } from './layer.ts';
import type { Face } from './shape.ts';
import type { SkinColours } from './skin.ts';
import type { PersonTraits } from './traits.ts';

const ROWS = 44;

/**
 * Outline of everything that moves with the head: the widest extent of the given layers in each of 44 rows, from the
 * top of hair or hat to `bottom` (drawing units). Read from a small copy: a pixel of it is a quarter of a unit or more.
 */
function outline(layers: readonly Layer[], view: View, bottom: number): Point[] {
  const shrink = Math.max(1, Math.max(view.width, view.height) / 320);
  const small = layerOf(view, shrink);
  const { width, height } = small.canvas;
  small.pen.setTransform(1, 0, 0, 1, 0, 0);
  for (const layer of layers) small.pen.drawImage(layer.canvas, 0, 0, width, height);
  const { data } = small.pen.getImageData(0, 0, width, height);
  const last = Math.min(height - 1, Math.ceil((view.y + bottom * view.scale) / shrink));
  const spans: { y: number; from: number; to: number }[] = [];
  for (let y = 0; y <= last; y++) {
    let from = -1;
    let to = -1;
    for (let x = 0; x < width; x++) {
      if (data[(y * width + x) * 4 + 3]! < 40) continue;
      if (from < 0) from = x;
      to = x;
    }
    if (from >= 0) spans.push({ y, from, to: to + 1 });
  }
  const band = Math.max(1, spans.length / ROWS);
  const left: Point[] = [];
  const right: Point[] = [];
  for (let start = 0; start < spans.length; start += band) {
    const rows = spans.slice(Math.floor(start), Math.max(Math.floor(start) + 1, Math.floor(start + band)));
    const from = Math.min(...rows.map((r) => r.from)) / width;
    const to = Math.max(...rows.map((r) => r.to)) / width;
    for (const y of [rows[0]!.y, rows[rows.length - 1]!.y + 1]) {
      left.push({ x: from, y: y / height });
      right.push({ x: to, y: y / height });
    }
  }
  return [...left, ...right.reverse()];
}

export function rigOf(
  view: View,
  face: Face,
  traits: PersonTraits,
  colours: SkinColours,
  moving: readonly Layer[],
): Rig {
  const { width, height, scale } = view;
  const point = (x: number, y: number): Point => ({
    x: (view.x + x * scale) / width,
    y: (view.y + y * scale) / height,
  });
  const { upper, lower } = lids(face.eye);
  const top = Math.min(...upper.map((p) => p[1]));
  const bottom = Math.max(...lower.map((p) => p[1]));
  const eye = (side: number) => ({
    ...point(side * face.eye.x, (top + bottom) / 2),
    rx: (face.eye.rx * scale) / width,
    ry: (((bottom - top) / 2) * scale) / height,
  });
  const { mouth, brow, w, chin } = face;
  const browTop = brow.y - brow.arch - brow.thick / 2;
  const corner = point(-w, browTop);
  const beard = traits.beard !== 'none' && traits.beard !== 'stubble';
  return {
    version: 1,
    source: 'rig',
    face: { ...corner, w: (2 * w * scale) / width, h: ((chin - browTop) * scale) / height },
    leftEye: eye(-1),
    rightEye: eye(1),
    mouth: {
      ...point(0, mouth.y + sagOf(mouth.smile)),
      w: (2 * mouth.half * scale) / width,
      h: ((mouth.upper + mouth.lower) * scale) / height,
    },
    chin: point(0, chin),
    leftBrow: point(-brow.x, brow.y),
    rightBrow: point(brow.x, brow.y),
    head: outline(moving, view, traits.beard === 'long' ? chin + 104 : chin + 26),
    skin: hex(mix(colours.base, colours.shade, 0.12)),
    lips: hex(colours.lip),
    lid: hex(mix(colours.base, colours.shade, 0.3)),
    beard,
  };
}
