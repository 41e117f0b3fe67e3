import type { ApplyDeps, ApplyObserver, ApplyRequest } from './apply.ts';
import { fail } from './apply-in-studio.ts';
import { carryOut } from './carry-out.ts';
import type { PlannedWrite } from './planned-write.ts';

/** Carries out what is decided of planned writes in which Studio has no part; otherwise as `applyDecisions`. */
export async function applyFiles(
  request: ApplyRequest,
  planned: readonly PlannedWrite[],
  deps: ApplyDeps,
  signal: AbortSignal,
  observer: ApplyObserver,
): Promise<void> {
  for (const change of request.changes) {
    if (change.choice === 'skip') change.outcome = 'skipped';
    if (change.choice === 'push') fail(change, 'files are restored from the record; they cannot be pushed into it');
  }
  const pulls = request.changes.filter(change => change.choice === 'pull');
  if (pulls.length === 0) return;
  const decided = pulls.map(change => ({ change, studio: undefined }));
  const writes = planned.filter(({ changes }) => changes.every(change => change.choice === 'pull'));
  // Files have no place in the tree of their own accord, so the record of this run restores files alone.
  const withoutTree = { ...deps, session: undefined };
  await carryOut({ ...request, decided, writes, studio: undefined }, withoutTree, signal, observer);
  observer.verifying();
  await deps.session.refresh(new AbortController().signal);
}
