import type { Ref } from '../../base/brand.ts';
import { type PausableWork, runInSlices, type TimeSlice } from '../../base/time-slice.ts';
import { InvalidItem, OversizedMessage, readTree } from '../../protocol/studio/read-items.ts';
import { AddedInstance } from '../../protocol/studio/requests.ts';
import type { Instance } from '../../roblox/instances/instance.ts';
import { parseRef } from '../../roblox/values/ref.ts';
import type { ProjectSession } from '../../project/project-session.ts';
import { pathOf, shortName, type WriteContext, type WriteOutcome } from './write-context.ts';
import { applyPull } from './write-items.ts';
import { journalItem } from './write-journal.ts';
import { addedToStudioInstance, omittedProperties, readValues, onlyChanged } from './written-instance.ts';

export interface Additions {
  readonly outcomes: readonly WriteOutcome[];
  /** Maps the ids that the plugin invented to ids of the tree. */
  readonly created: ReadonlyMap<string, Ref>;
}

/**
 * Creates files for instances that exist only in Studio. An added instance without new values is treated as the existing child with the same
 * name: in a project of scripts the plugin does not know the containers on disk.
 */
export async function applyAdditions(
  added: Readonly<Record<string, unknown>>,
  context: WriteContext,
  slice: TimeSlice,
): Promise<Additions> {
  const outcomes: WriteOutcome[] = [];
  const created = new Map<string, Ref>();
  const pending = new Map<string, AddedInstance>();
  for (const [key, raw] of Object.entries(added)) {
    const read = await readAdded(key, raw, slice);
    if (read === undefined) outcomes.push({ what: shortName(key), outcome: 'failed', reason: 'invalid instance' });
    else pending.set(key, read);
    await slice.yieldToEventLoop();
  }
  for (const [key, one] of await runInSlices(parentsFirst(pending), slice)) {
    const parent = one.parent === undefined ? undefined : (created.get(one.parent) ?? parseRef(one.parent));
    const done = await applyAddition(key, one, parent, context, slice);
    outcomes.push(...done.outcomes);
    if (done.id !== undefined) created.set(key, done.id);
    await slice.yieldToEventLoop();
  }
  return { outcomes, created };
}

async function readAdded(key: string, raw: unknown, slice: TimeSlice): Promise<AddedInstance | undefined> {
  try {
    return await runInSlices(readTree(AddedInstance, raw, key), slice);
  } catch (error) {
    if (error instanceof InvalidItem || error instanceof OversizedMessage) return undefined;
    throw error;
  }
}

/** A parent can come after its children in the request. Those whose parents form a circle come last. */
function* parentsFirst(added: ReadonlyMap<string, AddedInstance>): PausableWork<ReadonlyMap<string, AddedInstance>> {
  const below = new Map<string, (readonly [string, AddedInstance])[]>();
  const ordered = new Map<string, AddedInstance>();
  for (const [key, one] of added) {
    const { parent } = one;
    if (parent === undefined || !added.has(parent)) ordered.set(key, one);
    else {
      const siblings = below.get(parent) ?? [];
      siblings.push([key, one]);
      below.set(parent, siblings);
    }
    yield;
  }
  // The iteration includes what is added during it.
  for (const [key] of ordered) {
    for (const [child, one] of below.get(key) ?? []) ordered.set(child, one);
    yield;
  }
  for (const [key, one] of added) ordered.set(key, one);
  return ordered;
}

interface AdditionResult {
  readonly outcomes: readonly WriteOutcome[];
  readonly id: Ref | undefined;
}

async function applyAddition(
  key: string,
  added: AddedInstance,
  parentId: Ref | undefined,
  context: WriteContext,
  slice: TimeSlice,
): Promise<AdditionResult> {
  const { session } = context;
  const parent = parentId === undefined ? undefined : session.get(parentId);
  if (parent === undefined) return failed(shortName(added.name), 'its parent is not in the project');
  const what = `${pathOf(session, parent.id)}/${shortName(added.name)}`;
  const sameName = childrenNamed(session, parent, added.name);
  const [existing] = sameName;
  if (sameName.length > 1) return failed(what, 'its parent has several children with that name on disk');
  if (existing === undefined) return create(key, added, parent, context, slice);
  if (existing.className !== added.className)
    return failed(what, `its parent has a ${existing.className} with that name on disk`);
  return merge(existing, added, context, slice);
}

const failed = (what: string, reason: string): AdditionResult => ({
  outcomes: [{ what, outcome: 'failed', reason }],
  id: undefined,
});

const childrenNamed = (session: ProjectSession, parent: Instance, name: string): readonly Instance[] =>
  parent.children.map(id => session.get(id)).filter(child => child !== undefined && child.name === name) as Instance[];

/** Handles a name that exists on disk: the same instance again, or a different one, whose files must not be overwritten. */
async function merge(
  existing: Instance,
  added: AddedInstance,
  context: WriteContext,
  slice: TimeSlice,
): Promise<AdditionResult> {
  const what = pathOf(context.session, existing.id);
  const written = readValues(added.className, added.properties);
  if (!written.ok) return failed(what, written.error);
  const { values } = onlyChanged(existing, written.value, context.reflection);
  if (values.size > 0) {
    const studio = await runInSlices(addedToStudioInstance(existing.id, added), slice);
    const item = journalItem(existing.id, what, 'Remove', context.session.fsPathOf(existing.id), added.className, null);
    await context.writeJournal.recordRefused({ ...item, studio: studio.ok ? studio.value : null });
    const reason =
      'its parent has another instance with that name on disk; rename one of them, or compare them with a sync';
    return { outcomes: [{ what, outcome: 'conflict', reason }], id: existing.id };
  }
  const outcomes: WriteOutcome[] = [{ what, outcome: 'same' }];
  for (const child of added.children)
    outcomes.push(...(await applyAddition('', child, existing.id, context, slice)).outcomes);
  return { outcomes, id: existing.id };
}

async function create(
  key: string,
  added: AddedInstance,
  parent: Instance,
  context: WriteContext,
  slice: TimeSlice,
): Promise<AdditionResult> {
  const { session, feed, group, log } = context;
  const what = `${pathOf(session, parent.id)}/${shortName(added.name)}`;
  const read = await runInSlices(addedToStudioInstance(key, added), slice);
  if (!read.ok) return failed(what, read.error);
  const studio = read.value;
  const item = journalItem(key, what, 'Remove', null, added.className, studio);
  const isAdded = (one: Instance): boolean =>
    one.parent === parent.id && one.name === added.name && one.className === added.className;
  // A plugin that gets the instance under the id of the tree creates a duplicate. Only in a project of scripts does it look for an existing
  // one first.
  using _ = session.info.syncScriptsOnly ? undefined : feed.assumeNew(group, isAdded);
  const done = await applyPull({ kind: 'create', parentId: parent.id, studio }, item, context);
  const missing = done.outcome === 'written' ? await runInSlices(omittedProperties(added), slice) : [];
  if (missing.length > 0)
    log.warn('the plugin did not send all properties, so the files lack some', { what, missing: missing.join(', ') });
  const now = session.get(parent.id);
  const made = now === undefined ? undefined : childrenNamed(session, now, added.name).find(isAdded);
  if (done.outcome === 'written' && made === undefined)
    return failed(what, 'its files were written, but the project does not include them');
  return { outcomes: [{ what, ...done }], id: made?.id };
}
