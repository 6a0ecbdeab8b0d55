/** The video engine's worker thread: one film at a time. Leaves between frames when its caller has gone. */
import os from 'node:os';
import '@napi-rs/webcodecs/polyfill';
import { serve } from '../serve.ts';
import { conformFilm } from './conform.ts';
import type { FilmQuery } from './direct.ts';
import { editFilm, sourceSeconds } from './edit.ts';
import { makeFilm } from './film.ts';
import { secondsOf } from './plan.ts';

// A film takes a core for many seconds: turns that are being spoken beside it come first. On Linux this is of the thread
// alone; elsewhere it would be of the whole process.
if (process.platform === 'linux') os.setPriority(0, os.constants.priority.PRIORITY_BELOW_NORMAL);

export type VideoTask =
  | { kind: 'film' | 'seconds'; query: FilmQuery }
  /** `made` is another engine's film for this query. */
  | { kind: 'conform'; query: FilmQuery; made: Uint8Array };

serve<VideoTask>(async (task, run) => {
  const { kind, query } = task;
  const { srcVideo } = query;
  if (kind === 'seconds') return secondsOf(query, srcVideo && (await sourceSeconds(srcVideo)));
  const file = await (kind === 'conform'
    ? conformFilm(query, task.made, run)
    : srcVideo
      ? editFilm({ ...query, srcVideo }, run)
      : makeFilm(query, run));
  if (!file) return; // Nobody waits for it.
  run.piece({ progress: 1 });
  run.piece(file);
});
