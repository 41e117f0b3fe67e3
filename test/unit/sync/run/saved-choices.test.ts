import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReviewDrafts } from '../../../../src/ports/review-drafts.ts';
import { memoryReviewDrafts } from '../../../harness/memory-review-drafts.ts';
import { syncWorld, type WorldParts } from '../../../harness/sync-world.ts';
import { until } from '../../../harness/until.ts';

const parts = {
  git: 'none',
  files: { 'src/Main.server.luau': 'disk main', 'src/Other.server.luau': 'disk other' },
  place: {
    'ServerScriptService/Main': { className: 'Script', source: 'studio main' },
    'ServerScriptService/Other': { className: 'Script', source: 'studio other' },
    'ServerScriptService/Lost': { className: 'Script', source: 'studio lost' },
  },
} as const;

/** A review in a new window. Windows share only `drafts`. */
async function openWindow(drafts: ReviewDrafts, of: WorldParts = parts) {
  const world = await syncWorld({ ...of, drafts });
  const run = world.engine.start({ mode: 'manual', overrides: [], requestedBy: 'test' });
  await until(() => world.reviews.length > 0);
  const review = world.reviews[0]!;
  const row = (name: string) => review.snapshot().rows.find(({ path }) => path.endsWith(name))!;
  const choose = (name: string, choice: 'push' | 'pull' | 'skip'): void => review.choose([row(name).id], choice);
  const close = async (): Promise<void> => {
    run.cancel();
    assert.equal((await run.result).status, 'cancelled');
  };
  return { ...world, run, review, row, choose, close };
}

test('restores and marks the choices of a closed window in the next review', async () => {
  const drafts = memoryReviewDrafts();
  const before = await openWindow(drafts);
  before.choose('Main', 'push');
  before.choose('Other', 'pull');
  await before.close();
  const after = await openWindow(drafts);
  assert.deepEqual([after.row('Main').choice, after.row('Main').isRestored], ['push', true]);
  assert.deepEqual([after.row('Other').choice, after.row('Other').isRestored], ['pull', true]);
  assert.equal(after.review.status().undecided, 1);
  after.choose('Main', 'skip');
  assert.equal(after.row('Main').isRestored, false);
  await after.close();
});

test('saves choices while the window is open, so that a killed window loses none', async () => {
  const drafts = memoryReviewDrafts();
  const before = await openWindow(drafts);
  before.choose('Main', 'push');
  before.clock.advance(1_000);
  const after = await openWindow(drafts);
  assert.equal(after.row('Main').choice, 'push');
  await before.close();
  await after.close();
});

test('does not restore a choice when a side has changed since', async () => {
  const drafts = memoryReviewDrafts();
  const before = await openWindow(drafts);
  before.choose('Main', 'push');
  before.choose('Other', 'pull');
  await before.close();
  const after = await openWindow(drafts, {
    ...parts,
    files: { ...parts.files, 'src/Main.server.luau': 'disk main, better' },
    place: { ...parts.place, 'ServerScriptService/Other': { className: 'Script', source: 'studio other, better' } },
  });
  assert.deepEqual([after.row('Main').choice, after.row('Other').choice], [null, null]);
  await after.close();
});

test('does not restore the choice of a deletion', async () => {
  const drafts = memoryReviewDrafts();
  const before = await openWindow(drafts);
  before.choose('Lost', 'push');
  await before.close();
  const after = await openWindow(drafts);
  assert.deepEqual([after.row('Lost').choice, after.row('Lost').isRestored], [null, false]);
  await after.close();
});

test('restores nothing after a finished review', async () => {
  const drafts = memoryReviewDrafts();
  const before = await openWindow(drafts);
  before.choose('Main', 'push');
  before.review.reject(before.review.status().revision);
  assert.equal((await before.run.result).status, 'rejected');
  const after = await openWindow(drafts);
  assert.equal(after.row('Main').choice, null);
  await after.close();
});

test('restores a merged text and decided hunks after the window was reloaded', async () => {
  const of = {
    git: 'none',
    files: { 'src/Main.server.luau': 'a\ndisk\nc\nd\n', 'src/Other.server.luau': 'a\ndisk\nc\nd\n' },
    place: {
      'ServerScriptService/Main': { className: 'Script', source: 'a\nb\nc\nstudio\n' },
      'ServerScriptService/Other': { className: 'Script', source: 'a\nb\nc\nstudio\n' },
    },
  } as const;
  const drafts = memoryReviewDrafts();
  const before = await openWindow(drafts, of);
  for (const name of ['Main', 'Other']) await before.review.texts(before.row(name).id);
  await before.review.merge(before.row('Main').id, 'by hand\n');
  await before.review.decideHunk(before.row('Other').id, 1, 'pull');
  await before.close();

  const after = await openWindow(drafts, of);
  assert.deepEqual([after.row('Main').choice, after.row('Main').isRestored], ['merge', true]);
  assert.equal(after.row('Other').choice, null);
  const { id } = after.row('Other');
  await after.review.texts(id);
  assert.deepEqual(
    after.review.hunks(id).map(({ choice }) => choice),
    [null, 'pull'],
  );
  await after.review.decideHunk(id, 0, 'push');
  after.review.apply(after.review.status().revision);
  assert.equal((await after.run.result).status, 'success');
  assert.equal(after.files.text('src/Main.server.luau'), 'by hand\n');
  assert.equal(after.studio.source('ServerScriptService/Main'), 'by hand\n');
  assert.equal(after.files.text('src/Other.server.luau'), 'a\ndisk\nc\nstudio\n');
});
