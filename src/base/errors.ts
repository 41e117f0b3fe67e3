import { describeCause } from './describe-cause.ts';
import type { CatalogRow, NextSteps, Retry } from './error-row.ts';
import { type PlutoErrorDetails, plutoErrors, type SourceProblem } from './pluto-errors.ts';
import { formatSentence, say, type Sentence } from './sentence.ts';
import {
  refusalSentence,
  type ReviewRefusal,
  type ReviewRefusalArgs,
  type ReviewRefusalCode,
} from './review-refusals.ts';
import { type RetrievalErrorDetails, retrievalErrors } from './retrieval-errors.ts';

/** A connected Studio. `studio` is its handle in tool calls; `placeId` is 0 for a place that was never published. */
export interface ListedStudio {
  readonly studio: string;
  readonly place: string;
  readonly placeId: number;
}

const listed = (studios: readonly ListedStudio[]): string =>
  studios
    .map(({ studio, place, placeId }) => `${studio} (${place}${placeId === 0 ? '' : `, place ${placeId}`})`)
    .join(', ');

/** A project of a window, with the handles of the Studios that are connected to it. */
export interface ListedProject {
  readonly project: string;
  /** The path of its project file. */
  readonly file: string;
  readonly studios: readonly string[];
}

const listedProjects = (projects: readonly ListedProject[]): string =>
  projects.map(({ project, file, studios }) => `${project} (${[file, ...studios].join(', ')})`).join(', ');

/**
 * The catalog of failures that callers (agents, people, scripts) may branch on: the code, its details, the message and the next
 * step. The meaning of a code never changes. Bugs and broken environments remain ordinary `Error`s.
 * A new code causes a compile error wherever codes are mapped, until it is mapped there too.
 */
export interface ErrorDetails extends RetrievalErrorDetails, PlutoErrorDetails {
  INVALID_INPUT: { problems: string };
  PLAN_CHANGED: { plan: string };
  /** `others`: project files in the folder that have no default name. */
  NO_PROJECT: { folder: string; lookedFor: readonly string[]; others?: readonly string[] };
  PROJECT_EXISTS: { file: string };
  /** `filter`: there are test files, and none of their tests match it. */
  NO_TESTS: { project: string; filter?: string };
  /** `missing`: the problem is a `$path` that does not exist, and `command` creates it. */
  PROJECT_INVALID: {
    file: string;
    line: number;
    column: number;
    expected: string;
    missing?: { readonly path: string; readonly command?: string };
  };
  /** The window serves several projects, and none of them is the only one that the call can mean. */
  PROJECT_AMBIGUOUS: { projects: readonly ListedProject[] };
  UNKNOWN_PROJECT: { project: string; projects: readonly ListedProject[] };
  STUDIO_NOT_CONNECTED: { studioUrl: string };
  STUDIO_AMBIGUOUS: { studios: readonly ListedStudio[] };
  UNKNOWN_STUDIO: { studio: string; studios: readonly ListedStudio[] };
  STUDIO_NOT_RESPONDING: { signal: string; budgetMs: number };
  HEADLESS_BLOCKED: { file: string; seconds: number };
  STUDIO_BUSY: { signal: string; budgetMs: number };
  STUDIO_DISCONNECTED: { phase: string };
  STUDIO_FAILED: { reason: string | Sentence; code?: string; className?: string };
  REVIEW_UNAVAILABLE: { reason: string };
  REVIEW_TIMEOUT: { minutes: number };
  REVIEW_REFUSED: { reason: ReviewRefusal };
  PROJECT_CHANGING: { tries: number };
  STUDIO_UNSUPPORTED: { missing: readonly string[] };
  /** `project`: the run syncs another project of this window. */
  SYNC_IN_PROGRESS: { runId: string; project?: string };
  LOCKED_BY_OTHER_WINDOW: { runId: string };
  RUN_INTERRUPTED: { runId: string };
  UNKNOWN_OPERATION: { operationId: string };
  SCRIPT_NOT_FOUND: { what: string; reason?: string | Sentence };
  NOT_A_SCRIPT: { what: string; className: string };
  FILE_CHANGED: { file: string };
  FILE_OVERWRITTEN: { file: string };
  /** `isOccupied`: something else has the name of the file, or of a folder above it. */
  FS_WRITE_FAILED: { file: string; reason: string; isOccupied?: boolean };
  FS_ACCESS_FAILED: { file: string; reason: string };
  STATE_NOT_WRITABLE: { folder: string; reason: string };
  FS_TIMEOUT: { file: string; budgetMs: number };
  PATH_OUTSIDE_ROOT: { path: string };
  MODEL_UNREADABLE: { file: string; reason: string };
  MODEL_UNWRITABLE: { file: string; reason: string };
  REVIEW_NOT_SHOWN: { lastSignal: string; budgetMs: number };
  STUDIO_NOT_FOUND: { lookedFor: readonly string[] };
  PLUGIN_FILE_FOREIGN: { file: string };
  AGENT_FILE_UNREADABLE: { file: string };
  AGENT_ENTRY_FOREIGN: { file: string };
  UPLOAD_FAILED: { reason: string };
  UPLOAD_UNCONFIRMED: { reason: string };
  UPLOAD_UNREACHABLE: { reason: string };
  BRIDGE_LOST: { request: string };
  CANCELLED: { phase: string };
  INTERNAL: { reason: string };
}
export type ErrorCode = keyof ErrorDetails;

export type { Retry, SourceProblem };

export const errorCatalog: { readonly [C in ErrorCode]: CatalogRow<ErrorDetails[C]> } = {
  INVALID_INPUT: {
    message: d => say`Invalid arguments: ${d.problems}.`,
    hint: 'Correct the named arguments and call again.',
    commandHint: 'Correct the arguments and run the command again.',
    retry: 'no',
  },
  PLAN_CHANGED: {
    message: d => say`The plan is out of date, so nothing was changed. A sync would now do: ${d.plan}.`,
    hint: 'Call atlas_diff, check the changes, and call atlas_sync again with its plan.',
    personHint: 'Compare with Studio, then sync again.',
    retry: 'reread',
  },
  NO_PROJECT: {
    message: ({ folder, lookedFor, others = [] }) =>
      others.length === 0
        ? say`There is no project file in ${folder}. Looked for: ${lookedFor.join(', ')}.`
        : say`There is no default project file in ${folder}. Its project files are: ${others.join(', ')}.`,
    hint: 'Create default.project.json in that folder, or open the folder that contains a project file.',
    personHint: 'Run "Atlas Bridge: Create Project File", or open the folder that contains a project file.',
    commandHint: 'Pass a project file or the folder that contains one, or create default.project.json there.',
    retry: 'no',
  },
  PROJECT_EXISTS: {
    message: d => say`A project already exists: ${d.file}.`,
    hint: 'Use that project, or choose another folder.',
    retry: 'no',
  },
  NO_TESTS: {
    message: d =>
      d.filter === undefined
        ? say`There are no tests in ${d.project}. Looked for: *.spec.luau, *.test.luau.`
        : say`No test of ${d.project} matches ${d.filter}.`,
    hint: 'Add test files to a folder of the project, or choose a project that contains them.',
    stepsFor: d =>
      d.filter === undefined
        ? undefined
        : {
            hint: 'Pass another filter, or none. It is a part of the name of a test: file > block > test.',
            commandHint: 'Pass another --filter, or none. It is a part of the name of a test: file > block > test.',
          },
    retry: 'no',
  },
  PROJECT_INVALID: {
    message: d => say`${d.file}:${d.line}:${d.column}: expected ${d.expected}.`,
    hint: 'Fix the error at that position. Until then, Atlas Bridge uses the last valid state of the project.',
    // Nothing is used where a command failed because of the error.
    personHint: 'Fix the error at that position.',
    commandHint: 'Fix the error at that position, then run the command again.',
    retry: 'reread',
  },
  PROJECT_AMBIGUOUS: {
    message: d => say`This window serves more than one project: ${listedProjects(d.projects)}.`,
    hint: 'Pass "project" to choose one.',
    personHint: 'Run "Atlas Bridge: Switch Project…" to choose one.',
    retry: 'no',
  },
  UNKNOWN_PROJECT: {
    message: d =>
      say`This window does not serve a project called ${d.project}. Projects: ${listedProjects(d.projects)}.`,
    hint: 'Pass one of these as "project".',
    personHint: 'Run "Atlas Bridge: Switch Project…" to choose one.',
    retry: 'no',
  },
  STUDIO_NOT_CONNECTED: {
    message: d => say`No Roblox Studio is connected to ${d.studioUrl}.`,
    hint: 'Open the place in Roblox Studio with the Atlas Bridge plugin and press Connect, or start headless Studio: atlas-bridge headless --place FILE --connect PORT, with the port of that address.',
    personHint:
      'Open the place in Roblox Studio and press Connect in the Atlas Bridge window, or open a place file in headless Studio.',
    retry: 'after_reconnect',
  },
  STUDIO_AMBIGUOUS: {
    message: d => say`More than one Studio is connected: ${listed(d.studios)}.`,
    hint: 'Pass "studio" to choose one.',
    personHint: 'Run the command again and choose one.',
    retry: 'no',
  },
  UNKNOWN_STUDIO: {
    message: d => say`No Studio called ${d.studio} is connected. Connected: ${listed(d.studios)}.`,
    hint: 'Pass one of these as "studio".',
    personHint: 'That Studio may have disconnected. Run the command again.',
    retry: 'no',
  },
  STUDIO_NOT_RESPONDING: {
    message: d => say`Timed out after ${d.budgetMs} ms waiting for "${d.signal}" from Studio.`,
    hint: 'Check whether a dialog is open in Studio, then call again.',
    personHint: 'Check whether a dialog is open in Studio, then try again.',
    commandHint: 'Run the command again; ATLAS_BRIDGE_LOG=debug shows the details.',
    retry: 'ask',
  },
  HEADLESS_BLOCKED: {
    message: d =>
      say`${d.file} was not saved: a running chunk that never waits has blocked headless Studio for ${d.seconds} s. No file has the changes to the place since it was last saved.`,
    hint: 'Stop headless Studio to end the chunk, and call task.wait() in long loops.',
    commandHint: 'Call task.wait() in long loops, then run the command again.',
    retry: 'no',
  },
  STUDIO_BUSY: {
    message: d => say`Timed out after ${d.budgetMs} ms waiting for "${d.signal}" from Studio.`,
    hint: 'Nothing was changed, so call again. If it fails again, check whether a dialog is open in Studio.',
    personHint: 'Nothing was changed, so try again. If it fails again, check whether a dialog is open in Studio.',
    commandHint: 'Nothing was changed, so run the command again; ATLAS_BRIDGE_LOG=debug shows the details.',
    retry: 'same',
  },
  STUDIO_DISCONNECTED: {
    message: d => say`Studio disconnected while ${d.phase}.`,
    hint: 'Wait until Studio reconnects, then start with a dry run to see what was applied.',
    commandHint: 'Start with a dry run (atlas-bridge sync) to see what was applied.',
    retry: 'after_reconnect',
  },
  STUDIO_FAILED: {
    message: d => say`Studio reported a failure: ${d.reason}`,
    hint: 'Check the Output window of Studio, then call again.',
    personHint: 'Check the Output window of Studio, then try again.',
    commandHint: 'Fix the reported problem, then run the command again; ATLAS_BRIDGE_LOG=debug shows more.',
    retry: 'reread',
  },
  REVIEW_UNAVAILABLE: {
    message: d => say`A person must decide, but the review cannot be shown: ${d.reason}.`,
    hint: 'A person can review in VS Code, in the window of an up-to-date Studio plugin, in an MCP client that shows forms (elicitation), or in a terminal with atlas-bridge sync --review. A sync (not a restore) also works without a person: use mode "fastfail" and decide every change with an override.',
    commandHint:
      'Decide in the terminal with atlas-bridge sync --review, or open the project in VS Code and sync there.',
    retry: 'no',
  },
  REVIEW_REFUSED: {
    message: d => say`The review refused this decision: ${refusalSentence(d.reason)}.`,
    hint: 'Check the review again, then decide.',
    retry: 'reread',
  },
  REVIEW_TIMEOUT: {
    message: d => say`The review timed out after ${d.minutes} min without a decision.`,
    hint: 'Nothing was changed. Ask the person, then sync again. The setting atlas.review.timeoutMinutes limits how long a review waits.',
    personHint:
      'Nothing was changed. Sync again when you have time to decide. The setting atlas.review.timeoutMinutes limits how long a review waits.',
    retry: 'ask_user_again',
  },
  PROJECT_CHANGING: {
    message: d => say`The project changed on disk during each of ${d.tries} comparisons.`,
    hint: 'Wait until the files stop changing, then sync again.',
    retry: 'wait',
  },
  STUDIO_UNSUPPORTED: {
    message: d => say`The connected Studio plugin does not support this. Missing: ${d.missing.join(', ')}.`,
    hint: 'Install the plugin of this Atlas Bridge version and reconnect.',
    retry: 'no',
  },
  SYNC_IN_PROGRESS: {
    message: d =>
      d.project === undefined
        ? say`Another sync run (${d.runId}) is in progress for this place.`
        : say`A sync run (${d.runId}) of project ${d.project} is in progress in this window.`,
    hint: 'Call operation_wait with that runId, or cancel the run in its review.',
    personHint: 'Wait until that run finishes, or cancel it in its review.',
    commandHint: 'Wait until that run finishes, or decide it where it was started. Then run the command again.',
    retry: 'wait',
  },
  LOCKED_BY_OTHER_WINDOW: {
    message: d => say`Another window or program is changing this project (sync run ${d.runId}).`,
    hint: 'Call operation_wait with that runId, or decide the run in that window.',
    personHint: 'Wait until that run finishes, or decide it there.',
    commandHint: 'Wait until that run finishes, or decide it there. Then run the command again.',
    retry: 'wait',
  },
  RUN_INTERRUPTED: {
    message: d => say`The sync run ${d.runId} was interrupted.`,
    hint: 'The summary of the run lists what was applied. Start with a dry run; sync_restore restores the previous version of either side.',
    personHint:
      'The History view shows what was applied. "Atlas Bridge: Restore…" restores the previous version of either side.',
    commandHint:
      'Start with a dry run (atlas-bridge sync) to see what was applied. "Atlas Bridge: Restore…" in VS Code restores the previous version of either side.',
    retry: 'reread',
  },
  UNKNOWN_OPERATION: {
    message: d => say`There is no run or operation ${d.operationId}.`,
    hint: 'Use the runId from an atlas_sync answer or from sync_history. Runs of other windows or sessions that changed nothing are not recorded.',
    personHint: 'The History view lists all recorded runs. A sync that changed nothing is not recorded.',
    retry: 'no',
  },
  SCRIPT_NOT_FOUND: {
    message: d =>
      d.reason === undefined
        ? say`There is no script for ${d.what}.`
        : say`There is no script for ${d.what}. ${d.reason}.`,
    hint: 'Call atlas_diff and use an id or fsPath from its changes. A change listed as Add exists only on disk: read the file.',
    personHint: 'Compare with Studio again: the script may have been removed on either side.',
    retry: 'reread',
  },
  NOT_A_SCRIPT: {
    message: d => say`${d.what} is a ${d.className}, not a script.`,
    hint: 'Only Script, LocalScript and ModuleScript have a source.',
    retry: 'no',
  },
  FILE_OVERWRITTEN: {
    message: d => say`${d.file} was written, but another program changed it right after.`,
    hint: 'The file now contains the text of the other program. Read it again to see the new state.',
    personHint: 'The file now contains the text of the other program. Sync again to see the new state.',
    commandHint: 'The file now contains the text of the other program. Run the command again to use the new state.',
    retry: 'reread',
  },
  FILE_CHANGED: {
    message: d => say`${d.file} changed on disk after it was read.`,
    hint: 'Nothing was overwritten. Read the new state, then call again.',
    personHint: 'Nothing was overwritten. Try again to use the new state.',
    commandHint: 'Nothing was overwritten. Run the command again to use the new state.',
    retry: 'reread',
  },
  FS_WRITE_FAILED: {
    message: d => say`${d.file} could not be written: ${d.reason}`,
    hint: 'Check the free disk space and the permissions of that file, then call again.',
    personHint: 'Check the free disk space and the permissions of that file, then try again.',
    commandHint: 'Check the free disk space and the permissions of that file, then run the command again.',
    stepsFor: d =>
      d.isOccupied
        ? {
            hint: 'Rename or move what is in its place, or choose another file, then call again.',
            personHint: 'Rename or move what is in its place, or choose another file, then try again.',
            commandHint: 'Rename or move what is in its place, or choose another file, then run the command again.',
          }
        : undefined,
    retry: 'same',
  },
  STATE_NOT_WRITABLE: {
    message: d => say`The state folder ${d.folder} cannot be written: ${d.reason}`,
    hint: 'Nothing was changed. Free disk space or make the folder writable, then call again.',
    personHint: 'Nothing was changed. Free disk space or make the folder writable, then try again.',
    commandHint: 'Nothing was changed. Free disk space or make the folder writable, then run the command again.',
    retry: 'same',
  },
  FS_ACCESS_FAILED: {
    message: d => say`Cannot access ${d.file}: ${d.reason}`,
    hint: 'Check the permissions of that path, then call again.',
    personHint: 'Check the permissions of that path, then try again.',
    commandHint: 'Check the permissions of that path, then run the command again.',
    retry: 'same',
  },
  FS_TIMEOUT: {
    message: d => say`Timed out after ${d.budgetMs} ms waiting for ${d.file} to be written.`,
    hint: 'The file may still be written. Check that drive, then start with a dry run.',
    commandHint: 'The file may still be written. Check that drive, then start with a dry run (atlas-bridge sync).',
    retry: 'ask',
  },
  PATH_OUTSIDE_ROOT: {
    message: d => say`${d.path} is outside the project folder, or is never synced (.git, .env).`,
    hint: 'Use another path inside the project folder.',
    retry: 'no',
  },
  MODEL_UNREADABLE: {
    message: d => say`${d.file} could not be read: ${d.reason}`,
    hint: 'Save the file again from Roblox Studio.',
    commandHint: 'Check the file name. If the file is damaged, save it again from Roblox Studio.',
    retry: 'no',
  },
  MODEL_UNWRITABLE: {
    message: d => say`The project cannot be written to ${d.file}: ${d.reason}.`,
    hint: 'Nothing was written. Change that value, or choose another format.',
    retry: 'no',
  },
  REVIEW_NOT_SHOWN: {
    message: d =>
      say`Timed out after ${d.budgetMs} ms waiting for the review to appear; last signal: "${d.lastSignal}".`,
    hint: 'Bring the VS Code window to the front and call again, or run "Atlas Bridge: Review Changes" there.',
    personHint: 'Run "Atlas Bridge: Review Changes".',
    retry: 'ask',
  },
  STUDIO_NOT_FOUND: {
    message: d => say`No Roblox Studio was found on this computer. Looked for: ${d.lookedFor.join(', ')}.`,
    hint: 'Start Roblox Studio once, then try again. For a remote workspace, do it on the computer where Studio runs.',
    retry: 'no',
  },
  PLUGIN_FILE_FOREIGN: {
    message: d => say`${d.file} is not the file that Atlas Bridge installed.`,
    hint: 'Nothing was changed. Move or delete that file, then try again.',
    retry: 'no',
  },
  AGENT_FILE_UNREADABLE: {
    message: d => say`${d.file} is not a valid agent configuration file.`,
    hint: 'Nothing was changed. Correct the file, then connect the agent again.',
    retry: 'reread',
  },
  AGENT_ENTRY_FOREIGN: {
    message: d => say`${d.file} has a server named atlas-bridge that Atlas Bridge did not add.`,
    hint: 'Nothing was changed. Remove or rename that entry, then connect the agent again.',
    retry: 'no',
  },
  UPLOAD_FAILED: {
    message: d => say`The upload failed: ${d.reason}.`,
    hint: 'Check the ids and the permissions of the API key, then run the command again.',
    retry: 'ask',
  },
  UPLOAD_UNCONFIRMED: {
    message: d => say`The upload was sent, but Open Cloud did not confirm it: ${d.reason}.`,
    hint: 'Look at the version history of the place on create.roblox.com before you upload it again.',
    retry: 'ask',
  },
  UPLOAD_UNREACHABLE: {
    message: d => say`Nothing was uploaded, because Open Cloud cannot be reached: ${d.reason}.`,
    hint: 'Check the network connection, then run the command again.',
    retry: 'ask',
  },
  BRIDGE_LOST: {
    message: d => say`The bridge stopped during ${d.request}; the outcome is unknown.`,
    hint: 'Check the current state with sync_history and atlas_diff before you repeat the call.',
    personHint: 'Check History and the differences before you repeat it.',
    retry: 'ask',
  },
  CANCELLED: {
    message: d => say`Cancelled while ${d.phase}.`,
    hint: 'Call again to restart it.',
    personHint: 'Start it again when you are ready.',
    commandHint: 'Run the command again when you are ready.',
    retry: 'same',
  },
  INTERNAL: {
    message: d => say`Unexpected error: ${d.reason}`,
    hint: 'Run "Atlas Bridge: Show Log" and report the problem with that log.',
    commandHint: 'Report the problem with the output of ATLAS_BRIDGE_LOG=debug.',
    retry: 'ask',
  },
  ...retrievalErrors,
  ...plutoErrors,
};

/** Removes final full stops from the details, because the catalog sentences that quote them add one. */
export const withoutFullStops = <D extends object>(details: D): D => withoutFullStop(details) as D;

function withoutFullStop(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/(?<=[^\s.])\.$/, '');
  if (Array.isArray(value)) return value.map(withoutFullStop);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutFullStop(inner)]));
}

/** The next steps after a failure with these details. */
export function nextSteps<C extends ErrorCode>(code: C, details: ErrorDetails[C]): NextSteps {
  const row = errorCatalog[code];
  return row.stepsFor?.(details) ?? row;
}

/** Whether the value is a `SystemError` of Node for a file. A program that cannot be started also has a `path`, so `spawn` is excluded. */
const isFailedFileCall = (value: unknown): value is Error & { readonly path: string } =>
  value instanceof Error &&
  'path' in value &&
  typeof value.path === 'string' &&
  'syscall' in value &&
  typeof value.syscall === 'string' &&
  !value.syscall.startsWith('spawn');

/** A failure of the catalog. Callers branch on `code`, never on `message`. */
export class AppError<C extends ErrorCode = ErrorCode> extends Error {
  readonly code: C;
  readonly details: ErrorDetails[C];
  /** The translatable form of `message`. */
  readonly sentence: Sentence;
  readonly hint: string;
  readonly retry: Retry;

  constructor(code: C, details: ErrorDetails[C], options?: ErrorOptions) {
    const row = errorCatalog[code];
    const sentence = row.message(withoutFullStops(details));
    super(formatSentence(sentence), options);
    this.name = 'AppError';
    this.code = code;
    this.details = details;
    this.sentence = sentence;
    this.hint = nextSteps(code, details).hint;
    this.retry = row.retry;
  }

  static is<C extends ErrorCode>(value: unknown, code: C): value is AppError<C> {
    return value instanceof AppError && value.code === code;
  }

  /**
   * Converts any thrown value. A failed system call on a path becomes `FS_ACCESS_FAILED`, everything else `INTERNAL`, with the original
   * as the cause.
   */
  static from(value: unknown): AppError {
    if (value instanceof AppError) return value;
    if (isFailedFileCall(value))
      return new AppError('FS_ACCESS_FAILED', { file: value.path, reason: describeCause(value) }, { cause: value });
    return new AppError('INTERNAL', { reason: describeCause(value) }, { cause: value });
  }
}

/** The error for a decision that a review refuses. */
export const reviewRefused = <C extends ReviewRefusalCode>(
  code: C,
  ...args: ReviewRefusalArgs<C>
): AppError<'REVIEW_REFUSED'> => new AppError('REVIEW_REFUSED', { reason: { code, args } });
