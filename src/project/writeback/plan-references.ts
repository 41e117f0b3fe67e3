import { reasonOf } from '../../protocol/reason.ts';
import { nameOf } from '../../base/project-path.ts';
import type { ProjectPath, Ref } from '../../base/brand.ts';
import { NULL_REF } from '../../roblox/values/ref.ts';
import type { PropertiesLocation } from '../snapshot/source-snapshot.ts';
import type { ProjectTree, TreeInstance } from '../tree/project-tree.ts';
import { convertToFolder } from './convert-to-folder.ts';
import {
  propertiesLocationFor,
  sourceLocationOf,
  setAttribute,
  setLocatedJson,
  otherInstanceSharing,
} from './source-locations.ts';
import type { PendingReference, Planning } from './planning.ts';
import { CannotWriteError } from './cannot-write-error.ts';

/** One end of a reference. */
interface ReferenceEnd {
  readonly instance: TreeInstance | undefined;
  readonly location: PropertiesLocation | undefined;
  readonly segments: readonly string[];
  readonly model: { readonly file: ProjectPath; readonly referent: string } | undefined;
}

/**
 * Plans a reference property: as a referent inside one binary or XML model, else as an attribute with an id (Rojo dialect) or a path
 * (Atlas dialect).
 */
export async function planReference(planning: Planning, pending: PendingReference, ids: ReferenceIds): Promise<void> {
  const { property, className } = pending;
  const owner = referenceEndOf(planning, pending.owner);
  if (owner === undefined) throw new CannotWriteError(reasonOf('not_in_project'));
  if (pending.target === NULL_REF) return clearReference(planning, owner, property);
  const target = referenceEndOf(planning, pending.target);
  if (target === undefined) {
    if (planning.limits.unwritableReferences === 'skip') return;
    throw new CannotWriteError(reasonOf('refers_to_no_file', className, property));
  }
  if (owner.model && owner.model.file === target.model?.file)
    return planning.models.setReference(owner.model.file, owner.model.referent, property, target.model.referent);
  const isAtlas = dialectOf(planning) === 'atlas';
  const name = `${isAtlas ? 'Rojo_Ref' : 'Rojo_Target'}_${property}`;
  const value = isAtlas
    ? referencePath(owner.segments, target.segments)
    : await ids.idOf(planning, pending.target, target);
  await setReferenceAttribute(planning, owner, name, value);
  for (const other of referenceAttributes(owner, property))
    if (other !== name) await setReferenceAttribute(planning, owner, other, undefined);
}

/** The attributes that may name the target of a property, also by an old name of the property. */
const referenceAttributes = ({ instance }: ReferenceEnd, property: string): ReadonlySet<string> =>
  new Set([
    `Rojo_Target_${property}`,
    `Rojo_Ref_${property}`,
    ...(instance?.namedTargets?.get(property)?.attributes ?? []),
  ]);

async function clearReference(planning: Planning, owner: ReferenceEnd, property: string): Promise<void> {
  if (owner.model) planning.models.setReference(owner.model.file, owner.model.referent, property, undefined);
  for (const name of referenceAttributes(owner, property))
    await setReferenceAttribute(planning, owner, name, undefined);
}

async function setReferenceAttribute(
  planning: Planning,
  end: ReferenceEnd,
  name: string,
  value: string | undefined,
): Promise<void> {
  if (end.model) return planning.models.setAttribute(end.model.file, end.model.referent, name, value);
  const location = end.instance ? await ownPropertiesLocation(planning, end.instance, 'Attributes') : end.location;
  if (location === undefined) throw new CannotWriteError(reasonOf('no_own_file'));
  if (value !== undefined || location.exists || planning.drafts.has(location.file))
    await setAttribute(planning, location, name, value);
}

/** The location of a value of an instance. Converts the instance to a folder first if another instance shares the location. */
async function ownPropertiesLocation(
  planning: Planning,
  instance: TreeInstance,
  name: string,
): Promise<PropertiesLocation | undefined> {
  const location = propertiesLocationFor(sourceLocationOf(planning, instance), name);
  const isShared =
    location &&
    otherInstanceSharing(planning.context.tree, instance, location) !== undefined &&
    !planning.converted.has(instance.id);
  if (!isShared) return location;
  await convertToFolder(planning, instance);
  return propertiesLocationFor(sourceLocationOf(planning, instance), name);
}

function referenceEndOf(planning: Planning, id: string): ReferenceEnd | undefined {
  const { tree } = planning.context;
  const created = planning.newLocations.get(id);
  if (created)
    return {
      instance: undefined,
      location: created.location,
      segments: created.segments,
      model: created.model,
    };
  const instance = tree.get(id as Ref);
  if (instance === undefined) return undefined;
  const location = propertiesLocationFor(sourceLocationOf(planning, instance), 'Attributes');
  const isInModel = instance.modelPlace !== undefined && location === undefined;
  return {
    instance,
    location,
    segments: segmentsOf(planning, instance),
    model: isInModel ? planning.models.locationOf(instance) : undefined,
  };
}

/** The path segments of an instance without the root: file names, or instance names for nodes and inside models. */
export function segmentsOf(planning: Planning, instance: TreeInstance): readonly string[] {
  const { tree } = planning.context;
  const segments: string[] = [];
  for (let at: TreeInstance | undefined = instance; at && at.id !== tree.rootId; at = tree.get(at.parent)) {
    const { entry, kind } = sourceLocationOf(planning, at);
    segments.unshift(entry === undefined || kind === 'node' ? at.name : nameOf(entry));
  }
  return segments;
}

/** The reference path from one instance to another. */
function referencePath(from: readonly string[], to: readonly string[]): string {
  let common = 0;
  while (common < from.length && common < to.length && from[common] === to[common]) common += 1;
  const rest = to.slice(common).join('/');
  if (common === from.length) return rest === '' ? '@self' : `@self/${rest}`;
  if (common === 0 || common === to.length) return `@game/${to.join('/')}`;
  const up = from.length - common;
  return up === 1 ? `./${rest}` : `${'../'.repeat(up - 1)}${rest}`;
}

const dialectOf = ({ context: { tree } }: Planning): string | undefined =>
  tree.get(tree.rootId)?.origin?.settings.dialect;

/** Reference ids: existing ids from files, and new ids that are derived from the path of the target. */
export class ReferenceIds {
  readonly #known: ReadonlyMap<string, number>;
  readonly #given = new Map<string, string>();
  readonly #taken = new Set<string>();

  constructor(tree: ProjectTree) {
    const known = new Map<string, number>();
    for (const instance of tree.descendants(tree.rootId)) {
      const id = instance.specifiedId;
      if (id !== undefined) known.set(id, (known.get(id) ?? 0) + 1);
    }
    this.#known = known;
  }

  async idOf(planning: Planning, key: string, target: ReferenceEnd): Promise<string> {
    const own = target.instance?.specifiedId;
    if (own !== undefined && this.#known.get(own) === 1) return own;
    const given = this.#given.get(key);
    if (given !== undefined) return given;
    const id = this.#newId(planning, target.segments.join('/'));
    this.#given.set(key, id);
    this.#taken.add(id);
    planning.drafts.onRollBack(() => {
      this.#given.delete(key);
      this.#taken.delete(id);
    });
    const location = target.instance ? await idLocation(planning, target.instance) : target.location;
    const idKey = location?.idKey;
    if (target.model || location === undefined || idKey === undefined)
      await setReferenceAttribute(planning, target, 'Rojo_Id', id);
    else await setLocatedJson(planning, location, [idKey], id);
    return id;
  }

  #newId({ context }: Planning, path: string): string {
    for (let number = 0; ; number += 1) {
      const text = number === 0 ? path : `${path}\0${number}`;
      const id = context.ports.hasher.gitBlob(text).slice(0, 32);
      if (!this.#known.has(id) && !this.#taken.has(id)) return id;
    }
  }
}

/** The location of the id. For a project node with a path, that is the meta file of the path. */
async function idLocation(planning: Planning, instance: TreeInstance): Promise<PropertiesLocation | undefined> {
  const location = sourceLocationOf(planning, instance).values.at(-1);
  if (location?.kind !== 'meta') return location;
  await ownPropertiesLocation(planning, instance, 'Attributes');
  return sourceLocationOf(planning, instance).values.at(-1);
}
