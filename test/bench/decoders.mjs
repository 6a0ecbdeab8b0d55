/** What it costs that media of others are opened in processes of their own: the same work here and there, in turn. */
import { startPart } from './support/parts.mjs';
import { median, row } from './support/rows.mjs';

const ROUNDS = 15;

export async function bench() {
  const part = await startPart('decoding');
  const { seconds, width, height } = part.facts;
  const timed = async (what) => {
    const startedAt = performance.now();
    await part.call(what);
    return performance.now() - startedAt;
  };
  const compare = async (figure, name) => {
    const [here, there] = [[], []];
    // The first of each starts a decoder or loads a codec.
    await timed(`${name}Here`);
    await timed(`${name}There`);
    for (let round = 0; round < ROUNDS; round += 1) {
      here.push(await timed(`${name}Here`));
      there.push(await timed(`${name}There`));
    }
    const [own, baseline] = [median(there), median(here)];
    const note = 'baseline: the same work in the calling process; medians of clock time in turn';
    const ms = (value) => `${value.toFixed(0)} ms`;
    return row({ figure, measured: ms(own), baseline: ms(baseline), value: own / baseline, goal: '<= 1.3', note });
  };
  return [
    await compare(`A recording of ${seconds} s (mp3) by a decoder process`, 'sound'),
    await compare(`A photograph of ${(width * height) / 1e6} megapixels by a decoder process`, 'photo'),
  ];
}
