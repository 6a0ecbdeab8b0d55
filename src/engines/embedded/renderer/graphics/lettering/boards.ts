/** Things in a scene that carry words: a wall with neon, wooden and enamel signs, a banner. Each returns its free box. */
import { type Context } from '../canvas.ts';
import { css, mix, type Rgb, rgb, scale } from '../colour.ts';
import { between, pick, type Random } from '../random.ts';
import type { Box } from './layout.ts';

/** A smaller box within a box. */
export const inset = (box: Box, dx: number, dy: number): Box => ({
  x: box.x + dx,
  y: box.y + dy,
  w: box.w - 2 * dx,
  h: box.h - 2 * dy,
});

/** A brick wall at night, for neon with no place of its own. */
export function brickWall(ctx: Context, width: number, height: number, random: Random): void {
  ctx.fillStyle = '#17110f';
  ctx.fillRect(0, 0, width, height);
  const [w, h] = [Math.min(width, height) / 8.5, Math.min(width, height) / 24];
  for (let row = 0; row * h < height; row++) {
    for (let x = row % 2 ? -w / 2 : 0; x < width; x += w) {
      const tone = between(random, 0.7, 1.15);
      const brick = scale(rgb(pick(random, ['#4a2a24', '#54302a', '#402622', '#4d332f'])), tone);
      const face = ctx.createLinearGradient(0, row * h, 0, row * h + h);
      face.addColorStop(0, css(mix(brick, [255, 220, 200], 0.08)));
      face.addColorStop(1, css(scale(brick, 0.72)));
      ctx.fillStyle = face;
      ctx.fillRect(x + 1.5, row * h + 1.5, w - 3, h - 3);
    }
  }
  const dim = ctx.createRadialGradient(
    width / 2,
    height / 2,
    0,
    width / 2,
    height / 2,
    Math.hypot(width, height) * 0.55,
  );
  dim.addColorStop(0, 'rgba(0,0,0,0)');
  dim.addColorStop(1, 'rgba(0,0,0,.8)');
  ctx.fillStyle = dim;
  ctx.fillRect(0, 0, width, height);
}

/** A dark sheet of metal in a scene, hung on rods, to carry neon. */
export function neonPanel(ctx: Context, box: Box): Box {
  ctx.save();
  ctx.strokeStyle = '#15161b';
  ctx.lineWidth = box.w * 0.008;
  for (const t of [0.2, 0.8]) {
    ctx.beginPath();
    ctx.moveTo(box.x + box.w * t, 0);
    ctx.lineTo(box.x + box.w * t, box.y + 4);
    ctx.stroke();
  }
  ctx.shadowColor = 'rgba(0,0,0,.7)';
  ctx.shadowBlur = box.h * 0.12;
  ctx.fillStyle = 'rgba(13,13,20,.93)';
  ctx.beginPath();
  ctx.roundRect(box.x, box.y, box.w, box.h, box.h * 0.09);
  ctx.fill();
  ctx.restore();
  return inset(box, box.w * 0.07, box.h * 0.15);
}

/** A door of planks in its frame, with a sign hung on it by a cord; the sign's free box. */
export function paintDoor(ctx: Context, width: number, height: number, random: Random): Box {
  const unit = Math.min(width, height);
  ctx.fillStyle = '#cfc4b2';
  ctx.fillRect(0, 0, width, height);
  const door: Box = { x: width / 2 - unit * 0.4, y: height * 0.05, w: unit * 0.8, h: height };
  const rim = unit * 0.045;
  ctx.fillStyle = '#5a3d28';
  ctx.fillRect(door.x - rim, door.y - rim, door.w + rim * 2, door.h);
  for (let i = 0; i < 6; i++) {
    ctx.fillStyle = css(scale(rgb('#96683f'), between(random, 0.9, 1.08)));
    ctx.fillRect(door.x + (i * door.w) / 6, door.y, door.w / 6 - unit * 0.005, door.h);
  }
  ctx.fillStyle = '#7a5130';
  for (const y of [0.16, 0.84]) ctx.fillRect(door.x, height * y, door.w, unit * 0.07);
  ctx.fillStyle = '#d8b04a';
  ctx.beginPath();
  ctx.arc(door.x + door.w * 0.92, height * 0.62, unit * 0.028, 0, 7);
  ctx.fill();
  const board: Box = { x: width / 2 - unit * 0.27, y: height * 0.38, w: unit * 0.54, h: unit * 0.26 };
  ctx.strokeStyle = '#efe4cc';
  ctx.lineWidth = unit * 0.008;
  ctx.beginPath();
  ctx.moveTo(board.x + unit * 0.04, board.y);
  ctx.lineTo(width / 2, board.y - unit * 0.12);
  ctx.lineTo(board.x + board.w - unit * 0.04, board.y);
  ctx.stroke();
  ctx.save();
  ctx.shadowColor = 'rgba(0,0,0,.5)';
  ctx.shadowBlur = unit * 0.02;
  ctx.shadowOffsetY = unit * 0.008;
  ctx.fillStyle = '#f1e4c8';
  ctx.beginPath();
  ctx.roundRect(board.x, board.y, board.w, board.h, unit * 0.018);
  ctx.fill();
  ctx.restore();
  ctx.strokeStyle = '#8a5f38';
  ctx.stroke();
  return inset(board, board.w * 0.08, board.h * 0.14);
}

/** A signboard of planks on two posts, standing in the place. `groundY` is where its posts end. */
export function woodenSign(ctx: Context, box: Box, groundY: number, random: Random, light: Rgb): Box {
  const shade = (hex: string, k = 1) =>
    css(scale([(rgb(hex)[0] * light[0]) / 255, (rgb(hex)[1] * light[1]) / 255, (rgb(hex)[2] * light[2]) / 255], k));
  ctx.fillStyle = 'rgba(10,12,18,.4)';
  ctx.beginPath();
  ctx.ellipse(box.x + box.w / 2, groundY, box.w * 0.42, box.w * 0.024, 0, 0, 7);
  ctx.fill();
  for (const t of [0.13, 0.87]) {
    const w = box.w * 0.045;
    const post = ctx.createLinearGradient(box.x + box.w * t - w / 2, 0, box.x + box.w * t + w / 2, 0);
    post.addColorStop(0, shade('#7a5233'));
    post.addColorStop(1, shade('#452b19'));
    ctx.fillStyle = post;
    ctx.beginPath();
    ctx.roundRect(box.x + box.w * t - w / 2, box.y - box.h * 0.1, w, groundY - box.y + box.h * 0.1, w * 0.2);
    ctx.fill();
  }
  const planks = Math.max(3, Math.min(6, Math.round(box.h / (box.w * 0.13))));
  ctx.save();
  ctx.shadowColor = 'rgba(0,0,0,.5)';
  ctx.shadowBlur = box.h * 0.06;
  ctx.shadowOffsetY = box.h * 0.03;
  ctx.fillStyle = shade('#a8743f');
  ctx.beginPath();
  ctx.roundRect(box.x, box.y, box.w, box.h, box.h * 0.035);
  ctx.fill();
  ctx.restore();
  ctx.save();
  ctx.beginPath();
  ctx.roundRect(box.x, box.y, box.w, box.h, box.h * 0.035);
  ctx.clip();
  const high = box.h / planks;
  for (let i = 0; i < planks; i++) {
    ctx.fillStyle = shade(pick(random, ['#dcb078', '#d6a86e', '#e0b680']), between(random, 0.95, 1.04));
    ctx.fillRect(box.x, box.y + i * high, box.w, high);
    for (let k = 0; k < 7; k++) {
      ctx.strokeStyle = shade('#b98a52');
      ctx.globalAlpha = between(random, 0.12, 0.4);
      ctx.lineWidth = between(random, 0.6, 1.8);
      const y = box.y + (i + random()) * high;
      ctx.beginPath();
      ctx.moveTo(box.x, y);
      ctx.bezierCurveTo(
        box.x + box.w * 0.3,
        y + between(random, -6, 6),
        box.x + box.w * 0.6,
        y + between(random, -6, 6),
        box.x + box.w,
        y,
      );
      ctx.stroke();
      ctx.globalAlpha = 1;
    }
    ctx.fillStyle = 'rgba(60,34,14,.55)';
    ctx.fillRect(box.x, box.y + (i + 1) * high - Math.max(1.5, high * 0.025), box.w, Math.max(1.5, high * 0.025));
  }
  ctx.restore();
  ctx.strokeStyle = shade('#6d4526');
  ctx.lineWidth = Math.max(2, box.w * 0.009);
  ctx.beginPath();
  ctx.roundRect(box.x, box.y, box.w, box.h, box.h * 0.035);
  ctx.stroke();
  for (const [fx, fy] of [
    [0.04, 0.1],
    [0.96, 0.1],
    [0.04, 0.9],
    [0.96, 0.9],
  ] as const) {
    ctx.fillStyle = '#4a4038';
    ctx.beginPath();
    ctx.arc(box.x + box.w * fx, box.y + box.h * fy, box.w * 0.009, 0, 7);
    ctx.fill();
  }
  return inset(box, box.w * 0.075, box.h * 0.12);
}

/** An enamel plate on a bracket, for streets and rooms. */
export function enamelSign(ctx: Context, box: Box, colour: Rgb): Box {
  ctx.save();
  ctx.shadowColor = 'rgba(0,0,0,.55)';
  ctx.shadowBlur = box.h * 0.1;
  ctx.shadowOffsetY = box.h * 0.04;
  ctx.fillStyle = '#efe9da';
  ctx.beginPath();
  ctx.roundRect(box.x, box.y, box.w, box.h, box.h * 0.12);
  ctx.fill();
  ctx.restore();
  const inner = inset(box, box.h * 0.05, box.h * 0.05);
  const plate = ctx.createLinearGradient(box.x, box.y, box.x + box.w * 0.3, box.y + box.h);
  plate.addColorStop(0, css(mix(colour, [255, 255, 255], 0.1)));
  plate.addColorStop(1, css(scale(colour, 0.78)));
  ctx.fillStyle = plate;
  ctx.beginPath();
  ctx.roundRect(inner.x, inner.y, inner.w, inner.h, box.h * 0.09);
  ctx.fill();
  ctx.strokeStyle = 'rgba(255,250,235,.85)';
  ctx.lineWidth = Math.max(1.5, box.h * 0.012);
  const line = inset(inner, box.h * 0.04, box.h * 0.04);
  ctx.beginPath();
  ctx.roundRect(line.x, line.y, line.w, line.h, box.h * 0.06);
  ctx.stroke();
  return inset(box, box.w * 0.1, box.h * 0.17);
}

/** A cloth banner with forked ends across the image. */
export function banner(ctx: Context, box: Box, colour: Rgb): Box {
  const tail = box.h * 0.55;
  const band = (x: number, y: number, w: number, h: number, paint: Rgb) => {
    const cloth = ctx.createLinearGradient(0, y, 0, y + h);
    cloth.addColorStop(0, css(mix(paint, [255, 255, 255], 0.16)));
    cloth.addColorStop(0.5, css(paint));
    cloth.addColorStop(1, css(scale(paint, 0.72)));
    ctx.fillStyle = cloth;
    ctx.beginPath();
    ctx.rect(x, y, w, h);
    ctx.fill();
  };
  for (const side of [-1, 1]) {
    const inner = side < 0 ? box.x + tail * 0.7 : box.x + box.w - tail * 0.7;
    ctx.fillStyle = css(scale(colour, 0.58));
    ctx.beginPath();
    ctx.moveTo(inner, box.y + box.h * 0.16);
    ctx.lineTo(inner + side * tail * 1.1, box.y + box.h * 0.16);
    ctx.lineTo(inner + side * tail * 0.65, box.y + box.h * 0.62);
    ctx.lineTo(inner + side * tail * 1.1, box.y + box.h * 1.08);
    ctx.lineTo(inner, box.y + box.h * 1.08);
    ctx.fill();
  }
  ctx.save();
  ctx.shadowColor = 'rgba(0,0,0,.5)';
  ctx.shadowBlur = box.h * 0.16;
  ctx.shadowOffsetY = box.h * 0.05;
  band(box.x, box.y, box.w, box.h, colour);
  ctx.restore();
  ctx.fillStyle = 'rgba(255,250,235,.7)';
  for (const y of [0.07, 0.91]) ctx.fillRect(box.x, box.y + box.h * y, box.w, Math.max(1.5, box.h * 0.02));
  return inset(box, box.w * 0.07, box.h * 0.15);
}
