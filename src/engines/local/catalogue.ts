/**
 * The models that `npm run models` knows: where they come from, what they weigh, under which licence, and what each file
 * must hash to. Sizes and checksums are those of the revision that is named; another revision is another entry. The same
 * shape is kept beside a downloaded model (`model.json`), so what runs needs no catalogue.
 */
import { z } from 'zod';

/** What a model is used for: the engine that it takes the place of. */
const USES = ['chat', 'speech', 'embedding', 'transcription'] as const;
/** One of them. */
export type Use = (typeof USES)[number];

/** Relative, with no way out of the model's folder. */
const filePath = z.string().regex(/^(?!.*(?:^|\/)\.{1,2}(?:\/|$))[\w.-]+(?:\/[\w.-]+)*$/, 'must be a path inside.');

const FILE = z.strictObject({
  path: filePath,
  bytes: z.int().positive(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits.'),
});

/** The kinds of weights that transformers.js and Kokoro.js name. */
const dtype = z.enum(['fp32', 'fp16', 'q8', 'q4', 'q4f16']).default('q8');

const COMMON = {
  /** How variables call it: `CHAT_MODEL=local:<name>`. Also its folder. */
  name: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, 'must be lower-case letters, digits, dots and dashes.'),
  /** One sentence for the operator who chooses a model. */
  about: z.string().min(1),
  /** `owner/name` at the hub, the revision that was looked at, and the licence of the weights. */
  repository: z.string().regex(/^[\w.-]+\/[\w.-]+$/, 'must be owner/name.'),
  revision: z.string().regex(/^[\w.-]+$/),
  licence: z.string().min(1),
  files: z.array(FILE).min(1),
};

/** What is known of a model, as `model.json` and a catalogue of one's own hold it. */
export const MODEL = z.discriminatedUnion('use', [
  z.strictObject({ ...COMMON, use: z.literal('chat'), contextTokens: z.int().min(512).max(131_072).default(8_192) }),
  z.strictObject({ ...COMMON, use: z.literal('speech'), dtype }),
  z.strictObject({
    ...COMMON,
    use: z.literal('embedding'),
    dtype,
    /** Set before each text, as the model was trained. */
    prefix: z.string().default(''),
    pooling: z.enum(['mean', 'cls']).default('mean'),
  }),
  z.strictObject({ ...COMMON, use: z.literal('transcription'), dtype }),
]);

/** A model with its files. */
export type LocalModel = z.output<typeof MODEL>;
/** A model for one use. */
export type ModelFor<U extends Use> = Extract<LocalModel, { use: U }>;

/** Which packages run it: a folder of `packages`. */
export const packagesFor = (use: Use): 'llama' | 'onnx' => (use === 'chat' ? 'llama' : 'onnx');

/** Of all its files. */
export const bytesOf = (model: LocalModel): number => model.files.reduce((sum, { bytes }) => sum + bytes, 0);

/** `MODELS=local` takes those that `LOCAL_MODELS` of the configuration names. */
export const CATALOGUE: readonly LocalModel[] = [
  {
    name: 'kokoro',
    use: 'speech',
    about: 'Kokoro 82M: 28 English voices, American and British.',
    repository: 'onnx-community/Kokoro-82M-v1.0-ONNX',
    revision: '1939ad2a8e416c0acfeecc08a694d14ef25f2231',
    licence: 'Apache-2.0',
    dtype: 'q8',
    files: [
      file('config.json', 44, 'df34b4f930b23447cd4dc410fabfb42eb3f24e803e6c3f97d618fb359380a36f'),
      file('tokenizer.json', 3_497, '77a02c8e164413299b4b4c403b14f8e0e1c1b727db4d46a09d6327b861060a34'),
      file('tokenizer_config.json', 113, 'be1cb066d6ef6b074b3f15e6a6dd21ac88ff3cdaedf325f0aaed686c70f75d20'),
      file('onnx/model_quantized.onnx', 92_361_116, 'fbae9257e1e05ffc727e951ef9b9c98418e6d79f1c9b6b13bd59f5c9028a1478'),
    ],
  },
  {
    name: 'e5-small',
    use: 'embedding',
    about: 'Multilingual E5 small: vectors of 384 numbers for texts in some 100 languages.',
    repository: 'Xenova/multilingual-e5-small',
    revision: '761b726dd34fb83930e26aab4e9ac3899aa1fa78',
    licence: 'MIT',
    dtype: 'q8',
    // Questions are looked up among sentences, and sentences among each other: one prefix for both, as its authors say.
    prefix: 'query: ',
    pooling: 'mean',
    files: [
      file('config.json', 658, 'cb99455288675345e1a4f411438d5d0adbba5fbd3a67ea4fb03c015433b996c1'),
      file('tokenizer.json', 17_082_730, '0b44a9d7b51c3c62626640cda0e2c2f70fdacdc25bbbd68038369d14ebdf4c39'),
      file('tokenizer_config.json', 443, 'a1d6bc8734a6f635dc158508bef000f8e2e5a759c7d92f984b2c86e5ff53425b'),
      file(
        'onnx/model_quantized.onnx',
        118_308_185,
        'f80102d3f2a1229f387d3c81909990d8945513e347b0eab049f7de3c6f98c193',
      ),
    ],
  },
  {
    name: 'whisper-base',
    use: 'transcription',
    about: 'Whisper base: speech in some 100 languages, written down.',
    repository: 'onnx-community/whisper-base',
    revision: '1846881b6b3a3024392c1eea3ad983695bc23925',
    licence: 'Apache-2.0',
    dtype: 'q8',
    files: [
      file('config.json', 2_243, 'f4d0608f7d918166da7edb3e188de5ef1bfe70d9802e785d271fd88111e9cf4b'),
      file('generation_config.json', 3_832, '61070cf8de25b1e9256e8e102ded49d8d24a8369ed36ef84fdf21549e68125a0'),
      file('preprocessor_config.json', 339, 'a6a76d28c93edb273669eb9e0b0636a2bddbb1272c3261e47b7ca6dfdbac1b8d'),
      file('tokenizer.json', 2_480_466, '27fc476bfe7f17299480be2273fc0608e4d5a99aba2ab5dec5374b4482d1a566'),
      file('tokenizer_config.json', 282_682, '2e036e4dbacfdeb7242c7d4ec4149f4a16e86026048f94d1637e3a8ee9c6a573'),
      file(
        'onnx/encoder_model_quantized.onnx',
        23_201_314,
        '5862993336bf33acd23736071aae2b32261d3b1b2f37780194460d4ef974dd46',
      ),
      file(
        'onnx/decoder_model_merged_quantized.onnx',
        53_693_315,
        'fa3ef9902734ce5ae6f9ef2bdb2ba9a6c4b5785b09f4f420ce036573dc9d090b',
      ),
    ],
  },
  {
    name: 'qwen2.5-1.5b',
    use: 'chat',
    about: 'Qwen2.5 1.5B Instruct, four bits a weight: answers in 29 languages.',
    repository: 'Qwen/Qwen2.5-1.5B-Instruct-GGUF',
    revision: '91cad51170dc346986eccefdc2dd33a9da36ead9',
    licence: 'Apache-2.0',
    contextTokens: 8_192,
    files: [
      file(
        'qwen2.5-1.5b-instruct-q4_k_m.gguf',
        1_117_320_736,
        '6a1a2eb6d15622bf3c96857206351ba97e1af16c30d7a74ee38970e434e9407e',
      ),
    ],
  },
];

function file(path: string, bytes: number, sha256: string): LocalModel['files'][number] {
  return { path, bytes, sha256 };
}
