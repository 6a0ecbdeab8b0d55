/** Sets words into a box: as large as they fit, in balanced lines, all of them, always. */
import type { Context } from '../canvas.ts';
import { type Face, familyOf } from './fonts.ts';

/** A rectangle, pixels. */
export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

/** One line as it stands in the image: `x` its middle, `y` its baseline, in pixels. */
export interface SetLine {
  text: string;
  font: string;
  size: number;
  x: number;
  y: number;
  width: number;
}

/** Words longer than this may be broken; shorter ones never are. */
const LONGEST_WORD = 22;
const LEADING = 1.16;

interface Block {
  lines: string[];
  size: number;
}

/** Lines of a text at the largest size that fits `w` x `h`, at most `most` pixels high. */
function fitted(ctx: Context, text: string, face: Face, w: number, h: number, most: number): Block {
  ctx.font = `100px ${familyOf(face)}`;
  const words = text.normalize('NFC').split(/\s+/).filter(Boolean).flatMap(breakLong);
  const widths = words.map((word) => ctx.measureText(word).width);
  const space = ctx.measureText(' ').width;
  const measure = (line: string) => ctx.measureText(line).width;
  let best: Block | undefined;
  for (let count = 1; count <= Math.min(words.length, 60); count++) {
    const lines = balance(words, widths, space, count);
    const widest = Math.max(...lines.map(measure));
    // 3 % of air: a letter's ink may pass its advance width.
    const size = Math.min(most, (w * 97) / widest, h / (lines.length * LEADING));
    // Another line is taken only where it lets the letters be clearly larger.
    if (!best || size > best.size * 1.06) best = { lines, size };
  }
  return best as Block;
}

function breakLong(word: string): string[] {
  const letters = [...word];
  if (letters.length <= LONGEST_WORD) return [word];
  const parts = Math.ceil(letters.length / LONGEST_WORD);
  const length = Math.ceil(letters.length / parts);
  return Array.from({ length: parts }, (_, i) => letters.slice(i * length, (i + 1) * length).join(''));
}

/** The narrowest column that takes the words in `count` lines: no line much longer than another. */
function balance(words: string[], widths: number[], space: number, count: number): string[] {
  let low = Math.max(...widths);
  let high = widths.reduce((sum, width) => sum + width + space, 0);
  for (let i = 0; i < 16; i++) {
    const middle = (low + high) / 2;
    if (wrap(words, widths, space, middle).length <= count) high = middle;
    else low = middle;
  }
  return wrap(words, widths, space, high);
}

function wrap(words: string[], widths: number[], space: number, column: number): string[] {
  const lines: string[] = [];
  let line = '';
  let width = 0;
  for (const [i, word] of words.entries()) {
    const next = width + (line ? space : 0) + (widths[i] as number);
    if (line && next > column) {
      lines.push(line);
      line = word;
      width = widths[i] as number;
    } else {
      line = line ? `${line} ${word}` : word;
      width = next;
    }
  }
  if (line) lines.push(line);
  return lines;
}

/**
 * Sets several texts one under another in a box, the first the largest, centred both ways.
 * @param most the largest letter size in pixels.
 */
export function setTexts(
  ctx: Context,
  texts: string[],
  face: Face,
  secondFace: Face,
  box: Box,
  most: number,
): SetLine[] {
  const count = texts.length;
  const shares = texts.map((text, i) => (i === 0 && count > 1 ? 1.7 : 1) * Math.sqrt(4 + text.length));
  const total = shares.reduce((sum, share) => sum + share, 0);
  const gap = count > 1 ? box.h * 0.04 : 0;
  const room = box.h - gap * (count - 1);
  const blocks = texts.map((text, i) => {
    const own = i === 0 ? face : secondFace;
    return {
      face: own,
      ...fitted(ctx, text, own, box.w, (room * (shares[i] as number)) / total, i === 0 ? most : most * 0.5),
    };
  });
  const height = blocks.reduce((sum, block) => sum + block.size * LEADING * block.lines.length, gap * (count - 1));
  const set: SetLine[] = [];
  let y = box.y + (box.h - height) / 2;
  for (const block of blocks) {
    const font = `${block.size.toFixed(2)}px ${familyOf(block.face)}`;
    ctx.font = font;
    for (const text of block.lines) {
      // The baseline that centres capitals in their line.
      set.push({
        text,
        font,
        size: block.size,
        x: box.x + box.w / 2,
        y: y + block.size * (LEADING / 2 + 0.355),
        width: ctx.measureText(text).width,
      });
      y += block.size * LEADING;
    }
    y += gap;
  }
  return set;
}

/** Draws set lines with the context's present fill or, when asked, its stroke. */
export function drawLines(ctx: Context, lines: SetLine[], how: 'fill' | 'stroke' = 'fill'): void {
  ctx.textAlign = 'center';
  ctx.textBaseline = 'alphabetic';
  for (const line of lines) {
    ctx.font = line.font;
    if (how === 'fill') ctx.fillText(line.text, line.x, line.y);
    else ctx.strokeText(line.text, line.x, line.y);
  }
}
