/** The illustrator, the video engine and the encoder in a process of their own: what images and videos cost. */
import { readFile } from 'node:fs/promises';
import { createDecoders } from '../../../dist/src/engines/decoders/index.js';
import { createCodec } from '../../../dist/src/engines/embedded/codec/index.js';
import { createIllustrator } from '../../../dist/src/engines/embedded/renderer/illustrator/index.js';
import { createVideoEngine } from '../../../dist/src/engines/embedded/renderer/video/index.js';
import { encodeFrames } from '../../../dist/src/engines/embedded/renderer/video/render.js';
import { servePart } from '../support/parts.mjs';
import { VIDEO_PROMPTS } from '../support/video-prompts.mjs';

const IMAGES = [
  'Portrait of an old fisherman with a grey beard and a yellow raincoat',
  'A lighthouse on a cliff above a stormy sea at dusk',
  'A neon sign "OPEN 24 HOURS" in a city at night',
  'A red bicycle beside a flower shop in spring',
  'Abstract waves in purple and gold',
];
const MEGAPIXEL = 1e6;
const VIDEO = { prompt: 'A sailing boat on the sea at sunset, clouds, slow pan', model: 'cinematic', seed: 7, fps: 24 };
const SECONDS = 2;
const FPS = 24;
/** Frames of the video itself, shown forth and back, so that the encoder meets the same images and the same motion. */
const SAMPLES = 12;
const HEIGHTS = { '720p': 720, '1080p': 1080 };
/** As long as a video is whose length is not set. */
const USUAL_SECONDS = 5;

servePart(async () => {
  const illustrator = createIllustrator();
  const decoders = createDecoders();
  const engine = createVideoEngine({ decoders });
  const codec = createCodec({ decoders });
  const videoAt = async (resolution) => {
    const query = { ...VIDEO, resolution, duration: SECONDS, saveAudio: false };
    for await (const piece of engine.render(query)) if (piece.file) return piece.file;
  };
  const photograph = await readFile(new URL('../../fixtures/astronaut.jpg', import.meta.url));
  /** One of `VIDEO_PROMPTS`, with its sound; another seed is another image, which no cache has. */
  const varied = async ({ index, seed, duration = USUAL_SECONDS }) => {
    const { prompt, opens, references = 0 } = VIDEO_PROMPTS[index];
    const query = { prompt, model: 'cinematic', seed, fps: FPS, duration, ...(opens ? { image: photograph } : {}) };
    const shown = Array.from({ length: references }, (_, nth) => ({ image: photograph, name: `friend ${nth}` }));
    for await (const _ of engine.render({ ...query, references: shown }));
  };
  const frames = {};
  for (const resolution of Object.keys(HEIGHTS)) {
    const times = Array.from({ length: SAMPLES }, (_, index) => (index * 1_000) / FPS);
    frames[resolution] = (await codec.decodeFrames(await videoAt(resolution), times)).map(toI420);
  }
  await codec.close();
  await decoders.close();
  const encode = async (resolution) => {
    const height = HEIGHTS[resolution];
    const shape = { width: (height * 16) / 9, height, fps: FPS, isEven: true };
    const samples = frames[resolution];
    const frame = new Uint8Array(samples[0].length);
    const draw = (index) => {
      const offset = index % (2 * SAMPLES - 2);
      frame.set(samples[offset < SAMPLES ? offset : 2 * SAMPLES - 2 - offset]);
    };
    await encodeFrames(shape, undefined, SECONDS, () => ({ frame, draw }), { stopped: () => false, piece() {} });
  };
  return {
    facts: {
      seconds: SECONDS,
      usualSeconds: USUAL_SECONDS,
      images: IMAGES.length,
      megapixels: (1024 * 1024) / MEGAPIXEL,
    },
    async images() {
      for (const prompt of IMAGES) {
        const model = illustrator.model(prompt.includes('"') ? 'typo_gen' : 'default');
        await model.doGenerate({ prompt, n: 1, aspectRatio: '1:1', providerOptions: {} });
      }
    },
    varied,
    video720: () => videoAt('720p'),
    video1080: () => videoAt('1080p'),
    encode720: () => encode('720p'),
    encode1080: () => encode('1080p'),
    close: () => Promise.all([illustrator.close(), engine.close()]),
  };
});

/** BT.709, limited range, as the encoder takes it. */
function toI420({ width, height, rgba }) {
  const out = new Uint8Array((width * height * 3) / 2);
  const half = width / 2;
  const chroma = width * height;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * 4;
      const [r, g, b] = [rgba[at], rgba[at + 1], rgba[at + 2]];
      out[y * width + x] = 16 + 0.1826 * r + 0.6142 * g + 0.062 * b;
      if (x % 2 || y % 2) continue;
      const offset = chroma + (y / 2) * half + x / 2;
      out[offset] = 128 - 0.1006 * r - 0.3386 * g + 0.4392 * b;
      out[offset + chroma / 4] = 128 + 0.4392 * r - 0.3989 * g - 0.0403 * b;
    }
  }
  return out;
}
