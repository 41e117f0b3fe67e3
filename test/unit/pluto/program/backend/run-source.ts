import assert from 'node:assert/strict';
import { compileFunction } from 'node:vm';
import fc from 'fast-check';
import type { ProjectPath } from '../../../../../src/base/brand.ts';
import { runToEnd } from '../../../../../src/base/time-slice.ts';
import { type Lowered, lowerProgram } from '../../../../../src/pluto/program/backend/lower-program.ts';
import { isExtern } from '../../../../../src/pluto/program/runtime/externs/externs.ts';
import { type MakeProgram, runProgram } from '../../../../../src/pluto/program/runtime/run-program.ts';
import { type HostWasm, MemoryProgramHost } from '../../../../harness/memory-program-host.ts';
import { CheckWorld } from '../../language/check-world.ts';

/** The JavaScript of the program of one module. */
export const lowered = async (source: string): Promise<string> => (await loweredProgram(source)).text;

export async function loweredProgram(source: string): Promise<Extract<Lowered, { readonly kind: 'lowered' }>> {
  const { checker } = await CheckWorld.of({ 'main.pt': source });
  const how = { entry: 'main.pt' as ProjectPath, mode: 'run', hasExtern: isExtern } as const;
  const result = runToEnd(lowerProgram(checker.checked(), how));
  if (result.kind === 'refused') throw new Error(`${JSON.stringify(result)}\n${source}`);
  return result;
}

/**
 * The engine of a random module. One of ten optimizes, which takes longer than everything else about a module, and runs the same
 * WebAssembly.
 */
export const randomEngines = fc.constantFrom<HostWasm>(
  true,
  ...Array.from({ length: 9 }, () => 'unoptimized' as const),
);

/** The output of the program of one module, which is the same with WebAssembly and with JavaScript alone. */
export async function outputOf(source: string, wasm: HostWasm = true): Promise<string> {
  const text = await lowered(source);
  const [output, ofJavaScript] = [wasm, false].map(hasWasm => {
    const host = new MemoryProgramHost('', hasWasm);
    runProgram(compileFunction(text, ['$rt']) as MakeProgram, host);
    assert.equal(
      host.ranWasm,
      hasWasm !== false && text.includes('$rt.wasm("'),
      `the engine accepts the module\n${source}`,
    );
    return host.textOf('stdout') + host.textOf('stderr');
  });
  assert.equal(output, ofJavaScript, `WebAssembly, and JavaScript alone\n${source}`);
  return output ?? '';
}
