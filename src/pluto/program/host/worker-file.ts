import { existsSync } from 'node:fs';

/** The worker script of program threads: next to the bundle, or in the source tree. */
export function workerFile(): URL {
  const bundled = new URL('./pluto-program-worker.js', import.meta.url);
  return existsSync(bundled) ? bundled : new URL('../../workers/program-worker.ts', import.meta.url);
}
