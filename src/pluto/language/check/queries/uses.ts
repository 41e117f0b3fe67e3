import type { ProjectPath } from '../../../../base/brand.ts';
import { runToEnd, type PausableWork } from '../../../../base/time-slice.ts';
import { collectUses } from '../../refs/collect-uses.ts';
import type { FileScope, ModuleNames } from '../../refs/scope.ts';
import { UseTable } from '../../refs/use-table.ts';
import type { Use } from '../../refs/use.ts';
import type { ProgramFile } from '../program/program-file.ts';
import type { Program, SymbolOfKind } from '../program/program.ts';
import type { DeclSymbol, Versioned } from '../types/type.ts';
import type { State } from '../units/state.ts';
import type { Unit } from '../units/unit.ts';

/** All uses in all files, resolved through names and through the types of objects. Changed files are indexed again. */
export class UseIndex {
  readonly #state: State;
  readonly #table = new UseTable();
  /** Dependencies of the uses in each file, and the revision in which they were resolved. */
  readonly #seen = new Map<ProgramFile, { readonly seen: readonly Versioned[]; readonly at: number }>();
  #revision = -1;

  constructor(state: State) {
    this.#state = state;
  }

  /** Updates the table, one file per step. The state must be up to date before each step. */
  *steps(): PausableWork<void> {
    const { usesChanged, program } = this.#state;
    if (this.#revision !== program.revision)
      for (const [file, { seen, at }] of this.#seen)
        if (seen.some(({ changedAt }) => changedAt > at)) usesChanged.add(file);
    this.#revision = program.revision;
    for (const file of usesChanged) {
      usesChanged.delete(file);
      if (file.isEmbedded) continue;
      if (program.files.get(file.path) === file) {
        const { value, seen } = program.tracker.run(() => this.#usesOf(file));
        this.#seen.set(file, { seen, at: program.revision });
        this.#table.put(file.path, value);
      } else {
        this.#seen.delete(file);
        if (!program.files.has(file.path)) this.#table.remove(file.path);
      }
      yield;
    }
  }

  table(): UseTable {
    runToEnd(this.steps());
    return this.#table;
  }

  usesIn(path: ProjectPath): readonly Use[] {
    return this.table().usesIn(path) ?? [];
  }

  #usesOf(file: ProgramFile): readonly Use[] {
    const { program } = this.#state;
    const uses = collectUses(file.module.module.tree, scopeOf(program, file));
    const all = new Map<number, Use>();
    const add = (use: Use): void => {
      // Only an enum and a class can share a name; the first use wins.
      if (!all.has(use.name.start)) all.set(use.name.start, use);
    };
    for (const use of uses) add(use);
    for (const unit of this.#state.unitsIn(file)) usesInUnit(unit).forEach(add);
    for (const unit of this.#state.extras.all)
      if (unit.spec.file === file && unit.spec.with === undefined) usesInUnit(unit).forEach(add);
    return Array.from(all.values()).toSorted((a, b) => a.name.start - b.name.start);
  }
}

const usesInUnit = ({ spec, result, shift }: Unit): readonly Use[] =>
  (result?.uses ?? []).map(({ kind, target, start, end, siteStart, siteEnd }) => ({
    kind,
    target,
    name: { start: start + shift, end: end + shift },
    site: { start: siteStart + shift, end: siteEnd + shift },
    from: spec.owner,
  }));

function scopeOf(program: Program, file: ProgramFile): FileScope {
  program.tracker.see(file.importsVersion);
  const imports = new Map<string, ModuleNames>();
  for (const [binding, module] of file.bindings)
    imports.set(
      binding,
      moduleNamesFrom((name, ...kinds) => program.findIn(module, name, ...kinds), program),
    );
  return { own: moduleNamesFrom((name, ...kinds) => program.find(file, name, ...kinds), program), imports };
}

type Find = <K extends DeclSymbol['kind']>(name: string, ...kinds: readonly K[]) => SymbolOfKind<K> | undefined;

function moduleNamesFrom(find: Find, { tracker }: Program): ModuleNames {
  // The names of fields and variants are dependencies too.
  const see = <S extends DeclSymbol>(symbol: S | undefined): S | undefined => {
    if (symbol !== undefined) tracker.see(symbol);
    return symbol;
  };
  return {
    functions: { get: name => see(find(name, 'FunctionDecl', 'ExternDecl'))?.decl },
    types: { get: name => see(find(name, 'ClassDecl', 'EnumDecl', 'TraitDecl'))?.decl },
    errors: { get: name => see(find(name, 'ErrorDecl'))?.decl },
    stages: { get: name => see(find(name, 'StageDecl'))?.decl },
  };
}
