import { parseRef } from '../../roblox/values/ref.ts';
import type { ProjectSession } from '../../project/project-session.ts';

/** Counts the children of a parent with a given name in the tree; reads every parent once. */
export function sameNameCounter(session: Pick<ProjectSession, 'get'>): (parentId: string, name: string) => number {
  const byParent = new Map<string, ReadonlyMap<string, number>>();
  return (parentId, name) => {
    let counts = byParent.get(parentId);
    if (counts === undefined) {
      counts = countNames(session, parentId);
      byParent.set(parentId, counts);
    }
    return counts.get(name) ?? 0;
  };
}

function countNames(session: Pick<ProjectSession, 'get'>, parentId: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const ref = parseRef(parentId);
  for (const id of (ref && session.get(ref)?.children) ?? []) {
    const name = session.get(id)?.name;
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}
