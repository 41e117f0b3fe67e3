import type { ProjectPath } from '../../base/brand.ts';
import { AppError } from '../../base/errors.ts';
import type { FileSystem } from '../../ports/file-system.ts';
import type { FileEdit } from '../../ports/file-system.ts';

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
  readonly problem?: string;
}> {
  const done: ProjectPath[] = [];
  const overwritten: ProjectPath[] = [];
  try {
    for (const edit of edits) {
      if (!(await applyEdit(edit, files))) overwritten.push(edit.path);
      done.push(edit.path);
    }
    return { done, overwritten };
  } catch (error) {
    const { message } = AppError.from(error);
    return {
      done,
      overwritten,
      problem: done.length === 0 ? message : `${message} (already written: ${done.join(', ')})`,
    };
  }
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
