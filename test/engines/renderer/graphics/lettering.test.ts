/** Lettering is whole and legible: by coverage of the fonts' own outlines, by contrast, and by reading it back (OCR). */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { emptyCanvas } from '../../../../src/engines/embedded/renderer/graphics/canvas.ts';
import { invert } from '../../../../src/engines/embedded/renderer/graphics/edit/pixels.ts';
import { missingGlyphs } from '../../../../src/engines/embedded/renderer/graphics/lettering/fonts.ts';
import { boundsOf } from '../../../../src/engines/embedded/renderer/graphics/lettering/ink.ts';
import { drawLines } from '../../../../src/engines/embedded/renderer/graphics/lettering/layout.ts';
import { paintPrompt } from '../../../../src/engines/embedded/renderer/graphics/paint.ts';

const PROMPTS: readonly (readonly [string, string[]])[] = [
  ['a sign that says open', ['OPEN']],
  ['neon sign "OPEN 24 HOURS" in a city at night', ['OPEN 24 HOURS']],
  [
    'movie poster titled "The Last Voyage" "coming this summer" with a ship on a stormy sea',
    ['The Last Voyage', 'coming this summer'],
  ],
  ['elegant wedding invitation "Anna and Tom" "12 June 2027"', ['Anna and Tom', '12 June 2027']],
  ['chalkboard "Soup of the day"', ['Soup of the day']],
  ['a cat in a garden with the words good morning', ['GOOD MORNING']],
  ['a street sign that says "Baker Street" in a street', ['Baker Street']],
  ['abstract waves in purple and gold "Dream Big"', ['Dream Big']],
  ['"Привет, мир" over mountains at golden hour', ['Привет, мир']],
  ['a sign that says "Back soon" hanging on a wooden door', ['Back soon']],
  ['a t-shirt with the words game over', ['GAME OVER']],
  ['a mug that says "Best dad"', ['Best dad']],
  ['a black t-shirt that says "I love my cat"', ['I love my cat']],
  ['a wooden sign "Καλημέρα Ελλάδα" on a beach', ['Καλημέρα Ελλάδα']],
];

const painted = new Map<string, ReturnType<typeof paintPrompt>>();

/** Large enough to be read back; once each, for all that is looked at. */
function paint(prompt: string): ReturnType<typeof paintPrompt> {
  const image = painted.get(prompt) ?? paintPrompt(prompt, 1024, 1024);
  painted.set(prompt, image);
  return image;
}

test('words of a T-shirt are on it, of whatever size the image is', () => {
  for (const [width, height] of [
    [512, 512],
    [640, 360],
  ] as const) {
    const { lines = [] } = paintPrompt('a t-shirt with the words game over', width, height);
    for (const { x, y, width: wide } of lines) {
      expect(Math.abs(x - width / 2) + wide / 2).toBeLessThan(Math.min(width, height) * 0.15);
      expect(y).toBeGreaterThan(height * 0.4);
      expect(y).toBeLessThan(height * 0.72);
    }
  }
});

test('a logo without words is a mark on a plain ground, no landscape', () => {
  const { canvas, lines } = paintPrompt('a minimalist logo of a mountain and a sun', 256, 256);
  expect(lines).toEqual([]);
  const at = (x: number, y: number) => [...canvas.getContext('2d').getImageData(x, y, 1, 1).data].slice(0, 3);
  expect([at(4, 4), at(251, 4), at(4, 251), at(251, 251)]).toEqual(Array.from({ length: 4 }, () => at(128, 4)));
  expect(at(128, 200)).not.toEqual(at(4, 4));
});

describe('every word is set', () => {
  test.each(PROMPTS)('%s', (prompt, words) => {
    const { canvas, lines = [] } = paint(prompt);
    expect(lines.map((line) => line.text).join(' ')).toBe(words.join(' '));
    for (const line of lines) {
      expect(line.x - line.width / 2).toBeGreaterThanOrEqual(0);
      expect(line.x + line.width / 2).toBeLessThanOrEqual(canvas.width);
      expect(line.y).toBeLessThan(canvas.height);
      expect(line.size).toBeGreaterThan(14);
    }
  });

  test.each(PROMPTS)('stands off its ground: %s', (prompt) => {
    const { canvas, lines = [] } = paint(prompt);
    const mask = emptyCanvas(canvas.width, canvas.height);
    mask.ctx.fillStyle = '#fff';
    drawLines(mask.ctx, lines);
    const outline = mask.ctx.getImageData(0, 0, canvas.width, canvas.height).data;
    const around = emptyCanvas(canvas.width, canvas.height);
    around.ctx.lineWidth = 14;
    around.ctx.strokeStyle = '#fff';
    drawLines(around.ctx, lines, 'stroke');
    const ring = around.ctx.getImageData(0, 0, canvas.width, canvas.height).data;
    const image = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
    const light = (i: number) =>
      0.2126 * (image[i] as number) + 0.7152 * (image[i + 1] as number) + 0.0722 * (image[i + 2] as number);
    const inside: number[] = [];
    const outside: number[] = [];
    for (let i = 0; i < image.length; i += 4) {
      if ((outline[i + 3] as number) > 250) inside.push(light(i));
      else if ((ring[i + 3] as number) > 250 && (outline[i + 3] as number) === 0) outside.push(light(i));
    }
    const mean = (list: number[]) => list.reduce((sum, v) => sum + v, 0) / list.length;
    const [ink, ground] = [mean(inside), mean(outside)];
    expect(Math.abs(ink - ground)).toBeGreaterThan(55);
    // The font's whole outline is there: hardly a pixel of it lies nearer to the ground than to the ink.
    const lost = inside.filter((v) => Math.abs(v - ground) < Math.abs(v - ink)).length;
    expect(lost / inside.length).toBeLessThan(0.04);
  });

  test('a long text is set whole, in lines that fit', () => {
    const text =
      'It was the best of times it was the worst of times it was the age of wisdom it was the age of foolishness '
        .repeat(6)
        .trim();
    const { lines = [], canvas } = paint(`a poster "${text}"`);
    expect(lines.map((line) => line.text).join(' ')).toBe(text);
    for (const line of lines) expect(line.width).toBeLessThanOrEqual(canvas.width);
    const endless = paint(`"${'Donaudampfschifffahrtsgesellschaftskapitaen'}"`).lines ?? [];
    expect(endless.map((line) => line.text).join('')).toBe('Donaudampfschifffahrtsgesellschaftskapitaen');
  });
});

describe('glyphs', () => {
  test('a face falls back for letters it lacks', () => {
    expect(missingGlyphs('Łódź Ελλάδα Привет Việt Nam €5', 'poster')).toEqual([]);
    expect(missingGlyphs('Łódź Ελλάδα Привет Việt Nam €5', 'hand')).toEqual([]);
  });

  test('what no font has is refused by name', () => {
    expect(() => paint('a sign "日本 ok"')).toThrow(
      expect.objectContaining({ code: 'BAD_INPUT', message: expect.stringContaining('日 本') }),
    );
    expect(() => paint('a sign "ok 🐸"')).toThrow('🐸');
  });
});

const TESSERACT = '/usr/bin/tesseract';
/** Where Debian's tesseract is installed (CI does), the image is read back; elsewhere the coverage test above stands. */
const withOcr = existsSync(TESSERACT) ? describe : describe.skip;

withOcr('read back by tesseract', () => {
  const readable = PROMPTS.filter(([, words]) => /^[\x20-\x7e]+$/.test(words.join('')));
  test.each(readable)('%s', (prompt, words) => {
    const { canvas: whole, lines = [] } = paint(prompt);
    // A street full of windows is letters to an OCR: it is shown the part where the words are, closer and wider.
    // Tesseract wants dark letters on light ground: light ones are shown to it inverted.
    const views = [0.45, 0.8].flatMap((margin) => {
      const area = boundsOf(lines, margin);
      const { canvas, ctx } = emptyCanvas(area.w, area.h);
      ctx.drawImage(whole, -area.x, -area.y);
      return [canvas, invert(canvas)];
    });
    const dir = mkdtempSync(path.join(tmpdir(), 'ocr-'));
    try {
      const file = path.join(dir, 'image.png');
      let missing = words.flatMap((text) => text.toLowerCase().split(/[^a-z0-9]+/)).filter((word) => word.length > 2);
      for (const reading of views) {
        if (missing.length === 0) break;
        writeFileSync(file, reading.toBuffer('image/png'));
        for (const mode of ['11', '6', '7']) {
          if (missing.length === 0) break;
          const seen = execFileSync(TESSERACT, [file, '-', '--psm', mode, '-l', 'eng'], {
            stdio: ['ignore', 'pipe', 'ignore'],
            // Its threads wait for each other by computing: one alone computes a quarter less for the whole file.
            env: { ...process.env, OMP_THREAD_LIMIT: '1' },
          });
          missing = missing.filter((word) => !seen.toString().toLowerCase().includes(word));
        }
      }
      expect(missing).toEqual([]);
    } finally {
      rmSync(dir, { recursive: true });
    }
  });
});
