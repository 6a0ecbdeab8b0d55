/** How long the test files compute: noted by each worker as a file ends, read by the reporter. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';

/** Linux counts a process's time in hundredths of a second. */
const TICKS = 100;

/** Seconds of computing of this process so far, with those of its programs that have ended, on Linux. */
export function computed() {
  const { user, system } = process.cpuUsage();
  const own = (user + system) / 1e6;
  if (process.platform !== 'linux') return own;
  const [childUser, childSystem] = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
    .slice(13);
  return own + (Number(childUser) + Number(childSystem)) / TICKS;
}

/** Notes them for `file` in the file that TEST_TIMES names; by appending, which workers can do at once. */
export function noteComputing(file, seconds) {
  if (process.env.TEST_TIMES) appendFileSync(process.env.TEST_TIMES, `${seconds.toFixed(1)}\t${file}\n`);
}

/** What all workers noted: seconds by file. None where no file came to its end. */
export function readComputing() {
  if (!existsSync(process.env.TEST_TIMES)) return new Map();
  const lines = readFileSync(process.env.TEST_TIMES, 'utf8').split('\n').filter(Boolean);
  return new Map(lines.map((line) => [line.split('\t')[1], Number(line.split('\t')[0])]));
}
