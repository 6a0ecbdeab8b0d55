/** Decoder processes: limits, deaths, turns, and that nothing is left of them. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Confinement, confinements, coresOf } from '../../../src/engines/decoders/confine.ts';
import { createDecoders, isDecoderKilled } from '../../../src/engines/decoders/index.ts';
import { DecoderPool, type PoolOptions } from '../../../src/engines/decoders/pool.ts';
import { RULES, type TaskName, type TaskRule } from '../../../src/engines/decoders/tasks.ts';
import { until } from '../../support/until.ts';

const ENTRY = fileURLToPath(new URL('./process.ts', import.meta.url));
/** A slow machine computes for two seconds to fill the memory that ends a decoder. */
const QUICK = { cpuMs: 4_000, wallMs: 20_000, refusal: 'cannot be read.' };
const rules = Object.fromEntries(Object.keys(RULES).map((name) => [name, QUICK])) as Record<TaskName, TaskRule>;
const SENTENCE = {
  code: 'BAD_INPUT',
  message: 'imageUrl is not a video that can be read.',
  details: { field: 'imageUrl' },
};

let pool: DecoderPool;
const lines: { event: string; decoderPid?: number; reason?: string }[] = [];
const note = (fields: object, event: string) => void lines.push({ ...fields, event });
const log = { info: note, warn: note, error: note } as never;

const open = (options: Partial<PoolOptions> = {}) =>
  new DecoderPool({ size: 2, confinements: confinements(ENTRY), log, rules, ...options });
const ask = (act: string, owner?: string, signal?: AbortSignal, of = pool) =>
  of.run<number>(['seconds', Buffer.from(act)], { field: 'imageUrl', owner, signal });
const isAlive = (pid: number) => existsSync(`/proc/${pid}`);

beforeEach(() => {
  lines.length = 0;
  pool = open();
});
afterEach(() => pool.close());

describe('a decoder that', () => {
  test.each([
    ['breaks down', 'crash', 'crashed', 2],
    ['outgrows its memory', 'grow', 'memory', 1],
    ['outgrows its CPU time', 'spin', 'cpu', 1],
    ['waits for itself', 'hang', 'stalled', 1],
    ['announces more than a message may have', 'boast', 'crashed', 2],
    ['reports what is no message', 'babble', 'crashed', 2],
  ] as const)(
    '%s is a 400 that names the field, and the next task finds a fresh one',
    async (_, act, reason, deaths) => {
      const error = await ask(act).catch((one: unknown) => one);
      expect(error).toMatchObject(SENTENCE);
      expect(isDecoderKilled(error)).toBe(true);
      expect(pool.stats().killed).toMatchObject({ [reason]: deaths });
      expect(lines.filter(({ event }) => event === 'decoder killed').map((line) => line.reason)).toEqual(
        Array(deaths).fill(reason),
      );
      expect(await ask('read')).toBeGreaterThan(0);
    },
  );

  test.each<[string, () => void, number]>([
    ['sleeps', () => {}, 300],
    // As on a machine that gives it no core at all: stopped for longer than a standstill of its own may last.
    ['is given no core', () => process.kill(lines.find(({ decoderPid }) => decoderPid)!.decoderPid!, 'SIGSTOP'), 7_000],
  ])('%s until its wall clock is over is not the caller’s fault: 503', async (_, begin, wallMs) => {
    const brief = open({ rules: { ...rules, seconds: { ...QUICK, wallMs } } });
    const asked = ask('idle', undefined, undefined, brief).catch((one: unknown) => one);
    // On a busy machine its time may be over before this looks.
    await until(async () => brief.stats().running === 1 || brief.stats().killed.time === 1);
    begin();
    const error: unknown = await asked;
    expect(error).toMatchObject({ code: 'UNAVAILABLE', status: 503, details: { retryAfterSeconds: 5 } });
    expect(isDecoderKilled(error)).toBe(false);
    expect(brief.stats().killed).toMatchObject({ time: 1, stalled: 0, cpu: 0 });
    await brief.close();
  });

  test('answers that the bytes are at fault lives on, and the error has the name of the field', async () => {
    const pid = await ask('read');
    await expect(ask('refuse')).rejects.toMatchObject({ code: 'BAD_INPUT', message: 'imageUrl is odd.' });
    expect(await ask('read')).toBe(pid);
  });

  test('has kept memory of an earlier task does not have the next one pay for it', async () => {
    const pid = await ask('keep');
    expect(await ask('need')).not.toBe(pid);
    expect(pool.stats().killed).toMatchObject({ memory: 1 });
  });

  test('is killed from outside costs its task nothing but a second try', async () => {
    const held = ask('idle', 'ada').catch((error: unknown) => error);
    const pid = await until(
      async () => pool.stats().running === 1 && lines.find((line) => line.decoderPid)?.decoderPid,
    );
    process.kill(pid, 'SIGKILL');
    await until(async () => pool.stats().killed.crashed === 1 && pool.stats().running === 1);
    expect(await ask('read', 'bob')).not.toBe(pid);
    await pool.close();
    expect(await held).toMatchObject({ code: 'UNAVAILABLE' });
  });
});

describe('turns', () => {
  test('one owner never has all decoders: who comes later is not kept waiting', async () => {
    const held = Array.from({ length: 5 }, () => ask('idle', 'ada').catch((error: unknown) => error));
    await until(async () => pool.stats().running === 1);
    expect(await ask('read', 'bob')).toBeGreaterThan(0);
    expect(pool.stats()).toMatchObject({ running: 1, waiting: 4 });
    await pool.close();
    await Promise.all(held);
  });

  test('the queue is bounded by owner and in all: 503', async () => {
    const outcomes = Array.from({ length: 40 }, () => ask('idle', 'ada').catch(({ code }) => code));
    expect(await Promise.race(outcomes)).toBe('UNAVAILABLE');
    const others = Array.from({ length: 120 }, (_, i) => ask('idle', `owner-${i}`).catch(({ code }) => code));
    await expect(ask('read', 'bob')).rejects.toMatchObject({ status: 503 });
    await pool.close();
    expect(new Set(await Promise.all([...outcomes, ...others]))).toEqual(new Set(['UNAVAILABLE']));
  });

  test('a task that waits too long for a decoder is a 503, and the task before it goes on', async () => {
    const single = open({ size: 1, queueLimits: { waitMs: 200 } });
    // A decoder may take longer than that to start.
    await until(() => ask('read', 'ada', undefined, single).catch(() => undefined));
    const held = ask('idle', 'ada', undefined, single).catch((error: unknown) => error);
    await expect(ask('read', 'bob', undefined, single)).rejects.toMatchObject({
      status: 503,
      message: 'Too much media is being read: try again later.',
    });
    expect(single.stats()).toMatchObject({ running: 1, waiting: 0 });
    await single.close();
    await held;
  });

  test('an abort is the caller’s own reason, and the decoder is free again', async () => {
    const ending = new AbortController();
    const held = ask('spin', 'ada', ending.signal);
    await until(async () => pool.stats().running === 1);
    const outcome = expect(held).rejects.toThrow('enough');
    ending.abort(new Error('enough'));
    await outcome;
    expect(await ask('read', 'ada')).toBeGreaterThan(0);
    await until(async () => pool.stats().running === 0);
  });
});

describe('nothing is left', () => {
  test('after close', async () => {
    const held = ask('hang').catch(() => undefined);
    const pid = await until(
      async () => pool.stats().running === 1 && lines.find((line) => line.decoderPid)?.decoderPid,
    );
    await pool.close();
    expect(isAlive(pid)).toBe(false);
    await held;
    await expect(ask('read')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  test.each(['idle', 'spin', 'hang'])('after kill -9 of the parent (%s)', async (act) => {
    const module = (name: string) =>
      JSON.stringify(new URL(`../../../src/engines/decoders/${name}.ts`, import.meta.url));
    const code = `
      const { DecoderPool } = await import(${module('pool')});
      const { confinements } = await import(${module('confine')});
      const log = { info: ({ decoderPid }) => console.log(decoderPid), warn() {}, error() {} };
      const pool = new DecoderPool({ size: 1, confinements: confinements(${JSON.stringify(ENTRY)}), log });
      await pool.run(['seconds', Buffer.from(${JSON.stringify(act)})], { field: 'file' });`;
    const parent = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', code], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const pid = Number(await new Promise((resolve) => parent.stdout.once('data', resolve)));
    expect(isAlive(pid)).toBe(true);
    parent.kill('SIGKILL');
    await until(async () => !isAlive(pid));
  });
});

test('where the strictest way does not start, the next one does; where none does, it says so', async () => {
  const broken: Confinement = { measures: ['broken'], command: () => ['/nowhere/at/all'] };
  const exits: Confinement = { measures: ['exits'], command: () => [process.execPath, '-e', ''] };
  const other = open({ confinements: [broken, exits, ...confinements(ENTRY)] });
  expect(await other.run<number>(['seconds', Buffer.from('read')], { field: 'file' })).toBeGreaterThan(0);
  expect(lines.map(({ event }) => event)).toEqual([
    'decoder did not start',
    'decoder did not start',
    'decoder started',
  ]);
  await other.close();
  const none = open({ confinements: [broken] });
  const task = none.run(['seconds', Buffer.from('read')], { field: 'file' });
  await expect(task).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  await none.close();
});

test('on many cores a decoder gets two of those that we may use, on two or one it is left alone', () => {
  const cores = [3, 5, 7, 11];
  const programs = (all: number[]) => confinements(ENTRY, () => all).map((way) => way.command());
  const strict = programs(cores).slice(0, -1);
  expect(strict.length).toBeGreaterThan(0);
  for (const [program, option, list = ''] of strict) {
    expect([program, option]).toEqual(['taskset', '--cpu-list']);
    const given = list.split(',').map(Number);
    expect(new Set(given).size).toBe(2);
    expect(cores).toEqual(expect.arrayContaining(given));
  }
  // Where `taskset` is missing the last way still starts.
  expect(programs(cores).at(-1)![0]).toBe(process.execPath);
  expect(programs([3, 5]).flat()).not.toContain('taskset');
});

test.each([
  ['0-1', [0, 1]],
  ['0,2-4,9', [0, 2, 3, 4, 9]],
])('cores %s', (list, cores) => {
  expect(coresOf(`Name:\tnode\nCpus_allowed_list:\t${list}\nMems_allowed:\t1\n`)).toEqual(cores);
});

test('a decoder has no environment, writes no file, starts no program and opens no thread', async () => {
  const decoders = createDecoders({ log });
  const garbage = decoders.image(Buffer.from('no image'), { field: 'image' });
  await expect(garbage).rejects.toMatchObject({ code: 'BAD_INPUT' });
  const { decoderPid: pid, measures } = lines.find(({ event }) => event === 'decoder started') as never as {
    decoderPid: number;
    measures: string[];
  };
  const { readFileSync } = await import('node:fs');
  const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean);
  expect(environment.filter((one) => !/^MALLOC_/.test(one))).toEqual([]);
  expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')).toContain('--permission');
  if (process.getuid?.() === 0) {
    expect(measures).toContain('nobody');
    expect(readFileSync(`/proc/${pid}/status`, 'utf8')).toMatch(/^Uid:\t65534\t65534/m);
  }
  await decoders.close();
});
