import { sourceHash } from '../../roblox/instances/script-source.ts';
import { areTextsEqual } from '../../base/line-ends.ts';
import type { Hasher } from '../../ports/hasher.ts';
import { reasonOf } from '../../protocol/reason.ts';
import type { LiveEdited } from '../../protocol/studio/live.ts';
import { propertiesEqual, areVariantsEqual } from '../../roblox/instances/equality.ts';
import type { Instance } from '../../roblox/instances/instance.ts';
import type { Reflection } from '../../roblox/instances/reflection.ts';
import { parseRef } from '../../roblox/values/ref.ts';
import { variantFromWire } from '../../roblox/values/variant-wire.ts';
import type { ServedProject } from '../served-project.ts';
import type { WriteOutcome } from '../write/write-context.ts';
import type { LiveBase } from './live-base.ts';
import type { WrittenEdits } from './written-edits.ts';

export interface WriteLiveEditDeps {
  readonly served: Pick<ServedProject, 'session' | 'writer'>;
  readonly hasher: Hasher;
  readonly reflection: Reflection;
  readonly written: WrittenEdits;
  readonly base?: LiveBase | undefined;
}

/**
 * Writes one edit from Studio to its files if disk still has the base of the edit, or its result. A resent edit that was already written does
 * not overwrite later changes.
 */
export async function writeLiveEdit(
  edit: LiveEdited,
  { served, hasher, reflection, written, base }: WriteLiveEditDeps,
  signal: AbortSignal,
): Promise<WriteOutcome> {
  const { session, writer } = served;
  const id = parseRef(edit.id);
  // Refresh first, so that a file saved a moment ago is taken into account.
  const known = id === undefined ? undefined : session.get(id);
  if (known !== undefined) await session.refresh(signal, known.metadata.relevantPaths);
  const instance = id === undefined ? undefined : session.get(id);
  if (instance === undefined) return { what: edit.id, outcome: 'conflict', reason: reasonOf('not_in_project') };
  if (!isBasedOn(edit, instance, hasher))
    return written.has(edit)
      ? { what: instance.name, outcome: 'same' }
      : { what: instance.name, outcome: 'conflict', reason: reasonOf('changed_on_both_sides') };
  const source = edit.source === undefined ? {} : { Source: { String: edit.source } };
  const updated = [{ id: instance.id, changedProperties: { ...edit.properties, ...source } }];
  const restoreBase = await base?.beforeChange([{ id: instance.id, names: namesOf(edit) }]);
  const request = { sessionId: '', removed: [], updated, added: {}, stageIds: [] };
  const [outcome = { what: instance.name, outcome: 'same' } as const] = await writer.write(
    request,
    'own',
    // Checked again right before the write, because another Studio's edit may have been written since.
    { stages: false, isBasedOnCurrent: now => isBasedOn(edit, now, hasher) },
    signal,
  );
  if (outcome.outcome === 'written' || outcome.outcome === 'same') {
    written.add(edit);
    const now = session.get(instance.id);
    // Another program may have changed the file since.
    if (now !== undefined)
      base?.learn([{ instance: now, names: namesOf(edit).filter(isOnDisk(edit, now, reflection)) }]);
  } else if (session.get(instance.id) === instance) restoreBase?.();
  return outcome;
}

const namesOf = (edit: LiveEdited): readonly string[] => [
  ...(edit.source === undefined ? [] : ['Source']),
  ...Object.keys(edit.properties),
];

/** Whether the tree has a value of the edit. */
const isOnDisk =
  (edit: LiveEdited, { className, properties }: Instance, reflection: Reflection) =>
  (name: string): boolean => {
    const disk = properties.get(name);
    if (disk === undefined) return false;
    if (name === 'Source' && edit.source !== undefined)
      return disk.type === 'String' && areTextsEqual(disk.value, edit.source);
    const value = variantFromWire(edit.properties[name]);
    return value.ok && propertiesEqual(reflection, className, name, disk, value.value);
  };

function isBasedOn(edit: LiveEdited, instance: Instance, hasher: Hasher): boolean {
  const { properties } = instance;
  const source = properties.get('Source');
  if (edit.source !== undefined && source?.type === 'String' && !areTextsEqual(source.value, edit.source)) {
    if (sourceHash(source.value, hasher) !== edit.baseHash) return false;
  }
  return Object.entries(edit.properties).every(([name, wire]) => {
    const now = properties.get(name);
    const wanted = variantFromWire(wire);
    if (now === undefined || (wanted.ok && areVariantsEqual(wanted.value, now))) return true;
    const before = variantFromWire(edit.base[name]);
    return before.ok && areVariantsEqual(before.value, now);
  });
}
