import type { PausableWork } from '../../../base/time-slice.ts';
import { comparable, variantsIdentical } from '../../../roblox/instances/equality.ts';
import { readFileProperties } from '../../../roblox/formats/file-properties.ts';
import type { Reflection } from '../../../roblox/instances/reflection.ts';
import type { Variant } from '../../../roblox/values/variant.ts';
import { matchByName } from '../../tree/match-by-name.ts';
import type { TreeInstance } from '../../tree/project-tree.ts';
import type { DesiredInstance } from '../desired.ts';

export interface MatchedChildren {
  readonly pairs: readonly (readonly [TreeInstance, DesiredInstance])[];
  readonly onlyOnDisk: readonly TreeInstance[];
  readonly onlyInPlace: readonly DesiredInstance[];
}

/** Pairs children on disk with children in the place by name and class; among several candidates, the most similar ones. */
export function* matchDesired(
  existing: readonly TreeInstance[],
  wanted: readonly DesiredInstance[],
  childrenOf: (instance: TreeInstance) => readonly TreeInstance[],
  reflection: Reflection,
): PausableWork<MatchedChildren> {
  const matched = yield* matchByName(
    existing,
    wanted,
    () => undefined,
    (instance, desired) => difference(instance, desired, childrenOf),
    {
      left: ({ className, properties }) =>
        keyOf(reflection, className, readFileProperties(reflection, className, properties)),
      right: ({ className, properties }) => keyOf(reflection, className, properties),
    },
  );
  const taken = new Set(matched.values());
  return {
    pairs: Array.from(matched, ([desired, instance]) => [instance, desired] as const),
    onlyOnDisk: existing.filter(instance => !taken.has(instance)),
    onlyInPlace: wanted.filter(desired => !matched.has(desired)),
  };
}

/** A key that is equal for instances with the same values; skips defaults, because files omit them. */
function keyOf(reflection: Reflection, className: string, properties: ReadonlyMap<string, Variant>): string {
  const parts: string[] = [];
  for (const [name, value] of properties) {
    if (value.type === 'Ref' || value.type === 'UniqueId' || value.type === 'Attributes') continue;
    const known = reflection.defaultOf(className, name);
    if (known !== undefined && variantsIdentical(known, value)) continue;
    parts.push(`${name}=${JSON.stringify(comparable(value), plain)}`);
  }
  return parts.toSorted().join('\n');
}

/** Values that JSON has no form for. The length and the start identify long bytes well enough. */
function plain(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Uint8Array) return [value.length, ...value.subarray(0, 64)];
  return value instanceof Map ? Array.from(value) : value;
}

function difference(
  instance: TreeInstance,
  desired: DesiredInstance,
  childrenOf: (instance: TreeInstance) => readonly TreeInstance[],
): number {
  let cost = 0;
  for (const [name, value] of instance.properties) {
    const other = desired.properties.get(name);
    if (other === undefined || !variantsIdentical(value, other)) cost += 1;
  }
  const names = childrenOf(instance).map(child => child.name);
  const others = new Set(desired.children.map(child => child.name));
  return cost + Math.abs(names.length - desired.children.length) + names.filter(name => !others.has(name)).length;
}
