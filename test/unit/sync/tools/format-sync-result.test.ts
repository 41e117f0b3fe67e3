import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SyncChange, SyncResult } from '../../../../src/protocol/sync-result.ts';
import { formatSyncResult } from '../../../../src/sync/tools/format-sync-result.ts';

const change = (fields: Partial<SyncChange>): SyncChange => ({
  path: 'ServerScriptService/MyScript',
  id: 'a'.repeat(32),
  direction: 'push',
  patchType: 'Edit',
  className: 'Script',
  defaultSelection: 'push',
  defaultReason: 'git_new_file',
  fsPath: 'src/server/MyScript.server.luau',
  ...fields,
});
const words = (fields: Partial<SyncResult>): string =>
  formatSyncResult({
    status: 'success',
    summary: 'Sync completed successfully.',
    runId: 'r',
    outcome: 'done',
    elapsedMs: 5,
    changes: [],
    overrides: [],
    ...fields,
  });

test('has the text that existing clients parse, line by line', () => {
  const part = change({ path: 'Workspace/MyPart', direction: 'pull', className: 'Part', fsPath: null });
  assert.equal(
    words({ changes: [change({}), part] }),
    `Sync completed successfully.

Changes:
- [push] ServerScriptService/MyScript (Edit, Script, fs=src/server/MyScript.server.luau)
- [pull] Workspace/MyPart (Edit, Part)`,
  );
});

test('lists the changes of a failure as "presented", each failed one with its reason', () => {
  const failed = change({ outcome: 'failed', reason: 'the script changed in Studio' });
  assert.equal(
    words({ status: 'partial', summary: '1 of 1 changes failed.', changes: [failed] }),
    `1 of 1 changes failed.

Presented changes:
- [push] ServerScriptService/MyScript (Edit, Script, fs=src/server/MyScript.server.luau) failed: the script changed in Studio`,
  );
});

test('answers only the summary when there is nothing to list', () => {
  assert.equal(words({ status: 'empty', summary: 'No changes to sync.' }), 'No changes to sync.');
});

test('[P3] names rejected overrides with their verdict', () => {
  const text = words({
    overrides: [
      { id: 'one', direction: 'push', verdict: 'accepted' },
      { id: 'two', direction: 'push', verdict: 'hash_mismatch', reason: 'the script changed' },
      { id: 'three', direction: 'pull', verdict: 'stale_id' },
    ],
  });
  assert.match(
    text,
    /not accepted:\n- \[push\] two: hash_mismatch \(the script changed\)\n- \[pull\] three: stale_id$/,
  );
  assert.doesNotMatch(text, /one/);
});

test('[P3] names accepted overrides that decide nothing separately from rejected ones', () => {
  const reason = 'its parent is not pushed';
  const text = words({ overrides: [{ id: 'one', direction: 'push', verdict: 'accepted', reason }] });
  assert.match(
    text,
    /Accepted overrides that decide nothing yet:\n- \[push\] one: accepted \(its parent is not pushed\)$/,
  );
  assert.doesNotMatch(text, /not accepted/);
});

test('adds the next step to an error', () => {
  const error = { code: 'X', message: 'No Studio.', hint: 'Press Connect.', retry: 'after_reconnect' };
  assert.equal(
    words({ status: 'not_connected', summary: 'Nothing was done.', error }),
    'Nothing was done.\n\nNo Studio.\nPress Connect.',
  );
  assert.equal(
    words({ status: 'not_connected', summary: 'No Studio. Press Connect.', error }),
    'No Studio. Press Connect.',
  );
});
