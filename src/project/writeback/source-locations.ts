import type { Ref } from '../../base/brand.ts';
import type { JsonPath } from '../../roblox/formats/json5-edit.ts';
import type { SourceLocation, PropertiesLocation } from '../snapshot/source-snapshot.ts';
import type { ProjectTree, TreeInstance } from '../tree/project-tree.ts';
import type { Planning } from './planning.ts';

/** The current location of an instance; the plan may have converted its file to a folder. */
export const sourceLocationOf = (planning: Planning, instance: TreeInstance): SourceLocation =>
  planning.converted.get(instance.id) ?? instance.location;

/** The object that already sets the property, or else the object in the instance's own file rather than its project node. */
export function propertiesLocationFor(location: SourceLocation, name: string): PropertiesLocation | undefined {
  return location.values.find(values => setsProperty(values, name)) ?? location.values.at(-1);
}

export const setsProperty = (location: PropertiesLocation, name: string): boolean =>
  location.keys.has(name) || (name === 'Attributes' && location.hasAttributes);

/**
 * Another instance with the same meta file: two scripts with the same name share one.
 *
 * @param removed instances to ignore, because the plan removes them
 */
export function otherInstanceSharing(
  tree: ProjectTree,
  instance: TreeInstance,
  location: PropertiesLocation,
  removed: ReadonlySet<Ref> = new Set(),
): TreeInstance | undefined {
  if (location.kind !== 'meta') return undefined;
  const other = tree.idsTouchedBy(location.file).find(id => id !== instance.id && !removed.has(id));
  return other === undefined ? undefined : tree.get(other);
}

/** Sets a value of the JSON object at `location`; `undefined` removes it. Creates a missing meta file. */
export async function setLocatedJson(
  { drafts }: Planning,
  location: PropertiesLocation,
  path: JsonPath,
  value: unknown,
): Promise<void> {
  if (!location.exists && !drafts.has(location.file)) drafts.createJson(location.file, {});
  await drafts.setJson(location.file, [...location.at, ...path], value);
}

/** Sets one attribute; `undefined` removes it. */
export async function setAttribute(
  planning: Planning,
  location: PropertiesLocation,
  name: string,
  value: string | undefined,
): Promise<void> {
  const { attributesKey, propertiesKey, keys } = location;
  const inProperties = keys.get('Attributes');
  const path = inProperties === undefined ? [attributesKey, name] : [propertiesKey, inProperties, name];
  await setLocatedJson(
    planning,
    location,
    path,
    inProperties === undefined || value === undefined ? value : { String: value },
  );
}
