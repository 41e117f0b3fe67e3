import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReviewControl } from '../../../../src/ports/review-surface.ts';
import { JournalRecord } from '../../../../src/protocol/journal/journal-record.ts';
import { syncWorld, type WorldParts } from '../../../harness/sync-world.ts';
import { until } from '../../../harness/until.ts';

const parts = {
  files: { 'src/Main.server.luau': 'disk main', 'src/Other.server.luau': 'disk other' },
  place: {
    'ServerScriptService/Main': { className: 'Script', source: 'studio main' },
    'ServerScriptService/Other': { className: 'Script', source: 'studio other' },
  },
} as const;

async function reviewed(of: WorldParts = parts) {
  const world = await syncWorld(of);
  const result = world.sync({ mode: 'manual' });
  await until(() => world.reviews.length > 0);
  const review = world.reviews[0]!;
  const row = (name: string) => review.snapshot().rows.find(({ path }) => path.endsWith(name))!;
  const choose = (name: string, choice: 'push' | 'pull' | 'skip'): void => review.choose([row(name).id], choice);
  return { ...world, result, review, row, choose };
}
const compared = (review: ReviewControl, seen: number): Promise<void> =>
  until(() => review.status().revision > seen + 1 && !review.status().comparing);

test('[S21] [D19] clears only the decision of a file that is saved during a review', async () => {
  const { files, clock, review, row, choose, result, studio } = await reviewed();
  choose('Main', 'push');
  choose('Other', 'pull');
  const seen = review.status().revision;
  files.set('src/Main.server.luau', 'disk main, better');
  // The delay of the watcher, then that of the review.
  await until(() => {
    clock.advance(50);
    return review.status().revision > seen + 1 && !review.status().comparing;
  });
  assert.deepEqual([row('Main').choice, row('Main').isReopened], [null, true]);
  assert.deepEqual([row('Other').choice, row('Other').isReopened], ['pull', false]);
  choose('Main', 'push');
  review.apply(review.status().revision);
  assert.equal((await result).status, 'success');
  assert.equal(studio.source('ServerScriptService/Main'), 'disk main, better');
});

test('keeps the decision of a file that is saved without a change', async () => {
  const { files, clock, review, row, choose, result } = await reviewed();
  choose('Main', 'push');
  const seen = review.status().revision;
  files.set('src/Main.server.luau', 'disk main, better');
  files.set('src/Main.server.luau', 'disk main');
  clock.advance(5_000);
  review.refresh();
  await compared(review, seen);
  assert.deepEqual([row('Main').choice, row('Main').isReopened], ['push', false]);
  review.reject(review.status().revision);
  await result;
});

test('shows what was not compared in the review, until it can be compared', async () => {
  const lamp = 'src/Lamp.model.json';
  const { files, review, result } = await reviewed({ ...parts, files: { ...parts.files, [lamp]: '{"className"' } });
  assert.match(review.snapshot().warnings.join(), /^src\/Lamp\.model\.json:1:\d+ has an error/);
  const seen = review.status().revision;
  files.set(lamp, '{"className": "Folder"}');
  review.refresh();
  await compared(review, seen);
  assert.deepEqual(review.snapshot().warnings, []);
  review.reject(review.status().revision);
  await result;
});

test('shows a change of Studio during a review after a refresh', async () => {
  const { review, row, choose, result, studio, files } = await reviewed();
  choose('Main', 'pull');
  choose('Other', 'skip');
  const seen = review.status().revision;
  studio.edit('ServerScriptService/Main', 'studio main, better');
  review.refresh();
  await compared(review, seen);
  assert.deepEqual([row('Main').choice, row('Main').isReopened], [null, true]);
  assert.equal(row('Other').choice, 'skip');
  choose('Main', 'pull');
  review.apply(review.status().revision);
  assert.equal((await result).status, 'success');
  assert.equal(files.text('src/Main.server.luau'), 'studio main, better');
});

test('blocks Apply and diffs while both sides are compared again', async () => {
  const { review, row, choose, result, studio } = await reviewed();
  choose('Main', 'push');
  choose('Other', 'push');
  studio.edit('ServerScriptService/Main', 'studio main, better');
  review.refresh();
  assert.ok(review.status().comparing);
  assert.throws(() => review.apply(review.status().revision), { code: 'REVIEW_REFUSED' });
  const texts = await review.texts(row('Main').id);
  assert.equal(texts.studio?.text, 'studio main, better');
  review.reject(review.status().revision);
  assert.equal((await result).status, 'rejected');
});

test('has nothing to apply when the sides have become equal during the review', async () => {
  const { review, result, studio } = await reviewed();
  const seen = review.status().revision;
  studio.edit('ServerScriptService/Main', 'disk main');
  studio.edit('ServerScriptService/Other', 'disk other');
  review.refresh();
  await compared(review, seen);
  assert.equal(review.status().total, 0);
  assert.equal(review.status().summary, 'No differences remain.');
  review.apply(review.status().revision);
  assert.equal((await result).status, 'success');
});

const two = {
  git: 'none',
  files: { 'src/Main.server.luau': 'a\r\ndisk\r\nc\r\nd\r\n' },
  place: { 'ServerScriptService/Main': { className: 'Script', source: 'a\nb\nc\nstudio\n' } },
} as const;

test('writes hunks of both sides to disk and Studio only when they are applied', async () => {
  const { review, row, result, studio, files, journal } = await reviewed(two);
  const { id } = row('Main');
  assert.deepEqual(review.hunks(id), []);
  await review.texts(id);
  assert.equal(review.hunks(id).length, 2);
  await review.decideHunk(id, 0, 'push');
  assert.equal(row('Main').choice, null);
  assert.equal(files.text('src/Main.server.luau'), two.files['src/Main.server.luau']);
  assert.deepEqual(row('Main').personMerge, { isComplete: false, hunks: { total: 2, decided: 1, fromStudio: 0 } });
  await review.decideHunk(id, 1, 'pull');
  assert.equal(row('Main').choice, 'merge');
  assert.deepEqual(row('Main').personMerge, { isComplete: true, hunks: { total: 2, decided: 2, fromStudio: 1 } });
  assert.equal(files.text('src/Main.server.luau'), two.files['src/Main.server.luau']);
  assert.equal(studio.source('ServerScriptService/Main'), two.place['ServerScriptService/Main'].source);
  review.apply(review.status().revision);
  const { status, changes } = await result;
  assert.equal(status, 'success');
  assert.equal(changes[0]?.outcome, 'merged');
  assert.equal(files.text('src/Main.server.luau'), 'a\r\ndisk\r\nc\r\nstudio\r\n');
  assert.equal(studio.source('ServerScriptService/Main'), 'a\ndisk\nc\nstudio\n');
  // One record has both texts that the merge replaced.
  const [run, ...others] = await journal.list();
  assert.deepEqual(others, []);
  assert.ok(run !== undefined);
  const [item] = JournalRecord.parse(run.record).items;
  assert.equal(item?.studio?.source, two.place['ServerScriptService/Main'].source);
  const blob = item?.files[0]?.blob;
  assert.ok(blob != null);
  assert.deepEqual(
    new TextDecoder().decode(await journal.readBlob(run.runId, blob)),
    two.files['src/Main.server.luau'],
  );
});

test('chooses a side when all hunks are taken from it', async () => {
  const { review, row, result, files } = await reviewed(two);
  const { id } = row('Main');
  await review.texts(id);
  await review.decideHunk(id, 1, 'pull');
  await review.decideHunk(id, 0, 'pull');
  assert.equal(row('Main').choice, 'pull');
  assert.equal(files.text('src/Main.server.luau'), two.files['src/Main.server.luau']);
  review.reject(review.status().revision);
  await result;
});

test('forgets merged hunks and a merged text when the review is rejected', async () => {
  for (const text of [undefined, 'by hand']) {
    const { review, row, result, studio, files, journal } = await reviewed(two);
    const { id } = row('Main');
    await review.texts(id);
    if (text === undefined) {
      await review.decideHunk(id, 0, 'push');
      await review.decideHunk(id, 1, 'pull');
    } else await review.merge(id, text);
    assert.equal(row('Main').choice, 'merge');
    review.reject(review.status().revision);
    assert.equal((await result).status, 'rejected');
    assert.equal(files.text('src/Main.server.luau'), two.files['src/Main.server.luau']);
    assert.equal(studio.source('ServerScriptService/Main'), two.place['ServerScriptService/Main'].source);
    assert.deepEqual(await journal.list(), []);
  }
});

test('changes a merge to another one, to a side, and back', async () => {
  const { review, row, result, studio } = await reviewed(two);
  const { id } = row('Main');
  await review.texts(id);
  await review.merge(id, 'by hand\n');
  assert.deepEqual(row('Main').personMerge, { isComplete: true, hunks: null });
  review.choose([id], 'pull');
  assert.deepEqual(
    review.hunks(id).map(({ choice }) => choice),
    ['pull', 'pull'],
  );
  // The other hunks keep the side of the whole change.
  await review.decideHunk(id, 0, 'push');
  assert.deepEqual(row('Main').personMerge?.hunks, { total: 2, decided: 2, fromStudio: 1 });
  review.choose([id], 'skip');
  review.choose([id], 'merge');
  assert.equal((await review.texts(id)).merged?.text, 'a\ndisk\nc\nstudio\n');
  await review.merge(id, 'by hand\r\nagain\r\n');
  review.apply(review.status().revision);
  assert.equal((await result).status, 'success');
  assert.equal(studio.source('ServerScriptService/Main'), 'by hand\nagain\n');
});

test('chooses the side whose text a merge accepts as it is', async () => {
  const { review, row, result } = await reviewed(two);
  const { id } = row('Main');
  await review.texts(id);
  await review.merge(id, two.place['ServerScriptService/Main'].source);
  assert.deepEqual([row('Main').choice, row('Main').personMerge], ['pull', null]);
  await review.merge(id, 'a\ndisk\nc\nd\n');
  assert.deepEqual([row('Main').choice, row('Main').personMerge], ['push', null]);
  review.reject(review.status().revision);
  await result;
});

test('refuses a merge of outdated texts, and writes nothing', async () => {
  const { review, row, result, studio, files } = await reviewed(two);
  const { id } = row('Main');
  await assert.rejects(review.merge(id, 'merged'), { code: 'REVIEW_REFUSED' });
  await review.texts(id);
  studio.edit('ServerScriptService/Main', 'studio moved');
  await assert.rejects(review.merge(id, 'merged'), { code: 'REVIEW_REFUSED' });
  assert.equal(files.text('src/Main.server.luau'), two.files['src/Main.server.luau']);
  review.reject(review.status().revision);
  await result;
});

test('uses the committed text as the base of a merge', async () => {
  const { review, row, git, result } = await reviewed(two);
  git.head.set('src/Main.server.luau', 'committed');
  assert.deepEqual((await review.texts(row('Main').id)).base, { text: 'committed', origin: 'commit' });
  review.reject(review.status().revision);
  await result;
});

test('asks again when a binary file that a restore replaces changes during the review', async () => {
  const world = await syncWorld({ git: 'none' });
  // Neither is valid UTF-8, so both decode to the same text.
  const bytes = (last: number) => Uint8Array.of(0, 0x80, last);
  world.files.set('src/Box.rbxm', bytes(0x81));
  const item = {
    id: 'box',
    path: 'ServerScriptService/Box',
    patchType: 'Remove',
    className: 'Part',
    choice: 'pull',
    fsPath: 'src/Box.rbxm',
    studio: null,
    files: [{ path: 'src/Box.rbxm', blob: null }],
  };
  await world.journal.append(
    'made',
    {
      version: 1,
      runId: 'made',
      at: '2026-01-01T00:00:00Z',
      mode: 'standard',
      requestedBy: 'a test',
      place: { name: 'Game', placeId: 0 },
      items: [item],
    },
    new Map(),
    { at: '2026-01-01T00:00:00Z', status: 'success', outcomes: [{ id: 'box', outcome: 'written' }] },
  );
  const run = world.engine.start({
    mode: 'manual',
    overrides: [],
    requestedBy: 'test',
    restore: { runId: 'made', side: 'disk' },
  });
  await until(() => world.reviews.length > 0);
  const [review] = world.reviews;
  assert.ok(review !== undefined);
  const choices = () => review.snapshot().rows.map(row => [row.choice, row.isReopened]);
  assert.deepEqual(choices(), [['pull', false]]);
  world.files.set('src/Box.rbxm', bytes(0x82));
  const { revision } = review.status();
  review.refresh();
  await compared(review, revision);
  assert.deepEqual(choices(), [[null, true]]);
  run.cancel();
  await run.result;
});
