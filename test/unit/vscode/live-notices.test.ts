import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Emitter } from '../../../src/base/emitter.ts';
import { say, type Sentence } from '../../../src/base/sentence.ts';
import { reasonOf } from '../../../src/protocol/reason.ts';
import type { FailedWrite } from '../../../src/studio/write/write-context.ts';
import { installFakeVsCode } from '../../harness/fake-vscode.ts';

const shown: string[] = [];
const disposable = { dispose: () => undefined };
installFakeVsCode({
  l10n: {
    t: (text: string, ...values: unknown[]) =>
      text.replaceAll(/\{(\d)\}/g, (_, index: string) => String(values[Number(index)])),
  },
  TreeItemCollapsibleState: {},
  commands: { registerCommand: () => disposable },
  workspace: { onDidChangeConfiguration: () => disposable },
  window: { showWarningMessage: async (text: string) => void shown.push(text) },
});
const { registerLive } = await import('../../../src/vscode/live.ts');

/** A window with one bridge, and the notices that a failed write of an edit from Studio leads to. */
function noticesOf(kind: 'off' | 'on', group: FailedWrite['group'] = 'own'): readonly string[] {
  const needsSync = new Emitter<Sentence>();
  const failed = new Emitter<FailedWrite>();
  const bridge = {
    live: { onDidNeedSync: needsSync.event, state: () => ({ kind }) },
    onDidFailWrite: failed.event,
  };
  const lifecycle = {
    bridges: () => [bridge],
    onDidChangeBridges: new Emitter<void>().event,
    onDidChange: new Emitter<void>().event,
  };
  using _ = registerLive(lifecycle as unknown as Parameters<typeof registerLive>[0], () => undefined);
  failed.fire({
    group,
    outcomes: [{ what: 'Workspace/A', outcome: 'failed', reason: reasonOf('source_not_utf8', 'A') }],
  });
  if (kind === 'on' && group === 'own') needsSync.fire(say`Workspace/A: the disk is full`);
  return shown.splice(0);
}

test('says once that an edit from Studio was not written', () => {
  assert.deepEqual(noticesOf('off'), [
    '1 change from Studio was not written: Workspace/A: the Source of A is not valid UTF-8, so it cannot be written to a file',
  ]);
  // Live Sync asks for a decision, with the same reason.
  assert.deepEqual(noticesOf('on'), ['Live Sync needs your decision: Workspace/A: the disk is full.']);
});

test('says that the edit of an unmodified plugin was not written while Live Sync is on', () => {
  assert.match(noticesOf('on', 'rojo').join('\n'), /^1 change from Studio was not written: Workspace\/A/);
});
