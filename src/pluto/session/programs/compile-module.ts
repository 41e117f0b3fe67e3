import type { WasmUse } from '../../program/backend/contract.ts';
import { lowerProgram } from '../../program/backend/lower-program.ts';
import { isExtern } from '../../program/runtime/externs/externs.ts';
import { toFindings, type Finding } from '../findings.ts';
import type { PlutoSession } from '../pluto-session.ts';

/** A compiled program, or the reasons why it does not compile. */
export type CompileResult =
  | {
      readonly kind: 'compiled';
      readonly program: string;
      readonly wasm: WasmUse;
      /** Whether it surely ends at once and needs little memory and stack. */
      readonly isShort: boolean;
    }
  | { readonly kind: 'refused'; readonly findings: readonly Finding[] };

/**
 * Compiles a module and everything that it imports, as it is in memory.
 *
 * @param mode `run`: the program without its tests; `test`: only its tests
 * @throws AppError PLUTO_MODULE_NOT_FOUND, PLUTO_MODULE_UNREADABLE
 */
export async function compileModule(
  session: PlutoSession,
  path: string,
  mode: 'run' | 'test',
  signal: AbortSignal,
): Promise<CompileResult> {
  const { path: entry } = await session.module(path);
  const request = { entry, mode, hasExtern: isExtern };
  const lowered = await session.runExclusive(signal, () => lowerProgram(session.checker.checked(), request));
  if (lowered.kind === 'refused')
    return { kind: 'refused', findings: toFindings(await session.modules(signal), lowered.diagnostics) };
  const { text: program, wasm, isShort } = lowered;
  if (mode === 'test' || lowered.hasEntry) return { kind: 'compiled', program, wasm, isShort };
  const finding = {
    severity: 'error' as const,
    code: 'no-entry',
    message: 'this module has no entry point: it needs a function main, an app or a stage',
    file: entry,
    span: { start: 0, end: 0 },
    line: 1,
    column: 1,
  };
  return { kind: 'refused', findings: [finding] };
}
