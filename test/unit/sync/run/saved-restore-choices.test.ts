import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryReviewDrafts } from '../../../harness/memory-review-drafts.ts';
import { syncWorld, type SyncWorld } from '../../../harness/sync-world.ts';
import { until } from '../../../harness/until.ts';

const kept = / Your decisions are kept for the next review\.$/;

/** A world that has synced `A` and `B` in one direction. */
async function synced(direction: 'push' | 'pull') {
  const world = await syncWorld({
    git: 'none',
    files: { 'src/A.luau': 'disk a', 'src/B.luau': 'disk b' },
    place: {
      'ServerScriptService/A': { className: 'ModuleScript', source: 'studio a' },
      'ServerScriptService/B': { className: 'ModuleScript', source: 'studio b' },
    },
    drafts: memoryReviewDrafts(),
  });
  const { changes } = await world.sync({ mode: 'dryrun' });
  const ids = changes.map(({ id }) => id);
  const { status, runId } = await world.sync({ overrides: ids.map(id => ({ id, direction })) });
  assert.equal(status, 'success');
  return { world, runId, ids };
}

/** Opens the review of a restore. */
async function openRestore(world: SyncWorld, runId: string, side: 'disk' | 'studio', ids?: readonly string[]) {
  const shown = world.reviews.length;
  const run = world.engine.start({
    mode: 'manual',
    overrides: [],
    requestedBy: 'test',
    restore: { runId, side, ids },
  });
  await until(() => world.reviews.length > shown);
  const review = world.reviews.at(-1)!;
  const row = (name: string) => review.snapshot().rows.find(({ path }) => path.includes(`/${name}`))!;
  return {
    run,
    review,
    choices: () => ['A', 'B'].map(name => [row(name).choice, row(name).isRestored].join(' ')),
    skip: (name: string) => review.choose([row(name).id], 'skip'),
    apply: () => review.apply(review.status().revision),
    async close(): Promise<void> {
      run.cancel();
      assert.equal((await run.result).status, 'cancelled');
    },
  };
}

test('keeps the decisions of a restore in Studio when Studio does not respond', async () => {
  const { world, runId } = await synced('push');
  const failing = await openRestore(world, runId, 'studio');
  failing.skip('A');
  world.studio.silent.add('read');
  failing.apply();
  await until(() => world.link.passed.at(-1) === 'toStudio: read');
  world.clock.advance(10_000);
  assert.equal((await failing.run.result).error?.code, 'STUDIO_BUSY');
  assert.match(failing.review.status().outcome ?? '', kept);

  world.studio.silent.delete('read');
  const again = await openRestore(world, runId, 'studio');
  assert.deepEqual(again.choices(), ['skip true', 'push false']);
  again.apply();
  assert.equal((await again.run.result).status, 'success');
  assert.equal(world.studio.source('ServerScriptService/A'), 'disk a');
  assert.equal(world.studio.source('ServerScriptService/B'), 'studio b');
  const after = await openRestore(world, runId, 'studio');
  assert.equal(after.review.status().undecided, 0);
  assert.deepEqual(
    after.review.snapshot().rows.map(({ choice }) => choice),
    ['push'],
  );
  await after.close();
});

test('keeps the decisions of a restore on disk when it cannot be recorded', async () => {
  const { world, runId } = await synced('pull');
  const failing = await openRestore(world, runId, 'disk');
  failing.skip('A');
  world.journal.failing = true;
  failing.apply();
  assert.equal((await failing.run.result).status, 'error');
  assert.match(failing.review.status().outcome ?? '', kept);
  assert.equal(world.files.text('src/B.luau'), 'studio b');

  world.journal.failing = false;
  const again = await openRestore(world, runId, 'disk');
  assert.deepEqual(again.choices(), ['skip true', 'pull false']);
  again.apply();
  assert.equal((await again.run.result).status, 'success');
  assert.deepEqual(['src/A.luau', 'src/B.luau'].map(world.files.text.bind(world.files)), ['studio a', 'disk b']);
});

test('offers no decision of a restore again when its file has changed since', async () => {
  const { world, runId } = await synced('pull');
  const before = await openRestore(world, runId, 'disk');
  before.skip('A');
  before.skip('B');
  await before.close();
  world.files.set('src/A.luau', 'edited a');
  const after = await openRestore(world, runId, 'disk');
  assert.deepEqual(after.choices(), ['pull false', 'skip true']);
  await after.close();
});

test('offers the decisions of a restore to no other restore and to no sync', async () => {
  const { world, runId, ids } = await synced('pull');
  const before = await openRestore(world, runId, 'disk');
  before.skip('A');
  before.skip('B');
  await before.close();
  const one = await openRestore(world, runId, 'disk', ids.slice(0, 1));
  assert.deepEqual(
    one.review.snapshot().rows.map(({ choice, isRestored }) => [choice, isRestored]),
    [['pull', false]],
  );
  await one.close();
  world.files.set('src/A.luau', 'edited a');
  const sync = world.engine.start({ mode: 'manual', overrides: [], requestedBy: 'test' });
  await until(() => world.reviews.length === 3);
  assert.equal(
    world.reviews
      .at(-1)
      ?.snapshot()
      .rows.some(({ isRestored }) => isRestored),
    false,
  );
  sync.cancel();
  await sync.result;
  const again = await openRestore(world, runId, 'disk');
  assert.deepEqual(again.choices(), ['pull false', 'skip true']);
  await again.close();
});
