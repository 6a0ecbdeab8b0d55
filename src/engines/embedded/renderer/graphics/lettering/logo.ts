import { type Context, emptyCanvas } from '../canvas.ts';
import { COLOUR_WORDS, contrast, css, mix, type Rgb, rgb } from '../colour.ts';
import { type ImagePlan, readSubjects } from '../prompt.ts';
import { between, pick, type Random } from '../random.ts';
import { sprite } from '../sprites.ts';
import { drawLines, setTexts } from './layout.ts';
import type { Lettered, LetteringTask } from './lettering-task.ts';

/** The first thing that the prompt or the words name, else a geometric mark, on a disc; the words below it. */
export function paintLogo(job: LetteringTask): Lettered {
  const { width, height, random, image } = job;
  const { canvas, ctx } = emptyCanvas(width, height);
  const isDark = /\b(dark|black|night)\b/i.test(image.prompt);
  const ink = rgb(
    image.palette[0] ?? colourIn(image.words) ?? pick(random, ['#1f3a5f', '#7a2e3a', '#2f5d50', '#4a3a7a', '#b5562c']),
  );
  const ground: Rgb = isDark ? [22, 24, 30] : [250, 248, 243];
  ctx.fillStyle = css(ground);
  ctx.fillRect(0, 0, width, height);
  const unit = Math.min(width, height);
  const isBare = image.words.length === 0;
  const [x, y, r] = [width / 2, height * (isBare ? 0.5 : 0.38), unit * (isBare ? 0.3 : 0.21)];
  const disc = ctx.createLinearGradient(x - r, y - r, x + r, y + r);
  disc.addColorStop(0, css(mix(ink, [255, 255, 255], 0.16)));
  disc.addColorStop(1, css(mix(ink, [0, 0, 0], 0.12)));
  ctx.fillStyle = disc;
  ctx.beginPath();
  ctx.arc(x, y, r, 0, 7);
  ctx.fill();
  ctx.strokeStyle = css(mix(ink, ground, 0.15));
  ctx.lineWidth = unit * 0.006;
  ctx.beginPath();
  ctx.arc(x, y, r * 1.1, 0, 7);
  ctx.stroke();
  const emblem = image.subjects[0] ?? subjectFromWords(image);
  if (emblem) {
    const mark = sprite(emblem.sprite, r * 1.25);
    ctx.drawImage(mark.canvas, x - mark.canvas.width / 2, y - mark.canvas.height / 2);
  } else if (/\b(?:mountains?|peaks?|alps?)\b/i.test(image.prompt)) mountainMark(ctx, x, y, r, ground);
  else geometricMark(ctx, x, y, r, ground, random);
  if (isBare) return { canvas, lines: [] };
  const lines = setTexts(
    ctx,
    image.words,
    job.faces[0],
    job.faces[1],
    { x: width * 0.1, y: height * 0.64, w: width * 0.8, h: height * 0.2 },
    unit * 0.13,
  );
  ctx.fillStyle = css(contrast(ink, ground) >= 4.5 ? ink : isDark ? [255, 255, 255] : [24, 26, 32]);
  drawLines(ctx, lines);
  return { canvas, lines };
}

/** "Blue Fox" is blue. White and black would not show on their ground. */
function colourIn(words: readonly string[]): string | undefined {
  const named =
    words
      .join(' ')
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  const found = named.find((word) => COLOUR_WORDS.has(word) && word !== 'white' && word !== 'black');
  return found && COLOUR_WORDS.get(found);
}

/** The lettered words may name the mark: "Acme Coffee" shows a cup, "Blue Fox" a fox. */
function subjectFromWords(image: ImagePlan): { sprite: string } | undefined {
  const text = image.words.join(' ').toLowerCase();
  const marks: [RegExp, string][] = [
    [/coffee|caf[eé]|espresso/, 'hot-beverage'],
    [/tea\b/, 'teapot'],
    [/bak(ery|ed)|bread|crust/, 'croissant'],
    [/pizza/, 'pizza'],
    [/flor(al|ist)|flower|bloom/, 'hibiscus'],
    [/music|sound|records/, 'guitar'],
    [/book|press/, 'open-book'],
    [/rocket|launch|space/, 'rocket'],
  ];
  const found = marks.find(([pattern]) => pattern.test(text));
  return found ? { sprite: found[1] } : readSubjects(text)[0];
}

/** Two peaks, and the sun over them. */
function mountainMark(ctx: Context, x: number, y: number, r: number, ground: Rgb): void {
  const peak = (at: number, top: number, half: number, alpha: number): void => {
    ctx.fillStyle = css(ground, alpha);
    ctx.beginPath();
    ctx.moveTo(x + r * at, y + r * top);
    ctx.lineTo(x + r * (at + half), y + r * 0.45);
    ctx.lineTo(x + r * (at - half), y + r * 0.45);
    ctx.fill();
  };
  ctx.fillStyle = css(ground, 0.95);
  ctx.beginPath();
  ctx.arc(x + r * 0.34, y - r * 0.42, r * 0.15, 0, 7);
  ctx.fill();
  peak(0.26, -0.12, 0.42, 0.7);
  peak(-0.16, -0.4, 0.52, 0.97);
}

function geometricMark(ctx: Context, x: number, y: number, r: number, ground: Rgb, random: Random): void {
  const petals = Math.floor(between(random, 3, 9));
  ctx.save();
  ctx.translate(x, y);
  for (let i = 0; i < petals; i++) {
    ctx.rotate((Math.PI * 2) / petals);
    ctx.fillStyle = css(ground, i % 2 ? 0.95 : 0.65);
    ctx.beginPath();
    ctx.ellipse(0, -r * 0.38, r * (1.1 / petals + 0.06), r * 0.34, 0, 0, 7);
    ctx.fill();
  }
  ctx.restore();
}
