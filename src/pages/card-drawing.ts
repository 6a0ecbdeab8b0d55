/**
 * Draws the image of a link's card, 1200 x 630: a face or a frame on the left, beside it who it is and what is said.
 * Feeds show it a third of that size, so nothing on it is small. It makes no request.
 */
import { createRequire } from 'node:module';
import { createCanvas, GlobalFonts, loadImage, type SKRSContext2D } from '@napi-rs/canvas';
import sharp from 'sharp';
import { initial } from './live-page.ts';

/** What a card shows. */
export interface CardContent {
  name: string;
  text: string;
  /** The last line: what is behind the link. */
  action: string;
  stillUrl: string | null;
  /** True for what plays when it is opened: it bears the sign for that. */
  isPlayable: boolean;
}

const WIDTH = 1200;
const HEIGHT = 630;
const PAD = 60;
const LEFT = HEIGHT + 12;
const ROOM = WIDTH - LEFT - PAD;
const TEXT_LINES = 5;
const NAME_LINES = 2;
const INK = { ground: '#111316', text: '#eceef0', soft: '#a5abb4', accent: '#66d3bb', accentSoft: '#17332d' };
/** Inter comes in pieces by script; what none of them has is left to the machine's fonts. */
const SCRIPTS = ['latin', 'latin-ext', 'cyrillic', 'greek', 'vietnamese'];
const RTL = /^[^\p{L}]*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u;

const locate = createRequire(import.meta.url).resolve;

function font(weight: 400 | 600, size: number): string {
  const families = SCRIPTS.map((script) => {
    const family = `Card ${script} ${weight}`;
    if (!GlobalFonts.has(family)) {
      GlobalFonts.registerFromPath(locate(`@fontsource/inter/files/inter-${script}-${weight}-normal.woff`), family);
    }
    return `"${family}"`;
  });
  return `${size}px ${families.join(', ')}, sans-serif`;
}

/** A JPEG: apps that fetch cards give up on large ones, and a palette would spoil the face. */
export async function drawCard(card: CardContent, still: Uint8Array | undefined): Promise<Buffer> {
  const canvas = createCanvas(WIDTH, HEIGHT);
  const context = canvas.getContext('2d');
  context.fillStyle = INK.ground;
  context.fillRect(0, 0, WIDTH, HEIGHT);
  await drawFace(context, card.name, still);
  if (card.isPlayable) drawPlay(context);
  drawWords(context, card);
  return sharp(await canvas.encode('png'))
    .jpeg({ quality: 84, chromaSubsampling: '4:4:4', mozjpeg: true })
    .toBuffer();
}

/** The still fills a square on the left and fades into the ground. */
async function drawFace(context: SKRSContext2D, name: string, still: Uint8Array | undefined): Promise<void> {
  if (still) {
    const image = await loadImage(still);
    const side = Math.min(image.width, image.height);
    const [x, y] = [(image.width - side) / 2, (image.height - side) / 2];
    context.drawImage(image, x, y, side, side, 0, 0, HEIGHT, HEIGHT);
  } else {
    context.fillStyle = INK.accentSoft;
    context.fillRect(0, 0, HEIGHT, HEIGHT);
    context.fillStyle = INK.accent;
    context.font = font(600, 220);
    context.textAlign = 'center';
    context.fillText(initial(name), HEIGHT / 2, HEIGHT / 2 + 78);
    context.textAlign = 'left';
  }
  const fade = context.createLinearGradient(HEIGHT - 170, 0, HEIGHT, 0);
  fade.addColorStop(0, 'rgba(17, 19, 22, 0)');
  fade.addColorStop(1, 'rgba(17, 19, 22, 1)');
  context.fillStyle = fade;
  context.fillRect(HEIGHT - 170, 0, 171, HEIGHT);
}

function drawPlay(context: SKRSContext2D): void {
  const [x, y, radius] = [PAD + 46, HEIGHT - PAD - 46, 46];
  context.fillStyle = INK.accent;
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fill();
  context.fillStyle = '#07231d';
  context.beginPath();
  context.moveTo(x - 13, y - 20);
  context.lineTo(x - 13, y + 20);
  context.lineTo(x + 22, y);
  context.fill();
}

function drawWords(context: SKRSContext2D, { name, text, action }: CardContent): void {
  const isRtl = RTL.test(text || name);
  context.direction = isRtl ? 'rtl' : 'ltr';
  context.textAlign = isRtl ? 'right' : 'left';
  const x = isRtl ? WIDTH - PAD : LEFT;
  const write = (lines: string[], y: number, step: number): void => {
    for (const [place, line] of lines.entries()) context.fillText(line, x, y + place * step);
  };
  context.fillStyle = INK.accent;
  context.font = font(600, 40);
  const names = wrap(context, name, ROOM, NAME_LINES);
  write(names, PAD + 38, 48);
  const top = PAD + names.length * 48 + 12;
  const bottom = HEIGHT - PAD - 44;
  context.fillStyle = INK.text;
  const size = text.length > 90 ? 40 : text.length > 50 ? 46 : 54;
  context.font = font(600, size);
  const step = size * 1.28;
  const lines = wrap(context, text, ROOM, Math.min(TEXT_LINES, Math.floor((bottom - top) / step)));
  write(lines, top + (bottom - top - lines.length * step) / 2 + size, step);
  context.fillStyle = INK.soft;
  context.font = font(400, 30);
  write(wrap(context, action, ROOM, 1), HEIGHT - PAD, 0);
}

/** Lines that fit, the last one with an ellipsis when there was more. */
function wrap(context: SKRSContext2D, text: string, room: number, maxLines: number): string[] {
  const lines: string[] = [];
  let line = '';
  const fits = (part: string): boolean => context.measureText(part).width <= room;
  const words = text.split(/\s+/).filter(Boolean);
  for (const [place, word] of words.entries()) {
    const longer = line ? `${line} ${word}` : word;
    if (fits(longer) || !line) line = longer;
    else if (lines.length === maxLines - 1)
      return [...lines, ellipsed(`${line} ${words.slice(place).join(' ')}`, fits)];
    else {
      lines.push(ellipsed(line, fits));
      line = word;
    }
  }
  return line ? [...lines, ellipsed(line, fits)] : lines;
}

/** As many words as fit, with an ellipsis; of a word that does not fit, its beginning. */
function ellipsed(text: string, fits: (part: string) => boolean): string {
  if (fits(text)) return text;
  const letters = [...text.slice(0, 200)];
  while (letters.length > 1 && !fits(`${letters.join('')}…`)) letters.pop();
  const cut = letters.join('');
  const space = cut.lastIndexOf(' ');
  return `${(space > cut.length / 2 ? cut.slice(0, space) : cut).replace(/[\s,;:.]+$/u, '')}…`;
}
