/** Other colours for a piece of art: every shade keeps its distance from the art's own colour, in Oklab. */

type Lab = readonly [l: number, a: number, b: number];

const linear = (byte: number) => {
  const v = byte / 255;
  return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
};
const gamma = (v: number) => Math.round(255 * (v <= 0.0031308 ? v * 12.92 : 1.055 * v ** (1 / 2.4) - 0.055));

/** Oklab of '#rrggbb': lightness 0 to 1, then green to red and blue to yellow, about -0.4 to 0.4. */
function labOf(hex: string): Lab {
  const n = Number.parseInt(hex.slice(1, 7), 16);
  const [r, g, b] = [linear((n >> 16) & 255), linear((n >> 8) & 255), linear(n & 255)];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/** The reverse of `labOf`; what no screen shows is clipped. */
function hexOf([light, a, b]: Lab): string {
  const l = (light + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (light - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (light - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const rgb = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  return `#${rgb
    .map((v) =>
      gamma(Math.min(1, Math.max(0, v)))
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
}

/** Between two colours, 0 the first. */
export function blend(one: string, other: string, share: number): string {
  const [from, to] = [labOf(one), labOf(other)];
  const mixed = (i: 0 | 1 | 2): number => from[i] + (to[i] - from[i]) * share;
  return hexOf([mixed(0), mixed(1), mixed(2)]);
}

/** Lighter (positive) or darker (negative), by lightness of 0 to 1. */
export function lighter(hex: string, by: number): string {
  const [l, a, b] = labOf(hex);
  return hexOf([Math.min(1, Math.max(0, l + by)), a, b]);
}

/** How light a colour looks, 0 to 1. */
export const lightness = (hex: string): number => labOf(hex)[0];

const COLOUR = /#[0-9a-f]{6}(?=")/gi;
/** The colour of a light or shadow inside a shape: the constant column of its matrix. */
const GLOW = /values="0 0 0 0 ([\d.]+) 0 0 0 0 ([\d.]+) 0 0 0 0 ([\d.]+) /g;

/** The mean colour of pieces of art. */
export function meanColour(svgs: readonly string[]): string {
  const all = svgs.flatMap((svg) => svg.match(COLOUR) ?? []).map(labOf);
  const mean = (i: 0 | 1 | 2) => all.reduce((sum, lab) => sum + lab[i], 0) / Math.max(1, all.length);
  return hexOf([mean(0), mean(1), mean(2)]);
}

/** The art with `from` as `to`, its shades likewise. @param tints how much of the shades' own hue stays, 0 to 1 */
export function tinted(svg: string, from: string, to: string, tints = 0.8): string {
  const [base, target] = [labOf(from), labOf(to)];
  const known = new Map<string, string>();
  const dye = (hex: string): string => {
    const made = known.get(hex) ?? shade(labOf(hex), base, target, tints);
    known.set(hex, made);
    return made;
  };
  return svg.replace(COLOUR, dye).replace(GLOW, (_, ...parts: string[]) => {
    const hex = dye(
      `#${parts
        .slice(0, 3)
        .map((part) =>
          Math.round(Number(part) * 255)
            .toString(16)
            .padStart(2, '0'),
        )
        .join('')}`,
    );
    const [r, g, b] = [1, 3, 5].map((at) => (Number.parseInt(hex.slice(at, at + 2), 16) / 255).toFixed(3));
    return `values="0 0 0 0 ${r} 0 0 0 0 ${g} 0 0 0 0 ${b} `;
  });
}

function shade(colour: Lab, base: Lab, target: Lab, tints: number): string {
  const step = colour[0] - base[0];
  // Shadows in proportion, so that black keeps some; lights by as much as there is room for.
  const room = Math.max(0.25, 1 - target[0]) / Math.max(0.25, 1 - base[0]);
  const l = step < 0 ? target[0] * (1 + step / base[0]) : target[0] + step * Math.min(1.15, room);
  const keep = tints * Math.min(1, target[0] / base[0] + 0.1);
  return hexOf([
    Math.min(0.995, Math.max(0.06, l)),
    target[1] + (colour[1] - base[1]) * keep,
    target[2] + (colour[2] - base[2]) * keep,
  ]);
}
