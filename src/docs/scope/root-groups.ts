import type { OpenRoot } from './open-scope.ts';

/** Splits roots, in order, into groups without nested folders; each group can be searched in one run. */
export function groupDisjointRoots(roots: readonly OpenRoot[]): readonly (readonly OpenRoot[])[] {
  const groups: OpenRoot[][] = [];
  for (const root of roots) {
    const group = groups.at(-1);
    if (group === undefined || group.some(other => foldersOverlap(root.folder, other.folder))) groups.push([root]);
    else group.push(root);
  }
  return groups;
}

/** Whether two folders are the same, or one contains the other. */
export function foldersOverlap(one: string, other: string): boolean {
  const withEnd = (folder: string): string => (/[/\\]$/.test(folder) ? folder : `${folder}/`).replaceAll('\\', '/');
  return withEnd(one).startsWith(withEnd(other)) || withEnd(other).startsWith(withEnd(one));
}
