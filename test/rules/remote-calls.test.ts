/** What guards every call of a remote address: its circuit breaker, an account's slots, and the time of a call. */
import { describe, expect, test } from '@jest/globals';
import { LOG_REDACTION } from '../../src/kernel/log.ts';
import { NoAnswerError, type RemoteAddress } from '../../src/kernel/remote-calls.ts';
import { readRemoteSeconds } from '../../src/kernel/remote-services.ts';
import { runAsAccount } from '../../src/kernel/work-account.ts';
import { addressAt, remoteCalls } from '../support/remote-calls.ts';
import { until } from '../support/until.ts';

const never = (): Promise<never> => new Promise(() => {});
const fails = async (): Promise<never> => {
  throw new Error('no answer');
};

describe('the circuit of an address', () => {
  test('opens after three calls without an answer, alone', async () => {
    const calls = remoteCalls();
    let asked = 0;
    const ask = (address: string) =>
      calls.call(addressAt(address), undefined, async () => {
        asked += 1;
        if (address === 'away') await fails();
        return 'answer';
      });
    for (let i = 0; i < 3; i += 1) await expect(ask('away')).rejects.toThrow('no answer');
    await expect(ask('away')).rejects.toThrow(
      new NoAnswerError(
        'UPSTREAM_FAILED',
        'The memory system does not answer at the moment. Try again in a few seconds.',
      ),
    );
    expect(asked).toBe(3);
    expect(calls.stats()).toEqual({
      open: { memory: 1 },
      calls: { memory: { answered: 0, unanswered: 3, refused: 1 } },
    });
    expect(await ask('there')).toBe('answer');
  });

  test('closes when one call is answered again', async () => {
    const calls = remoteCalls('pause=0.02');
    for (let i = 0; i < 3; i += 1) await calls.call(addressAt('away'), undefined, fails).catch(() => {});
    expect(calls.stats().open).toEqual({ memory: 1 });
    const ask = () => calls.call(addressAt('away'), undefined, async () => 'answer');
    expect(await until(() => ask().catch(() => false as const))).toBe('answer');
    expect(calls.stats().open).toEqual({ memory: 0 });
  });

  test('lets one call try, whatever comes meanwhile; a trial that its caller left decides nothing', async () => {
    const calls = remoteCalls('pause=0.02');
    const to = addressAt('away');
    for (let i = 0; i < 3; i += 1) await calls.call(to, undefined, fails).catch(() => {});
    let trials = 0;
    const leave = new AbortController();
    const attempts = () =>
      calls.call(to, leave.signal, () => {
        trials += 1;
        return never();
      });
    const waiting: Promise<never>[] = [];
    await until(async () => {
      const one = attempts();
      one.catch(() => {});
      waiting.push(one);
      await new Promise(setImmediate);
      return trials > 0;
    });
    await expect(calls.call(to, undefined, fails)).rejects.toBeInstanceOf(NoAnswerError);
    leave.abort(new Error('left'));
    await expect(waiting.at(-1)).rejects.toThrow('left');
    await expect(calls.call(to, undefined, async () => 'answer')).rejects.toBeInstanceOf(NoAnswerError);
    expect(trials).toBe(1);
  });

  test('while it is open each refused call is one line of the log; those that opened it are there in full', async () => {
    const calls = remoteCalls();
    const logged = async () => {
      const error = await calls.call(addressAt('away'), undefined, fails).catch((error: unknown) => error);
      return String((LOG_REDACTION.serializers.err(error as Error) as { stack: string }).stack).split('\n');
    };
    for (let i = 0; i < 3; i += 1) expect((await logged()).length).toBeGreaterThan(1);
    expect(await logged()).toEqual([
      'PlatformError: The memory system does not answer at the moment. Try again in a few seconds.',
    ]);
  });

  test('an answer that refuses is an answer', async () => {
    const calls = remoteCalls();
    const to: RemoteAddress = { ...addressAt('there'), isNoAnswer: () => false };
    for (let i = 0; i < 10; i += 1) await expect(calls.call(to, undefined, fails)).rejects.toThrow('no answer');
    expect(calls.stats()).toMatchObject({ open: {}, calls: { memory: { answered: 10 } } });
  });
});

test('a call that takes too long ends, and counts as unanswered', async () => {
  const calls = remoteCalls('memory=0.02');
  for (let i = 0; i < 3; i += 1) {
    await expect(calls.call(addressAt('slow'), undefined, never)).rejects.toThrow(
      'The memory system took too long to answer.',
    );
  }
  expect(calls.stats()).toMatchObject({ open: { memory: 1 }, calls: { memory: { unanswered: 3 } } });
});

test('an account fills its own slots of an address, not those of others; its other calls wait, and go on', async () => {
  const calls = remoteCalls();
  const to = addressAt('busy');
  const ends: (() => void)[] = [];
  const begun: string[] = [];
  const ask = (account: string) =>
    runAsAccount(account, () =>
      calls.call(to, undefined, () => {
        begun.push(account);
        return new Promise<void>((end) => ends.push(end));
      }),
    );
  const all = Array.from({ length: 6 }, () => ask('a'));
  all.push(ask('b'));
  await until(async () => begun.includes('b'));
  expect(begun).toEqual(['a', 'a', 'a', 'a', 'b']);
  await until(async () => {
    for (const end of ends.splice(0)) end();
    return begun.length === 7;
  });
  for (const end of ends) end();
  await Promise.all(all);
});

test('an account that lets too many calls wait is refused', async () => {
  const calls = remoteCalls();
  const leave = new AbortController();
  const ask = () => runAsAccount('a', () => calls.call(addressAt('busy'), leave.signal, never));
  const all = Array.from({ length: 60 }, () => ask().catch((error: unknown) => error));
  const first = await Promise.race(all);
  expect(first).toMatchObject({ code: 'UNAVAILABLE', details: { retryAfterSeconds: 5 } });
  leave.abort();
  await Promise.all(all);
});

test('times are read by name, and refused with a sentence', () => {
  expect(readRemoteSeconds('chat=300, memory=0.5')).toMatchObject({ chat: 300, memory: 0.5, speech: 60 });
  expect(() => readRemoteSeconds('chat')).toThrow('must be name=seconds items');
  expect(() => readRemoteSeconds('moon=1')).toThrow('must be name=seconds items');
  expect(() => readRemoteSeconds('chat=0')).toThrow('must give chat up to 3600 seconds.');
});
