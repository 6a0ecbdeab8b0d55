/**
 * Takes what portraits are built from out of Fluent Emoji (Microsoft, MIT; the package is 104 MB) into one small file,
 * src/engines/embedded/renderer/graphics/art/art.json.br: each image is cut into its layers, and every layer is moved into one
 * coordinate system, that of a head in a box of 32 with its eyes at (16.1, 16.7). Run it after a change of the lists
 * below. The package is no dependency: `npm pack @iconify-json/fluent-emoji@1.2.7`, unpacked, is the first argument.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { Resvg } from '@resvg/resvg-js';
import { root } from './tools.mjs';

const { icons } = JSON.parse(readFileSync(path.join(process.argv[2] ?? '', 'icons.json'), 'utf8'));

/** Whole heads: name | image. Their layers are found by where they lie (`layerOfHead`), or listed. */
const HEADS = `
man | man-medium-light
woman | woman-medium-light
person | person-medium-light
boy | boy-medium-light
girl | girl-medium-light
child | child-medium-light
baby | baby-medium-light
older | older-person-medium-light
old-man | old-man-medium-light
old-woman | old-woman-medium-light
bald-man | man-bald-medium-light
bald-woman | woman-bald-medium-light
bald-person | person-bald-medium-light
curly-man | man-curly-hair-medium-light
curly-woman | woman-curly-hair-medium-light | behind=0-498 skin=500-507 nose=508,509 brows=514,515,526,527 front=528-839
`;

/**
 * Parts of images: name | image | layer=indices ... The indices count the elements of the image from behind. The
 * last cell says where the face of the image is, when its eyes are not found by their white: centre and distance
 * of the eyes.
 */
const PARTS = `
body:tee | man-artist-medium-light | cloth=0-3,10,26-28 skin=23
body:smock | man-artist-medium-light | cloth=0-4,10,26-28 accent=5-9,11 skin=23
body:shirt | man-factory-worker-medium-light | cloth=0-8,11-14 keep=15,16 skin=17
body:chef | man-cook-medium-light | cloth=0-10 keep=11,14-19 accent=12,13,22-29
body:labcoat | man-health-worker-medium-light | cloth=0-6,9-14,19-32 accent=15,16 skin=33
body:stethoscope | man-health-worker-medium-light | keep=34-47
body:suit | man-office-worker-medium-light | cloth=0-3,7-12,14,17 keep=4-6,15,16 accent=13,18-20 skin=21
body:tuxedo | man-in-tuxedo-medium-light | cloth=0-8,19-24 keep=9-18,25-28 accent=33-36 skin=29-32
body:police | man-police-officer-medium-light | cloth=0-9,14-17 accent=10-13 keep=19,20 skin=18
body:pilot | man-pilot-medium-light | cloth=0-6,13-17 keep=7-11,18-21,44,45 accent=12,43 skin=22
body:vest | man-construction-worker-medium-light | cloth=0,1,16-19 accent=2-15 skin=20-22
body:overalls | man-farmer-medium-light | accent=4-12 cloth=23-29 keep=13 skin=14,15
body:mechanic | man-mechanic-medium-light | accent=0-14 cloth=17-21 keep=22,23 skin=24
body:firefighter | man-firefighter-medium-light | cloth=1-17 keep=49-56
body:spacesuit | man-astronaut-medium-light | cloth=0-14,22-24 keep=15-21
body:coat | man-detective-medium-light | cloth=0-5,11-15,33,34 keep=6-10,20-24,26-30 accent=16-19 skin=31,32
body:gown | man-student-medium-light | cloth=0-8,23-28 skin=10-12
body:judge | woman-judge-medium-light | cloth=1-10,21-23 skin=11-13 accent=27
body:hero | man-superhero-medium-light | accent=0-2,16,17 cloth=3-15 keep=18,19 skin=20,21
body:villain | man-supervillain-medium-light | accent=0,1,18-36 cloth=2-17 keep=37
body:vampire | man-vampire-medium-light | accent=0,2,17-21 cloth=1,3-16 keep=22,23,30-33
body:ninja | ninja-medium-light | cloth=16-43
body:prince | prince-medium-light | cloth=0-11,47,48 keep=12-46,49,54,50 skin=51-53
body:princess | princess-medium-light | cloth=2-16,23-28 skin=17-22,41-44
body:pearls | princess-medium-light | keep=29-40
body:tunic | man-elf-medium-light | cloth=7-20 accent=21-30 skin=31-35,64
body:singer | man-singer-medium-light | cloth=5-14 accent=1-4,15,16 skin=18-20
body:guard | man-guard-medium-light | cloth=0-7 keep=8-14,16-21 skin=15
body:hijab | woman-with-headscarf-medium-light | cloth=0-10
body:changshan | person-with-skullcap-medium-light | cloth=0-5,15-19 keep=6-14
hat:chef | man-cook-medium-light | cloth=62-67
hat:hardhat | man-construction-worker-medium-light | cloth=51-64
hat:police | man-police-officer-medium-light | cloth=53,54,58-61 keep=57,55,56
hat:pilot | man-pilot-medium-light | cloth=46-49 keep=50-57
hat:cap | man-mechanic-medium-light | cloth=53,54
hat:fedora | man-detective-medium-light | cloth=78-81 accent=82-85
hat:firefighter | man-firefighter-medium-light | behind=0 cloth=44-48,68-72 keep=57,63
hat:straw | man-farmer-medium-light | cloth=0-3
hat:wizard | man-mage-medium-light | cloth=10-13,17-24 accent=14-16
hat:crown | prince-medium-light | keep=81-109
hat:tiara | princess-medium-light | keep=78-98
hat:graduation | man-student-medium-light | cloth=55-58 accent=13-22
hat:beret | man-artist-medium-light | cloth=64-67
hat:bearskin | man-guard-medium-light | cloth=45-48
hat:beanie | person-with-skullcap-medium-light | cloth=47,48 accent=51-54
hat:turban | man-wearing-turban-medium-light | cloth=27-44
hat:hijab | woman-with-headscarf-medium-light | cloth=35-40
hat:santa | santa-claus-medium-light | behind=0-2 keep=29-32,50-55 | 14.85 14.8 8.8
hat:space | man-astronaut-medium-light | behind=25-37 cloth=59
hat:welder | man-factory-worker-medium-light | behind=9,10,64-66 cloth=67-71 keep=72-74
hat:cowboy | cowboy-hat-face | cloth=3-7,12-20 | 16 14 9.4
hat:tophat | top-hat | cloth=0,2,4,5 accent=3 | 16 35 9.4
hat:circlet | man-elf-medium-light | keep=78-84
ears:elf | man-elf-medium-light | skin=36-43
ears:vampire | man-vampire-medium-light | skin=46-52
beard:full | man-beard-medium-light | hair=26-28
beard:santa | santa-claus-medium-light | hair=19-27 | 14.85 14.8 8.8
beard:handlebar | santa-claus-medium-light | hair=35-37 | 14.85 14.8 8.8
beard:short | man-genie | hair=44-47,85-90
glasses:square | man-teacher-medium-light | keep=59
glasses:sun | sunglasses | keep=0-6 | 16 15.7 14
glasses:goggles | man-scientist-medium-light | keep=72,73
mask:hero | man-superhero-medium-light | accent=28,29
mask:villain | man-supervillain-medium-light | accent=59-62
clown:wig | clown-face | hair=0-8 | 16.1 13.2 9
clown:paint | clown-face | keep=12,13 | 16.1 13.6 9
clown:nose | clown-face | keep=21,22 | 16.1 15.2 9
`;

/**
 * Bodies of people from head to foot, for scenes: name | image | limb.role=indices ... Limbs are turned about their joints
 * (`figures.ts`); heads are those of portraits. The last limb lies before the others.
 */
const FIGURES = `
walking-man | man-walking-medium-light | armFar.skin=21,35,36 armFar.cloth=22 neck.skin=0-2 legFar.legs=10,43 legFar.keep=17-20 legNear.legs=11,42 legNear.keep=12-16 torso.cloth=23-28 armNear.skin=29,31,32 armNear.cloth=33,34
walking-woman | woman-walking-medium-light | armFar.skin=21,34,35 armFar.cloth=22 neck.skin=0 legFar.legs=9,43 legFar.keep=16-19 legNear.legs=10,42 legNear.keep=11-15 torso.cloth=23-28 armNear.skin=29,31,32 armNear.cloth=33
standing-man | man-standing-medium-light | armFar.skin=0,2 armFar.cloth=6-10 armNear.skin=1,3-5,11 armNear.cloth=12-14 legNear.legs=15-19,28 legNear.keep=25-27 torso.cloth=20-23 neck.skin=24
standing-woman | woman-standing-medium-light | armFar.skin=1,3 armFar.cloth=8-12 armNear.skin=2,4-7 armNear.cloth=13-15 legNear.legs=16-20,29 legNear.keep=26-28 torso.cloth=21-23 neck.skin=24,25
`;

/** Heads of animals and others, as they are but for eyes and mouth, which are drawn anew: name | image | left out. */
const BEASTS = `
cat | cat-face | 28-36
dog | dog-face | 15-22,32-38
fox | fox | 16-21,32-37
lion | lion | 33-38
tiger | tiger-face | 19-22,43-45
bear | bear | 15-22,28-31
polar-bear | polar-bear | 20-27,32-36
panda | panda | 22-33
koala | koala | 22-29,35,36
rabbit | rabbit-face | 28-32,36-38,43
mouse | mouse-face | 10-16
hamster | hamster | 12,16-21,27-31
monkey | monkey-face | 19-25,32,33
cow | cow-face | 3,31-39
pig | pig-face | 26-33
frog | frog | 4,6
wolf | wolf | 24-34,42,43
raccoon | raccoon | 27-32,45-49
robot | robot | 7,16-19
alien | alien | 5-18
ghost | ghost | 14-20
`;

const cells = (table) =>
  table
    .trim()
    .split('\n')
    .map((row) => row.split('|').map((cell) => cell.trim()));
const numbers = (list) =>
  list.split(',').flatMap((range) => {
    const [from, to = from] = range.split('-').map(Number);
    return Array.from({ length: to - from + 1 }, (_, i) => from + i);
  });

/** An image's elements from behind, and its gradients and filters by id. */
function elementsOf(name) {
  const body = icons[name]?.body;
  if (!body) throw new Error(`No image ${name}.`);
  const defs = new Map();
  let rest = body.replace(/<defs>(.*?)<\/defs>/gs, (_, inside) => {
    for (const one of tops(inside)) defs.set(/ id="([^"]+)"/.exec(one)[1], one);
    return '';
  });
  // The outermost groups say nothing but fill="none" and the box.
  let elements = tops(rest);
  while (elements.length === 1 && /^<g (fill="none"|clip-path="[^"]*")>/.test(elements[0])) {
    rest = elements[0].replace(/^<g [^>]*>/, '').replace(/<\/g>$/, '');
    elements = tops(rest);
  }
  return { elements, defs };
}

/** The elements at the top of a piece of SVG. */
function tops(svg) {
  const out = [];
  let [depth, start] = [0, 0];
  for (const { 0: tag, index } of svg.matchAll(/<\/?[a-zA-Z]+[^>]*>/g)) {
    if (depth === 0) start = index;
    if (tag.startsWith('</')) depth--;
    else if (!tag.endsWith('/>')) depth++;
    if (depth === 0) out.push(svg.slice(start, index + tag.length));
  }
  return out;
}

/** Where an element lies, in the image's box. */
function boxOf(element) {
  const plain = element.replace(/ filter="[^"]*"/g, '').replace(/url\(#[^)]*\)/g, '#f00');
  const box = new Resvg(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 800" width="800" height="800"><g fill="none" transform="translate(200 200) scale(10)">${plain}</g></svg>`,
  ).innerBBox();
  if (!box) return { x: 0, y: 0, w: 0, h: 0 };
  return { x: (box.x - 200) / 10, y: (box.y - 200) / 10, w: box.width / 10, h: box.height / 10 };
}

const EYE = /#(694B43|C7A7A3|B4948D|635D5F|36292E|2D2B2E|272528|252328|81594F|79514A|4D312A|734D45|FF809E)/i;
const LIPS = /^#8[5-9]0[0-2]/i;

function coloursOf(element, defs) {
  const own = [...element.matchAll(/(?:fill|stroke)="(#[^"]+)"/g)].map((m) => m[1]);
  const used = [...element.matchAll(/url\(#([^)]+)\)/g)].map((m) => defs.get(m[1]) ?? '');
  return [...own, ...used.flatMap((def) => [...def.matchAll(/stop-color="(#[^"]+)"/g)].map((m) => m[1]))];
}

/** The layer of one element of a head; undefined for eyes, lashes and mouth, which are drawn anew. */
function layerOfHead(box, colours, faceSeen) {
  const [cx, bottom] = [box.x + box.w / 2, box.y + box.h];
  const inEyes = box.y > 14 && bottom < 21.2 && box.h < 3.8;
  if (inEyes && box.w > 1 && (/^#(fff|000)$/i.test(colours[0] ?? '') || colours.some((c) => EYE.test(c))))
    return undefined;
  if (inEyes && box.w < 2.2) return undefined;
  if (box.y > 21.8 && bottom < 27 && box.w > 6 && box.w < 8.4 && box.h < 3.2) return undefined;
  if (LIPS.test(colours[0] ?? '')) return undefined;
  if (
    box.w < 6.2 &&
    box.h < 3.8 &&
    box.y > 11.2 &&
    bottom < 16.2 &&
    (Math.abs(cx - 11.2) < 1.6 || Math.abs(cx - 20.9) < 1.6)
  )
    return 'brows';
  if (Math.abs(cx - 15.9) < 0.9 && box.w < 4.8 && box.y > 15.9 && bottom < 24) return 'nose';
  if (box.w < 3.6 && box.h < 2.3 && box.y > 17.5 && bottom < 22) return 'marks';
  if (box.w > 5 && box.w < 11 && box.h < 1.3 && box.y > 7 && bottom < 12) return 'marks';
  if (
    (cx < 9.2 || cx > 22.5) &&
    box.w < 7.3 &&
    box.w > 2.5 &&
    box.y > 14 &&
    box.y < 18.2 &&
    box.h > 3 &&
    box.h < 7.3 &&
    box.h / box.w < 2.2
  )
    return 'skin';
  if (box.w > 17 && box.w < 22.9 && box.h > 18 && bottom > 28.8) return 'skin';
  if (box.x > 15 && bottom < 15 && box.y > 5.5 && box.h > 5.5 && colours.every(isSkin)) return 'skin';
  return faceSeen && box.y < 19.5 ? 'front' : 'behind';
}

/** Warm and reddish, as highlights of skin are; blond hair is yellower. */
function isSkin(hex) {
  const n = Number.parseInt(hex.slice(1), 16);
  const [r, g, b] = [(n >> 16) & 255, (n >> 8) & 255, n & 255];
  return r > g && g > b && r - g > 40 && g - b < 50;
}

/** Where the eyes are: their white is two elements of the same height, or named by the list. */
function eyesIn(elements, _defs) {
  const whites = elements
    .filter((element) => /^<path[^>]*fill="#fff"/.test(element))
    .map(boxOf)
    .filter(({ w, h }) => w > 2.4 && w < 6.6 && h > 1.2 && h < 3.6 && w / h > 1.6);
  if (whites.length !== 2) return undefined;
  const [left, right] = whites.sort((a, b) => a.x - b.x);
  return {
    x: (left.x + left.w / 2 + right.x + right.w / 2) / 2,
    y: left.y + left.h / 2,
    apart: right.x + right.w / 2 - left.x - left.w / 2,
    left,
    right,
  };
}

const round = (value) => String(Math.round(value * 1000) / 1000);
/** One layer as SVG: its elements, moved, with the definitions that they use. */
function svgOf(indices, { elements, defs }, move) {
  const body = indices.map((index) => elements[index]).join('');
  const used = new Set();
  const collect = (text) => {
    for (const [, id] of text.matchAll(/url\(#([^)]+)\)/g)) {
      if (used.has(id)) continue;
      used.add(id);
      collect(defs.get(id) ?? '');
    }
  };
  collect(body);
  const ids = [...used];
  let svg = `<g fill="none"${move ? ` transform="matrix(${move.map(round).join(' ')})"` : ''}>${body}</g><defs>${ids.map((id) => defs.get(id)).join('')}</defs>`;
  ids.forEach((id, i) => {
    svg = svg.replaceAll(`url(#${id})`, `url(#${i.toString(36)})`).replaceAll(` id="${id}"`, ` id="${i.toString(36)}"`);
  });
  return svg.replace(/(\d+\.\d{3})\d+/g, '$1').replace(/#([0-9a-f])([0-9a-f])([0-9a-f])(?=")/gi, '#$1$1$2$2$3$3');
}

const CENTRE = { x: 16.1, y: 16.7, apart: 8.9 };
const art = { heads: {}, parts: {}, beasts: {}, figures: {} };

for (const [name, image, lists] of cells(HEADS)) {
  const source = elementsOf(image);
  const layers = {};
  let faceSeen = false;
  for (const [index, element] of lists ? [] : source.elements.entries()) {
    const layer = layerOfHead(boxOf(element), coloursOf(element, source.defs), faceSeen);
    if (layer === undefined) continue;
    if (layer === 'skin') faceSeen = true;
    layers[layer] = [...(layers[layer] ?? []), index];
  }
  if (lists) for (const [layer, list] of lists.split(' ').map((cell) => cell.split('='))) layers[layer] = numbers(list);
  const eyes = eyesIn(source.elements);
  const eyeBoxes = eyes ?? { left: { x: 8.6, y: 17.4, w: 5.4, h: 3.2 }, right: { x: 17.9, y: 17.4, w: 5.4, h: 3.2 } };
  // The white of the baby's eyes is one element.
  const [left, right] = [eyeBoxes.left, eyeBoxes.right];
  const dx = CENTRE.x - (left.x + left.w / 2 + right.x + right.w / 2) / 2;
  const dy = CENTRE.y - (left.y + left.h / 2);
  art.heads[name] = {
    eyes: [left, right].map(({ x, y, w, h }) => [x + dx, y + dy, w, h].map((v) => Math.round(v * 100) / 100)),
    ...Object.fromEntries(
      Object.entries(layers).map(([layer, indices]) => [layer, svgOf(indices, source, [1, 0, 0, 1, dx, dy])]),
    ),
  };
}

for (const [name, image, lists, face] of cells(PARTS)) {
  const source = elementsOf(image);
  let eyes = eyesIn(source.elements);
  if (face) {
    const [x, y, apart] = face.split(' ').map(Number);
    eyes = { x, y, apart };
  }
  if (!eyes) throw new Error(`No eyes in ${image}: say where they are.`);
  const k = CENTRE.apart / eyes.apart;
  const move = [k, 0, 0, k, CENTRE.x - eyes.x * k, CENTRE.y - eyes.y * k];
  // Elements of different roles lie over one another: what is painted stays in its order, separated by role.
  const roles = lists.split(' ').map((list) => list.split('='));
  const roleOf = new Map(roles.flatMap(([role, list]) => numbers(list).map((index) => [index, role])));
  const order = [...roleOf.keys()].sort((a, b) => a - b);
  const runs = [];
  for (const index of order) {
    const role = roleOf.get(index);
    if (runs.at(-1)?.role === role) runs.at(-1).indices.push(index);
    else runs.push({ role, indices: [index] });
  }
  art.parts[name] = runs.map(({ role, indices }) => [role, svgOf(indices, source, move)]);
}

for (const [name, image, out] of cells(BEASTS)) {
  const source = elementsOf(image);
  const left = new Set(out ? numbers(out) : []);
  art.beasts[name] = svgOf(
    source.elements
      .keys()
      .filter((index) => !left.has(index))
      .toArray(),
    source,
  );
}

for (const [name, image, lists] of cells(FIGURES)) {
  const source = elementsOf(image);
  art.figures[name] = lists.split(' ').map((list) => {
    const [limb, role, indices] = list.split(/[.=]/);
    return [
      limb,
      role,
      svgOf(
        numbers(indices).sort((a, b) => a - b),
        source,
      ),
    ];
  });
}

const json = JSON.stringify(art);
const packed = brotliCompressSync(json, {
  params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 },
});
writeFileSync(path.join(root, 'src/engines/embedded/renderer/graphics/art/art.json.br'), packed);
console.log(`${json.length} characters, ${packed.length} bytes packed`);
