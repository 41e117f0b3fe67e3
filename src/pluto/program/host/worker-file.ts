import { isBundled } from '../../../base/is-bundled.ts';

/** The worker script of program threads: next to the bundle, or in the source tree. */
export function workerFile(): URL {
  const path = isBundled(import.meta.url) ? './pluto-program-worker.js' : '../../workers/program-worker.ts';
  return new URL(path, import.meta.url);
}
