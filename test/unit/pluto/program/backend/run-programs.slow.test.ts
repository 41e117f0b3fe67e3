import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileFunction } from 'node:vm';
import type { ProjectPath } from '../../../../../src/base/brand.ts';
import { runToEnd } from '../../../../../src/base/time-slice.ts';
import { type Lowered, lowerProgram } from '../../../../../src/pluto/program/backend/lower-program.ts';
import { isExtern } from '../../../../../src/pluto/program/runtime/externs/externs.ts';
import { type MakeProgram, runProgram } from '../../../../../src/pluto/program/runtime/run-program.ts';
import { runTests } from '../../../../../src/pluto/program/runtime/run-tests.ts';
import { MemoryProgramHost } from '../../../../harness/memory-program-host.ts';
import { CheckWorld } from '../../language/check-world.ts';
import { type Expected, type RunProgram, runPrograms } from './run-programs.ts';

for (const program of runPrograms())
  test(program.name, async () => {
    for (const hasWasm of [true, false])
      assert.deepEqual(await outcomeOf(program, hasWasm), program.expected, hasWasm ? undefined : 'JavaScript alone');
  });

/** The outcome of a program that is lowered and run as in the product. */
async function outcomeOf({ files, input, expected }: RunProgram, hasWasm: boolean): Promise<Expected> {
  const world = await CheckWorld.of(files);
  const mode = expected.tests === undefined ? 'run' : 'test';
  const lowered = runToEnd(
    lowerProgram(world.checker.checked(), {
      entry: 'main.pt' as ProjectPath,
      mode,
      hasExtern: isExtern,
    }),
  );
  const host = new MemoryProgramHost(input, hasWasm);
  const tests: string[] = [];
  const exit = lowered.kind === 'refused' ? 0 : run(lowered.text, host, mode, tests);
  if (lowered.kind === 'lowered' && mode === 'run')
    assert.equal(host.ranWasm, hasWasm && lowered.wasm !== 'none', 'the engine accepts the module');
  return {
    out: host.textOf('stdout'),
    err: host.textOf('stderr'),
    exit,
    tests: mode === 'run' ? undefined : tests.join(''),
    refused: refusalOf(world, lowered),
  };
}

function run(text: string, host: MemoryProgramHost, mode: 'run' | 'test', tests: string[]): number {
  const make = compileFunction(text, ['$rt']) as MakeProgram;
  if (mode === 'run') return runProgram(make, host);
  runTests(make, host, '', ({ name, passed, problem }) => tests.push(`${name}: ${passed ? 'passed' : problem}\n`));
  return 0;
}

const refusalOf = (world: CheckWorld, lowered: Lowered): string =>
  lowered.kind === 'lowered'
    ? ''
    : lowered.diagnostics
        .map(found => `${world.placeOf(found).replace(/:\d+$/, '')}: ${found.code}: ${found.message}\n`)
        .join('');
