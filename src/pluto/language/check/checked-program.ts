import type { ProjectPath } from '../../../base/brand.ts';
import type { Program } from './program/program.ts';
import type { Signatures } from './program/signatures.ts';
import type { FileDiagnostic } from './report/answers.ts';
import type { Planner } from './units/plan.ts';

/** What the checker knows of a program, for a back end: what names mean, what declarations say, and the units with the types in them. */
export interface CheckedProgram {
  readonly program: Program;
  readonly signatures: Signatures;
  readonly planner: Planner;
  diagnosticsOf(file: ProjectPath): readonly FileDiagnostic[];
}
