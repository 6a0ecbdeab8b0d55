/** The video engine's worker thread: one film at a time. Leaves between frames when its caller has gone. */
import '@napi-rs/webcodecs/polyfill';
import { serve } from '../serve.ts';
import type { FilmQuery } from './direct.ts';
import { editFilm, sourceSeconds } from './edit.ts';
import { makeFilm } from './film.ts';
import { secondsOf } from './plan.ts';

export type VideoTask = { kind: 'film' | 'seconds'; query: FilmQuery };

serve<VideoTask>(async ({ kind, query }, duty) => {
  const { srcVideo } = query;
  if (kind === 'seconds') return secondsOf(query, srcVideo && (await sourceSeconds(srcVideo)));
  const file = srcVideo ? await editFilm({ ...query, srcVideo }, duty) : await makeFilm(query, duty);
  if (!file) return; // Nobody waits for it.
  duty.piece({ progress: 1 });
  duty.piece(file);
});
