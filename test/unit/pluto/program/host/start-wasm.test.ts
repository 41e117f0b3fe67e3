import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileFunction } from 'node:vm';
import { createProgramRunner } from '../../../../../src/pluto/program/host/program-runner.ts';
import { wasmSupport } from '../../../../../src/pluto/program/host/start-wasm.ts';
import { engineRemark } from '../../../../../src/pluto/program/engine-remark.ts';
import { type MakeProgram, runProgram } from '../../../../../src/pluto/program/runtime/run-program.ts';
import { MemoryProgramHost } from '../../../../harness/memory-program-host.ts';
import { lowered, loweredProgram } from '../backend/run-source.ts';

const LOOP = 'fn main() int {\n    let mut n = 0\n    for i in 0..43 { n = i }\n    return n\n}';

test('says that JavaScript ran when the engine lacks garbage-collected WebAssembly', async () => {
  assert.equal(wasmSupport(), 'all');
  assert.equal(createProgramRunner({ folder: '/', environment: {}, startedBy: 'agent' }).wasm, 'all');
  const { wasm } = await loweredProgram(LOOP);
  assert.match(engineRemark(wasm, 'none'), /JavaScript ran instead of WebAssembly/);
  assert.equal(engineRemark(wasm, 'all'), '');
  const withoutLoop = await loweredProgram('fn main() { print("a") }');
  assert.equal(engineRemark(withoutLoop.wasm, 'none'), '');
});

const READS_BYTES = 'fn main() {\n    let mut n = 0\n    for i in 0..3 { n = n + "abc".byte_at(i) }\n    print(n)\n}';

test('says that JavaScript ran when the engine lacks functions for strings, if the program reads bytes', async () => {
  const { wasm } = await loweredProgram(READS_BYTES);
  assert.match(engineRemark(wasm, 'slow-strings'), /use Node 24 or newer/);
  assert.match(engineRemark(wasm, 'none'), /use Node 22 or newer/);
  assert.equal(engineRemark(wasm, 'all'), '');
  assert.equal(engineRemark((await loweredProgram(LOOP)).wasm, 'slow-strings'), '');
});

/** Starts the WebAssembly of a program in an engine that lacks functions for strings. @returns its output */
async function outputInOlderEngine(source: string): Promise<{ readonly output: string; readonly ranWasm: boolean }> {
  const host = new MemoryProgramHost('', 'older');
  runProgram(compileFunction(await lowered(source), ['$rt']) as MakeProgram, host);
  return { output: host.textOf('stdout'), ranWasm: host.ranWasm };
}

test('has functions for strings where the engine lacks them', async () => {
  const source = `
fn main() {
    let mut text = ""
    for i in 0..3 { text = text + f"{i}{text == "01"}".substring(0, 3) }
    print(text)
    print(text.substring(5, 0) + "|")
    print(text.len())
}`;
  assert.deepEqual(await outputInOlderEngine(source.replaceAll('"01"', 'text')), {
    output: '0tr1tr2tr\n|\n9\n',
    ranWasm: true,
  });
  assert.deepEqual(await outputInOlderEngine(READS_BYTES), { output: '294\n', ranWasm: false });
});
