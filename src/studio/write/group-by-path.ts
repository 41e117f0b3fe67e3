import type { ProjectPath } from '../../base/brand.ts';

/**
 * Groups paths so that the paths of one owner are in the same group.
 *
 * @param owners the paths of each owner; owners may share paths
 * @param paths the paths that are looked up; if one has no owner, all are in one group
 */
export function groupByPath(
  owners: readonly Iterable<ProjectPath>[],
  paths: Iterable<ProjectPath>,
): (path: ProjectPath) => number {
  const above = owners.map((_, index) => index);
  const groupOf = (owner: number): number => {
    let at = owner;
    for (let next = above[at]; next !== undefined && next !== at; next = above[at]) {
      above[at] = above[next] ?? next;
      at = next;
    }
    return at;
  };
  const ownerOf = new Map<ProjectPath, number>();
  for (const [index, own] of owners.entries())
    for (const path of own) {
      const other = ownerOf.get(path);
      if (other === undefined) ownerOf.set(path, index);
      else above[groupOf(index)] = groupOf(other);
    }
  for (const path of paths) if (!ownerOf.has(path)) return () => 0;
  return path => groupOf(ownerOf.get(path) ?? 0);
}
