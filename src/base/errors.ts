import type { CatalogueRow, Retry } from './error-row.ts';
import { type PlutoErrorDetails, plutoErrors, type SourceProblem } from './pluto-errors.ts';
import { inWords, say, type Sentence } from './sentence.ts';
import { type RetrievalErrorDetails, retrievalErrors } from './retrieval-errors.ts';

/** One connected Studio; `studio` is what tools call it. `placeId` is 0 for a place that was never published. */
export interface ListedStudio {
  readonly studio: string;
  readonly place: string;
  readonly placeId: number;
}

const listed = (studios: readonly ListedStudio[]): string =>
  studios
    .map(({ studio, place, placeId }) => `${studio} (${place}${placeId === 0 ? '' : `, place ${placeId}`})`)
    .join(', ');

/**
 * The catalogue of failures that callers (agents, people, scripts) may branch on: the code, its details, the message and the next
 * step. Codes never change their meaning. Bugs and broken environments stay ordinary `Error`s.
 * Adding a code here is a compile error in every edge that maps codes, until it is mapped.
 */
export interface ErrorDetails extends RetrievalErrorDetails, PlutoErrorDetails {
  INVALID_INPUT: { problems: string };
  NO_PROJECT: { folder: string; lookedFor: readonly string[] };
  PROJECT_INVALID: { file: string; line: number; column: number; expected: string };
  STUDIO_NOT_CONNECTED: { studioUrl: string };
  STUDIO_AMBIGUOUS: { studios: readonly ListedStudio[] };
  UNKNOWN_STUDIO: { studio: string; studios: readonly ListedStudio[] };
  STUDIO_NOT_RESPONDING: { signal: string; budgetMs: number };
  STUDIO_DISCONNECTED: { phase: string };
  STUDIO_FAILED: { reason: string; code?: string; className?: string };
  REVIEW_UNAVAILABLE: { reason: string };
  REVIEW_TIMEOUT: { minutes: number };
  PROJECT_CHANGING: { tries: number };
  STUDIO_UNSUPPORTED: { missing: readonly string[] };
  SYNC_IN_PROGRESS: { runId: string };
  LOCKED_BY_OTHER_WINDOW: { runId: string };
  RUN_INTERRUPTED: { runId: string };
  UNKNOWN_OPERATION: { operationId: string };
  SCRIPT_NOT_FOUND: { what: string; reason?: string };
  NOT_A_SCRIPT: { what: string; className: string };
  FILE_CHANGED: { file: string };
  FS_WRITE_FAILED: { file: string; reason: string };
  FS_ACCESS_FAILED: { file: string; reason: string };
  FS_TIMEOUT: { file: string; budgetMs: number };
  PATH_OUTSIDE_ROOT: { path: string };
  MODEL_UNREADABLE: { file: string; reason: string };
  MODEL_UNWRITABLE: { file: string; reason: string };
  REVIEW_NOT_SHOWN: { lastSign: string; budgetMs: number };
  STUDIO_NOT_FOUND: { lookedFor: readonly string[] };
  PLUGIN_FILE_FOREIGN: { file: string };
  AGENT_FILE_UNREADABLE: { file: string };
  AGENT_ENTRY_FOREIGN: { file: string };
  BRIDGE_LOST: { request: string };
  CANCELLED: { phase: string };
  INTERNAL: { reason: string };
}
export type ErrorCode = keyof ErrorDetails;

export type { Retry, SourceProblem };

export const errorCatalogue: { readonly [C in ErrorCode]: CatalogueRow<ErrorDetails[C]> } = {
  INVALID_INPUT: {
    message: d => say`Invalid arguments: ${d.problems}.`,
    hint: 'Correct the named arguments and call again.',
    commandHint: 'Correct the arguments and run the command again.',
    retry: 'no',
  },
  NO_PROJECT: {
    message: d => say`There is no project file in ${d.folder}. Looked for: ${d.lookedFor.join(', ')}.`,
    hint: 'Create default.project.json in that folder, or open the folder that holds one.',
    personHint: 'Run "Atlas Bridge: Create Project File", or open the folder that holds one.',
    commandHint: 'Name the project file, or the folder that holds one; or create default.project.json there.',
    retry: 'no',
  },
  PROJECT_INVALID: {
    message: d => say`${d.file}:${d.line}:${d.column}: expected ${d.expected}.`,
    hint: 'Correct the file at that place; until then the last good state of the project stays in use.',
    commandHint: 'Correct the file at that place, then run the command again.',
    retry: 'reread',
  },
  STUDIO_NOT_CONNECTED: {
    message: d => say`No Roblox Studio is connected to ${d.studioUrl}.`,
    hint: 'Open the place in Roblox Studio with the Atlas Bridge plugin and press Connect, or start headless Studio: atlas-bridge headless --place FILE.',
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
    hint: 'Call again with one of these as "studio".',
    personHint: 'It may have disconnected. Run the command again.',
    retry: 'no',
  },
  STUDIO_NOT_RESPONDING: {
    message: d => say`Timed out after ${d.budgetMs} ms waiting for "${d.signal}" from Studio.`,
    hint: 'Check whether a dialog is open in Studio, then call again.',
    personHint: 'Check whether a dialog is open in Studio, then try again.',
    commandHint: 'Run the command again; ATLAS_BRIDGE_LOG=debug shows the details.',
    retry: 'ask',
  },
  STUDIO_DISCONNECTED: {
    message: d => say`Studio disconnected while ${d.phase}.`,
    hint: 'Wait until Studio is connected again, then start with a dry run to see what was applied.',
    commandHint: 'Start with a dry run (atlas-bridge sync) to see what was applied.',
    retry: 'after_reconnect',
  },
  STUDIO_FAILED: {
    message: d => say`Studio reported a failure: ${d.reason}`,
    hint: 'Read the Studio output, then call again.',
    personHint: 'Read the Studio output, then try again.',
    commandHint: 'Fix the reported problem, then run the command again; ATLAS_BRIDGE_LOG=debug shows more.',
    retry: 'reread',
  },
  REVIEW_UNAVAILABLE: {
    message: d => say`A person must decide, but a review cannot be shown: ${d.reason}.`,
    hint: 'Open the workspace in VS Code. A sync, but no restore, can also be decided without a person: every change by an override, with mode "fastfail".',
    commandHint: 'Open the project in VS Code and sync there: the review shows what is to be decided.',
    retry: 'no',
  },
  REVIEW_TIMEOUT: {
    message: d => say`The review timed out after ${d.minutes} min without a decision.`,
    hint: 'Nothing was changed. Ask the person, then sync again; atlas.review.timeoutMinutes sets how long a review waits.',
    personHint:
      'Nothing was changed. Sync again when you can decide; the setting atlas.review.timeoutMinutes says how long a review waits.',
    retry: 'ask_user_again',
  },
  PROJECT_CHANGING: {
    message: d => say`The project changed on disk during each of ${d.tries} comparisons.`,
    hint: 'Wait until the files are quiet, then sync again.',
    retry: 'wait',
  },
  STUDIO_UNSUPPORTED: {
    message: d => say`The connected Studio plugin does not support this: it lacks ${d.missing.join(', ')}.`,
    hint: 'Install the plugin that comes with this version of Atlas Bridge and reconnect.',
    retry: 'no',
  },
  SYNC_IN_PROGRESS: {
    message: d => say`Another sync run (${d.runId}) is in progress for this place.`,
    hint: 'Wait for it with operation_wait and that runId, or cancel it in the review.',
    personHint: 'Wait until it has ended, or end it in its review.',
    commandHint: 'Wait until it has ended, or decide it where it was started, then run the command again.',
    retry: 'wait',
  },
  LOCKED_BY_OTHER_WINDOW: {
    message: d => say`Another window or program is changing this project (sync run ${d.runId}).`,
    hint: 'Wait for it with operation_wait and that runId, or decide it there.',
    personHint: 'Wait until it has ended, or decide it there.',
    commandHint: 'Wait until it has ended, or decide it there, then run the command again.',
    retry: 'wait',
  },
  RUN_INTERRUPTED: {
    message: d => say`The sync run ${d.runId} was interrupted.`,
    hint: 'Its summary says what was applied. Start with a dry run; sync_restore restores the previous version of either side.',
    personHint:
      'The History view says what became of it. Start with a dry run; "Atlas Bridge: Restore…" brings back what stood on either side.',
    commandHint:
      'Start with a dry run (atlas-bridge sync): it shows what did happen. "Atlas Bridge: Restore…" in VS Code brings back what stood on either side.',
    retry: 'reread',
  },
  UNKNOWN_OPERATION: {
    message: d => say`There is no run or operation ${d.operationId}.`,
    hint: 'Use the runId from an atlas_sync answer or from sync_history. A run of another window or session that changed nothing leaves no record.',
    personHint: 'The History view lists what is recorded. A sync that changed nothing leaves no record.',
    retry: 'no',
  },
  SCRIPT_NOT_FOUND: {
    message: d =>
      d.reason === undefined
        ? say`There is no script for ${d.what}.`
        : say`There is no script for ${d.what}. ${d.reason}.`,
    hint: 'Call atlas_sync with mode "dryrun" and use an id or fsPath from its changes. What it lists as Add is on disk only: read the file.',
    personHint: 'Compare with Studio again: it may be gone on either side.',
    retry: 'reread',
  },
  NOT_A_SCRIPT: {
    message: d => say`${d.what} is a ${d.className}, not a script.`,
    hint: 'Only Script, LocalScript and ModuleScript have a source.',
    retry: 'no',
  },
  FILE_CHANGED: {
    message: d => say`${d.file} changed on disk since the comparison.`,
    hint: 'Nothing was overwritten. Read it again, or call atlas_sync again, to see the new state.',
    personHint: 'Nothing was overwritten. Sync again to see the new state.',
    commandHint: 'Nothing was overwritten. Run the command again: it begins with the new state.',
    retry: 'reread',
  },
  FS_WRITE_FAILED: {
    message: d => say`${d.file} could not be written: ${d.reason}`,
    hint: 'Check the free space and the rights of that file, then sync again.',
    commandHint: 'Check the free space and the rights of that file, then run the command again.',
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
    hint: 'It may still be written. Check the drive that holds it, then start with a dry run.',
    commandHint:
      'It may still be written. Check the drive that holds it, then start with a dry run (atlas-bridge sync).',
    retry: 'ask',
  },
  PATH_OUTSIDE_ROOT: {
    message: d => say`${d.path} is outside the project folder.`,
    hint: 'Use a path inside the project folder.',
    retry: 'no',
  },
  MODEL_UNREADABLE: {
    message: d => say`${d.file} could not be read: ${d.reason}`,
    hint: 'Save the file again from Roblox Studio.',
    commandHint: 'Check its name; if it is damaged, save it again from Roblox Studio.',
    retry: 'no',
  },
  MODEL_UNWRITABLE: {
    message: d => say`${d.file} cannot hold the project: ${d.reason}.`,
    hint: 'Nothing was written. Change the value that it names, or choose another format.',
    retry: 'no',
  },
  REVIEW_NOT_SHOWN: {
    message: d => say`The review did not appear within ${d.budgetMs} ms; the last sign of it was "${d.lastSign}".`,
    hint: 'Bring the VS Code window to the front and call again, or run "Atlas Bridge: Review Changes" there.',
    personHint: 'Run "Atlas Bridge: Review Changes".',
    retry: 'ask',
  },
  STUDIO_NOT_FOUND: {
    message: d => say`No Roblox Studio was found on this machine. Looked for: ${d.lookedFor.join(', ')}.`,
    hint: 'Start Roblox Studio once, then install the plugin again. With a remote workspace, install it from a VS Code window on the machine where Studio runs.',
    retry: 'no',
  },
  PLUGIN_FILE_FOREIGN: {
    message: d => say`${d.file} is not the file that Atlas Bridge installed.`,
    hint: 'Nothing was changed. Move that file away, or delete it, then try again.',
    retry: 'no',
  },
  AGENT_FILE_UNREADABLE: {
    message: d => say`${d.file} is not a valid agent configuration file.`,
    hint: 'Nothing was changed. Correct the file, then connect the agent again.',
    retry: 'reread',
  },
  AGENT_ENTRY_FOREIGN: {
    message: d => say`${d.file} has a server called atlas-bridge that Atlas Bridge did not add.`,
    hint: 'Nothing was changed. Remove or rename that entry, then connect the agent again.',
    retry: 'no',
  },
  BRIDGE_LOST: {
    message: d => say`The bridge stopped during ${d.request}; the outcome is unknown.`,
    hint: 'Check before you repeat it: sync_history and atlas_sync with mode dryrun show the current state.',
    retry: 'ask',
  },
  CANCELLED: {
    message: d => say`Cancelled while ${d.phase}.`,
    hint: 'Call again to start it again.',
    personHint: 'Start it again when you are ready.',
    commandHint: 'Run the command again when you are ready.',
    retry: 'same',
  },
  INTERNAL: {
    message: d => say`Unexpected error: ${d.reason}`,
    hint: 'Run "Atlas Bridge: Show Log" and report what it says.',
    commandHint: 'Please report this with the output of ATLAS_BRIDGE_LOG=debug.',
    retry: 'ask',
  },
  ...retrievalErrors,
  ...plutoErrors,
};

/** The details without final full stops: the sentence of the catalogue that quotes them has its own. */
export const withoutFullStops = <D extends object>(details: D): D => withoutFullStop(details) as D;

function withoutFullStop(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/(?<=[^\s.])\.$/, '');
  if (Array.isArray(value)) return value.map(withoutFullStop);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutFullStop(inner)]));
}

/** As Node's `SystemError`s are; a program that cannot be started has a `path` too. */
const isFailedFileCall = (value: unknown): value is Error & { readonly path: string } =>
  value instanceof Error &&
  'path' in value &&
  typeof value.path === 'string' &&
  'syscall' in value &&
  typeof value.syscall === 'string' &&
  !value.syscall.startsWith('spawn');

/** A failure of the catalogue. Callers branch on `code`, never on `message`. */
export class AppError<C extends ErrorCode = ErrorCode> extends Error {
  readonly code: C;
  readonly details: ErrorDetails[C];
  /** What `message` says in English. */
  readonly sentence: Sentence;
  readonly hint: string;
  readonly retry: Retry;

  constructor(code: C, details: ErrorDetails[C], options?: ErrorOptions) {
    const row = errorCatalogue[code];
    const sentence = row.message(withoutFullStops(details));
    super(inWords(sentence), options);
    this.name = 'AppError';
    this.code = code;
    this.details = details;
    this.sentence = sentence;
    this.hint = row.hint;
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
      return new AppError('FS_ACCESS_FAILED', { file: value.path, reason: value.message }, { cause: value });
    return new AppError(
      'INTERNAL',
      { reason: value instanceof Error ? value.message : String(value) },
      { cause: value },
    );
  }
}
