import type { ProjectPath } from '../../../base/brand.ts';
import { AppError } from '../../../base/errors.ts';
import { isProjectPath } from '../../../base/project-path.ts';
import { isStandalone } from '../../program/backend/standalone.ts';
import type { PlutoSession } from '../pluto-session.ts';
import { readCurrentFile } from '../views/view-files.ts';

/** The default output of `compile`: beside the module. */
export const standalonePathOf = (module: string): string => module.replace(/\.\w+$/, '.js');

/**
 * Writes a compiled program into the project, and reads it back. Overwrites only an unchanged earlier output.
 *
 * @param path relative to the project
 * @returns `already`: the file is up to date
 * @throws AppError PLUTO_READ_ONLY, PLUTO_PATH_INVALID, PLUTO_OUTPUT_FOREIGN, FILE_CHANGED, FS_WRITE_FAILED, PATH_OUTSIDE_ROOT
 */
export async function writeStandalone(session: PlutoSession, path: string, text: string): Promise<'done' | 'already'> {
  if (session.isReadOnly) throw new AppError('PLUTO_READ_ONLY', { action: 'compile' });
  if (!isProjectPath(path) || !/\.[cm]?js$/.test(path))
    throw new AppError('PLUTO_PATH_INVALID', {
      path,
      reason: 'a compiled program must be a .js, .mjs or .cjs file in the project',
    });
  // Validated above.
  const target = path as ProjectPath;
  const kind = (await session.ports.files.stat(target))?.kind;
  if (kind !== undefined && kind !== 'file') throw new AppError('PLUTO_OUTPUT_FOREIGN', { path });
  const { bytes, precondition } = await readCurrentFile(session, target);
  if (bytes !== undefined) {
    const existing = new TextDecoder().decode(bytes);
    if (existing === text) return 'already';
    if (!isStandalone(existing, session.ports.hasher)) throw new AppError('PLUTO_OUTPUT_FOREIGN', { path });
  }
  await session.ports.files.replace(target, new TextEncoder().encode(text), precondition);
  return 'done';
}
