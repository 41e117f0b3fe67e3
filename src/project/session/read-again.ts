import type { ProjectPath, Ref } from '../../base/brand.ts';
import { ConcurrencyBudget } from '../../base/concurrency-budget.ts';
import { folderOf, PROJECT_FOLDER } from '../../base/project-path.ts';
import { type PausableWork, runInSlices, TimeSlice } from '../../base/time-slice.ts';
import type { TextBlocks } from '../../base/text-blocks.ts';
import type { Instance } from '../../roblox/instances/instance.ts';
import { NULL_REF } from '../../roblox/values/ref.ts';
import type { Reflection } from '../../roblox/instances/reflection.ts';
import type { DataConverter } from '../../ports/data-converter.ts';
import type { Inflate } from '../../ports/inflate.ts';
import type { Random } from '../../ports/random.ts';
import type { FileKinds } from '../file-kinds/file-kinds.ts';
import type { Dialect } from '../project-file/project-file.ts';
import type { TreeChange } from '../project-session.ts';
import { snapshotNode } from '../snapshot/project-node.ts';
import { snapshotProject } from '../snapshot/project.ts';
import { pathKey, type SnapshotOutcome } from '../snapshot/source-snapshot.ts';
import type { DiagnosticStore } from './diagnostic-store.ts';
import type { DiskIndex } from '../tree/disk-index.ts';
import type { DiskPorts } from '../tree/disk-ports.ts';
import { type DiskFindings, DiskReader } from './disk-reader.ts';
import { Draft } from './draft.ts';
import { resolveDraft } from './draft-references.ts';
import { FilePass, type ReusableChildren } from './file-pass.ts';
import { lintDraft } from './lint-tree.ts';
import type { ExpectedRenames } from './expected-renames.ts';
import { mergeSnapshot } from './merge-snapshot.ts';
import type { ProjectCache } from './project-cache.ts';
import type { ProjectTree, TreeInstance, TreePatch } from '../tree/project-tree.ts';

/** The state of a project session between two reads. */
export interface SessionState {
  readonly ports: DiskPorts;
  readonly fileKinds: FileKinds;
  readonly reflection: Reflection;
  readonly inflate: Inflate;
  readonly converter: DataConverter;
  /** The texts of scripts. */
  readonly texts: TextBlocks;
  readonly random: Random;
  readonly workspace: string;
  readonly projectFile: ProjectPath;
  /** Overrides the dialect that the project file chooses. */
  readonly dialect: Dialect | undefined;
  readonly tree: ProjectTree;
  readonly index: DiskIndex;
  readonly projects: ProjectCache;
  readonly diagnostics: DiagnosticStore;
  readonly renames: ExpectedRenames;
}

export interface ReadResult {
  /** The outcome for the project file, if it was read. */
  readonly root: SnapshotOutcome | 'missing' | undefined;
  readonly treeChanged: boolean;
  /** The replaced instances; empty for the first read. */
  readonly before: TreeChange['before'];
  readonly diagnosticsChanged: boolean;
}

/**
 * Reads the instances that the changed paths affect, reusing their unchanged children, and applies all results as one patch.
 */
export async function readAgain(state: SessionState, findings: DiskFindings, signal: AbortSignal): Promise<ReadResult> {
  const { tree, index } = state;
  const { changed } = findings;
  const draft = new Draft(tree);
  const slice = new TimeSlice(state.ports.clock);
  const disk = new DiskReader(state.ports, index, findings, slice);
  const { fileKinds, reflection, inflate, converter, texts, workspace, projects, dialect } = state;
  const budget = new ConcurrencyBudget(READ_CONCURRENCY);
  const parts = { fileKinds, reflection, inflate, converter, texts, workspace, projects, dialect };
  const shared = { ...parts, disk, slice, budget };
  const passes: FilePass[] = [];
  let root: ReadResult['root'];
  const merged = new Set<Ref>();
  const queue = await runInSlices(affectedInstances(tree, changed), slice);
  const affected = new Set(queue.map(({ id }) => id));
  for (let next = 0; next < queue.length;) {
    signal.throwIfAborted();
    const batch = nextBatch(queue, next);
    next += batch.length;
    // An earlier read may have merged or removed some of them.
    const open = batch.filter(({ id }) => !merged.has(id) && (draft.get(id) !== undefined || id === tree.rootId));
    const outcomes = await budget.map(open, async ({ id }) => {
      const instance = draft.get(id);
      const pass = new FilePass(
        shared,
        instance?.key ?? pathKey(state.projectFile),
        reusableChildrenOf(instance, draft, affected),
      );
      passes.push(pass);
      const outcome = await readInstance(state, pass, id, instance);
      pass.finish(outcome);
      if (id === tree.rootId && outcome === undefined) reportMissing(pass, state.projectFile);
      return outcome;
    });
    for (const [at, { id, depth }] of open.entries()) {
      const outcome = outcomes[at];
      const instance = draft.get(id);
      if (id === tree.rootId) root = outcome ?? 'missing';
      if (outcome?.kind === 'instance') {
        const dialect = outcome.origin?.settings.dialect ?? 'rojo';
        const { random, renames } = state;
        const context = { draft, random, slice, merged, reflection, dialect, renames };
        await mergeSnapshot(context, id, instance?.parent ?? NULL_REF, outcome);
      } else if (outcome === undefined && instance && id !== tree.rootId) {
        removeFromParent(draft, instance);
        // The optional path was removed: its parent must watch for it.
        if (instance.origin?.kind !== 'node') continue;
        queue.push({ id: instance.parent, depth: depth - 1 });
        merged.delete(instance.parent);
      }
    }
  }
  const unresolved = await resolveDraft(draft, tree, reflection, slice);
  const lint = await lintDraft(draft, tree, reflection, unresolved, slice);
  signal.throwIfAborted();
  const before = new Map<Ref, Instance | undefined>();
  await slice.yieldToEventLoop();
  if (tree.get(tree.rootId) === undefined) await applyInSlices(tree, draft.patch, slice);
  else {
    const visible = new Map<Ref, TreeInstance | undefined>();
    const hidden = new Map<Ref, TreeInstance | undefined>();
    await inSlices(draft.patch, slice, ([id, instance]) => {
      if (draft.hasVisibleChange(id)) before.set(id, tree.get(id));
      (draft.hasVisibleChange(id) ? visible : hidden).set(id, instance);
    });
    await slice.yieldToEventLoop();
    await runInSlices(tree.applyWithPauses(visible), slice);
    await applyInSlices(tree, hidden, slice);
  }
  await inSlices(changed, slice, path => {
    if (!disk.seen.has(path)) index.delete(path);
  });
  await inSlices(disk.seen, slice, ([path, seen]) => index.set(path, seen));
  const diagnosticsChanged = await runInSlices(state.diagnostics.accept([...passes, lint]), slice);
  return { root, treeChanged: draft.hasVisibleChanges, before, diagnosticsChanged };
}

/** Applies changes in slices. Only for changes that nothing observes yet; the tree may be inconsistent in between. */
const applyInSlices = (tree: ProjectTree, patch: TreePatch, slice: TimeSlice): Promise<void> =>
  inSlices(patch, slice, entry => tree.apply([entry]));

/**
 * Files and folders that are read at the same time. A minor garbage collection copies the objects of each of them: with 512 of them, it took
 * twice as long.
 */
const READ_CONCURRENCY = 32;

/** Instances that are read before they are merged. */
const MERGE_INTERVAL = 256;

/** The next instances of the queue with the same depth, so that none contains another; at most as many as are read before merging. */
function nextBatch(queue: readonly AffectedInstance[], from: number): readonly AffectedInstance[] {
  const batch: AffectedInstance[] = [];
  for (let at = from; at < queue.length && batch.length < MERGE_INTERVAL; at += 1) {
    const next = queue[at];
    if (next === undefined || next.depth !== queue[from]?.depth) break;
    batch.push(next);
  }
  return batch;
}

/** Items that are processed between two checks of the clock. */
const BATCH_SIZE = 32;

async function inSlices<T>(items: Iterable<T>, slice: TimeSlice, work: (item: T) => void): Promise<void> {
  let count = 0;
  for (const item of items) {
    work(item);
    count += 1;
    if (count % BATCH_SIZE === 0) await slice.yieldToEventLoop();
  }
}

function reportMissing(pass: FilePass, file: ProjectPath): void {
  const message = 'expected the project file, which is missing; the last valid version stays in use';
  pass.report({ file, line: 1, column: 1, severity: 'error', message });
}

function readInstance(
  state: SessionState,
  pass: FilePass,
  id: Ref,
  instance: TreeInstance | undefined,
): Promise<SnapshotOutcome | undefined> {
  const { tree, projectFile } = state;
  if (id === tree.rootId) return snapshotProject(pass, { entry: projectFile, file: projectFile, outer: undefined });
  const origin = instance?.origin;
  if (origin?.kind === 'node') return snapshotNode(pass, origin);
  if (origin?.kind === 'path') return pass.snapshotPath(origin.entry, origin.settings);
  throw new Error('an instance without an origin cannot be read again');
}

/** Instances to read again, parents before children. */
function* affectedInstances(tree: ProjectTree, changed: ReadonlySet<ProjectPath>): PausableWork<AffectedInstance[]> {
  if (tree.get(tree.rootId) === undefined) return [{ id: tree.rootId, depth: 0 }];
  const depths = new Map<Ref, number>();
  for (const path of changed) {
    yield;
    let at = path;
    let ids = tree.idsTouchedBy(at);
    while (ids.length === 0 && at !== PROJECT_FOLDER) {
      at = folderOf(at);
      ids = tree.idsTouchedBy(at);
    }
    for (const id of ids) {
      const readable = withOrigin(tree, id);
      if (!depths.has(readable)) depths.set(readable, depthOf(tree, readable));
    }
  }
  return Array.from(depths.entries())
    .sort(([, a], [, b]) => a - b)
    .map(([id, depth]) => ({ id, depth }));
}

interface AffectedInstance {
  readonly id: Ref;
  readonly depth: number;
}

function withOrigin(tree: ProjectTree, id: Ref): Ref {
  let at = tree.get(id);
  while (at && at.origin === undefined && at.id !== tree.rootId) at = tree.get(at.parent);
  return at?.id ?? tree.rootId;
}

function depthOf(tree: ProjectTree, id: Ref): number {
  let depth = 0;
  for (let at = tree.get(id); at && at.id !== tree.rootId; at = tree.get(at.parent)) depth += 1;
  return depth;
}

/**
 * The children that need not be read with their parent. An affected child with the name of another one must be: the file of the other one may
 * have moved into its folder (`A.luau` becomes `A/init.luau`), and only the parent can pair both with what it had before.
 */
function reusableChildrenOf(
  instance: TreeInstance | undefined,
  draft: Draft,
  affected: ReadonlySet<Ref>,
): ReusableChildren {
  const keepable = new Map<string, NonNullable<TreeInstance['origin']>>();
  const children = (instance?.children ?? []).map(id => draft.get(id)).filter(child => child !== undefined);
  const names = new Map<string, number>();
  if (children.some(({ id }) => affected.has(id)))
    for (const { name } of children) names.set(name, (names.get(name) ?? 0) + 1);
  for (const { id, key, origin, name } of children)
    if (key !== undefined && origin && !(affected.has(id) && (names.get(name) ?? 0) > 1)) keepable.set(key, origin);
  return keepable;
}

function removeFromParent(draft: Draft, instance: TreeInstance): void {
  const parent = draft.get(instance.parent);
  draft.remove(instance.id);
  if (parent) draft.set({ ...parent, children: parent.children.filter(id => id !== instance.id) }, true);
}
