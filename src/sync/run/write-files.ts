import { failureReason } from '../../protocol/failure-reasons.ts';
import { type Reason, reasonOf } from '../../protocol/reason.ts';
import { AppError } from '../../base/errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { FileSystem } from '../../ports/file-system.ts';
import type { Hasher } from '../../ports/hasher.ts';
import { mayHaveWritten } from '../../project/writeback/may-have-written.ts';
import { noteWritten, type PlannedWrite, reopen, type RunChange, settle } from '../changes/run-change.ts';

/**
 * Sorts writes before removals, so that nothing is removed before its replacement exists, and files before the folders that become empty.
 */
export function inWritingOrder(writes: readonly PlannedWrite[]): readonly PlannedWrite[] {
  const depth = ({ edit }: PlannedWrite): number =>
    edit.kind === 'write' ? Number.POSITIVE_INFINITY : edit.path.split('/').length;
  return writes.toSorted((a, b) => (depth(a) === depth(b) ? 0 : depth(b) - depth(a)));
}

interface WriteFilesDeps {
  readonly files: FileSystem;
  readonly hasher: Hasher;
}

/**
 * Performs the writes in order and sets the outcome of every change in `confirmed`. Skips a write that also belongs to an unconfirmed or
 * failed change, because a file cannot contain half of its plan.
 */
export async function writeFiles(
  writes: readonly PlannedWrite[],
  confirmed: readonly RunChange[],
  { files, hasher }: WriteFilesDeps,
  onProgress: (done: number, total: number) => void,
  budget: WriteBudget,
): Promise<void> {
  const good = new Set(confirmed);
  let isSilent = false;
  const fail = (changes: readonly RunChange[], reason: Reason): void => {
    for (const change of changes) {
      if (!good.delete(change)) continue;
      const done = change.writtenFiles ?? [];
      settle(change, 'failed', done.length === 0 ? reason : reasonOf('partly_written', reason, done.join(', ')));
    }
  };
  failSharers(writes, good, fail);
  for (const [index, { edit, changes }] of writes.entries()) {
    onProgress(index, writes.length);
    const bad = changes.find(change => !good.has(change));
    if (bad !== undefined) {
      fail(changes, reasonOf('shares_file', edit.path, bad.studio.path));
      continue;
    }
    if (isSilent) {
      fail(changes, reasonOf('disk_silent'));
      continue;
    }
    try {
      const writing =
        edit.kind === 'write'
          ? files.replace(edit.path, edit.bytes, edit.precondition)
          : files.remove(edit.path, edit.precondition);
      await answered(writing, edit.path, budget);
      for (const change of changes) noteWritten(change, edit.path);
    } catch (error) {
      isSilent = AppError.is(error, 'FS_TIMEOUT');
      const known = new Set(good);
      // Changes that were not begun can be decided again, except merges, which Studio has already.
      if (AppError.is(error, 'FILE_CHANGED'))
        for (const change of changes)
          if (change.choice === 'pull' && change.writtenFiles === undefined && good.delete(change))
            reopen(change, reasonOf('disk_changed'), {});
      const reason = failureReason(error);
      fail(changes, reason);
      // After the reason, which names the files that were certainly written.
      if (await mayHaveWritten(edit, reason, files, hasher))
        for (const change of changes) noteWritten(change, edit.path);
      if (isSilent) for (const change of changes) if (known.has(change)) settle(change, 'unknown', change.reason);
    }
  }
  for (const change of good) settle(change, 'written');
}

/** Fails every change that shares a file with one that Studio did not confirm, before the first of its files is written. */
function failSharers(
  writes: readonly PlannedWrite[],
  good: ReadonlySet<RunChange>,
  fail: (changes: readonly RunChange[], reason: Reason) => void,
): void {
  for (let before = -1; before !== good.size;) {
    before = good.size;
    for (const { edit, changes } of writes) {
      const bad = changes.find(change => !good.has(change));
      if (bad !== undefined) fail(changes, reasonOf('shares_file', edit.path, bad.studio.path));
    }
  }
}

/** Maximum duration of one write. */
export interface WriteBudget {
  readonly clock: Clock;
  readonly ms: number;
}

/** Waits for the write. A write that times out may still happen later. @throws AppError FS_TIMEOUT, or the error of the write */
async function answered(writing: Promise<void>, file: string, { clock, ms }: WriteBudget): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const cancelTimer = clock.after(ms, () => reject(new AppError('FS_TIMEOUT', { file, budgetMs: ms })));
  try {
    await Promise.race([writing, late]);
  } finally {
    cancelTimer();
  }
}
