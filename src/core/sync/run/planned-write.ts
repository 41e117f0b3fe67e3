import { AppError } from '../../../base/errors.ts';
import type { FileSystem } from '../../../ports/file-system.ts';
import type { RunChange } from '../changes/run-change.ts';
import type { FileEdit } from '../project-session.ts';

/** One write, and the changes that need it; a file may hold several. */
export interface PlannedWrite {
  readonly edit: FileEdit;
  readonly changes: readonly RunChange[];
}

/** Texts before removals, so that nothing is gone before it stands elsewhere; files before the folders that they leave empty. */
export function inWritingOrder(writes: readonly PlannedWrite[]): readonly PlannedWrite[] {
  const depth = ({ edit }: PlannedWrite): number =>
    edit.kind === 'write' ? Number.POSITIVE_INFINITY : edit.path.split('/').length;
  return writes.toSorted((a, b) => (depth(a) === depth(b) ? 0 : depth(b) - depth(a)));
}

/**
 * Makes the writes in their order. Sets `outcome` and `reason` of `confirmed`; a write that also belongs to a change outside of them, or
 * to one that failed, is not made, since a file cannot hold half of what was planned for it.
 */
export async function writeFiles(
  writes: readonly PlannedWrite[],
  confirmed: readonly RunChange[],
  files: FileSystem,
): Promise<void> {
  const good = new Set(confirmed);
  const written = new Map<RunChange, string[]>();
  const fail = (changes: readonly RunChange[], reason: string): void => {
    for (const change of changes) {
      if (!good.delete(change)) continue;
      const done = written.get(change) ?? [];
      change.outcome = 'failed';
      change.reason = `${reason}${done.length === 0 ? '' : ` (already written: ${done.join(', ')})`}`;
    }
  };
  for (const { edit, changes } of writes) {
    const bad = changes.find(change => !good.has(change));
    if (bad !== undefined) {
      fail(changes, `${edit.path} also holds ${bad.studio.path}, which could not be written`);
      continue;
    }
    try {
      if (edit.kind === 'write') await files.replace(edit.path, edit.bytes, edit.precondition);
      else await files.remove(edit.path, edit.precondition);
      for (const change of changes) written.set(change, [...(written.get(change) ?? []), edit.path]);
    } catch (error) {
      fail(changes, AppError.from(error).message);
    }
  }
  for (const change of good) change.outcome = 'written';
}
