import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UNPAIRED_LIMITS } from '../../../../src/protocol/limits.ts';
import { createWriteWindow } from '../../../../src/transport/studio/write-window.ts';
import { ManualClock } from '../../../harness/manual-clock.ts';

function world() {
  const clock = new ManualClock();
  const state = { feeds: 0, isActiveClient: false };
  const feed = () => ({ count: () => state.feeds });
  return { clock, state, window: createWriteWindow('rojo', feed, () => state.isActiveClient, clock) };
}

test('lets a plugin write for ten minutes after it has read the project, until its feed opens', () => {
  const { clock, window } = world();
  assert.equal(window.isOpen(), false);
  window.noteRead();
  clock.advance(UNPAIRED_LIMITS.writeAfterReadMs - 1);
  assert.equal(window.isOpen(), true);
  clock.advance(1);
  assert.equal(window.isOpen(), false);
});

test('lets a plugin write while its feed is open, and not afterwards', () => {
  const { state, window } = world();
  window.noteRead();
  window.noteFeed();
  state.feeds = 1;
  assert.equal(window.isOpen(), true);
  state.feeds = 0;
  assert.equal(window.isOpen(), false);
});

test('lets a plugin write while the bridge syncs in it', () => {
  const { state, window } = world();
  state.isActiveClient = true;
  assert.equal(window.isOpen(), true);
});
