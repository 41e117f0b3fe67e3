import type { ProjectPath } from './brand.ts';

/** The project folder itself. */
export const PROJECT_FOLDER = '' as ProjectPath;

/** An empty name, `.` or `..`, or a character that a name cannot have. */
const NOT_A_PATH = /(?:^|\/)\.{0,2}(?:\/|$)|[\0\\]/;

/**
 * Whether a text is a normalized path below the project folder: names joined by `/`, none of them empty, `.`, `..` or with a NUL.
 * Names with a backslash are invalid on every platform, because Windows uses it as a separator.
 */
export function isProjectPath(text: string): text is ProjectPath {
  return text === '' || !NOT_A_PATH.test(text);
}

/** Resolves `path` relative to `folder`. Returns `undefined` if `path` is absolute or leaves the project folder. */
export function resolvePath(folder: ProjectPath, path: string): ProjectPath | undefined {
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path)) return undefined;
  const names = folder === '' ? [] : folder.split('/');
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue;
    if (name !== '..') names.push(name);
    else if (names.pop() === undefined) return undefined;
  }
  const resolved = names.join('/');
  return isProjectPath(resolved) ? resolved : undefined;
}

export function joinPath(folder: ProjectPath, name: string): ProjectPath {
  // Callers pass names from a listing or names they have just created: neither contains a separator.
  // V8 keeps the parts of a text that is concatenated otherwise, which took another 200 bytes for each file of a project.
  return (folder === '' ? name : [folder, name].join('/')) as ProjectPath;
}

/** The parent folder; the project folder for a path without a separator. */
export const folderOf = (path: ProjectPath): ProjectPath =>
  path.slice(0, Math.max(0, path.lastIndexOf('/'))) as ProjectPath;

export const nameOf = (path: ProjectPath): string => path.slice(path.lastIndexOf('/') + 1);

/** `path` relative to `folder`, with `..` for the folders between them. */
export function relativePath(folder: ProjectPath, path: ProjectPath): string {
  const from = folder === '' ? [] : folder.split('/');
  const to = path.split('/');
  const shared = from.findIndex((name, index) => name !== to[index]);
  const same = shared < 0 ? from.length : shared;
  return [...from.slice(same).map(() => '..'), ...to.slice(same)].join('/');
}

/** Whether `path` is `folder` or below it. */
export const isAtOrBelow = (path: string, folder: string): boolean =>
  folder === '' || path === folder || path.startsWith(`${folder}/`);
