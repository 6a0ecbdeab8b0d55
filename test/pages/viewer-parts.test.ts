/** Parts of the viewer that need no browser: its options, the order of turns, the colours. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { readOptions } from '../../src/pages/client/viewer/options.ts';
import { Playlist } from '../../src/pages/client/viewer/playlist.ts';

const NOW = 1_700_000_000_000;

describe('query parameters', () => {
  test.each([
    ['', '', true, 0],
    ['?autoplay=0', '', false, 0],
    ['?autoplay=1', '', true, 0],
    ['?since=now', '', true, NOW],
    ['', '#new', true, NOW],
    ['?since=1600000000000', '', true, 1_600_000_000_000],
    ['?since=2026-01-02T03:04:05Z', '', true, Date.UTC(2026, 0, 2, 3, 4, 5)],
    ['?since=yesterday', '', true, 0],
  ])('%s%s', (search, hash, autoplay, sinceMs) => {
    expect(readOptions({ search, hash }, NOW)).toEqual({ autoplay, sinceMs });
  });
});

function update(injection: number, chunk: number, turn: Record<string, unknown> = {}): any {
  const id = `${injection}.${chunk}`;
  return {
    cursor: '1',
    injection,
    chunk,
    turn: {
      id,
      role: 'avatar',
      avatarText: id,
      output: null,
      status: 'ready',
      heardText: null,
      createdAt: injection,
      ...turn,
    },
  };
}

describe('the playlist', () => {
  test('plays by injection, then chunk, whatever the order of arrival, and waits for what is not ready', () => {
    const list = new Playlist();
    for (const one of [update(2, 1), update(1, 2), update(1, 1, { status: 'pending' })]) list.put(one);
    expect(list.peek()).toMatchObject({ kind: 'waiting', entry: { injection: 1, chunk: 1 } });
    list.put(update(1, 1));
    const order: string[] = [];
    for (let item = list.peek(); item; item = list.peek()) {
      order.push(item.entry.turn.id);
      list.done(item.entry);
    }
    expect(order).toEqual(['1.1', '1.2', '2.1']);
  });

  test('plays what comes late all the same, before what comes behind it, and each turn once', () => {
    const list = new Playlist();
    const order: string[] = [];
    const play = () => {
      for (let item = list.peek(); item && item.kind !== 'waiting'; item = list.peek()) {
        order.push(item.entry.turn.id);
        list.done(item.entry);
      }
    };
    // A turn that takes long was changed again before it was first sent: it comes behind the one after it.
    for (const one of [update(1, 1), update(3, 1), update(2, 1, { status: 'pending' }), update(4, 1)]) {
      list.put(one);
      play();
    }
    expect(list.peek()).toMatchObject({ kind: 'waiting', entry: { injection: 2 } });
    expect(list.backlog).toBe(2);
    list.put(update(2, 1));
    play();
    expect(order).toEqual(['1.1', '3.1', '2.1', '4.1']);
    list.rewindTo(list.entries[2]!);
    play();
    expect(order.slice(4)).toEqual(['3.1', '4.1']);
  });

  test('starts a video on its first fragment, and on the file once there is one', () => {
    const list = new Playlist();
    const shell = { output: 'video', status: 'audio', audioUrl: 'a', videoUrl: null, streamUrl: null };
    list.put(update(1, 1, shell));
    expect(list.peek()?.kind).toBe('waiting');
    list.put(update(1, 1, { ...shell, streamUrl: 's' }));
    expect(list.peek()).toMatchObject({ kind: 'video', src: 's' });
    list.put(update(1, 1, { ...shell, status: 'video', streamUrl: null, videoUrl: 'v' }));
    expect(list.peek()).toMatchObject({ kind: 'video', src: 'v' });
  });

  test('leaves out what is older than the cutoff until it is asked for', () => {
    const list = new Playlist();
    list.sinceMs = 3;
    const [old] = [update(1, 1), update(3, 1)].map((one) => list.put(one));
    expect(list.peek()?.entry.turn.id).toBe('3.1');
    expect(list.backlog).toBe(1);
    list.rewindTo(old!);
    expect(list.peek()?.entry.turn.id).toBe('1.1');
  });

  test('skips to the newest exchange', () => {
    const list = new Playlist();
    for (const one of [update(1, 1), update(2, 0, { role: 'user', userText: 'Hm?' }), update(2, 1)]) list.put(one);
    expect(list.backlog).toBe(2);
    list.skipToLatest();
    expect(list.peek()).toMatchObject({ kind: 'asked', entry: { injection: 2 } });
  });
});

describe('colours', () => {
  const css = readFileSync(new URL('../../src/pages/client/style/tokens.css', import.meta.url), 'utf8');
  const [light, dark] = css.split('prefers-color-scheme: dark').map((part) => {
    return Object.fromEntries([...part.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map((match) => [match[1], match[2]!]));
  });

  const luminance = (hex: string): number => {
    const [r, g, b] = [1, 3, 5].map((at) => {
      const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
  };
  const contrast = (a: string, b: string): number => {
    const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x);
    return (high! + 0.05) / (low! + 0.05);
  };

  const PAIRS: [string, string, number][] = [
    ['text', 'bg', 7],
    ['text', 'surface', 7],
    ['text', 'accent-soft', 7],
    ['text-2', 'bg', 4.5],
    ['text-2', 'surface', 4.5],
    ['text-2', 'accent-soft', 4.5],
    ['accent', 'bg', 4.5],
    ['accent', 'surface', 4.5],
    ['accent', 'accent-soft', 4.5],
    ['accent-text', 'accent', 4.5],
    ['danger', 'surface', 4.5],
    ['danger', 'danger-soft', 4.5],
    ['focus', 'bg', 3],
  ];
  test.each(PAIRS)('%s on %s is readable in both themes', (front, back, least) => {
    for (const theme of [light!, dark!]) expect(contrast(theme[front]!, theme[back]!)).toBeGreaterThanOrEqual(least);
  });
});
