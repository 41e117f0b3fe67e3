import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryLog } from '../../../harness/memory-log.ts';
import { installFakeVsCode } from '../../../harness/fake-vscode.ts';

class Uri {
  readonly scheme: string;
  readonly path: string;
  constructor(path: string, scheme = 'file') {
    this.path = path;
    this.scheme = scheme;
  }
  static joinPath = ({ path }: Uri, name: string): Uri => new Uri(`${path}/${name}`);
  with = ({ scheme = this.scheme, path = this.path }: { scheme?: string; path?: string }): Uri => new Uri(path, scheme);
  toString = (): string => `${this.scheme}:${this.path}`;
}
class TabInputText {
  readonly uri: Uri;
  constructor(uri: Uri) {
    this.uri = uri;
  }
}
const disposable = { dispose: (): void => undefined };
const commands = new Map<string, (what?: unknown) => Promise<unknown>>();
const shown: string[] = [];
const activeTabGroup: { activeTab: { input: object } | undefined } = { activeTab: undefined };
const saveListeners = new Set<(event: object) => void>();
const shop = {
  uri: new Uri('/game/Shop.pt'),
  isDirty: true,
  async save() {
    for (const listener of saveListeners) listener({ document: shop });
    return false;
  },
};
const fake = {
  l10n: {
    t: (text: string, ...values: unknown[]) =>
      text.replaceAll(/\{(\d)\}/g, (_, index: string) => String(values[Number(index)])),
  },
  Uri,
  TabInputText,
  TabInputTextDiff: class {},
  TabInputCustom: class {},
  TreeItemCollapsibleState: {},
  TextDocumentSaveReason: {},
  ProgressLocation: {},
  commands: {
    registerCommand(id: string, run: (what?: unknown) => Promise<unknown>) {
      commands.set(id, run);
      return disposable;
    },
  },
  window: {
    tabGroups: { activeTabGroup },
    // The Output panel had the focus last.
    activeTextEditor: { document: { uri: new Uri('Log', 'output') } },
    showWarningMessage: async (text: string) => void shown.push(text),
  },
  workspace: {
    // The document of the module cannot be saved, so nothing runs.
    textDocuments: [shop],
    fs: {
      stat: async () => {
        throw Object.assign(new Error('missing'), { code: 'FileNotFound' });
      },
    },
    onWillSaveTextDocument(listener: (event: object) => void) {
      saveListeners.add(listener);
      return { dispose: () => saveListeners.delete(listener) };
    },
    onDidSaveTextDocument: () => disposable,
  },
};
installFakeVsCode(fake);
const { registerPlutoRuns } = await import('../../../../src/pluto/vscode/run-commands.ts');
const { registerSyncPt } = await import('../../../../src/pluto/vscode/sync-pt-command.ts');

using _runs = registerPlutoRuns({ cli: '/cli.js', endProgram: async () => undefined, log: memoryLog() });
using _sync = registerSyncPt({
  lifecycle: { begin: async () => ({ kind: 'running', bridge: { pluto: () => ({ views: {} }) } }) },
  folder: () => new Uri('/game'),
  log: memoryLog(),
} as unknown as Parameters<typeof registerSyncPt>[0]);

/** Runs each command without an argument, as the palette does. */
async function runAll(): Promise<readonly string[]> {
  for (const id of ['atlas.runPluto', 'atlas.testPluto', 'atlas.syncPt']) await commands.get(id)?.();
  return shown.splice(0);
}

test('runs, tests and syncs the module of the active tab, whatever the Output panel shows', async () => {
  activeTabGroup.activeTab = { input: new TabInputText(new Uri('/game/Shop.pt')) };
  const unsaved = 'Nothing was started, because VS Code could not save Shop.pt. Save it, then try again.';
  assert.deepEqual(await runAll(), [unsaved, unsaved, unsaved]);
});

test('asks for a module when the active tab shows none', async () => {
  activeTabGroup.activeTab = { input: new TabInputText(new Uri('/game/Shop.luau')) };
  assert.deepEqual(await runAll(), [
    'Open the Pluto module to run.',
    'Open the Pluto module to test.',
    'Open the .pt file to sync.',
  ]);
});
