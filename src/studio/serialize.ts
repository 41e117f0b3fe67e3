import type { Ref } from '../base/brand.ts';
import { err, type Result } from '../base/result.ts';
import type { PausableWork } from '../base/time-slice.ts';
import type { PatchMessage } from '../protocol/studio/messages.ts';
import type { WireVariant } from '../protocol/values.ts';
import type { Instance } from '../roblox/instances/instance.ts';
import type { Model, ModelInstance } from '../roblox/instances/model.ts';
import { pivotMigration } from '../roblox/instances/pivot-migration.ts';
import type { Reflection } from '../roblox/instances/reflection.ts';
import { variantToWire } from '../roblox/values/variant-wire.ts';
import { writeBinaryModelPausable } from '../roblox/formats/rbxm/write.ts';
import type { ProjectSession } from '../project/project-session.ts';

type Tree = Pick<ProjectSession, 'get' | 'descendants' | 'rootId'>;

/** Finds all instances; the error is the first id that is not in the tree. */
export function findAll(tree: Tree, ids: readonly Ref[]): Result<readonly Instance[], Ref> {
  const found: Instance[] = [];
  for (const id of ids) {
    const instance = tree.get(id);
    if (instance === undefined) return err(id);
    found.push(instance);
  }
  return { ok: true, value: found };
}

/**
 * Writes a binary model with instances that a plugin cannot create itself: a Folder with one ObjectValue per instance, which has the id as
 * its name and points to the instance. Children are not included. The error names a value that the format cannot store.
 */
export function* serializeInstances(
  instances: readonly Instance[],
  reflection: Reflection,
): PausableWork<Result<Uint8Array, string>> {
  const carriers: ModelInstance[] = [];
  for (const instance of instances) {
    yield;
    carriers.push(carrierOf(instance));
  }
  const root: ModelInstance = {
    referent: 'root',
    className: 'Folder',
    name: 'Folder',
    properties: new Map(),
    children: carriers,
  };
  const model: Model = { roots: [root], metadata: new Map() };
  return yield* writeBinaryModelPausable(model, reflection);
}

function carrierOf(instance: Instance): ModelInstance {
  const { id, className, name, properties } = instance;
  const cloned = new Map([...pivotMigration(className), ...properties]);
  const clone: ModelInstance = { referent: id, className, name, properties: cloned, children: [] };
  const parentClass = requiredParents[className];
  const holder: ModelInstance | undefined =
    parentClass === undefined
      ? undefined
      : {
          referent: `holder:${id}`,
          className: parentClass,
          name: parentClass,
          properties: new Map(),
          children: [clone],
        };
  return {
    referent: `carrier:${id}`,
    className: 'ObjectValue',
    name: id,
    properties: new Map([['Value', { type: 'Ref', value: id }]]),
    children: [holder ?? clone],
  };
}

/** Classes that the engine accepts only below a certain parent class. */
const requiredParents: Readonly<Record<string, string>> = {
  Attachment: 'Part',
  Bone: 'Part',
  Animator: 'Humanoid',
  BaseWrap: 'MeshPart',
  WrapLayer: 'MeshPart',
  WrapTarget: 'MeshPart',
  WrapDeformer: 'MeshPart',
};

/** The message that sets every property in the tree that refers to one of `targets`, after these were replaced in Studio. */
export function* referencesTo(tree: Tree, targets: ReadonlySet<Ref>): PausableWork<PatchMessage> {
  const updated: PatchMessage['updated'][number][] = [];
  for (const { id, properties } of tree.descendants(tree.rootId)) {
    yield;
    const pointing: [string, WireVariant][] = [];
    for (const [name, value] of properties)
      if (value.type === 'Ref' && targets.has(value.value)) pointing.push([name, variantToWire(value)]);
    if (pointing.length === 0) continue;
    const changedProperties = Object.fromEntries(pointing);
    updated.push({ id, changedName: null, changedClassName: null, changedProperties, changedMetadata: null });
  }
  return { removed: [], added: {}, updated };
}
