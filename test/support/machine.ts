/** What tests and the programs that try a whole installation ask of the machine. Erasable TypeScript: programs run it unbuilt. */
import { type ChildProcess, execFileSync } from 'node:child_process';
import { type AddressInfo, createServer } from 'node:net';

/** Whether this machine has a program, by asking for its version. */
export function isInstalled(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** A port that nobody listens at. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}

/** Whether a child has ended, by itself or by a signal: its `exit` does not come again. */
export const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;
