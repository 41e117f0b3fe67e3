import type { PausableWork } from '../../../base/time-slice.ts';
import type { CheckedProgram } from '../../language/check/checked-program.ts';
import type { FileDiagnostic } from '../../language/check/report/answers.ts';
import type { WasmUse } from './contract.ts';
import { emitProgram } from './javascript/emit-program.ts';
import { type BuildRequest, buildProgram } from './typed/build/build-program.ts';
import { WasmProgram } from './wasm/wasm-program.ts';

/** The JavaScript of a program, or the findings that prevent it: errors in its files, and unsupported features. */
export type Lowered =
  | {
      readonly kind: 'lowered';
      readonly text: string;
      readonly wasm: WasmUse;
      readonly hasEntry: boolean;
      /** Whether it surely ends at once and needs little memory and stack. */
      readonly isShort: boolean;
      readonly tests: number;
    }
  | { readonly kind: 'refused'; readonly diagnostics: readonly FileDiagnostic[] };

/**
 * Lowers a program to the body of a function with the parameter `$rt` that returns a `Program`. Code that is unreachable from the
 * entry point and the tests is left out, and its errors are ignored. A missing module becomes an empty program.
 */
export function* lowerProgram(checked: CheckedProgram, request: BuildRequest): PausableWork<Lowered> {
  const built = yield* buildProgram(checked, request);
  if (built.kind === 'refused') return built;
  const { program, isShort } = built;
  // Only loops and recursion are worth it.
  const wasm = isShort ? undefined : yield* WasmProgram.of(program);
  const text = yield* emitProgram(program, wasm);
  const use: WasmUse = wasm === undefined || wasm.isEmpty ? 'none' : wasm.readsBytes ? 'reads-bytes' : 'without-bytes';
  const hasEntry = program.entry !== undefined;
  return { kind: 'lowered', text, wasm: use, hasEntry, isShort, tests: program.tests.length };
}
