import type { Ref } from '../../base/brand.ts';
import { areVariantsIdentical } from '../../roblox/instances/equality.ts';
import type { Reflection } from '../../roblox/instances/reflection.ts';
import type { Variant } from '../../roblox/values/variant.ts';
import { hasReferences, referenceNames, ReferenceResolver } from '../tree/resolve-references.ts';
import type { TimeSlice } from '../../base/time-slice.ts';
import type { ProjectTree, TreeInstance } from '../tree/project-tree.ts';
import type { Draft } from './draft.ts';

/**
 * Resolves the references of the instances of a draft. References by name or id are resolved again when any name, position or id has
 * changed; otherwise only those of instances that were read again.
 *
 * @returns for each checked instance, one sentence per reference without a target
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
  let hasMoved = false;
  let count = 0;
  for (const [id, after] of draft.patch) {
    count += 1;
    if (count % 64 === 0) await slice.yieldToEventLoop();
    const before = tree.get(id);
    hasMoved ||= before === undefined || after === undefined || !isSamePlace(before, after);
    if (after === undefined) continue;
    const own = after.specifiedId;
    if (own !== undefined) {
      const ids = given.get(own);
      if (ids === undefined) given.set(own, [id]);
      else ids.push(id);
    }
    if (hasReferences(after) || (before && hasReferences(before))) concerned.add(id);
  }
  if (hasMoved) for (const id of tree.idsWithReferences()) concerned.add(id);
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
    const properties = withReferences(instance, values);
    if (properties !== instance.properties) draft.set({ ...instance, properties }, true);
  }
  return unresolved;
}

/** Whether the change cannot affect the target of any reference: paths depend on names and children, ids on ids. */
function isSamePlace(a: TreeInstance, b: TreeInstance): boolean {
  return (
    a.name === b.name &&
    a.parent === b.parent &&
    a.location.entry === b.location.entry &&
    a.specifiedId === b.specifiedId &&
    a.children.length === b.children.length &&
    a.children.every((id, index) => id === b.children[index])
  );
}

/** Adds reference properties; returns the same object when nothing changes. */
function withReferences(instance: TreeInstance, values: ReadonlyMap<string, Variant>): ReadonlyMap<string, Variant> {
  const { properties } = instance;
  const removed = Array.from(properties).filter(
    ([name, value]) => isPointer(value) && !values.has(name) && referenceNames(instance).has(name),
  );
  const changed = Array.from(values).filter(([name, value]) => {
    const known = properties.get(name);
    return known === undefined || !areVariantsIdentical(known, value);
  });
  if (removed.length === 0 && changed.length === 0) return properties;
  const result = new Map([...properties, ...changed]);
  for (const [name] of removed) result.delete(name);
  return result;
}

const isPointer = (value: Variant): boolean =>
  value.type === 'Ref' || (value.type === 'Content' && value.value.kind === 'object');

/**
 * Copies the resolved references of the previous state, so that reading an instance again marks it as changed only if they change.
 */
export function withKnownReferences(next: TreeInstance, before: TreeInstance | undefined): TreeInstance {
  if (before === undefined || !hasReferences(next)) return next;
  const known = Array.from(referenceNames(next)).flatMap(name => {
    const value = before.properties.get(name);
    return value && isPointer(value) ? [[name, value] as const] : [];
  });
  return known.length === 0 ? next : { ...next, properties: new Map([...next.properties, ...known]) };
}
