import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryRunLock } from '../../../harness/memory-run-lock.ts';
import { MemoryJournalStore } from '../../../harness/memory-journal-store.ts';
import { settle } from '../../../harness/settle.ts';
import { until } from '../../../harness/until.ts';
import { WorkingClock } from '../../../harness/working-clock.ts';
import { differing, main, syncWorld, type SyncWorld } from '../../../harness/sync-world.ts';

const reviewed = async (world: SyncWorld) => {
  const run = world.engine.start({ mode: 'manual', overrides: [], requestedBy: 'test' });
  await settle();
  assert.equal(run.phase(), 'reviewing');
  return run;
};
const within = <T>(promise: Promise<T>): Promise<T | string> => Promise.race([promise, settle().then(() => 'never')]);

test('resolves the result and frees the project when a listener of the review throws at the end', async () => {
  const world = await syncWorld(differing);
  const run = await reviewed(world);
  world.reviews[0]?.onDidChange(({ status }) => {
    if (status.phase === 'ended') throw new Error('the page is closed');
  });
  run.cancel();
  const result = await within(run.result);
  assert.notEqual(result, 'never');
  assert.equal(run.phase(), 'ended');
  assert.equal(world.engine.current(), undefined);
  assert.equal((await world.sync({ mode: 'dryrun' })).status, 'dryrun');
});

test('resolves with an internal error when the result cannot be built', async () => {
  const world = await syncWorld(differing);
  const run = await reviewed(world);
  const original = world.session.revision();
  Object.assign(world.session, {
    revision(): number {
      throw new Error('the project is closed');
    },
  });
  run.cancel();
  const result = await within(run.result);
  Object.assign(world.session, { revision: () => original });
  assert.ok(typeof result !== 'string');
  assert.deepEqual([result.status, result.error?.code], ['error', 'INTERNAL']);
  assert.equal((await world.sync({ mode: 'fastfail' })).status, 'fastfail_unresolved');
});

test('records the ending when the run is cancelled while the lock is released', async () => {
  const appended = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const journal = new MemoryJournalStore();
  const append = journal.append.bind(journal);
  journal.append = async (...args) => {
    await appended.promise;
    await append(...args);
  };
  const lock = memoryRunLock();
  const world = await syncWorld({
    ...differing,
    journalStore: journal,
    runLock: {
      ...lock,
      async take(runId) {
        const taken = await lock.take(runId);
        return taken.holder === undefined ? { ...taken, release: () => released.promise } : taken;
      },
    },
  });
  const id = await world.idOf(main);
  const overrides = [{ id, direction: 'pull' as const }];
  const run = world.engine.start({ mode: 'standard', overrides, requestedBy: 'test' });
  await settle();
  assert.equal(run.phase(), 'applying');
  run.cancel();
  await settle();
  appended.resolve();
  await settle();
  released.resolve();
  assert.equal((await run.result).status, 'cancelled');
  await settle();
  assert.deepEqual(await journal.unfinished(), []);
});

test('records the ending when the record is written while the result of a cancelled run is built', async () => {
  const appended = Promise.withResolvers<void>();
  const journal = new MemoryJournalStore();
  const append = journal.append.bind(journal);
  journal.append = async (...args) => {
    await appended.promise;
    await append(...args);
  };
  const world = await syncWorld({ ...differing, journalStore: journal, clock: new WorkingClock() });
  const id = await world.idOf(main);
  const run = world.engine.start({ mode: 'standard', overrides: [{ id, direction: 'pull' }], requestedBy: 'test' });
  await until(() => run.phase() === 'applying');
  await settle();
  run.cancel();
  appended.resolve();
  assert.equal((await run.result).status, 'cancelled');
  await settle();
  assert.deepEqual(await journal.unfinished(), []);
});

test('does not open a review when the run was cancelled while the base was learned', async () => {
  const learning = Promise.withResolvers<void>();
  const world = await syncWorld(differing);
  world.bases.update = () => learning.promise;
  world.files.set('src/Same.luau', 'return 1\n');
  world.studio.place.set('ServerScriptService/Same', { className: 'ModuleScript', source: 'return 1\n' });
  const run = world.engine.start({ mode: 'manual', overrides: [], requestedBy: 'test' });
  await settle();
  assert.equal(run.phase(), 'comparing');
  run.cancel();
  assert.equal((await run.result).status, 'cancelled');
  learning.resolve();
  await settle();
  assert.equal(run.phase(), 'ended');
  assert.equal(world.reviews.length, 0);
});

test('applies the decision when a listener of the review throws', async () => {
  const world = await syncWorld(differing);
  const run = await reviewed(world);
  const [review] = world.reviews;
  assert.ok(review !== undefined);
  review.choose([review.snapshot().rows[0]!.id], 'pull');
  review.onDidChange(() => {
    throw new Error('the page is closed');
  });
  assert.throws(() => review.apply(review.snapshot().revision), /the page is closed/);
  const result = await within(run.result);
  assert.ok(typeof result !== 'string');
  assert.equal(result.status, 'success');
});

test('finishes when a listener of its progress throws', async () => {
  const world = await syncWorld(differing);
  const id = await world.idOf(main);
  const overrides = [{ id, direction: 'push' as const }];
  const run = world.engine.start({ mode: 'standard', overrides, requestedBy: 'test' });
  run.onProgress(() => {
    throw new Error('the client has disconnected');
  });
  assert.equal((await run.result).status, 'success');
});
