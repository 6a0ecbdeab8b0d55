/** `npm run doctor` in a process of its own, for operators who have no shell: what it opens and computes is gone with it. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { EngineCheck } from '../../schema/operators.ts';
import { built } from '../kernel/built.ts';
import { MINUTE_MS } from '../kernel/clock.ts';
import { PlatformError } from '../kernel/errors.ts';

const LONGEST_MS = 5 * MINUTE_MS;
const MAX_OUTPUT_BYTES = 1024 * 1024;

/** The command names parts with hyphens, which no enumeration of the graph has. */
function readCheck(line: string): EngineCheck {
  const check: EngineCheck = JSON.parse(line);
  return { ...check, part: check.part.replaceAll('-', '_') };
}

/**
 * Checks everything that is configured: the child has the variables of this process.
 * @param dataDir the folder of this instance
 * @throws UNAVAILABLE where the check itself cannot be done, or takes longer than five minutes
 */
export function examine(dataDir: string): Promise<EngineCheck[]> {
  const options = { timeout: LONGEST_MS, maxBuffer: MAX_OUTPUT_BYTES, windowsHide: true };
  return new Promise((resolve, reject) => {
    // Its exit code says that something does not answer, which its lines say as well.
    execFile(
      process.execPath,
      ['--no-warnings', fileURLToPath(built('src/commands/doctor.js')), '--json', '--data-dir', dataDir],
      options,
      (error, stdout) => {
        const lines = stdout.split('\n').filter((line) => line.startsWith('{'));
        if (lines.length === 0 || error?.killed) {
          reject(new PlatformError('UNAVAILABLE', 'The check could not be done.', { cause: error }));
          return;
        }
        resolve(lines.map(readCheck));
      },
    );
  });
}
