/**
 * The typefaces of the lettering, from the @fontsource packages, and which characters they have: read from each file's
 * own character map, because a box in place of a letter is a failure. System fonts are never used: an image must not
 * depend on the machine that drew it.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { inflateSync } from 'node:zlib';
import { GlobalFonts } from '@napi-rs/canvas';

/** A typeface, by its use. */
export type Face = 'poster' | 'plain' | 'elegant' | 'elegantItalic' | 'hand';

interface Source {
  pack: string;
  /** Weight and posture as the file names have them. */
  cut: string;
  subsets: string[];
}

const INTER: Source = {
  pack: 'inter',
  cut: '700-normal',
  subsets: ['latin', 'latin-ext', 'cyrillic', 'cyrillic-ext', 'greek', 'greek-ext', 'vietnamese'],
};

/** Each face, then what it falls back to for letters it lacks. */
const FACES: Record<Face, Source[]> = {
  poster: [{ pack: 'anton', cut: '400-normal', subsets: ['latin', 'latin-ext', 'vietnamese'] }, INTER],
  plain: [INTER],
  elegant: [
    { pack: 'playfair-display', cut: '700-normal', subsets: ['latin', 'latin-ext', 'cyrillic', 'vietnamese'] },
    INTER,
  ],
  elegantItalic: [
    { pack: 'playfair-display', cut: '700-italic', subsets: ['latin', 'latin-ext', 'cyrillic', 'vietnamese'] },
    INTER,
  ],
  hand: [{ pack: 'caveat', cut: '700-normal', subsets: ['latin', 'latin-ext', 'cyrillic', 'cyrillic-ext'] }, INTER],
};

interface Font {
  family: string;
  file: string;
}

const fontsOf = (face: Face): Font[] =>
  FACES[face].flatMap(({ pack, cut, subsets }) =>
    subsets.map((subset) => ({
      family: `av-${pack}-${cut}-${subset}`,
      file: `@fontsource/${pack}/files/${pack}-${subset}-${cut}.woff`,
    })),
  );

const require = createRequire(import.meta.url);
const registered = new Set<string>();
const coverage = new Map<string, Set<number>>();

const locate = (file: string): string => {
  const [scope, pack, ...rest] = file.split('/');
  return path.join(path.dirname(require.resolve(`${scope}/${pack}/package.json`)), ...rest);
};

/** The CSS family list of a face: the canvas takes each glyph from the first that has it. */
export function familyOf(face: Face): string {
  const fonts = fontsOf(face);
  for (const { family, file } of fonts) {
    if (registered.has(family)) continue;
    if (!GlobalFonts.registerFromPath(locate(file), family)) throw new Error(`The font ${file} could not be read.`);
    registered.add(family);
  }
  return fonts.map(({ family }) => `"${family}"`).join(', ');
}

/** The characters of `text` that no font of the face has, each once, in order. */
export function missingGlyphs(text: string, face: Face): string[] {
  const fonts = fontsOf(face);
  const missing = new Set<string>();
  for (const character of text.normalize('NFC')) {
    const point = character.codePointAt(0) as number;
    if (/\s/.test(character) || point === 0x200d || point === 0xfe0f) continue;
    if (!fonts.some((font) => charactersOf(font.file).has(point))) missing.add(character);
  }
  return [...missing];
}

function charactersOf(file: string): Set<number> {
  let points = coverage.get(file);
  if (!points) {
    points = readCharacterMap(readFileSync(locate(file)));
    coverage.set(file, points);
  }
  return points;
}

/** Code points of a WOFF 1 file's `cmap` (formats 4 and 12; https://www.w3.org/TR/WOFF/). */
function readCharacterMap(woff: Buffer): Set<number> {
  const points = new Set<number>();
  const tables = woff.readUInt16BE(12);
  for (let i = 0; i < tables; i++) {
    const entry = 44 + i * 20;
    if (woff.toString('latin1', entry, entry + 4) !== 'cmap') continue;
    const [offset, packed, whole] = [
      woff.readUInt32BE(entry + 4),
      woff.readUInt32BE(entry + 8),
      woff.readUInt32BE(entry + 12),
    ];
    const raw = woff.subarray(offset, offset + packed);
    const cmap = packed < whole ? inflateSync(raw) : raw;
    for (let k = 0; k < cmap.readUInt16BE(2); k++) readSubtable(cmap, cmap.readUInt32BE(4 + k * 8 + 4), points);
  }
  return points;
}

function readSubtable(cmap: Buffer, at: number, points: Set<number>): void {
  const format = cmap.readUInt16BE(at);
  if (format === 12) {
    for (let i = 0; i < cmap.readUInt32BE(at + 12); i++) {
      const group = at + 16 + i * 12;
      for (let c = cmap.readUInt32BE(group); c <= cmap.readUInt32BE(group + 4); c++) points.add(c);
    }
  } else if (format === 4) {
    const segments = cmap.readUInt16BE(at + 6);
    for (let i = 0; i < segments; i += 2) {
      const [end, start] = [cmap.readUInt16BE(at + 14 + i), cmap.readUInt16BE(at + 16 + segments + i)];
      for (let c = start; c <= end && c !== 0xffff; c++) points.add(c);
    }
  }
}
