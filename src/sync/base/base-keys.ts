import type { Ref } from '../../base/brand.ts';
import type { PausableWork } from '../../base/time-slice.ts';
import type { ProjectSession } from '../../project/project-session.ts';

/** Number of instances between two pauses. */
const BATCH_SIZE = 256;

const escaped = (name: string): string => name.replaceAll('%', '%25').replaceAll('/', '%2F');

/**
 * Keys that identify instances across sessions: the path of names below the root. Siblings with the same name and their descendants have no
 * key, because it would be ambiguous.
 */
export function* baseKeys(
  session: Pick<ProjectSession, 'get' | 'rootId' | 'descendants'>,
): PausableWork<ReadonlyMap<Ref, string>> {
  const keys = new Map<Ref, string>();
  let count = 0;
  for (const parent of session.descendants(session.rootId)) {
    if ((count += 1) % BATCH_SIZE === 0) yield;
    const prefix = parent.id === session.rootId ? '' : keys.get(parent.id);
    if (prefix === undefined) continue;
    const byName = new Map<string, Ref | undefined>();
    for (const id of parent.children) {
      const name = session.get(id)?.name;
      if (name !== undefined) byName.set(name, byName.has(name) ? undefined : id);
    }
    for (const [name, id] of byName) if (id !== undefined) keys.set(id, childKey(prefix, name));
  }
  return keys;
}

/** The key of a child, from the key of its parent; the parent of a service has the key ''. */
export const childKey = (parent: string, name: string): string =>
  parent === '' ? escaped(name) : `${parent}/${escaped(name)}`;
