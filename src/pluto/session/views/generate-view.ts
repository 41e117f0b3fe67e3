import type { ProjectPath } from '../../../base/brand.ts';
import { AppError } from '../../../base/errors.ts';
import { compareView } from '../../language/pt/compare-view.ts';
import { isUntouched, writeView } from '../../language/pt/view.ts';
import type { PlutoSession } from '../pluto-session.ts';
import { readCurrentFile, textHash, viewPathOf } from './view-files.ts';

export interface GeneratedView {
  readonly path: ProjectPath;
  readonly view: ProjectPath;
  /** `already`: the file is up to date. */
  readonly outcome: 'done' | 'already';
}

/**
 * Writes the `.pt` view of a module. Does not overwrite an edited view unless the module already contains its edits.
 * @throws AppError PLUTO_MODULE_NOT_FOUND, PLUTO_READ_ONLY, PLUTO_EDIT_REFUSED (unsaved edits), PLUTO_VIEW_EDITED, FILE_CHANGED, FS_WRITE_FAILED
 */
export async function generateView(session: PlutoSession, path: string): Promise<GeneratedView> {
  if (session.isReadOnly) throw new AppError('PLUTO_READ_ONLY', { action: 'generate_pt' });
  const module = await session.module(path);
  if (!path.endsWith('.pluto')) throw new AppError('PLUTO_PATH_INVALID', { path, reason: 'it is a text file already' });
  if (session.dirty.includes(module.path))
    throw new AppError('PLUTO_EDIT_REFUSED', { reason: `${path} has unsaved edits; save it first` });
  const onDisk = await readCurrentFile(session, module.path);
  if (onDisk.bytes === undefined || session.ports.hasher.gitBlob(onDisk.bytes) !== module.gitBlob)
    throw new AppError('FILE_CHANGED', { file: path });
  const hash = textHash(session);
  const fileHash = session.ports.hasher.sha256(onDisk.bytes);
  const view = viewPathOf(module.path);
  const text = writeView(module.module, { fileHash, hash });
  const existing = await readCurrentFile(session, view);
  if (existing.bytes !== undefined) {
    const old = new TextDecoder().decode(existing.bytes);
    if (old === text) return { path: module.path, view, outcome: 'already' };
    if (!isUntouched(old, hash) && !saysTheSame(session, old, module.module))
      throw new AppError('PLUTO_VIEW_EDITED', { path: view });
  }
  await session.ports.files.replace(view, new TextEncoder().encode(text), existing.precondition);
  return { path: module.path, view, outcome: 'done' };
}

function saysTheSame(session: PlutoSession, view: string, container: Parameters<typeof writeView>[0]): boolean {
  const compared = compareView({
    view,
    container: { ...container, comments: [], diagnostics: [] },
    containerHash: undefined,
    makeId: session.idsFor('view.pluto' as ProjectPath),
  });
  return compared.module.text === container.text;
}
