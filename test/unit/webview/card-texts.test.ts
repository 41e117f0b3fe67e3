import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SyncResult } from '../../../src/protocol/sync-result.ts';
import { outcomeText } from '../../../src/webview/card/texts.ts';

const result = (change: object): SyncResult =>
  ({
    status: 'success',
    summary: 'For the agent.',
    runId: 'run',
    changes: [],
    overrides: [],
    ...change,
  }) as unknown as SyncResult;
const open = { direction: 'unresolved' };

test('describes the outcome of a sync', () => {
  const outcomes = [{ outcome: 'applied' }, { outcome: 'applied' }, { outcome: 'written' }, { outcome: 'skipped' }];
  assert.equal(outcomeText(result({ changes: outcomes })), 'Synced: 2 pushed to Studio, 1 written to disk, 1 skipped.');
  const pulled = result({ changes: [{ outcome: 'written' }] });
  assert.equal(outcomeText(pulled), 'Synced: 1 written to disk.');
  const deleted = result({ changes: [{ patchType: 'Add', direction: 'pull', outcome: 'written' }] });
  assert.equal(outcomeText(deleted), 'Synced: 1 deleted from disk.');
  const failed = result({ status: 'partial', changes: [{ outcome: 'failed' }] });
  assert.equal(outcomeText(failed), 'Partly synced: 1 failed or unknown.');
  const undecided = result({ status: 'fastfail_unresolved', changes: [open, open, { direction: 'push' }] });
  assert.equal(outcomeText(undecided), 'Undecided: 2 of 3. Nothing was changed.');
  const asked = result({ status: 'fastfail_unresolved', changes: [{ direction: 'push' }] });
  assert.match(outcomeText(asked), /^A person must confirm/);
});

test('shows the summary of the bridge when the card has no sentence for a status or verdict', () => {
  assert.equal(outcomeText(result({ status: 'not_connected' })), 'For the agent.');
  const verdict = (name: string) => result({ overrides: [{ id: '1', direction: 'push', verdict: name }] });
  assert.equal(outcomeText(verdict('stale_id')), 'For the agent.');
  assert.match(outcomeText(verdict('hash_mismatch')), /^Synced/);
});
