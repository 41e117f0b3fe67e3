import { isScriptClass } from '../../protocol/script-class.ts';
import { sentValue } from '../../roblox/instances/script-source.ts';
import type { Ref } from '../../base/brand.ts';
import type { PausableWork } from '../../base/time-slice.ts';
import { LazyMap } from '../../protocol/msgpack/encode.ts';
import type { ReadInstance } from '../../protocol/studio/messages.ts';
import type { WireVariant } from '../../protocol/values.ts';
import type { Instance } from '../../roblox/instances/instance.ts';
import { isSent } from '../../roblox/instances/is-sent.ts';
import type { ProjectSession } from '../project-session.ts';

type Tree = Pick<ProjectSession, 'descendants' | 'get' | 'info'>;

/**
 * The response of GET /api/read: the current state of the requested instances and their descendants, by Ref. Skips unknown ids and values
 * that the plugin cannot receive. A project that syncs scripts only includes just scripts and their ancestors.
 */
export function* renderInstances(session: Tree, ids: readonly Ref[]): PausableWork<LazyMap<ReadInstance>> {
  const instances = new Map<Ref, Instance>();
  const shownWith = new Map<Ref, ReadonlySet<Ref>>();
  const { syncScriptsOnly } = session.info;
  for (const id of ids) {
    const found: Instance[] = [];
    for (const instance of session.descendants(id)) {
      yield;
      if (syncScriptsOnly) found.push(instance);
      else instances.set(instance.id, instance);
    }
    const shown = yield* scriptsBelow(found, id);
    for (const instance of found) {
      yield;
      if (!shown.has(instance.id)) continue;
      instances.set(instance.id, instance);
      shownWith.set(instance.id, shown);
    }
  }
  return new LazyMap(instances.size, rendered(instances, shownWith));
}

function* rendered(
  instances: ReadonlyMap<Ref, Instance>,
  shownWith: ReadonlyMap<Ref, ReadonlySet<Ref>>,
): Generator<readonly [Ref, ReadInstance]> {
  for (const [id, instance] of instances) yield [id, renderInstance(instance, shownWith.get(id))];
}

/** The scripts among `instances` (parents first) and their ancestors up to `top`. */
function* scriptsBelow(instances: readonly Instance[], top: Ref): PausableWork<ReadonlySet<Ref>> {
  const shown = new Set<Ref>([top]);
  for (let at = instances.length - 1; at >= 0; at -= 1) {
    yield;
    const instance = instances[at];
    if (instance === undefined) continue;
    if (isScriptClass(instance.className) || instance.children.some(child => shown.has(child))) shown.add(instance.id);
  }
  return shown;
}

/** @param shown the instances to send, in a project that syncs scripts only */
export function renderInstance(instance: Instance, shown?: ReadonlySet<Ref>): ReadInstance {
  const { ignoreUnknownInstances, globIgnoredChildren } = instance.metadata;
  const { id, parent, name, className, properties, children } = instance;
  const head = { Id: id, Parent: parent, Name: name, ClassName: className };
  if (shown !== undefined)
    return {
      ...head,
      Properties: isScriptClass(className) ? renderProperties(properties) : {},
      Children: children.filter(child => shown.has(child)),
      Metadata: { ignoreUnknownInstances: true },
    };
  return {
    ...head,
    Properties: renderProperties(properties),
    Children: children,
    Metadata: { ignoreUnknownInstances, ...(globIgnoredChildren && { globIgnoredChildren }) },
  };
}

function renderProperties(properties: Instance['properties']): ReadInstance['Properties'] {
  const sent: [string, WireVariant][] = [];
  for (const [name, value] of properties) if (isSent(value)) sent.push([name, sentValue(name, value)]);
  return Object.fromEntries(sent);
}
