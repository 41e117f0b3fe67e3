import type { ProjectPath } from '../../../../base/brand.ts';
import type { PausableWork } from '../../../../base/time-slice.ts';
import type { ProgramFile } from '../program/program-file.ts';
import type { Program } from '../program/program.ts';
import type { Signatures } from '../program/signatures.ts';
import type { ClassSymbol } from '../types/type.ts';
import { checkCollisions } from './collisions.ts';
import { checkExterns, conflictingExterns } from './externs.ts';
import type { RawDiagnostic, ReportInFile } from '../report/check-codes.ts';
import { checkImports, findCycles, reportCycle } from './imports.ts';
import { injectionCycles } from './injection.ts';

/** Rules about whole files, and program-wide rules that are reported in a file. */
export class FileRules {
  readonly #program: Program;
  readonly #signatures: Signatures;
  #imports: ReadonlyMap<ProjectPath, readonly ProjectPath[]> = new Map();
  #injection: ReadonlyMap<ClassSymbol, readonly ClassSymbol[]> = new Map();
  #externs: ReturnType<typeof conflictingExterns> = new Map();

  constructor(program: Program, signatures: Signatures) {
    this.#program = program;
    this.#signatures = signatures;
  }

  /** Must be called after any change outside of bodies. */
  *readDeclarations(): PausableWork<void> {
    this.#imports = findCycles(this.#program.files.values());
    yield;
    this.#injection = injectionCycles(this.#program, this.#signatures);
    yield;
    this.#externs = conflictingExterns(this.#program);
    yield;
  }

  check(file: ProgramFile): readonly RawDiagnostic[] {
    const found: RawDiagnostic[] = [];
    const report: ReportInFile = (code, { start, end }, message) => {
      found.push({ severity: 'error', code, message, start, end });
    };
    checkImports(this.#program, file, report);
    const cycle = this.#imports.get(file.path);
    if (cycle !== undefined) reportCycle(file, cycle, report);
    checkCollisions(this.#program, file, report);
    checkExterns(this.#program, file, this.#externs, report);
    for (const symbol of file.symbols.values()) {
      if (symbol.kind !== 'ClassDecl') continue;
      const around = this.#injection.get(symbol);
      if (around !== undefined)
        report(
          'dependency-cycle',
          symbol.decl.name,
          `circular dependency detected: ${[...around, symbol].map(({ name }) => name).join(' → ')}`,
        );
    }
    return found;
  }
}
