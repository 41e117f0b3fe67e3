import { existsSync } from 'node:fs';

/** The program in which programs run: beside the bundle, or where the source keeps it. */
export function workerFile(): URL {
  const bundled = new URL('./pluto-program-worker.js', import.meta.url);
  return existsSync(bundled) ? bundled : new URL('../../workers/program-worker.ts', import.meta.url);
}
