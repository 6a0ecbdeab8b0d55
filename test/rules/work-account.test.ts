/** Slots by account: what an account asks for beyond its own waits behind its own, and no one waits for themself. */
import { expect, test } from '@jest/globals';
import { AccountSlots, currentAccount, runAsAccount } from '../../src/kernel/work-account.ts';
import { until } from '../support/until.ts';

test('an account has its slots, others have theirs, and the work knows whose it is', async () => {
  const slots = new AccountSlots(2);
  const begun: (string | undefined)[] = [];
  const ends: (() => void)[] = [];
  const ask = (account: string) =>
    runAsAccount(account, () =>
      slots.run(() => {
        begun.push(currentAccount());
        return new Promise<void>((end) => ends.push(end));
      }),
    );
  const all = ['a', 'a', 'a', 'a', 'b'].map(ask);
  expect(begun).toEqual(['a', 'a', 'b']);
  ends[0]!();
  await until(async () => begun.length === 4);
  expect(begun).toEqual(['a', 'a', 'b', 'a']);
  await until(async () => {
    for (const end of ends.splice(0)) end();
    return begun.length === 5;
  });
  for (const end of ends) end();
  await Promise.all(all);
});

test('what fails gives its slot on; what is asked for within a slot needs no other; the instance has no bound', async () => {
  const slots = new AccountSlots(1);
  await expect(runAsAccount('a', () => slots.run(() => Promise.reject(new Error('failed'))))).rejects.toThrow('failed');
  expect(await runAsAccount('a', () => slots.run(() => slots.run(async () => 'within')))).toBe('within');
  const never = runAsAccount('a', () => slots.run(() => new Promise<never>(() => {})));
  never.catch(() => {});
  expect(await slots.run(async () => currentAccount())).toBeUndefined();
});
