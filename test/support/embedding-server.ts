/**
 * A small server that speaks the OpenAI embedding protocol. Its vectors are sums of one pseudo-random direction per
 * word, the same for words it takes for synonyms, and weaker ones per three letters: deterministic, and enough that a
 * paraphrase without a common word is near. `fault` makes it misbehave.
 */
import { createServer } from 'node:http';

const SYNONYMS = [
  'physician doctor',
  'automobile car vehicle',
  'purchase purchased buy bought',
  'residence house home',
  'canine dog puppy',
  'infant baby child',
  'employer company job work works',
];
const CONCEPTS = new Map(SYNONYMS.flatMap((group) => group.split(' ').map((word) => [word, group] as const)));
const STOP = new Set(
  'a an the of in on at to for and or is was are my our your her his their does did do who what where with'.split(' '),
);

export interface EmbeddingServer {
  url: string;
  fault: '' | 'down' | 'denied' | 'wrong';
  /** Answers wait for it. */
  held: Promise<void>;
  /** Texts that it answers 400 to, alone or among others. */
  refuses: string | null;
  dimensions: number;
  /** Every text it was asked for, in order. */
  asked: string[];
  stop(): Promise<void>;
}

function random(seed: string): () => number {
  let state = 2_166_136_261;
  for (const char of seed) state = Math.imul(state ^ char.charCodeAt(0), 16_777_619);
  return () => {
    state = Math.imul(state ^ (state >>> 15), 2_246_822_507) + 0x9e3779b9;
    state ^= state >>> 13;
    return (state >>> 0) / 2 ** 32;
  };
}

const directions = new Map<string, Float32Array>();
function direction(feature: string, dimensions: number): Float32Array {
  const key = `${dimensions} ${feature}`;
  let found = directions.get(key);
  if (!found) {
    const next = random(key);
    found = Float32Array.from({ length: dimensions }, () => next() - 0.5);
    directions.set(key, found);
  }
  return found;
}

/** The vector of a text, not of unit length. */
export function embed(text: string, dimensions: number): number[] {
  const sum = new Array<number>(dimensions).fill(0);
  const add = (feature: string, weight: number): void => {
    direction(feature, dimensions).forEach((value, i) => {
      sum[i]! += weight * value;
    });
  };
  add('any text', 0.5);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    if (STOP.has(word)) continue;
    add(CONCEPTS.get(word) ?? word, 1);
    const padded = `^${word}$`;
    for (let i = 0; i + 3 <= padded.length; i += 1) add(padded.slice(i, i + 3), 1 / padded.length);
  }
  return sum;
}

export async function startEmbeddings(): Promise<EmbeddingServer> {
  const state: EmbeddingServer = {
    url: '',
    fault: '',
    held: Promise.resolve(),
    refuses: null,
    dimensions: 256,
    asked: [],
    stop: async () => {},
  };
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const piece of request) text += piece;
    const answer = (status: number, body: unknown): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (state.fault === 'down') return answer(503, { error: 'overloaded' });
    if (state.fault === 'denied' || request.headers.authorization !== 'Bearer right-key')
      return answer(401, { error: 'key' });
    if (state.fault === 'wrong') return answer(200, { data: [] });
    if (request.url !== '/v1/embeddings') return answer(404, {});
    const { input, model, dimensions = state.dimensions } = JSON.parse(text);
    state.asked.push(...input);
    await state.held;
    if (state.refuses && input.some((each: string) => each.includes(state.refuses!)))
      return answer(400, { error: 'too long' });
    const data = input.map((each: string, index: number) => ({
      object: 'embedding',
      index,
      embedding: embed(each, dimensions),
    }));
    answer(200, { object: 'list', model, data: data.reverse(), usage: { prompt_tokens: 1, total_tokens: 1 } });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  state.url = `http://127.0.0.1:${(server.address() as { port: number }).port}/v1`;
  state.stop = () =>
    new Promise((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  return state;
}

if (process.argv[2] === 'serve') {
  const server = await startEmbeddings();
  console.log(server.url);
}
