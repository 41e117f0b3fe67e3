import { withJsonValue, withoutJsonValue, nodeAt } from '../../roblox/formats/json5-edit.ts';
import { type JsonDocument, parseJsonDocument } from '../../roblox/formats/json5-document.ts';
import type { SourceLocation, PropertiesLocation } from '../snapshot/source-snapshot.ts';
import type { ProjectTree, TreeInstance } from '../tree/project-tree.ts';
import type { Planning } from './planning.ts';
import { CannotWriteError } from './cannot-write-error.ts';

/** Where the values of an instance go now: a plan may have made a folder of its file. */
export const sourceLocationOf = (planning: Planning, instance: TreeInstance): SourceLocation =>
  planning.converted.get(instance.id) ?? instance.location;

/** The object that sets the property already, or else that of the instance's own file rather than its node in the project. */
export function propertiesLocationFor(location: SourceLocation, name: string): PropertiesLocation | undefined {
  return location.values.find(values => setsProperty(values, name)) ?? location.values.at(-1);
}

export const setsProperty = (location: PropertiesLocation, name: string): boolean =>
  location.keys.has(name) || (name === 'Attributes' && location.hasAttributes);

/** Another instance that a meta file speaks for: two scripts of one name share one. */
export function sharerOf(
  tree: ProjectTree,
  instance: TreeInstance,
  location: PropertiesLocation,
): TreeInstance | undefined {
  if (location.kind !== 'meta') return undefined;
  const other = tree.idsTouchedBy(location.file).find(id => id !== instance.id);
  return other === undefined ? undefined : tree.get(other);
}

/** Changes the JSON object of `location`; makes a meta file that is not there yet. */
export async function editProperties(
  planning: Planning,
  location: PropertiesLocation,
  edit: (document: JsonDocument, location: PropertiesLocation) => string,
): Promise<void> {
  const { drafts } = planning;
  if (!location.exists && !drafts.has(location.file)) drafts.createJson(location.file, {});
  await drafts.editJson(location.file, (document, at) => edit(document, { ...location, at: at(location.at) }));
}

/** Sets one attribute; `undefined` takes it out. */
export async function setAttribute(
  planning: Planning,
  location: PropertiesLocation,
  name: string,
  value: string | undefined,
): Promise<void> {
  await editProperties(planning, location, (document, { at, attributesKey, propertiesKey, keys }) => {
    const inProperties = keys.get('Attributes');
    const path = inProperties === undefined ? [...at, attributesKey, name] : [...at, propertiesKey, inProperties, name];
    if (value === undefined) return withoutJsonValue(document, path);
    return withJsonValue(document, path, inProperties === undefined ? value : { String: value });
  });
}

/** The text without empty objects where values used to be. */
export function withoutEmpty(text: string, location: PropertiesLocation): string {
  let result = text;
  for (const key of [location.propertiesKey, location.attributesKey]) {
    const document = parseJsonDocument(result);
    if (!document.ok)
      throw new CannotWriteError(`${location.file} cannot be edited without breaking its layout; edit it by hand`);
    const path = [...location.at, key];
    const node = nodeAt(document.value.root, path);
    if (node?.kind === 'object' && node.members.length === 0) result = withoutJsonValue(document.value, path);
  }
  return result;
}
