import { type ReasonCode, reasonOf } from '../../protocol/reason.ts';
import type { ProjectPath } from '../../base/brand.ts';
import { AppError } from '../../base/errors.ts';
import { TimeSlice } from '../../base/time-slice.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Hasher } from '../../ports/hasher.ts';
import type { FileSystem } from '../../ports/file-system.ts';
import type { Settings } from '../../ports/settings.ts';
import type { ProjectSession, PullRequest, PullsPlan } from '../../project/project-session.ts';
import type { JournalNote } from '../../protocol/journal/journal-record.ts';
import { BUDGET_MS } from '../../protocol/limits.ts';
import type { Place, SyncMode } from '../../protocol/sync.ts';
import type { StudioInstance } from '../../protocol/studio/stream.ts';
import { parseRef } from '../../roblox/values/ref.ts';
import type { Reflection } from '../../roblox/instances/reflection.ts';
import type { StudioLink } from '../../studio/studio-link.ts';
import type { BaseStates } from '../base/base-state.ts';
import { hashOfSource } from '../changes/change-list.ts';
import { indexAdditions, withdrawConflicts } from '../changes/consistency.ts';
import { decide } from '../../review/review-sides.ts';
import {
  adoptPersonMerge,
  fail,
  nameNewFile,
  type FreshSides,
  type PlannedChange,
  type PlannedWrite,
  reopen,
  type RunChange,
  settle,
} from '../changes/run-change.ts';
import { subtreeOf } from '../changes/subtree.ts';
import { sameNameCounter } from '../changes/same-name.ts';
import { applyInStudio } from './apply-in-studio.ts';
import { readInStudio } from '../changes/read-in-studio.ts';
import { type JournalDeps, journalBothSides } from '../transactions/journal-run.ts';
import type { ProgressStep } from './run-messages.ts';
import { verifyWritten } from './verify.ts';
import { inWritingOrder, writeFiles } from './write-files.ts';

export interface ExecuteDeps extends Omit<JournalDeps, 'session'> {
  /** `undefined` if the tree takes no part. */
  readonly session: Pick<ProjectSession, 'get' | 'rootId' | 'writeAlone'> | undefined;
  readonly reflection: Reflection;
  readonly files: FileSystem;
  readonly clock: Clock;
  readonly settings: Settings;
}

export interface ApplyDeps extends ExecuteDeps {
  readonly baseStates: BaseStates;
  readonly session: ProjectSession;
  readonly link: StudioLink;
}

/** All decided changes with their plan. */
export interface ExecutePlan extends Pick<PullsPlan, 'renamed'> {
  readonly runId: string;
  readonly mode: SyncMode;
  readonly requestedBy: string;
  readonly place: Place;
  readonly planned: readonly PlannedChange[];
  /** All files that the pulls among `planned` write. */
  readonly writes: readonly PlannedWrite[];
  /** `undefined` if Studio takes no part: then every change is confirmed. */
  readonly studio: { readonly link: StudioLink; readonly compareId: string } | undefined;
}

export interface ExecuteObserver {
  /** Both sides are in the journal, so the run will have an ending there. */
  journaled(): void;
  /** Called immediately before the first command that changes anything. Until then, `signal` cancels without an effect. */
  committing(): void | Promise<void>;
  /** Called for an answer of Studio after the time limit; the outcomes of the changes are then complete. */
  late?(): void;
  progress?(step: ProgressStep, done: number, total: number): void;
}

export interface ApplyRequest {
  readonly runId: string;
  readonly compareId: string;
  readonly mode: SyncMode;
  readonly requestedBy: string;
  readonly place: Place;
  readonly changes: readonly RunChange[];
}

export interface ApplyObserver extends ExecuteObserver {
  verifying(): void;
}

interface Plan extends Pick<PullsPlan, 'renamed'> {
  readonly planned: readonly PlannedChange[];
  readonly writes: readonly PlannedWrite[];
}

/**
 * Applies the decisions: reads Studio's side, plans the files, journals both sides, lets Studio apply and confirm, writes the files,
 * verifies. Sets the outcome of every change. A failed change does not affect the others.
 *
 * @returns the state in Studio of the instances that are created on disk
 * @throws AppError before the first change; after it only STUDIO_DISCONNECTED and STUDIO_NOT_RESPONDING, with the known outcomes in the
 * changes
 */
export async function applyDecisions(
  request: ApplyRequest,
  deps: ApplyDeps,
  signal: AbortSignal,
  observer: ApplyObserver,
): Promise<ReadonlyMap<RunChange, StudioInstance>> {
  for (const change of request.changes) {
    adoptPersonMerge(change, deps.hasher);
    if (change.choice === 'skip') settle(change, 'skipped');
  }
  await deps.session.refresh(signal);
  const coveredBy = findCovered(request.changes);
  const sameName = sameNameCounter(deps.session);
  const decided = request.changes.filter(change => change.choice !== 'skip' && !coveredBy.has(change));
  const reopened = decided.filter(change => reopenIfDiskChanged(change, deps, sameName));
  if (reopened.length > 0) withdrawConflicts(request.changes);
  const remaining = decided.filter(change => change.choice !== null);
  const { compareId } = request;
  const plan = await planChanges(remaining, compareId, deps, signal);
  if (plan.planned.length === 0) {
    settleCovered(coveredBy);
    return new Map();
  }
  const studio = { link: deps.link, compareId };
  const written = await execute({ ...request, ...plan, studio }, deps, signal, observer);
  settleCovered(coveredBy);
  observer.verifying();
  const isRead = await readProjectAgain(deps.session);
  const byChange = new Map(plan.planned.map(item => [item.change, item]));
  for (const change of written) {
    const item = byChange.get(change);
    if (isRead) verifyWritten(change, item?.written ?? item?.studio, deps);
    if (change.choice === 'merge') settleMerge(change);
  }
  if (!isRead) return new Map();
  // Files that changed right before they were to be written are known only now.
  for (const { change } of plan.planned)
    if (change.choice === null && change.reason !== undefined)
      reopen(change, change.reason, { disk: diskNow(change, deps) });
  return new Map(
    plan.planned.flatMap(({ change, studio }) =>
      change.studio.patchType === 'Remove' && studio !== undefined ? [[change, studio] as const] : [],
    ),
  );
}

/** Settles merges that Studio applied before the files were written. */
function settleMerge(change: RunChange): void {
  if (change.outcome === 'written') settle(change, 'merged');
  else if (change.outcome === 'failed')
    fail(change, reasonOf('merge_not_on_disk', change.reason ?? reasonOf('merge_not_written')));
}

/** Applies the decisions about files that are restored, without Studio. Otherwise as `applyDecisions`. */
export async function applyRecordedFiles(
  request: ApplyRequest,
  recorded: readonly PlannedWrite[],
  deps: ApplyDeps,
  signal: AbortSignal,
  observer: ApplyObserver,
): Promise<void> {
  for (const change of request.changes) {
    if (change.choice === 'skip') settle(change, 'skipped');
    if (change.choice === 'push') fail(change, reasonOf('record_not_pushable'));
  }
  const pulls = request.changes.filter(change => change.choice === 'pull');
  if (pulls.length === 0) return;
  const planned = pulls.map(change => ({ change, studio: undefined }));
  const writes = recorded.filter(({ changes }) => changes.every(change => change.choice === 'pull'));
  // A single file has no place in the tree, so the record of this run restores only files.
  const withoutTree = { ...deps, session: undefined };
  await execute({ ...request, planned, writes, studio: undefined }, withoutTree, signal, observer);
  observer.verifying();
  await readProjectAgain(deps.session);
}

/**
 * Reads the project again after writing. Returns false if the project was closed meanwhile, for example because the program ends: the
 * written files were verified already, so the run has done what it planned.
 */
async function readProjectAgain(session: ProjectSession): Promise<boolean> {
  try {
    await session.refresh(new AbortController().signal);
    return true;
  } catch (error) {
    if (AppError.is(error, 'CANCELLED') || (error instanceof Error && error.name === 'AbortError')) return false;
    throw error;
  }
}

/**
 * Journals both sides, lets Studio apply and confirm, writes the files. Sets the outcome of every change. A failed change does not affect
 * the others.
 *
 * @returns the changes with planned writes, whatever their outcome
 * @throws AppError before `committing`; after it as `applyInStudio`
 */
async function execute(
  plan: ExecutePlan,
  deps: ExecuteDeps,
  signal: AbortSignal,
  observer: ExecuteObserver,
): Promise<readonly RunChange[]> {
  const { planned, studio, runId } = plan;
  const writes = inWritingOrder(plan.writes);
  await journalBothSides({ ...plan, writes }, deps);
  observer.journaled();
  signal.throwIfAborted();
  await observer.committing();
  // From here on the run cannot be cancelled: a half-applied run is worse than a late answer.
  const unstoppable = new AbortController().signal;
  const confirmed =
    studio === undefined
      ? planned.map(({ change }) => change)
      : await applyInStudio(
          planned,
          {
            ...studio,
            runId,
            reflection: deps.reflection,
            late: () => observer.late?.(),
            progress: (done, total) => observer.progress?.('applied', done, total),
          },
          unstoppable,
        );
  // After a crash, only writes that Studio has confirmed may be finished.
  const idsOf = (changes: readonly RunChange[]): string[] => changes.map(change => change.studio.id);
  const applied = planned.map(({ change }) => change).filter(change => change.outcome === 'applied');
  const note: JournalNote = { kind: 'confirmed', ids: idsOf(confirmed), applied: idsOf(applied) };
  await deps.journal.note(runId, note);
  const onProgress = (done: number, total: number): void => observer.progress?.('written', done, total);
  const budget = { clock: deps.clock, ms: BUDGET_MS.write * deps.settings.timeoutMultiplier() };
  const write = (): Promise<void> => writeFiles(writes, confirmed, deps.files, onProgress, budget);
  await (deps.session === undefined ? write() : deps.session.writeAlone(plan.renamed, write));
  return confirmed;
}

/** Maps additions below one that is removed from disk to the topmost of these, whose removal includes theirs. */
function findCovered(changes: readonly RunChange[]): ReadonlyMap<RunChange, RunChange> {
  const { byId } = indexAdditions(changes);
  const covered = new Map<RunChange, RunChange>();
  for (const change of byId.values()) {
    let top = change;
    for (let parent = byId.get(top.studio.parentId); parent?.choice === 'pull'; parent = byId.get(top.studio.parentId))
      top = parent;
    if (top !== change && change.choice === 'pull') covered.set(change, top);
  }
  return covered;
}

function settleCovered(coveredBy: ReadonlyMap<RunChange, RunChange>): void {
  for (const [change, top] of coveredBy)
    if (top.choice === null) decide(change, null, top.reason);
    else settle(change, top.outcome, top.reason);
}

/** Makes a change undecided if its disk side has changed since the decision. */
function reopenIfDiskChanged(
  change: RunChange,
  deps: ApplyDeps,
  sameName: (parentId: string, name: string) => number,
): boolean {
  const { disk: seen, studio } = change;
  const now = seen && deps.session.get(seen.id);
  const same =
    seen === undefined
      ? change.sameNameOnDisk === undefined || sameName(studio.parentId, studio.name) === change.sameNameOnDisk
      : now !== undefined &&
        now.properties === seen.properties &&
        now.name === seen.name &&
        now.className === seen.className;
  if (!same) reopen(change, reasonOf('disk_changed'), { disk: diskNow(change, deps) });
  return !same;
}

/** The hashes of what disk has now. */
function diskNow({ disk }: RunChange, { session, hasher, baseStates }: ApplyDeps): NonNullable<FreshSides['disk']> {
  const now = disk && session.get(disk.id);
  return { diskHash: now && hashOfSource(now, hasher), diskState: now && baseStates.identify(now) };
}

async function planChanges(
  changes: readonly RunChange[],
  compareId: string,
  deps: ApplyDeps,
  signal: AbortSignal,
): Promise<Plan> {
  const inStudio = changes.filter(change => change.studio.patchType !== 'Add');
  const ids = inStudio.map(change => change.studio.id);
  const reply = await readInStudio(deps.link, compareId, ids, signal);
  const instances = new Map(reply.instances.map(instance => [instance.id, instance]));
  const planned: PlannedChange[] = [];
  const pulls: { readonly item: PlannedChange; readonly request: PullRequest }[] = [];
  const slice = new TimeSlice(deps.clock);
  for (const change of changes) {
    await slice.yieldToEventLoop();
    const studio = instances.get(change.studio.id);
    // Also of a push: the record is then the only copy of what Studio had.
    const damaged = studio && findDamagedScript(studio, deps.hasher);
    const written = change.choice === 'merge' ? studio && mergedInstance(change, studio) : studio;
    const request = change.choice === 'push' ? undefined : pullRequest(change, written);
    if (change.studio.patchType !== 'Add' && studio === undefined && reply.missingBecause !== undefined)
      fail(change, reply.missingBecause);
    else if (change.studio.patchType !== 'Add' && studio === undefined) reopen(change, reasonOf('studio_removed'), {});
    else if (studio?.studioHash !== change.studio.studioHash)
      reopen(change, reasonOf('script_changed'), studioNow(change, studio, deps.hasher));
    else if (damaged !== undefined) fail(change, reasonOf('text_damaged', damaged.name));
    else if (change.choice === 'push' && studio !== undefined && !hasSameSubtree(change, studio, deps.hasher))
      reopen(change, reasonOf('subtree_changed'), studioNow(change, studio, deps.hasher));
    else if (change.choice === 'push') planned.push({ change, studio });
    else if (request === undefined) fail(change, reasonOf('parent_only_in_studio'));
    else pulls.push({ item: { change, studio, ...(written === undefined ? {} : { written }) }, request });
  }
  if (pulls.length === 0) return { planned, writes: [] };
  const plan = await deps.session.planPulls(
    pulls.map(({ request }) => request),
    signal,
  );
  const changed: RunChange[] = [];
  const needing = new Map<ProjectPath, RunChange[]>();
  for (const [index, { item }] of pulls.entries()) {
    const outcome = plan.pulls[index];
    if (outcome?.ok === false && changedOnDisk.has(outcome.reason.code)) changed.push(item.change);
    else if (outcome?.ok !== true) fail(item.change, outcome?.reason ?? reasonOf('not_planned'));
    else {
      planned.push(item);
      if (outcome.entry !== undefined) nameNewFile(item.change, outcome.entry);
      for (const path of outcome.paths) {
        const known = needing.get(path);
        if (known) known.push(item.change);
        else needing.set(path, [item.change]);
      }
    }
  }
  if (changed.length > 0) await deps.session.refresh(signal);
  for (const change of changed) reopen(change, reasonOf('disk_changed'), { disk: diskNow(change, deps) });
  const writes = plan.edits.map((edit): PlannedWrite => ({ edit, changes: needing.get(edit.path) ?? [] }));
  return { planned, writes, renamed: plan.renamed ?? [] };
}

/** Reasons of a plan that mean that a file is not the one that was compared. */
const changedOnDisk: ReadonlySet<string> = new Set<ReasonCode>(['file_changed', 'not_in_project']);

/** The hashes of what Studio has now. */
function studioNow(change: RunChange, studio: StudioInstance | undefined, hasher: Hasher): FreshSides {
  const { subtree, ...compared } = change.studio;
  const now = studio && subtree && { subtree: { ...subtree, ...subtreeOf(studio, hasher) } };
  return { studio: { ...compared, studioHash: studio?.studioHash, ...now } };
}

/** Whether a removal includes only compared instances. Instances that were added since were not part of the decision. */
/** Finds the instance or the first descendant whose text does not match the hash of Studio. */
function findDamagedScript(instance: StudioInstance, hasher: Hasher): StudioInstance | undefined {
  const { source, studioHash } = instance;
  const hash = source === undefined ? undefined : hasher.gitBlob(new TextEncoder().encode(source));
  if (hash !== undefined && studioHash !== undefined && hash !== studioHash) return instance;
  for (const child of instance.children) {
    const damaged = findDamagedScript(child, hasher);
    if (damaged !== undefined) return damaged;
  }
  return undefined;
}

const hasSameSubtree = ({ studio: { subtree } }: RunChange, now: StudioInstance, hasher: Hasher): boolean =>
  subtree === undefined || subtreeOf(now, hasher).hash === subtree.hash;

/** The new content of the files in a merge. */
function mergedInstance({ merge, disk }: RunChange, studio: StudioInstance): StudioInstance {
  const source = merge?.source;
  const keepsName = merge?.toDisk['Name'] === undefined;
  return {
    ...studio,
    ...(keepsName && disk !== undefined ? { name: disk.name } : {}),
    ...(source === undefined ? {} : { source: source.text, studioHash: source.hash }),
    properties: merge?.toDisk ?? {},
  };
}

function pullRequest(change: RunChange, studio: StudioInstance | undefined): PullRequest | undefined {
  if (change.disk !== undefined)
    return studio === undefined ? { kind: 'delete', id: change.disk.id } : { kind: 'edit', id: change.disk.id, studio };
  const parentId = parseRef(change.studio.parentId);
  return studio === undefined || parentId === undefined ? undefined : { kind: 'create', parentId, studio };
}
