/** What an image costs for each megapixel, and a second of video beside encoding its frames alone. */
import { startPart } from './support/parts.mjs';
import { median, row } from './support/rows.mjs';

const ROUNDS = 3;

export async function bench() {
  const part = await startPart('videos');
  const { seconds, images, megapixels } = part.facts;
  const measure = async (what) => {
    const [before, startedAt] = [await part.call('cpu'), performance.now()];
    await part.call(what);
    return { cpuMs: ((await part.call('cpu')) - before) / 1e3, ms: performance.now() - startedAt };
  };
  const rounds = async (...names) => {
    const costs = Object.fromEntries(names.map((name) => [name, []]));
    for (const name of names) await measure(name);
    for (let round = 0; round < ROUNDS; round += 1) for (const name of names) costs[name].push(await measure(name));
    return names.map((name) => ({
      cpuMs: median(costs[name].map((one) => one.cpuMs)),
      ms: median(costs[name].map((one) => one.ms)),
    }));
  };
  const [drawn] = await rounds('images');
  const perImage = (cost) => cost / images / megapixels;
  const rows = [
    row({
      figure: 'Image, per megapixel',
      measured: `${perImage(drawn.ms).toFixed(0)} ms`,
      value: perImage(drawn.cpuMs),
      unit: 'ms CPU',
      note: `mean of ${images} prompts, portrait to lettering`,
    }),
  ];
  for (const size of ['720', '1080']) {
    const [video, encoding] = await rounds(`video${size}`, `encode${size}`);
    const [own, baseline] = [video, encoding].map(({ cpuMs }) => cpuMs / 1e3 / seconds);
    rows.push(
      row({
        figure: `Video ${size}p24, CPU per second of output`,
        measured: `${own.toFixed(2)} s`,
        baseline: `${baseline.toFixed(2)} s`,
        value: own / baseline,
        note: 'baseline: encoding the same frames, already drawn',
      }),
    );
  }
  return rows;
}
