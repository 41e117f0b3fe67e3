import type { ProjectPath } from '../../../base/brand.ts';
import type { PausableWork } from '../../../base/time-slice.ts';
import type { Located } from '../refs/use-table.ts';
import type { Use } from '../refs/use.ts';
import type { Diagnostic } from '../syntax/ast/diagnostic.ts';
import type { TextEdit } from '../edit/text-edit.ts';
import type { Span } from '../syntax/ast/span.ts';
import type { DeclId } from '../syntax/ast/node.ts';
import type { CheckSource, ErrorSet, FileDiagnostic, TypeAt } from './report/answers.ts';
import type { CheckedProgram } from './checked-program.ts';
import { State } from './units/state.ts';
import { errorSetOf } from './queries/error-set.ts';
import { ItemIndex } from './queries/items.ts';
import { implementationsOf, overrideFamilyOf } from './queries/namesakes.ts';
import { renameEdits } from './queries/rename.ts';
import { variableAt } from './queries/variable-at.ts';
import { typeAt } from './queries/type-at.ts';
import { UseIndex } from './queries/uses.ts';

/** The checker over one source; what the questions mean is said at `Checker`. */
export class ProjectChecker {
  readonly #state: State;
  readonly #items: ItemIndex;
  readonly #uses: UseIndex;

  constructor(source: CheckSource) {
    this.#state = new State(source);
    this.#items = new ItemIndex(this.#state);
    this.#uses = new UseIndex(this.#state);
  }

  *steps(): PausableWork<void> {
    yield* this.#state.steps();
    for (const index of [this.#items, this.#uses])
      for (const _ of index.steps()) {
        yield;
        // Whoever had a turn may have begun to look at what changed: half of that is nothing to make an index of.
        if (this.#state.isBusy) yield* this.#state.steps();
      }
  }

  check(): readonly FileDiagnostic[] {
    this.#state.refresh();
    return this.#state.diagnostics();
  }

  diagnosticsOf(file: ProjectPath): readonly Diagnostic[] {
    this.#state.refresh();
    return this.#state.diagnosticsOf(file);
  }

  errorSetOf(id: DeclId): ErrorSet | undefined {
    this.#state.refresh();
    return errorSetOf(this.#state, this.#items, id);
  }

  typeAt(file: ProjectPath, offset: number): TypeAt | undefined {
    this.#state.refresh();
    return typeAt(this.#state, this.#items, this.#uses, file, offset);
  }

  typeOf(id: DeclId): string | undefined {
    this.#state.refresh();
    return this.#items.typeOf(id);
  }

  usesOf(id: DeclId): readonly Located<Use>[] {
    this.#state.refresh();
    return this.#uses.table().usesOf(id);
  }

  usesIn(file: ProjectPath): readonly Use[] {
    this.#state.refresh();
    return this.#uses.usesIn(file);
  }

  overrideFamilyOf(id: DeclId): readonly DeclId[] {
    this.#state.refresh();
    return overrideFamilyOf(this.#state, this.#items, id);
  }

  renameEdits(id: DeclId, name: string): ReadonlyMap<ProjectPath, readonly TextEdit[]> {
    this.#state.refresh();
    return renameEdits(this.#state, this.#items, this.#uses, id, name);
  }

  variableAt(file: ProjectPath, offset: number): readonly Span[] {
    this.#state.refresh();
    return variableAt(this.#state, file, offset);
  }

  implementationsOf(id: DeclId): readonly DeclId[] {
    this.#state.refresh();
    return implementationsOf(this.#state, id);
  }

  checked(): CheckedProgram {
    this.#state.refresh();
    return this.#state;
  }
}
