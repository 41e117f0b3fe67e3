import type { ProjectPath } from '../../base/brand.ts';
import { AppError } from '../../base/errors.ts';
import type { FileSystem } from '../../ports/file-system.ts';
import type { FileEdit } from '../../ports/file-system.ts';
import { failureReason } from '../../protocol/failure-reasons.ts';
import { type Reason, reasonOf } from '../../protocol/reason.ts';

/** Why some edits were not written, and the edit that failed first. */
export interface EditFailure {
  readonly path: ProjectPath;
  readonly problem: Reason;
}

/**
 * Applies the edits of one plan in order. After a failure, it skips the other edits of the same group, and continues with other groups.
 *
 * @param groupOf the group of a path: edits that belong together
 * @returns the paths that were written or removed, those of them that another program changed right after, and the failure of each group
 */
export async function writeGroups(
  edits: readonly FileEdit[],
  files: FileSystem,
  groupOf: (path: ProjectPath) => number,
): Promise<{
  readonly done: readonly ProjectPath[];
  readonly overwritten: readonly ProjectPath[];
  readonly failures: ReadonlyMap<number, EditFailure>;
}> {
  const done: ProjectPath[] = [];
  const overwritten: ProjectPath[] = [];
  const doneOf = new Map<number, ProjectPath[]>();
  const failures = new Map<number, EditFailure>();
  for (const edit of edits) {
    const group = groupOf(edit.path);
    if (failures.has(group)) continue;
    const written = doneOf.get(group) ?? [];
    doneOf.set(group, written);
    try {
      if (!(await applyEdit(edit, files))) overwritten.push(edit.path);
      written.push(edit.path);
      done.push(edit.path);
    } catch (error) {
      const failure = failureReason(error);
      const problem = written.length === 0 ? failure : reasonOf('partly_written', failure, written.join(', '));
      failures.set(group, { path: edit.path, problem });
    }
  }
  return { done, overwritten, failures };
}

/**
 * Applies the edits of one plan in order, and stops at the first failure.
 *
 * @returns the paths that were written or removed, those of them that another program changed right after, and the failure
 */
export async function writeEdits(
  edits: readonly FileEdit[],
  files: FileSystem,
): Promise<{
  readonly done: readonly ProjectPath[];
  readonly overwritten: readonly ProjectPath[];
  readonly problem?: Reason;
}> {
  const { done, overwritten, failures } = await writeGroups(edits, files, () => 0);
  const failure = failures.get(0);
  return { done, overwritten, ...(failure !== undefined && { problem: failure.problem }) };
}

/** @returns false if another program changed the file right after it was written */
async function applyEdit(edit: FileEdit, files: FileSystem): Promise<boolean> {
  if (edit.kind !== 'write') {
    await files.remove(edit.path, edit.precondition);
    return true;
  }
  try {
    await files.replace(edit.path, edit.bytes, edit.precondition);
    return true;
  } catch (error) {
    if (AppError.is(error, 'FILE_OVERWRITTEN')) return false;
    throw error;
  }
}
