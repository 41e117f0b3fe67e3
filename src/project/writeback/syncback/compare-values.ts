import { areOneStoredColor, variantsIdentical } from '../../../roblox/instances/equality.ts';
import { isScriptClass } from '../../../roblox/instances/instance.ts';
import { NULL_REF } from '../../../roblox/values/ref.ts';
import type { Reflection } from '../../../roblox/instances/reflection.ts';
import type { Variant } from '../../../roblox/values/variant.ts';
import { readFileProperties } from '../../../roblox/formats/file-properties.ts';
import { convertVariant } from '../../../roblox/formats/value-conversion.ts';
import { withoutReferenceAttributes } from '../../tree/resolve-references.ts';
import { contentsOfCsv, csvOfContents } from '../../file-kinds/localization.ts';
import type { TreeInstance } from '../../tree/project-tree.ts';
import type { Desired } from '../desired.ts';
import { unwrittenProperties } from '../unwritten-properties.ts';
import { setsProperty } from '../source-locations.ts';

export interface ValueRules {
  readonly reflection: Reflection;
  readonly hides: (className: string, name: string) => boolean;
  /** The id of the tree for one of the place; `undefined` for what the project does not have and will not get. */
  readonly idOf: (referent: string) => string | undefined;
}

/** What files have to say anew so that an instance is as in the place; `undefined`: nothing any more, which means the default. */
export function changedValues(
  instance: TreeInstance,
  desired: Desired,
  rules: ValueRules,
): ReadonlyMap<string, Variant | undefined> {
  const { className } = instance;
  const { reflection } = rules;
  const changed = new Map<string, Variant | undefined>();
  const current = readFileProperties(reflection, className, instance.properties);
  for (const name of new Set([...desired.properties.keys(), ...current.keys()])) {
    if (unwrittenProperties.has(name) || rules.hides(className, name)) continue;
    const now = current.get(name);
    const given = desired.properties.get(name);
    const known = reflection.defaultOf(className, name);
    const wanted = given === undefined ? (now?.type === 'Ref' ? nowhere : known) : translated(given, rules);
    if (wanted === undefined || wanted.type === 'UniqueId' || isObject(wanted)) continue;
    if (wanted.type === 'Ref' || now?.type === 'Ref') {
      const [from, to] = [refOf(now), refOf(wanted)];
      if (from !== to) changed.set(name, to === NULL_REF ? undefined : wanted);
      continue;
    }
    const before = now ?? known ?? (isBlank(wanted) ? wanted : undefined);
    if (before !== undefined && isSame(reflection, className, name, before, wanted)) continue;
    const isDefault = known !== undefined && variantsIdentical(known, wanted);
    changed.set(name, isDefault && isSaidOnce(instance, name) ? undefined : wanted);
  }
  // What replaced an old property takes its place in the file too.
  for (const name of instance.properties.keys())
    if (!current.has(name) && newNames(reflection, className, name).some(newer => changed.has(newer)))
      changed.set(name, undefined);
  return changed;
}

/** What a file means that says nothing of a reference. */
const nowhere: Variant = { type: 'Ref', value: NULL_REF };

const newNames = (reflection: Reflection, className: string, name: string): readonly string[] => {
  const how = reflection.property(className, name)?.serialization;
  return how?.kind === 'migrates' ? how.to : [];
};

const refOf = (value: Variant | undefined): string => (value?.type === 'Ref' ? value.value : NULL_REF);
const isObject = (value: Variant): boolean => value.type === 'Content' && value.value.kind === 'object';

function translated(value: Variant, { idOf }: ValueRules): Variant | undefined {
  if (value.type !== 'Ref' || value.value === NULL_REF) return value;
  const id = idOf(value.value);
  // Ids of new instances are referents of the place until there are files.
  return id === undefined ? undefined : { type: 'Ref', value: id as typeof value.value };
}

/** What a binary file says of an instance only because it says it of another one of the class. */
export const isBlank = ({ value }: Variant): boolean =>
  value === '' || value === 0 || value === 0n || value === false || value === null || value === 'Default';

/** Whether taking the property out of the one object that sets it leaves the default: the kind of file says nothing of it. */
function isSaidOnce({ location, modelPlace }: TreeInstance, name: string): boolean {
  if (name === 'RunContext') return false;
  const setting = location.values.filter(values => setsProperty(values, name)).length;
  return setting === 1 || (setting === 0 && modelPlace !== undefined);
}

function isSame(reflection: Reflection, className: string, name: string, a: Variant, b: Variant): boolean {
  if (name === 'Source' && isScriptClass(className)) return textOf(a) === textOf(b);
  if (className === 'LocalizationTable' && name === 'Contents') return contentsOf(a) === contentsOf(b);
  if (a.type === 'Attributes' && b.type === 'Attributes') return variantsIdentical(visible(a), visible(b));
  // Of what Roblox does not declare, files do not say whether its bytes are text, or its number a colour.
  if (reflection.property(className, name) === undefined) return variantsIdentical(a, convertVariant(b, a.type));
  return variantsIdentical(a, b) || areOneStoredColor(reflection, className, name, a, b);
}

const textOf = ({ value }: Variant): unknown => (typeof value === 'string' ? value.replaceAll('\r\n', '\n') : value);

/** Of a table only what its file can hold counts. */
function contentsOf({ value }: Variant): unknown {
  const csv = typeof value === 'string' ? csvOfContents(value === '' ? '[]' : value, '\n') : undefined;
  const contents = csv?.ok ? contentsOfCsv(csv.value) : undefined;
  return contents?.ok ? contents.value : value;
}

function visible(value: Variant): Variant {
  const shown = withoutReferenceAttributes(value);
  if (shown.type !== 'Attributes') return shown;
  return { ...shown, value: new Map(Array.from(shown.value).filter(([name]) => !name.startsWith('RBX'))) };
}
