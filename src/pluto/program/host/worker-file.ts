import { isBundled } from '../../../base/is-bundled.ts';

const fileOf = (bundle: string, source: string): URL =>
  new URL(isBundled(import.meta.url) ? `./${bundle}` : `../../workers/${source}`, import.meta.url);

/** The main program of a process for an agent's program, and the script of its thread: next to the bundle, or in the source tree. */
export const workerFile = (): URL => fileOf('pluto-program-worker.js', 'program-worker.ts');

/** The script of the thread that runs a person's program. */
export const threadFile = (): URL => fileOf('pluto-program-thread.cjs', 'program-thread.ts');
