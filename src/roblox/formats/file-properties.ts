/** Converts between the properties of model files, with the names and types in files, and those that Roblox declares. */
import { brickColors } from '../instances/brick-colors.ts';
import { derivedProperty } from '../instances/derived-properties.ts';
import { legacyFonts } from '../instances/legacy-fonts.ts';
import type { Migration, DeclaredType, Reflection } from '../instances/reflection.ts';
import type { Variant, Vec3 } from '../values/variant.ts';
import { convertVariant } from './value-conversion.ts';

/**
 * Converts the properties of one instance from a file: canonical names, declared types, and the stored properties of old and derived ones
 * (unless the file has them too). Unknown properties stay unchanged.
 */
export function readFileProperties(
  reflection: Reflection,
  className: string,
  fileProperties: Iterable<readonly [name: string, value: Variant]>,
): Map<string, Variant> {
  const own = new Map<string, Variant>();
  const migrated = new Migrations();
  let derived: Map<string, Variant> | undefined;
  const known = knownClass(reflection, className);
  for (const [fileName, value] of fileProperties) {
    const property = reflection.property(known, fileName);
    if (property === undefined) own.set(fileName, value);
    else if (property.serialization.kind === 'no' && derivedProperty(reflection, known, property.canonicalName))
      (derived ??= new Map()).set(property.canonicalName, convertVariant(value, property.type));
    else if (property.serialization.kind === 'migrates') {
      const converted = convertVariant(value, property.type);
      const replaced = migrate(reflection, property.serialization, converted);
      if (replaced === undefined) own.set(property.canonicalName, converted);
      else migrated.add(property.serialization.to, replaced);
    } else {
      const declared = reflection.property(known, property.canonicalName) ?? property;
      own.set(property.canonicalName, convertVariant(value, declared.type));
    }
  }
  const all = migrated.addTo(own);
  if (derived !== undefined) storeDerived(reflection, known, derived, all, all);
  return all;
}

/** Converts the values of old properties to the properties that replaced them. */
class Migrations {
  readonly #all: { readonly to: readonly string[]; readonly value: Variant }[] = [];

  add(to: readonly string[], value: Variant): void {
    this.#all.push({ to, value });
  }

  /** The values without a new property in `own`: a file that has one of the new properties gets no other. */
  *missingIn(own: ReadonlyMap<string, Variant>): Generator<readonly [string, Variant]> {
    for (const { to, value } of this.#all)
      if (!to.some(name => own.has(name))) for (const name of to) yield [name, value];
  }

  addTo(own: Map<string, Variant>): Map<string, Variant> {
    return this.#all.length === 0 ? own : new Map([...this.missingIn(own), ...own]);
  }
}

/**
 * Adds the stored form of derived properties to `into`. A stored property in `own` takes precedence. A value without a stored form keeps
 * its own name.
 */
function storeDerived(
  reflection: Reflection,
  className: string,
  derived: ReadonlyMap<string, Variant>,
  own: ReadonlyMap<string, Variant>,
  into: Map<string, Variant>,
): void {
  const stored = new Map<string, Variant>();
  // By name, so that several views of one property give the same result in every order.
  for (const [name, value] of Array.from(derived).toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const property = derivedProperty(reflection, className, name);
    if (property === undefined || own.has(property.stored)) continue;
    const before = stored.get(property.stored) ?? reflection.defaultOf(className, property.stored);
    const after = property.apply(value, before);
    if (after === undefined) into.set(name, value);
    else stored.set(property.stored, after);
  }
  for (const [name, value] of stored) into.set(name, value);
}

/** The declared type of a property, by its name in files; `undefined` if undeclared. */
export const declaredType = (reflection: Reflection, className: string, fileName: string): DeclaredType | undefined =>
  reflection.property(knownClass(reflection, className), fileName)?.type;

/** Removes the name from the properties of an instance; returns the class name if there is none. */
export function takeName(properties: Map<string, Variant>, className: string): string {
  const name = properties.get('Name');
  properties.delete('Name');
  if (name?.type === 'String') return name.value;
  // Not UTF-8: invalid bytes become U+FFFD, because names are text everywhere else.
  return name?.type === 'BinaryString' ? new TextDecoder().decode(name.value) : className;
}

/** Converts the properties of one instance for a file, sorted by their names in files. Unknown properties stay unchanged. */
export const writeFileProperties = (
  reflection: Reflection,
  className: string,
  properties: ReadonlyMap<string, Variant>,
): readonly (readonly [fileName: string, value: Variant])[] =>
  Array.from(unsortedFileProperties(reflection, className, properties)).toSorted(([a], [b]) => (a < b ? -1 : 1));

/** Converts like `writeFileProperties`, by name in files, in no order. */
export function unsortedFileProperties(
  reflection: Reflection,
  className: string,
  properties: ReadonlyMap<string, Variant>,
): Map<string, Variant> {
  const own = new Map<string, Variant>();
  const migrated = new Migrations();
  let derived: Map<string, Variant> | undefined;
  const known = knownClass(reflection, className);
  for (const [name, value] of properties) {
    const property = reflection.property(known, name);
    if (property === undefined) own.set(name, holdsBytes(value.type) ? convertVariant(value, 'BinaryString') : value);
    else if (property.serialization.kind === 'no' && derivedProperty(reflection, known, property.canonicalName))
      (derived ??= new Map()).set(property.canonicalName, convertVariant(value, property.type));
    else if (property.serialization.kind === 'migrates') {
      const replaced = migrate(reflection, property.serialization, convertVariant(value, property.type));
      if (replaced === undefined) own.set(name, value);
      else migrated.add(property.serialization.to, replaced);
    } else set(own, name, value);
  }
  if (derived !== undefined) {
    const stored = new Map<string, Variant>();
    storeDerived(reflection, known, derived, properties, stored);
    for (const [name, value] of stored) set(own, name, value);
  }
  for (const [name, value] of migrated.missingIn(properties)) set(own, name, value);
  return own;

  function set(into: Map<string, Variant>, name: string, value: Variant): void {
    const property = reflection.property(known, name);
    if (property === undefined || property.canonicalName === 'Parent') return;
    // Roblox still reads this property from old files, so omitting it would lose the value.
    const fileName = property.serialization.kind === 'yes' ? property.serialization.as : property.canonicalName;
    const inFiles = reflection.property(known, fileName);
    const declared = inFiles?.type ?? value.type;
    into.set(fileName, convertVariant(value, holdsBytes(declared) ? 'BinaryString' : declared));
  }
}

/** Types that Roblox declares, and that files store as bytes. */
const holdsBytes = (type: DeclaredType): boolean =>
  type === 'Attributes' || type === 'Tags' || type === 'MaterialColors';

/** A class that Roblox added later still has attributes, tags and a name. */
const knownClass = (reflection: Reflection, className: string): string =>
  reflection.hasClass(className) ? className : 'Instance';

/** `undefined`: the old value has no new form, so it stays. */
function migrate(reflection: Reflection, migration: Migration, value: Variant): Variant | undefined {
  switch (migration.operation) {
    case 'ContentIdToContent': {
      const content = convertVariant(value, 'Content');
      return content.type === 'Content' ? content : undefined;
    }
    case 'Int64ToContent':
      if (value.type !== 'Int64') return undefined;
      return {
        type: 'Content',
        value: value.value === 0n ? { kind: 'none' } : { kind: 'uri', uri: `rbxassetid://${value.value}` },
      };
    case 'BrickColorToColor': {
      const rgb = value.type === 'BrickColor' ? brickColors.get(value.value) : undefined;
      return rgb && { type: 'Color3uint8', value: rgb satisfies Vec3 };
    }
    case 'FontToFontFace': {
      const item = value.type === 'Enum' ? reflection.enumItemName('Font', value.value) : undefined;
      const font = legacyFonts.get(item ?? '');
      return font && { type: 'Font', value: font };
    }
    case 'IgnoreGuiInsetToScreenInsets': {
      if (value.type !== 'Bool') return undefined;
      const inset = value.value ? 'DeviceSafeInsets' : 'CoreUISafeInsets';
      const number = reflection.enumItems('ScreenInsets').get(inset);
      return number === undefined ? undefined : { type: 'Enum', value: number };
    }
    case 'CornerRadiusToCornerRadii':
      return value.type === 'UDim' ? value : undefined;
    default:
      return undefined;
  }
}
