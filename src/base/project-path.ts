import type { ProjectPath } from './brand.ts';

/** The folder of the project itself. */
export const PROJECT_FOLDER = '' as ProjectPath;

/**
 * Whether a text is a path below the project folder in its one spelling: names joined by `/`, none empty, `.`, `..` or with a NUL.
 * A backslash separates on Windows, so no name may hold one anywhere.
 */
export function isProjectPath(text: string): text is ProjectPath {
  if (text === '') return true;
  return text.split('/').every(name => name !== '' && name !== '.' && name !== '..' && !/[\0\\]/.test(name));
}

/** `path` seen from `folder`, with `.` and `..` resolved; `undefined` when that leaves the project folder, or is absolute. */
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
  // A name from a listing, or one that was just made: neither holds a separator.
  return (folder === '' ? name : `${folder}/${name}`) as ProjectPath;
}

/** The folder that holds it; the project folder for a name without one. */
export const folderOf = (path: ProjectPath): ProjectPath =>
  path.slice(0, Math.max(0, path.lastIndexOf('/'))) as ProjectPath;

export const nameOf = (path: ProjectPath): string => path.slice(path.lastIndexOf('/') + 1);

/** `path` as it is written from `folder`: with `..` where it lies elsewhere. */
export function pathFrom(folder: ProjectPath, path: ProjectPath): string {
  const from = folder === '' ? [] : folder.split('/');
  const to = path.split('/');
  const shared = from.findIndex((name, index) => name !== to[index]);
  const same = shared < 0 ? from.length : shared;
  return [...from.slice(same).map(() => '..'), ...to.slice(same)].join('/');
}

/** Whether `path` is `folder` or lies below it. */
export const isAtOrBelow = (path: string, folder: string): boolean =>
  folder === '' || path === folder || path.startsWith(`${folder}/`);
