import type { CatalogRow } from './error-row.ts';
import { joinWithSemicolons, say, type Sentence } from './sentence.ts';

/** A syntax error in source that a caller passed. Lines and columns count from 1 in that source. */
export interface SourceProblem {
  readonly line: number;
  readonly column: number;
  readonly code: string;
  readonly message: string;
}

/** Failures of the pluto toolset; part of the catalog in `errors.ts`. Paths are relative to the project. */
export interface PlutoErrorDetails {
  PLUTO_MODULE_NOT_FOUND: { path: string };
  /** `problem` is a code of `docs/pluto-container.md`. */
  PLUTO_MODULE_UNREADABLE: { path: string; problem: string; reason: string };
  PLUTO_MODULE_EXISTS: { path: string };
  PLUTO_PATH_INVALID: { path: string; reason: string };
  PLUTO_UNKNOWN_ID: { id: string };
  PLUTO_WRONG_KIND: { kind: string; wanted: string };
  PLUTO_SOURCE_INVALID: { what: string; problems: readonly SourceProblem[] };
  PLUTO_EDIT_REFUSED: { reason: string };
  PLUTO_NAME_CONFLICT: { name: string; reason: string };
  PLUTO_READ_ONLY: { action: string };
  PLUTO_NOTHING_TO_UNDO: { reason: string };
  PLUTO_VIEW_EDITED: { path: string };
  PLUTO_EDITS_LOST: { modules: readonly string[] };
  /** `unit` is that of `limit`: seconds, megabytes, bytes. */
  PLUTO_PROGRAM_STOPPED: { budget: 'time' | 'memory' | 'output'; limit: number; unit: string };
  PLUTO_OUTPUT_FOREIGN: { path: string };
}

const positions = (problems: readonly SourceProblem[]): Sentence =>
  joinWithSemicolons(problems.map(({ line, column, message }) => say`${line}:${column}: ${message}`));

export const plutoErrors: { readonly [C in keyof PlutoErrorDetails]: CatalogRow<PlutoErrorDetails[C]> } = {
  PLUTO_MODULE_NOT_FOUND: {
    message: d => say`There is no Pluto module ${d.path} in the project.`,
    hint: 'Take a path from list_modules, or create the module with create_module.',
    personHint: 'The file may have been renamed or deleted. Open another one.',
    commandHint: 'Pass a .pluto or .pt file, relative to the current folder.',
    retry: 'reread',
  },
  PLUTO_MODULE_UNREADABLE: {
    message: d => say`${d.path} cannot be read (${d.problem}): ${d.reason}.`,
    hint: 'The file was not changed. Restore an intact version, for example from git.',
    retry: 'reread',
  },
  PLUTO_MODULE_EXISTS: {
    message: d => say`The module ${d.path} already exists.`,
    hint: 'Add to it with add_declaration, or choose another path.',
    personHint: 'Choose another path.',
    commandHint: 'Choose another path.',
    retry: 'no',
  },
  PLUTO_PATH_INVALID: {
    message: d => say`Invalid path ${d.path}: ${d.reason}.`,
    hint: 'Pass a path relative to the project, with / as the separator, as in list_modules.',
    personHint: 'Choose a .pluto or .pt file of the workspace.',
    commandHint: 'Pass another file. atlas-bridge pluto --help lists what each command accepts.',
    retry: 'no',
  },
  PLUTO_UNKNOWN_ID: {
    message: d => say`Nothing in the project has the id ${d.id}.`,
    hint: 'It may have been deleted. Look it up with find_declaration or list_declarations.',
    personHint: 'The declaration may have been deleted. Open the module again.',
    retry: 'reread',
  },
  PLUTO_WRONG_KIND: {
    message: d => say`Expected ${d.wanted}, found: ${d.kind}.`,
    hint: 'Pass the id of another declaration. list_declarations and find_declaration return the kind.',
    personHint: 'Choose another declaration.',
    retry: 'no',
  },
  PLUTO_SOURCE_INVALID: {
    message: d => say`${d.what} cannot be parsed: ${positions(d.problems)}`,
    hint: 'Nothing was changed. Fix the source at these positions and call again.',
    personHint: 'Nothing was changed. Fix the source at these positions, then try again.',
    commandHint: 'Nothing was changed. Fix the source at these positions and run the command again.',
    retry: 'no',
  },
  PLUTO_EDIT_REFUSED: {
    message: d => say`This edit is not possible: ${d.reason}.`,
    hint: 'Nothing was changed. Choose another target or another tool.',
    personHint: 'Nothing was changed. Choose another declaration or another command.',
    commandHint: 'Nothing was changed. Choose another file or another command.',
    retry: 'no',
  },
  PLUTO_NAME_CONFLICT: {
    message: d => say`The name ${d.name} cannot be used: ${d.reason}.`,
    hint: 'Nothing was changed. Choose another name.',
    retry: 'no',
  },
  PLUTO_READ_ONLY: {
    message: d => say`${d.action} is not possible: the project is read-only.`,
    hint: 'Start the server without --read-only to change modules.',
    retry: 'no',
  },
  PLUTO_EDITS_LOST: {
    message: d =>
      say`The Pluto worker crashed and modules were reloaded from disk. Unsaved edits to ${d.modules.join(', ')} were lost.`,
    hint: 'This call changed nothing. Read these modules with get_source, then make the edits again.',
    personHint: 'Ask the agent to make the edits again.',
    commandHint: 'Make the edits again.',
    retry: 'reread',
  },
  PLUTO_NOTHING_TO_UNDO: {
    message: d => say`Nothing was undone: ${d.reason}.`,
    hint: 'Use list_modules and get_source to see the current state.',
    personHint: 'Open the module to see its current state.',
    retry: 'no',
  },
  PLUTO_VIEW_EDITED: {
    message: d => say`${d.path} has edits that are not in its module.`,
    hint: 'Nothing was written. Apply the edits with sync_pt, or delete the file, then generate it again.',
    personHint:
      'Nothing was written. Run "Atlas Bridge: Sync .pt" to apply the edits, or delete the file, then generate it again.',
    commandHint:
      'Nothing was written. Apply the edits with atlas-bridge pluto sync <file.pt>, or delete the file, then generate it again.',
    retry: 'no',
  },
  PLUTO_PROGRAM_STOPPED: {
    message: d => say`The program was stopped: it exceeded its ${d.budget} limit (${d.limit} ${d.unit}).`,
    hint: 'The answer contains the output of the program so far. Files that the program changed stay changed. Look for an endless loop, or raise the time limit.',
    commandHint: 'Its changes to files remain. Look for an endless loop.',
    retry: 'no',
  },
  PLUTO_OUTPUT_FOREIGN: {
    message: d => say`${d.path} already exists, and is not an unchanged output of compile.`,
    hint: 'Nothing was written. Choose another output, or delete the file if it is not needed.',
    commandHint: 'Nothing was written. Choose another output with -o, or delete the file if it is not needed.',
    retry: 'no',
  },
};
