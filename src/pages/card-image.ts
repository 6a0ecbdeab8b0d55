/**
 * The picture of a link's card, 1200 x 630: the avatar's still, its name, and what it says. Drawn once for the same
 * words and face, and kept for a while, because every app that shows the link asks for it.
 */
import { createRequire } from 'node:module';
import { createCanvas, GlobalFonts, loadImage, type SKRSContext2D } from '@napi-rs/canvas';
import sharp from 'sharp';
import { initial } from './live-page.ts';
import { mediaClipPicture } from './media-clip-pages.ts';
import { CLIP_CARD, type ClipCardData, TRANSCRIPT, type TranscriptData } from './operations.ts';
import type { PageHandler, PagesSite } from './site.ts';

export interface CardPicture {
  name: string;
  text: string;
  stillUrl: string | null;
}

const WIDTH = 1200;
const HEIGHT = 630;
const FONT = 'Card';
const PAD = 64;
const MAX_LINES = 5;
const MAX_CARDS = 60;

const locate = createRequire(import.meta.url).resolve;

export async function drawCard(site: PagesSite, card: CardPicture): Promise<Buffer> {
  for (const weight of [400, 600]) {
    if (!GlobalFonts.has(`${FONT}${weight}`)) {
      GlobalFonts.registerFromPath(
        locate(`@fontsource/inter/files/inter-latin-${weight}-normal.woff`),
        `${FONT}${weight}`,
      );
    }
  }
  const canvas = createCanvas(WIDTH, HEIGHT);
  const context = canvas.getContext('2d');
  context.fillStyle = '#111316';
  context.fillRect(0, 0, WIDTH, HEIGHT);
  await drawFace(context, site, card);
  drawWords(context, card);
  // A palette is a third of the size, and apps that fetch cards give up on large ones.
  return sharp(await canvas.encode('png'))
    .png({ palette: true, quality: 90, effort: 4 })
    .toBuffer();
}

/** The still fills a square on the left and fades into the ground. */
async function drawFace(context: SKRSContext2D, site: PagesSite, { stillUrl, name }: CardPicture): Promise<void> {
  const bytes = stillUrl && (await site.readImage(stillUrl));
  if (bytes) {
    const image = await loadImage(bytes);
    const side = Math.min(image.width, image.height);
    const [x, y] = [(image.width - side) / 2, (image.height - side) / 2];
    context.drawImage(image, x, y, side, side, 0, 0, HEIGHT, HEIGHT);
  } else {
    context.fillStyle = '#17332d';
    context.fillRect(0, 0, HEIGHT, HEIGHT);
    context.fillStyle = '#66d3bb';
    context.font = `220px ${FONT}600`;
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

function drawWords(context: SKRSContext2D, { name, text }: CardPicture): void {
  const left = HEIGHT + 8;
  const room = WIDTH - left - PAD;
  const size = text.length > 110 ? 38 : text.length > 60 ? 44 : 52;
  context.font = `${size}px ${FONT}600`;
  const lines = wrap(context, text, room, MAX_LINES);
  const height = lines.length * size * 1.3;
  let y = (HEIGHT - height) / 2 + size * 0.75;
  context.fillStyle = '#eceef0';
  for (const line of lines) {
    context.fillText(line, left, y);
    y += size * 1.3;
  }
  context.font = `28px ${FONT}600`;
  context.fillStyle = '#66d3bb';
  context.fillText(wrap(context, name, room, 1)[0] ?? '', left, PAD + 22);
  context.font = `24px ${FONT}400`;
  context.fillStyle = '#a5abb4';
  context.fillText('Watch and listen', left, HEIGHT - PAD);
}

/** Lines that fit, the last one with an ellipsis when there was more. */
function wrap(context: SKRSContext2D, text: string, room: number, maxLines: number): string[] {
  const lines: string[] = [];
  let line = '';
  const words = text.split(/\s+/).filter(Boolean);
  for (const [place, word] of words.entries()) {
    const longer = line ? `${line} ${word}` : word;
    if (context.measureText(longer).width <= room || !line) line = longer;
    else {
      lines.push(line);
      line = word;
    }
    if (lines.length === maxLines) {
      lines[maxLines - 1] = ellipsed(context, `${lines[maxLines - 1]} ${words.slice(place).join(' ')}`, room);
      return lines;
    }
  }
  if (line) lines.push(ellipsed(context, line, room));
  return lines;
}

function ellipsed(context: SKRSContext2D, text: string, room: number): string {
  if (context.measureText(text).width <= room) return text;
  let end = Math.min(text.length, 200);
  while (end > 1 && context.measureText(`${text.slice(0, end).trimEnd()}…`).width > room) end -= 1;
  return `${text.slice(0, end).trimEnd()}…`;
}

export function cardImagePage(site: PagesSite): PageHandler {
  const drawn = new Map<string, Promise<Buffer>>();
  return async (request, reply) => {
    const slug = (request.params as { slug: string }).slug.toLowerCase();
    const pictureOf =
      { t: clipPicture, g: mediaClipPicture, v: mediaClipPicture }[slug[0] ?? ''] ?? conversationPicture;
    const card = await pictureOf(site, request, slug);
    if (!card) return reply.code(404).send();
    const key = JSON.stringify(card);
    const picture = drawn.get(key) ?? drawCard(site, card);
    drawn.delete(key);
    drawn.set(key, picture);
    if (drawn.size > MAX_CARDS) drawn.delete(drawn.keys().next().value!);
    picture.catch(() => drawn.delete(key));
    return reply
      .type('image/png')
      .header('cache-control', 'public, max-age=3600')
      .send(await picture);
  };
}

type Ask = Parameters<PagesSite['ask']>[0];

async function clipPicture(site: PagesSite, request: Ask, slug: string): Promise<CardPicture | undefined> {
  const card = (await site.ask<ClipCardData>(request, CLIP_CARD, { slug })).data?.clipCard;
  if (!card) return undefined;
  const text = card.turn.avatarText ?? card.turn.userText ?? '';
  return { name: card.avatarDisplayName ?? 'Avatar', text, stillUrl: card.avatarImageUrl };
}

/** Only public conversations have a card: it is asked for without any grant. */
async function conversationPicture(site: PagesSite, request: Ask, slug: string): Promise<CardPicture | undefined> {
  const read = (await site.ask<TranscriptData>(request, TRANSCRIPT, { slug })).data?.conversationBySlug;
  if (!read) return undefined;
  const name = read.conversation.avatarDisplayName ?? 'Avatar';
  const said = read.turns.find((turn) => turn.role === 'avatar' && turn.avatarText)?.avatarText;
  return { name, text: said ?? `A conversation with ${name}`, stillUrl: read.conversation.avatarImageUrl };
}
