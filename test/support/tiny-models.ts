/**
 * Models of a few kilobytes, of the kinds that local engines load: what they say is of no use, but each answers for what
 * it was given, so that the way there and back is tested with the real packages.
 */
import { createHash } from 'node:crypto';
import type { LocalModel } from '../../src/engines/local/catalogue.ts';
import { numbers, tinyLlama } from './gguf.ts';
import { onnx } from './onnx.ts';

/** Paths in a repository, and what is there. */
type Files = Record<string, Buffer>;

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

/** Words that a tokenizer of one number a word knows; what stands in `special` is none of the text. */
function wordTokenizer(words: string[], special: string[], unknown: string): Buffer {
  const all = [...words, ...special];
  return json({
    version: '1.0',
    added_tokens: special.map((content, i) => ({
      ...{
        id: words.length + i,
        content,
        special: true,
        single_word: false,
        lstrip: false,
        rstrip: false,
        normalized: false,
      },
    })),
    normalizer: null,
    pre_tokenizer: { type: 'Whitespace' },
    post_processor: null,
    decoder: null,
    model: { type: 'WordLevel', unk_token: unknown, vocab: Object.fromEntries(all.map((word, id) => [word, id])) },
  });
}

/** Samples that each sound of a text takes, at 24 kHz. */
export const SAMPLES_A_SOUND = 1_200;

/** Hums a twentieth of a second for each sound, some louder than others. */
function kokoro(): Files {
  const sounds = [...'$;:,.!?—… "()“”abcdefghijklmnopqrstuvwxyzAIOQSTWYᵊæɑɐɔəɚɛɜɡɪɹʃʊʌʒʤʧˈˌːθðŋɾᵻ'];
  const carrier = Array.from({ length: SAMPLES_A_SOUND }, (_, i) => Math.sin((2 * Math.PI * i) / 120) / 100);
  return {
    'config.json': json({ model_type: 'style_text_to_speech_2' }),
    'tokenizer.json': json({
      version: '1.0',
      added_tokens: [],
      normalizer: {
        type: 'Replace',
        pattern: { Regex: `[^${sounds.join('').replace(/[()?.]/g, '\\$&')}]` },
        content: '',
      },
      pre_tokenizer: { type: 'Split', pattern: { Regex: '' }, behavior: 'Isolated', invert: false },
      post_processor: {
        type: 'TemplateProcessing',
        single: [
          { SpecialToken: { id: '$', type_id: 0 } },
          { Sequence: { id: 'A', type_id: 0 } },
          { SpecialToken: { id: '$', type_id: 0 } },
        ],
        special_tokens: { $: { id: '$', ids: [0], tokens: ['$'] } },
      },
      decoder: null,
      model: { type: 'WordLevel', vocab: Object.fromEntries(sounds.map((sound, id) => [sound, id])), unk_token: '$' },
    }),
    'tokenizer_config.json': json({
      ...{ model_max_length: 512, pad_token: '$', tokenizer_class: 'PreTrainedTokenizer', unk_token: '$' },
    }),
    'onnx/model_quantized.onnx': onnx({
      inputs: { input_ids: ['int64', [1, 'sounds']], style: ['float', [1, 256]], speed: ['float', [1]] },
      outputs: { waveform: ['float', [1, 'samples']] },
      constants: {
        last: { dims: [1], ints: [2] },
        flat: { dims: [2], ints: [1, -1] },
        carrier: { dims: [1, 1, SAMPLES_A_SOUND], floats: carrier },
      },
      nodes: [
        { op: 'Cast', in: ['input_ids'], out: ['loudness'], with: { to: 1 } },
        { op: 'Unsqueeze', in: ['loudness', 'last'], out: ['each'] },
        { op: 'Mul', in: ['each', 'carrier'], out: ['sounds'] },
        { op: 'Reshape', in: ['sounds', 'flat'], out: ['waveform'] },
      ],
    }),
  };
}

const WIDTH = 16;

/** The vector of a text is the mean of those of its words, which are random. */
function e5(): Files {
  const words = 'query : the a cat dog sleeps sofa barks on at moon rocket flies to'.split(' ');
  const special = ['[UNK]', '[PAD]'];
  const size = words.length + special.length;
  return {
    'config.json': json({ model_type: 'bert', hidden_size: WIDTH }),
    'tokenizer.json': wordTokenizer(words, special, '[UNK]'),
    'tokenizer_config.json': json({ tokenizer_class: 'BertTokenizer', pad_token: '[PAD]', unk_token: '[UNK]' }),
    'onnx/model_quantized.onnx': onnx({
      inputs: {
        input_ids: ['int64', ['texts', 'words']],
        attention_mask: ['int64', ['texts', 'words']],
        token_type_ids: ['int64', ['texts', 'words']],
      },
      outputs: { last_hidden_state: ['float', ['texts', 'words', WIDTH]] },
      constants: { table: { dims: [size, WIDTH], floats: numbers(3, size * WIDTH) } },
      nodes: [{ op: 'Gather', in: ['table', 'input_ids'], out: ['last_hidden_state'], with: { axis: 0 } }],
    }),
  };
}

/** Hears whether a sound is high or low, takes it for German unless a language is given, and says it in that language. */
function whisper(): Files {
  const special = [
    '<|endoftext|>',
    '<|startoftranscript|>',
    '<|en|>',
    '<|de|>',
    '<|translate|>',
    '<|transcribe|>',
    '<|notimestamps|>',
  ];
  const words = ['high', 'low', 'hoch', 'tief'];
  // What comes behind `<|notimestamps|>` is a time.
  const all = [...words, ...special];
  const id = (token: string) => all.indexOf(token);
  const size = all.length;
  const ends = {
    ...{ decoder_start_token_id: id('<|startoftranscript|>'), eos_token_id: id('<|endoftext|>') },
    ...{ bos_token_id: id('<|endoftext|>'), pad_token_id: id('<|endoftext|>') },
  };
  // Logits of what follows each token.
  const table = new Float32Array(size * size).fill(-1_000);
  const follows = (token: string, next: string, likely: number) => {
    table[id(token) * size + id(next)] = likely;
  };
  follows('<|startoftranscript|>', '<|de|>', 5);
  follows('<|startoftranscript|>', '<|en|>', 0);
  for (const word of words) {
    follows('<|notimestamps|>', word, ['high', 'low'].includes(word) ? 100 : 0);
    follows(word, '<|endoftext|>', 9_000);
  }
  const marked = (wanted: Record<string, number>) => all.map((token) => wanted[token] ?? 0);
  return {
    'config.json': json({
      ...{ model_type: 'whisper', d_model: 1, encoder_layers: 1, decoder_layers: 1, num_mel_bins: 80 },
      ...{ encoder_attention_heads: 1, decoder_attention_heads: 1, max_source_positions: 1_500, vocab_size: size },
      ...{ is_encoder_decoder: true, ...ends },
    }),
    'generation_config.json': json({
      ...{ is_multilingual: true, ...ends, max_length: 12 },
      lang_to_id: { '<|en|>': id('<|en|>'), '<|de|>': id('<|de|>') },
      task_to_id: { translate: id('<|translate|>'), transcribe: id('<|transcribe|>') },
      no_timestamps_token_id: id('<|notimestamps|>'),
    }),
    'preprocessor_config.json': json({
      ...{ feature_extractor_type: 'WhisperFeatureExtractor', feature_size: 80, sampling_rate: 16_000, n_fft: 400 },
      ...{ hop_length: 160, chunk_length: 30, n_samples: 480_000, nb_max_frames: 3_000 },
    }),
    'tokenizer.json': wordTokenizer(words, special, '<|endoftext|>'),
    'tokenizer_config.json': json({
      tokenizer_class: 'WhisperTokenizer',
      unk_token: '<|endoftext|>',
      pad_token: '<|endoftext|>',
    }),
    'onnx/encoder_model_quantized.onnx': onnx({
      inputs: { input_features: ['float', [1, 80, 3_000]] },
      outputs: { last_hidden_state: ['float', [1, 1, 1]] },
      constants: {
        start: { dims: [1], ints: [0] },
        middle: { dims: [1], ints: [20] },
        end: { dims: [1], ints: [80] },
        axis: { dims: [1], ints: [1] },
      },
      nodes: [
        { op: 'Slice', in: ['input_features', 'start', 'middle', 'axis'], out: ['deep'] },
        { op: 'Slice', in: ['input_features', 'middle', 'end', 'axis'], out: ['shrill'] },
        { op: 'ReduceMean', in: ['deep'], out: ['low'], with: { axes: [1, 2], keepdims: 1 } },
        { op: 'ReduceMean', in: ['shrill'], out: ['high'], with: { axes: [1, 2], keepdims: 1 } },
        { op: 'Sub', in: ['high', 'low'], out: ['last_hidden_state'] },
      ],
    }),
    'onnx/decoder_model_merged_quantized.onnx': onnx({
      inputs: {
        input_ids: ['int64', [1, 'tokens']],
        encoder_hidden_states: ['float', [1, 1, 1]],
        use_cache_branch: ['bool', [1]],
      },
      outputs: { logits: ['float', [1, 'tokens', size]] },
      constants: {
        table: { dims: [size, size], floats: table },
        pitch: { dims: [1, 1, size], floats: marked({ high: 90, hoch: 90, low: -90, tief: -90 }) },
        isGerman: { dims: [size, 1], floats: marked({ '<|de|>': 1 }) },
        german: { dims: [1, 1, size], floats: marked({ hoch: 500, tief: 500 }) },
      },
      nodes: [
        { op: 'Gather', in: ['table', 'input_ids'], out: ['usual'], with: { axis: 0 } },
        { op: 'Mul', in: ['encoder_hidden_states', 'pitch'], out: ['heard'] },
        { op: 'Gather', in: ['isGerman', 'input_ids'], out: ['marks'], with: { axis: 0 } },
        { op: 'ReduceMax', in: ['marks'], out: ['mark'], with: { axes: [1], keepdims: 1 } },
        { op: 'Mul', in: ['mark', 'german'], out: ['language'] },
        { op: 'Add', in: ['usual', 'heard'], out: ['sum'] },
        { op: 'Add', in: ['sum', 'language'], out: ['logits'] },
      ],
    }),
  };
}

const REVISION = 'r1';

function entry(model: { name: string; use: string }, files: Files): { model: LocalModel; files: Files } {
  const described = Object.entries(files).map(([path, bytes]) => ({
    path,
    bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  }));
  const about = { about: 'Made by a test.', repository: `tests/${model.name}`, revision: REVISION, licence: 'MIT' };
  return { model: { ...model, ...about, files: described } as LocalModel, files };
}

/** One model of each use, with what a hub has of it. */
export const TINY_MODELS = {
  kokoro: entry({ name: 'kokoro', use: 'speech' }, kokoro()),
  e5: entry({ name: 'e5-small', use: 'embedding', ...{ prefix: 'query: ' } }, e5()),
  whisper: entry({ name: 'whisper-base', use: 'transcription' }, whisper()),
  llama: entry(
    { name: 'qwen2.5-1.5b', use: 'chat', ...{ contextTokens: 8_192 } },
    { 'tiny.gguf': tinyLlama('hello moon tea is the a red blue . ! one two three'.split(' ')) },
  ),
};

/** What a hub answers, by the path of the address. */
export function hubFiles(...models: { model: LocalModel; files: Files }[]): Map<string, Buffer> {
  return new Map(
    models.flatMap(({ model, files }) =>
      Object.entries(files).map(([path, bytes]) => [`/${model.repository}/resolve/${model.revision}/${path}`, bytes]),
    ),
  );
}
