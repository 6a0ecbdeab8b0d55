/** Edits, measured on pixels; and what cannot be done is refused by name. */
import { describe, expect, test } from '@jest/globals';
import { type Canvas, emptyCanvas } from '../../../../src/engines/embedded/renderer/graphics/canvas.ts';
import { toHsl } from '../../../../src/engines/embedded/renderer/graphics/colour.ts';
import { applyEdits } from '../../../../src/engines/embedded/renderer/graphics/edit/apply.ts';
import { readEdits } from '../../../../src/engines/embedded/renderer/graphics/edit/read.ts';

/** Red left, green right, a white disc off the middle. */
function specimen(width = 400, height = 300): Canvas {
  const { canvas, ctx } = emptyCanvas(width, height);
  ctx.fillStyle = '#c03020';
  ctx.fillRect(0, 0, width / 2, height);
  ctx.fillStyle = '#208040';
  ctx.fillRect(width / 2, 0, width / 2, height);
  ctx.fillStyle = '#ffffff';
  ctx.beginPath();
  ctx.arc(width * 0.25, height * 0.3, height * 0.12, 0, 7);
  ctx.fill();
  return canvas;
}

function plain(colour: string, width = 400, height = 300): Canvas {
  const { canvas, ctx } = emptyCanvas(width, height);
  ctx.fillStyle = colour;
  ctx.fillRect(0, 0, width, height);
  return canvas;
}

const at = (canvas: Canvas, x: number, y: number): [number, number, number] => {
  const [r, g, b] = canvas.getContext('2d').getImageData(Math.round(x), Math.round(y), 1, 1).data;
  return [r as number, g as number, b as number];
};
const pixels = (canvas: Canvas) => canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
const edit = (prompt: string, ...images: Canvas[]) => applyEdits(images, readEdits(prompt, images.length), 5);
const isSame = (a: Canvas, b: Canvas): boolean => Buffer.from(pixels(a)).equals(Buffer.from(pixels(b)));
function meanOf(canvas: Canvas): number {
  const data = pixels(canvas);
  return data.reduce((sum, v) => sum + v, 0) / data.length;
}
/** Largest step between neighbours: how sharp the sharpest edge is. */
function detail(canvas: Canvas): number {
  const data = pixels(canvas);
  let most = 0;
  for (let i = 4; i < data.length; i += 4)
    if ((i / 4) % canvas.width) most = Math.max(most, Math.abs((data[i] as number) - (data[i - 4] as number)));
  return most;
}

describe('operations', () => {
  test('grey: r = g = b everywhere', () => {
    const data = pixels(edit('make it black and white', specimen()));
    let coloured = 0;
    for (let i = 0; i < data.length; i += 4) if (data[i] !== data[i + 1] || data[i + 1] !== data[i + 2]) coloured++;
    expect(coloured).toBe(0);
  });

  test('sepia is warm, cool is bluer, invert inverts', () => {
    const [r, g, b] = at(edit('sepia', plain('#808080')), 9, 9);
    expect(r).toBeGreaterThan(g);
    expect(g).toBeGreaterThan(b);
    expect(at(edit('make it cooler', plain('#808080')), 9, 9)[2]).toBeGreaterThan(150);
    expect(at(edit('warmer please', plain('#808080')), 9, 9)[0]).toBeGreaterThan(150);
    expect(at(edit('invert the colours', plain('#102030')), 9, 9)).toEqual([239, 223, 207]);
  });

  test('flip mirrors exactly, twice is nothing', () => {
    const source = specimen();
    const flipped = edit('flip horizontally', source);
    expect(at(flipped, 10, 150)).toEqual(at(source, 389, 150));
    expect(at(flipped, 300, 90)).toEqual([255, 255, 255]);
    expect(isSame(edit('mirror it', flipped), source)).toBe(true);
    expect(at(edit('flip vertically', source), 100, 210)).toEqual([255, 255, 255]);
  });

  test('crop sizes', () => {
    const size = (prompt: string) => {
      const { width, height } = edit(prompt, specimen());
      return [width, height];
    };
    expect(size('crop to a square')).toEqual([300, 300]);
    expect(size('crop to the left half')).toEqual([200, 300]);
    expect(size('crop the bottom half')).toEqual([400, 150]);
    expect(size('crop the centre')).toEqual([300, 225]);
    expect(size('crop to 16:9')).toEqual([400, 225]);
    expect(at(edit('crop to the right half', specimen()), 5, 5)).toEqual([0x20, 0x80, 0x40]);
  });

  test('rotation turns the image in the direction that is asked for', () => {
    const right = edit('rotate 90 degrees', specimen());
    expect([right.width, right.height]).toEqual([300, 400]);
    expect(at(right, 150, 10)).toEqual([0xc0, 0x30, 0x20]);
    expect(at(edit('rotate 90 degrees counterclockwise', specimen()), 150, 10)).toEqual([0x20, 0x80, 0x40]);
    expect(at(edit('turn it upside down', specimen()), 10, 10)).toEqual([0x20, 0x80, 0x40]);
    const slanted = edit('rotate by 10 degrees', specimen());
    expect(slanted.getContext('2d').getImageData(0, 0, 1, 1).data[3]).toBe(255);
  });

  test('tint gives the hue asked for and keeps light and dark', () => {
    for (const [word, hue] of [
      ['blue', 217],
      ['red', 2],
      ['green', 129],
    ] as const) {
      const [h] = toHsl(at(edit(`make it ${word}`, plain('#907050')), 50, 50));
      expect(Math.abs(((h - hue + 540) % 360) - 180)).toBeLessThan(12);
    }
    const tinted = edit('tint it purple', specimen());
    expect(meanOf(tinted)).toBeGreaterThan(60);
  });

  test('brightness, contrast, saturation, night', () => {
    const source = specimen();
    expect(meanOf(edit('brighten', source))).toBeGreaterThan(meanOf(source) + 8);
    expect(meanOf(edit('darken a bit', source))).toBeLessThan(meanOf(source) - 3);
    expect(meanOf(edit('much darker', source))).toBeLessThan(meanOf(edit('darken a bit', source)));
    expect(at(edit('more contrast', plain('#a0a0a0')), 5, 5)[0]).toBeGreaterThan(0xa0 + 10);
    expect(at(edit('less contrast', plain('#e0e0e0')), 5, 5)[0]).toBeLessThan(0xe0 - 10);
    expect(at(edit('more colourful', plain('#906060')), 5, 5)[0]).toBeGreaterThan(0x98);
    const night = at(edit('make it night', plain('#b0b0a0')), 5, 5);
    expect(night[2]).toBeGreaterThan(night[0]);
    expect(night[0]).toBeLessThan(90);
  });

  test('blur takes detail away, sharpen and pixelate change it, vignette darkens corners only', () => {
    const source = specimen();
    expect(detail(edit('blur', source))).toBeLessThan(detail(source) / 2);
    expect(at(edit('blur it', source), 200, 250)).not.toEqual(at(source, 200, 250));
    const blocks = edit('pixelate', source);
    expect(at(blocks, 1, 1)).toEqual(at(blocks, 4, 4));
    const dark = edit('vignette', plain('#c0c0c0'));
    expect(at(dark, 200, 150)[0]).toBe(0xc0);
    expect(at(dark, 1, 1)[0]).toBeLessThan(0x70);
    expect(at(edit('blur the background', source), 200, 162)).toEqual(at(source, 200, 162));
  });

  test('posterize leaves few tones; sketch is nearly colourless; cartoon and painting keep the size', () => {
    const tones = new Set(pixels(edit('posterize', specimen())));
    expect(tones.size).toBeLessThanOrEqual(7);
    const [r, g, b] = at(edit('pencil sketch', specimen()), 60, 200);
    expect(Math.max(r, g, b) - Math.min(r, g, b)).toBeLessThan(12);
    for (const manner of ['cartoon', 'watercolor painting']) expect(edit(manner, specimen()).width).toBe(400);
  });

  test('a frame goes round the image and covers nothing', () => {
    const framed = edit('add a thick blue frame', specimen());
    const edge = (framed.width - 400) / 2;
    expect(edge).toBeGreaterThan(20);
    expect(at(framed, edge / 2, framed.height / 2)).toEqual([0x2f, 0x6f, 0xd6]);
    expect(at(framed, edge + 100, edge + 90)).toEqual([255, 255, 255]);
  });

  test('weather and subjects are added where the instruction says', () => {
    const ground = plain('#406080', 600, 400);
    for (const what of [
      'add rain',
      'add snow',
      'make it foggy',
      'add stars',
      'add a rainbow',
      'add fireworks',
      'add bubbles',
    ]) {
      expect(isSame(edit(what, ground), ground)).toBe(false);
    }
    const cat = edit('add a cat in the top right', ground);
    const changed = (canvas: Canvas, x0: number, y0: number) => {
      let count = 0;
      for (let y = y0; y < y0 + 200; y += 4)
        for (let x = x0; x < x0 + 300; x += 4) if (`${at(canvas, x, y)}` !== `${at(ground, x, y)}`) count++;
      return count;
    };
    expect(changed(cat, 300, 0)).toBeGreaterThan(200);
    expect(changed(cat, 0, 200)).toBe(0);
    expect(readEdits('add a cat and a red balloon in the top left', 1)).toMatchObject([
      { op: 'add', subject: { sprite: 'cat' }, at: undefined },
      { op: 'add', subject: { sprite: 'balloon', colour: '#d8342f' }, at: { x: 0.2 } },
    ]);
  });

  test('operations run in order of mention', () => {
    expect(readEdits('crop to a square, then make it sepia and add a white border', 1).map(({ op }) => op)).toEqual([
      'crop',
      'sepia',
      'frame',
    ]);
    expect(readEdits('caption "Hi" at the top, then blur', 1)).toMatchObject([
      { op: 'caption', words: 'Hi', where: 'top' },
      { op: 'blur' },
    ]);
  });
});

describe('several references', () => {
  const colours = ['#c02020', '#20c020', '#2020c0', '#c0c020', '#20c0c0'];

  test('collage areas hold each image', () => {
    const row = edit('put these side by side', plain('#c02020'), plain('#20c020'));
    expect(row.width).toBeGreaterThan(row.height * 2);
    expect(at(row, row.width * 0.25, row.height / 2)).toEqual([0xc0, 0x20, 0x20]);
    expect(at(row, row.width * 0.75, row.height / 2)).toEqual([0x20, 0xc0, 0x20]);
    for (let n = 2; n <= 5; n++) {
      const grid = edit('make a collage', ...colours.slice(0, n).map((colour) => plain(colour)));
      const data = pixels(grid);
      for (const colour of colours.slice(0, n)) {
        const [r, g, b] = [1, 3, 5].map((i) => Number.parseInt(colour.slice(i, i + 2), 16));
        let count = 0;
        for (let i = 0; i < data.length; i += 4) if (data[i] === r && data[i + 1] === g && data[i + 2] === b) count++;
        expect(count / (data.length / 4)).toBeGreaterThan(0.6 / (n + 1));
      }
    }
  });

  test('a blend is the mean of all', () => {
    const [r, g, b] = at(edit('blend them', plain('#ff0000'), plain('#00ff00'), plain('#0000ff')), 50, 50);
    for (const v of [r, g, b]) expect(Math.abs(v - 85)).toBeLessThan(4);
  });

  test('edits without a word of joining end in a collage; joining one image is refused', () => {
    expect(readEdits('make them grey', 3).map(({ op }) => op)).toEqual(['grey', 'collage']);
    expect(() => readEdits('blend', 1)).toThrow(/at least two/);
  });
});

describe('what cannot be done is refused', () => {
  test.each([
    ['remove the man', 'remove the man'],
    ['make the sky purple', 'sky'],
    ['make him smile', 'make him smile'],
    ['replace the text with "Hi"', 'asks for other words'],
    ['turn the dog into a cat', 'dog'],
    ['change her dress to red', 'dress'],
    ['make it grey and give her a hat', 'give her a hat'],
    ['add a chandelier', 'chandelier'],
    ['make it pretty', 'pretty'],
    ['upscale to 4k', 'upscale'],
  ])('%s', (prompt, named) => {
    expect(() => readEdits(prompt, 1)).toThrow(named);
    expect(() => readEdits(prompt, 1)).toThrow(
      expect.objectContaining({ code: 'BAD_INPUT', details: { field: 'prompt' } }),
    );
  });
});

describe('other words in the place of those that an image has', () => {
  test.each<[string, object[]]>([
    ['Change the text to "Grand Opening"', [{ op: 'reletter', words: 'Grand Opening' }]],
    ['change the words to Happy New Year', [{ op: 'reletter', words: 'Happy New Year' }]],
    ['make the sign say closed', [{ op: 'reletter', words: 'CLOSED' }]],
    ['Replace "Hello" with "Goodbye"', [{ op: 'reletter', words: 'Goodbye', old: 'Hello' }]],
    ['"Goodbye" instead of "Hello"', [{ op: 'reletter', words: 'Goodbye', old: 'Hello' }]],
    ['change the title to The Last Day', [{ op: 'reletter', words: 'The Last Day', part: 'title' }]],
    ['it should read "Now open"', [{ op: 'reletter', words: 'Now open' }]],
    ['change the text to "Hi" and make it sepia', [{ op: 'reletter', words: 'Hi' }, { op: 'sepia' }]],
    ['change the word OPEN to CLOSED', [{ op: 'reletter', words: 'CLOSED', old: 'OPEN' }]],
    ["change the word 'OPEN' to 'CLOSED'", [{ op: 'reletter', words: 'CLOSED', old: 'OPEN' }]],
    ['Change the text from OPEN to CLOSED', [{ op: 'reletter', words: 'CLOSED', old: 'OPEN' }]],
    ['change the sign from OPEN to CLOSED', [{ op: 'reletter', words: 'CLOSED', old: 'OPEN' }]],
    ['Change OPEN to CLOSED', [{ op: 'reletter', words: 'CLOSED', old: 'OPEN' }]],
    ['change the text from "OPEN" to Sold Out', [{ op: 'reletter', words: 'Sold Out', old: 'OPEN' }]],
    [
      'change the title to Midnight Run and make it grey',
      [{ op: 'reletter', words: 'Midnight Run', part: 'title' }, { op: 'grey' }],
    ],
    [
      'Change the word OPEN to CLOSED, and blur the background',
      [{ op: 'reletter', words: 'CLOSED', old: 'OPEN' }, { op: 'blurBackground' }],
    ],
    ['change the title to Rise and Shine', [{ op: 'reletter', words: 'Rise and Shine', part: 'title' }]],
    ['Change the text to Dark Side', [{ op: 'reletter', words: 'Dark Side' }]],
    ['Change the text to Bold Coffee', [{ op: 'reletter', words: 'Bold Coffee' }]],
    ['Change the text to Red Bull. Make it sepia', [{ op: 'reletter', words: 'Red Bull' }, { op: 'sepia' }]],
    ['Change the text to Hello, World', [{ op: 'reletter', words: 'Hello, World' }]],
    ['change the text to Hello, and make it sepia', [{ op: 'reletter', words: 'Hello' }, { op: 'sepia' }]],
    ['Change Everything to black and white', [{ op: 'grey' }]],
    // Adding words does not change any.
    ['add the text "Hello"', [expect.objectContaining({ op: 'caption', words: 'Hello' })]],
  ])('%s', (prompt, edits) => {
    expect(readEdits(prompt, 1, true)).toEqual(edits);
  });

  test.each([
    'change the text to red',
    'change the text to be bold and red',
    'make the text bigger',
    'change the text colour to red',
    'change the text to "Hello" in red',
    'Change the caption to Salt & Pepper, in red',
  ])('how letters look is refused, not lettered: %s', (prompt) => {
    expect(() => readEdits(prompt, 1, true)).toThrow('cannot do');
  });

  test('of an image that was not drawn here it is refused', () => {
    expect(() => readEdits('Change the text to "Hi"', 1)).toThrow('only to an image that it drew itself');
  });
});
