import { AppError } from '../../base/errors.ts';
import { compileModule } from '../../core/pluto/session/programs/compile-module.ts';
import type { PlutoSession } from '../../core/pluto/session/pluto-session.ts';
import type { Stopped } from '../../ports/program-runner.ts';
import type * as z from 'zod';
import { toErrorBody } from '../../protocol/error-body.ts';
import type { ErrorBody } from '../../protocol/sync.ts';
import { count, toDiagnostics } from './shapes.ts';

/** What programs of agents are told of their limits. */
export const LIMITS_IN_WORDS =
  'It runs in a thread of its own, with 512 MB of memory and 1 MB of output, without network; it reads files of the project folder and writes there and in a temporary folder, but never modules.';

/** The text of a program with its tests or its start; or what is wrong with it, as an answer says it. */
export async function compiled(session: PlutoSession, path: string, mode: 'run' | 'test', signal: AbortSignal) {
  const made = await compileModule(session, path, mode, signal);
  return made.kind === 'compiled' ? { program: made.program } : { diagnostics: toDiagnostics(made.findings) };
}

export const refusedInWords = (path: string, diagnostics: readonly unknown[]): string =>
  `${path} was not compiled: ${count(diagnostics.length, 'finding')}.`;

export const stoppedError = ({ budget, limit, unit }: Stopped): z.infer<typeof ErrorBody> =>
  toErrorBody(new AppError('PLUTO_PROGRAM_STOPPED', { budget, limit, unit }));

/** What it ran on, when that is not what is on disk. */
export const unsavedInWords = ({ dirty }: PlutoSession): string =>
  dirty.length === 0 ? '' : ` Edits that are not saved were part of it (${dirty.join(', ')}).`;
