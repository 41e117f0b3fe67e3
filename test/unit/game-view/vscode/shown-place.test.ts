import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installFakeVsCode } from '../../../harness/fake-vscode.ts';
import { memoryLog } from '../../../harness/memory-log.ts';
import { settle } from '../../../harness/settle.ts';
import { WorkingClock } from '../../../harness/working-clock.ts';

installFakeVsCode({});
const { followPlace } = await import('../../../../src/game-view/vscode/shown-place.ts');

test('logs a failure to find the differences, and shows them as unknown', async () => {
  const log = memoryLog();
  const none = () => ({ [Symbol.dispose]: () => undefined });
  let isDamaged = false;
  const session = {
    get() {
      if (isDamaged) throw new Error('the tree is damaged');
    },
  };
  const bridge = { session: () => session, onDidChangeProject: none, studios: { all: () => [] } };
  const link = { explorer: { onDidChangeChildren: none } };
  let changePending = (): void => undefined;
  using place = followPlace({
    lifecycle: { state: () => ({ kind: 'running', bridge }), onDidChange: none },
    pending: {
      state: () => ({ kind: 'compared', changes: [{ id: 'a', path: 'Workspace.Shop', patchType: 'Edit' }] }),
      studio: () => link,
      onDidChange(listener: () => void) {
        changePending = listener;
        return none();
      },
    },
    clock: new WorkingClock(),
    log,
  } as unknown as Parameters<typeof followPlace>[0]);
  const stateOfShop = (): string => {
    const shown = place.current();
    assert.equal(shown.kind, 'studio');
    const shop = { kind: 'instance', side: 'studio', id: 'a', ref: undefined };
    return shown.tree.stateOf(shop as unknown as Parameters<typeof shown.tree.stateOf>[0]);
  };
  await settle();
  assert.equal(stateOfShop(), 'differs');
  isDamaged = true;
  changePending();
  await settle();
  assert.match(log.lines.join('\n'), /^error failed to find the differences.*the tree is damaged/);
  assert.equal(stateOfShop(), 'unknown');
});
