import { sourceHash } from '../../roblox/instances/script-source.ts';
import { areTextsEqual } from '../../base/line-ends.ts';
import { TimeSlice } from '../../base/time-slice.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Hasher } from '../../ports/hasher.ts';
import { reasonOf } from '../../protocol/reason.ts';
import type { LiveEdited } from '../../protocol/studio/live.ts';
import { propertiesEqual } from '../../roblox/instances/equality.ts';
import type { Instance } from '../../roblox/instances/instance.ts';
import type { Reflection } from '../../roblox/instances/reflection.ts';
import type { Ref } from '../../base/brand.ts';
import { parseRef } from '../../roblox/values/ref.ts';
import { variantFromWire } from '../../roblox/values/variant-wire.ts';
import type { ServedProject } from '../served-project.ts';
import type { WriteOutcome } from '../write/write-context.ts';
import type { AgreedPart, LiveBase } from './live-base.ts';
import type { WrittenEdits } from './written-edits.ts';

export interface WriteLiveEditsDeps {
  readonly served: Pick<ServedProject, 'session' | 'writer'>;
  readonly hasher: Hasher;
  readonly clock: Clock;
  readonly reflection: Reflection;
  readonly written: WrittenEdits;
  /** Whether Studio may send edits again that were written. Otherwise an equal edit is a new one. */
  readonly mayBeResent: boolean;
  readonly base?: LiveBase | undefined;
}

/** An edit that is to be written, with its position in the message and the instance that it was compared with. */
interface Writable {
  readonly index: number;
  readonly edit: LiveEdited;
  readonly instance: Instance;
}

/**
 * Writes the edits of a message to their files, together: each one whose base disk still has, or its result. A resent edit that was already
 * written does not overwrite later changes, even if these restored its base.
 *
 * @returns the outcome of each edit, in their order
 */
export async function writeLiveEdits(
  edits: readonly LiveEdited[],
  deps: WriteLiveEditsDeps,
  signal: AbortSignal,
): Promise<readonly WriteOutcome[]> {
  const { session } = deps.served;
  // Refresh first, so that a file saved a moment ago is taken into account.
  const places = new Set(edits.flatMap(({ id }) => instanceOf(id, deps)?.metadata.relevantPaths ?? []));
  if (places.size > 0) await session.refresh(signal, Array.from(places));
  const outcomes: WriteOutcome[] = [];
  // A plugin sends one edit of an instance; a second one has the first as its base.
  for (let left = edits.map((edit, index) => ({ edit, index })); left.length > 0;) {
    const ids = new Set<string>();
    const [now, later]: [typeof left, typeof left] = [[], []];
    for (const one of left) {
      (ids.has(one.edit.id) ? later : now).push(one);
      ids.add(one.edit.id);
    }
    const writable = await compareWithDisk(now, deps, outcomes);
    if (writable.length > 0) await writeTogether(writable, deps, outcomes, signal);
    left = later;
  }
  return outcomes;
}

const instanceOf = (id: string, { served }: Pick<WriteLiveEditsDeps, 'served'>): Instance | undefined => {
  const ref = parseRef(id);
  return ref === undefined ? undefined : served.session.get(ref);
};

/** Finds the edits that can be written; sets the outcomes of the others. */
async function compareWithDisk(
  edits: readonly { readonly edit: LiveEdited; readonly index: number }[],
  deps: WriteLiveEditsDeps,
  outcomes: WriteOutcome[],
): Promise<readonly Writable[]> {
  const slice = new TimeSlice(deps.clock);
  const writable: Writable[] = [];
  for (const { edit, index } of edits) {
    await slice.yieldToEventLoop();
    const instance = instanceOf(edit.id, deps);
    if (instance === undefined)
      outcomes[index] = { what: edit.id, outcome: 'conflict', reason: reasonOf('not_in_project') };
    else {
      const outcome = outcomeWithoutWrite(edit, instance, deps);
      if (outcome === undefined) writable.push({ index, edit, instance });
      else outcomes[index] = outcome;
    }
  }
  return writable;
}

/** The outcome of an edit that is not to be written; `undefined` for one that is. */
function outcomeWithoutWrite(edit: LiveEdited, instance: Instance, deps: WriteLiveEditsDeps): WriteOutcome | undefined {
  const isWritten = deps.mayBeResent && deps.written.has(edit);
  const conflict: WriteOutcome = {
    what: instance.name,
    outcome: 'conflict',
    reason: reasonOf('changed_on_both_sides'),
  };
  // Studio gets what disk has now, unless that is the base: Studio had it when it lost the connection.
  if (!isBasedOn(edit, instance, deps)) return isWritten ? { what: instance.name, outcome: 'same' } : conflict;
  return isWritten && !hasResult(edit, instance, deps) ? conflict : undefined;
}

async function writeTogether(
  writable: readonly Writable[],
  { served: { session, writer }, hasher, reflection, written, base }: WriteLiveEditsDeps,
  outcomes: WriteOutcome[],
  signal: AbortSignal,
): Promise<void> {
  const updated = writable.map(({ edit, instance }) => {
    const source = edit.source === undefined ? {} : { Source: { String: edit.source } };
    return { id: instance.id, changedProperties: { ...edit.properties, ...source } };
  });
  const restoreBase = await base?.beforeChange(
    writable.map(({ edit, instance }) => ({ id: instance.id, names: namesOf(edit) })),
  );
  const request = { sessionId: '', removed: [], updated, added: {}, stageIds: [] };
  const editOf = new Map(writable.map(({ edit, instance }) => [instance.id, edit]));
  // Checked again right before the write, because another Studio's edit may have been written since.
  const isBasedOnCurrent = (now: Instance): boolean => {
    const edit = editOf.get(now.id);
    return edit !== undefined && isBasedOn(edit, now, { hasher, reflection });
  };
  const results = await writer.write(request, 'own', { stages: false, isBasedOnCurrent }, signal);
  const learned: AgreedPart[] = [];
  const unwritten = new Set<Ref>();
  for (const [at, { index, edit, instance }] of writable.entries()) {
    const outcome = results[at] ?? { what: instance.name, outcome: 'failed', reason: reasonOf('not_planned') };
    outcomes[index] = outcome;
    const now = session.get(instance.id);
    if (outcome.outcome === 'written' || outcome.outcome === 'same') {
      written.add(edit);
      // Another program may have changed the file since.
      if (now !== undefined) learned.push({ instance: now, names: namesOnDisk(edit, now, reflection) });
    } else if (now === instance) unwritten.add(instance.id);
  }
  // Disk still has the base of these.
  if (unwritten.size > 0) restoreBase?.(unwritten);
  base?.learn(learned);
}

const namesOf = (edit: LiveEdited): readonly string[] => [
  ...(edit.source === undefined ? [] : ['Source']),
  ...Object.keys(edit.properties),
];

/** The names of the values of an edit that the tree has. */
export const namesOnDisk = (edit: LiveEdited, now: Instance, reflection: Reflection): readonly string[] =>
  namesOf(edit).filter(isOnDisk(edit, now, reflection));

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

type CompareDeps = Pick<WriteLiveEditsDeps, 'hasher' | 'reflection'>;

/** Whether disk has each value of the edit, or its base. */
const isBasedOn = (edit: LiveEdited, instance: Instance, deps: CompareDeps): boolean =>
  hasValues(edit, instance, deps, { acceptsBase: true });

/** Whether disk has each value of the edit. */
const hasResult = (edit: LiveEdited, instance: Instance, deps: CompareDeps): boolean =>
  hasValues(edit, instance, deps, { acceptsBase: false });

function hasValues(
  edit: LiveEdited,
  { className, properties }: Instance,
  { hasher, reflection }: CompareDeps,
  { acceptsBase }: { readonly acceptsBase: boolean },
): boolean {
  const source = properties.get('Source');
  if (edit.source !== undefined && source?.type === 'String' && !areTextsEqual(source.value, edit.source)) {
    if (!acceptsBase || sourceHash(source.value, hasher) !== edit.baseHash) return false;
  }
  return Object.entries(edit.properties).every(([name, wire]) => {
    // A file omits a property that has the default. Without a known default, nothing shows that it was removed.
    const now = properties.get(name) ?? reflection.defaultOf(className, name);
    const isNow = (wireValue: unknown): boolean => {
      const value = variantFromWire(wireValue);
      return value.ok && now !== undefined && propertiesEqual(reflection, className, name, value.value, now);
    };
    return now === undefined || isNow(wire) || (acceptsBase && isNow(edit.base[name]));
  });
}
