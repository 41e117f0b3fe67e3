import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installFakeVsCode } from '../../harness/fake-vscode.ts';

const shown: unknown[][] = [];
const show = async (...args: unknown[]) => void shown.push(args);
installFakeVsCode({
  l10n: { t: (text: string) => text },
  TreeItemCollapsibleState: {},
  window: { showInformationMessage: show, showWarningMessage: show, showErrorMessage: show },
});
const { safeWindow } = await import('../../../src/vscode/safe-window.ts');

const short = 'map.json was written.';
const long = 'Atlas Bridge now syncs lobby: the folder arena was removed from the workspace.';

test('gives a long notification a button, because VS Code cuts one without buttons after its first line', () => {
  void safeWindow.showInformationMessage(short);
  void safeWindow.showInformationMessage(long);
  void safeWindow.showWarningMessage(long, 'Review');
  void safeWindow.showErrorMessage(long, { modal: true });
  assert.deepEqual(shown, [[short], [long, 'OK'], [long, 'Review'], [long, { modal: true }]]);
});
