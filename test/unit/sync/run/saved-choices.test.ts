import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../../../src/base/errors.ts';
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

test('restores the decisions of an Apply that failed before it changed anything, merged texts too', async () => {
  const drafts = memoryReviewDrafts();
  const before = await openWindow(drafts);
  await before.review.texts(before.row('Main').id);
  await before.review.merge(before.row('Main').id, 'by hand');
  before.choose('Other', 'pull');
  before.choose('Lost', 'skip');
  before.studio.silent.add('read');
  before.review.apply(before.review.status().revision);
  await until(() => before.link.passed.at(-1) === 'toStudio: read');
  before.clock.advance(10_000);
  const { error } = await before.run.result;
  assert.equal(error?.code, 'STUDIO_BUSY');
  const { phase, outcome } = before.review.status();
  assert.equal(phase, 'ended');
  assert.match(outcome ?? '', /Nothing was changed, so try again\. .* Your decisions are kept for the next review\.$/);

  const after = await openWindow(drafts);
  assert.deepEqual(
    ['Main', 'Other', 'Lost'].map(name => after.row(name).choice),
    ['merge', 'pull', 'skip'],
  );
  after.review.apply(after.review.status().revision);
  assert.equal((await after.run.result).status, 'success');
  assert.equal(after.files.text('src/Main.server.luau'), 'by hand');
});

test('says that deletions must be decided again after an Apply that failed', async () => {
  const { review, link, run, choose } = await openWindow(memoryReviewDrafts());
  choose('Main', 'push');
  choose('Lost', 'push');
  link.channel.close('the link was cut');
  assert.equal((await run.result).status, 'disconnected');
  assert.equal(
    review.status().outcome,
    'Studio disconnected before anything was changed. Your decisions are kept for the next review, except for deletions.',
  );
});

/** Drafts on a disk that is full while `isFull`. */
function draftsOnDisk() {
  const drafts = memoryReviewDrafts();
  const disk = {
    isFull: false,
    drafts: {
      load: drafts.load.bind(drafts),
      async save(...args: Parameters<ReviewDrafts['save']>) {
        if (disk.isFull) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
        await drafts.save(...args);
      },
    },
  };
  return disk;
}

test('says that the decisions could not be saved when the disk is full at Apply', async () => {
  const disk = draftsOnDisk();
  const { review, studio, link, clock, run, choose } = await openWindow(disk.drafts);
  choose('Main', 'push');
  choose('Other', 'push');
  choose('Lost', 'skip');
  clock.advance(1_000);
  disk.isFull = true;
  studio.silent.add('read');
  review.apply(review.status().revision);
  await until(() => link.passed.at(-1) === 'toStudio: read');
  clock.advance(10_000);
  assert.equal((await run.result).error?.code, 'STUDIO_BUSY');
  assert.match(
    review.status().outcome ?? '',
    /so try again\. .* Your latest decisions could not be saved, so check them in the next review\.$/,
  );
});

test('says that the decisions could not be saved when Studio disconnects and the disk is full', async () => {
  const disk = draftsOnDisk();
  const { review, link, clock, run, choose } = await openWindow(disk.drafts);
  choose('Main', 'push');
  clock.advance(1_000);
  choose('Other', 'push');
  disk.isFull = true;
  link.channel.close('the link was cut');
  assert.equal((await run.result).status, 'disconnected');
  const { outcome } = review.status();
  assert.equal(
    outcome,
    'Studio disconnected before anything was changed. Your latest decisions could not be saved, so check them in the next review.',
  );
});

test('says that the decisions are kept when the disk was full only for a while', async () => {
  const disk = draftsOnDisk();
  disk.isFull = true;
  const { review, link, clock, run, choose } = await openWindow(disk.drafts);
  choose('Main', 'push');
  clock.advance(1_000);
  disk.isFull = false;
  link.channel.close('the link was cut');
  await run.result;
  assert.match(review.status().outcome ?? '', / Your decisions are kept for the next review\.$/);
  const after = await openWindow(disk.drafts);
  assert.equal(after.row('Main').choice, 'push');
  await after.close();
});

test('restores only the decisions that Apply did not carry out', async () => {
  const drafts = memoryReviewDrafts();
  const before = await openWindow(drafts);
  before.choose('Main', 'push');
  before.choose('Other', 'pull');
  before.choose('Lost', 'skip');
  before.files.fault = (_, path) => {
    if (path === 'src/Other.server.luau') throw new AppError('FS_WRITE_FAILED', { file: path, reason: 'EBUSY' });
  };
  before.review.apply(before.review.status().revision);
  assert.equal((await before.run.result).status, 'partial');

  const after = await openWindow(drafts);
  assert.deepEqual(
    ['Main', 'Other', 'Lost'].map(name => after.row(name).choice),
    [null, 'pull', null],
  );
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
