import { attributeToFileForm, variantToFileForm } from '../../roblox/instances/file-form.ts';
import type { Variant } from '../../roblox/values/variant.ts';
import { compareByteOrder } from '../../base/byte-order.ts';
import { isGameAttribute } from '../tree/game-attributes.ts';
import type { PropertiesLocation } from '../snapshot/source-snapshot.ts';
import type { Planning } from './planning.ts';
import { setLocatedJson } from './source-locations.ts';

/** Sets a property in the JSON object at `location`. Creates a missing meta file. */
export async function setProperty(
  planning: Planning,
  location: PropertiesLocation,
  className: string,
  name: string,
  value: Variant,
): Promise<void> {
  if (value.type === 'Attributes' && !location.keys.has('Attributes'))
    return setAttributes(planning, location, value.value);
  const path = [location.propertiesKey, location.keys.get(name) ?? name];
  const form =
    value.type === 'Attributes'
      ? { ...(await otherAttributesIn(planning, location, path)), ...attributeForms(value.value) }
      : variantToFileForm(planning.context.reflection, className, name, value);
  await setLocatedJson(planning, location, path, form);
}

/** Removes a property from the JSON object at `location`, and objects that become empty. */
export async function removeProperty(planning: Planning, location: PropertiesLocation, name: string): Promise<void> {
  if (name === 'Attributes' && !location.keys.has(name)) await setAttributes(planning, location, new Map());
  else {
    const path = [location.propertiesKey, location.keys.get(name) ?? name];
    const others = name === 'Attributes' ? await otherAttributesIn(planning, location, path) : {};
    await setLocatedJson(planning, location, path, Object.keys(others).length > 0 ? others : undefined);
  }
  for (const key of [location.propertiesKey, location.attributesKey])
    if ((await planning.drafts.jsonKeysAt(location.file, [...location.at, key]))?.length === 0)
      await setLocatedJson(planning, location, [key], undefined);
}

const attributeForms = (attributes: ReadonlyMap<string, Variant>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    gameAttributes(attributes).map(([name, value]) => [name, fullForm(attributeToFileForm(value), value)]),
  );
/** Adds types to attributes, which the `Attributes` property requires. */
const fullForm = (form: unknown, { type }: Variant): unknown =>
  typeof form === 'object' && form !== null ? form : { [type]: form };

/** The attributes that belong to the game, sorted by name. */
const gameAttributes = (attributes: ReadonlyMap<string, Variant>): readonly (readonly [string, Variant])[] =>
  Array.from(attributes)
    .filter(([name]) => isGameAttribute(name))
    .sort(([a], [b]) => compareByteOrder(a, b));

/** The attributes in the file that do not belong to the game. Studio does not report them, so they are kept. */
async function otherAttributesIn(
  { drafts }: Planning,
  { file, at, exists }: PropertiesLocation,
  path: readonly string[],
): Promise<Readonly<Record<string, unknown>>> {
  const value = exists || drafts.has(file) ? await drafts.jsonAt(file, [...at, ...path]) : undefined;
  const all: [string, unknown][] = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return Object.fromEntries(all.filter(([name]) => !isGameAttribute(name)));
}

/** Sets the attributes and removes those of the game that Studio no longer has. */
async function setAttributes(
  planning: Planning,
  location: PropertiesLocation,
  attributes: ReadonlyMap<string, Variant>,
): Promise<void> {
  const { drafts } = planning;
  const { file, at, exists, attributesKey } = location;
  const present = exists || drafts.has(file) ? await drafts.jsonKeysAt(file, [...at, attributesKey]) : undefined;
  const wanted = gameAttributes(attributes);
  const kept = new Set(wanted.map(([name]) => name));
  for (const name of present ?? [])
    if (!kept.has(name) && isGameAttribute(name))
      await setLocatedJson(planning, location, [attributesKey, name], undefined);
  for (const [name, value] of wanted)
    await setLocatedJson(planning, location, [attributesKey, name], attributeToFileForm(value));
}
