import type { ProjectPath } from '../../../base/brand.ts';
import { AppError } from '../../../base/errors.ts';
import type { FilePrecondition } from '../../../ports/file-system.ts';
import { isLinkToOtherKind } from '../../language/modules/folder-index.ts';
import type { PlutoSession } from '../pluto-session.ts';

export const viewPathOf = (path: ProjectPath): ProjectPath => path.replace(/\.pluto$/, '.pt') as ProjectPath;
export const modulePathOf = (view: ProjectPath): ProjectPath => view.replace(/\.pt$/, '.pluto') as ProjectPath;

/** SHA-256 of a text. */
export const textHash =
  ({ ports: { hasher } }: PlutoSession) =>
  (text: string): string =>
    hasher.sha256(text);

/** The current content of a file, and the precondition for replacing it. */
export interface CurrentFile {
  readonly bytes: Uint8Array | undefined;
  readonly precondition: FilePrecondition;
}

/** @throws AppError PLUTO_PATH_INVALID for a link to a file with another extension */
export async function readCurrentFile(
  { ports: { files, hasher } }: PlutoSession,
  path: ProjectPath,
): Promise<CurrentFile> {
  const found = await files.stat(path);
  if (found?.kind !== 'file') return { bytes: undefined, precondition: { kind: 'absent' } };
  if (isLinkToOtherKind(path, found.target))
    throw new AppError('PLUTO_PATH_INVALID', { path, reason: 'it is a link to a file with another extension' });
  const bytes = await files.read(path);
  return { bytes, precondition: { kind: 'hash', gitBlob: hasher.gitBlob(bytes) } };
}
