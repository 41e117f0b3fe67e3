import type { ProjectPath } from '../base/brand.ts';

/** The git status of the project's files. All paths are relative to the project folder, even if the repository root is above it. */
export interface GitStatus {
  /** Differ from `HEAD` in the work tree or in the index, or are untracked. */
  readonly changed: ReadonlySet<ProjectPath>;
  /** Subset of `changed`: not in `HEAD` and not in the index. */
  readonly untracked: ReadonlySet<ProjectPath>;
  /** Ignored by git. The git-based default rules do not apply to these files. */
  readonly ignored: ReadonlySet<ProjectPath>;
  /** Blob ids (40 hex digits) of a changed path in `HEAD` and then in the index, without duplicates. */
  readonly blobs: ReadonlyMap<ProjectPath, readonly string[]>;
}

export interface Git {
  /** `undefined` if the project folder is not in a git work tree or git cannot be run. Uses no network and takes no lock. */
  status(signal: AbortSignal): Promise<GitStatus | undefined>;
  /** The content of the file in `HEAD`; `undefined` if `HEAD` does not contain it or git is not available. */
  committed(path: ProjectPath, signal: AbortSignal): Promise<Uint8Array | undefined>;
  /** Those of `ids` (git blob ids) that the repository has; none without git. */
  storedBlobs(ids: readonly string[], signal: AbortSignal): Promise<ReadonlySet<string>>;
  /** The content of a blob; `undefined` if the repository does not have it or git is not available. */
  blob(id: string, signal: AbortSignal): Promise<Uint8Array | undefined>;
  /** Runs `git add` for files and folders, including removals. Logs paths that git rejects. Does nothing without git. */
  stage(paths: readonly ProjectPath[], signal: AbortSignal): Promise<void>;
}
