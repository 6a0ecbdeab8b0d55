/**
 * What one account's backlog costs another: a bystander's turn, from its POST to its ready event, while 200 free text
 * turns wait for an external memory that never answers, and while 300 spoken turns of one account are posted and rendered; beside it
 * the same turn on the quiet platform. Engines answer at once; web and worker are processes of their own.
 */
import { createServer } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { startPart } from './support/parts.mjs';
import { percentile, row } from './support/rows.mjs';
import { Watcher } from './support/watch.mjs';

const TURNS = 25;
/** A process that has served this many runs compiled code. */
const WARM = 60;
const PAUSE_MS = 30;
const WAITING_TEXTS = 200;
const QUEUED_SOUNDS = 300;
/** Posts of a backlog under way at once. */
const AT_ONCE = 20;

const TEXT = { body: { output: 'text' }, isReady: (turn) => turn.status === 'ready' };
const AUDIO = { body: { output: 'audio' }, isReady: (turn) => turn.status === 'audio' && turn.audioUrl };

export async function bench({ databaseUrl }) {
  const silent = createServer(() => {});
  await new Promise((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${silent.address().port}`;
  const env = { FETCH_ALLOW_HOSTS: host };
  const platform = await startPart('platform', { databaseUrl, env });
  const { dataDir, port } = platform.facts;
  await startPart('platform', { databaseUrl, work: true, dataDir, port, env });
  const bystander = new Watcher({ port, ...(await platform.call('seed', {})) });
  const busy = await platform.call('seed', { name: 'busy', conversations: WAITING_TEXTS });
  const forgetful = await platform.call('seed', {
    name: 'forgetful',
    conversations: WAITING_TEXTS,
    memoryAt: `http://${host}`,
  });
  for (const kind of [TEXT, AUDIO]) await p50(bystander, kind, WARM);
  const quietText = await p50(bystander, TEXT);
  const quietAudio = await p50(bystander, AUDIO);
  await post(port, forgetful, WAITING_TEXTS, { userText: 'My name is Mo.', ...TEXT.body });
  const besideTexts = await p50(bystander, TEXT);
  // Rendered about as fast as they are accepted: they are posted while the bystander's turns are timed.
  const posting = post(port, busy, QUEUED_SOUNDS, { userText: 'Hello there.', mode: 'speak', ...AUDIO.body });
  const besideSounds = await p50(bystander, AUDIO);
  await posting;
  await bystander.close();
  silent.closeAllConnections();
  silent.close();
  const ratio = (figure, beside, quiet) =>
    row({
      figure,
      measured: `p50 ${beside.toFixed(1)} ms`,
      baseline: `quiet ${quiet.toFixed(1)} ms`,
      value: beside / quiet,
      goal: '<= 2',
      note: `clock time of ${TURNS} turns from their POST on`,
    });
  return [
    ratio(`a bystander's text turn while ${WAITING_TEXTS} wait for a silent memory`, besideTexts, quietText),
    ratio(
      `a bystander's audio turn while ${QUEUED_SOUNDS} of one account are posted and rendered`,
      besideSounds,
      quietAudio,
    ),
  ];
}

async function p50(watcher, { body, isReady }, turns = TURNS) {
  const times = [];
  for (let index = 0; index < turns; index += 1) {
    const asked = { userText: `How is it there, ${index}?`, mode: 'chat', ...body };
    const { times: seen } = await watcher.time(asked, [isReady]);
    times.push(seen[0].ms);
    await setTimeout(PAUSE_MS);
  }
  return percentile(times, 0.5);
}

/** Posts `count` turns, spread over the account's conversations; resolves when they are accepted. */
async function post(port, { token, conversationIds }, count, body) {
  let next = 0;
  const one = async () => {
    while (next < count) {
      const conversationId = conversationIds[next % conversationIds.length];
      next += 1;
      const answer = await fetch(`http://127.0.0.1:${port}/conversations/${conversationId}/turn`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify(body),
      });
      if (!answer.ok) throw new Error(`POST turn answered ${answer.status}: ${await answer.text()}`);
      await answer.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
}
