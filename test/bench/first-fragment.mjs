/**
 * How long a user waits for the first sound and the first moving image of a reply, with the built-in engines, warm:
 * from POST turn to the audio that can be played, and to the first fragment of video in hand.
 */
import { startPart } from './support/parts.mjs';
import { percentile, row } from './support/rows.mjs';
import { Watcher } from './support/watch.mjs';

const TURNS = 5;
const TEXT =
  'I saw the whole of Orion over the cranes, and a thin moon that went down behind the lighthouse. ' +
  'It rained at four, but by then I had counted eleven meteors.';

export async function bench({ databaseUrl }) {
  const env = { ENGINES: 'real' };
  const platform = await startPart('platform', { databaseUrl, env });
  const { dataDir, port } = platform.facts;
  await startPart('platform', { databaseUrl, env, work: true, dataDir, port });
  const seeded = await platform.call('seed', {});
  const watcher = new Watcher({ port, ...seeded });
  const audio = [];
  const video = [];
  const whole = [];
  for (let index = 0; index <= TURNS; index += 1) {
    const say = { userText: 'What did you see?', mode: 'chat', avatarText: TEXT };
    const heard = await watcher.time({ ...say, output: 'audio' }, [(turn) => turn.audioUrl]);
    const seen = await watcher.time({ ...say, output: 'video' }, [(turn) => turn.streamUrl, (turn) => turn.videoUrl]);
    if (index === 0) continue; // The threads have started and are warm from here on.
    audio.push(heard.times[0].ms);
    video.push(seen.times[0].ms + (await firstFragment(seen.times[0].turn.streamUrl)));
    whole.push(seen.times[1].ms);
  }
  await watcher.close();
  const shown = (values) => `p50 ${percentile(values, 0.5).toFixed(0)} ms, worst ${Math.max(...values).toFixed(0)} ms`;
  const figure = (what, values, note) =>
    row({ figure: what, measured: shown(values), value: percentile(values, 0.5), unit: 'ms', note });
  return [
    figure('POST turn to playable audio', audio, 'built-in engines, warm; clock time'),
    figure('POST turn to first video fragment', video, 'streamUrl, its first fragment fetched'),
    figure('POST turn to finished video', whole, `${TEXT.length} characters, 9 s of speech`),
  ];
}

/** ms until initialisation and one whole fragment are here; the video may have been finished meanwhile. */
async function firstFragment(url) {
  const startedAt = performance.now();
  const gone = new AbortController();
  const answer = await fetch(url, { signal: gone.signal });
  if (!answer.ok) return 0;
  let bytes = Buffer.alloc(0);
  for await (const piece of answer.body) {
    bytes = Buffer.concat([bytes, piece]);
    const mdat = bytes.indexOf('mdat');
    if (mdat >= 4 && bytes.length >= mdat - 4 + bytes.readUInt32BE(mdat - 4)) break;
  }
  gone.abort();
  return performance.now() - startedAt;
}
