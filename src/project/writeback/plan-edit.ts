import { reasonOf } from '../../protocol/reason.ts';
import { areTextsEqual } from '../../base/line-ends.ts';
import { NULL_REF } from '../../roblox/values/ref.ts';
import { propertiesEqual, areVariantsIdentical } from '../../roblox/instances/equality.ts';
import type { Reflection } from '../../roblox/instances/reflection.ts';
import type { Variant } from '../../roblox/values/variant.ts';
import { compareByteOrder } from '../../base/byte-order.ts';
import { onlyGameAttributes } from '../tree/game-attributes.ts';
import type { TreeInstance } from '../tree/project-tree.ts';
import { convertToFolder } from './convert-to-folder.ts';
import { propertiesLocationFor, sourceLocationOf, setsProperty, otherInstanceSharing } from './source-locations.ts';
import type { Planning } from './planning.ts';
import { removeProperty, setProperty } from './property-edits.ts';
import { CannotWriteError } from './cannot-write-error.ts';

/** Plans changed properties of an instance that exists on both sides. `undefined` removes the property from the files. */
export async function planEdit(
  planning: Planning,
  instance: TreeInstance,
  values: ReadonlyMap<string, Variant | undefined>,
): Promise<void> {
  let differs = 0;
  // Sorted by name, so that files do not depend on the order in Studio.
  for (const [name, value] of Array.from(values).toSorted(([a], [b]) => compareByteOrder(a, b))) {
    const current = instance.properties.get(name);
    if (isSame(name, current, value)) continue;
    differs += 1;
    if (value?.type === 'Ref' || (value === undefined && current?.type === 'Ref'))
      planning.references.push({
        pull: planning.pull,
        owner: instance.id,
        className: instance.className,
        property: name,
        target: value?.value ?? NULL_REF,
      });
    else if (value?.type === 'Content' && value.value.kind === 'object')
      throw new CannotWriteError(reasonOf('refers_to_studio', instance.className, name));
    else await planProperty(planning, instance, name, value);
  }
  if (differs === 0) throw new CannotWriteError(reasonOf('nothing_differs'));
}

/** Compares exactly: the caller has already ignored rounding. */
function isSame(name: string, current: Variant | undefined, value: Variant | undefined): boolean {
  return isSameBy(areVariantsIdentical, name, current, value);
}

/** Whether a value from Studio equals the value in files except for rounding. */
export const isCloseToFiles = (
  reflection: Reflection,
  className: string,
  name: string,
  current: Variant | undefined,
  value: Variant | undefined,
): boolean => isSameBy((a, b) => propertiesEqual(reflection, className, name, a, b), name, current, value);

function isSameBy(
  same: (a: Variant, b: Variant) => boolean,
  name: string,
  current: Variant | undefined,
  value: Variant | undefined,
): boolean {
  if (current === undefined || value === undefined)
    return current === value || (value?.type === 'Ref' && value.value === NULL_REF);
  return name === 'Source'
    ? areTextsEqual(current.value, value.value)
    : same(onlyGameAttributes(current), onlyGameAttributes(value));
}

async function planProperty(
  planning: Planning,
  instance: TreeInstance,
  name: string,
  value: Variant | undefined,
): Promise<void> {
  const { className } = instance;
  const location = sourceLocationOf(planning, instance);
  const { text } = location;
  if (text?.format.property === name) {
    const { value: given } = value ?? { value: '' };
    if (typeof given !== 'string') throw new CannotWriteError(reasonOf('not_a_string', className, name));
    const written = text.format.write(given, await planning.drafts.text(text.path));
    if (!written.ok) throw new CannotWriteError(reasonOf('text_unwritable', className, name, text.path, written.error));
    return planning.drafts.setText(text.path, written.value);
  }
  if (name === 'Source' && location.fileKind?.content === 'data')
    throw new CannotWriteError(reasonOf('source_generated', location.entry ?? 'a data file'));
  const isInModel = instance.modelPlace !== undefined && !location.values.some(values => setsProperty(values, name));
  if (isInModel) return planning.models.setProperty(instance, name, value);
  return writeValue(planning, instance, name, value);
}

async function writeValue(
  planning: Planning,
  instance: TreeInstance,
  name: string,
  value: Variant | undefined,
): Promise<void> {
  const { className } = instance;
  const { context } = planning;
  const wanted = propertiesLocationFor(sourceLocationOf(planning, instance), name);
  if (wanted === undefined) throw new CannotWriteError(reasonOf('not_storable', className, name));
  if (value === undefined && !setsProperty(wanted, name)) return;
  // Two scripts with the same name may share a meta file. As a folder, each script has a separate one.
  const isShared =
    otherInstanceSharing(context.tree, instance, wanted) !== undefined && !planning.converted.has(instance.id);
  if (isShared) await convertToFolder(planning, instance);
  const target = isShared ? propertiesLocationFor(sourceLocationOf(planning, instance), name) : wanted;
  if (target === undefined) throw new CannotWriteError(reasonOf('not_storable', className, name));
  if (value !== undefined) return setProperty(planning, target, className, name, value);
  await removeProperty(planning, target, name);
  if (target.kind !== 'meta' || (await planning.drafts.jsonKeysAt(target.file, []))?.length !== 0) return;
  // A file with comments stays.
  const left = (await planning.drafts.text(target.file)).trim();
  if (/^\{\s*\}$/.test(left)) planning.drafts.remove(target.file);
}
