import type { ProjectPath } from '../../base/brand.ts';
import { AppError } from '../../base/errors.ts';
import type { FileSystem } from '../../ports/file-system.ts';
import type { FileEdit } from '../project-session.ts';

/**
 * Carries out the edits of one plan in order, up to the first that fails.
 *
 * @returns what was written or removed, and why it went no further
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
