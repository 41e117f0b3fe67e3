import type { Ref } from '../../base/brand.ts';
import type { ProjectSession } from '../../project/project-session.ts';
import type { Instance } from '../../roblox/instances/instance.ts';
import { parseRef } from '../../roblox/values/ref.ts';
import type { KnownInstances } from '../feed/patch-message.ts';

/**
 * The state of Studio when a live session starts, where it differs from the tree: the instances that are new on disk, and the scripts that
 * changed on disk only, with the texts that Studio has.
 */
export function knownAtStart(
  session: Pick<ProjectSession, 'get'>,
  missed: readonly { readonly id: string; readonly source: string }[],
  added: readonly string[],
): KnownInstances {
  const known = new Map<Ref, Instance | undefined>();
  for (const id of added) {
    const ref = parseRef(id);
    if (ref !== undefined && session.get(ref) !== undefined) known.set(ref, undefined);
  }
  for (const { id, source } of missed) {
    const ref = parseRef(id);
    const now = ref && session.get(ref);
    if (now === undefined) continue;
    const properties = new Map(now.properties).set('Source', { type: 'String', value: source });
    known.set(now.id, { ...now, properties });
  }
  return known;
}
