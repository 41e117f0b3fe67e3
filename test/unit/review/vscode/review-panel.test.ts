import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReviewControl } from '../../../../src/ports/review-surface.ts';
import { installFakeVsCode } from '../../../harness/fake-vscode.ts';
import { ManualClock } from '../../../harness/manual-clock.ts';
import { memoryLog } from '../../../harness/memory-log.ts';

const disposable = { dispose: () => undefined };
const on = () => disposable;
/** Sends a message of the page. */
let send: (message: unknown) => void = () => undefined;
installFakeVsCode({
  EventEmitter: class {
    readonly event = on;
  },
  TabInputText: class {},
  TabInputTextDiff: class {},
  TabInputCustom: class {},
  Uri: { joinPath: (_: unknown, ...names: string[]) => names.join('/') },
  ViewColumn: { Active: -1, Beside: -2 },
  env: { language: 'en', appName: 'VS Code' },
  l10n: { t: (text: string) => text },
  workspace: { name: 'Game', onDidCloseTextDocument: on, registerTextDocumentContentProvider: on },
  window: {
    visibleTextEditors: [],
    tabGroups: { activeTabGroup: {} },
    registerWebviewPanelSerializer: on,
    onDidChangeWindowState: on,
    createWebviewPanel: () => ({
      ...disposable,
      visible: true,
      onDidDispose: on,
      webview: {
        asWebviewUri: (uri: unknown) => uri,
        postMessage: async () => true,
        onDidReceiveMessage(listener: typeof send) {
          send = listener;
          return disposable;
        },
      },
    }),
  },
});
const { ReviewPanel } = await import('../../../../src/review/vscode/review-panel.ts');

const review = {
  status: () => ({ sides: 'studio' }),
  snapshot: () => ({ revision: 1 }),
  setShownIn: () => undefined,
  onDidChange: () => ({ [Symbol.dispose]: () => undefined }),
} as unknown as ReviewControl;

/** A page that is not loaded yet. */
function openPage() {
  const clock = new ManualClock();
  const deps = { clock, log: memoryLog(), project: () => undefined, storage: '/storage' };
  const panel = new ReviewPanel(deps as unknown as ConstructorParameters<typeof ReviewPanel>[0]);
  return { clock, panel, shown: panel.show(review, new AbortController().signal) };
}

test('waits for a page that loads slowly and then renders slowly', async () => {
  const { clock, panel, shown } = openPage();
  using _ = panel;
  clock.advance(4_000);
  send({ kind: 'ready' });
  clock.advance(4_000);
  send({ kind: 'rendered', revision: 1 });
  await shown;
  assert.equal(clock.pending, 0);
});

test('ends the wait for a page that sends nothing for five seconds, and names its last signal', async () => {
  const { clock, panel, shown } = openPage();
  using _ = panel;
  send({ kind: 'ready' });
  clock.advance(5_000);
  await assert.rejects(shown, { message: /after 5000 ms waiting for the review to appear; last signal: "ready"/ });
  assert.equal(clock.pending, 0);
});
