/** The canvas of planes draws what a canvas of pixels does: moved, scaled, mirrored, leaning, turned, faded. */
import { describe, expect, it } from '@jest/globals';
import { emptyCanvas } from '../../../../src/engines/embedded/renderer/graphics/canvas.ts';
import { frameCanvas, toYuv } from '../../../../src/engines/embedded/renderer/video/frame-canvas.ts';
import {
  convertedWhenDrawn,
  type FrameContext,
  PlanesCanvas,
} from '../../../../src/engines/embedded/renderer/video/planes-canvas.ts';
import { drawWaves } from '../../../../src/engines/embedded/renderer/video/water.ts';

const [WIDTH, HEIGHT] = [160, 96];

/** Soft colours, so that a pixel's share of its neighbours is no matter of one value. */
function coloured(width: number, height: number, isWhole: boolean) {
  const { canvas, ctx } = emptyCanvas(width, height);
  const colours = ctx.createLinearGradient(0, 0, width, height);
  colours.addColorStop(0, 'rgb(250,40,30)');
  colours.addColorStop(0.5, 'rgb(40,200,90)');
  colours.addColorStop(1, 'rgb(30,60,240)');
  ctx.fillStyle = colours;
  if (isWhole) ctx.fillRect(0, 0, width, height);
  else {
    ctx.beginPath();
    ctx.ellipse(width / 2, height / 2, width * 0.4, height * 0.4, 0, 0, 7);
    ctx.fill();
  }
  return canvas;
}

const painting = (...given: Parameters<typeof coloured>) => toYuv(coloured(...given));

/** Lines as fine as those of a drawing: a row that is missed shows. */
function striped(width: number, height: number) {
  const { canvas, ctx } = emptyCanvas(width, height);
  for (let y = 0; y < height; y += 4) {
    ctx.fillStyle = y % 8 ? 'rgb(240,240,240)' : 'rgb(40,40,40)';
    ctx.fillRect(0, y, width, 4);
  }
  return toYuv(canvas);
}

const back = painting(WIDTH, HEIGHT, true);
const thing = painting(61, 47, false);
const stripes = striped(64, 48);

const DRAWINGS: Record<string, (ctx: FrameContext) => void> = {
  'an image as it is': (ctx) => ctx.drawImage(thing, 20, 10),
  'by parts of a pixel': (ctx) => ctx.drawImage(thing, 20.37, 10.81),
  'beyond each edge': (ctx) => {
    for (const [x, y] of [
      [-30, -20],
      [130, 70],
      [-30, 70],
      [130, -20],
    ] as const)
      ctx.drawImage(thing, x, y);
  },
  larger: (ctx) => ctx.drawImage(thing, 10.2, 5.3, 130, 80),
  smaller: (ctx) => ctx.drawImage(thing, 40.5, 20.5, 40, 31),
  'a part of it': (ctx) => ctx.drawImage(thing, 10, 8, 40, 30, 60, 30, 60, 45),
  faded: (ctx) => {
    ctx.globalAlpha = 0.4;
    ctx.drawImage(thing, 30, 30);
  },
  mirrored: (ctx) => {
    ctx.translate(100.5, 20);
    ctx.scale(-1, 1);
    ctx.drawImage(thing, 0, 0);
  },
  leaning: (ctx) => {
    ctx.transform(1, 0, -0.2, 1, 12, 0);
    ctx.drawImage(thing, 50, 30);
  },
  turned: (ctx) => {
    ctx.translate(80, 48);
    ctx.rotate(0.4);
    ctx.scale(1.2, 0.9);
    ctx.drawImage(thing, -30, -23);
  },
  'turned a little': (ctx) => {
    ctx.translate(80, 48);
    ctx.rotate(0.06);
    ctx.drawImage(thing, -35, -23);
  },
  'stripes turned a little': (ctx) => {
    ctx.translate(80, 48);
    ctx.rotate(0.06);
    ctx.drawImage(stripes, -32, -24);
  },
  'turned back a little, faded, smaller and over an edge': (ctx) => {
    ctx.globalAlpha = 0.6;
    ctx.translate(150, 86);
    ctx.rotate(-0.05);
    ctx.drawImage(thing, -30, -23, 48, 38);
  },
  'mirrored and turned a little over another edge': (ctx) => {
    ctx.translate(4, 30);
    ctx.rotate(0.08);
    ctx.scale(-1.3, 1.2);
    ctx.drawImage(thing, -30, -23);
  },
  'one after another': (ctx) => {
    ctx.save();
    ctx.globalAlpha = 0.5;
    ctx.translate(20, 10);
    ctx.drawImage(thing, 0, 0);
    ctx.restore();
    ctx.drawImage(thing, 80, 40);
  },
};

describe('water', () => {
  it('is drawn on every row, of colour too, wherever it lies: none shows what was there before', () => {
    const [top, tall] = [20, 60];
    const wrong: number[][] = [];
    for (let i = 0; i < 60; i++) {
      const planes = new PlanesCanvas(WIDTH, HEIGHT);
      const at = { x: -10, y: i / 7, scale: 1 + i / 400 };
      drawWaves(planes, { canvas: back, box: { x: 0, y: top, w: WIDTH, h: tall } }, at, HEIGHT, i * 0.3);
      const blue = planes.frame.subarray(WIDTH * HEIGHT, WIDTH * HEIGHT * 1.25);
      const first = Math.ceil((at.y + top * at.scale) / 2) + 1;
      const last = Math.floor(Math.min(HEIGHT, at.y + (top + tall) * at.scale) / 2) - 1;
      for (let y = first; y < last; y++) if (blue[(y * WIDTH) / 2 + WIDTH / 4] === 0) wrong.push([i, y]);
    }
    expect(wrong).toEqual([]);
  });
});

describe('the canvas of planes', () => {
  it.each(Object.entries(DRAWINGS))('draws %s', (_name, draw) => {
    const pixels = frameCanvas(WIDTH, HEIGHT, false);
    const planes = new PlanesCanvas(WIDTH, HEIGHT);
    for (const ctx of [pixels.ctx, planes]) {
      ctx.drawImage(back, 0, 0);
      draw(ctx);
    }
    pixels.toFrame();
    const differences = planes.frame.map((value, i) => Math.abs(value - (pixels.frame[i] ?? 0)));
    const mean = differences.reduce((sum, one) => sum + one, 0) / differences.length;
    expect(mean).toBeLessThan(0.8);
    // Edges of a pixel's width are rounded apart, nothing else is.
    expect(differences.filter((one) => one > 12).length).toBeLessThan(differences.length * 0.01);
  });

  it.each([
    ['whole', { x: 0, y: 0, w: 61, h: 47 }, { x: 0, y: 0, w: 61, h: 47 }],
    ['in part', { x: 9, y: 7, w: 31, h: 21.4 }, { x: 11, y: 9, w: 28, h: 19 }],
  ])('draws an image of red, green and blue %s, once it is converted', (_name, kept, { x, y, w, h }) => {
    const [before, now] = [new PlanesCanvas(WIDTH, HEIGHT), new PlanesCanvas(WIDTH, HEIGHT)];
    const rgb = coloured(61, 47, false);
    convertedWhenDrawn(rgb, kept, rgb.data());
    for (const planes of [before, now]) {
      planes.drawImage(back, 0, 0);
      planes.drawImage(planes === now ? rgb : thing, x, y, w, h, 40.3, 20.6, 1.4 * w, 1.4 * h);
    }
    const most = now.frame.reduce((worst, value, i) => Math.max(worst, Math.abs(value - (before.frame[i] ?? 0))), 0);
    expect(most).toBeLessThan(5);
  });

  it('keeps what was drawn when a large image needs more memory', () => {
    const planes = new PlanesCanvas(WIDTH, HEIGHT);
    planes.drawImage(back, 0, 0);
    const before = planes.frame.slice();
    planes.drawImage(painting(900, 700, true), WIDTH, HEIGHT);
    expect(planes.frame).toEqual(before);
  });
});
