import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runToEnd } from '../../../src/base/time-slice.ts';
import { ProblemLog } from '../../../src/project/problem-log.ts';
import type { ProjectDiagnostic } from '../../../src/project/project-session.ts';
import { memoryLog } from '../../harness/memory-log.ts';

const COUNT = 10_000;
/** Problems that may be compared in one turn of the event loop. */
const MAX_PER_TURN = 256;

const problem = (line: number): ProjectDiagnostic =>
  ({ file: 'a.luau', line, column: 1, severity: 'warning', message: 'expected one' }) as ProjectDiagnostic;

test('[P6] logs the problems of a project with thousands in many turns, and only the new ones', () => {
  const log = memoryLog();
  const problemLog = new ProblemLog(log);
  const problems = Array.from({ length: COUNT }, (_, index) => problem(index + 1));
  const pauses = Array.from(problemLog.report(problems)).length;
  assert.ok(pauses > COUNT / MAX_PER_TURN, `${pauses}`);
  assert.equal(log.lines.length, 20 + 1);
  assert.match(log.lines[20] ?? '', /more problems.*9980/);
  runToEnd(problemLog.report([...problems, problem(COUNT + 1)]));
  assert.equal(log.lines.length, 20 + 1 + 1);
  assert.match(log.lines[21] ?? '', /a\.luau:10001:1/);
});
