import type { Ref } from '../../base/brand.ts';
import { areTextsEqual } from '../../base/line-ends.ts';
import type { BaseState } from '../../ports/base-store.ts';
import type { ProjectSession } from '../../project/project-session.ts';
import { onlyGameAttributes } from '../../project/tree/game-attributes.ts';
import type { StudioInstance } from '../../protocol/studio/stream.ts';
import { propertiesEqual } from '../../roblox/instances/equality.ts';
import type { Instance } from '../../roblox/instances/instance.ts';
import type { Reflection } from '../../roblox/instances/reflection.ts';
import { variantFromWire } from '../../roblox/values/variant-wire.ts';
import type { Variant } from '../../roblox/values/variant.ts';
import { childKey, type ChildrenByKey } from './base-keys.ts';
import type { BaseStates } from './base-state.ts';

export interface AgreedStatesDeps {
  readonly session: Pick<ProjectSession, 'get' | 'rootId'>;
  readonly reflection: Reflection;
  readonly baseStates: BaseStates;
  readonly keys: Pick<ReadonlyMap<Ref, string>, 'get'>;
  readonly children: ChildrenByKey;
}

/**
 * Yields the states on which disk and Studio agree, for an instance in Studio and its descendants. A state contains only properties with
 * the same value on both sides. Excludes references, because each side names their targets differently; the next comparison covers them.
 */
export function* findAgreedStates(
  studio: StudioInstance,
  parentId: Ref,
  deps: AgreedStatesDeps,
): Generator<readonly [key: string, state: BaseState, instance: Instance]> {
  const { session, keys, children } = deps;
  const parentKey = parentId === session.rootId ? '' : keys.get(parentId);
  if (parentKey === undefined) return;
  const key = childKey(parentKey, studio.name);
  const found = children.get(parentId, key);
  const disk = found === undefined ? undefined : session.get(found);
  if (disk === undefined || disk.className !== studio.className) return;
  const names = new Set(Array.from(disk.properties.keys()).filter(name => isSame(name, disk, studio, deps)));
  const { source, properties, entries } = deps.baseStates.of(disk);
  const agreed = <T>(values: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name)));
  const state = {
    ...(source === undefined || !names.has('Source') ? {} : { source }),
    properties: agreed(properties),
    ...(entries === undefined ? {} : { entries: agreed(entries) }),
  };
  yield [key, state, disk];
  for (const child of studio.children) yield* findAgreedStates(child, disk.id, deps);
}

function isSame(name: string, disk: Instance, studio: StudioInstance, { reflection }: AgreedStatesDeps): boolean {
  const value = disk.properties.get(name);
  if (value === undefined || value.type === 'Ref') return false;
  if (name === 'Source' && studio.source !== undefined)
    return value.type === 'String' && areTextsEqual(value.value, studio.source);
  const wire = studio.properties[name];
  const read = wire === undefined ? undefined : variantFromWire(wire);
  const inStudio: Variant | undefined = read?.ok ? read.value : reflection.defaultOf(disk.className, name);
  return (
    inStudio !== undefined &&
    propertiesEqual(reflection, disk.className, name, onlyGameAttributes(value), onlyGameAttributes(inStudio))
  );
}
