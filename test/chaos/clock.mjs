/**
 * Loaded into a process before everything else (`--import`): its clock goes wrong by as many milliseconds as the file CHAOS_CLOCK
 * says, read at each SIGUSR2. Timers and `performance.now()` go on as they do where a machine's clock is set.
 */
import { readFileSync } from 'node:fs';

const RealDate = Date;
const realNow = Date.now;
let shiftMs = 0;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, given, newTarget) =>
    Reflect.construct(target, given.length === 0 ? [realNow() + shiftMs] : given, newTarget),
  apply: (target) => new target(realNow() + shiftMs).toString(),
});
RealDate.now = () => realNow() + shiftMs;

process.on('SIGUSR2', () => {
  shiftMs = Number(readFileSync(process.env.CHAOS_CLOCK, 'utf8'));
});
