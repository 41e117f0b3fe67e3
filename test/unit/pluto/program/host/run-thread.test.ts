import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { heapMegabytes } from '../../../../../src/pluto/program/host/memory-limit.ts';
import { makeSharedOutput, readShared } from '../../../../../src/pluto/program/host/output.ts';
import { ReadyThread, runThread } from '../../../../../src/pluto/program/host/run-thread.ts';

/** Runs a program that prints a line and returns 3. */
async function run(ready: ReadyThread): Promise<string> {
  const output = makeSharedOutput(1_000);
  const body = `$rt.builtins.print("in a thread"); return 3n;`;
  const { exitCode } = await runThread(
    {
      program: `"use strict"; return { entry: { isBlocking: false, run: () => { ${body} } }, tests: [], scheduler: "Sequential" };`,
      tests: undefined,
      output,
      input: new Uint8Array(),
      environment: {},
      reach: { folder: tmpdir(), temporary: tmpdir(), isUnlimited: true },
    },
    { seconds: undefined, megabytes: heapMegabytes(), outputBytes: 1_000 },
    new AbortController().signal,
    undefined,
    { ready },
  );
  return `${readShared(output, 'stdout')}${exitCode}`;
}

test('runs one program in a thread that was started before it, and others in their own', async () => {
  using ready = new ReadyThread(heapMegabytes());
  assert.equal(await run(ready), 'in a thread\n3');
  assert.equal(ready.take(), undefined);
  assert.equal(await run(ready), 'in a thread\n3');
});

test('runs a program in another thread when the one that was started has ended', async () => {
  const ready = new ReadyThread(heapMegabytes());
  ready[Symbol.dispose]();
  assert.equal(await run(ready), 'in a thread\n3');
});
