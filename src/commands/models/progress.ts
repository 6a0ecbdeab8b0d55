/** A progress bar where it is seen as it is drawn, a line for each tenth elsewhere. */
import { performance } from 'node:perf_hooks';
import { gigabytes } from './download.ts';

/** Where progress is written, and whether that is a terminal, which can overwrite a line. */
export interface Output {
  write(text: string): void;
  isTTY?: boolean;
}

const WIDTH = 30;
/** Between two drawings of the bar. */
const PAUSE_MS = 100;

/** Of one model, all its files together. */
export interface Progress {
  at(bytes: number): void;
  end(): void;
}

/** @param total bytes of the whole. */
export function createProgress(name: string, total: number, out: Output): Progress {
  const startedAtMs = performance.now();
  let first: number | undefined;
  let drawnAtMs = Number.NEGATIVE_INFINITY;
  let tenth = -1;
  const line = (bytes: number): string => {
    const share = bytes / total;
    const seconds = (performance.now() - startedAtMs) / 1_000;
    const rate = seconds > 1 ? `, ${gigabytes((bytes - (first ?? 0)) / seconds)}/s` : '';
    const bar = '#'.repeat(Math.round(share * WIDTH)).padEnd(WIDTH, '.');
    return `${name} [${bar}] ${Math.floor(share * 100)} % of ${gigabytes(total)}${rate}`;
  };
  return {
    at(bytes) {
      first ??= bytes;
      if (!out.isTTY) {
        const reached = Math.floor((bytes / total) * 10);
        if (reached > tenth) out.write(`${line(bytes)}\n`);
        tenth = Math.max(tenth, reached);
      } else if (performance.now() - drawnAtMs > PAUSE_MS || bytes === total) {
        drawnAtMs = performance.now();
        out.write(`\r${line(bytes)}\x1b[K`);
      }
    },
    end() {
      if (out.isTTY) out.write('\n');
    },
  };
}
