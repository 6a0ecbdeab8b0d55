/** CPU of a talking head for each second of speech, beside encoding the same video with a still for every frame. */
import { startPart } from './support/parts.mjs';
import { median, row } from './support/rows.mjs';

const ROUNDS = 4;

export async function bench() {
  const media = await startPart('media');
  const { seconds, hasRig } = media.facts;
  if (!hasRig) throw new Error('The portrait has no rig.');
  const measure = async (what) => {
    const before = await media.call('cpu');
    await media.call(what);
    return ((await media.call('cpu')) - before) / 1e6 / seconds;
  };
  const costs = { speak: [], photograph: [], still: [] };
  for (const what of Object.keys(costs)) await measure(what);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const what of Object.keys(costs)) costs[what].push(await measure(what));
  }
  const still = median(costs.still);
  const figure = 'Talking head, 512 px, CPU per second of speech';
  return [
    ['a drawn portrait', median(costs.speak)],
    ['a photograph', median(costs.photograph)],
  ].map(([of, speak]) =>
    row({
      figure: `${figure}, ${of}`,
      measured: `${speak.toFixed(3)} s`,
      baseline: `${still.toFixed(3)} s`,
      value: speak,
      unit: 's',
      goal: '<= 0.15',
      note: `baseline: encoding a still; ${(speak / still).toFixed(1)} of it`,
    }),
  );
}
