/** Guards of remote calls as a process has them, with times of its own where a test names them, e.g. `pause=0.02`. */
import { type RemoteAddress, RemoteCalls } from '../../src/kernel/remote-calls.ts';
import { readRemoteSeconds } from '../../src/kernel/remote-services.ts';

export const remoteCalls = (seconds = ''): RemoteCalls =>
  new RemoteCalls({ seconds: readRemoteSeconds(seconds), log: { info: () => {}, warn: () => {} } });

/** An address of which every failure is silence. */
export const addressAt = (address: string): RemoteAddress => ({ service: 'memory', address, isNoAnswer: () => true });
