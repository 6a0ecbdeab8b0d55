/** Compares what npm has installed with a lock of ours. */
import { DownloadError } from './download.ts';

/** The part of a package-lock.json, and of npm's own record in node_modules, that is compared. */
export interface Lock {
  packages: Record<string, { version?: string; integrity?: string; optional?: boolean }>;
}

/** A package that npm installs by name. */
export interface NamedPackage {
  name: string;
  version: string;
}

/**
 * Throws DownloadError unless all that is there is what the lock names, and nothing is missing.
 * @param named may be missing in the lock and then goes by its version: of some systems' binaries the registry had none
 *   when the lock was made
 */
export function compareWithLock(lock: Lock, found: Lock, named?: NamedPackage): void {
  const other = Object.entries(found.packages).find(([location, { version, integrity }]) => {
    const wanted = lock.packages[location];
    if (!wanted) return location !== `node_modules/${named?.name}` || version !== named?.version;
    return wanted.version !== version || (wanted.integrity !== undefined && wanted.integrity !== integrity);
  });
  const missing = Object.entries(lock.packages).find(
    ([location, { optional }]) => location !== '' && !optional && !found.packages[location],
  );
  const [location] = other ?? missing ?? [];
  if (location) throw new DownloadError(`npm brought another ${location} than the lock names: nothing of it is used.`);
}
