import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installFakeVsCode } from '../../../../harness/fake-vscode.ts';
import { memoryLog } from '../../../../harness/memory-log.ts';

class Uri {
  readonly fsPath: string;
  constructor(fsPath: string) {
    this.fsPath = fsPath;
  }
  static joinPath = (folder: Uri, path: string): Uri => new Uri(`${folder.fsPath}/${path}`);
}
class TabInputText {
  readonly uri: Uri;
  constructor(uri: Uri) {
    this.uri = uri;
  }
}
class TabInputTextDiff {
  readonly original = new Uri('Studio');
  readonly modified: Uri;
  constructor(modified: Uri) {
    this.modified = modified;
  }
}
const commands = new Map<string, (...args: readonly unknown[]) => Promise<unknown>>();
const shown: string[] = [];
const show = async (text: string): Promise<void> => void shown.push(text.replaceAll('\u2060', ''));
const activeTabGroup: { activeTab?: { readonly input: unknown } | undefined } = {};
const fake = {
  Uri,
  TabInputText,
  TabInputTextDiff,
  TabInputCustom: class {},
  EventEmitter: class {
    dispose(): void {}
  },
  TreeItemCollapsibleState: {},
  l10n: {
    t: (text: string, ...values: unknown[]) =>
      text.replaceAll(/\{(\d)\}/g, (_, index: string) => String(values[Number(index)])),
  },
  commands: {
    registerCommand(id: string, run: (...args: readonly unknown[]) => Promise<unknown>) {
      commands.set(id, run);
      return { dispose: () => undefined };
    },
    executeCommand: async () => undefined,
  },
  workspace: { asRelativePath: ({ fsPath }: Uri) => fsPath.replace('/game/', '') },
  window: {
    showInformationMessage: show,
    showWarningMessage: show,
    tabGroups: { activeTabGroup },
    activeTextEditor: undefined as object | undefined,
  },
};
installFakeVsCode(fake);
const { registerChangeCommands } = await import('../../../../../src/sync/vscode/views/change-commands.ts');

const shop = new Uri('/game/Shop.luau');
const revealed: string[] = [];
const log = memoryLog();
const register = (reveal = async (id: string): Promise<boolean> => revealed.push(id) > 0): Disposable =>
  registerChangeCommands({
    pending: { state: () => ({ changes: [{ id: 'shop', fsPath: 'Shop.luau' }] }) },
    view: { reveal },
    folder: () => new Uri('/game'),
    log,
  } as unknown as Parameters<typeof registerChangeCommands>[0]);
const showInChanges = (): Promise<unknown> | undefined => commands.get('atlas.showInChanges')?.();

test('Show in Changes View asks for a file when no tab is open, whatever the Output panel shows', async () => {
  using _ = register();
  activeTabGroup.activeTab = undefined;
  fake.window.activeTextEditor = { document: { uri: new Uri('extension-output') } };
  assert.equal(await showInChanges(), false);
  assert.deepEqual(shown.splice(0), ['Open a file to show its change.']);
});

test('Show in Changes View reveals the file of the active tab, also of a diff', async () => {
  using _ = register();
  fake.window.activeTextEditor = undefined;
  for (const input of [new TabInputText(shop), new TabInputTextDiff(shop)]) {
    activeTabGroup.activeTab = { input };
    assert.equal(await showInChanges(), true);
  }
  assert.deepEqual(revealed.splice(0), ['shop', 'shop']);
  activeTabGroup.activeTab = { input: new TabInputText(new Uri('/game/Pets.luau')) };
  assert.equal(await showInChanges(), false);
  assert.deepEqual(shown.splice(0), ['Pets.luau has no change in the last comparison.']);
});

test('logs an unexpected error of a command with its cause, and shows it', async () => {
  using _ = register(async () => {
    throw new Error('the view is missing');
  });
  activeTabGroup.activeTab = { input: new TabInputText(shop) };
  fake.window.activeTextEditor = { document: { uri: shop } };
  assert.equal(await showInChanges(), undefined);
  assert.match(log.lines.join('\n'), /^error atlas\.showInChanges failed: the view is missing$/m);
  assert.equal(shown.splice(0).length, 1);
});

test('chooses for the pressed rows, and for the selected ones when it is started by key', async () => {
  const row = (id: string) => ({ path: id, change: { id, patchType: 'Edit' }, children: [] });
  const chosen: [readonly string[], string][] = [];
  const review = {
    status: () => ({ phase: 'deciding' }),
    row: () => ({}),
    choose: (ids: readonly string[], choice: string) => void chosen.push([ids, choice]),
  };
  using _ = registerChangeCommands({
    pending: { state: () => ({ changes: [], review }) },
    view: { selection: () => [row('selected')] },
    log,
  } as unknown as Parameters<typeof registerChangeCommands>[0]);
  const skip = commands.get('atlas.changes.skip') ?? assert.fail();
  await skip();
  await skip(row('pressed'), undefined);
  await skip(row('pressed'), [row('pressed'), row('too')]);
  const expected = [
    [['selected'], 'skip'],
    [['pressed'], 'skip'],
    [['pressed', 'too'], 'skip'],
  ];
  assert.deepEqual(chosen, expected);
  // VS Code does not know a row that it is reading again.
  assert.equal(await skip(undefined, undefined), 0);
  assert.equal(await skip(row('pressed'), [row('pressed'), undefined]), 0);
  assert.deepEqual(chosen, expected);
  assert.deepEqual(
    shown.splice(0),
    Array.from({ length: 2 }, () => 'Nothing happened: the view was being updated. Try again.'),
  );
});
