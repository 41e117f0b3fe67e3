import { withJsonValue, withoutJsonValue, nodeAt } from '../../roblox/formats/json5-edit.ts';
import { type JsonDocument, parseJsonDocument } from '../../roblox/formats/json5-document.ts';
import type { SourceLocation, PropertiesLocation } from '../snapshot/source-snapshot.ts';
import type { ProjectTree, TreeInstance } from '../tree/project-tree.ts';
import type { Planning } from './planning.ts';
import { CannotWriteError } from './cannot-write-error.ts';

/** Where the values of an instance go now: a plan may have made a folder of its file. */
export const sourceLocationOf = (planning: Planning, instance: TreeInstance): SourceLocation =>
  planning.converted.get(instance.id) ?? instance.home;

/** The object that sets the property already, or else that of the instance's own file rather than its node in the project. */
export function homeFor(home: SourceLocation, name: string): PropertiesLocation | undefined {
  return home.values.find(values => setsProperty(values, name)) ?? home.values.at(-1);
}

export const setsProperty = (home: PropertiesLocation, name: string): boolean =>
  home.keys.has(name) || (name === 'Attributes' && home.hasAttributes);

/** Another instance that a meta file speaks for: two scripts of one name share one. */
export function sharerOf(
  tree: ProjectTree,
  instance: TreeInstance,
  home: PropertiesLocation,
): TreeInstance | undefined {
  if (home.kind !== 'meta') return undefined;
  const other = tree.idsTouchedBy(home.file).find(id => id !== instance.id);
  return other === undefined ? undefined : tree.get(other);
}

/** Changes the JSON object of `home`; makes a meta file that is not there yet. */
export async function editHome(
  planning: Planning,
  home: PropertiesLocation,
  edit: (document: JsonDocument, home: PropertiesLocation) => string,
): Promise<void> {
  const { drafts } = planning;
  if (!home.exists && !drafts.has(home.file)) drafts.createJson(home.file, {});
  await drafts.editJson(home.file, (document, at) => edit(document, { ...home, at: at(home.at) }));
}

/** Sets one attribute; `undefined` takes it out. */
export async function setAttribute(
  planning: Planning,
  home: PropertiesLocation,
  name: string,
  value: string | undefined,
): Promise<void> {
  await editHome(planning, home, (document, { at, attributesKey, propertiesKey, keys }) => {
    const inProperties = keys.get('Attributes');
    const path = inProperties === undefined ? [...at, attributesKey, name] : [...at, propertiesKey, inProperties, name];
    if (value === undefined) return withoutJsonValue(document, path);
    return withJsonValue(document, path, inProperties === undefined ? value : { String: value });
  });
}

/** The text without empty objects where values used to be. */
export function withoutEmpty(text: string, home: PropertiesLocation): string {
  let result = text;
  for (const key of [home.propertiesKey, home.attributesKey]) {
    const document = parseJsonDocument(result);
    if (!document.ok)
      throw new CannotWriteError(`${home.file} cannot be changed without spoiling its layout; change it by hand`);
    const path = [...home.at, key];
    const node = nodeAt(document.value.root, path);
    if (node?.kind === 'object' && node.members.length === 0) result = withoutJsonValue(document.value, path);
  }
  return result;
}
