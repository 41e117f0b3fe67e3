import type { Reason } from '../protocol/reason.ts';
import type { ProjectPath, Ref } from '../base/brand.ts';
import type { Event } from '../base/emitter.ts';
import type { FileEdit } from '../ports/file-system.ts';
import type { Instance } from '../roblox/instances/instance.ts';
import type { StudioInstance } from '../protocol/studio/stream.ts';

/** A problem in a file of the project. Lines and columns start at 1. */
export interface ProjectDiagnostic {
  readonly file: ProjectPath;
  readonly line: number;
  readonly column: number;
  readonly severity: 'error' | 'warning';
  readonly message: string;
  /** The problem is a `$path` of a project file that does not exist. */
  readonly missing?: MissingPath;
}

/** A path that a project file names and that does not exist. */
export interface MissingPath {
  /** As the project file names it. */
  readonly path: string;
  /** The command of another program that creates it, if it is known from the name: `wally install`. */
  readonly command?: string;
}

/** Facts about the project, from its project file. */
export interface ProjectInfo {
  readonly name: string;
  readonly projectFile: ProjectPath;
  readonly dialect: 'rojo' | 'atlas';
  readonly servePlaceIds: readonly number[] | undefined;
  readonly blockedPlaceIds: readonly number[] | undefined;
  readonly gameId: number | undefined;
  readonly placeId: number | undefined;
  readonly ignoreHiddenServices: boolean;
  readonly syncScriptsOnly: boolean;
}

/** A requested pull: Studio's side of a change wins. An `edit` whose name differs also renames the files. */
export type PullRequest =
  | { readonly kind: 'edit'; readonly id: Ref; readonly studio: StudioInstance }
  /** Exists only in Studio: files are created. `parentId` is in the tree. */
  | { readonly kind: 'create'; readonly parentId: Ref; readonly studio: StudioInstance }
  /**
   * Has another parent in Studio: its file or folder is moved, and renamed if its name differs. `parentId` is in the tree, or is the id of an
   * instance that another pull of the plan creates.
   */
  | { readonly kind: 'move'; readonly id: Ref; readonly parentId: Ref; readonly name: string }
  /** Exists only on disk: its files are removed. */
  | { readonly kind: 'delete'; readonly id: Ref };

/** The planned outcome of one pull. */
export type PullOutcome =
  /** The edits of these paths belong to the pull. An edit may belong to several pulls. `entry`: the file or folder of a new or renamed instance. */
  | { readonly ok: true; readonly paths: ReadonlySet<ProjectPath>; readonly entry?: ProjectPath }
  /**
   * `isExcluded`: a rule of the project excludes the instance, so the refusal is not reported. `isOfWholeFile`: its file cannot be written
   * with all pulls together, so another pull may be the reason.
   */
  | { readonly ok: false; readonly reason: Reason; readonly isExcluded: boolean; readonly isOfWholeFile?: boolean };

export interface PullsPlan {
  /** In the order of the requests. */
  readonly pulls: readonly PullOutcome[];
  /** In the order of execution. */
  readonly edits: readonly FileEdit[];
  /** Instances that get another name, for `writeAlone`. */
  readonly renamed?: readonly RenamedInstance[];
}

/** An instance that gets another name. */
export interface RenamedInstance {
  readonly id: Ref;
  readonly parent: Ref;
  readonly className: string;
  /** The new name. */
  readonly name: string;
}

/** The rules of the project (`syncbackRules`) that keep new instances of Studio out of the files. */
export interface SyncbackExclusions {
  /** @param path of names below the root */
  readonly excludesInstance: (path: string, className: string) => boolean;
  readonly excludesFile: (path: ProjectPath) => boolean;
}

/** One patch of the tree. */
export interface TreeChange {
  readonly revision: number;
  /** The previous state of every changed instance, `undefined` for a new one. `ProjectSession.get` returns the current state. */
  readonly before: ReadonlyMap<Ref, Instance | undefined>;
}

/** One loaded project: the tree that its files describe, kept up to date. While a file is invalid, its last valid state is used. */
export interface ProjectSession {
  readonly info: ProjectInfo;
  readonly rootId: Ref;
  /** Number of patches so far; `messageCursor` on the wire. */
  revision(): number;
  get(id: Ref): Instance | undefined;
  /** Number of instances of the tree, for time limits that grow with it. */
  instanceCount(): number;
  /** The instance and its descendants, parents before children. */
  descendants(id: Ref): Iterable<Instance>;
  /** Ids of the instances whose source is that path, or whose init file it is; in tree order. */
  idsAtPath(path: ProjectPath): readonly Ref[];
  /** Ids of the instances that a change of that path may affect (relevant paths). */
  idsTouchedBy(path: ProjectPath): readonly Ref[];
  /** The file to edit for an instance (init file for a folder script), or `null`. */
  fsPathOf(id: Ref): ProjectPath | null;
  /** The relevant paths of the instance that are existing files, in their order. */
  filesOf(id: Ref): readonly ProjectPath[];
  /**
   * Reads changed files; resolves when the tree matches the disk at the time of the call. Cheap when nothing changed. With `paths`, checks
   * only those paths and their contents, so the cost does not depend on the size of the project.
   */
  refresh(signal: AbortSignal, paths?: readonly ProjectPath[]): Promise<void>;
  /** Reads the changes that the file watcher has already reported, without checking the disk for others. */
  catchUp(signal: AbortSignal): Promise<void>;
  diagnostics(): readonly ProjectDiagnostic[];
  readonly onDidChange: Event<TreeChange>;
  readonly onDidChangeDiagnostics: Event<readonly ProjectDiagnostic[]>;
  /**
   * Plans several pulls together, with one edit per changed file. Reads files but writes none. Edits keep line ends, byte-order mark and
   * layout.
   */
  planPulls(requests: readonly PullRequest[], signal: AbortSignal): Promise<PullsPlan>;
  /**
   * Runs `write`, which carries out a plan. Reads no file meanwhile: between two writes, a renamed instance is on disk under both names.
   *
   * @param renamed the renames of the plan, by which the next read recognizes the instances
   */
  writeAlone(renamed: PullsPlan['renamed'], write: () => Promise<void>): Promise<void>;
  syncbackExclusions(): SyncbackExclusions;
  [Symbol.dispose](): void;
}
