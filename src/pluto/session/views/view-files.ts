import type { ProjectPath } from '../../../base/brand.ts';
import type { FilePrecondition } from '../../../ports/file-system.ts';
import type { PlutoSession } from '../pluto-session.ts';

export const viewPathOf = (path: ProjectPath): ProjectPath => path.replace(/\.pluto$/, '.pt') as ProjectPath;
export const modulePathOf = (view: ProjectPath): ProjectPath => view.replace(/\.pt$/, '.pluto') as ProjectPath;

/** SHA-256 of a text. */
export const textHash =
  ({ ports: { hasher } }: PlutoSession) =>
  (text: string): string =>
    hasher.sha256(new TextEncoder().encode(text));

/** The current content of a file, and the precondition for replacing it. */
export interface CurrentFile {
  readonly bytes: Uint8Array | undefined;
  readonly precondition: FilePrecondition;
}

export async function readCurrentFile(
  { ports: { files, hasher } }: PlutoSession,
  path: ProjectPath,
): Promise<CurrentFile> {
  if ((await files.stat(path))?.kind !== 'file') return { bytes: undefined, precondition: { kind: 'absent' } };
  const bytes = await files.read(path);
  return { bytes, precondition: { kind: 'hash', gitBlob: hasher.gitBlob(bytes) } };
}
