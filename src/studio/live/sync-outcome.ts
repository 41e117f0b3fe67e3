import type { RunResult } from '../../protocol/run-result.ts';
import { hasChangedStudio, isDone } from '../../protocol/sync-result.ts';

/** The outcome of a sync, for live sessions. */
export interface SyncOutcome {
  /** The number of differences that it left, which a person knows. */
  readonly left: number;
  /** Whether it created, removed or renamed instances in Studio: files may belong to other instances than before. */
  readonly isMoved: boolean;
}

/** The outcome of a run that changed something or found no difference; `undefined` for another run, which answers no question. */
export function outcomeOf({
  changes,
  status,
  restoredSide,
}: Pick<RunResult, 'changes' | 'status' | 'restoredSide'>): SyncOutcome | undefined {
  // A session may find a difference that a sync does not show; another question would find nothing again.
  if (status === 'empty') return { left: Number.POSITIVE_INFINITY, isMoved: false };
  const done = changes.filter(({ outcome }) => isDone(outcome));
  if (done.length === 0) return undefined;
  // Files that a sync created or removed are sent as other changes on disk are, and what a restore did in Studio is written as an edit.
  const inStudio = restoredSide === undefined ? done.filter(({ outcome }) => hasChangedStudio(outcome)) : [];
  const isMoved = inStudio.some(
    ({ patchType, properties }) => patchType !== 'Edit' || properties?.['Name'] !== undefined,
  );
  return { left: changes.length - done.length, isMoved };
}
