import type { OpenRoot } from './open-scope.ts';

/** Splits roots, in order, into groups in which none lies inside another: each group can be searched at once. */
export function apart(roots: readonly OpenRoot[]): readonly (readonly OpenRoot[])[] {
  const groups: OpenRoot[][] = [];
  for (const root of roots) {
    const group = groups.at(-1);
    if (group === undefined || group.some(other => overlap(root.folder, other.folder))) groups.push([root]);
    else group.push(root);
  }
  return groups;
}

export function overlap(one: string, other: string): boolean {
  const withEnd = (folder: string): string => (/[/\\]$/.test(folder) ? folder : `${folder}/`).replaceAll('\\', '/');
  return withEnd(one).startsWith(withEnd(other)) || withEnd(other).startsWith(withEnd(one));
}
