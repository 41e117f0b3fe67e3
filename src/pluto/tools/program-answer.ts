import { AppError } from '../../base/errors.ts';
import { compileModule } from '../session/programs/compile-module.ts';
import type { PlutoSession } from '../session/pluto-session.ts';
import type { StopReason, TestRun } from '../ports/program-runner.ts';
import type * as z from 'zod';
import { toErrorBody } from '../../protocol/error-body.ts';
import type { ErrorBody } from '../../protocol/sync.ts';
import { count, toDiagnostics } from './shapes.ts';

/** What programs of agents are told of their limits. */
export const LIMITS_IN_WORDS =
  'It runs in a thread of its own, with 512 MB of memory and 1 MB of output, without network; it reads files of the project folder and writes there and in a temporary folder, but never modules.';

/** The text of a program with its tests or its start; or, where something is wrong with it, what every answer says then. */
export async function compiled(session: PlutoSession, path: string, mode: 'run' | 'test', signal: AbortSignal) {
  const made = await compileModule(session, path, mode, signal);
  if (made.kind === 'compiled') return { program: made.program };
  const [first] = made.findings;
  const more = made.findings.length > 1 ? ` (${made.findings.length} findings, this is the first)` : '';
  return {
    refusal: {
      success: false,
      diagnostics: toDiagnostics(made.findings),
      summary: `${path} was not compiled${first === undefined ? '' : `: ${first.message}`}${more}.`,
      outcome: 'refused' as const,
    },
  };
}

/** What the verdicts of tests come to, for agents and for people. Where nothing was run, nothing has passed. */
export function testsAnswer(path: string, filter: string, { verdicts, notRun, stopped }: TestRun) {
  const passed = verdicts.filter(one => one.passed).length;
  const failed = verdicts.length - passed;
  const isEmpty = verdicts.length + notRun.length === 0;
  const error = stopped && stoppedError(stopped);
  const all = `${count(passed, 'test')} passed, ${failed} failed${notRun.length === 0 ? '' : `, ${notRun.length} not run`}.`;
  const cut = verdicts.filter(one => one.schedules?.isComplete === false).length;
  const remark =
    cut === 0
      ? ''
      : `Not every order of tasks was tried in ${count(cut, 'test')}: PLUTO_MAX_SCHEDULES and PLUTO_MAX_DEPTH limit it.`;
  const none = filter === '' ? `${path} has no tests.` : `${path} has no test whose name contains "${filter}".`;
  return {
    success: !isEmpty && failed === 0 && error === undefined,
    isEmpty,
    remark,
    passed,
    failed,
    results: verdicts.map(({ output, schedules, ...one }) => ({
      ...one,
      ...(!one.passed && { output }),
      ...(schedules && { schedules: { explored: schedules.explored, complete: schedules.isComplete } }),
    })),
    ...(error !== undefined && { error }),
    summary:
      error === undefined
        ? isEmpty
          ? none
          : [all, remark].join(' ').trimEnd()
        : `${isEmpty ? '' : `${all} `}${error.message}`,
  };
}

export const stoppedError = ({ budget, limit, unit }: StopReason): z.infer<typeof ErrorBody> =>
  toErrorBody(new AppError('PLUTO_PROGRAM_STOPPED', { budget, limit, unit }));

/** What it ran on, when that is not what is on disk. */
export const unsavedInWords = ({ dirty }: PlutoSession): string =>
  dirty.length === 0 ? '' : ` Edits that are not saved were part of it (${dirty.join(', ')}).`;
