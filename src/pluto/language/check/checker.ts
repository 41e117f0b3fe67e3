import type { ProjectPath } from '../../../base/brand.ts';
import type { PausableWork } from '../../../base/time-slice.ts';
import type { TextEdit } from '../edit/text-edit.ts';
import type { UseInFile } from '../refs/use-table.ts';
import type { Use } from '../refs/use.ts';
import type { Diagnostic } from '../syntax/ast/diagnostic.ts';
import type { DeclId } from '../syntax/ast/node.ts';
import type { Span } from '../syntax/ast/span.ts';
import type { CheckedProgram } from './checked-program.ts';
import { errorSetOf } from './queries/error-set.ts';
import { ItemIndex } from './queries/items.ts';
import { implementationsOf, overrideFamilyOf } from './queries/override-family.ts';
import { renameEdits } from './queries/rename.ts';
import { typeAt } from './queries/type-at.ts';
import { UseIndex } from './queries/uses.ts';
import { variableAt } from './queries/variable-at.ts';
import type { CheckSource, ErrorSet, FileDiagnostic, TypeAt } from './report/answers.ts';
import { State } from './units/state.ts';

/**
 * Checks every rule of the language beyond its grammar. Each query first brings the results up to date with the source, and checks
 * only what has changed and what depends on it. Queries never throw, whatever the source text is.
 */
export class Checker {
  readonly #state: State;
  readonly #items: ItemIndex;
  readonly #uses: UseIndex;

  constructor(source: CheckSource) {
    this.#state = new State(source);
    this.#items = new ItemIndex(this.#state);
    this.#uses = new UseIndex(this.#state);
  }

  /**
   * Brings all results up to date in steps of a few milliseconds, so that the caller can yield to the event loop between them. A
   * query in between finishes the remaining work at once. The steps see the source as it was at the first step.
   */
  *steps(): PausableWork<void> {
    yield* this.#state.steps();
    for (const index of [this.#items, this.#uses])
      for (const _ of index.steps()) {
        yield;
        // A query may have started an update while this generator was paused: finish it before indexing.
        if (this.#state.isBusy) yield* this.#state.steps();
      }
  }

  /** All findings, syntax errors included, sorted by file, then by place. The program is accepted if none is an error. */
  check(): readonly FileDiagnostic[] {
    return this.#current().diagnostics();
  }

  /** The findings of one module; none for an unknown path. */
  diagnosticsOf(file: ProjectPath): readonly Diagnostic[] {
    return this.#current().diagnosticsOf(file);
  }

  /**
   * The errors that a function, extern, method, test, app or stage (its `main`) can raise; undefined for any other item. For a trait
   * method: those of all implementations. For a generic declaration: those of all its instances.
   */
  errorSetOf(id: DeclId): ErrorSet | undefined {
    return errorSetOf(this.#current(), this.#items, id);
  }

  /**
   * The item or the smallest expression at an offset, with its type; undefined between them.
   * @param offset UTF-16 offset into the text of `file`
   */
  typeAt(file: ProjectPath, offset: number): TypeAt | undefined {
    return typeAt(this.#current(), this.#items, this.#uses, file, offset);
  }

  /** The type of a field, parameter, dependency, or result of a function or method, as messages show it. */
  typeOf(id: DeclId): string | undefined {
    this.#current();
    return this.#items.typeOf(id);
  }

  /** All uses of an item, including those that only types can resolve. Sorted by file, then by place. */
  usesOf(id: DeclId): readonly UseInFile[] {
    this.#current();
    return this.#uses.table().usesOf(id);
  }

  /** All uses in one file, in source order. */
  usesIn(file: ProjectPath): readonly Use[] {
    this.#current();
    return this.#uses.usesIn(file);
  }

  /** The items that share one name with `id`, `id` included: a method with the methods that it implements, overrides, or is implemented by. */
  overrideFamilyOf(id: DeclId): readonly DeclId[] {
    return overrideFamilyOf(this.#current(), this.#items, id);
  }

  /**
   * The edits that rename an item, by file, sorted by path: its declaration, its override family, every use, and ambient variables
   * named after it. Empty for items without a name (imports, tests) and for the standard library. Whether the new name is free
   * shows in the findings after the edits.
   */
  renameEdits(id: DeclId, name: string): ReadonlyMap<ProjectPath, readonly TextEdit[]> {
    return renameEdits(this.#current(), this.#items, this.#uses, id, name);
  }

  /** All occurrences of the variable or parameter at `offset`, its declaration included, in source order. */
  variableAt(file: ProjectPath, offset: number): readonly Span[] {
    return variableAt(this.#current(), file, offset);
  }

  /** For a trait, the classes that list it in `impl`; for a class, the traits that it lists. */
  implementationsOf(id: DeclId): readonly DeclId[] {
    return implementationsOf(this.#current(), id);
  }

  /** The checked program, valid until the next query. */
  checked(): CheckedProgram {
    return this.#current();
  }

  #current(): State {
    this.#state.refresh();
    return this.#state;
  }
}
