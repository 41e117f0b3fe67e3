import { failureReason } from '../../protocol/failure-reasons.ts';
import { type ReasonCode, reasonOf } from '../../protocol/reason.ts';
import type { ProjectPath } from '../../base/brand.ts';
import { AppError } from '../../base/errors.ts';
import { type PausableWork, runInSlices, TimeSlice } from '../../base/time-slice.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Hasher } from '../../ports/hasher.ts';
import type { FileSystem } from '../../ports/file-system.ts';
import type { Settings } from '../../ports/settings.ts';
import type { ProjectSession, PullRequest, PullsPlan } from '../../project/project-session.ts';
import type { JournalNote } from '../../protocol/journal/journal-record.ts';
import { BUDGET_MS } from '../../protocol/limits.ts';
import type { StudioInstance } from '../../protocol/studio/stream.ts';
import type { Instance } from '../../roblox/instances/instance.ts';
import { parseRef } from '../../roblox/values/ref.ts';
import type { Reflection } from '../../roblox/instances/reflection.ts';
import type { StudioLink } from '../../studio/studio-link.ts';
import type { BaseStates } from '../base/base-state.ts';
import { hashOfSource } from '../changes/change-list.ts';
import { diskChangeFinder } from '../changes/compared-disk.ts';
import { type Additions, indexAdditionsInSteps, withdrawConflictsInSteps } from '../changes/consistency.ts';
import type { AppliedStates } from '../changes/learn-base.ts';
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
import { applyInStudio } from './apply-in-studio.ts';
import { readWithinLimits } from '../changes/read-within-limits.ts';
import { type JournalDeps, type JournalRequest, journalBothSides } from '../transactions/journal-run.ts';
import type { ProgressStep } from './run-messages.ts';
import { CreatedChildren, isCreatedOnDisk } from './created-children.ts';
import { verifyCreated, verifyWritten } from './verify.ts';
import { inWritingOrder, writeFiles } from './write-files.ts';

interface ExecuteDeps extends Omit<JournalDeps, 'session'> {
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
interface ExecutePlan extends JournalRequest, Pick<PullsPlan, 'renamed'> {
  /** `undefined` if Studio takes no part: then every change is confirmed. */
  readonly studio: { readonly link: StudioLink; readonly compareId: string } | undefined;
}

export interface ApplyObserver {
  /** Both sides are in the journal, so the run will have an ending there. */
  journaled(): void;
  /** Called immediately before the first command that changes anything. Until then, `signal` cancels without an effect. */
  committing(): void | Promise<void>;
  /** Called for an answer of Studio after the time limit; the outcomes of the changes are then complete. */
  late(): void;
  progress(step: ProgressStep, done: number, total: number): void;
  /** Called after the last write, before both sides are read again. */
  verifying(): void;
}

interface ApplyRequest extends Omit<JournalRequest, 'planned' | 'writes'> {
  readonly compareId: string;
  readonly changes: readonly RunChange[];
}

type Plan = Pick<ExecutePlan, 'planned' | 'writes' | 'renamed'>;

/**
 * Applies the decisions: reads Studio's side, plans the files, journals both sides, lets Studio apply and confirm, writes the files,
 * verifies. Sets the outcome of every change. A failed change does not affect the others.
 *
 * @returns what both sides have in common now, for the base
 * @throws AppError before the first change; after it only STUDIO_DISCONNECTED and STUDIO_NOT_RESPONDING, with the known outcomes in the
 * changes
 */
export async function applyDecisions(
  request: ApplyRequest,
  deps: ApplyDeps,
  signal: AbortSignal,
  observer: ApplyObserver,
): Promise<AppliedStates> {
  const slice = new TimeSlice(deps.clock);
  for (const change of request.changes) {
    await slice.yieldToEventLoop();
    adoptPersonMerge(change, deps.hasher);
    if (change.choice === 'skip') settle(change, 'skipped');
  }
  await deps.session.refresh(signal);
  const additions = await runInSlices(indexAdditionsInSteps(request.changes), slice);
  const coveredBy = await runInSlices(findCovered(additions), slice);
  const decided = request.changes.filter(change => change.choice !== 'skip' && !coveredBy.has(change));
  if ((await reopenChangedOnDisk(decided, additions, deps, slice)) > 0)
    await runInSlices(withdrawConflictsInSteps(request.changes), slice);
  const remaining = decided.filter(change => change.choice !== null);
  const { compareId } = request;
  const plan = await planChanges(remaining, request, deps, signal);
  if (plan.planned.length === 0) {
    settleCovered(coveredBy, deps);
    return nothingApplied;
  }
  const studio = { link: deps.link, compareId };
  const createdChildren = new CreatedChildren(plan.planned, deps.session);
  const written = await execute({ ...request, ...plan, studio }, deps, signal, observer);
  observer.verifying();
  const isRead = await readProjectAgain(deps.session);
  const byChange = new Map(plan.planned.map(item => [item.change, item]));
  const verified = new Map<RunChange, Instance>();
  const verifying = new TimeSlice(deps.clock);
  for (const change of written) {
    await verifying.yieldToEventLoop();
    const item = byChange.get(change);
    const now = isRead ? verifyWritten(change, item?.written ?? item?.studio, deps) : undefined;
    if (now !== undefined) verified.set(change, now);
    if (isRead && isCreatedOnDisk(change) && item?.studio !== undefined) {
      const created = await createdChildren.beside(change, verifying);
      await runInSlices(verifyCreated(change, item.studio, created, deps), verifying);
    }
    if (change.choice === 'merge') settleMerge(change);
  }
  settleCovered(coveredBy, deps);
  if (!isRead) return nothingApplied;
  // Files that changed right before they were to be written are known only now.
  for (const { change } of plan.planned)
    if (change.choice === null && change.reason !== undefined)
      reopen(change, change.reason, { disk: diskNow(change, deps) });
  const created = plan.planned.flatMap(({ change, studio }) =>
    change.studio.patchType === 'Remove' && studio !== undefined ? [[change, studio] as const] : [],
  );
  return { created: new Map(created), verified };
}

const nothingApplied: AppliedStates = { created: new Map(), verified: new Map() };

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
  observer: ApplyObserver,
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
            clock: deps.clock,
            reflection: deps.reflection,
            late: () => observer.late(),
            progress: (done, total) => observer.progress('applied', done, total),
          },
          unstoppable,
        );
  // After a crash, only writes that Studio has confirmed may be finished.
  const idsOf = (changes: readonly RunChange[]): string[] => changes.map(change => change.studio.id);
  const applied = planned.map(({ change }) => change).filter(change => change.outcome === 'applied');
  const note: JournalNote = { kind: 'confirmed', ids: idsOf(confirmed), applied: idsOf(applied) };
  try {
    await deps.journal.note(runId, note);
  } catch (error) {
    // No file is written then. Studio has applied the pushes, so the run must not end as if nothing had happened.
    for (const change of confirmed) fail(change, failureReason(error));
    return confirmed;
  }
  const onProgress = (done: number, total: number): void => observer.progress('written', done, total);
  const budget = { clock: deps.clock, ms: BUDGET_MS.write * deps.settings.timeoutMultiplier() };
  const write = (): Promise<void> => writeFiles(writes, confirmed, deps, onProgress, budget);
  await (deps.session === undefined ? write() : deps.session.writeAlone(plan.renamed, write));
  return confirmed;
}

/** Maps additions below one that is removed from disk to the topmost of these, whose removal includes theirs. */
function* findCovered({ byId }: Additions): PausableWork<ReadonlyMap<RunChange, RunChange>> {
  const covered = new Map<RunChange, RunChange>();
  for (const change of byId.values()) {
    yield;
    let top = change;
    for (let parent = byId.get(top.studio.parentId); parent?.choice === 'pull'; parent = byId.get(top.studio.parentId))
      top = parent;
    if (top !== change && change.choice === 'pull') covered.set(change, top);
  }
  return covered;
}

function settleCovered(coveredBy: ReadonlyMap<RunChange, RunChange>, deps: ApplyDeps): void {
  for (const [change, top] of coveredBy)
    if (top.choice !== null) settle(change, top.outcome, top.reason);
    else if (top.reason !== undefined) reopen(change, top.reason, { disk: diskNow(change, deps) });
    else decide(change, null);
}

/** Makes those of `decided` undecided whose disk side has changed since the comparison. @returns their number */
async function reopenChangedOnDisk(
  decided: readonly RunChange[],
  additions: Additions,
  deps: ApplyDeps,
  slice: TimeSlice,
): Promise<number> {
  const hasChanged = diskChangeFinder(additions, deps.session);
  const changed: RunChange[] = [];
  for (const change of decided) {
    await slice.yieldToEventLoop();
    if (await runInSlices(hasChanged(change), slice)) changed.push(change);
  }
  for (const change of changed) reopen(change, reasonOf('disk_changed'), { disk: diskNow(change, deps) });
  return changed.length;
}

/** The hashes of what disk has now. */
function diskNow({ disk }: RunChange, { session, hasher, baseStates }: ApplyDeps): NonNullable<FreshSides['disk']> {
  const now = disk && session.get(disk.id);
  return { diskHash: now && hashOfSource(now, hasher), diskState: now && baseStates.identify(now) };
}

async function planChanges(
  changes: readonly RunChange[],
  { compareId, changes: all }: Pick<ApplyRequest, 'compareId' | 'changes'>,
  deps: ApplyDeps,
  signal: AbortSignal,
): Promise<Plan> {
  const reply = await readWithinLimits(changes, compareId, deps, signal);
  if (reply.beyondBecause !== undefined) for (const change of reply.beyond) fail(change, reply.beyondBecause);
  const instances = new Map(reply.instances.map(instance => [instance.id, instance]));
  const incomplete = new Map(reply.incomplete.map(({ id, reason }) => [id, reason]));
  const planned: PlannedChange[] = [];
  const decidedPulls: PlannedPull[] = [];
  const slice = new TimeSlice(deps.clock);
  for (const change of reply.within) {
    await slice.yieldToEventLoop();
    const studio = instances.get(change.studio.id);
    // Checked for a push too, because the record is then the only copy of Studio's text.
    const damaged = studio && (await runInSlices(findDamagedScript(studio, deps.hasher), slice));
    const written = change.choice === 'merge' ? studio && mergedInstance(change, studio) : studio;
    const request = change.choice === 'push' ? undefined : pullRequest(change, written);
    const lost = incomplete.get(change.studio.id);
    // The record would lack what a push replaces, and the file what a pull writes.
    if (lost !== undefined) fail(change, lost);
    else if (change.studio.patchType !== 'Add' && studio === undefined && reply.missingBecause !== undefined)
      fail(change, reply.missingBecause);
    else if (change.studio.patchType !== 'Add' && studio === undefined) reopen(change, reasonOf('studio_removed'), {});
    else if (studio?.studioHash !== change.studio.studioHash)
      reopen(change, reasonOf('script_changed'), await studioNow(change, studio, deps.hasher, slice));
    else if (damaged !== undefined) fail(change, reasonOf('text_damaged', damaged.name));
    else if (
      change.choice === 'push' &&
      studio !== undefined &&
      !(await hasSameSubtree(change, studio, deps.hasher, slice))
    )
      reopen(change, reasonOf('subtree_changed'), await studioNow(change, studio, deps.hasher, slice));
    else if (change.choice === 'push') planned.push({ change, studio });
    else if (request === undefined) fail(change, reasonOf('parent_only_in_studio'));
    else decidedPulls.push({ item: { change, studio, ...(written === undefined ? {} : { written }) }, request });
  }
  const { pulls, plan } = await planCompared(decidedPulls, all, deps, signal);
  if (plan === undefined) return { planned, writes: [] };
  const changed: RunChange[] = [];
  const changesByPath = new Map<ProjectPath, RunChange[]>();
  for (const [index, { item }] of pulls.entries()) {
    const outcome = plan.pulls[index];
    if (outcome?.ok === false && changedOnDisk.has(outcome.reason.code)) changed.push(item.change);
    else if (outcome?.ok !== true) fail(item.change, outcome?.reason ?? reasonOf('not_planned'));
    else {
      planned.push(item);
      if (outcome.entry !== undefined) nameNewFile(item.change, outcome.entry);
      for (const path of outcome.paths) {
        const known = changesByPath.get(path);
        if (known) known.push(item.change);
        else changesByPath.set(path, [item.change]);
      }
    }
  }
  if (changed.length > 0) await deps.session.refresh(signal);
  for (const change of changed) reopen(change, reasonOf('disk_changed'), { disk: diskNow(change, deps) });
  const writes = plan.edits.map((edit): PlannedWrite => ({ edit, changes: changesByPath.get(edit.path) ?? [] }));
  return { planned, writes, renamed: plan.renamed ?? [] };
}

interface PlannedPull {
  readonly item: PlannedChange;
  readonly request: PullRequest;
}

/**
 * Plans the pulls whose disk side is the one that was compared. Checks that after planning, because a change on disk that is read while
 * Studio answers would be part of the plan, and overwritten.
 */
async function planCompared(
  pulls: readonly PlannedPull[],
  all: readonly RunChange[],
  deps: ApplyDeps,
  signal: AbortSignal,
): Promise<{ readonly pulls: readonly PlannedPull[]; readonly plan: PullsPlan | undefined }> {
  const slice = new TimeSlice(deps.clock);
  const additions = await runInSlices(indexAdditionsInSteps(all), slice);
  let open = pulls;
  while (open.length > 0) {
    const requests = open.map(({ request }) => request);
    const plan = await deps.session.planPulls(requests, signal);
    const changes = open.map(({ item }) => item.change);
    if ((await reopenChangedOnDisk(changes, additions, deps, slice)) === 0) return { pulls: open, plan };
    open = open.filter(({ item }) => item.change.choice !== null);
  }
  return { pulls: open, plan: undefined };
}

/** Reasons of a plan that mean that a file is not the one that was compared. */
const changedOnDisk: ReadonlySet<string> = new Set<ReasonCode>(['file_changed', 'not_in_project']);

/** The hashes of what Studio has now. */
async function studioNow(
  change: RunChange,
  studio: StudioInstance | undefined,
  hasher: Hasher,
  slice: TimeSlice,
): Promise<FreshSides> {
  const { subtree, ...compared } = change.studio;
  const fresh = studio && subtree && (await runInSlices(subtreeOf(studio, hasher), slice));
  const now = fresh && { subtree: { ...subtree, ...fresh } };
  return { studio: { ...compared, studioHash: studio?.studioHash, ...now } };
}

/** Finds the instance or the first descendant whose text does not match the hash of Studio. */
function* findDamagedScript(instance: StudioInstance, hasher: Hasher): PausableWork<StudioInstance | undefined> {
  yield;
  const { source, studioHash } = instance;
  const hash = source === undefined ? undefined : hasher.gitBlob(source);
  if (hash !== undefined && studioHash !== undefined && hash !== studioHash) return instance;
  for (const child of instance.children) {
    const damaged = yield* findDamagedScript(child, hasher);
    if (damaged !== undefined) return damaged;
  }
  return undefined;
}

/** Whether a removal includes only compared instances. Instances that were added since were not part of the decision. */
async function hasSameSubtree(
  { studio: { subtree } }: RunChange,
  now: StudioInstance,
  hasher: Hasher,
  slice: TimeSlice,
): Promise<boolean> {
  return subtree === undefined || (await runInSlices(subtreeOf(now, hasher), slice)).hash === subtree.hash;
}

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
