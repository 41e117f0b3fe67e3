import { reasonOf } from '../../protocol/reason.ts';
import { attributeToFileForm, variantToFileForm } from '../../roblox/instances/file-form.ts';
import type { Reflection } from '../../roblox/instances/reflection.ts';
import type { Variant } from '../../roblox/values/variant.ts';
import { type JsonDocument, jsonValue, parseJsonDocument } from '../../roblox/formats/json5-document.ts';
import { type JsonPath, nodeAt, withJsonValue, withoutJsonValue } from '../../roblox/formats/json5-edit.ts';
import { compareByteOrder } from '../project-file/byte-order.ts';
import { isReferenceAttribute } from '../tree/resolve-references.ts';
import type { PropertiesLocation } from '../snapshot/source-snapshot.ts';
import { withoutEmpty } from './source-locations.ts';
import { CannotWriteError } from './cannot-write-error.ts';

/** The text of a JSON file after setting a property in the object at `location`. */
export function withProperty(
  document: JsonDocument,
  location: PropertiesLocation,
  reflection: Reflection,
  className: string,
  name: string,
  value: Variant,
): string {
  if (value.type === 'Attributes' && !location.keys.has('Attributes'))
    return withAttributes(document, location, value.value);
  const key = location.keys.get(name) ?? name;
  const form =
    value.type === 'Attributes'
      ? { ...referencesIn(document, [...location.at, location.propertiesKey, key]), ...attributeForms(value.value) }
      : variantToFileForm(reflection, className, name, value);
  return withJsonValue(document, [...location.at, location.propertiesKey, key], form);
}

/** The text of a JSON file after removing a property from the object at `location`. */
export function withoutProperty(document: JsonDocument, location: PropertiesLocation, name: string): string {
  if (name === 'Attributes' && !location.keys.has(name))
    return withoutEmpty(withAttributes(document, location, new Map()), location);
  const key = location.keys.get(name) ?? name;
  return withoutEmpty(withoutJsonValue(document, [...location.at, location.propertiesKey, key]), location);
}

const attributeForms = (attributes: ReadonlyMap<string, Variant>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(written(attributes).map(([name, value]) => [name, fullForm(attributeToFileForm(value), value)]));
/** Adds types to attributes, which the `Attributes` property requires. */
const fullForm = (form: unknown, { type }: Variant): unknown =>
  typeof form === 'object' && form !== null ? form : { [type]: form };

/** The attributes to write, without those for references, which Studio does not have. */
const written = (attributes: ReadonlyMap<string, Variant>): readonly (readonly [string, Variant])[] =>
  Array.from(attributes)
    .filter(([name]) => !name.startsWith('RBX') && !isReferenceAttribute(name))
    .sort(([a], [b]) => compareByteOrder(a, b));

function referencesIn(document: JsonDocument, at: JsonPath): Readonly<Record<string, unknown>> {
  const node = nodeAt(document.root, at);
  const all: [string, unknown][] = node?.kind === 'object' ? Object.entries(Object(jsonValue(node))) : [];
  return Object.fromEntries(all.filter(([name]) => isReferenceAttribute(name)));
}

/** Sets the attributes and removes those that Studio no longer has. */
function withAttributes(
  document: JsonDocument,
  location: PropertiesLocation,
  attributes: ReadonlyMap<string, Variant>,
): string {
  const at: JsonPath = [...location.at, location.attributesKey];
  const before = nodeAt(document.root, at);
  const present = before?.kind === 'object' ? Object.keys(Object(jsonValue(before))) : [];
  const visible = written(attributes);
  const kept = new Set(visible.map(([name]) => name));
  let { text } = document;
  const step = (edit: (document: JsonDocument) => string): void => {
    const parsed = parseJsonDocument(text);
    if (!parsed.ok) throw new CannotWriteError(reasonOf('own_layout_breaks'));
    text = edit(parsed.value);
  };
  for (const name of present)
    if (!kept.has(name) && !isReferenceAttribute(name)) step(current => withoutJsonValue(current, [...at, name]));
  for (const [name, value] of visible)
    step(current => withJsonValue(current, [...at, name], attributeToFileForm(value)));
  return text;
}
