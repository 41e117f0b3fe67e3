import { namedPath } from '../../protocol/path-name.ts';
import { instancePath } from '../../project/tree/instance-path.ts';
import { areTextsEqual } from '../../base/line-ends.ts';
import type { TimeSlice } from '../../base/time-slice.ts';
import { type Reason, reasonOf } from '../../protocol/reason.ts';
import { WrittenUpdate } from '../../protocol/studio/requests.ts';
import type { Instance } from '../../roblox/instances/instance.ts';
import { parseRef } from '../../roblox/values/ref.ts';
import { PullWriter, type WrittenPull } from './pull-writer.ts';
import { shortName, type WriteContext, type WriteOutcome } from './write-context.ts';
import { journalItem } from './write-journal.ts';
import { selectChanged, parseWrittenValues, toStudioInstance, type WrittenValues } from './written-instance.ts';

/** A valid update, by its position in the request. */
interface Update {
  readonly index: number;
  readonly update: WrittenUpdate;
}

/** An update whose files change. */
interface WritableUpdate {
  readonly pull: WrittenPull;
  readonly instance: Instance;
}

/**
 * Writes new property values of instances to their files. Updates of different instances are planned and written together; a second update
 * of one instance follows in the next round, because it is compared with the first one.
 */
export async function applyUpdates(
  updated: readonly unknown[],
  context: WriteContext,
  slice: TimeSlice,
): Promise<readonly WriteOutcome[]> {
  const outcomes: WriteOutcome[] = [];
  const writer = new PullWriter(context, slice);
  let open = await readUpdates(updated, outcomes, slice);
  while (open.length > 0) {
    const chosen: (readonly [Update, WritableUpdate])[] = [];
    const rest: Update[][] = [];
    for (const updates of open) {
      // Those that change nothing need no plan, so that the next one of the instance is in the same round.
      for (let next = updates.pop(); next !== undefined; next = updates.pop()) {
        await slice.yieldToEventLoop();
        const prepared = prepareUpdate(next.update, context, writer);
        if ('outcome' in prepared) {
          outcomes[next.index] = withUnsupported(prepared, next.update, context);
          continue;
        }
        chosen.push([next, prepared]);
        break;
      }
      if (updates.length > 0) rest.push(updates);
    }
    const results = await writer.write(chosen.map(([, { pull }]) => pull));
    for (const [{ index, update }, { pull, instance }] of chosen) {
      await slice.yieldToEventLoop();
      const result = results.get(pull) ?? { outcome: 'failed', reason: reasonOf('not_planned') };
      outcomes[index] = withUnsupported({ what: pull.item.path, ...result }, update, context, instance);
    }
    open = rest;
  }
  await writer.recordRefused();
  return outcomes;
}

/** Parses updates, by instance. The lists have the last update of an instance first. */
async function readUpdates(
  updated: readonly unknown[],
  outcomes: WriteOutcome[],
  slice: TimeSlice,
): Promise<readonly Update[][]> {
  const byId = new Map<string, Update[]>();
  for (const [index, raw] of updated.entries()) {
    await slice.yieldToEventLoop();
    const parsed = WrittenUpdate.safeParse(raw);
    if (!parsed.success) {
      outcomes[index] = { what: 'an update', outcome: 'failed', reason: reasonOf('update_invalid') };
      continue;
    }
    const key = parseRef(parsed.data.id) ?? parsed.data.id;
    const known = byId.get(key);
    if (known === undefined) byId.set(key, [{ index, update: parsed.data }]);
    else known.push({ index, update: parsed.data });
  }
  return Array.from(byId.values(), updates => updates.toReversed());
}

/** Compares an update with the tree. @returns its outcome if it is not to be written */
function prepareUpdate(
  update: WrittenUpdate,
  context: WriteContext,
  writer: PullWriter,
): WriteOutcome | WritableUpdate {
  const { session, reflection } = context;
  const instance = instanceOf(update, context);
  if (instance === undefined)
    return { what: shortName(update.id), outcome: 'failed', reason: reasonOf('not_in_project') };
  const { id, className } = instance;
  const what = instancePath(session, id);
  const all = parseWrittenValues(className, writableProperties(update.changedProperties, context));
  if (!all.ok) return { what, outcome: 'failed', reason: all.error };
  const written = selectChanged(instance, all.value, reflection);
  if (written.values.size === 0) return { what, outcome: 'same' };
  const studio = toStudioInstance(instance, written);
  const item = journalItem(id, namedPath(what, instance.name), 'Edit', session.fsPathOf(id), className, studio);
  const reason = conflictOf(instance, written, context);
  if (reason !== undefined) {
    writer.refuse(item);
    return { what, outcome: 'conflict', reason };
  }
  const asInStudio: Instance = { ...instance, properties: new Map([...instance.properties, ...written.values]) };
  const pull: WrittenPull = {
    request: { kind: 'edit', id, studio },
    item,
    inStudio: [[id, asInStudio]],
    conflict() {
      const now = session.get(id) ?? instance;
      // The plan would give the file its former name again.
      if (now.name !== instance.name) return reasonOf('changed_on_both_sides');
      return conflictOf(now, written, context);
    },
    isInTree: () => hasSource(session.get(id), written.source),
  };
  return { pull, instance };
}

const instanceOf = ({ id }: WrittenUpdate, { session }: WriteContext): Instance | undefined => {
  const ref = parseRef(id);
  return ref === undefined ? undefined : session.get(ref);
};

/** Why disk has a state that Studio did not know; `undefined` if it has none. */
function conflictOf(instance: Instance, written: WrittenValues, context: WriteContext): Reason | undefined {
  const { feed, group, isBasedOnCurrent } = context;
  if (isBasedOnCurrent !== undefined) return isBasedOnCurrent(instance) ? undefined : reasonOf('changed_on_both_sides');
  return feed.isUnseen(group, instance.id, written.source) ? reasonOf('unseen_in_studio') : undefined;
}

/** Selects the properties to write. Rojo's plugin posts every changed property, but Rojo's server writes only Source. */
function writableProperties(properties: Record<string, unknown>, { group }: WriteContext): Record<string, unknown> {
  if (group !== 'rojo') return properties;
  return 'Source' in properties ? { Source: properties['Source'] } : {};
}

/** Whether a script has the text; true without one. */
function hasSource(instance: Instance | undefined, source: string | undefined): boolean {
  if (source === undefined) return true;
  const now = instance?.properties.get('Source');
  return now?.type === 'String' && areTextsEqual(now.value, source);
}

/** Reports the parts of an update that are not supported, once its properties are written. */
function withUnsupported(
  done: WriteOutcome,
  update: WrittenUpdate,
  context: WriteContext,
  instance = instanceOf(update, context),
): WriteOutcome {
  const { changedName, changedClassName } = update;
  if (done.outcome === 'failed' || done.outcome === 'conflict' || instance === undefined) return done;
  const skipped = (reason: Reason): WriteOutcome => ({ what: done.what, outcome: 'skipped', reason });
  if (typeof changedName === 'string' && changedName !== instance.name)
    return skipped(reasonOf('rename_to_match', shortName(changedName)));
  if (typeof changedClassName === 'string' && changedClassName !== instance.className)
    return skipped(reasonOf('class_to_match', shortName(changedClassName)));
  return done;
}
