import type { ProjectSession } from '../project/project-session.ts';

/** The number of instances of the tree, for time limits that grow with it. */
export function instanceCount(session: Pick<ProjectSession, 'descendants' | 'rootId'>): number {
  let count = 0;
  for (const _ of session.descendants(session.rootId)) count += 1;
  return count;
}
