/**
 * Parts of a bench in processes of their own, so that the CPU of each is counted alone: the bench starts a part and
 * calls its methods by message. Every part answers `cpu` (µs used since its start) and `rss` (bytes, after collecting).
 */
import { fork } from 'node:child_process';

const running = new Set();

/** Starts `parts/<name>.mjs` with what it is to know; resolves when it is ready, with what it said then. */
export async function startPart(name, knowing = {}) {
  const child = fork(new URL(`../parts/${name}.mjs`, import.meta.url), {
    execArgv: ['--expose-gc', '--no-warnings', ...(process.env.BENCH_NODE_OPTIONS?.split(' ') ?? [])],
    serialization: 'advanced',
  });
  const waiting = new Map();
  let calls = 0;
  const part = {
    name,
    call(method, given) {
      calls += 1;
      child.send({ id: calls, method, given });
      return new Promise((resolve, reject) => waiting.set(calls, { resolve, reject }));
    },
    async stop() {
      if (!running.delete(part) || child.exitCode !== null) return;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      const timer = setTimeout(() => child.kill('SIGKILL'), 8_000);
      child.send({ method: 'stop' });
      await ended;
      clearTimeout(timer);
    },
  };
  running.add(part);
  child.on('message', ({ id, result, error }) => {
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    if (error) reject(new Error(`${name}: ${error}`));
    else resolve(result);
  });
  child.on('exit', (code) => {
    running.delete(part);
    for (const { reject } of waiting.values()) reject(new Error(`${name} ended with code ${code}.`));
  });
  part.facts = await part.call('start', knowing);
  return part;
}

export async function stopAllParts() {
  await Promise.all([...running].map((part) => part.stop()));
}

/** The part's side: `start` is called first, and returns the methods, with `facts` and `close` if it has them. */
export function servePart(start) {
  let methods = {};
  const builtIn = {
    cpu: () => {
      const { user, system } = process.cpuUsage();
      return user + system;
    },
    rss: () => {
      globalThis.gc?.();
      globalThis.gc?.();
      return process.memoryUsage.rss();
    },
  };
  const leave = async () => {
    await methods.close?.();
    process.exit(0);
  };
  process.on('message', async ({ id, method, given }) => {
    if (method === 'stop') return leave();
    try {
      if (method === 'start') methods = await start(given);
      const result = method === 'start' ? methods.facts : await (methods[method] ?? builtIn[method])(given);
      process.send({ id, result });
    } catch (error) {
      process.send({ id, error: error.stack });
    }
  });
  // The bench itself is gone.
  process.on('disconnect', leave);
}
