import type { Type as TypeNode } from '../../syntax/ast/type.ts';
import type { ProgramFile } from '../program/program-file.ts';
import type { Program } from '../program/program.ts';
import type { ExternSymbol } from '../types/type.ts';
import type { ReportInFile } from '../report/check-codes.ts';

type Externs = ReadonlyMap<string, readonly ExternSymbol[]>;

/** Externs that files declare with different signatures, with all their declarations. */
export function conflictingExterns(program: Program): Externs {
  const externs = Array.from(program.symbols.values()).filter(symbol => symbol.kind === 'ExternDecl');
  const byName = Map.groupBy(externs, ({ name }) => name);
  for (const [name, [first, ...others]] of byName)
    if (first === undefined || others.every(other => isSameExtern(program, first, other))) byName.delete(name);
  return byName;
}

/** Checks that all modules of a program, directly or indirectly imported, declare an extern with the same signature. */
export function checkExterns(program: Program, file: ProgramFile, differing: Externs, report: ReportInFile): void {
  if (differing.size === 0 || file.isEmbedded) return;
  const seen = new Set<ProgramFile>([file]);
  for (const one of seen) for (const { files } of one.bindings.values()) for (const next of files) seen.add(next);
  for (const symbol of file.symbols.values()) {
    if (symbol.kind !== 'ExternDecl') continue;
    const other = differing
      .get(symbol.name)
      ?.find(one => one.file !== file && seen.has(program.fileOf(one)) && !isSameExtern(program, one, symbol));
    if (other !== undefined)
      report(
        'extern-conflict',
        symbol.decl.name,
        `conflicting extern fn signatures for '${symbol.name}': see ${program.fileOf(other).path}`,
      );
  }
}

export function isSameExtern(program: Program, a: ExternSymbol, b: ExternSymbol): boolean {
  return typesOf(program, a) === typesOf(program, b);
}

/** Signature of an extern without parameter names. */
function typesOf(program: Program, symbol: ExternSymbol): string {
  const { text } = program.fileOf(symbol);
  const written = (type: TypeNode | undefined): string =>
    type === undefined ? 'void' : text.slice(type.start, type.end).replaceAll(/\s+/g, '');
  return [...symbol.decl.params.map(({ type }) => type), symbol.decl.result].map(written).join(',');
}
