/**
 * The landmark models of `@vladmandic/human`: 478 points of each face in raw pixels, irises included. Weights and
 * WebAssembly are read from the installed packages; nothing is fetched. Loaded by the detector's thread alone.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Point } from '../../ports/index.ts';

/** Raw pixels, three bytes (red, green, blue) each. */
export interface Pixels {
  rgb: Uint8Array;
  width: number;
  height: number;
}

/** One face: points in pixels of the image; depth in a unit of the models, whatever the face's size, smaller nearer to the viewer. */
export interface FoundFace {
  /** 478 points; 468 to 477 are the irises. */
  points: [x: number, y: number, z: number][];
  /** x, y, width, height in pixels. */
  box: [number, number, number, number];
  /** 0..1: how sure the box and the mesh are. */
  score: number;
}

/** Points of an eye, of the square that was looked at 0 to 1 across and down: lower lid from corner to corner, upper lid, and so on. */
export type Eye = Point[];
/** Pixels a side of what `eye` takes. */
export const EYE_SIDE = 64;

/** Pixels a side of what `face` takes. */
export const FACE_SIDE = 192;

/** The landmark models. */
export interface Landmarker {
  find(pixels: Pixels): Promise<FoundFace[]>;
  /** The model of eyes on an eye of the viewer's left side, or the mirror image of one of the right: 0 to 1 for each colour. */
  eye(image: Float32Array): Promise<Eye>;
  /**
   * The model of faces alone on an upright face that takes about two thirds of a square, 0 to 1 for each colour: its 468 points, of the square
   * 0 to 1 across and down. Finer than those of `find`, which are cut to whole pixels, and about a tenth of the
   * computing.
   */
  face(image: Float32Array): Promise<Point[]>;
  /**
   * Whether what is in the middle of a square image is an animal rather than a person. @param pixels of which the face takes
   * about half, at best `KNOWN_SIDE` a side
   */
  isAnimal(pixels: Pixels): Promise<boolean>;
}
/** Pixels a side that the model of `isAnimal` sees. */
export const KNOWN_SIDE = 512;

/** The face recognition model: of a face that fills `DESCRIBED_SIDE` pixels a side to 1024 numbers. */
export interface Describer {
  describe(face: Pixels): Promise<Float32Array>;
}
/** Pixels a side of what `describe` takes. */
export const DESCRIBED_SIDE = 224;

/** What is used of the package, whose own types name its browser build. */
interface Human {
  load(): Promise<void>;
  config: { face: { description: { enabled: boolean } }; object: { enabled: boolean } };
  /** The loaded models by name. */
  models: { models: Record<string, Graph> };
  detect(
    input: unknown,
  ): Promise<{ face: { mesh: [number, number, number][]; box: FoundFace['box']; score: number }[] }>;
}
interface Artifacts {
  modelTopology: object;
  /** Names and shapes of what goes in and comes out, where the model says so. */
  signature: object | undefined;
  weightSpecs: unknown[];
  weightData: ArrayBuffer;
}
interface Tensor {
  dispose(): void;
  data(): Promise<Float32Array>;
}
interface EyeModel {
  execute(eyes: Tensor): Tensor;
}
interface Graph {
  execute(input: Tensor, output: string): Tensor;
}
interface Tensorflow {
  tensor4d(values: Float32Array, shape: [number, number, number, number]): Tensor;
  slice(tensor: Tensor, begin: number, size: number): Tensor;
  reverse(tensor: Tensor, axis: number): Tensor;
  concat(tensors: Tensor[]): Tensor;
  image: { resizeBilinear(image: Tensor, size: [height: number, width: number]): Tensor };
  tidy<Result extends Tensor>(work: () => Result): Result;
  io: { registerLoadRouter(router: (url: string) => { load(): Promise<Artifacts> } | null): void };
}

const MOST_FACES = 8;
const LEAST_SCORE = 0.3;
/** What the model of faces calls its points. */
const FACE_POINTS = 'Identity_2';

/** @param descriptors also loads the face recognition model; tests alone ask for it. */
export async function loadLandmarker(options: { descriptors?: boolean } = {}): Promise<Landmarker & Describer> {
  const require = createRequire(import.meta.url);
  // The map of exports names the build for tfjs-node alone; the WebAssembly one lies beside it.
  const dist = path.dirname(require.resolve('@vladmandic/human'));
  const wasm = `${path.dirname(require.resolve('@tensorflow/tfjs-backend-wasm'))}/`;
  const tf = require('@tensorflow/tfjs-core') as Tensorflow;
  tf.io.registerLoadRouter((url) => (url.startsWith('file:') ? { load: () => readModel(url) } : null));
  const { Human: Constructor } = require(path.join(dist, 'human.node-wasm.js')) as {
    Human: new (config: object) => Human;
  };
  const off = { enabled: false };
  const human = new Constructor({
    backend: 'wasm',
    wasmPath: wasm,
    modelBasePath: `${pathToFileURL(path.join(dist, '../models')).href}/`,
    debug: false,
    async: false,
    cacheSensitivity: 0,
    filter: off,
    gesture: off,
    body: off,
    hand: off,
    object: { enabled: true },
    face: {
      enabled: true,
      detector: { rotation: true, maxDetected: MOST_FACES, minConfidence: LEAST_SCORE, return: false },
      mesh: { enabled: true },
      iris: { enabled: true },
      attention: off,
      description: { enabled: options.descriptors ?? false },
      emotion: off,
      antispoof: off,
      liveness: off,
    },
  });
  await human.load();
  // They are loaded, and asked by `describe` and `isAnimal` alone: the library would run them at each search, and lose what the first says.
  human.config.face.description.enabled = false;
  human.config.object.enabled = false;
  const eyes = modelOf<EyeModel>(human, 'iris');
  const seeEye = eyes.execute.bind(eyes);
  unmirrorRightEye(eyes, tf);
  return {
    find: (pixels) => find(human, tf, pixels),
    eye: (image) => pointsOf(seeEye, image, EYE_SIDE),
    face: (image) =>
      pointsOf((input) => modelOf<Graph>(human, 'facemesh').execute(input, FACE_POINTS), image, FACE_SIDE),
    isAnimal: async (pixels) => isAnimal(await outputOf('centernet', 'tower_0/detections', pixels, KNOWN_SIDE)),
    // The library itself no longer finds this output of the model, and describes every face by nothing.
    describe: (pixels) => outputOf('faceres', 'global_pooling/Mean', pixels, DESCRIBED_SIDE),
  };

  /** The points that a model finds in a square, 0 to 1 across and down. */
  async function pointsOf(execute: (input: Tensor) => Tensor, image: Float32Array, side: number): Promise<Point[]> {
    const input = tf.tensor4d(image, [1, side, side, 3]);
    const output = execute(input);
    try {
      const values = await output.data();
      const at = (index: number) => (values[index] as number) / side;
      return Array.from({ length: values.length / 3 }, (_, i) => ({ x: at(i * 3), y: at(i * 3 + 1) }));
    } finally {
      input.dispose();
      output.dispose();
    }
  }

  /** What one model says of a square image, which it sees at `side` pixels a side. */
  async function outputOf(name: string, output: string, pixels: Pixels, side: number): Promise<Float32Array> {
    const { rgb, width, height } = pixels;
    const found = tf.tidy(() => {
      const image = tf.tensor4d(new Float32Array(rgb), [1, height, width, 3]);
      const seen = width === side && height === side ? image : tf.image.resizeBilinear(image, [side, side]);
      return modelOf<Graph>(human, name).execute(seen, output);
    });
    try {
      return await found.data();
    } finally {
      found.dispose();
    }
  }
}

function modelOf<Model>({ models: { models } }: Human, name: string): Model {
  const model = models[name] as Model | undefined;
  if (!model) throw new Error(`The model "${name}" is not loaded.`);
  return model;
}

/** Classes of the model of everyday things, which are those of COCO: birds, mammals from cats to giraffes, and teddy bears. */
const PERSON = 0;
const isAnimalClass = (id: number) => (id >= 14 && id <= 23) || id === 77;
/** Below this the model guesses. */
const LEAST_ANIMAL = 0.18;

/**
 * Whether the likeliest animal about the middle is likelier than any person there. @param things six numbers each: left, top, right and
 * bottom in pixels of what the model saw, score and class
 */
function isAnimal(things: Float32Array): boolean {
  const middle = KNOWN_SIDE / 2;
  let [animal, person] = [0, LEAST_ANIMAL];
  for (let from = 0; from < things.length; from += 6) {
    const [left = 0, top = 0, right = 0, bottom = 0, score = 0, id] = things.subarray(from, from + 6);
    if (left > middle || right < middle || top > middle || bottom < middle) continue;
    if (id === PERSON) person = Math.max(person, score);
    if (id !== undefined && isAnimalClass(id)) animal = Math.max(animal, score);
  }
  return animal > person;
}

/**
 * The library mirrors the images of both eyes before the model of eyes sees them, and mirrors back the points of the left
 * eye only: lids and iris of the right one would be those of its mirror image, beside it (docs/engines/talking-head-figures.md). The
 * model knows right eyes, so it is shown that one as it is.
 */
function unmirrorRightEye(model: EyeModel, tf: Tensorflow): void {
  const execute = model.execute.bind(model);
  model.execute = (eyes) => {
    const both = tf.tidy(() => tf.concat([tf.slice(eyes, 0, 1), tf.reverse(tf.slice(eyes, 1, 1), 2)]));
    try {
      return execute(both);
    } finally {
      both.dispose();
    }
  };
}

async function find(human: Human, tf: Tensorflow, { rgb, width, height }: Pixels): Promise<FoundFace[]> {
  const input = tf.tensor4d(new Float32Array(rgb), [1, height, width, 3]);
  try {
    const { face } = await human.detect(input);
    return face
      .filter(({ mesh }) => mesh.length >= 478)
      .map(({ mesh, box, score, ...more }) => ({ ...more, points: mesh, box, score }));
  } finally {
    input.dispose();
  }
}

/** A model of TensorFlow.js: its graph as JSON, its weights in one file beside it. */
async function readModel(url: string): Promise<Artifacts> {
  const { modelTopology, signature, weightsManifest } = JSON.parse(await readFile(new URL(url), 'utf8')) as {
    modelTopology: object;
    signature?: object;
    weightsManifest: { paths: string[]; weights: unknown[] }[];
  };
  const parts = await Promise.all(
    weightsManifest.flatMap(({ paths }) => paths.map((name) => readFile(new URL(name, url)))),
  );
  const weights = Buffer.concat(parts);
  const weightData = weights.buffer.slice(weights.byteOffset, weights.byteOffset + weights.byteLength) as ArrayBuffer;
  return { modelTopology, signature, weightSpecs: weightsManifest.flatMap((group) => group.weights), weightData };
}
