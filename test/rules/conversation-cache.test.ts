/** What a read that was under way while something changed may be kept for: it alone is thrown away, not every one. */
import { expect, test } from '@jest/globals';
import type { Channel } from '../../src/events/notifier.ts';
import { ConversationCache } from '../../src/services/conversations/conversation.cache.ts';

/** A cache whose reads are answered by hand, and the channel by which it hears of changes. */
function open() {
  const listeners = new Map<Channel | 'missed', (payload: string) => void>();
  const answers: (() => void)[] = [];
  const notifier = {
    on: (channel: Channel, listener: (payload: string) => void) => {
      listeners.set(channel, listener);
      return () => {};
    },
    onReconnect: () => () => {},
    onMissed: (listener: () => void) => {
      listeners.set('missed', listener);
      return () => {};
    },
    emit: () => {},
    emitLocal: () => {},
    keepMs: 5_000,
    isAway: false,
    lockId: null,
    close: async () => {},
  };
  const cache = new ConversationCache(
    { clock: { now: () => 0 }, notifier },
    (slug) =>
      new Promise<{ id: string; avatarId: string }>((resolve) =>
        answers.push(() => resolve({ id: `cnv_${slug}`, avatarId: `avt_${slug}` })),
      ),
  );
  const announce = (channel: Channel | 'missed', payload = '') => listeners.get(channel)?.(payload);
  return { cache, answers, announce };
}

test.each<[string, Channel | 'missed', string, number]>([
  ['a turn of another conversation', 'turn', 'cnv_b 7', 1],
  ['a turn of this one', 'turn', 'cnv_a 7', 2],
  ['an avatar of another conversation', 'avatar', 'avt_b', 1],
  ['the avatar of this one', 'avatar', 'avt_a', 2],
  ['a silent connection', 'missed', '', 2],
])('during a read changes %s', async (_, channel, payload, reads) => {
  const { cache, answers, announce } = open();
  const first = cache.find('a');
  announce(channel, payload);
  answers[0]?.();
  expect(await first).toEqual({ row: { id: 'cnv_a', avatarId: 'avt_a' }, isKept: false });
  const second = cache.find('a');
  expect(answers).toHaveLength(reads);
  answers[1]?.();
  expect(await second).toEqual({ row: { id: 'cnv_a', avatarId: 'avt_a' }, isKept: reads === 1 });
});

test('a row that was kept is forgotten by a change of its own, and by no other', async () => {
  const { cache, answers, announce } = open();
  const first = cache.find('a');
  answers[0]?.();
  await first;
  announce('turn', 'cnv_b 1');
  await cache.find('a');
  expect(answers).toHaveLength(1);
  announce('avatar', 'avt_b');
  void cache.find('a');
  expect(answers).toHaveLength(1);
  announce('turn', 'cnv_a 2');
  const second = cache.find('a');
  answers[1]?.();
  await second;
  announce('avatar', 'avt_a');
  void cache.find('a');
  expect(answers).toHaveLength(3);
});
