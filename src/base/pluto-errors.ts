import type { CatalogueRow } from './error-row.ts';
import { inRow, say, type Sentence } from './sentence.ts';

/** One thing that is wrong with a text that was handed in; lines and columns count from 1 in that text. */
export interface SourceProblem {
  readonly line: number;
  readonly column: number;
  readonly code: string;
  readonly message: string;
}

/** Failures of the pluto toolset; part of the catalogue in `errors.ts`. Paths are relative to the project. */
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

const places = (problems: readonly SourceProblem[]): Sentence =>
  inRow(problems.map(({ line, column, message }) => say`${line}:${column}: ${message}`));

export const plutoErrors: { readonly [C in keyof PlutoErrorDetails]: CatalogueRow<PlutoErrorDetails[C]> } = {
  PLUTO_MODULE_NOT_FOUND: {
    message: d => say`There is no Pluto module ${d.path} in the project.`,
    hint: 'Take a path from list_modules, or make the module with create_module.',
    commandHint: 'Name a .pluto or .pt file, as seen from the current folder.',
    retry: 'reread',
  },
  PLUTO_MODULE_UNREADABLE: {
    message: d => say`${d.path} cannot be read (${d.problem}): ${d.reason}.`,
    hint: 'The file stays as it is. Bring back a version that is whole, for example from git.',
    retry: 'reread',
  },
  PLUTO_MODULE_EXISTS: {
    message: d => say`There is a module ${d.path} already.`,
    hint: 'Add to it with add_declaration, or choose another path.',
    commandHint: 'Choose another path.',
    retry: 'no',
  },
  PLUTO_PATH_INVALID: {
    message: d => say`${d.path} is no path for this: ${d.reason}.`,
    hint: 'Give a path relative to the project, with / between names, as list_modules does.',
    commandHint: 'Name another file; atlas-bridge pluto --help says what each command takes.',
    retry: 'no',
  },
  PLUTO_UNKNOWN_ID: {
    message: d => say`Nothing in the project has the id ${d.id}.`,
    hint: 'Look it up again with find_declaration or list_declarations: it may have been deleted.',
    retry: 'reread',
  },
  PLUTO_WRONG_KIND: {
    message: d => say`This is a ${d.kind}; ${d.wanted} was expected.`,
    hint: 'Take the id of another declaration: list_declarations and find_declaration say the kind.',
    retry: 'no',
  },
  PLUTO_SOURCE_INVALID: {
    message: d => say`${d.what} cannot be parsed: ${places(d.problems)}`,
    hint: 'Nothing was changed. Correct the source at the places named and call again.',
    commandHint: 'Nothing was changed. Correct the source at the places named and run the command again.',
    retry: 'no',
  },
  PLUTO_EDIT_REFUSED: {
    message: d => say`This edit is not possible: ${d.reason}.`,
    hint: 'Nothing was changed. Choose another target or another tool.',
    commandHint: 'Nothing was changed. Choose another file or another command.',
    retry: 'no',
  },
  PLUTO_NAME_CONFLICT: {
    message: d => say`The name ${d.name} cannot be taken: ${d.reason}.`,
    hint: 'Nothing was changed. Choose a name that is free.',
    retry: 'no',
  },
  PLUTO_READ_ONLY: {
    message: d => say`${d.action} is not possible: the project is open for reading only.`,
    hint: 'Start the server without --read-only to change modules.',
    retry: 'no',
  },
  PLUTO_EDITS_LOST: {
    message: d =>
      say`The Pluto worker crashed and modules were reloaded from disk. Unsaved edits to ${d.modules.join(', ')} were lost.`,
    hint: 'This call changed nothing. Read these modules with get_source, then make the edits again.',
    commandHint: 'Make the edits again.',
    retry: 'reread',
  },
  PLUTO_NOTHING_TO_UNDO: {
    message: d => say`Nothing was undone: ${d.reason}.`,
    hint: 'Look with list_modules and get_source at what is there now.',
    retry: 'no',
  },
  PLUTO_VIEW_EDITED: {
    message: d => say`${d.path} holds edits that are not in its module.`,
    hint: 'Nothing was written. Take the edits over with sync_pt, or delete the file, then generate it again.',
    commandHint:
      'Nothing was written. Take the edits over with atlas-bridge pluto sync <file.pt>, or delete the file, then generate it again.',
    retry: 'no',
  },
  PLUTO_PROGRAM_STOPPED: {
    message: d => say`The program was stopped: it took more ${d.budget} than it may (${d.limit} ${d.unit}).`,
    hint: 'What it printed until then is in the answer, and what it did to files is done. Look for a loop that does not end, or allow more time.',
    commandHint:
      'What it printed until then is shown, and what it did to files is done. Look for a loop that does not end.',
    retry: 'no',
  },
  PLUTO_OUTPUT_FOREIGN: {
    message: d => say`${d.path} is there already, and was not made by compile, or was changed since.`,
    hint: 'Nothing was written. Name another output, or delete the file if nobody needs it.',
    commandHint: 'Nothing was written. Name another output with -o, or delete the file if nobody needs it.',
    retry: 'no',
  },
};
