/**
 * Heads that are no people's: where their eyes and mouth are painted, in units of their art, and what else their faces
 * need. The art itself is in `art.json.br`, what it lacks in `own-beasts.ts`.
 */

/** What is painted on such a head, in units of the art. */
export interface Beast {
  /** 'pill' and 'round' are dark; 'lamp' glows; 'almond' is the alien's. */
  eyes: { kind: 'pill' | 'round' | 'lamp' | 'almond'; left: number; right: number; y: number; rx: number; ry: number };
  /** 'muzzle' curls on both sides of the middle; 'smile' is a line; 'slot' the robot's. */
  mouth: { kind: 'muzzle' | 'smile' | 'slot'; x: number; y: number; w: number };
  /** Where the head ends. */
  chin: number;
  /** '#rrggbb' of the art: what is dyed, and the shoulders' colour. */
  fur: string;
  /** Bare shoulders for those who wear nothing of their own. */
  body?: string;
}

/** Name | eyes: kind, left, right, y, half sizes | mouth: kind, x, y, width | chin | fur. */
const TABLE = `
cat | pill 12 20 18.600 .95 1.600 | muzzle 15.900 22.400 7.600 | 30 | #efa92a
dog | pill 13 19 13.500 .9 1.550 | muzzle 16 20.200 7.600 | 29 | #eeb184
fox | pill 12.200 19.800 18.500 .9 1.600 | muzzle 16 23.600 6 | 29.500 | #f58a3c
lion | pill 12 20 14.600 .95 1.600 | muzzle 16 20.700 6.800 | 27 | #efad48
tiger | pill 12 20 15.400 .95 1.600 | muzzle 16 22 7.200 | 30 | #f28a3e
bear | pill 12 20 16.200 .95 1.600 | muzzle 16 22 7.400 | 29 | #9b665c
polar-bear | pill 12 20 15.600 .95 1.600 | muzzle 16 21.300 7.400 | 29 | #e6e2ec
panda | pill 12 20 16.500 .95 1.600 | muzzle 16 22.300 7.400 | 29.500 | #e6def2
koala | pill 10 21.900 16.600 .95 1.600 | smile 16 26.500 4.200 | 28 | #aaa5b2
rabbit | pill 13 19.500 18.500 .95 1.600 | muzzle 16.200 23.200 7.400 | 30 | #dcd8e2
mouse | pill 12 20 20.500 .95 1.600 | muzzle 16 25.600 4.400 | 28.500 | #c9c0d8
hamster | pill 12 20 19.500 .95 1.600 | muzzle 16 24.700 5.800 | 30 | #f6b083
monkey | pill 13 19 14.900 .95 1.650 | smile 16 21.600 7 | 29 | #9a6458
cow | pill 12 20 14.500 .95 1.600 | smile 16 24.800 7 | 28 | #e4e0e8
pig | pill 12.400 20.900 16.400 .9 1.450 | smile 16.600 27 5 | 30 | #fb86a8
frog | round 9.500 22.500 8.500 2.500 2.600 | smile 16 19.500 13 | 29 | #55d894
wolf | pill 12 20 15.500 .95 1.600 | muzzle 16 24.800 5.600 | 30 | #908e92
raccoon | pill 12 20.100 19.600 .95 1.600 | muzzle 16 24.900 6 | 29.800 | #a8a2b0
robot | lamp 10.200 21.800 14.500 1.350 2.500 | slot 16 24.500 7 | 30 | #cfc3dc
horse | pill 10.800 21.200 13.600 .95 1.600 | smile 16 27.200 6.400 | 31 | #9a6850
unicorn | pill 10.800 21.200 13.600 .95 1.600 | smile 16 27.200 6.400 | 31 | #9a6850
zebra | pill 10.800 21.200 13.600 .95 1.600 | smile 16 27.200 6.400 | 31 | #9a6850
camel | pill 10.800 21.200 13.600 .95 1.600 | smile 16 27.200 6.400 | 31 | #9a6850
giraffe | pill 10.800 21.200 13.600 .95 1.600 | smile 16 27.200 6.400 | 31 | #9a6850
sheep | pill 11.800 20.200 15.200 .9 1.500 | smile 16 26.600 4 | 30 | #e4dfea
ram | pill 11.800 20.200 15.200 .9 1.500 | smile 16 26.600 4 | 30 | #e4dfea
goat | pill 11.800 20.200 14.800 .9 1.500 | smile 16 26.600 4.400 | 30 | #cfa680
deer | pill 11.900 20.100 14.600 .95 1.600 | smile 16 26.700 4.400 | 30 | #c08355
kangaroo | pill 11.900 20.100 14.600 .95 1.600 | smile 16 26.700 4.400 | 30 | #c08355
elephant | pill 11 21 12.800 .95 1.600 | smile 18.900 24.600 4.600 | 30 | #a6a0b0
lizard | round 9.800 22.200 10.200 1.500 1.900 | smile 16 23 12 | 30 | #3fbc80
dragon | round 9.800 22.200 10.800 1.500 1.900 | smile 16 23 12 | 30 | #3fbc80
bird | pill 10.600 21.400 13.600 .95 1.600 | smile 16 23.400 4.600 | 30 | #fac548
parrot | pill 10.600 21.400 13.600 .95 1.600 | smile 16 24.700 4.600 | 30 | #fac548
duck | pill 10.600 21.400 13.600 .95 1.600 | smile 16 24.200 4.600 | 30 | #fac548
rooster | pill 10.600 21.400 13.600 .95 1.600 | smile 16 22.900 3.600 | 30 | #fac548
penguin | pill 10.800 21.200 13.800 .95 1.600 | smile 16 23.400 4.600 | 30 | #4a3a70
owl | round 10.800 21.200 14 1.900 2 | smile 16 24.400 4 | 30 | #8a5d49
octopus | pill 11.400 20.600 13.600 .95 1.600 | smile 16 18.800 5.600 | 30 | #d9668e
skull | lamp 10.800 21.200 14.800 .9 1.200 | smile 16 25.600 7 | 30 | #ece8f2
snowman | round 11.400 20.600 12.600 1.200 1.500 | smile 16 22.600 8 | 30 | #eef3fa
pumpkin | lamp 10.600 21.400 14.600 1.900 2 | smile 16 22.400 10 | 30 | #f08a2c
phoenix | pill 10.600 21.400 13.600 .95 1.600 | smile 16 24.700 4.600 | 30 | #fac548
alien | almond 9.400 22.600 16.800 5 6.700 | smile 16 25.300 4.600 | 30 | #74dd74
ghost | round 12.700 19.500 9.600 1.450 1.900 | smile 16 14.800 5 | 30 | #e4d6ee
`;

const numbersIn = (cells: string[]) => cells.map(Number) as [number, number, number, number, number];

export const BEASTS: Readonly<Record<string, Beast>> = Object.fromEntries(
  TABLE.trim()
    .split('\n')
    .map((row) => {
      const [name = '', eyes = '', mouth = '', chin = '', fur = ''] = row.split('|').map((cell) => cell.trim());
      const [look = '', ...places] = eyes.split(' ');
      const [shape = '', ...where] = mouth.split(' ');
      const [left, right, y, rx, ry] = numbersIn(places);
      const [mx, my, w] = numbersIn(where);
      return [
        name,
        {
          eyes: { kind: look as Beast['eyes']['kind'], left, right, y, rx, ry },
          mouth: { kind: shape as Beast['mouth']['kind'], x: mx, y: my, w },
          chin: Number(chin),
          fur,
        },
      ];
    }),
);
