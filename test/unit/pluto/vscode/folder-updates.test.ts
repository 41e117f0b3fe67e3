import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProjectPath } from '../../../../src/base/brand.ts';
import { FolderUpdates } from '../../../../src/pluto/vscode/folder-updates.ts';
import { ManualClock } from '../../../harness/manual-clock.ts';

const path = (text: string): ProjectPath => text as ProjectPath;

function folderUpdates() {
  const clock = new ManualClock();
  const calls: string[] = [];
  const updates = new FolderUpdates({
    clock,
    reportChanges: paths => calls.push(`changed ${paths.join(' ')}`),
    showFindings: () => calls.push('show'),
  });
  return { clock, calls, updates };
}

test('reports files that change together once, and shows the findings after them', () => {
  const { clock, calls, updates } = folderUpdates();
  updates.fileChanged(path('a.pt'));
  clock.advance(100);
  updates.fileChanged(path('b.pt'));
  updates.fileChanged(path('a.pt'));
  clock.advance(50);
  assert.deepEqual(calls, ['changed a.pt b.pt']);
  clock.advance(150);
  updates.fileChanged(path('c.pt'));
  clock.advance(150);
  assert.deepEqual(calls, ['changed a.pt b.pt', 'show', 'changed c.pt']);
});

test('shows the findings once when edits follow each other quickly', () => {
  const { clock, calls, updates } = folderUpdates();
  for (let edit = 0; edit < 5; edit += 1) {
    updates.scheduleFindings();
    clock.advance(100);
  }
  assert.deepEqual(calls, []);
  clock.advance(50);
  assert.deepEqual(calls, ['show']);
});

test('calls nothing for pending or later changes when the folder is removed', () => {
  const { clock, calls, updates } = folderUpdates();
  updates.fileChanged(path('a.pt'));
  updates.scheduleFindings();
  updates[Symbol.dispose]();
  updates.fileChanged(path('b.pt'));
  updates.scheduleFindings();
  clock.advance(1_000);
  assert.deepEqual(calls, []);
});
