import type { ProjectPath, Ref } from '../base/brand.ts';
import type { Event } from '../base/emitter.ts';
import type { FilePrecondition } from '../ports/file-system.ts';
import type { Instance } from '../roblox/instances/instance.ts';
import type { StudioInstance } from '../protocol/studio/stream.ts';

/** A file of the project that cannot be read as what it should be. Lines and columns count from 1. */
export interface ProjectDiagnostic {
  readonly file: ProjectPath;
  readonly line: number;
  readonly column: number;
  readonly severity: 'error' | 'warning';
  readonly message: string;
}

/** What the project is, from its project file. */
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

/** One file to be written or removed, with what must still be true of it. A plan is data: preview is the plan. */
export type FileEdit =
  | {
      readonly kind: 'write';
      readonly path: ProjectPath;
      readonly bytes: Uint8Array;
      readonly precondition: FilePrecondition;
    }
  | {
      readonly kind: 'remove';
      readonly path: ProjectPath;
      readonly precondition: FilePrecondition | { readonly kind: 'emptyFolder' };
    };

/** A pull that was asked for: Studio's state of a change wins. */
export type PullRequest =
  | { readonly kind: 'edit'; readonly id: Ref; readonly studio: StudioInstance }
  /** In Studio only: becomes files. `parentId` is in the tree. */
  | { readonly kind: 'create'; readonly parentId: Ref; readonly studio: StudioInstance }
  /** On disk only: its files go. */
  | { readonly kind: 'delete'; readonly id: Ref };

export type PullPlan =
  | { readonly ok: true; readonly edits: readonly FileEdit[] }
  | { readonly ok: false; readonly reason: string };

/** What becomes of one of several pulls. */
export type PullOutcome =
  /** Edits of these paths are for it; an edit may be for several pulls. */
  | { readonly ok: true; readonly paths: ReadonlySet<ProjectPath> }
  /** `isKeptOut`: by a rule of the project, so nobody needs to hear of it. */
  | { readonly ok: false; readonly reason: string; readonly isKeptOut: boolean };

export interface PullsPlan {
  /** In the order of the requests. */
  readonly pulls: readonly PullOutcome[];
  /** In the order in which they are to be carried out. */
  readonly edits: readonly FileEdit[];
}

/** One patch of the tree. */
export interface TreeChange {
  readonly revision: number;
  /** Every instance of the patch as it was; `undefined` for one that is new. `ProjectSession.get` has what it is now. */
  readonly before: ReadonlyMap<Ref, Instance | undefined>;
}

/** One loaded project: the tree that its files describe, kept up to date. The last good state stays when a file is broken. */
export interface ProjectSession {
  readonly info: ProjectInfo;
  readonly rootId: Ref;
  /** Counts patches; `messageCursor` on the wire. */
  revision(): number;
  get(id: Ref): Instance | undefined;
  /** `id` and everything below it, parents before children. */
  descendants(id: Ref): Iterable<Instance>;
  /** Ids whose source is exactly that path, or whose folder it is the init file of; in tree order. */
  idsAtPath(path: ProjectPath): readonly Ref[];
  /** Ids that a change of that path may concern (relevant paths). */
  idsTouchedBy(path: ProjectPath): readonly Ref[];
  /** The file to edit for an instance (init file for a folder script), or `null`. */
  fsPathOf(id: Ref): ProjectPath | null;
  /** Of the paths that a change of can change the instance, those at which there is a file; in their order. */
  filesOf(id: Ref): readonly ProjectPath[];
  /**
   * Re-reads what hints said may have changed; resolves when the tree holds what disk held at the call. Cheap when nothing did. With
   * `paths`, looks at those and what is below them alone, whatever the size of the project.
   */
  refresh(signal: AbortSignal, paths?: readonly ProjectPath[]): Promise<void>;
  /** Reads what is known to have changed by now, and nothing else; of a change that nobody has told of yet it says nothing. */
  catchUp(signal: AbortSignal): Promise<void>;
  diagnostics(): readonly ProjectDiagnostic[];
  readonly onDidChange: Event<TreeChange>;
  readonly onDidChangeDiagnostics: Event<readonly ProjectDiagnostic[]>;
  /**
   * Plans pulls together: several that change one file give one edit of it. Reads files, writes none. Line ends, byte-order mark and
   * layout of the files that are replaced are kept.
   */
  planPulls(requests: readonly PullRequest[], signal: AbortSignal): Promise<PullsPlan>;
  /** The same for one. */
  planPull(request: PullRequest, signal: AbortSignal): Promise<PullPlan>;
  [Symbol.dispose](): void;
}
