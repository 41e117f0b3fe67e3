import { reasonText } from '../../protocol/reason.ts';
import { areTextsEqual } from '../../base/line-ends.ts';
import type { ProjectPath, Ref } from '../../base/brand.ts';
import { AppError } from '../../base/errors.ts';
import { DisposableStore } from '../../base/disposable-store.ts';
import type { JournalItem } from '../../protocol/journal/journal-record.ts';
import { WrittenUpdate } from '../../protocol/studio/requests.ts';
import type { Instance } from '../../roblox/instances/instance.ts';
import { parseRef } from '../../roblox/values/ref.ts';
import type { FileEdit } from '../../ports/file-system.ts';
import type { PullRequest } from '../../project/project-session.ts';
import { writeEdits } from '../../project/writeback/write-edits.ts';
import { pathOf, shortName, type WriteContext, type WriteOutcome } from './write-context.ts';
import { journalItem } from './write-journal.ts';
import { readValues, toStudioInstance, onlyChanged, type WrittenValues } from './written-instance.ts';

const UNSEEN = 'its file changed on disk before Studio received the change; compare both sides with a sync';

export const EDITED_ON_BOTH_SIDES = 'it changed on disk and in Studio';

/** Deletes the files of an instance that was removed in Studio. */
export async function applyRemoval(raw: unknown, context: WriteContext): Promise<WriteOutcome> {
  const { session, feed, group } = context;
  const id = typeof raw === 'string' ? parseRef(raw) : undefined;
  const instance = id === undefined ? undefined : session.get(id);
  if (id === undefined || instance === undefined)
    return { what: shortName(raw), outcome: 'same', reason: 'it is not in the project' };
  const what = pathOf(session, id);
  const below = Array.from(session.descendants(id));
  // Rojo's server ignores removals, so its users do not expect files to be deleted.
  if (group === 'rojo')
    return { what, outcome: 'skipped', reason: 'it was removed in Studio; delete its file to match' };
  const item = journalItem(id, what, 'Add', session.fsPathOf(id), instance.className, null);
  if (below.some(one => feed.isUnseen(group, one.id))) return { what, outcome: 'conflict', reason: UNSEEN };
  using assumed = new DisposableStore();
  for (const one of below) assumed.add(feed.assume(group, one.id, undefined));
  return { what, ...(await applyPull({ kind: 'delete', id }, item, context)) };
}

/** Writes new property values of one instance to its files. */
export async function applyUpdate(raw: unknown, context: WriteContext): Promise<WriteOutcome> {
  const { session } = context;
  const parsed = WrittenUpdate.safeParse(raw);
  if (!parsed.success) return { what: 'an update', outcome: 'failed', reason: 'invalid update' };
  const { changedName, changedClassName, changedProperties } = parsed.data;
  const id = parseRef(parsed.data.id);
  const instance = id === undefined ? undefined : session.get(id);
  if (instance === undefined)
    return { what: shortName(parsed.data.id), outcome: 'failed', reason: 'it is no longer in the project' };
  const what = pathOf(session, instance.id);
  const skipped = (reason: string): WriteOutcome => ({ what, outcome: 'skipped', reason });
  const written = readValues(instance.className, writableProperties(changedProperties, context));
  if (!written.ok) return { what, outcome: 'failed', reason: written.error };
  const done = await editInstance(instance, written.value, context);
  if (done.outcome === 'failed' || done.outcome === 'conflict') return done;
  if (typeof changedName === 'string' && changedName !== instance.name)
    return skipped(`it was renamed to ${JSON.stringify(shortName(changedName))} in Studio; rename its file to match`);
  if (typeof changedClassName === 'string' && changedClassName !== instance.className)
    return skipped(`its class changed to ${shortName(changedClassName)} in Studio; change its file to match`);
  return done;
}

/** Selects the properties to write. Rojo's plugin posts every changed property, but Rojo's server writes only Source. */
function writableProperties(properties: Record<string, unknown>, { group }: WriteContext): Record<string, unknown> {
  if (group !== 'rojo') return properties;
  return 'Source' in properties ? { Source: properties['Source'] } : {};
}

/** Writes changed values of an existing instance to its files. */
async function editInstance(instance: Instance, all: WrittenValues, context: WriteContext): Promise<WriteOutcome> {
  const { session, feed, group, reflection } = context;
  const { id } = instance;
  const what = pathOf(session, id);
  const written = onlyChanged(instance, all, reflection);
  if (written.values.size === 0) return { what, outcome: 'same' };
  const studio = toStudioInstance(instance, written);
  const item = journalItem(id, what, 'Edit', session.fsPathOf(id), instance.className, studio);
  if (
    context.isBasedOnCurrent === undefined
      ? feed.isUnseen(group, id, written.source)
      : !context.isBasedOnCurrent(instance)
  ) {
    await context.writeJournal.recordRefused(item);
    return {
      what,
      outcome: 'conflict',
      reason: context.isBasedOnCurrent === undefined ? UNSEEN : EDITED_ON_BOTH_SIDES,
    };
  }
  const asInStudio: Instance = { ...instance, properties: new Map([...instance.properties, ...written.values]) };
  using _ = feed.assume(group, id, asInStudio);
  const done = await applyPull({ kind: 'edit', id, studio }, item, context);
  // A later edit on disk is not a conflict: like any other, it is sent to Studio next.
  if (done.outcome !== 'written' || done.isOverwritten === true) return { what, ...done };
  const now = session.get(id)?.properties.get('Source');
  const isConfirmed =
    written.source === undefined || (now?.type === 'String' && areTextsEqual(now.value, written.source));
  if (isConfirmed) return { what, ...done };
  return {
    what,
    outcome: 'failed',
    reason: 'the file was written, but the project reads a different text from it than Studio has',
  };
}

/** Plans the edit, records the files that it replaces, writes, and refreshes. Reports problems with files as an outcome. */
export async function applyPull(
  request: PullRequest,
  item: Omit<JournalItem, 'files' | 'choice'>,
  context: WriteContext,
): Promise<Omit<WriteOutcome, 'what'>> {
  const { session, files, writeJournal: kept, signal } = context;
  try {
    const plan = await session.planPull(request, signal);
    if (!plan.ok) {
      if (item.studio !== null) await kept.recordRefused(item);
      return { outcome: 'failed', reason: reasonText(plan.reason) };
    }
    await kept.recordFiles(item, plan.edits);
    const { done, overwritten, problem } = await writeEdits(plan.edits, files);
    await session.refresh(signal, done.length === 0 ? pathsToRefresh(request, context) : done);
    if (problem === undefined)
      return { outcome: 'written', isOverwritten: overwritten.length > 0 || !(await isAsWritten(plan.edits, context)) };
    if (item.studio !== null) await kept.recordRefused(item);
    return { outcome: 'failed', reason: problem };
  } catch (error) {
    signal.throwIfAborted();
    return { outcome: 'failed', reason: AppError.from(error).message };
  }
}

/** Whether the written files still have the bytes of the plan. */
async function isAsWritten(edits: readonly FileEdit[], { files, hasher }: WriteContext): Promise<boolean> {
  for (const edit of edits) {
    if (edit.kind !== 'write') continue;
    const stat = await files.stat(edit.path);
    if (stat?.kind !== 'file' || hasher.gitBlob(await files.read(edit.path)) !== hasher.gitBlob(edit.bytes))
      return false;
  }
  return true;
}

/** Nothing was written, so disk may differ from the tree: refresh the paths of the instance. */
function pathsToRefresh(request: PullRequest, { session }: WriteContext): readonly ProjectPath[] {
  const id: Ref = request.kind === 'create' ? request.parentId : request.id;
  return session.get(id)?.metadata.relevantPaths ?? [];
}
