import type { ProjectPath } from '../base/brand.ts';
import type { Event } from '../base/emitter.ts';
import type { AppError } from '../base/errors.ts';
import type { Sentence } from '../base/sentence.ts';
import type { NamedPath } from '../protocol/path-name.ts';
import type { Generations } from '../protocol/acknowledgement.ts';
import type { SyncInput } from '../protocol/sync-request.ts';
import type { BulkOverride } from '../protocol/sync-result.ts';
import type { RecordedResult, RunResult } from '../protocol/run-result.ts';
import type { BaseStore } from '../ports/base-store.ts';
import type { Clock } from '../ports/clock.ts';
import type { FileSystem } from '../ports/file-system.ts';
import type { Git } from '../ports/git.ts';
import type { Hasher } from '../ports/hasher.ts';
import type { JournalStore } from '../ports/journal-store.ts';
import type { Logger } from '../ports/logger.ts';
import type { Random } from '../ports/random.ts';
import type { ReviewControl, ReviewSurface } from '../ports/review-surface.ts';
import type { RunLock } from '../ports/run-lock.ts';
import type { CheckedMerge, ScriptMerger } from '../ports/script-merger.ts';
import type { Settings } from '../ports/settings.ts';
import type { TextStore } from '../ports/text-store.ts';
import type { Reflection } from '../roblox/instances/reflection.ts';
import type { ProjectSession } from '../project/project-session.ts';
import type { StudioDirectory } from '../studio/studio-link.ts';

export type RunPhase = 'requested' | 'comparing' | 'reviewing' | 'applying' | 'verifying' | 'ended';

/** Restores one side of a recorded run: all changes, or only `ids`. */
export interface RestoreRequest {
  readonly runId: string;
  readonly side: 'disk' | 'studio';
  readonly ids?: readonly string[] | undefined;
}

export interface SyncRequest extends SyncInput {
  /** The name of the requester for people: `Copilot`, `palette`, `CLI`. */
  readonly requestedBy: string;
  /**
   * The plan that the requester expects, as `formatPlan` describes it. A run without a review ends as refused if it would do anything else.
   */
  readonly plan?: string | undefined;
  /** Decisions for lists of changes. Those for single changes take precedence. */
  readonly bulk?: readonly BulkOverride[] | undefined;
  /** The session of an agent. Its decisions must rely on the states that it was shown; see `markSeen`. */
  readonly client?: object | undefined;
  /** Restores instead of syncing. A person decides in every mode, except in a dry run. */
  readonly restore?: RestoreRequest | undefined;
  /** The caller shows the problems of the project files itself, so the result has no warnings about them. */
  readonly showsProjectWarnings?: boolean;
  /** The request is invalid: the run ends with this error at once, so that the caller gets a normal result. */
  readonly refusal?: AppError | undefined;
  /** Whether the requester shows the review to a person: a terminal, or an MCP client with forms. */
  readonly canDecide?: boolean;
  /** For a dry run in the background only: it is never `current`, and any other run ends it. */
  readonly isBackground?: boolean;
  /** Whether a person reviews the untracked properties of Studio, also if nothing differs. For the mode `manual`. */
  readonly showsUntracked?: boolean;
}

/** `message` is one sentence for people and agents; `done` and `total` only if something is counted. */
export interface RunProgress {
  readonly phase: RunPhase;
  readonly message: Sentence;
  readonly done?: number;
  readonly total?: number;
}

/** One sync from request to outcome. `result` resolves exactly once and never rejects. */
export interface SyncRun {
  readonly runId: string;
  /** Whether an agent requested it. */
  readonly isByAgent: boolean;
  /** Whether it only compares, and changes neither side. */
  readonly isDryRun: boolean;
  readonly result: Promise<RunResult>;
  /** The current result; `undefined` while the run is in progress. A late answer of Studio may add outcomes that `result` does not have. */
  latest(): RunResult | undefined;
  phase(): RunPhase;
  readonly onProgress: Event<RunProgress>;
  /** Before the first write, the run ends as `cancelled` with nothing applied. Afterwards, this has no effect. */
  cancel(): void;
  /** Explains the default of a change by base, disk and Studio; `undefined` for an unknown change. */
  explain(id: string): string | undefined;
  /** The handle of the Studio that takes part, as far as it is known. */
  studio(): string | undefined;
  /** The open review, while the run waits for a person. */
  review(): ReviewControl | undefined;
}

/** Input of `get_script`: `id` or `fsPath`. If both are set, `id` is used. */
export interface ScriptRequest {
  readonly id?: string | undefined;
  readonly fsPath?: string | undefined;
  readonly fromDraft: boolean;
  /** The Studio to use; required only if several are connected. */
  readonly studio?: string | undefined;
}
export interface ScriptText {
  readonly source: string;
  /** The git blob id of `source`. */
  readonly studioHash: string;
  readonly className: string;
  readonly instancePath: string;
  readonly isDraft: boolean;
  readonly at: Generations;
  readonly id: string;
  readonly fsPath: string | null;
}

/** Input of `get_merge`: `id` or `fsPath`. If both are set, `id` is used. */
export type MergeRequest = Pick<ScriptRequest, 'id' | 'fsPath' | 'studio'>;

/** A script whose sides differ, merged with the base. */
export interface ScriptMerge extends Omit<ScriptText, 'source' | 'isDraft'> {
  readonly diskHash: string;
  /** `undefined` if no base text is known. */
  readonly merge: CheckedMerge | undefined;
}

/**
 * The replaced and the written text of a recorded run on one side. An empty text: the file or instance did not exist.
 * `path`: of the file, or of the instance; a script has the extension `.luau`. `movedFrom`: the former path of a renamed or moved file.
 */
export interface RecordedDiff extends NamedPath {
  readonly movedFrom?: string;
  readonly changeId: string;
  readonly side: 'disk' | 'studio';
  readonly before: string;
  readonly after: string;
}

/** The only entry point of a sync, used by MCP, palette, review and CLI. */
export interface SyncEngine {
  /** Never throws: the result of a refused run (`not_connected`, `sync_in_progress`) is the refusal. */
  start(request: SyncRequest): SyncRun;
  /** A run in progress, or one of the last 500 runs; fewer if they have more than 100,000 changes together. */
  find(runId: string): SyncRun | undefined;
  /** The run in progress, except dry runs in the background. */
  current(): SyncRun | undefined;
  /** Records that `client` was shown the changes `ids` of a run. Its overrides rely on these states. */
  markSeen(runId: string, ids: ReadonlySet<string>, client: object | undefined): void;
  /** The files that pulls of the changes `ids` of a run would create, by change id. Empty once Studio no longer has the comparison. */
  newFiles(runId: string, ids: ReadonlySet<string>, signal: AbortSignal): Promise<ReadonlyMap<string, ProjectPath>>;
  /** Fires when a run starts, changes its phase, or ends. */
  readonly onDidChange: Event<void>;
  /** The recorded runs, newest first, at most `limit`. */
  history(limit: number): Promise<readonly RecordedResult[]>;
  /** One recorded run; `undefined` if the journal does not have it. */
  recorded(runId: string): Promise<RecordedResult | undefined>;
  /** The replaced and the written texts of a recorded run, for some changes or for all. @throws AppError UNKNOWN_OPERATION */
  recordedDiffs(runId: string, ids: readonly string[] | undefined, max?: number): Promise<readonly RecordedDiff[]>;
  /** Whether the run is in progress in another window or program. */
  isElsewhere(runId: string): Promise<boolean>;
  /** The id of the run in progress in another project of the window, another window or another program. */
  runElsewhere(): Promise<string | undefined>;
  /**
   * Reads the current text of a script from Studio.
   *
   * @throws AppError NO_PROJECT, PROJECT_INVALID, INVALID_INPUT, PATH_OUTSIDE_ROOT, STUDIO_NOT_CONNECTED, STUDIO_AMBIGUOUS, UNKNOWN_STUDIO,
   * SCRIPT_NOT_FOUND, NOT_A_SCRIPT, STUDIO_BUSY, STUDIO_DISCONNECTED
   */
  readScript(request: ScriptRequest, signal: AbortSignal): Promise<ScriptText>;
  /** Merges both sides of a script; changes nothing. @throws AppError as `readScript` */
  readMerge(request: MergeRequest, signal: AbortSignal): Promise<ScriptMerge>;
}

export interface SyncEngineDeps {
  /** The loaded project. @throws AppError NO_PROJECT, PROJECT_INVALID */
  readonly project: () => ProjectSession;
  readonly studios: StudioDirectory;
  /** The address for Studio, for error messages. */
  readonly studioUrl: () => string;
  readonly files: FileSystem;
  readonly git: Git;
  readonly hasher: Hasher;
  readonly journal: JournalStore;
  /** Journals of commands for the same project, which history and restores read too. */
  readonly otherJournals?: readonly JournalStore[] | undefined;
  readonly bases: BaseStore;
  readonly texts: TextStore;
  readonly merger: ScriptMerger;
  readonly runLock: RunLock;
  readonly clock: Clock;
  readonly random: Random;
  readonly settings: Settings;
  readonly reflection: Reflection;
  readonly log: Logger;
  /** `undefined` if no person can be asked. */
  readonly reviewSurface: ReviewSurface | undefined;
  /** The files with edits in an editor that are not on disk; `undefined` without an editor. */
  readonly unsavedFiles?: (() => ReadonlySet<ProjectPath>) | undefined;
  /** Fires when a file is added to or removed from `unsavedFiles`. */
  readonly onDidChangeUnsaved?: Event<void> | undefined;
  /** Whether a Studio is in Live Sync, which follows the files. */
  readonly isLive?: (() => boolean) | undefined;
}
