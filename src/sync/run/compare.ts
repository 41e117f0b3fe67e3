import { AppError } from '../../base/errors.ts';
import { TimeSlice, runInSlices } from '../../base/time-slice.ts';
import type { Git } from '../../ports/git.ts';
import type { Hasher } from '../../ports/hasher.ts';
import type { Settings } from '../../ports/settings.ts';
import { verdictOfRules } from '../../protocol/override-policy.ts';
import type { OverrideVerdict, SyncOverride } from '../../protocol/sync.ts';
import type { Compared, StudioChange } from '../../protocol/studio/stream.ts';
import type { StudioLink } from '../../studio/studio-link.ts';
import type { ProjectDiagnostic, ProjectSession } from '../../project/project-session.ts';
import type { PlannedWrite } from './planned-write.ts';
import type { RestorePlan } from './restore-plan.ts';
import { Agreement, type AgreementDeps } from './agreement.ts';
import { buildChangeList } from '../changes/change-list.ts';
import type { RunChange } from '../changes/run-change.ts';

/** A project that changes under this many comparisons is being written to right now. */
const MAX_TRIES = 3;

export interface CompareDeps extends AgreementDeps {
  /** What is compared instead of the project and Studio. */
  readonly restored?: RestorePlan | undefined;
  readonly session: ProjectSession;
  readonly link: StudioLink;
  readonly git: Git;
  readonly hasher: Hasher;
  readonly settings: Settings;
}

export interface Comparison {
  /** The request id under which Studio keeps what it compared. */
  readonly compareId: string;
  readonly compared: Compared;
  readonly changes: readonly RunChange[];
  readonly overrides: readonly OverrideVerdict[];
  readonly agreement: Agreement;
  /** What is wrong with the files that were compared. */
  readonly problems: readonly ProjectDiagnostic[];
  /** Files to be restored without Studio. */
  readonly writes?: readonly PlannedWrite[] | undefined;
}

/** Compares the tree as disk is now with Studio. Changes nothing on either side. */
export async function compareSides(
  overrides: readonly SyncOverride[],
  deps: CompareDeps,
  signal: AbortSignal,
  onProgress: (done: number, total: number) => void,
): Promise<Comparison> {
  if (deps.restored !== undefined) return await compareRestored(deps.restored, deps, signal, onProgress);
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    await deps.session.catchUp(signal);
    // While Studio compares what is known, all of disk is looked at. Rarely has something moved that nobody has told of; then again.
    const [compared, git] = await Promise.all([
      deps.link.compare(overrides, signal, onProgress),
      deps.git.status(signal),
      deps.session.refresh(signal),
    ]);
    await deps.session.catchUp(signal);
    // The plugin read the tree by itself: only when the tree is still that one do paths and hashes of here belong to it.
    if (compared.messageCursor !== deps.session.revision()) continue;
    const verdicts = judge(overrides, compared, deps.settings);
    const agreement = new Agreement(deps.session, deps);
    await agreement.load(compared.place);
    if (compared.messageCursor !== deps.session.revision()) continue;
    const baseOf = agreement.baseOf.bind(agreement);
    const slice = new TimeSlice(deps.clock);
    const changes = await runInSlices(buildChangeList(compared, verdicts, { ...deps, git, baseOf }), slice);
    if (compared.messageCursor !== deps.session.revision()) continue;
    const problems = deps.session.diagnostics();
    return { compareId: compared.requestId, compared, changes, overrides: verdicts, agreement, problems };
  }
  throw new AppError('PROJECT_CHANGING', { tries: MAX_TRIES });
}

async function compareRestored(
  restored: RestorePlan,
  deps: CompareDeps,
  signal: AbortSignal,
  onProgress: (done: number, total: number) => void,
): Promise<Comparison> {
  await deps.session.refresh(signal);
  const { compared, changes, writes } = await restored.compare(signal, onProgress);
  const agreement = new Agreement(deps.session, deps);
  await agreement.load(compared.place);
  return { compareId: compared.requestId, compared, changes, overrides: [], agreement, problems: [], writes };
}

/** Studio's verdicts, and what the settings of this workspace add to them. */
function judge(overrides: readonly SyncOverride[], compared: Compared, settings: Settings): readonly OverrideVerdict[] {
  const byId = new Map(compared.overrides.map(verdict => [verdict.id, verdict]));
  const changes = new Map(compared.changes.map(change => [change.id, change]));
  return overrides.map(override => {
    const { id, direction } = override;
    const verdict = byId.get(id);
    if (verdict === undefined) return { id, direction, verdict: 'stale_id', reason: 'Studio gave no verdict for it' };
    if (verdict.verdict !== 'accepted') return verdict;
    const ruled = verdictOfRules(settings, {
      isBare: isBare(override, changes.get(id)),
      isDestructive: () => isDestructive(changes.get(id), override),
      missingPrecondition: 'it replaces or removes something: give studioHash or expectedProperties',
    });
    return ruled === undefined ? verdict : { id, direction, ...ruled };
  });
}

/** Whether nothing of Studio was checked for it: a hash says something of scripts alone, and no values are none. */
const isBare = ({ studioHash, expectedProperties }: SyncOverride, change: StudioChange | undefined): boolean =>
  (studioHash === undefined || change?.studioHash === undefined) && Object.keys(expectedProperties ?? {}).length === 0;

/** Whether the losing side holds something that the override replaces or removes. */
function isDestructive(change: StudioChange | undefined, override: SyncOverride): boolean {
  if (change === undefined || change.patchType === 'Edit') return true;
  return change.patchType === 'Add' ? override.direction === 'pull' : override.direction === 'push';
}
