import type { ProjectPath } from '../base/brand.ts';

/** What git knows of the project's files. All paths are relative to the project folder, also when the repository starts above it. */
export interface GitStatus {
  /** Differ from `HEAD` in the work tree or in the index, or are untracked. */
  readonly changed: ReadonlySet<ProjectPath>;
  /** Subset of `changed`: not in `HEAD` and not in the index. */
  readonly untracked: ReadonlySet<ProjectPath>;
  /** Ignored by git's own rules: git says nothing of them, so neither do the rules that rest on it. */
  readonly ignored: ReadonlySet<ProjectPath>;
  /** Blob ids (40 hex digits) that git knows for a changed path: `HEAD`'s, then the index's, without repetition. */
  readonly blobs: ReadonlyMap<ProjectPath, readonly string[]>;
}

export interface Git {
  /** `undefined` when the project folder is in no git work tree or git cannot be run. Never touches the network, takes no lock. */
  status(signal: AbortSignal): Promise<GitStatus | undefined>;
  /** The file as it is in `HEAD`; `undefined` where it is not, or there is no git. */
  committed(path: ProjectPath, signal: AbortSignal): Promise<Uint8Array | undefined>;
  /** `git add` of files and folders, removals too, as far as git takes them; what it does not is in the log. Nothing without git. */
  stage(paths: readonly ProjectPath[], signal: AbortSignal): Promise<void>;
}
