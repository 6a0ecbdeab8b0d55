/** The program behind `npm run faces`: stills in, a table of figures and contact sheets out. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import sharp, { type Sharp } from 'sharp';
import { createDecoders } from '../../src/engines/decoders/index.ts';
import { createCodec } from '../../src/engines/embedded/codec/index.ts';
import { createFaceDetector } from '../../src/engines/embedded/faces/index.ts';
import { portraitFor } from '../../src/engines/embedded/renderer/graphics/portrait/index.ts';
import { createTalkingHead } from '../../src/engines/embedded/renderer/talking-head/index.ts';
import { createEmbeddedSpeech } from '../../src/engines/embedded/speech/index.ts';
import { createFaceMeasures } from '../support/face-measures.ts';
import { type Figures, GOALS, gathered, judge, type Samples, type Spoken } from '../support/speaking-face.ts';

const TEXT =
  'Hello! My name is Bob, and I love the night sky. Many people believe that a map of Mars must be boring, but maybe ' +
  'you would be amazed: huge volcanoes, a valley as deep as the ocean, and pale blue evenings. Few of them ever move me more ' +
  'than the moons of Jupiter. What would you like to talk about? We could begin with the comet above the mountain, or find food for five funny fish.';

interface Still {
  name: string;
  image: Uint8Array;
}

/** @returns the exit code */
export async function main(argv: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: { sheets: { type: 'string' }, every: { type: 'string', default: '2' } },
  });
  const stills = positionals.length > 0 ? await filesOf(positionals) : await ownStills();
  const decoders = createDecoders();
  const codec = createCodec({ decoders });
  const detector = createFaceDetector();
  const heads = createTalkingHead({ detect: detector.detect, lipsApart: detector.lipsApart, threads: 1 });
  const measures = createFaceMeasures();
  const spoken = await speech();
  let missed = 0;
  console.log(HEADINGS.join(' '));
  try {
    for (const { name, image } of stills) {
      const { rig: found } = await heads.analyse(image);
      const rig = found && (await heads.fit(image, found));
      if (!rig?.landmarks) {
        console.log(`${name.padEnd(WIDE)} no face`);
        continue;
      }
      const { figures, samples } = await judge(
        { heads, codec, measures },
        { image, rig },
        spoken,
        Number(values.every),
      );
      const { line, failed } = rowOf(name, figures);
      console.log(line);
      if (failed) missed += 1;
      if (values.sheets) {
        await mkdir(values.sheets, { recursive: true });
        await writeFile(path.join(values.sheets, `${name}.png`), await sheetOf(samples));
      }
    }
  } finally {
    await Promise.all([codec.close(), heads.close(), detector.close(), measures.close(), decoders.close()]);
  }
  return missed > 0 ? 1 : 0;
}

const filesOf = (files: string[]): Promise<Still[]> =>
  Promise.all(
    files.map(async (file) => ({
      name: path.basename(file, path.extname(file)),
      image: new Uint8Array(await readFile(file)),
    })),
  );

async function ownStills(): Promise<Still[]> {
  const image = new Uint8Array(await readFile(new URL('../fixtures/astronaut.jpg', import.meta.url)));
  const changed = async (change: (one: Sharp) => Sharp) => new Uint8Array(await change(sharp(image)).png().toBuffer());
  const drawn = async (prompt: string) => (await portraitFor(prompt, { width: 768, height: 768 })).image;
  return [
    { name: 'astronaut', image },
    { name: 'astronaut-grey', image: await changed((one) => one.grayscale()) },
    {
      name: 'astronaut-small',
      image: await changed((one) => one.extend({ left: 260, right: 400, top: 60, bottom: 20, extendWith: 'copy' })),
    },
    { name: 'drawn-young-woman', image: await drawn('Portrait of a young woman with short black hair') },
    { name: 'drawn-old-man', image: await drawn('Portrait of an old man with a white beard') },
  ];
}

async function speech(): Promise<Spoken> {
  const engine = createEmbeddedSpeech();
  try {
    const pieces = await gathered(engine.stream({ text: TEXT, voice: { base: engine.voices()[0]!.id } }));
    return {
      pcm: Int16Array.from(pieces.flatMap((piece) => [...piece.pcm])),
      rate: pieces[0]!.rate,
      marks: pieces.flatMap((piece) => piece.marks),
    };
  } finally {
    await engine.close();
  }
}

const WIDE = 20;
const HEADINGS = [
  'still'.padEnd(WIDE),
  'opening r',
  'late ms',
  'p,b,m mid/most (one look)',
  'teeth',
  'likeness 50/5 %',
  'library',
  ' ',
  'background',
  'yaw',
  'pitch',
  'blinks',
];

/** Figures in the order of the headings; what misses its goal has a star. */
function rowOf(name: string, figures: Figures): { line: string; failed: boolean } {
  const { opening, lateMs, closed, closedAtOnce, doubled, likeness, similarity, background, yaw, pitch, blinks } =
    figures;
  const texts: [keyof typeof GOALS, string][] = [
    ['opening', opening.toFixed(2)],
    ['lateMs', String(lateMs)],
    [
      'closed',
      `${closed.map((one) => one.toFixed(3)).join(' / ')} (${closedAtOnce.map((one) => one.toFixed(3)).join(' / ')})`,
    ],
    ['doubled', `${doubled}/${figures.frames}`],
    [
      'likeness',
      `${likeness.map((one) => one.toFixed(3)).join(' / ')} (${similarity.map((one) => one.toFixed(2)).join(' / ')})`,
    ],
    ['background', background.toFixed(2)],
    ['yaw', `${yaw.toFixed(1)}°`],
    ['pitch', `${pitch.toFixed(1)}°`],
    ['blinks', blinks.toFixed(1)],
  ];
  const failed = texts.some(([goal]) => !GOALS[goal](figures));
  return {
    line: [
      name.padEnd(WIDE),
      ...texts.map(([goal, text]) => `${text}${GOALS[goal](figures) ? '' : ' *'}`.padEnd(11)),
    ].join(' '),
    failed,
  };
}

const TILE = 320;

async function sheetOf(samples: Samples): Promise<Uint8Array> {
  const names = Object.keys(samples) as (keyof Samples)[];
  const tiles = await Promise.all(
    names.map(async (name, i) => {
      const { rgba, width, height, region } = samples[name];
      const { left, top, side } = region ?? { left: 0, top: 0, side: Math.min(width, height) };
      const input = await sharp(rgba, { raw: { width, height, channels: 4 } })
        .extract({ left, top, width: side, height: side })
        .resize(TILE, TILE)
        .png()
        .toBuffer();
      return { input, left: (i % 4) * TILE, top: Math.floor(i / 4) * TILE };
    }),
  );
  const sheet = sharp({ create: { width: TILE * 4, height: TILE * 2, channels: 3, background: '#000000' } });
  return new Uint8Array(await sheet.composite(tiles).png().toBuffer());
}
