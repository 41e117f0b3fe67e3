import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainL10n } from '../../../scripts/review-page/plain-l10n.ts';
import { firstSyncOffer, isCurrentOffer } from '../../../src/setup/vscode/first-sync-offer.ts';
import type { PendingChange, PendingState } from '../../../src/sync/pending-changes.ts';

const change = (id: string, patchType: PendingChange['patchType'] = 'Add'): PendingChange => ({
  id,
  path: `ServerScriptService/${id}`,
  className: 'Script',
  patchType,
  fsPath: null,
  choice: null,
  defaultReason: 'no_git',
  reason: null,
  agent: null,
  hasSource: false,
});
const compared = (...changes: readonly PendingChange[]): PendingState => ({
  kind: 'compared',
  changes,
  placeName: 'Harbor',
  at: '2026-01-01T00:00:00Z',
  review: undefined,
  problem: undefined,
});

test('offers to push only if that replaces nothing in Studio', () => {
  assert.deepEqual(firstSyncOffer([change('A')], 'Harbor', plainL10n), {
    text: 'Harbor is connected. 1 instance was found only on disk: a push replaces nothing in Studio.',
    push: 'Push 1 Change',
  });
  assert.deepEqual(firstSyncOffer([change('A'), change('B', 'Edit')], 'Harbor', plainL10n), {
    text: 'Harbor is connected. 2 differences were found.',
    push: undefined,
  });
});

test('does not say that a comparison is the first one, because earlier ones may have found nothing', () => {
  for (const changes of [[change('A')], [change('A', 'Edit')], [change('A', 'Edit'), change('B', 'Remove')]])
    assert.doesNotMatch(firstSyncOffer(changes, 'Harbor', plainL10n).text, /first/i);
});

test('does not push an offer that is outdated, which VS Code still lists', () => {
  const offered = [change('A'), change('B')];
  assert.ok(isCurrentOffer(offered, compared(change('B'), change('A'))));
  assert.ok(!isCurrentOffer(offered, compared()));
  assert.ok(!isCurrentOffer(offered, compared(change('A'))));
  assert.ok(!isCurrentOffer(offered, compared(change('A'), change('C'))));
  // The instance is in Studio, too: a push would replace it.
  assert.ok(!isCurrentOffer(offered, compared(change('A'), change('B', 'Edit'))));
  assert.ok(!isCurrentOffer(offered, { ...compared(...offered), kind: 'reviewing' }));
});
