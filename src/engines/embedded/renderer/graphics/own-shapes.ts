/** Plain geometric shapes, in a 128 x 128 box: flat ones, and solids with the shading that makes them so. */

const FILL = '#3f7fd6';
const [LIGHT, DARK] = ['#7aa8ec', '#2a5ba6'];

/** A regular polygon that stands on an edge or a corner. @param turn of its first corner, in degrees from the top */
function polygon(corners: number, turn = 0, inner = 1): string {
  const all = Array.from({ length: corners }, (_, i) => {
    const angle = ((turn + (360 / corners) * i - 90) * Math.PI) / 180;
    const r = 60 * (i % 2 ? inner : 1);
    return `${(64 + r * Math.cos(angle)).toFixed(1)} ${(64 + r * Math.sin(angle)).toFixed(1)}`;
  });
  return `<path d="M${all.join('L')}z" fill="${FILL}"/>`;
}

const CUBE = `
<path d="M64 6l52 26v62l-52 28-52-28V32z" fill="${FILL}"/><path d="M64 6l52 26-52 28L12 32z" fill="${LIGHT}"/><path d="M116 32v62l-52 28V60z" fill="${DARK}"/>`;
const SPHERE = `
<defs><radialGradient id="sphere" cx=".36" cy=".3" r=".75"><stop offset="0" stop-color="#a9c8f4"/><stop offset=".45" stop-color="${FILL}"/><stop offset="1" stop-color="#234f94"/></radialGradient></defs><circle cx="64" cy="64" r="59" fill="url(#sphere)"/>`;
const CONE = `
<path d="M64 4l52 104c0 20-104 20-104 0z" fill="${FILL}"/><path d="M64 4l52 104c0 10-26 15-52 15z" fill="${DARK}"/><path d="M64 4L30 117c-12-3-18-6-18-9z" fill="${LIGHT}"/>`;
const CYLINDER = `
<path d="M14 22h100v84c0 24-100 24-100 0z" fill="${FILL}"/><path d="M84 22h30v84c0 10-14 16-30 17z" fill="${DARK}"/><path d="M14 22h18v97c-11-3-18-7-18-13z" fill="${LIGHT}"/><ellipse cx="64" cy="22" rx="50" ry="17" fill="${LIGHT}"/>`;

/** By name, without the `own:` of the noun list. */
export const SHAPES: Readonly<Record<string, () => string>> = {
  circle: () => `<circle cx="64" cy="64" r="60" fill="${FILL}"/>`,
  square: () => `<path d="M6 6h116v116H6z" fill="${FILL}"/>`,
  rectangle: () => `<path d="M4 28h120v72H4z" fill="${FILL}"/>`,
  triangle: () => `<path d="M64 10l60 106H4z" fill="${FILL}"/>`,
  pentagon: () => polygon(5),
  hexagon: () => polygon(6),
  octagon: () => polygon(8, 22.5),
  oval: () => `<ellipse cx="64" cy="64" rx="60" ry="40" fill="${FILL}"/>`,
  'plain-star': () => polygon(10, 0, 0.42),
  cube: () => CUBE,
  sphere: () => SPHERE,
  cone: () => CONE,
  cylinder: () => CYLINDER,
};

/** Seen from the front, without a shadow. */
const FLAT = /^own:(?:circle|square|rectangle|triangle|pentagon|hexagon|octagon|oval|plain-star)$/;

/** True for a shape without depth. */
export const isFlatShape = (sprite: string): boolean => FLAT.test(sprite);

const SHAPE =
  '(?:circle|disc|square|rectangle|triangle|pentagon|hexagon|octagon|oval|ellipse|star|cube|sphere|cone|cylinder)';

/**
 * A text whose shapes are named as such, where one of them has a colour: "a town square" and "a circle of friends" are no
 * shapes, "a red square" is one, and so is "a star" in it. @param colours all words for colours
 */
export function withShapes(text: string, colours: ReadonlyMap<string, string>): string {
  const paints = [...colours.keys()].join('|');
  const coloured = new RegExp(
    `\\b((?:${paints}|wooden|metal|glass|marble|stone)(?: (?:small|big|large|tiny|glowing|floating|shiny|glossy))?) (${SHAPE}s?)\\b(?! (?:shape|fish|fruit|dance))`,
    'gu',
  );
  if (!coloured.test(text) || /\bred square\b.*\b(?:moscow|kremlin)\b/.test(text)) return text;
  return text
    .replace(coloured, '$1 $2 shape')
    .replace(
      new RegExp(
        `\\b((?:an?|one|two|three|four|five|six) (?:small |big |large |tiny )?)(${SHAPE}s?)\\b(?! shape)`,
        'gu',
      ),
      '$1$2 shape',
    )
    .replace(/(?<=s) shape\b/gu, ' shapes')
    .replace(new RegExp(`\\b(${SHAPE})s shapes\\b`, 'gu'), '$1 shapes');
}

/** A text that ends in the bare name of a shape, as the noun list has it: "the triangle". */
export const asShape = (text: string): string => text.replace(new RegExp(`\\b(${SHAPE})s?$`, 'u'), '$1 shape');
