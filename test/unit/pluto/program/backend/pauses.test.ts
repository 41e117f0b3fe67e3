import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PausableWork, runToEnd } from '../../../../../src/base/time-slice.ts';
import { emitProgram } from '../../../../../src/pluto/program/backend/javascript/emit-program.ts';
import { WasmProgram } from '../../../../../src/pluto/program/backend/wasm/wasm-program.ts';
import { built } from './typed/build-source.ts';

function pausesOf(work: PausableWork<unknown>): number {
  let pauses = 0;
  while (work.next().done !== true) pauses += 1;
  return pauses;
}

/** Functions with loops, which become WebAssembly, and a start that calls them. */
const programOf = (count: number): string => {
  const indices = Array.from({ length: count }, (_, index) => index);
  const loop = '    let mut n = 0\n    for i in 0..x { n = n + i * i }\n    return n\n';
  return `${indices.map(index => `fn f${index}(x: int) int {\n${loop}}\n`).join('')}fn main() {\n${indices
    .map(index => `    print(f${index}(3))\n`)
    .join('')}}\n`;
};

test('pauses for each function in every pass over the functions while it emits a program', async () => {
  const functions = 300;
  const program = await built(programOf(functions));
  const wasm = runToEnd(WasmProgram.of(program));
  // The call graph, the definitions, the code of the module, two passes of its encoding, and the search for used operations.
  const passes = 6;
  const pauses = pausesOf(emitProgram(program, wasm));
  assert.ok(pauses >= passes * functions, `${pauses} pauses for ${functions} functions`);
});

test('pauses for each function while it selects the functions of WebAssembly', async () => {
  const functions = 300;
  const program = await built(programOf(functions));
  // The analyses, the groups of functions that call each other, and the calls from JavaScript.
  const passes = 3;
  const pauses = pausesOf(WasmProgram.of(program));
  assert.ok(pauses >= passes * functions, `${pauses} pauses for ${functions} functions`);
});
