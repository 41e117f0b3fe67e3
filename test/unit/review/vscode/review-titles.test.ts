import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReviewControl } from '../../../../src/ports/review-surface.ts';
import type { ReviewStatus } from '../../../../src/protocol/review.ts';
import { installFakeVsCode } from '../../../harness/fake-vscode.ts';
import { ManualClock } from '../../../harness/manual-clock.ts';
import { memoryLog } from '../../../harness/memory-log.ts';

type Status = Pick<ReviewStatus, 'sides' | 'restore'>;

const disposable = { dispose: () => undefined };
const on = () => disposable;
const diffs: string[] = [];
/** The open page; `title`: the name of its tab. */
interface Panel {
  title: string;
}
let panel: Panel | undefined;
installFakeVsCode({
  EventEmitter: class {
    readonly event = on;
    fire(): void {}
    dispose(): void {}
  },
  Uri: { joinPath: (_: unknown, ...names: string[]) => names.join('/'), from: (parts: object) => parts },
  TabInputText: class {},
  TabInputTextDiff: class {},
  TabInputCustom: class {},
  ViewColumn: { Active: -1, Beside: -2, One: 1, Two: 2 },
  TreeItemCollapsibleState: {},
  env: { language: 'en', appName: 'VS Code' },
  l10n: { t: (text: string, name = '') => text.replace('{0}', name) },
  commands: {
    executeCommand: async (command: string, _left: unknown, _right: unknown, title: string) =>
      command === 'vscode.diff' ? void diffs.push(title) : undefined,
  },
  workspace: { onDidCloseTextDocument: on, registerTextDocumentContentProvider: on },
  window: {
    activeTextEditor: undefined,
    visibleTextEditors: [],
    tabGroups: { activeTabGroup: {} },
    registerWebviewPanelSerializer: on,
    onDidChangeWindowState: on,
    createWebviewPanel(_type: string, title: string) {
      const webview = {
        options: {},
        html: '',
        cspSource: '',
        asWebviewUri: (uri: unknown) => uri,
        postMessage: async () => true,
        onDidReceiveMessage: on,
      };
      const created = { title, webview, visible: true, onDidDispose: on, ...disposable };
      panel = created;
      return created;
    },
  },
});
const { ReviewPanel } = await import('../../../../src/review/vscode/review-panel.ts');
const { createDiffDocuments } = await import('../../../../src/review/vscode/diff-documents.ts');

/** The name of the tab of a review, in a window with these projects. */
async function tabOf(status: Status, project?: string): Promise<string | undefined> {
  using shown = new ReviewPanel({
    clock: new ManualClock(),
    log: memoryLog(),
    project: () => project,
    storage: '/storage',
  } as unknown as ConstructorParameters<typeof ReviewPanel>[0]);
  const review = {
    status: () => status,
    onDidChange: () => ({ [Symbol.dispose]: () => undefined }),
  } as unknown as ReviewControl;
  // The page never answers, so the wait for it is cancelled.
  const stop = new AbortController();
  const showing = shown.show(review, stop.signal);
  stop.abort();
  await assert.rejects(showing, /aborted/);
  return panel?.title;
}

test('names the tab of a review after its purpose, and after the project if there are several', async () => {
  assert.equal(await tabOf({ sides: 'studio' }), 'Review Changes');
  assert.equal(await tabOf({ sides: 'pluto' }), 'Review Changes');
  assert.equal(await tabOf({ sides: 'studio' }, 'obby'), 'Review Changes: obby');
  assert.equal(await tabOf({ sides: 'studio', restore: 'disk' }), 'Review Restore');
});

test('names the tab of a diff after the change and its sides, left and right', async () => {
  using documents = createDiffDocuments(() => undefined);
  const texts = { title: 'Shop', disk: { fsPath: null, text: '' }, studio: { text: '' }, base: undefined };
  for (const status of [
    { sides: 'studio' },
    { sides: 'pluto' },
    { sides: 'studio', restore: 'disk' },
    { sides: 'studio', restore: 'studio' },
  ] as const)
    await documents.open('run/a', texts, -1, status);
  assert.deepEqual(diffs, [
    'Shop (Studio ↔ disk)',
    'Shop (.pluto ↔ .pt)',
    'Shop (before the sync ↔ disk now)',
    'Shop (Studio now ↔ before the sync)',
  ]);
});
