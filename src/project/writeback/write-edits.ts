import type { ProjectPath } from '../../base/brand.ts';
import { AppError } from '../../base/errors.ts';
import type { FileSystem } from '../../ports/file-system.ts';
import type { FileEdit } from '../project-session.ts';

/**
 * Applies the edits of one plan in order, and stops at the first failure.
 *
 * @returns the paths that were written or removed, and the failure
 */
export async function writeEdits(
  edits: readonly FileEdit[],
  files: FileSystem,
): Promise<{ readonly done: readonly ProjectPath[]; readonly problem?: string }> {
  const done: ProjectPath[] = [];
  try {
    for (const edit of edits) {
      if (edit.kind === 'write') await files.replace(edit.path, edit.bytes, edit.precondition);
      else await files.remove(edit.path, edit.precondition);
      done.push(edit.path);
    }
    return { done };
  } catch (error) {
    const { message } = AppError.from(error);
    return { done, problem: done.length === 0 ? message : `${message} (already written: ${done.join(', ')})` };
  }
}
