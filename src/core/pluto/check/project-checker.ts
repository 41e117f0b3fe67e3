import type { ProjectPath } from '../../../base/brand.ts';
import type { Diagnostic } from '../syntax/ast/diagnostic.ts';
import type { DeclId } from '../syntax/ast/node.ts';
import type { Located } from '../refs/use-table.ts';
import type { Use } from '../refs/use.ts';
import type { CheckSource, ErrorSet, FileDiagnostic, TypeAt } from './answers.ts';

/** Under construction: syntax findings only. */
export class ProjectChecker {
  readonly #source: CheckSource;

  constructor(source: CheckSource) {
    this.#source = source;
  }

  check(): readonly FileDiagnostic[] {
    return this.#source
      .modules()
      .flatMap(({ path, module }) => module.diagnostics.map(found => ({ ...found, file: path })));
  }

  diagnosticsOf(file: ProjectPath): readonly Diagnostic[] {
    return this.#source.modules().find(({ path }) => path === file)?.module.diagnostics ?? [];
  }

  errorSetOf(_id: DeclId): ErrorSet | undefined {
    return undefined;
  }

  typeAt(_file: ProjectPath, _offset: number): TypeAt | undefined {
    return undefined;
  }

  typeOf(_id: DeclId): string | undefined {
    return undefined;
  }

  usesOf(_id: DeclId): readonly Located<Use>[] {
    return [];
  }

  usesIn(_file: ProjectPath): readonly Use[] {
    return [];
  }

  namesakesOf(id: DeclId): readonly DeclId[] {
    return [id];
  }

  implementationsOf(_id: DeclId): readonly DeclId[] {
    return [];
  }
}
