import type { ProjectPath } from '../../../base/brand.ts';
import type { PausableWork } from '../../../base/time-slice.ts';
import type { TextEdit } from '../edit/text-edit.ts';
import type { DeclId } from '../syntax/ast/node.ts';
import type { Span } from '../syntax/ast/span.ts';
import type { Diagnostic } from '../syntax/ast/diagnostic.ts';
import type { Located } from '../refs/use-table.ts';
import type { Use } from '../refs/use.ts';
import type { CheckSource, ErrorSet, FileDiagnostic, TypeAt } from './report/answers.ts';
import type { CheckedProgram } from './checked-program.ts';
import { ProjectChecker } from './project-checker.ts';

/**
 * Every rule of the language that is not grammar. All answers are about the source as it is at the time of the question; what did
 * not change since the last question, and depends on nothing that did, is not looked at again. Nothing throws, whatever the text is.
 */
export interface Checker {
  /**
   * Brings all answers up to date in pieces of a few milliseconds, for whoever must give others their turn between them. Every other
   * question does at once what is left. The source may change meanwhile: what it was at the first piece is what the pieces are about.
   */
  steps(): PausableWork<void>;
  /** Syntax findings included, so that one list says it all. Sorted by file, then by place. Empty of errors: the program is accepted. */
  check(): readonly FileDiagnostic[];
  /** The same for one module; an unknown path has none. */
  diagnosticsOf(file: ProjectPath): readonly Diagnostic[];
  /**
   * Of a function, extern, method (of a trait: of everything that implements it), test, or app or stage (its `main`); undefined for
   * anything else. Of a generic declaration: what any of its instances can raise.
   */
  errorSetOf(id: DeclId): ErrorSet | undefined;
  /** @param offset UTF-16 offset into the text of `file` */
  typeAt(file: ProjectPath, offset: number): TypeAt | undefined;
  /** The type of a field, parameter, dependency, or result of a function or method, as messages show it. */
  typeOf(id: DeclId): string | undefined;
  /** Every place that names the item: the table of `refs/` with what only types can tell. Sorted by file, then by place. */
  usesOf(id: DeclId): readonly Located<Use>[];
  /** Every place in one file that names an item, in the order of the text. */
  usesIn(file: ProjectPath): readonly Use[];
  /**
   * The items that must have one name: a method with those that it implements, overrides, or is implemented by. `id` is among them;
   * a rename renames all of them.
   */
  overrideFamilyOf(id: DeclId): readonly DeclId[];
  /**
   * What a new name for an item changes, by file, sorted by path: its declaration, its namesakes, every use, and variables that are
   * called after it. Imports and tests have no name of their own, and files that come with the language cannot change: no edits. Whether the name is free
   * shows in the findings after the edits.
   */
  renameEdits(id: DeclId, name: string): ReadonlyMap<ProjectPath, readonly TextEdit[]>;
  /** Every place that names the variable or parameter at a place, its declaration included, in the order of the text. */
  variableAt(file: ProjectPath, offset: number): readonly Span[];
  /** Classes that list the trait in `impl`, for a trait; traits that it lists, for a class. */
  implementationsOf(id: DeclId): readonly DeclId[];
  /** The program as it is now; right until the next question. */
  checked(): CheckedProgram;
}

export const createChecker = (source: CheckSource): Checker => new ProjectChecker(source);
