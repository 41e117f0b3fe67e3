import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installFakeVsCode } from '../../../harness/fake-vscode.ts';
import { memoryLog } from '../../../harness/memory-log.ts';
import { settle } from '../../../harness/settle.ts';

const shown: string[] = [];
let saved: (document: object) => void = () => undefined;
const disposable = { dispose: (): void => undefined };
const fake = {
  l10n: {
    t: (text: string, ...values: unknown[]) =>
      text.replaceAll(/\{(\d)\}/g, (_, index: string) => String(values[Number(index)])),
  },
  TreeItemCollapsibleState: {},
  TextDocumentSaveReason: {},
  commands: { registerCommand: () => disposable },
  window: { showWarningMessage: async (text: string) => void shown.push(text) },
  workspace: {
    fs: {
      stat: async () => {
        throw Object.assign(new Error('the folder cannot be read'), { code: 'NoPermissions' });
      },
    },
    getConfiguration: () => ({ inspect: () => undefined, get: (_: string, otherwise: unknown) => otherwise ?? true }),
    onWillSaveTextDocument: () => disposable,
    onDidSaveTextDocument(listener: typeof saved) {
      saved = listener;
      return disposable;
    },
  },
};
installFakeVsCode(fake);
const { registerSyncPt } = await import('../../../../src/pluto/vscode/sync-pt-command.ts');

test('shows why a saved view is not synced when its container cannot be read', async () => {
  const log = memoryLog();
  using _ = registerSyncPt({
    lifecycle: {},
    folder: () => ({ path: '/game' }),
    log,
  } as unknown as Parameters<typeof registerSyncPt>[0]);
  const uri = { scheme: 'file', path: '/game/Shop.pt', with: (change: object) => ({ ...uri, ...change }) };
  saved({ uri, lineAt: () => ({ text: '// @generated-from: Shop.pluto' }) });
  await settle();
  assert.match(shown.join('\n'), /^Cannot access Shop.pluto: permission denied/);
  assert.match(log.lines.join('\n'), /failed to sync a \.pt/);
});
