import type { ProjectPath } from '../base/brand.ts';
import type { GitStatus } from '../ports/git.ts';
import { type DefaultReason, defaultRule } from '../protocol/default-reasons.ts';
import type { Resolution } from '../protocol/sync-request.ts';
import type { PatchType } from '../protocol/sync-result.ts';

/**
 * The side that changed since the last common version. `removed_in_studio`: both sides had the instance, and now only disk has it.
 * `never_compared`: the last common version does not have a property that differs now.
 */
export type BaseMovement =
  | 'unknown'
  | 'disk_moved'
  | 'studio_moved'
  | 'both_moved'
  | 'removed_in_studio'
  | 'never_compared';

/** Input of the default-selection rules (see the table under "Defaults" in docs/architecture.md). */
export interface DefaultFacts {
  readonly patchType: PatchType;
  /** Compared with the last common version. */
  readonly movement: BaseMovement;
  /** The files that this instance is or may be created from; empty for an instance that is only in Studio. */
  readonly relevantPaths: readonly ProjectPath[];
  /** The script's own file. */
  readonly fsPath: ProjectPath | null;
  /** For a folder on disk, the files of all descendants; `undefined` for anything else. */
  readonly filesBelow: readonly ProjectPath[] | undefined;
  readonly sourceDiffers: boolean;
  readonly otherPropertiesDiffer: boolean;
  /** Whether Studio has a state from before the last sync, or its place is older than the last sync. */
  readonly isOlderInStudio: boolean;
  /** Hash of the saved Source in Studio, and of an open draft that differs from it. */
  readonly studioHashes: readonly string[];
}

export interface DefaultSelection {
  readonly selection: Resolution | null;
  readonly reason: DefaultReason;
}

const select = (reason: DefaultReason): DefaultSelection => ({
  selection: defaultRule(reason).selection ?? null,
  reason,
});

/**
 * Selects the default for a change: the conditions of the rules in `protocol/default-reasons.ts`. The default is never a deletion on either
 * side, nor a pull of an older state.
 */
export function defaultSelection(git: GitStatus | undefined, facts: DefaultFacts): DefaultSelection {
  const selected = byMovementOrGit(git, facts);
  return selected.selection === 'pull' && facts.isOlderInStudio ? select('base_studio_older') : selected;
}

function byMovementOrGit(git: GitStatus | undefined, facts: DefaultFacts): DefaultSelection {
  if (facts.patchType === 'Remove' || facts.movement === 'removed_in_studio') return select('removal');
  if (facts.movement === 'disk_moved') return select('base_disk_moved');
  if (facts.movement === 'studio_moved') return select('base_studio_moved');
  if (facts.movement === 'both_moved') return select('base_both_moved');
  if (facts.movement === 'never_compared') return select('base_never_compared');
  if (git === undefined) return select('no_git');
  if (facts.relevantPaths.some(path => git.ignored.has(path))) return select('git_ignored_file');
  return facts.patchType === 'Add' ? defaultOfAdd(git, facts) : defaultOfEdit(git, facts);
}

function defaultOfEdit(git: GitStatus, facts: DefaultFacts): DefaultSelection {
  if (facts.relevantPaths.length === 0) return select('git_both_moved');
  if (!facts.relevantPaths.some(path => git.changed.has(path))) return select('git_unchanged_on_disk');
  const known = facts.fsPath === null ? [] : (git.blobs.get(facts.fsPath) ?? []);
  // Properties have no history, so a person decides about a script whose properties differ too.
  const onlySource = facts.sourceDiffers && !facts.otherPropertiesDiffer;
  if (onlySource && facts.studioHashes.some(hash => known.includes(hash)))
    return select('git_studio_has_known_version');
  return select('git_both_moved');
}

function defaultOfAdd(git: GitStatus, facts: DefaultFacts): DefaultSelection {
  const { filesBelow } = facts;
  // git lists files, never folders: a folder is new if all of its files are.
  const isNew =
    filesBelow === undefined
      ? facts.relevantPaths.some(path => git.untracked.has(path))
      : filesBelow.length > 0 && filesBelow.every(path => git.untracked.has(path));
  return isNew ? select('git_new_file') : select('git_tracked_file_not_in_studio');
}
