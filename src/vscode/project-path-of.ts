import { isAbsolute, relative, sep } from 'node:path';
import type { Uri } from 'vscode';
import type { ProjectPath } from '../base/brand.ts';
import { isProjectPath } from '../base/project-path.ts';

/** The path of a file below a folder; `undefined` if it is elsewhere. Compares without case where file names have none. */
export function projectPathOf(folder: Uri, { scheme, fsPath }: Uri): ProjectPath | undefined {
  if (scheme !== folder.scheme) return undefined;
  const path = relative(folder.fsPath, fsPath);
  const inProject = path.replaceAll(sep, '/');
  return !isAbsolute(path) && isProjectPath(inProject) ? inProject : undefined;
}
