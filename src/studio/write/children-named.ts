import type { Ref } from '../../base/brand.ts';
import type { ProjectSession } from '../../project/project-session.ts';
import type { Instance } from '../../roblox/instances/instance.ts';

/** The children of an instance with that name, in their order; empty for an unknown parent. */
export const childrenNamed = (session: Pick<ProjectSession, 'get'>, parentId: Ref, name: string): readonly Instance[] =>
  (session.get(parentId)?.children ?? []).flatMap(id => {
    const child = session.get(id);
    return child?.name === name ? [child] : [];
  });
