/**
 * Animals whose head alone is a portrait: which emoji it is, where its face lies, and the fur of the shoulders where the
 * head misleads. All in the emoji's box of 128 by 128.
 */

export interface Head {
  emoji: string;
  /** Middles of the eyes and their half sizes. */
  eyes: { left: number; right: number; y: number; rx: number; ry: number };
  mouth: { x: number; y: number; w: number };
  chin: number;
  /** '#rrggbb'; absent: the mean of the head's own. */
  fur?: string;
}

/** Sprite | emoji | eyes: left, right, y, half sizes | mouth: x, y, width | chin | fur. */
const TABLE = `
cat | cat-face | 39 89 66.5 7.5 8.5 | 64 92 40 | 115 |
black-cat | cat-face | 39 89 66.5 7.5 8.5 | 64 92 40 | 115 |
dog | dog-face | 42 86 71 6 7.5 | 64 100 36 | 116 | #e6c8a6
poodle | dog-face | 42 86 71 6 7.5 | 64 100 36 | 116 | #e6c8a6
cow | cow-face | 49 84 57 5.5 7 | 64 107 34 | 120 | #e8e2dc
pig | pig-face | 36 90 69 6.5 7.5 | 63 97 50 | 119 |
rabbit | rabbit-face | 48 80 76 4.5 6.5 | 64 103 20 | 122 |
mouse | mouse-face | 41 85 78 5.5 7 | 63 97 26 | 116 |
tiger | tiger-face | 41 89 42 6.5 6.5 | 63 94 42 | 122 | #ee8512
monkey | monkey-face | 48 78 60 6 7.5 | 63.5 84 42 | 112 |
hamster | hamster | 40 80 70 5 6.5 | 60 97 32 | 118 |
own:fox | fox | 48 80 72 5.5 7 | 64 115 20 | 121 | #f0611a
own:wolf | wolf | 41 80 60 6.5 7.5 | 60 110 26 | 124 |
own:bear | bear | 41 86 59 6.5 7.5 | 64 95 28 | 119 |
own:lion | lion | 46 77 49 4.5 4.5 | 62 81 22 | 102 | #d99a2c
own:panda | panda | 43 88 64 7.5 8.5 | 65 96 38 | 118 | #34373c
own:koala | koala | 38 90 60 6 8 | 64 97 30 | 112 |
own:frog | frog | 33 94 42 7.5 9 | 64 84 62 | 118 | #86b83c
`;

const HEADS = new Map(TABLE.trim().split('\n').map(headIn));

function headIn(row: string): [string, Head] {
  const [name, emoji, eyes, mouth, chin, fur] = row.split('|').map((cell) => cell.trim()) as string[];
  const [left, right, y, rx, ry] = numbersIn(eyes);
  const [x, mouthY, w] = numbersIn(mouth);
  const head = {
    emoji: emoji as string,
    eyes: { left, right, y, rx, ry },
    mouth: { x, y: mouthY, w },
    chin: Number(chin),
  } as Head;
  return [name as string, fur ? { ...head, fur } : head];
}

function numbersIn(cell = ''): number[] {
  return cell.split(' ').map(Number);
}

/** The head of an animal's sprite; undefined for those that are drawn whole only. */
export const headOf = (sprite: string): Head | undefined => HEADS.get(sprite);
