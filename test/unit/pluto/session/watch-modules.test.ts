import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProjectPath } from '../../../../src/base/brand.ts';
import { watchModules } from '../../../../src/pluto/session/watch-modules.ts';
import { ManualClock } from '../../../harness/manual-clock.ts';
import { settle } from '../../../harness/settle.ts';

test('reads all modules again after a burst of changes, of which some hints may be missing', async () => {
  const clock = new ManualClock();
  const read: (readonly ProjectPath[] | 'all')[] = [];
  let hint: (path: string) => void = () => {};
  using _watching = watchModules({
    clock,
    watcher: {
      watch(onHint) {
        hint = path => onHint(path as ProjectPath);
        return { [Symbol.dispose]: () => undefined };
      },
    },
    refresh: async paths => void read.push(paths === undefined ? 'all' : Array.from(paths)),
    onFailure: error => assert.fail(String(error)),
  });
  for (let at = 0; at < 1_000; at += 1) hint('src/a.luau');
  hint('src/b.pluto');
  clock.advance(2_000);
  await settle();
  assert.deepEqual(read, [['src/b.pluto'], 'all']);
  assert.equal(clock.pending, 0);
});
