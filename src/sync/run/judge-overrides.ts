import { plural } from '../../base/plural.ts';
import type { Hasher } from '../../ports/hasher.ts';
import type { Settings } from '../../ports/settings.ts';
import { checkOverrideRules } from '../../protocol/override-policy.ts';
import type { OverrideVerdict, SyncOverride } from '../../protocol/sync.ts';
import type { Compared, StudioChange } from '../../protocol/studio/stream.ts';
import type { ProjectSession } from '../../project/project-session.ts';
import type { Instance } from '../../roblox/instances/instance.ts';
import { parseRef } from '../../roblox/values/ref.ts';
import type { BaseStates } from '../base/base-state.ts';
import { hashOfSource } from '../changes/change-list.ts';
import type { SeenState } from '../changes/seen-states.ts';

export interface JudgeDeps {
  readonly session: Pick<ProjectSession, 'get'>;
  readonly hasher: Hasher;
  readonly settings: Settings;
  readonly baseStates: BaseStates;
  /** What the caller was shown of a change in an earlier answer. */
  readonly seen?: ((id: string) => SeenState | undefined) | undefined;
}

type Rejection = Pick<OverrideVerdict, 'verdict' | 'reason'>;

/** Checks the overrides that Studio accepted against disk, against what the caller saw, and against the settings. */
export function judgeOverrides(
  overrides: readonly SyncOverride[],
  compared: Compared,
  deps: JudgeDeps,
): readonly OverrideVerdict[] {
  const byId = new Map(compared.overrides.map(verdict => [verdict.id, verdict]));
  const changes = new Map(compared.changes.map(change => [change.id, change]));
  return overrides.map(override => {
    const { id, direction } = override;
    const verdict = byId.get(id);
    if (verdict === undefined) return { id, direction, verdict: 'stale_id', reason: 'Studio gave no verdict' };
    if (verdict.verdict !== 'accepted') return { ...verdict, direction };
    const rejection = rejectionOf(override, changes.get(id), deps);
    return rejection === undefined ? { ...verdict, direction } : { id, direction, ...rejection };
  });
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

/** A merge overwrites both sides, so it always requires what the caller saw of both. */
function mergeRejection(
  { direction, text, studioHash, diskHash }: SyncOverride,
  change: StudioChange | undefined,
): Rejection | undefined {
  if (direction !== 'merge')
    return text === undefined ? undefined : { verdict: 'not_mergeable', reason: 'text requires the direction merge' };
  if (change?.patchType !== 'Edit') return { verdict: 'not_mergeable', reason: 'only one side has it' };
  if (diskHash !== undefined && (studioHash !== undefined || change.studioHash === undefined)) return undefined;
  const missing = change.studioHash === undefined ? 'diskHash' : 'studioHash and diskHash';
  return { verdict: 'precondition_missing', reason: `a merge overwrites both sides: pass ${missing}` };
}

/** A pull overwrites disk, so disk must be as the caller saw it, whether or not the override quotes the hash. */
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
      reason: hash === undefined ? 'disk does not have it' : `it changed on disk; its diskHash is now ${hash}`,
    };
  const seen = deps.seen?.(id);
  if (direction === 'push' || seen === undefined || seen.disk === state) return undefined;
  return { verdict: 'disk_mismatch', reason: `it changed on disk since you saw it; its diskHash is now ${hash}` };
}

/** A push of what only Studio has removes the whole subtree, so the subtree must be as the caller saw it. */
function subtreeRejection(
  { id, direction, subtreeHash }: SyncOverride,
  change: StudioChange | undefined,
  { seen }: JudgeDeps,
): Rejection | undefined {
  const subtree = change?.subtree;
  const relied = subtreeHash ?? (direction === 'push' ? seen?.(id)?.subtree : undefined);
  if (relied === undefined || relied === subtree?.hash) return undefined;
  if (subtree === undefined) return { verdict: 'hash_mismatch', reason: 'the change has no subtree' };
  const count = plural(subtree.count, '1 instance', `${subtree.count} instances`);
  return {
    verdict: 'hash_mismatch',
    reason: `the instances below it changed in Studio; it now has ${count} and the subtree.hash ${subtree.hash}`,
  };
}

const isRemovalInStudio = ({ direction }: SyncOverride, change: StudioChange | undefined): boolean =>
  direction === 'push' && change?.patchType === 'Remove';
const isRemovalOnDisk = ({ direction }: SyncOverride, change: StudioChange | undefined): boolean =>
  direction === 'pull' && change?.patchType === 'Add';

/**
 * Whether the override checked nothing on the side that loses: a studioHash applies to scripts only, and an empty list of values checks
 * nothing. A removal of several instances requires the hash of all of them.
 */
function hasNoPrecondition(override: SyncOverride, change: StudioChange | undefined): boolean {
  const { studioHash, diskHash, subtreeHash, expectedProperties } = override;
  if (isRemovalOnDisk(override, change)) return diskHash === undefined;
  if (isRemovalInStudio(override, change) && subtreeHash !== undefined) return false;
  if (isRemovalInStudio(override, change) && (change?.subtree?.count ?? 1) > 1) return true;
  return (
    (studioHash === undefined || change?.studioHash === undefined) &&
    (diskHash === undefined || override.direction === 'push') &&
    Object.keys(expectedProperties ?? {}).length === 0
  );
}

function missingPrecondition(override: SyncOverride, change: StudioChange | undefined): string {
  if (isRemovalOnDisk(override, change)) return 'the override removes files: pass diskHash';
  if (isRemovalInStudio(override, change) && change?.subtree !== undefined)
    return 'the override removes instances from Studio: pass subtreeHash';
  return 'the override replaces or removes something: pass studioHash or expectedProperties';
}

/** Whether the override replaces or removes something on the losing side. */
function isDestructive(change: StudioChange | undefined, override: SyncOverride): boolean {
  if (change === undefined || change.patchType === 'Edit') return true;
  return change.patchType === 'Add' ? override.direction === 'pull' : override.direction === 'push';
}
