/** Flat grounds for words: a slate, a card, a note. Each paints itself and returns its free box. */
import { type Context, emptyCanvas } from '../canvas.ts';
import { css, mix, type Rgb, rgb, scale } from '../colour.ts';
import { between, pick, type Random } from '../random.ts';
import { inset } from './boards.ts';
import type { Box } from './layout.ts';

/** A slate in an oak frame, dusty with old chalk. */
export function slate(ctx: Context, width: number, height: number, random: Random): Box {
  const rim = Math.min(width, height) * 0.05;
  for (let i = 0; i < 60; i++) {
    ctx.fillStyle = css(scale(rgb('#8a5f38'), between(random, 0.8, 1.1)));
    ctx.fillRect(0, (i / 60) * height, width, height / 60 + 1);
  }
  ctx.fillStyle = '#252c2b';
  ctx.fillRect(rim, rim, width - rim * 2, height - rim * 2);
  ctx.save();
  ctx.beginPath();
  ctx.rect(rim, rim, width - rim * 2, height - rim * 2);
  ctx.clip();
  ctx.filter = `blur(${Math.round(rim * 0.7)}px)`;
  for (let i = 0; i < 26; i++) {
    ctx.fillStyle = `rgba(220,230,225,${between(random, 0.012, 0.05)})`;
    ctx.beginPath();
    ctx.ellipse(
      random() * width,
      random() * height,
      width * between(random, 0.08, 0.3),
      height * between(random, 0.02, 0.08),
      between(random, -0.6, 0.3),
      0,
      7,
    );
    ctx.fill();
  }
  ctx.filter = 'none';
  ctx.restore();
  const edge = ctx.createLinearGradient(0, rim, 0, rim * 1.8);
  edge.addColorStop(0, 'rgba(0,0,0,.55)');
  edge.addColorStop(1, 'rgba(0,0,0,0)');
  ctx.fillStyle = edge;
  ctx.fillRect(rim, rim, width - rim * 2, rim);
  return { x: rim * 2.6, y: rim * 2.6, w: width - rim * 5.2, h: height - rim * 5.2 };
}

/** A laid-paper card with a double rule and leafy corners. */
export function card(ctx: Context, width: number, height: number, accent: Rgb, random: Random): Box {
  const paper = ctx.createLinearGradient(0, 0, width, height);
  paper.addColorStop(0, '#fdf9f0');
  paper.addColorStop(1, '#f3ebdb');
  ctx.fillStyle = paper;
  ctx.fillRect(0, 0, width, height);
  for (let i = 0; i < 900; i++) {
    ctx.fillStyle = `rgba(140,120,90,${random() * 0.06})`;
    ctx.fillRect(random() * width, random() * height, between(random, 2, 18), 1);
  }
  const unit = Math.min(width, height);
  ctx.strokeStyle = css(mix(accent, rgb('#b8923f'), 0.7));
  for (const [gap, line] of [
    [0.045, 0.004],
    [0.06, 0.0018],
  ] as const) {
    ctx.lineWidth = unit * line;
    ctx.strokeRect(unit * gap, unit * gap, width - unit * gap * 2, height - unit * gap * 2);
  }
  for (const [fx, fy] of [
    [0, 0],
    [1, 1],
  ] as const) {
    ctx.save();
    ctx.translate(fx * width, fy * height);
    ctx.scale(fx ? -1 : 1, fy ? -1 : 1);
    for (let i = 0; i < 7; i++)
      sprig(ctx, unit * 0.02, unit * 0.02, (i / 6) * (Math.PI / 2), unit * between(random, 0.2, 0.33), accent, random);
    for (let i = 0; i < 6; i++)
      blossom(
        ctx,
        unit * between(random, 0.03, 0.17),
        unit * between(random, 0.03, 0.17),
        unit * between(random, 0.022, 0.042),
        accent,
        random,
      );
    ctx.restore();
  }
  return { x: width * 0.14, y: height * 0.2, w: width * 0.72, h: height * 0.6 };
}

function sprig(ctx: Context, x: number, y: number, angle: number, length: number, accent: Rgb, random: Random): void {
  const green = mix(rgb(pick(random, ['#7d9471', '#95a883', '#64806a'])), accent, 0.12);
  const bend = between(random, -0.3, 0.3);
  for (let i = 2; i <= 9; i++) {
    const t = i / 9;
    const a = angle + bend * t;
    const [px, py] = [x + Math.cos(a) * length * t, y + Math.sin(a) * length * t];
    for (const side of [-1, 1]) {
      ctx.fillStyle = css(scale(green, between(random, 0.88, 1.12)), 0.9);
      ctx.save();
      ctx.translate(px, py);
      ctx.rotate(a + side * 0.85);
      ctx.beginPath();
      ctx.ellipse(length * 0.075, 0, length * 0.085 * (1.2 - t * 0.5), length * 0.03, 0, 0, 7);
      ctx.fill();
      ctx.restore();
    }
  }
}

function blossom(ctx: Context, x: number, y: number, r: number, accent: Rgb, random: Random): void {
  for (let ring = 0; ring < 2; ring++) {
    for (let i = 0; i < 6; i++) {
      const a = (i + ring * 0.5) * (Math.PI / 3);
      ctx.fillStyle = css(mix(accent, [255, 250, 245], 0.42 + ring * 0.18 + random() * 0.12), 0.95);
      ctx.beginPath();
      ctx.ellipse(
        x + Math.cos(a) * r * (0.62 - ring * 0.25),
        y + Math.sin(a) * r * (0.62 - ring * 0.25),
        r * 0.5,
        r * 0.36,
        a,
        0,
        7,
      );
      ctx.fill();
    }
  }
  ctx.fillStyle = '#d9b45a';
  ctx.beginPath();
  ctx.arc(x, y, r * 0.2, 0, 7);
  ctx.fill();
}

/** A ruled leaf of paper taped to a desk. */
export function note(ctx: Context, width: number, height: number, random: Random): Box {
  const desk = ctx.createLinearGradient(0, 0, width, height);
  desk.addColorStop(0, '#8d6846');
  desk.addColorStop(1, '#5e4028');
  ctx.fillStyle = desk;
  ctx.fillRect(0, 0, width, height);
  for (let i = 0; i < 130; i++) {
    ctx.fillStyle = `rgba(40,22,8,${random() * 0.12})`;
    ctx.fillRect(0, random() * height, width, between(random, 1, 4));
  }
  const box = { x: width * 0.11, y: height * 0.11, w: width * 0.78, h: height * 0.78 };
  ctx.save();
  ctx.shadowColor = 'rgba(0,0,0,.55)';
  ctx.shadowBlur = width * 0.03;
  ctx.shadowOffsetY = height * 0.012;
  ctx.fillStyle = '#fbf6e6';
  ctx.fillRect(box.x, box.y, box.w, box.h);
  ctx.restore();
  ctx.fillStyle = 'rgba(90,130,190,.22)';
  for (let y = box.y + box.h * 0.12; y < box.y + box.h * 0.98; y += box.h * 0.075) ctx.fillRect(box.x, y, box.w, 2);
  ctx.fillStyle = 'rgba(210,90,90,.3)';
  ctx.fillRect(box.x + box.w * 0.07, box.y, 2, box.h);
  ctx.fillStyle = 'rgba(240,230,190,.75)';
  ctx.fillRect(width / 2 - width * 0.09, box.y - height * 0.02, width * 0.18, height * 0.045);
  return inset(box, box.w * 0.11, box.h * 0.14);
}

/** Chalk dust: tiny holes rubbed into what was drawn on the given canvas. */
export function rubChalk(width: number, height: number, random: Random): ReturnType<typeof emptyCanvas>['canvas'] {
  const { canvas, ctx } = emptyCanvas(width, height);
  for (let i = 0; i < (width * height) / 260; i++) {
    ctx.fillStyle = `rgba(0,0,0,${between(random, 0.08, 0.34)})`;
    ctx.fillRect(random() * width, random() * height, between(random, 1, 3.4), between(random, 1, 2));
  }
  return canvas;
}
