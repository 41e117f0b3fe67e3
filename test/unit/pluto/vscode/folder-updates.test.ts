import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProjectPath } from '../../../../src/base/brand.ts';
import { FolderUpdates } from '../../../../src/pluto/vscode/folder-updates.ts';
import { ManualClock } from '../../../harness/manual-clock.ts';
import { settle } from '../../../harness/settle.ts';

const path = (text: string): ProjectPath => text as ProjectPath;

/** @param isSlow whether calls end only with `endCall` */
function folderUpdates({ isSlow = false } = {}) {
  const clock = new ManualClock();
  const calls: string[] = [];
  const running: (() => void)[] = [];
  const call = (name: string): Promise<void> => {
    calls.push(name);
    return isSlow ? new Promise(resolve => running.push(resolve)) : Promise.resolve();
  };
  const updates = new FolderUpdates({
    clock,
    reportChanges: paths => call(`changed ${paths.join(' ')}`),
    showFindings: () => call('show'),
  });
  const advance = async (ms: number): Promise<void> => {
    clock.advance(ms);
    await settle();
  };
  const endCall = async (): Promise<void> => {
    assert.equal(running.length, 1, 'one call at a time');
    running.pop()?.();
    await settle();
  };
  return { calls, updates, advance, endCall };
}

test('reports files that change together once, and shows the findings after them', async () => {
  const { calls, updates, advance } = folderUpdates();
  updates.fileChanged(path('a.pt'));
  await advance(100);
  updates.fileChanged(path('b.pt'));
  updates.fileChanged(path('a.pt'));
  await advance(50);
  assert.deepEqual(calls, ['changed a.pt b.pt']);
  await advance(150);
  updates.fileChanged(path('c.pt'));
  await advance(150);
  assert.deepEqual(calls, ['changed a.pt b.pt', 'show', 'changed c.pt']);
});

test('shows the findings of changed files when they have been read, however long that takes', async () => {
  const { calls, updates, advance, endCall } = folderUpdates({ isSlow: true });
  updates.fileChanged(path('tests'));
  await advance(150);
  await advance(10_000);
  assert.deepEqual(calls, ['changed tests']);
  await endCall();
  await advance(150);
  assert.deepEqual(calls, ['changed tests', 'show']);
});

test('reads files that change during a reading when it has ended', async () => {
  const { calls, updates, advance, endCall } = folderUpdates({ isSlow: true });
  updates.fileChanged(path('a.pt'));
  await advance(150);
  updates.fileChanged(path('b.pt'));
  await advance(150);
  assert.deepEqual(calls, ['changed a.pt']);
  await endCall();
  assert.deepEqual(calls, ['changed a.pt', 'changed b.pt']);
});

test('shows the findings once when edits follow each other quickly', async () => {
  const { calls, updates, advance } = folderUpdates();
  for (let edit = 0; edit < 5; edit += 1) {
    updates.scheduleFindings();
    await advance(100);
  }
  assert.deepEqual(calls, []);
  await advance(50);
  assert.deepEqual(calls, ['show']);
});

test('shows the findings once more after edits during a check', async () => {
  const { calls, updates, advance, endCall } = folderUpdates({ isSlow: true });
  for (let edit = 0; edit < 5; edit += 1) {
    updates.scheduleFindings();
    await advance(150);
  }
  assert.deepEqual(calls, ['show']);
  await endCall();
  await endCall();
  assert.deepEqual(calls, ['show', 'show']);
});

test('calls nothing for pending or later changes when the folder is removed', async () => {
  const { calls, updates, advance } = folderUpdates();
  updates.fileChanged(path('a.pt'));
  updates.scheduleFindings();
  updates[Symbol.dispose]();
  updates.fileChanged(path('b.pt'));
  updates.scheduleFindings();
  await advance(1_000);
  assert.deepEqual(calls, []);
});

test('calls nothing more when the folder is removed during a reading', async () => {
  const { calls, updates, advance, endCall } = folderUpdates({ isSlow: true });
  updates.fileChanged(path('a.pt'));
  await advance(150);
  updates.fileChanged(path('b.pt'));
  await advance(150);
  updates[Symbol.dispose]();
  await endCall();
  await advance(1_000);
  assert.deepEqual(calls, ['changed a.pt']);
});
