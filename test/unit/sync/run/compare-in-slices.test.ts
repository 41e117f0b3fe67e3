import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryBaseStore } from '../../../harness/memory-base-store.ts';
import { syncWorld } from '../../../harness/sync-world.ts';
import { WorkingClock } from '../../../harness/working-clock.ts';

const never = new AbortController().signal;
const SCRIPTS = 60;
const files = Object.fromEntries(Array.from({ length: SCRIPTS }, (_, at) => [`src/S${at}.luau`, `return ${at}`]));
const last = `src/S${SCRIPTS - 1}.luau`;

test('compares again when the project changes while its changes are listed', async () => {
  let lists = 0;
  const revisions: number[] = [];
  // The base is loaded immediately before the list is built.
  const bases = Object.assign(new MemoryBaseStore(), {
    load: async () => {
      lists += 1;
      if (lists > 1) return new Map();
      world.files.set(last, 'return "new"');
      void world.session.refresh(never).then(() => revisions.push(lists));
      return new Map();
    },
  });
  const world = await syncWorld({ files, clock: new WorkingClock(), bases });
  const { status, changes } = await world.sync({ mode: 'dryrun' });
  assert.deepEqual([status, changes.length, lists], ['dryrun', SCRIPTS, 2]);
  assert.deepEqual(revisions, [1], 'the project did not change during the first list');
});
