import type { BulkResult, VerdictResult } from '../../protocol/run-result.ts';
import type { ProjectPath } from '../../base/brand.ts';
import { AppError } from '../../base/errors.ts';
import { runInSlices, TimeSlice } from '../../base/time-slice.ts';
import type { Git } from '../../ports/git.ts';
import type { Hasher } from '../../ports/hasher.ts';
import type { ScriptMerger } from '../../ports/script-merger.ts';
import type { Settings } from '../../ports/settings.ts';
import type { SyncOverride } from '../../protocol/sync-request.ts';
import type { BulkOverride } from '../../protocol/sync-result.ts';
import type { Compared, ComparedOverride, TrackedProperties, Untracked } from '../../protocol/studio/stream.ts';
import type { StudioLink } from '../../studio/studio-link.ts';
import type { ProjectDiagnostic, ProjectSession } from '../../project/project-session.ts';
import type { RestorePlan } from '../restore/restore-plan.ts';
import { decideInBulk } from '../decisions/decide-in-bulk.ts';
import { nameNewFiles } from '../decisions/name-new-files.ts';
import { judgeOverrides, type JudgeDeps } from '../decisions/judge-overrides.ts';
import { proposeMerges } from '../decisions/propose-merges.ts';
import type { SyncEngineDeps } from '../sync-engine.ts';
import { LearnedBase, type LearnBaseDeps } from '../changes/learn-base.ts';
import { buildChangeList } from '../changes/change-list.ts';
import type { PlannedWrite, RunChange } from '../changes/run-change.ts';

/** Number of comparisons after which the run gives up because the project keeps changing. */
const MAX_TRIES = 3;

export interface CompareDeps extends LearnBaseDeps {
  /** Replaces the project or Studio in a restore. */
  readonly restored?: RestorePlan | undefined;
  readonly session: ProjectSession;
  readonly link: StudioLink;
  readonly git: Git;
  readonly hasher: Hasher;
  readonly settings: Settings;
  readonly merger: ScriptMerger;
  readonly unsavedFiles?: SyncEngineDeps['unsavedFiles'];
  readonly isLive?: SyncEngineDeps['isLive'];
  readonly seen?: JudgeDeps['seen'];
  readonly bulk?: readonly BulkOverride[] | undefined;
  /** Properties to compare although no file names them. */
  readonly tracked?: readonly TrackedProperties[] | undefined;
}

export interface Comparison {
  /** The request id of the comparison that Studio stores. */
  readonly compareId: string;
  readonly compared: Compared;
  readonly changes: readonly RunChange[];
  readonly overrides: readonly VerdictResult[];
  readonly base: LearnedBase;
  readonly bulk?: readonly BulkResult[] | undefined;
  /** The properties that no file names; `undefined` while unknown. */
  readonly untracked?: Untracked | undefined;
  /** Problems of the project's files at the comparison. */
  readonly problems: readonly ProjectDiagnostic[];
  /** Files with edits in an editor that the comparison does not have: of the project, or those that a restore replaces. */
  readonly unsaved: readonly ProjectPath[];
  /** Whether Live Sync repeats in Studio what a restore writes to disk. */
  readonly isRepeated: boolean;
  /** The files of a restore without Studio. */
  readonly writes?: readonly PlannedWrite[] | undefined;
}

/** The part of a comparison that an ended run keeps. Excludes the base, which has the keys of the whole project. */
export type ComparisonFacts = Omit<Comparison, 'base' | 'writes'>;

/** Compares the files with Studio. Changes neither side. */
export async function compareSides(
  overrides: readonly SyncOverride[],
  deps: CompareDeps,
  signal: AbortSignal,
  onProgress: (done: number, total: number) => void,
): Promise<Comparison> {
  if (deps.restored !== undefined) return await compareRestored(deps.restored, deps, signal, onProgress);
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    await deps.session.catchUp(signal);
    // All files are read again while Studio compares. If the watcher missed a change, which is rare, the comparison starts over.
    const [compared, git] = await Promise.all([
      deps.link.compare(overrides.map(toCompared), signal, onProgress, undefined, deps.tracked),
      deps.git.status(signal),
      deps.session.refresh(signal),
    ]);
    await deps.session.catchUp(signal);
    // The plugin read the tree itself, so these paths and hashes match its answer only if the tree has the same revision.
    if (compared.messageCursor !== deps.session.revision()) continue;
    const slice = new TimeSlice(deps.clock);
    const judged = await runInSlices(judgeOverrides(overrides, compared, deps), slice);
    const base = new LearnedBase(deps.session, deps);
    const { studioId, placeVersion } = deps.link.hello;
    await base.load(compared.place, studioId, placeVersion);
    await slice.yieldToEventLoop();
    if (compared.messageCursor !== deps.session.revision()) continue;
    base.useRenames(compared.changes);
    const known = {
      baseOf: base.stateOf.bind(base),
      renamedOn: base.renamedOn.bind(base),
      isSameStudio: base.isSameStudio(),
      placeVersion,
    };
    const list = await runInSlices(buildChangeList(compared, judged, { ...deps, git, ...known }), slice);
    await slice.yieldToEventLoop();
    if (compared.messageCursor !== deps.session.revision()) continue;
    const compareId = compared.requestId;
    const toMerge = { compareId, changes: list, verdicts: judged, base };
    const { changes: merged, verdicts } = await proposeMerges(toMerge, overrides, deps, signal);
    const changes = await nameNewFiles(merged, compareId, deps, signal);
    const bulk = await runInSlices(decideInBulk(changes, deps.bulk ?? [], deps), slice);
    if (compared.messageCursor !== deps.session.revision()) continue;
    const problems = deps.session.diagnostics();
    const unsaved = Array.from(deps.unsavedFiles?.() ?? []).filter(path => deps.session.idsTouchedBy(path).length > 0);
    return {
      compareId,
      compared,
      changes: bulk.changes,
      overrides: verdicts,
      bulk: bulk.verdicts,
      base,
      problems,
      unsaved,
      isRepeated: false,
    };
  }
  throw new AppError('PROJECT_CHANGING', { tries: MAX_TRIES });
}

/** The plugin checks the preconditions of an override in Studio; a merge changes Studio like a push. */
function toCompared({ id, direction, studioHash, expectedProperties }: SyncOverride): ComparedOverride {
  return {
    id,
    direction: direction === 'merge' ? 'push' : direction,
    ...(studioHash === undefined ? {} : { studioHash }),
    ...(expectedProperties === undefined ? {} : { expectedProperties: withStudioNames(expectedProperties) }),
  };
}

/** Answers show a different name as `changedName`; Studio's property is `Name`. */
function withStudioNames(expected: NonNullable<SyncOverride['expectedProperties']>): typeof expected {
  const { changedName, ...others } = expected;
  return changedName === undefined ? expected : { ...others, Name: changedName };
}

async function compareRestored(
  restored: RestorePlan,
  deps: CompareDeps,
  signal: AbortSignal,
  onProgress: (done: number, total: number) => void,
): Promise<Comparison> {
  await deps.session.refresh(signal);
  const { compared, changes, writes } = await restored.compare(signal, onProgress);
  const base = new LearnedBase(deps.session, deps);
  await base.load(compared.place, undefined, 0);
  const inEditors = deps.unsavedFiles?.() ?? new Set();
  const unsaved = writes?.flatMap(({ edit: { path } }) => (inEditors.has(path) ? [path] : [])) ?? [];
  const isRepeated = writes !== undefined && deps.isLive?.() === true;
  return {
    compareId: compared.requestId,
    compared,
    changes,
    overrides: [],
    base,
    problems: [],
    unsaved,
    isRepeated,
    writes,
  };
}
