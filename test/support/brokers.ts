/** Debian's Redis and NATS, as brokers that a test kills, freezes and starts again. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import { freePort, hasEnded, isInstalled } from './machine.ts';
import { until } from './until.ts';

export interface TestBroker {
  url: string;
  start(): Promise<void>;
  kill(): Promise<void>;
  /** Its connections stay, and nothing answers. */
  freeze(): void;
  thaw(): void;
}

const PROGRAMS = {
  redis: {
    program: 'redis-server',
    args: (port: number) => ['--port', `${port}`, '--bind', '127.0.0.1', '--save', ''],
  },
  nats: {
    program: 'nats-server',
    args: (port: number) => ['-a', '127.0.0.1', '-p', `${port}`, '--user', 'a', '--pass', 'b'],
  },
};

export type BrokerKind = keyof typeof PROGRAMS;

/** Which of them this machine has. */
export const BROKERS = (Object.keys(PROGRAMS) as BrokerKind[]).filter((kind) => isInstalled(PROGRAMS[kind].program));

/** `settings`: further arguments of the broker's program. */
export async function openTestBroker(kind: BrokerKind, settings: readonly string[] = []): Promise<TestBroker> {
  const port = await freePort();
  const { program } = PROGRAMS[kind];
  const args = (at: number) => [...PROGRAMS[kind].args(at), ...settings];
  let child: ChildProcess;
  const broker: TestBroker = {
    url: kind === 'redis' ? `redis://127.0.0.1:${port}` : `nats://a:b@127.0.0.1:${port}`,
    async start() {
      child = spawn(program, args(port), { stdio: 'ignore' });
      await until(async () => {
        if (hasEnded(child)) throw new Error(`${program} ended: ${child.signalCode ?? child.exitCode}`);
        return isOpen(port);
      });
    },
    async kill() {
      if (hasEnded(child)) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
  };
  await broker.start();
  return broker;
}

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.once('connect', () => socket.destroy());
    socket.once('error', () => resolve(false)).once('close', (hadError) => resolve(!hadError));
  });
