import type { Ref } from '../../../base/brand.ts';
import type { ReadInstance, ReadResponse } from '../../../protocol/studio/messages.ts';
import type { WireVariant } from '../../../protocol/values.ts';
import { isScriptClass, type Instance } from '../../dom/instance.ts';
import { isSent } from '../../dom/is-sent.ts';
import { variantToWire } from '../../dom/variant-wire.ts';
import type { ProjectSession } from '../project-session.ts';

type Tree = Pick<ProjectSession, 'descendants' | 'get' | 'info'>;

/**
 * The instances of GET /api/read: those asked for and everything below them, by Ref. Unknown ids are left out, and so are values that
 * no plugin can take (`reference/studio-protocol.md`, section 1.4, notes). A project of scripts only shows those below each id, with
 * what leads to them (section 2.7).
 */
export function renderInstances(session: Tree, ids: readonly Ref[]): ReadResponse['instances'] {
  const instances: [Ref, ReadInstance][] = [];
  for (const id of ids) {
    const found = Array.from(session.descendants(id));
    const shown = session.info.syncScriptsOnly ? scriptsBelow(found, id) : undefined;
    for (const instance of found)
      if (shown?.has(instance.id) !== false) instances.push([instance.id, renderInstance(instance, shown)]);
  }
  return Object.fromEntries(instances);
}

/** The scripts among `instances`, which come parents first, with everything between them and `top`. */
function scriptsBelow(instances: readonly Instance[], top: Ref): ReadonlySet<Ref> {
  const shown = new Set<Ref>([top]);
  for (const instance of instances.toReversed())
    if (isScriptClass(instance.className) || instance.children.some(child => shown.has(child))) shown.add(instance.id);
  return shown;
}

/** @param shown in a project of scripts only: the instances that are sent at all */
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
  for (const [name, value] of properties) if (isSent(value)) sent.push([name, variantToWire(value)]);
  return Object.fromEntries(sent);
}
