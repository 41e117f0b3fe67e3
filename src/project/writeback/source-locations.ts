import { reasonOf } from '../../protocol/reason.ts';
import { type JsonPath, nodeAt, withoutJsonValue } from '../../roblox/formats/json5-edit.ts';
import { type JsonDocument, parseJsonDocument } from '../../roblox/formats/json5-document.ts';
import type { SourceLocation, PropertiesLocation } from '../snapshot/source-snapshot.ts';
import type { ProjectTree, TreeInstance } from '../tree/project-tree.ts';
import type { Planning } from './planning.ts';
import { CannotWriteError } from './cannot-write-error.ts';

/** The current location of an instance; the plan may have converted its file to a folder. */
export const sourceLocationOf = (planning: Planning, instance: TreeInstance): SourceLocation =>
  planning.converted.get(instance.id) ?? instance.location;

/** The object that already sets the property, or else the object in the instance's own file rather than its project node. */
export function propertiesLocationFor(location: SourceLocation, name: string): PropertiesLocation | undefined {
  return location.values.find(values => setsProperty(values, name)) ?? location.values.at(-1);
}

export const setsProperty = (location: PropertiesLocation, name: string): boolean =>
  location.keys.has(name) || (name === 'Attributes' && location.hasAttributes);

/** Another instance with the same meta file: two scripts with the same name share one. */
export function otherInstanceSharing(
  tree: ProjectTree,
  instance: TreeInstance,
  location: PropertiesLocation,
): TreeInstance | undefined {
  if (location.kind !== 'meta') return undefined;
  const other = tree.idsTouchedBy(location.file).find(id => id !== instance.id);
  return other === undefined ? undefined : tree.get(other);
}

/** Changes the JSON object at `location`. Creates a missing meta file. */
export async function editProperties(
  planning: Planning,
  location: PropertiesLocation,
  edit: (document: JsonDocument, location: PropertiesLocation) => string,
): Promise<void> {
  const { drafts } = planning;
  if (!location.exists && !drafts.has(location.file)) drafts.createJson(location.file, {});
  await drafts.editJson(location.file, (document, at) => edit(document, { ...location, at: at(location.at) }));
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

/** Removes objects that became empty. */
export function withoutEmpty(text: string, location: PropertiesLocation): string {
  let result = text;
  for (const key of [location.propertiesKey, location.attributesKey]) {
    const document = parseJsonDocument(result);
    if (!document.ok) throw new CannotWriteError(reasonOf('layout_breaks', location.file));
    const path = [...location.at, key];
    const node = nodeAt(document.value.root, path);
    if (node?.kind === 'object' && node.members.length === 0) result = withoutJsonValue(document.value, path);
  }
  return result;
}
