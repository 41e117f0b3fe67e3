import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatSentence } from '../../../src/base/sentence.ts';
import { type Reader, summarySentence } from '../../../src/protocol/sync-summary.ts';
import type { ChangeOutcome, SyncStatus } from '../../../src/protocol/sync-result.ts';

const readers: readonly Reader[] = ['agent', 'person', 'command line'];
const place = { name: 'Harbor', placeId: 1 };
const summary = (
  status: SyncStatus,
  outcomes: readonly (ChangeOutcome | 'undecided' | 'deleted')[],
  reader: Reader,
): string =>
  formatSentence(
    summarySentence(
      {
        status,
        runId: 'r',
        place,
        overrides: [],
        changes: outcomes.map(outcome =>
          outcome === 'undecided'
            ? { direction: 'unresolved', patchType: 'Edit' }
            : outcome === 'deleted'
              ? { direction: 'pull', patchType: 'Add', outcome: 'written' }
              : { direction: 'push', patchType: 'Edit', outcome },
        ),
      },
      reader,
    ),
  );

test('names no count that is zero, for every reader', () => {
  const outcomes = ['applied', 'written', 'merged', 'skipped', 'failed', 'unknown', 'undecided'] as const;
  for (const reader of readers)
    for (const status of ['success', 'partial', 'disconnected'] as const) {
      for (const outcome of outcomes) assert.doesNotMatch(summary(status, [outcome], reader), /\b0\b|: [.,]/, status);
      assert.doesNotMatch(summary(status, [], reader), /\b0\b|: [.,]/, status);
    }
});

test('names the undecided changes of a dry run only if there are any', () => {
  for (const reader of readers) {
    assert.equal(summary('dryrun', ['applied'], reader), 'Dry run complete: 1 change. Nothing was changed.');
    assert.equal(
      summary('dryrun', ['applied', 'undecided'], reader),
      'Dry run complete: 2 changes, 1 undecided. Nothing was changed.',
    );
  }
});

test('says what a restore brought back, and on which side', () => {
  const restored = (
    restoredSide: 'disk' | 'studio',
    outcomes: readonly ChangeOutcome[],
    status: SyncStatus,
  ): string => {
    const changes = outcomes.map(outcome => ({ direction: 'push' as const, patchType: 'Add' as const, outcome }));
    return formatSentence(
      summarySentence({ status, runId: 'r', place, restoredSide, overrides: [], changes }, 'person'),
    );
  };
  assert.equal(
    restored('disk', ['written', 'written', 'skipped'], 'success'),
    'Restore completed successfully: 2 restored on disk, 1 skipped.',
  );
  assert.equal(restored('studio', ['applied'], 'success'), 'Restore completed successfully: 1 restored in Harbor.');
  assert.equal(restored('disk', [], 'empty'), 'Nothing to restore: the files are as they were before that sync.');
  assert.equal(restored('studio', [], 'empty'), 'Nothing to restore: Harbor is as it was before that sync.');
});

test('names every count of a finished sync that is not zero, for every reader', () => {
  for (const reader of readers) {
    assert.equal(summary('success', ['applied'], reader), 'Sync completed successfully: 1 pushed to Harbor.');
    assert.equal(
      summary('success', ['applied', 'written', 'written', 'merged', 'skipped'], reader),
      'Sync completed successfully: 1 pushed to Harbor, 2 written to disk, 1 merged, 1 skipped.',
    );
    assert.equal(
      summary('success', ['written', 'deleted'], reader),
      'Sync completed successfully: 1 written to disk, 1 deleted from disk.',
    );
    assert.equal(summary('success', ['deleted'], reader), 'Sync completed successfully: 1 deleted from disk.');
    assert.match(
      summary('partial', ['applied', 'failed', 'unknown', 'undecided'], reader),
      /^The sync was completed only in part: 1 pushed to Harbor, 1 failed, 1 with unknown outcome, 1 undecided\. /,
    );
    assert.match(
      summary('disconnected', ['applied', 'unknown'], reader),
      /^Studio disconnected during the sync: 1 pushed to Harbor, 1 failed or with unknown outcome\. /,
    );
    assert.match(
      summary('error', ['applied', 'failed', 'unknown'], reader),
      / The sync was completed only in part: 1 pushed to Harbor, 1 failed, 1 with unknown outcome\. Start a dry run /,
    );
    assert.equal(summary('error', ['skipped'], reader), 'The sync failed.');
  }
});
