import type { ProjectPath } from '../../../../base/brand.ts';
import { collectUses } from '../../refs/collect-uses.ts';
import type { FileScope, ModuleNames } from '../../refs/scope.ts';
import { UseTable } from '../../refs/use-table.ts';
import type { Use } from '../../refs/use.ts';
import type { ImportedModule, ProgramFile } from '../program/program-file.ts';
import type { Program } from '../program/program.ts';
import type { State } from '../units/state.ts';
import type { Unit } from '../units/unit.ts';

/** All uses in all files: what names tell, and what the types of objects tell. Files are put in anew when something in them changed. */
export class UseIndex {
  readonly #state: State;
  readonly #table = new UseTable();

  constructor(state: State) {
    this.#state = state;
  }

  table(): UseTable {
    const { usesChanged, program } = this.#state;
    for (const file of usesChanged) {
      if (program.files.get(file.path) !== file) this.#table.remove(file.path);
      else this.#table.put(file.path, this.#usesOf(file));
    }
    usesChanged.clear();
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
      // A name can be two things only where an enum and a class are, and then the first one wins.
      if (!all.has(use.name.start)) all.set(use.name.start, use);
    };
    for (const use of uses) add(use);
    for (const unit of this.#state.unitsIn(file)) usesInUnit(unit).forEach(add);
    for (const unit of this.#state.extras.all)
      if (unit.spec.file === file && unit.spec.with === undefined) usesInUnit(unit).forEach(add);
    return Array.from(all.values()).toSorted((a, b) => a.name.start - b.name.start);
  }
}

const usesInUnit = ({ spec, result }: Unit): readonly Use[] =>
  (result?.uses ?? []).map(({ kind, target, name, site }) => ({
    kind,
    target,
    name: { start: name.start + spec.node.start, end: name.end + spec.node.start },
    site: { start: site.start + spec.node.start, end: site.end + spec.node.start },
    from: spec.owner,
  }));

function scopeOf(program: Program, file: ProgramFile): FileScope {
  const imports = new Map<string, ModuleNames>();
  for (const [binding, module] of file.bindings) imports.set(binding, namesIn(program, module));
  return {
    own: {
      functions: { get: name => program.find(file, name, 'FunctionDecl', 'ExternDecl')?.decl },
      types: { get: name => program.find(file, name, 'ClassDecl', 'EnumDecl', 'TraitDecl')?.decl },
      errors: { get: name => program.find(file, name, 'ErrorDecl')?.decl },
      stages: { get: name => program.find(file, name, 'StageDecl')?.decl },
    },
    imports,
  };
}

const namesIn = (program: Program, module: ImportedModule): ModuleNames => ({
  functions: { get: name => program.findIn(module, name, 'FunctionDecl', 'ExternDecl')?.decl },
  types: { get: name => program.findIn(module, name, 'ClassDecl', 'EnumDecl', 'TraitDecl')?.decl },
  errors: { get: name => program.findIn(module, name, 'ErrorDecl')?.decl },
  stages: { get: name => program.findIn(module, name, 'StageDecl')?.decl },
});
