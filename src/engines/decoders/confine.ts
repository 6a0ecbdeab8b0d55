/**
 * How a decoder process is started, so that bytes that take it over find little to take: no environment, no writing to
 * files, no further programs or threads of Node (its permission model), and, where the kernel lets us, no network (a
 * network namespace of its own), the user `nobody` instead of root, no way to new privileges, and an end together with
 * its parent. Tried from the strictest to the plainest; the first one that starts is kept.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** A way to start a decoder with few rights. */
export interface Confinement {
  /** For the log: what holds beside the permission model. */
  measures: string[];
  /** Program and arguments; each start may have other ones. */
  command(): [program: string, ...args: string[]];
}

/** V8's own heap; images and samples lie outside it and are watched by `usage.ts`. */
const HEAP_MB = 256;
/** Ends an allocation that no look at the usage would come in time for. */
const DATA_LIMIT_BYTES = 4 * 1_024 * 1_024 * 1_024;
/**
 * Codecs start a thread for each core they see, and each holds frames: with more than this the memory of a video would
 * depend on the machine.
 */
const MAX_CORES = 2;
/** Open files: libraries, fonts and cascades. */
const FILE_LIMIT = 256;
/** `nobody`, as the embedded PostgreSQL. */
const NOBODY = 65_534;

const LIMITS = ['prlimit', '--core=0', '--fsize=0', `--data=${DATA_LIMIT_BYTES}`, `--nofile=${FILE_LIMIT}`, '--'];
// A decoder that is lost in native code does not hear that its parent is gone: the kernel ends it.
const BOUND = ['setpriv', '--no-new-privs', '--pdeathsig=KILL'];
const AS_NOBODY = [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'];

/**
 * The ways of starting `entry`, strictest first. Only Linux knows more than the last one.
 * @param coresNow numbers of the cores that we may use, asked at each start
 */
export function confinements(entry: string, coresNow = ownCores): Confinement[] {
  const node = [
    process.execPath,
    '--permission',
    '--allow-addons',
    '--allow-fs-read=*',
    '--no-warnings',
    // Video frames outlive their use until V8 collects: what edits videos asks for it (see `video/edit.ts`).
    '--expose-gc',
    `--max-old-space-size=${HEAP_MB}`,
    path.resolve(entry),
  ];
  return wrappers().map(({ measures, wrapper }) => ({
    measures,
    command: () => [...(wrapper.length > 0 ? onSomeOf(coresNow()) : []), ...wrapper, ...node] as [string, ...string[]],
  }));
}

const ownCores = (): number[] => coresOf(readFileSync('/proc/self/status', 'utf8'));

/** Some of the cores, other ones at each start. `taskset` comes with the programs of the wrappers: all are there or none. */
function onSomeOf(cores: number[]): string[] {
  if (cores.length <= MAX_CORES) return [];
  const first = Math.floor(Math.random() * cores.length);
  const some = Array.from({ length: MAX_CORES }, (_, i) => cores[(first + i) % cores.length]);
  return ['taskset', '--cpu-list', some.join(',')];
}

/** The numbers of the cores that a process may use, of its `/proc/<pid>/status`. */
export function coresOf(status: string): number[] {
  const ranges = /^Cpus_allowed_list:\s*(.*)$/m.exec(status)?.[1]?.split(',') ?? [];
  return ranges.flatMap((range) => {
    const [first, last] = range.split('-').map(Number) as [number, number?];
    return Array.from({ length: (last ?? first) - first + 1 }, (_, i) => first + i);
  });
}

function wrappers(): { measures: string[]; wrapper: string[] }[] {
  const plain = { measures: [], wrapper: [] };
  if (process.platform !== 'linux') return [plain];
  const isRoot = process.getuid?.() === 0;
  const offline = isRoot ? ['unshare', '--net', '--'] : ['unshare', '--user', '--map-current-user', '--net', '--'];
  const bound = { measures: ['limits', 'bound to parent'], wrapper: [...BOUND, '--', ...LIMITS] };
  const demoted = { measures: [...bound.measures, 'nobody'], wrapper: [...BOUND, ...AS_NOBODY, '--', ...LIMITS] };
  const own = isRoot ? [demoted, bound] : [bound];
  const apart = own.map((one) => ({
    measures: [...one.measures, 'no network'],
    wrapper: [...offline, ...one.wrapper],
  }));
  return [apart, own]
    .flat()
    .sort((one, other) => other.measures.length - one.measures.length)
    .concat(plain);
}
