import assert from 'node:assert/strict';
import { test } from 'node:test';
import { syncWorld } from '../../../harness/sync-world.ts';
import { usedHeap } from '../../../harness/used-heap.ts';

const names = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `Module${at}`);
const sides = (count: number, studio: string) => ({
  files: Object.fromEntries(names(count).map(name => [`src/${name}.luau`, 'return 1\n'])),
  place: Object.fromEntries(
    names(count).map(name => [`ServerScriptService/${name}`, { className: 'ModuleScript', source: studio }]),
  ),
});

test('keeps the memory of ended runs independent of the size of the project', async () => {
  const world = await syncWorld(sides(1500, 'return 1\n'));
  const heapAfter = async (runs: number): Promise<number> => {
    for (let run = 0; run < runs; run += 1) assert.equal((await world.sync({ mode: 'dryrun' })).status, 'empty');
    return await usedHeap();
  };
  const before = await heapAfter(5);
  const growth = (await heapAfter(20)) - before;
  assert.ok(growth < 1e6, `20 runs keep ${growth} bytes`);
});

test('forgets the oldest runs when they have too many changes, but never the newest', async () => {
  for (const [maxChanges, expected] of [
    [70, [undefined, 30, 30]],
    [10, [undefined, undefined, 30]],
  ] as const) {
    const { engine } = await syncWorld({ ...sides(30, 'return 2\n'), maxChanges });
    const compare = async (): Promise<string> => {
      const run = engine.start({ mode: 'dryrun', overrides: [], requestedBy: 'test' });
      assert.equal((await run.result).changes.length, 30);
      return run.runId;
    };
    const runs = [await compare(), await compare(), await compare()];
    assert.deepEqual(
      runs.map(runId => engine.find(runId)?.latest()?.changes.length),
      expected,
    );
  }
});
