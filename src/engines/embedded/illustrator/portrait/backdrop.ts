/** What is behind the person, out of focus: painted small, blurred, enlarged, so depth of field costs next to nothing. */
import { createCanvas } from '@napi-rs/canvas';
import { css, mix, type Rgb, rgb, tone } from './colour.ts';
import { glow, type Pen, type View } from './layer.ts';
import { between, pick, type Random } from './random.ts';
import type { Background, PersonTraits } from './traits.ts';

interface Stage {
  pen: Pen;
  w: number;
  h: number;
  colour: Rgb;
  random: Random;
}

function sky(s: Stage, top: Rgb, bottom: Rgb, until = 1): void {
  const g = s.pen.createLinearGradient(0, 0, 0, s.h * until);
  g.addColorStop(0, css(top));
  g.addColorStop(1, css(bottom));
  s.pen.fillStyle = g;
  s.pen.fillRect(0, 0, s.w, s.h);
}

function box(s: Stage, x: number, y: number, w: number, h: number, colour: Rgb): void {
  s.pen.fillStyle = css(colour);
  s.pen.fillRect(x * s.w, y * s.h, w * s.w, h * s.h);
}

/** Discs of light: lamps seen out of focus. */
function lamps(s: Stage, count: number, colours: readonly Rgb[], low: number, high: number): void {
  const unit = Math.min(s.w, s.h);
  for (let i = 0; i < count; i++) {
    const [x, y] = [s.random() * s.w, between(s.random, low, high) * s.h];
    const r = unit * between(s.random, 0.02, 0.085);
    const colour = pick(s.random, colours);
    s.pen.fillStyle = css(colour, between(s.random, 0.08, 0.3));
    s.pen.beginPath();
    s.pen.arc(x, y, r, 0, Math.PI * 2);
    s.pen.fill();
    s.pen.strokeStyle = css(tone(colour, 0.4), 0.16);
    s.pen.lineWidth = r * 0.14;
    s.pen.stroke();
  }
}

function wall(s: Stage, colour: Rgb): void {
  sky(s, tone(colour, 0.12), tone(colour, -0.3));
  glow(s.pen, s.w * 0.36, s.h * 0.3, Math.max(s.w, s.h) * 0.7, Math.max(s.w, s.h) * 0.66, tone(colour, 0.5), 0.8);
}

const GREENS: Rgb[] = [
  [96, 140, 70],
  [130, 168, 86],
  [70, 112, 62],
  [178, 196, 104],
];

const STAGES: Record<Background, (s: Stage) => void> = {
  studio: (s) => wall(s, s.colour),
  bokeh: (s) => {
    wall(s, tone(s.colour, -0.12));
    lamps(s, 26, [tone(s.colour, 0.55), mix(s.colour, [255, 220, 160], 0.6), tone(s.colour, 0.25)], 0, 1);
  },
  warm: (s) => {
    sky(s, [214, 146, 94], [96, 54, 52]);
    glow(s.pen, s.w * 0.24, s.h * 0.22, s.w * 0.6, s.h * 0.5, [255, 224, 160], 0.85);
    lamps(
      s,
      20,
      [
        [255, 214, 140],
        [255, 176, 96],
        [255, 236, 196],
      ],
      0,
      0.9,
    );
  },
  night: (s) => {
    sky(s, [16, 18, 48], [52, 44, 92]);
    glow(s.pen, s.w * 0.75, s.h * 0.25, s.w * 0.5, s.h * 0.5, [96, 92, 190], 0.55);
    lamps(
      s,
      30,
      [
        [255, 206, 120],
        [120, 160, 255],
        [220, 130, 220],
        [255, 240, 210],
      ],
      0.1,
      0.95,
    );
  },
  office: (s) => {
    sky(s, [206, 214, 222], [138, 148, 160]);
    for (let i = 0; i < 4; i++) box(s, 0.04 + i * 0.25, 0.06, 0.2, 0.5, [228, 240, 250]);
    for (let i = 0; i < 4; i++) box(s, 0.135 + i * 0.25, 0.06, 0.012, 0.5, [150, 162, 176]);
    box(s, 0, 0.72, 1, 0.3, [120, 104, 94]);
    box(s, 0.02, 0.5, 0.12, 0.25, [74, 122, 82]);
    lamps(s, 6, [[255, 255, 250]], 0, 0.25);
  },
  outdoors: (s) => {
    sky(s, [150, 198, 232], [232, 240, 226], 0.6);
    for (let i = 0; i < 26; i++)
      glow(
        s.pen,
        s.random() * s.w,
        s.h * between(s.random, 0.32, 0.66),
        s.w * 0.16,
        s.h * 0.13,
        pick(s.random, GREENS),
        0.9,
      );
    box(s, 0, 0.66, 1, 0.4, [110, 146, 74]);
    lamps(
      s,
      18,
      [
        [240, 250, 200],
        [200, 230, 150],
      ],
      0.2,
      0.7,
    );
  },
  sea: (s) => {
    sky(s, [120, 184, 228], [240, 232, 214], 0.52);
    box(s, 0, 0.5, 1, 0.3, [44, 118, 160]);
    box(s, 0, 0.56, 1, 0.05, [96, 168, 196]);
    box(s, 0, 0.78, 1, 0.3, [214, 190, 148]);
    lamps(s, 14, [[255, 255, 255]], 0.5, 0.7);
  },
  city: (s) => {
    sky(s, [164, 182, 206], [236, 214, 196], 0.8);
    for (let i = 0; i < 14; i++) {
      const h = between(s.random, 0.25, 0.7);
      box(s, i / 14, 1 - h, 0.068, h, mix([92, 104, 128], [180, 160, 150], s.random()));
    }
    lamps(
      s,
      22,
      [
        [255, 230, 170],
        [255, 200, 120],
      ],
      0.35,
      0.95,
    );
  },
  library: (s) => {
    box(s, 0, 0, 1, 1, [70, 46, 34]);
    for (let row = 0; row < 4; row++) {
      for (let i = 0; i < 26; i++) {
        const h = between(s.random, 0.15, 0.2);
        box(
          s,
          i / 26,
          row * 0.25 + 0.235 - h,
          between(s.random, 0.022, 0.036),
          h,
          pick(s.random, [
            [142, 52, 44],
            [48, 82, 92],
            [186, 140, 74],
            [64, 74, 48],
            [112, 62, 84],
            [206, 186, 150],
          ]),
        );
      }
      box(s, 0, row * 0.25 + 0.235, 1, 0.018, [44, 28, 20]);
    }
    glow(s.pen, s.w * 0.25, s.h * 0.25, s.w * 0.7, s.h * 0.7, [255, 196, 110], 0.42);
  },
  space: (s) => {
    sky(s, [8, 10, 28], [26, 18, 54]);
    glow(s.pen, s.w * 0.8, s.h * 0.3, s.w * 0.5, s.h * 0.5, [120, 60, 170], 0.6);
    glow(s.pen, s.w * 0.1, s.h * 0.7, s.w * 0.4, s.h * 0.5, [40, 110, 190], 0.55);
    for (let i = 0; i < 120; i++) {
      const r = 1.2 + s.random() ** 3 * 2.4;
      glow(s.pen, s.random() * s.w, s.random() * s.h, r, r, [255, 250, 240], s.random());
    }
    glow(s.pen, s.w * 0.88, s.h * 0.16, s.w * 0.12, s.w * 0.12, [236, 150, 100], 1);
  },
  kitchen: (s) => {
    sky(s, [236, 228, 214], [196, 180, 160]);
    box(s, 0, 0.08, 0.36, 0.32, [170, 126, 88]);
    box(s, 0.68, 0.08, 0.36, 0.32, [170, 126, 88]);
    box(s, 0, 0.66, 1, 0.05, [92, 78, 70]);
    box(s, 0, 0.71, 1, 0.3, [206, 200, 190]);
    for (let i = 0; i < 7; i++)
      glow(
        s.pen,
        s.w * (0.05 + i * 0.15),
        s.h * 0.6,
        s.w * 0.05,
        s.h * 0.07,
        pick(s.random, [
          [210, 80, 50],
          [90, 140, 70],
          [224, 180, 70],
          [180, 186, 190],
        ]),
        1,
      );
    lamps(s, 8, [[255, 244, 214]], 0, 0.4);
  },
};

const BLUR: Partial<Record<Background, number>> = { studio: 0, bokeh: 0.8, warm: 0.8, night: 0.8, space: 0.4 };

/** Paints the whole background; call before anything else, with the pen in pixels or units alike. */
export function paintBackdrop(pen: Pen, view: View, traits: PersonTraits, random: Random): void {
  const shrink = Math.max(2, Math.min(view.width, view.height) / 256);
  const [w, h] = [Math.ceil(view.width / shrink), Math.ceil(view.height / shrink)];
  const sharp = createCanvas(w, h);
  STAGES[traits.background]({ pen: sharp.getContext('2d'), w, h, colour: rgb(traits.backgroundColour), random });
  const soft = createCanvas(w, h);
  const out = soft.getContext('2d');
  const blur = (BLUR[traits.background] ?? 7) * (Math.min(w, h) / 256);
  out.drawImage(sharp, 0, 0);
  if (blur) {
    out.filter = `blur(${blur.toFixed(2)}px)`;
    out.drawImage(sharp, 0, 0);
    out.filter = 'none';
  }
  pen.save();
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.imageSmoothingQuality = 'high';
  pen.drawImage(soft, 0, 0, view.width, view.height);
  pen.restore();
}
