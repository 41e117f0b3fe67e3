import type { ProjectPath } from '../../../base/brand.ts';
import type { Program } from './program/program.ts';
import type { Signatures } from './program/signatures.ts';
import type { FileDiagnostic } from './report/answers.ts';
import type { Planner } from './units/plan.ts';

/** A checked program as the back end sees it: resolved names, signatures, and the units with their types. */
export interface CheckedProgram {
  readonly program: Program;
  readonly signatures: Signatures;
  readonly planner: Planner;
  diagnosticsOf(file: ProjectPath): readonly FileDiagnostic[];
}
