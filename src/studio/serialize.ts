import type { Ref } from '../base/brand.ts';
import { err, type Result } from '../base/result.ts';
import type { PatchMessage } from '../protocol/studio/messages.ts';
import type { WireVariant } from '../protocol/values.ts';
import type { Instance } from '../roblox/instances/instance.ts';
import type { Model, ModelInstance } from '../roblox/instances/model.ts';
import { pivotMigration } from '../roblox/instances/pivot-migration.ts';
import type { Reflection } from '../roblox/instances/reflection.ts';
import { variantToWire } from '../roblox/values/variant-wire.ts';
import { writeBinaryModel } from '../roblox/formats/rbxm/write.ts';
import type { ProjectSession } from '../project/project-session.ts';

type Tree = Pick<ProjectSession, 'get' | 'descendants' | 'rootId'>;

/** The first id that is not in the tree is the error. */
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
 * The binary model from which a plugin takes instances that it cannot make itself (`reference/studio-protocol.md`, section 1.11): a Folder with
 * an ObjectValue per instance, named by its id and pointing to it. Without children; the error is what the format cannot hold.
 */
export function serializeInstances(instances: readonly Instance[], reflection: Reflection): Result<Uint8Array, string> {
  const root: ModelInstance = {
    referent: 'root',
    className: 'Folder',
    name: 'Folder',
    properties: new Map(),
    children: instances.map(carrierOf),
  };
  const model: Model = { roots: [root], metadata: new Map() };
  return writeBinaryModel(model, reflection);
}

function carrierOf(instance: Instance): ModelInstance {
  const { id, className, name, properties } = instance;
  const cloned = new Map([...pivotMigration(className), ...properties]);
  const clone: ModelInstance = { referent: id, className, name, properties: cloned, children: [] };
  const around = holderOf[className];
  const holder: ModelInstance | undefined =
    around === undefined
      ? undefined
      : { referent: `holder:${id}`, className: around, name: around, properties: new Map(), children: [clone] };
  return {
    referent: `carrier:${id}`,
    className: 'ObjectValue',
    name: id,
    properties: new Map([['Value', { type: 'Ref', value: id }]]),
    children: [holder ?? clone],
  };
}

/** Classes that the engine takes below these alone. */
const holderOf: Readonly<Record<string, string>> = {
  Attachment: 'Part',
  Bone: 'Part',
  Animator: 'Humanoid',
  BaseWrap: 'MeshPart',
  WrapLayer: 'MeshPart',
  WrapTarget: 'MeshPart',
  WrapDeformer: 'MeshPart',
};

/** The properties of the whole tree that point to one of `targets`, which has been replaced in Studio. */
export function referencesTo(tree: Tree, targets: ReadonlySet<Ref>): PatchMessage {
  const updated: PatchMessage['updated'][number][] = [];
  for (const { id, properties } of tree.descendants(tree.rootId)) {
    const pointing: [string, WireVariant][] = [];
    for (const [name, value] of properties)
      if (value.type === 'Ref' && targets.has(value.value)) pointing.push([name, variantToWire(value)]);
    if (pointing.length === 0) continue;
    const changedProperties = Object.fromEntries(pointing);
    updated.push({ id, changedName: null, changedClassName: null, changedProperties, changedMetadata: null });
  }
  return { removed: [], added: {}, updated };
}
