import type { Ref } from '../base/brand.ts';
import type { Model, ModelInstance } from '../roblox/instances/model.ts';
import { NULL_REF } from '../roblox/values/ref.ts';
import type { Variant } from '../roblox/values/variant.ts';

/**
 * Merges a model into a place. Instances with the same name and class become one instance, with the properties of `added`; all other
 * instances of both stay. References within each model keep their targets; those to instances outside the place become null.
 */
export function mergeModels(base: Model, added: Model): Model {
  /** New referents of the place: those of `added` for shared instances, and unique ones for the others. */
  const referents = new Map<string, string>();
  const taken = new Set<string>();
  const take = ({ referent, children }: ModelInstance): void => {
    taken.add(referent);
    for (const child of children) take(child);
  };
  for (const root of added.roots) take(root);
  const unique = (referent: string): string => {
    let free = `place ${referent}`;
    while (taken.has(free)) free = `place ${free}`;
    taken.add(free);
    return free;
  };
  const pair = (instances: readonly ModelInstance[], others: readonly ModelInstance[], areServices: boolean): void => {
    const matches = matchByName(instances, others, areServices);
    for (const instance of instances) {
      const other = matches.get(instance);
      referents.set(instance.referent, other?.referent ?? unique(instance.referent));
      pair(instance.children, other?.children ?? [], false);
    }
  };
  pair(base.roots, added.roots, true);
  const moved = (instance: ModelInstance): ModelInstance => ({
    ...instance,
    referent: referents.get(instance.referent) ?? instance.referent,
    properties: new Map(Array.from(instance.properties, ([name, value]) => [name, withReferents(value, referents)])),
    children: instance.children.map(moved),
  });
  const merge = (
    instances: readonly ModelInstance[],
    others: readonly ModelInstance[],
    areServices: boolean,
  ): readonly ModelInstance[] => {
    const matches = matchByName(instances, others, areServices);
    const used = new Set(matches.values());
    const merged = instances.map(instance => {
      const own = moved({ ...instance, children: [] });
      const other = matches.get(instance);
      if (other === undefined) return { ...own, children: instance.children.map(moved) };
      const properties = new Map([...own.properties, ...other.properties]);
      return { ...own, properties, children: merge(instance.children, other.children, false) };
    });
    return [...merged, ...others.filter(other => !used.has(other))];
  };
  return { roots: merge(base.roots, added.roots, true), metadata: base.metadata };
}

/** The first instance with the same name and class, for each; none is matched twice. A service is the same under any name. */
function matchByName(
  instances: readonly ModelInstance[],
  others: readonly ModelInstance[],
  areServices: boolean,
): ReadonlyMap<ModelInstance, ModelInstance> {
  const keyOf = ({ className, name }: ModelInstance): string =>
    areServices ? className : JSON.stringify([className, name]);
  // Reversed, so that `pop` takes the first.
  const free = Map.groupBy(others.toReversed(), keyOf);
  const matches = new Map<ModelInstance, ModelInstance>();
  for (const instance of instances) {
    const match = free.get(keyOf(instance))?.pop();
    if (match !== undefined) matches.set(instance, match);
  }
  return matches;
}

function withReferents(value: Variant, referents: ReadonlyMap<string, string>): Variant {
  const renamed = (ref: Ref): Ref => (referents.get(ref) ?? NULL_REF) as Ref;
  if (value.type === 'Ref') return { type: 'Ref', value: renamed(value.value) };
  if (value.type !== 'Content' || value.value.kind !== 'object') return value;
  return { type: 'Content', value: { kind: 'object', ref: renamed(value.value.ref) } };
}
