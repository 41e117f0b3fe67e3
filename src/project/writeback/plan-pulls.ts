import { reasonOf } from '../../protocol/reason.ts';
import { sourceHash } from '../../roblox/instances/script-source.ts';
import { assertNever } from '../../base/assert-never.ts';
import type { ProjectPath } from '../../base/brand.ts';
import { folderOf, joinPath } from '../../base/project-path.ts';
import { NULL_REF } from '../../roblox/values/ref.ts';
import type { PullOutcome, PullRequest, PullsPlan } from '../project-session.ts';
import { type PausableWork, runInSlices, type TimeSlice } from '../../base/time-slice.ts';
import { type DesiredInstance, desiredFromStudio, valuesFromStudio } from './desired.ts';
import { FileNames } from './file-names.ts';
import { addFoldersOf, FileDrafts } from './file-drafts.ts';
import { ModelFiles } from './model-files.ts';
import { planBecomeScript } from './plan-become-script.ts';
import { planCreate } from './plan-create.ts';
import { planDelete } from './plan-delete.ts';
import { planMove } from './plan-move.ts';
import { planRename, planReferencesToRenamed } from './plan-rename.ts';
import { isCloseToFiles, planEdit } from './plan-edit.ts';
import { planReference, ReferenceIds } from './plan-references.ts';
import { noLimits, type PendingReference, type Planning, type WriteLimits } from './planning.ts';
import type { Pull } from './pull.ts';
import type { PullContext } from './pull-context.ts';
import { ExcludedByRule, CannotWriteError, WholeFileRefused } from './cannot-write-error.ts';

/** Plans the file edits of several pulls from Studio. A pull that cannot be written completely is refused with a reason. */
export async function planPulls(
  context: PullContext,
  requests: readonly PullRequest[],
  slice: TimeSlice,
  signal: AbortSignal,
): Promise<PullsPlan> {
  const pulls: (Pull | CannotWriteError)[] = [];
  for (const request of requests) {
    await slice.yieldToEventLoop();
    try {
      pulls.push(await runInSlices(pullOf(context, request), slice));
    } catch (error) {
      if (!(error instanceof CannotWriteError)) throw error;
      pulls.push(error);
    }
  }
  return planAll(context, pulls, noLimits, slice, signal);
}

function* pullOf(context: PullContext, request: PullRequest): PausableWork<Pull> {
  if (request.kind === 'delete' || request.kind === 'move') return request;
  const { studio } = request;
  if (request.kind === 'create')
    return { kind: 'create', parentId: request.parentId, instance: yield* desiredFromStudio(studio) };
  const instance = context.tree.get(request.id);
  if (instance && studio.className !== instance.className)
    throw new CannotWriteError(
      reasonOf('other_class', instance.className, instance.name, studio.className, studio.name),
    );
  const values = valuesFromStudio(studio.className, studio.properties);
  if (studio.source !== undefined) values.set('Source', { type: 'String', value: studio.source });
  const source = instance?.properties.get('Source');
  if (studio.source === undefined && studio.studioHash !== undefined && source?.type === 'String') {
    const hash = sourceHash(source.value, context.ports.hasher);
    if (hash !== studio.studioHash) throw new CannotWriteError(reasonOf('own_source_not_utf8'));
  }
  for (const [name, value] of values)
    if (isCloseToFiles(context.reflection, studio.className, name, instance?.properties.get(name), value))
      values.delete(name);
  // The name is not a property of the tree.
  values.delete('Name');
  return instance && studio.name !== instance.name
    ? { kind: 'rename', id: request.id, name: studio.name, values }
    : { kind: 'edit', id: request.id, values };
}

/**
 * Plans several pulls together: first edits, then removals, new instances and renames, and references last, because they depend on the
 * final locations of both ends.
 */
export async function planAll(
  context: PullContext,
  pulls: readonly (Pull | CannotWriteError)[],
  limits: WriteLimits,
  slice: TimeSlice,
  signal: AbortSignal,
): Promise<PullsPlan> {
  const refused = new Map<number, CannotWriteError>();
  for (const [index, pull] of pulls.entries()) if (pull instanceof CannotWriteError) refused.set(index, pull);
  for (;;) {
    const known = refused.size;
    const attempt = await attemptPlan(context, pulls, refused, limits, slice, signal);
    // A late refusal leaves partial edits in the plan, so the other pulls are planned again without it.
    if (refused.size === known || !attempt.hasPartialEdits) return attempt.plan();
  }
}

interface Attempt {
  readonly hasPartialEdits: boolean;
  plan(): Promise<PullsPlan>;
}

async function attemptPlan(
  context: PullContext,
  pulls: readonly (Pull | CannotWriteError)[],
  refused: Map<number, CannotWriteError>,
  limits: WriteLimits,
  slice: TimeSlice,
  signal: AbortSignal,
): Promise<Attempt> {
  const drafts = new FileDrafts(context.ports, context.index, context.fileKinds, slice);
  const planning: Planning = {
    context,
    drafts,
    names: new FileNames(context.fileKinds),
    models: new ModelFiles(context, drafts, slice),
    converted: new Map(),
    newLocations: new Map(),
    newFolders: new Map(),
    references: [],
    referenced: await runInSlices(targetsOf(pulls), slice),
    slice,
    entries: new Map(),
    renamed: [],
    renamedBy: new Map(),
    removed: new Set(),
    pull: 0,
    limits,
  };
  const touched = new Map<number, Set<ProjectPath>>();
  const step = async (index: number, work: () => Promise<void>): Promise<boolean> => {
    signal.throwIfAborted();
    await slice.yieldToEventLoop();
    planning.pull = index;
    drafts.begin();
    const references = planning.references.length;
    try {
      await work();
    } catch (error) {
      if (!(error instanceof CannotWriteError)) throw error;
      drafts.rollBack();
      planning.references.length = references;
      refused.set(index, error);
      return false;
    }
    const paths = touched.get(index) ?? new Set();
    touched.set(index, paths);
    for (const path of drafts.commit()) paths.add(path);
    return true;
  };
  for (const kind of ['edit', 'becomeScript', 'delete', 'create', 'rename', 'move'] as const) {
    for (const [index, pull] of inOrder(pulls, kind, context))
      if (!refused.has(index)) await step(index, () => planOne(planning, pull));
    if (kind === 'rename') await runInSlices(planReferencesToRenamed(planning), slice);
  }
  const ids = new ReferenceIds(context.tree);
  let hasPartialEdits = false;
  for (const pending of planning.references as readonly PendingReference[]) {
    if (refused.has(pending.pull)) continue;
    if (!(await step(pending.pull, () => planReference(planning, pending, ids)))) hasPartialEdits = true;
  }
  const unwritableFiles = new Map(
    Array.from([...(await drafts.finishJson()), ...(await planning.models.finish())], ([file, { reason }]) => [
      file,
      new WholeFileRefused(reason),
    ]),
  );
  if (unwritableFiles.size > 0)
    for (const [index, paths] of touched)
      for (const path of paths) {
        const refusal = unwritableFiles.get(path);
        if (refusal === undefined) continue;
        refused.set(index, refusal);
        hasPartialEdits = true;
      }
  await keepEmptyFolders(planning, touched);
  // A file that one pull edits and another one moves belongs to both at its new path.
  for (const paths of touched.values())
    for (const path of Array.from(paths)) if (drafts.has(path)) paths.add(drafts.currentPath(path));
  return {
    hasPartialEdits,
    plan: async () => ({
      pulls: outcomesOf(pulls, refused, touched, planning.entries),
      edits: await runInSlices(drafts.edits(), slice),
      renamed: planning.renamed,
    }),
  };
}

async function planOne(planning: Planning, pull: Pull): Promise<void> {
  const instance = planning.context.tree.get(pull.kind === 'create' ? pull.parentId : pull.id);
  if (instance === undefined) throw new CannotWriteError(reasonOf('not_in_project'));
  switch (pull.kind) {
    case 'edit':
      return planEdit(planning, instance, pull.values);
    case 'create':
      return planCreate(planning, instance, pull.instance);
    case 'becomeScript':
      return planBecomeScript(planning, instance, pull.instance);
    case 'rename':
      if (pull.values.size > 0) await planEdit(planning, instance, pull.values);
      return planRename(planning, instance, pull.name);
    case 'move':
      return planMove(planning, instance, pull);
    case 'delete':
      return planDelete(planning, instance);
    default:
      return assertNever(pull);
  }
}

const inOrder = <K extends Pull['kind']>(
  pulls: readonly (Pull | CannotWriteError)[],
  kind: K,
  { tree }: PullContext,
): readonly (readonly [number, Pull])[] => {
  const found = Array.from(pulls.entries()).flatMap(([index, pull]) =>
    !(pull instanceof CannotWriteError) && pull.kind === kind ? [[index, pull] as const] : [],
  );
  if (kind !== 'rename') return found;
  const depthOf = ([, pull]: readonly [number, Pull]): number =>
    pull.kind === 'rename' ? tree.pathOf(pull.id).split('/').length : 0;
  // A folder is renamed with everything in it, so what is in it comes first.
  return found.toSorted((a, b) => depthOf(b) - depthOf(a));
};

/** Adds `.gitkeep` to folders that a removal leaves empty, because Git does not track empty folders. */
async function keepEmptyFolders({ drafts }: Planning, touched: ReadonlyMap<number, Set<ProjectPath>>): Promise<void> {
  const losing = drafts.foldersWithRemovals();
  const filled = drafts.filledFolders();
  for (const paths of touched.values())
    for (const folder of new Set(Array.from(paths, folderOf))) {
      if (folder === '' || !losing.has(folder) || !(await drafts.names(folder)).isEmpty || filled.has(folder)) continue;
      const path = joinPath(folder, '.gitkeep');
      drafts.create(path, '');
      addFoldersOf(path, filled);
      paths.add(path);
    }
}

function outcomesOf(
  pulls: readonly unknown[],
  refused: ReadonlyMap<number, CannotWriteError>,
  touched: ReadonlyMap<number, ReadonlySet<ProjectPath>>,
  entries: ReadonlyMap<number, ProjectPath>,
): readonly PullOutcome[] {
  return pulls.map((_, index) => {
    const refusal = refused.get(index);
    const entry = entries.get(index);
    if (refusal === undefined)
      return { ok: true, paths: touched.get(index) ?? new Set(), ...(entry === undefined ? {} : { entry }) };
    return {
      ok: false,
      reason: refusal.reason,
      isExcluded: refusal instanceof ExcludedByRule,
      ...(refusal instanceof WholeFileRefused && { isOfWholeFile: true }),
    };
  });
}

function* targetsOf(pulls: readonly (Pull | CannotWriteError)[]): PausableWork<ReadonlySet<string>> {
  const targets = new Set<string>();
  const add = (properties: Iterable<{ readonly type: string; readonly value: unknown } | undefined>): void => {
    for (const value of properties)
      if (value?.type === 'Ref' && value.value !== NULL_REF) targets.add(String(value.value));
  };
  const addBelow = function* (desired: DesiredInstance): PausableWork<void> {
    yield;
    add(desired.properties.values());
    for (const child of desired.children) yield* addBelow(child);
  };
  for (const pull of pulls) {
    if (pull instanceof CannotWriteError || pull.kind === 'delete' || pull.kind === 'move') continue;
    if (pull.kind === 'edit' || pull.kind === 'rename') add(pull.values.values());
    else yield* addBelow(pull.instance);
  }
  return targets;
}
