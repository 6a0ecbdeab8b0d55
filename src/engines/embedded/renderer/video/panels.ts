/**
 * References in a video (featured avatars, `ensemble`): each still on a card that comes in, floats and is
 * seen whole to the end. Cards are placed side by side over whatever the video shows behind them.
 */
import type { VideoReference } from '../../../ports/index.ts';
import { type Canvas, emptyCanvas } from '../graphics/canvas.ts';
import { seeded } from '../graphics/random.ts';
import { lidsOf } from './blink.ts';
import { yuvColour } from './frame-canvas.ts';
import type { Painter } from './scenery.ts';
import { readFace } from './stills.ts';

/** Seconds until a card has come in, and between one card and the next; shorter in short videos. */
const COMES_S = 0.7;
const APART_S = 0.35;
/** Height of a card as a share of the frame's, by their number. */
const TALL = [0.66, 0.62, 0.56];
/** Width by height of a card. */
const CARD = 0.8;

/** Size, length and chances of a sequence of images. */
export interface PanelOptions {
  width: number;
  height: number;
  fps: number;
  seconds: number;
  seed: number;
  draft: boolean;
  /** Seconds before the first card, when an opening frame is to be seen first. */
  after: number;
}

export async function panels(references: VideoReference[], options: PanelOptions): Promise<Painter> {
  const { width, height, seconds, draft } = options;
  const n = references.length;
  const gap = 0.035 * width;
  // On a narrow frame the row of cards decides their size, on a wide one the height.
  const tall = Math.min(height * (TALL[n - 1] ?? 0.5), (width - gap * (n + 1)) / n / CARD);
  const wide = tall * CARD;
  const k = draft ? 0.6 : 1.06;
  const [w, h] = [Math.round(wide * k), Math.round(tall * k)];
  const cards: { open: Canvas; shut: Canvas | undefined }[] = [];
  for (const { image, rig } of references) {
    const { open, shut } = await readFace(image, 'avatarIds', w, h, rig);
    cards.push({ open: card(open), shut: shut && card(shut) });
  }
  const random = seeded(options.seed, 'cards');
  const row = n * wide + (n - 1) * gap;
  const spots = cards.map(({ open, shut }, i) => ({
    open,
    shut,
    lids: lidsOf(seconds, options.fps, options.seed, String(i)),
    x: width / 2 - row / 2 + wide / 2 + i * (wide + gap),
    start: Math.min(options.after + i * APART_S, seconds * 0.3 + i * 0.02 * seconds),
    phase: random() * 6.283,
    lean: (random() - 0.5) * 0.05,
  }));
  const comes = Math.min(COMES_S, seconds * 0.2);
  const edge = wide * BORDER;
  return (ctx, t) => {
    for (const { open, shut, lids, x, start, phase, lean } of spots) {
      const age = Math.min(1, Math.max(0, (t - start) / comes));
      if (age === 0) continue;
      const come = 1 - (1 - age) ** 3;
      const float = Math.sin(t * 0.9 + phase);
      ctx.save();
      ctx.globalAlpha = come;
      ctx.translate(x, height * (0.5 + 0.16 * (1 - come)) + float * height * 0.009);
      ctx.rotate(lean + 0.008 * Math.sin(t * 0.7 + phase));
      const grown = 0.9 + 0.1 * come + 0.012 * Math.sin(t * 0.5 + phase);
      ctx.scale(grown, grown);
      const place = [-wide / 2 - edge, -tall / 2 - edge, wide + 2 * edge, tall + 2 * edge] as const;
      ctx.drawImage(open, ...place);
      const lid = lids(t);
      if (shut && lid > 0) {
        ctx.globalAlpha = come * lid;
        ctx.drawImage(shut, ...place);
      }
      ctx.restore();
    }
    ctx.globalAlpha = 1;
  };
}

/** Margin of a card for its border and shadow, as a share of its width. */
const BORDER = 0.1;

/** The image with rounded corners, a white border and a soft shadow. */
function card(image: Canvas): Canvas {
  const { width, height } = image;
  const edge = width * BORDER;
  const { canvas, ctx } = emptyCanvas(width + 2 * edge, height + 2 * edge);
  const frame = width * 0.022;
  const round = width * 0.05;
  ctx.shadowColor = yuvColour([0, 0, 0], 0.6);
  ctx.shadowBlur = edge * 0.7;
  ctx.shadowOffsetY = edge * 0.2;
  ctx.fillStyle = yuvColour([248, 246, 240]);
  ctx.beginPath();
  ctx.roundRect(edge - frame, edge - frame, width + 2 * frame, height + 2 * frame, round + frame);
  ctx.fill();
  ctx.shadowColor = 'transparent';
  ctx.beginPath();
  ctx.roundRect(edge, edge, width, height, round);
  ctx.clip();
  ctx.drawImage(image, edge, edge);
  return canvas;
}
