import { isScriptClass } from '../../../protocol/script-class.ts';
import { areTextsEqual } from '../../../base/line-ends.ts';
import { areOneStoredColor, areVariantsIdentical } from '../../../roblox/instances/equality.ts';
import { derivedProperty } from '../../../roblox/instances/derived-properties.ts';
import { NULL_REF } from '../../../roblox/values/ref.ts';
import type { Reflection } from '../../../roblox/instances/reflection.ts';
import type { Variant } from '../../../roblox/values/variant.ts';
import { readFileProperties } from '../../../roblox/formats/file-properties.ts';
import { convertVariant } from '../../../roblox/formats/value-conversion.ts';
import { onlyGameAttributes } from '../../tree/game-attributes.ts';
import { csvOfContents } from '../../file-kinds/localization.ts';
import { contentsOfCsv } from '../../file-kinds/read-localization.ts';
import type { TreeInstance } from '../../tree/project-tree.ts';
import type { DesiredInstance } from '../desired.ts';
import { unwrittenProperties } from '../unwritten-properties.ts';
import { setsProperty } from '../source-locations.ts';

export interface ValueRules {
  readonly reflection: Reflection;
  readonly excludes: (className: string, name: string) => boolean;
  /** The tree id for an id of the place; `undefined` for an instance that the project does not get. */
  readonly idOf: (referent: string) => string | undefined;
}

/** The properties to change in files so that an instance matches the place; `undefined` removes a property that has its default. */
export function changedValues(
  instance: TreeInstance,
  desired: DesiredInstance,
  rules: ValueRules,
): ReadonlyMap<string, Variant | undefined> {
  const { className } = instance;
  const { reflection } = rules;
  const changed = new Map<string, Variant | undefined>();
  const current = readFileProperties(reflection, className, instance.properties);
  for (const name of new Set([...desired.properties.keys(), ...current.keys()])) {
    if (unwrittenProperties.has(name) || rules.excludes(className, name)) continue;
    const now = current.get(name);
    const given = desired.properties.get(name);
    const known = reflection.defaultOf(className, name);
    const wanted = given === undefined ? (now?.type === 'Ref' ? emptyReference : known) : translated(given, rules);
    if (wanted === undefined || wanted.type === 'UniqueId' || isObject(wanted)) continue;
    if (wanted.type === 'Ref' || now?.type === 'Ref') {
      const [from, to] = [refOf(now), refOf(wanted)];
      if (from !== to) changed.set(name, to === NULL_REF ? undefined : wanted);
      continue;
    }
    const before = now ?? known ?? (isZeroValue(wanted) ? wanted : undefined);
    if (before !== undefined && isSame(reflection, className, name, before, wanted)) continue;
    const isDefault = known !== undefined && areVariantsIdentical(known, wanted);
    changed.set(name, isDefault && isSetOnce(instance, name) ? undefined : wanted);
  }
  // A property that replaces a deprecated or derived one also replaces it in the file.
  for (const name of instance.properties.keys())
    if (!current.has(name) && newNames(reflection, className, name).some(newer => changed.has(newer)))
      changed.set(name, undefined);
  return changed;
}

/** The value of a reference that files do not set. */
const emptyReference: Variant = { type: 'Ref', value: NULL_REF };

const newNames = (reflection: Reflection, className: string, name: string): readonly string[] => {
  const property = reflection.property(className, name);
  if (property?.serialization.kind === 'migrates') return property.serialization.to;
  const derived = property && derivedProperty(reflection, className, property.canonicalName);
  return derived === undefined ? [] : [derived.stored];
};

const refOf = (value: Variant | undefined): string => (value?.type === 'Ref' ? value.value : NULL_REF);
const isObject = (value: Variant): boolean => value.type === 'Content' && value.value.kind === 'object';

function translated(value: Variant, { idOf }: ValueRules): Variant | undefined {
  if (value.type !== 'Ref' || value.value === NULL_REF) return value;
  const id = idOf(value.value);
  // The ids of new instances are referents of the place until files exist.
  return id === undefined ? undefined : { type: 'Ref', value: id as typeof value.value };
}

/** Whether a value is a zero value, which binary files contain for an instance when another instance of the class sets the property. */
export const isZeroValue = ({ value }: Variant): boolean =>
  value === '' || value === 0 || value === 0n || value === false || value === null || value === 'Default';

/** Whether one object sets the property, so that removing it there restores the default. */
function isSetOnce({ location, modelPlace }: TreeInstance, name: string): boolean {
  if (name === 'RunContext') return false;
  const setting = location.values.filter(values => setsProperty(values, name)).length;
  return setting === 1 || (setting === 0 && modelPlace !== undefined);
}

function isSame(reflection: Reflection, className: string, name: string, a: Variant, b: Variant): boolean {
  if (name === 'Source' && isScriptClass(className)) return areTextsEqual(a.value, b.value);
  if (className === 'LocalizationTable' && name === 'Contents') return contentsOf(a) === contentsOf(b);
  if (a.type === 'Attributes' && b.type === 'Attributes')
    return areVariantsIdentical(onlyGameAttributes(a), onlyGameAttributes(b));
  // For undeclared properties, files do not distinguish bytes from text, or numbers from colors.
  if (reflection.property(className, name) === undefined) return areVariantsIdentical(a, convertVariant(b, a.type));
  return areVariantsIdentical(a, b) || areOneStoredColor(reflection, className, name, a, b);
}

/** Compares only the parts of a table that its CSV file can store. */
function contentsOf({ value }: Variant): unknown {
  const csv = typeof value === 'string' ? csvOfContents(value === '' ? '[]' : value, '\n') : undefined;
  const contents = csv?.ok ? contentsOfCsv(csv.value) : undefined;
  return contents?.ok ? contents.value : value;
}
