import assert from 'node:assert/strict';
import { compileFunction } from 'node:vm';
import type { ProjectPath } from '../../../../../src/base/brand.ts';
import { runToEnd } from '../../../../../src/base/time-slice.ts';
import { lowerProgram } from '../../../../../src/pluto/program/backend/lower/lower.ts';
import { type MakeProgram, runProgram } from '../../../../../src/pluto/program/runtime/run-program.ts';
import { MemoryProgramHost } from '../../../../harness/memory-program-host.ts';
import { CheckWorld } from '../../language/check-world.ts';

/** The output of the program of one module, which is the same with WebAssembly and with JavaScript alone. */
export async function outputOf(source: string): Promise<string> {
  const { checker } = await CheckWorld.of({ 'main.pt': source });
  const lowered = runToEnd(
    lowerProgram(checker.checked(), {
      entry: 'main.pt' as ProjectPath,
      mode: 'run',
      hasExtern: () => false,
    }),
  );
  assert.equal(lowered.kind, 'lowered', `${JSON.stringify(lowered)}\n${source}`);
  const [output, ofJavaScript] = [true, false].map(hasWasm => {
    const host = new MemoryProgramHost('', hasWasm);
    runProgram(compileFunction(lowered.text, ['$rt']) as MakeProgram, host);
    return host.textOf('stdout') + host.textOf('stderr');
  });
  assert.equal(output, ofJavaScript, `WebAssembly, and JavaScript alone\n${source}`);
  return output ?? '';
}
