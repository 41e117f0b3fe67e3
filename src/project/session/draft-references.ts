import type { Ref } from '../../base/brand.ts';
import { variantsIdentical } from '../../roblox/instances/equality.ts';
import type { Reflection } from '../../roblox/instances/reflection.ts';
import type { Variant } from '../../roblox/values/variant.ts';
import { hasReferences, referenceNames, ReferenceResolver } from '../tree/resolve-references.ts';
import type { TimeSlice } from '../../base/time-slice.ts';
import type { ProjectTree, TreeInstance } from '../tree/project-tree.ts';
import type { Draft } from './draft.ts';

/**
 * Gives the instances of a draft the properties that point to others. Those that point by a name are looked at anew when any name, place
 * or id has changed; else only what was read again is.
 *
 * @returns of those that were looked at: a sentence for each reference that leads nowhere
 */
export async function resolveDraft(
  draft: Draft,
  tree: ProjectTree,
  reflection: Reflection,
  slice: TimeSlice,
): Promise<ReadonlyMap<Ref, readonly string[]>> {
  const unresolved = new Map<Ref, readonly string[]>();
  const given = new Map<string, Ref[]>();
  const concerned = new Set<Ref>();
  let moved = false;
  let count = 0;
  for (const [id, after] of draft.patch) {
    count += 1;
    if (count % 64 === 0) await slice.yieldToEventLoop();
    const before = tree.get(id);
    moved ||= before === undefined || after === undefined || !samePlace(before, after);
    if (after === undefined) continue;
    const own = after.specifiedId;
    if (own !== undefined) given.set(own, [...(given.get(own) ?? []), id]);
    if (hasReferences(after) || (before && hasReferences(before))) concerned.add(id);
  }
  if (moved) for (const id of tree.pointing()) concerned.add(id);
  if (concerned.size === 0) return unresolved;
  const idOf = (text: string): Ref | 'several' | undefined => {
    const ids = new Set([...tree.idsWithOwnId(text), ...(given.get(text) ?? [])]);
    const [first, second] = Array.from(ids).filter(id => draft.get(id)?.specifiedId === text);
    return second === undefined ? first : 'several';
  };
  const view = {
    rootId: tree.rootId,
    get: (id: Ref) => draft.get(id),
    descendants: (id: Ref) => draft.descendants(id),
  };
  const resolver = new ReferenceResolver(view, reflection, idOf);
  for (const id of concerned) {
    await slice.yieldToEventLoop();
    const instance = draft.get(id);
    if (instance === undefined) continue;
    const { values, problems } = resolver.referencesOf(instance);
    unresolved.set(id, problems);
    const properties = withReferences(instance, values, reflection);
    if (properties !== instance.properties) draft.set({ ...instance, properties }, true);
  }
  return unresolved;
}

/** Where paths of references lead is a matter of names and children, where ids lead a matter of ids. */
function samePlace(a: TreeInstance, b: TreeInstance): boolean {
  return (
    a.name === b.name &&
    a.parent === b.parent &&
    a.location.entry === b.location.entry &&
    a.specifiedId === b.specifiedId &&
    a.children.length === b.children.length &&
    a.children.every((id, index) => id === b.children[index])
  );
}

/** The same object when nothing changes. */
function withReferences(
  instance: TreeInstance,
  values: ReadonlyMap<string, Variant>,
  reflection: Reflection,
): ReadonlyMap<string, Variant> {
  const { properties } = instance;
  const gone = Array.from(properties).filter(
    ([name, value]) => isPointer(value) && !values.has(name) && referenceNames(instance, reflection).has(name),
  );
  const changed = Array.from(values).filter(([name, value]) => {
    const known = properties.get(name);
    return known === undefined || !variantsIdentical(known, value);
  });
  if (gone.length === 0 && changed.length === 0) return properties;
  const result = new Map([...properties, ...changed]);
  for (const [name] of gone) result.delete(name);
  return result;
}

const isPointer = (value: Variant): boolean =>
  value.type === 'Ref' || (value.type === 'Content' && value.value.kind === 'object');

/**
 * What an instance that is read again pointed to before, so that it counts as changed only if that changes.
 */
export function withKnownReferences(
  next: TreeInstance,
  before: TreeInstance | undefined,
  reflection: Reflection,
): TreeInstance {
  if (before === undefined || !hasReferences(next)) return next;
  const known = Array.from(referenceNames(next, reflection)).flatMap(name => {
    const value = before.properties.get(name);
    return value && isPointer(value) ? [[name, value] as const] : [];
  });
  return known.length === 0 ? next : { ...next, properties: new Map([...next.properties, ...known]) };
}
