import { isScriptClass } from '../../protocol/script-class.ts';
import { sentValue } from '../../roblox/instances/script-source.ts';
import type { Ref } from '../../base/brand.ts';
import type { InstanceUpdate, PatchMessage } from '../../protocol/studio/messages.ts';
import type { WireVariant } from '../../protocol/values.ts';
import { areVariantsIdentical } from '../../roblox/instances/equality.ts';
import type { Instance } from '../../roblox/instances/instance.ts';
import { NULL_REF } from '../../roblox/values/ref.ts';
import type { Reflection } from '../../roblox/instances/reflection.ts';
import { variantToWire } from '../../roblox/values/variant-wire.ts';
import type { ProjectSession } from '../../project/project-session.ts';
import { isSent } from '../../roblox/instances/is-sent.ts';
import { renderInstance } from '../../project/session/read-response.ts';

type Tree = Pick<ProjectSession, 'get' | 'info' | 'descendants'>;

/** Instances in the state that a Studio knows, by id; `undefined` for an id that the Studio does not know. */
export type KnownInstances = ReadonlyMap<Ref, Instance | undefined>;

/**
 * Creates the message that updates a Studio from the state in `known` to the current tree; `undefined` if nothing changed. Instances that
 * were added and removed in between do not appear.
 */
export function patchMessage(tree: Tree, known: KnownInstances, reflection: Reflection): PatchMessage | undefined {
  const removed: Ref[] = [];
  const added: Instance[] = [];
  const updated: InstanceUpdate[] = [];
  for (const [id, before] of known) {
    const now = tree.get(id);
    if (now === undefined) {
      // The removal of an ancestor includes its descendants.
      if (before !== undefined && !isAlsoRemoved(tree, known, before.parent)) removed.push(id);
    } else if (before === undefined) added.push(now);
    else {
      const update = updateOf(before, now, reflection);
      if (update !== undefined && (!tree.info.syncScriptsOnly || isScriptClass(now.className))) updated.push(update);
    }
  }
  const rendered = tree.info.syncScriptsOnly
    ? renderScripts(tree, added)
    : added.map(instance => renderInstance(instance));
  if (removed.length === 0 && rendered.length === 0 && updated.length === 0) return undefined;
  return { removed, added: Object.fromEntries(rendered.map(instance => [instance.Id, instance])), updated };
}

const isAlsoRemoved = (tree: Tree, known: KnownInstances, parent: Ref): boolean =>
  tree.get(parent) === undefined && known.get(parent) !== undefined;

function updateOf(before: Instance, now: Instance, reflection: Reflection): InstanceUpdate | undefined {
  const changedName = before.name === now.name ? null : now.name;
  const changedClassName = before.className === now.className ? null : now.className;
  // For a changed class the plugin creates a new instance with only these properties.
  const changedProperties =
    changedClassName === null
      ? changedValues(before.properties, now, reflection)
      : changedValues(new Map(), now, reflection);
  if (changedName === null && changedClassName === null && Object.keys(changedProperties).length === 0)
    return undefined;
  return { id: now.id, changedName, changedClassName, changedProperties, changedMetadata: null };
}

function changedValues(
  before: Instance['properties'],
  now: Instance,
  reflection: Reflection,
): Readonly<Record<string, WireVariant | null>> {
  if (before === now.properties) return {};
  const changed: [string, WireVariant | null][] = [];
  for (const [name, value] of now.properties) {
    const old = before.get(name);
    if ((old === undefined || !areVariantsIdentical(old, value)) && isSent(value))
      changed.push([name, sentValue(name, value)]);
  }
  // Plugins cannot receive nil, so a property that the files no longer set is sent with the default value of its class.
  for (const [name, old] of before) {
    if (now.properties.has(name) || !isSent(old)) continue;
    const usual = reflection.defaultOf(now.className, name);
    changed.push([name, usual === undefined ? null : variantToWire(usual)]);
  }
  return Object.fromEntries(changed);
}

/** Renders the new scripts and all their ancestors, even ancestors that the plugin already knows. */
function renderScripts(tree: Tree, added: readonly Instance[]) {
  const shown = new Map<Ref, Instance>();
  for (const script of added) {
    if (!isScriptClass(script.className)) continue;
    for (let at: Instance | undefined = script; at !== undefined && !shown.has(at.id);) {
      shown.set(at.id, at);
      at = at.parent === NULL_REF ? undefined : tree.get(at.parent);
    }
  }
  const ids = new Set(shown.keys());
  return Array.from(shown.values(), instance => renderInstance(instance, ids)).toReversed();
}
