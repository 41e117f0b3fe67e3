import type { ProjectPath } from '../../../../base/brand.ts';
import { cyclesOf } from '../../../../base/cycles.ts';
import type { ProgramFile } from '../program/program-file.ts';
import type { Program } from '../program/program.ts';
import type { ReportInFile } from '../report/check-codes.ts';

/** Checks the imports of one file, except for cycles. */
export function checkImports(program: Program, file: ProgramFile, report: ReportInFile): void {
  const isSystem = file.items.some(({ kind }) => kind === 'SystemDecl');
  const paths = new Map<string, ProjectPath>();
  for (const { decl, binding, target, problem } of file.imports) {
    if (problem !== undefined) report(problem.code, decl, problem.message);
    if (target === undefined) continue;
    const other = paths.get(binding);
    if (other !== undefined && other !== target.path)
      report('import-conflict', decl, `conflicting import binding '${binding}': another imported module has this name`);
    paths.set(binding, target.path);
    const files = target.files.map(path => program.files.get(path));
    if (files.includes(undefined)) report('module-unreadable', decl, `could not read module '${binding}'`);
    if (isSystem) continue;
    const apps = files.filter(one => one?.items.some(({ kind }) => kind === 'AppDecl') === true).length;
    const many = apps > 1 ? 'multiple app declarations, and ' : '';
    if (apps > 0)
      report('app-imported', decl, `${many}app declarations are not allowed in imported modules: see '${binding}'`);
  }
}

/** Import cycles, by each file in them; a module of several files appears as its files. */
export function findCycles(files: Iterable<ProgramFile>): ReadonlyMap<ProjectPath, readonly ProjectPath[]> {
  const edges = new Map<ProjectPath, readonly ProjectPath[]>();
  for (const { path, imports, isEmbedded } of files)
    if (!isEmbedded)
      edges.set(
        path,
        imports.flatMap(({ target }) => target?.files ?? []),
      );
  const found = new Map<ProjectPath, readonly ProjectPath[]>();
  for (const cycle of cyclesOf(Array.from(edges.keys()).toSorted(), path => edges.get(path) ?? []))
    for (const path of cycle) if (!found.has(path)) found.set(path, cycle);
  return found;
}

export function reportCycle(file: ProgramFile, cycle: readonly ProjectPath[], report: ReportInFile): void {
  const next = cycle[(cycle.indexOf(file.path) + 1) % cycle.length];
  const import_ = file.imports.find(({ target }) => target?.files.some(path => path === next) === true);
  if (import_ !== undefined)
    report('import-cycle', import_.decl, `circular import: ${[...cycle, cycle[0]].join(' → ')}`);
}
