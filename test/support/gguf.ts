/** Writes a GGUF file with a Llama of random weights: a few hundred kilobytes that llama.cpp loads like any model. */

type Value = string | number | boolean | { floats: number[] } | { ints: number[] } | { strings: string[] };

const U32 = 4;
const I32 = 5;
const F32 = 6;
const BOOL = 7;
const STRING = 8;
const ARRAY = 9;
const ALIGNMENT = 32;

const u32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const u64 = (value: number) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
};
const f32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return bytes;
};
const text = (value: string) => {
  const bytes = Buffer.from(value);
  return Buffer.concat([u64(bytes.length), bytes]);
};

function valueBytes(value: Value): Buffer {
  if (typeof value === 'string') return Buffer.concat([u32(STRING), text(value)]);
  if (typeof value === 'boolean') return Buffer.concat([u32(BOOL), Buffer.from([value ? 1 : 0])]);
  if (typeof value === 'number')
    return Number.isInteger(value) ? Buffer.concat([u32(U32), u32(value)]) : Buffer.concat([u32(F32), f32(value)]);
  if ('floats' in value)
    return Buffer.concat([u32(ARRAY), u32(F32), u64(value.floats.length), ...value.floats.map(f32)]);
  if ('ints' in value) return Buffer.concat([u32(ARRAY), u32(I32), u64(value.ints.length), ...value.ints.map(u32)]);
  return Buffer.concat([u32(ARRAY), u32(STRING), u64(value.strings.length), ...value.strings.map(text)]);
}

/** The same numbers for the same seed, -1 to 1. */
export function numbers(seed: number, count: number): number[] {
  let state = seed >>> 0;
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  });
}

const WIDTH = 64;
const HIDDEN = 128;
const HEADS = 4;

/** @param words of its vocabulary, beside the bytes. */
export function tinyLlama(words: string[], seed = 7): Buffer {
  const bytes = Array.from({ length: 256 }, (_, i) => `<0x${i.toString(16).toUpperCase().padStart(2, '0')}>`);
  const tokens = ['<unk>', '<s>', '</s>', ...bytes, ...words.map((word) => `▁${word}`)];
  const kinds = tokens.map((_, i) => (i === 0 ? 2 : i < 3 ? 3 : i < 259 ? 6 : 1));
  const metadata: Record<string, Value> = {
    'general.architecture': 'llama',
    'general.name': 'tiny',
    'llama.context_length': 16_384,
    'llama.embedding_length': WIDTH,
    'llama.block_count': 1,
    'llama.feed_forward_length': HIDDEN,
    'llama.attention.head_count': HEADS,
    'llama.attention.head_count_kv': HEADS,
    'llama.attention.layer_norm_rms_epsilon': 1.000_001e-5,
    'llama.rope.dimension_count': WIDTH / HEADS,
    'llama.vocab_size': tokens.length,
    'tokenizer.ggml.model': 'llama',
    'tokenizer.ggml.tokens': { strings: tokens },
    'tokenizer.ggml.scores': { floats: tokens.map((_, i) => (i < 259 ? 0 : -i)) },
    'tokenizer.ggml.token_type': { ints: kinds },
    'tokenizer.ggml.bos_token_id': 1,
    'tokenizer.ggml.eos_token_id': 2,
    'tokenizer.ggml.unknown_token_id': 0,
    'tokenizer.ggml.add_bos_token': true,
    'tokenizer.ggml.add_eos_token': false,
    'tokenizer.chat_template':
      "{% for message in messages %}{{ '<|' + message['role'] + '|>\\n' + message['content'] + '\\n' }}{% endfor %}{{ '<|assistant|>\\n' }}",
  };
  const tensors: [name: string, dims: number[]][] = [
    ['token_embd.weight', [WIDTH, tokens.length]],
    ['blk.0.attn_norm.weight', [WIDTH]],
    ['blk.0.attn_q.weight', [WIDTH, WIDTH]],
    ['blk.0.attn_k.weight', [WIDTH, WIDTH]],
    ['blk.0.attn_v.weight', [WIDTH, WIDTH]],
    ['blk.0.attn_output.weight', [WIDTH, WIDTH]],
    ['blk.0.ffn_norm.weight', [WIDTH]],
    ['blk.0.ffn_gate.weight', [WIDTH, HIDDEN]],
    ['blk.0.ffn_up.weight', [WIDTH, HIDDEN]],
    ['blk.0.ffn_down.weight', [HIDDEN, WIDTH]],
    ['output_norm.weight', [WIDTH]],
    ['output.weight', [WIDTH, tokens.length]],
  ];
  let offset = 0;
  const infos: Buffer[] = [];
  const data: Buffer[] = [];
  for (const [i, [name, dims]] of tensors.entries()) {
    const weights = Float32Array.from(
      numbers(
        seed + i,
        dims.reduce((a, b) => a * b, 1),
      ),
    );
    // The end of a text and what is no word are never likely: it goes on until it is stopped.
    if (name === 'output.weight') weights.fill(0, 0, WIDTH * 259);
    infos.push(Buffer.concat([text(name), u32(dims.length), ...dims.map(u64), u32(0), u64(offset)]));
    const padded = Math.ceil(weights.byteLength / ALIGNMENT) * ALIGNMENT;
    data.push(Buffer.concat([Buffer.from(weights.buffer), Buffer.alloc(padded - weights.byteLength)]));
    offset += padded;
  }
  const head = Buffer.concat([
    Buffer.from('GGUF'),
    u32(3),
    u64(tensors.length),
    u64(Object.keys(metadata).length),
    ...Object.entries(metadata).flatMap(([key, value]) => [text(key), valueBytes(value)]),
    ...infos,
  ]);
  const padding = Buffer.alloc((ALIGNMENT - (head.length % ALIGNMENT)) % ALIGNMENT);
  return Buffer.concat([head, padding, ...data]);
}
