import { lowerProgram } from '../../program/backend/lower/lower.ts';
import { isExtern } from '../../program/runtime/externs/externs.ts';
import { asFindings, type Finding } from '../findings.ts';
import type { PlutoSession } from '../pluto-session.ts';

/** A program as text that can run, or why there is none. */
export type Compiled =
  | { readonly kind: 'compiled'; readonly program: string }
  | { readonly kind: 'refused'; readonly findings: readonly Finding[] };

/**
 * Compiles a module with everything that it needs, as it is in memory.
 *
 * @param mode `run`: from where the program starts, and none of its tests; `test`: its tests alone
 * @throws AppError PLUTO_MODULE_NOT_FOUND, PLUTO_MODULE_UNREADABLE
 */
export async function compileModule(
  session: PlutoSession,
  path: string,
  mode: 'run' | 'test',
  signal: AbortSignal,
): Promise<Compiled> {
  const { path: entry } = await session.module(path);
  const request = { entry, mode, hasExtern: isExtern };
  const lowered = await session.work(signal, () => lowerProgram(session.checker.checked(), request));
  if (lowered.kind === 'refused')
    return { kind: 'refused', findings: asFindings(await session.modules(signal), lowered.diagnostics) };
  if (mode === 'test' || lowered.hasEntry) return { kind: 'compiled', program: lowered.text };
  const finding = {
    severity: 'error' as const,
    code: 'no-entry',
    message: 'no program starts in this module: it has no function main, no app and no stage that is whole',
    file: entry,
    span: { start: 0, end: 0 },
    line: 1,
    column: 1,
  };
  return { kind: 'refused', findings: [finding] };
}
