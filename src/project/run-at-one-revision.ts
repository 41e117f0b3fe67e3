import { type PausableWork, runInSlices, runToEnd, type TimeSlice } from '../base/time-slice.ts';
import type { ProjectSession } from './project-session.ts';

/** Maximum number of starts with pauses. After them, the work runs without pauses, so that it ends even if the project changes all the time. */
const MAX_STARTS = 3;

/**
 * Runs work that reads the tree, with pauses. Starts it again if the tree changed meanwhile, because parts of two revisions together would
 * name instances that never existed.
 */
export async function runAtOneRevision<T>(
  session: Pick<ProjectSession, 'revision'>,
  work: () => PausableWork<T>,
  slice: TimeSlice,
): Promise<T> {
  for (let start = 0; start < MAX_STARTS; start += 1) {
    const revision = session.revision();
    const result = await runInSlices(work(), slice);
    if (session.revision() === revision) return result;
  }
  return runToEnd(work());
}
