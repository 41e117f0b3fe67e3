import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileFunction, runInNewContext } from 'node:vm';
import type { ProjectPath } from '../../../../../src/base/brand.ts';
import { runToEnd } from '../../../../../src/base/time-slice.ts';
import { lowerProgram } from '../../../../../src/pluto/program/backend/lower-program.ts';
import { isExtern } from '../../../../../src/pluto/program/runtime/externs/externs.ts';
import { type MakeProgram, runProgram } from '../../../../../src/pluto/program/runtime/run-program.ts';
import { runTests } from '../../../../../src/pluto/program/runtime/run-tests.ts';
import { MemoryProgramHost } from '../../../../harness/memory-program-host.ts';
import { checkedPrograms } from '../../language/check-programs.ts';
import { CheckWorld } from '../../language/check-world.ts';

test('runs every accepted program, or reports unsupported features, without internal errors', async t => {
  let ran = 0;
  let refused = 0;
  for (const { name, files, expected } of checkedPrograms()) {
    if (expected.some(finding => !/(?:unused|hint|braces)/.test(finding))) continue;
    const world = await CheckWorld.of(files);
    if (world.checker.check().some(({ severity }) => severity === 'error')) continue;
    for (const entry of Object.keys(files).filter(path => /\.(?:pt|pluto)$/.test(path)))
      for (const mode of ['run', 'test'] as const) {
        const lowered = runToEnd(
          lowerProgram(world.checker.checked(), {
            entry: entry as ProjectPath,
            mode,
            hasExtern: isExtern,
          }),
        );
        if (lowered.kind === 'refused') {
          for (const { code, message } of lowered.diagnostics)
            assert.match(code, /^(?:not-supported|tests-missing|tests-with-program)$/, `${name}: ${message}`);
          refused += 1;
          continue;
        }
        const problem = problemOf(lowered.text, mode);
        assert.doesNotMatch(problem, /internal error/, `${name}, ${entry}, ${mode}\n${lowered.text}`);
        ran += 1;
      }
  }
  t.diagnostic(`${ran} runs, ${refused} not supported`);
  assert.ok(ran > 60, `${ran} runs`);
});

function problemOf(text: string, mode: 'run' | 'test'): string {
  const make = compileFunction(text, ['$rt']) as MakeProgram;
  const host = new MemoryProgramHost();
  const problems: string[] = [];
  const run = (): void => {
    if (mode === 'run') runProgram(make, host);
    else runTests(make, host, '', ({ problem }) => problems.push(problem));
  };
  // Programs of the corpus are only meant to be checked: one may loop forever.
  runInNewContext('run()', { run }, { timeout: 20_000 });
  return host.textOf('stderr') + problems.join('\n');
}
