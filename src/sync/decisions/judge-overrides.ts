import type { PausableWork } from '../../base/time-slice.ts';
import type { Hasher } from '../../ports/hasher.ts';
import type { Settings } from '../../ports/settings.ts';
import { checkOverrideRules } from '../../protocol/override-policy.ts';
import { type Reason, reasonOf } from '../../protocol/reason.ts';
import type { VerdictResult } from '../../protocol/run-result.ts';
import type { SyncOverride } from '../../protocol/sync-request.ts';
import type { Compared, StudioChange } from '../../protocol/studio/stream.ts';
import type { ProjectSession } from '../../project/project-session.ts';
import type { Instance } from '../../roblox/instances/instance.ts';
import { parseRef } from '../../roblox/values/ref.ts';
import type { BaseStates } from '../base/base-state.ts';
import { hashOfSource } from '../changes/change-list.ts';
import type { ShownState } from '../changes/shown-states.ts';

export interface JudgeDeps {
  readonly session: Pick<ProjectSession, 'get'>;
  readonly hasher: Hasher;
  readonly settings: Settings;
  readonly baseStates: BaseStates;
  /** The state of a change that an earlier answer showed to the caller. */
  readonly seen?: ((id: string) => ShownState | undefined) | undefined;
}

type Rejection = Pick<VerdictResult, 'verdict' | 'reason'>;

/** Checks the overrides that Studio accepted against disk, the state that the caller saw, and the settings. */
export function* judgeOverrides(
  overrides: readonly SyncOverride[],
  compared: Compared,
  deps: JudgeDeps,
): PausableWork<readonly VerdictResult[]> {
  const byId = new Map(compared.overrides.map(verdict => [verdict.id, verdict]));
  const changes = new Map(compared.changes.map(change => [change.id, change]));
  const verdicts: VerdictResult[] = [];
  for (const override of overrides) {
    verdicts.push(judgeOverride(override, byId.get(override.id), changes.get(override.id), deps));
    yield;
  }
  return verdicts;
}

function judgeOverride(
  override: SyncOverride,
  verdict: VerdictResult | undefined,
  change: StudioChange | undefined,
  deps: JudgeDeps,
): VerdictResult {
  const { id, direction } = override;
  if (verdict === undefined) return { id, direction, verdict: 'stale_id', reason: reasonOf('no_verdict') };
  if (verdict.verdict !== 'accepted') return { ...verdict, direction };
  const rejection = rejectionOf(override, change, deps);
  return rejection === undefined ? { ...verdict, direction } : { id, direction, ...rejection };
}

function rejectionOf(override: SyncOverride, change: StudioChange | undefined, deps: JudgeDeps): Rejection | undefined {
  const ref = change === undefined || change.patchType === 'Remove' ? undefined : parseRef(override.id);
  const disk = ref && deps.session.get(ref);
  return (
    mergeRejection(override, change) ??
    diskRejection(override, disk, deps) ??
    subtreeRejection(override, change, deps) ??
    checkOverrideRules(deps.settings, {
      hasNoPrecondition: hasNoPrecondition(override, change),
      isDestructive: () => isDestructive(change, override),
      missingPrecondition: missingPrecondition(override, change),
    })
  );
}

/** A merge overwrites both sides, so the caller must have seen both. */
function mergeRejection(
  { direction, text, studioHash, diskHash }: SyncOverride,
  change: StudioChange | undefined,
): Rejection | undefined {
  if (direction !== 'merge')
    return text === undefined ? undefined : { verdict: 'not_mergeable', reason: reasonOf('text_requires_merge') };
  if (change?.patchType !== 'Edit') return { verdict: 'not_mergeable', reason: reasonOf('one_side_only') };
  if (diskHash !== undefined && (studioHash !== undefined || change.studioHash === undefined)) return undefined;
  const missing = change.studioHash === undefined ? 'diskHash' : 'studioHash and diskHash';
  return { verdict: 'precondition_missing', reason: reasonOf('merge_requires', missing) };
}

/** A pull overwrites disk, so disk must be as the caller saw it, even if the override quotes no hash. */
function diskRejection(
  { id, direction, diskHash }: SyncOverride,
  disk: Instance | undefined,
  deps: JudgeDeps,
): Rejection | undefined {
  const state = disk && deps.baseStates.identify(disk);
  const hash = disk && (hashOfSource(disk, deps.hasher) ?? state);
  if (diskHash !== undefined && diskHash !== hash)
    return {
      verdict: 'disk_mismatch',
      reason: hash === undefined ? reasonOf('not_on_disk') : reasonOf('disk_hash_now', hash),
    };
  const seen = deps.seen?.(id);
  if (direction === 'push' || seen === undefined || seen.disk === state) return undefined;
  return {
    verdict: 'disk_mismatch',
    reason: hash === undefined ? reasonOf('not_on_disk') : reasonOf('disk_hash_since_seen', hash),
  };
}

/** A push of an instance that is only in Studio removes the whole subtree, so the subtree must be as the caller saw it. */
function subtreeRejection(
  { id, direction, subtreeHash }: SyncOverride,
  change: StudioChange | undefined,
  { seen }: JudgeDeps,
): Rejection | undefined {
  const subtree = change?.subtree;
  const relied = subtreeHash ?? (direction === 'push' ? seen?.(id)?.subtree : undefined);
  if (relied === undefined || relied === subtree?.hash) return undefined;
  if (subtree === undefined) return { verdict: 'hash_mismatch', reason: reasonOf('no_subtree') };
  return {
    verdict: 'hash_mismatch',
    reason: reasonOf('subtree_now', subtree.count, subtree.hash),
  };
}

const isRemovalInStudio = ({ direction }: SyncOverride, change: StudioChange | undefined): boolean =>
  direction === 'push' && change?.patchType === 'Remove';
const replacesFiles = ({ direction }: SyncOverride, change: StudioChange | undefined): boolean =>
  direction === 'pull' && change?.patchType !== 'Remove';

/**
 * Whether the override has no precondition for the losing side: a `diskHash` for files; in Studio, a `studioHash` for scripts or a list of
 * values that is not empty. A removal of several instances requires the hash of all of them.
 */
function hasNoPrecondition(override: SyncOverride, change: StudioChange | undefined): boolean {
  const { studioHash, diskHash, subtreeHash, expectedProperties } = override;
  // Checked by `mergeRejection`.
  if (override.direction === 'merge') return false;
  if (replacesFiles(override, change)) return diskHash === undefined;
  if (isRemovalInStudio(override, change) && subtreeHash !== undefined) return false;
  if (isRemovalInStudio(override, change) && (change?.subtree?.count ?? 1) > 1) return true;
  return (
    (studioHash === undefined || change?.studioHash === undefined) && Object.keys(expectedProperties ?? {}).length === 0
  );
}

function missingPrecondition(override: SyncOverride, change: StudioChange | undefined): Reason {
  if (replacesFiles(override, change))
    return reasonOf(change?.patchType === 'Add' ? 'pass_disk_hash' : 'pass_disk_hash_of_pull');
  if (isRemovalInStudio(override, change) && change?.subtree !== undefined) return reasonOf('pass_subtree_hash');
  return reasonOf('pass_studio_hash');
}

/** Whether the override replaces or removes something on the losing side. */
function isDestructive(change: StudioChange | undefined, override: SyncOverride): boolean {
  if (change === undefined || change.patchType === 'Edit') return true;
  return change.patchType === 'Add' ? override.direction === 'pull' : override.direction === 'push';
}
