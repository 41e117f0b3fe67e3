import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createThreadMerger, mergeWorker } from '../../src/adapters/node/thread-merger.ts';
import type { ScriptMerger } from '../../src/ports/script-merger.ts';
import { localMerger } from '../harness/local-merger.ts';

const mergers: Readonly<Record<string, () => ScriptMerger>> = {
  thread: () => createThreadMerger({ worker: mergeWorker() }),
  fake: () => localMerger,
};

for (const [name, create] of Object.entries(mergers))
  test(`merger (${name}): merges scripts, reports conflicts, and compiles what is complete`, async () => {
    const merger = create();
    assert.deepEqual(await merger.merge({ base: 'a()\n', disk: 'a()\nb()\n', studio: 'c()\na()\n' }), {
      text: 'c()\na()\nb()\n',
      conflicts: [],
      problem: undefined,
    });
    const { conflicts } = await merger.merge({ base: 'a()\n', disk: 'b()\n', studio: 'c()\n' });
    assert.deepEqual(conflicts, [{ line: 1, base: 'a()\n', disk: 'b()\n', studio: 'c()\n' }]);
    const broken = await merger.merge({ base: 'a()\n', disk: 'do\na()\n', studio: 'a()\nb()\n' });
    assert.match(broken.problem ?? '', /^line \d/);
    assert.equal(await merger.compileProblem('local x: number = 1\nreturn `{x}`\n'), undefined);
    assert.match((await merger.compileProblem('local x = {\n')) ?? '', /^line \d/);
  });

test('merger: never runs what it compiles', async () => {
  const merger = createThreadMerger({ worker: mergeWorker() });
  assert.equal(await merger.compileProblem('while true do end'), undefined);
  assert.equal(await merger.compileProblem('error("run")'), undefined);
  assert.match((await merger.compileProblem('return 1\0 +')) ?? '', /NUL/);
});

test('merger: ends the thread of a merge that takes too long, and starts another one', async () => {
  const merger = createThreadMerger({ worker: mergeWorker(), maxMs: 1 });
  for (let tries = 0; tries < 2; tries += 1)
    await assert.rejects(merger.compileProblem('return 1'), /the work took longer than 0\.001 s/);
});
