/**
 * Where the build is. A module does not look beside itself: it may lie in a bundle, by itself in `dist/`, or be the source
 * that a test loads, and threads, programs and data files are those of the build for all of them.
 */
import { findPackageJSON } from 'node:module';
import { pathToFileURL } from 'node:url';

const DIST = new URL('dist/', pathToFileURL(findPackageJSON(import.meta.url)!));

/** @param path of a file in `dist/`: `src/engines/embedded/codec/thread.js`. A folder ends with `/`. */
export const built = (path: string): URL => new URL(path, DIST);
