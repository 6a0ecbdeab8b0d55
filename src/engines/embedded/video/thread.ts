/** The video engine's worker thread: one film at a time. */
import { PlatformError } from '../../../kernel/errors.ts';
import type { VideoQuery } from '../../ports.ts';
import { serve } from '../serve.ts';
import { secondsOf } from './plan.ts';

export type FilmQuery = Omit<VideoQuery, 'signal'> & { seed: number };

export type VideoTask = { kind: 'film'; query: FilmQuery } | { kind: 'seconds'; query: FilmQuery };

serve<VideoTask>(async (task) => {
  if (task.kind === 'seconds') return secondsOf(task.query);
  throw new PlatformError('UNAVAILABLE', 'Films are not made yet.');
});
