import type { ProjectPath } from '../base/brand.ts';
import type { GitStatus } from '../ports/git.ts';
import type { DefaultReason, Direction, PatchType } from '../protocol/sync.ts';

/** How a change came about since both sides last agreed. `removed_in_studio`: both had it, and now only disk has. */
export type Movement = 'unknown' | 'disk_moved' | 'studio_moved' | 'both_moved' | 'removed_in_studio';

/** Input of the default-selection rules (see the table under "Defaults" in docs/architecture.md). */
export interface DefaultFacts {
  readonly patchType: PatchType;
  /** Against what both sides last agreed on. */
  readonly movement: Movement;
  /** The files that this instance comes from, and may come from; empty for what only Studio holds. */
  readonly relevantPaths: readonly ProjectPath[];
  /** The script's own file. */
  readonly fsPath: ProjectPath | null;
  /** A folder on disk: the files of everything below it; `undefined` for anything else. */
  readonly filesBelow: readonly ProjectPath[] | undefined;
  readonly sourceDiffers: boolean;
  readonly otherPropertiesDiffer: boolean;
  /** Whether Studio has a state that it had before the last sync, or its place is older than the last sync. */
  readonly isOlderInStudio: boolean;
  /** Hash of the saved Source in Studio, and of an open draft that differs from it. */
  readonly studioHashes: readonly string[];
}

export interface DefaultSelection {
  readonly selection: Direction | null;
  readonly reason: DefaultReason;
}

const unresolved = (reason: DefaultReason): DefaultSelection => ({ selection: null, reason });

/** Selects the default for a change. A deletion is never a default, on either side, and neither is the pull of an older state. */
export function defaultSelection(git: GitStatus | undefined, facts: DefaultFacts): DefaultSelection {
  const selected = byMovementOrGit(git, facts);
  return selected.selection === 'pull' && facts.isOlderInStudio ? unresolved('base_studio_older') : selected;
}

function byMovementOrGit(git: GitStatus | undefined, facts: DefaultFacts): DefaultSelection {
  if (facts.patchType === 'Remove' || facts.movement === 'removed_in_studio') return unresolved('removal');
  if (facts.movement === 'disk_moved') return { selection: 'push', reason: 'base_disk_moved' };
  if (facts.movement === 'studio_moved') return { selection: 'pull', reason: 'base_studio_moved' };
  if (facts.movement === 'both_moved') return unresolved('base_both_moved');
  if (git === undefined) return unresolved('no_git');
  if (facts.relevantPaths.some(path => git.ignored.has(path))) return unresolved('git_ignored_file');
  return facts.patchType === 'Add' ? defaultOfAdd(git, facts) : defaultOfEdit(git, facts);
}

function defaultOfEdit(git: GitStatus, facts: DefaultFacts): DefaultSelection {
  if (facts.relevantPaths.length === 0) return unresolved('git_both_moved');
  if (!facts.relevantPaths.some(path => git.changed.has(path)))
    return { selection: 'pull', reason: 'git_unchanged_on_disk' };
  const known = facts.fsPath === null ? [] : (git.blobs.get(facts.fsPath) ?? []);
  // Properties have no history that could be asked, so a script whose properties differ too is a person's to decide.
  const onlySource = facts.sourceDiffers && !facts.otherPropertiesDiffer;
  if (onlySource && facts.studioHashes.some(hash => known.includes(hash)))
    return { selection: 'push', reason: 'git_studio_has_known_version' };
  return unresolved('git_both_moved');
}

function defaultOfAdd(git: GitStatus, facts: DefaultFacts): DefaultSelection {
  const { filesBelow } = facts;
  // git lists files, never folders: a folder is new when all that it holds is.
  const isNew =
    filesBelow === undefined
      ? facts.relevantPaths.some(path => git.untracked.has(path))
      : filesBelow.length > 0 && filesBelow.every(path => git.untracked.has(path));
  return isNew ? { selection: 'push', reason: 'git_new_file' } : unresolved('git_tracked_file_not_in_studio');
}
