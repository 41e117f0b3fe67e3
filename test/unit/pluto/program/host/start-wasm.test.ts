import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createProgramRunner } from '../../../../../src/pluto/program/host/program-runner.ts';
import { supportsWasm } from '../../../../../src/pluto/program/host/start-wasm.ts';
import { engineRemark } from '../../../../../src/pluto/session/programs/engine-remark.ts';
import { lowered } from '../backend/run-source.ts';

const LOOP = 'fn main() int {\n    let mut n = 0\n    for i in 0..43 { n = i }\n    return n\n}';

test('says that JavaScript ran when the engine lacks garbage-collected WebAssembly', async () => {
  assert.equal(supportsWasm(), true);
  assert.equal(createProgramRunner({ folder: '/', environment: {}, startedBy: 'agent' }).runsWasm, true);
  const program = await lowered(LOOP);
  assert.match(engineRemark(program, false), /JavaScript ran instead of WebAssembly/);
  assert.equal(engineRemark(program, true), '');
  assert.equal(engineRemark(await lowered('fn main() { print("a") }'), false), '');
});
