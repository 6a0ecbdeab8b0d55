/** Threads of models: kept while they are used, ended when unused for a while, started again by the next request. */
import { expect, test } from '@jest/globals';
import { createModelThread } from '../../../src/engines/local/host.ts';
import { until } from '../../support/until.ts';

const ENTRY = new URL('./numbered-thread.ts', import.meta.url);

test('an unused thread is ended, and another one answers the next request', async () => {
  const thread = createModelThread(ENTRY, 1);
  const first = await thread.run<number>({});
  await until(async () => (await thread.run<number>({})) !== first);
  await thread.close();
  await expect(thread.run({})).rejects.toMatchObject({ code: 'UNAVAILABLE' });
});

test('without an idle time it stays', async () => {
  const thread = createModelThread(ENTRY, 0);
  const first = await thread.run<number>({});
  expect(await thread.run<number>({})).toBe(first);
  await thread.close();
});
