import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { queryObjects } from 'node:v8';
import { createFileJournalStore } from '../../../../src/adapters/node/journal/file-journal-store.ts';
import { createJsonBaseStore } from '../../../../src/adapters/node/json-base-store.ts';
import type { ReviewControl } from '../../../../src/ports/review-surface.ts';
import { main, mainFile, syncWorld } from '../../../harness/sync-world.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';

/** More than the runs that the engine remembers, and than the states of a script that the base keeps. */
const WARM_UP = 40;
const SYNCS = 20;

/** Live objects of every class, after garbage collection: unlike bytes, the same in every run. */
const countObjects = (): number => queryObjects(Object, { format: 'count' });

test('keeps no objects of finished syncs in memory', async () => {
  await using state = await tempFolder();
  let edits = 0;
  const isPush = (): boolean => edits % 2 === 0;
  const person = (review: ReviewControl): void => {
    const { rows } = review.snapshot();
    review.choose(
      rows.map(({ id }) => id),
      isPush() ? 'push' : 'pull',
    );
    review.apply(review.snapshot().revision);
  };
  const world = await syncWorld({
    files: { [mainFile]: 'return 0\n' },
    place: { [main]: { className: 'Script', source: 'return 0\n' } },
    git: 'none',
    maxChanges: 10,
    journalStore: createFileJournalStore(join(state.path, 'journal')),
    bases: createJsonBaseStore(join(state.path, 'base')),
    person,
  });
  const syncTimes = async (times: number): Promise<void> => {
    for (let sync = 0; sync < times; sync += 1) {
      edits += 1;
      const text = `return ${edits}\n`;
      if (isPush()) world.files.set(mainFile, text);
      else world.studio.edit(main, text);
      const { status, summary } = await world.sync();
      assert.equal(status, 'success', summary);
      // The records of the fakes are not the memory of the engine.
      world.studio.commands.length = 0;
      world.reviews.length = 0;
    }
  };
  await syncTimes(WARM_UP);
  const before = countObjects();
  await syncTimes(SYNCS);
  const growth = countObjects() - before;
  assert.ok(growth < SYNCS, `${growth} more objects after ${SYNCS} syncs`);
});
