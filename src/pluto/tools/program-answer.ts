import { counted } from '../../base/plural.ts';
import type * as z from 'zod';
import { AppError } from '../../base/errors.ts';
import { toErrorBody } from '../../protocol/error-body.ts';
import type { ErrorBody } from '../../protocol/sync-result.ts';
import type { StopReason, TestRun } from '../ports/program-runner.ts';

/** The verdicts of a test run, for agents and for people. A run without tests is not a success. */
export function testsAnswer(path: string, filter: string, { verdicts, notRun, stopped }: TestRun) {
  const passed = verdicts.filter(one => one.passed).length;
  const failed = verdicts.length - passed;
  const isEmpty = verdicts.length + notRun.length === 0;
  const error = stopped && stoppedError(stopped);
  const all = `${counted(passed, 'test')} passed, ${failed} failed${notRun.length === 0 ? '' : `, ${notRun.length} not run`}.`;
  const cut = verdicts.filter(one => one.schedules?.isComplete === false).length;
  const remark =
    cut === 0
      ? ''
      : `${counted(cut, 'test')} did not try every task order: raise PLUTO_MAX_SCHEDULES or PLUTO_MAX_DEPTH to try more.`;
  const none = filter === '' ? `${path} has no tests.` : `${path} has no test whose name contains "${filter}".`;
  return {
    success: !isEmpty && failed === 0 && error === undefined,
    isEmpty,
    remark,
    passed,
    failed,
    results: verdicts.map(verdict => {
      const { output, schedules, places: _, ...one } = verdict;
      return {
        ...one,
        ...(!one.passed && { output }),
        ...(schedules && { schedules: { explored: schedules.explored, complete: schedules.isComplete } }),
      };
    }),
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
