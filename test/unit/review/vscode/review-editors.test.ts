import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Emitter } from '../../../../src/base/emitter.ts';
import type { ReviewControl, ReviewUpdate } from '../../../../src/ports/review-surface.ts';
import type { ReviewStatus } from '../../../../src/protocol/review.ts';
import { memoryLog } from '../../../harness/memory-log.ts';
import { settle } from '../../../harness/settle.ts';
import { installFakeVsCode } from '../../../harness/fake-vscode.ts';

const disposable = { dispose: () => undefined };
const on = () => disposable;
const commands = new Map<string, (key?: unknown, hunk?: unknown) => Promise<void>>();
const warnings: string[] = [];
const fake = {
  EventEmitter: class {
    readonly event = on;
    fire(): void {}
    dispose(): void {}
  },
  TabInputTextDiff: class {
    readonly original = 'left';
    readonly modified = 'right';
  },
  TabInputText: class {},
  TabInputCustom: class {},
  CodeLens: class {
    readonly command: unknown;
    constructor(_: unknown, command: unknown) {
      this.command = command;
    }
  },
  Range: class {},
  Uri: class {},
  l10n: {
    t: (text: string, ...values: unknown[]) =>
      text.replaceAll(/\{(\d)\}/g, (_, index: string) => String(values[Number(index)])),
  },
  commands: {
    executeCommand: async () => undefined,
    registerCommand(id: string, run: (key?: unknown, hunk?: unknown) => Promise<void>) {
      commands.set(id, run);
      return disposable;
    },
  },
  languages: { registerCodeLensProvider: on },
  workspace: {
    textDocuments: [],
    onDidCloseTextDocument: on,
    onDidSaveTextDocument: on,
    registerFileSystemProvider: on,
    registerTextDocumentContentProvider: on,
  },
  window: {
    tabGroups: {
      all: [] as object[],
      activeTabGroup: {} as { activeTab?: { input: object } },
      onDidChangeTabs: on,
      onDidChangeTabGroups: on,
      close: async () => {
        throw new Error('the tab is missing');
      },
    },
    activeTextEditor: undefined as object | undefined,
    visibleTextEditors: [] as object[],
    showWarningMessage: async (text: string) => void warnings.push(text),
  },
  TreeItemCollapsibleState: {},
  ViewColumn: { Active: -1 },
};
installFakeVsCode(fake);
const { reviewRefused } = await import('../../../../src/base/errors.ts');
const { createReviewEditors } = await import('../../../../src/review/vscode/review-editors.ts');

type Diffs = Parameters<typeof createReviewEditors>[0]['diffs'];
type Uri = Awaited<ReturnType<Diffs['open']>>['left'];
const uri = (path: string): Uri => ({ toString: () => path }) as Uri;
const texts = { title: 'A', disk: { fsPath: null, text: 'disk' }, studio: { text: 'studio' }, base: undefined };

const hunkAt = (start: number) => ({ disk: { start, count: 2 }, studio: { start, count: 2 }, choice: undefined });

/** A review with one change, and the editors that show it. `whileOpening` runs after the texts were read. */
function shown(whileOpening: () => void = () => undefined) {
  const changed = new Emitter<ReviewUpdate>();
  const status = { phase: 'deciding', runId: 'run', sides: 'studio' } as ReviewStatus;
  let version = 1;
  let listeners = 0;
  let reads = 0;
  const review = {
    status: () => status,
    row: () => ({ id: 'a', override: null, choice: null, outcome: 'applied' }),
    version: () => version,
    hunks: () => [hunkAt(0), hunkAt(10)],
    async decideHunk(_id: string, index: number) {
      if (index === 1) throw reviewRefused('side_changed');
    },
    texts: async () => {
      reads += 1;
      return texts;
    },
    onDidChange(listener: (update: ReviewUpdate) => void) {
      listeners += 1;
      const listening = changed.event(listener);
      return {
        [Symbol.dispose]() {
          listeners -= 1;
          listening[Symbol.dispose]();
        },
      };
    },
  } as unknown as ReviewControl;
  const diffs = {
    async open() {
      whileOpening();
      return { left: uri('left'), right: uri('right'), file: undefined };
    },
    refresh: () => undefined,
    [Symbol.dispose]: () => undefined,
  };
  const log = memoryLog();
  const editors = createReviewEditors({ diffs, log });
  return {
    review,
    editors,
    log,
    changeSide: () => (version += 1),
    end: () => changed.fire({ status: { ...status, phase: 'ended' }, rows: [] }),
    listeners: () => listeners,
    reads: () => reads,
  };
}

test('follows a review only until it ends', async () => {
  const { editors, review, end, listeners } = shown();
  await editors.open(review, 'a', -1);
  assert.equal(listeners(), 1);
  end();
  assert.equal(listeners(), 0);
});

test('reads the texts again when a side changes while the diff editor opens', async () => {
  const world = shown(() => world.changeSide());
  await world.editors.open(world.review, 'a', -1);
  await settle();
  assert.equal(world.reads(), 2);
});

test('logs that the editors of an ended review cannot be closed', async t => {
  const { editors, review, end, log } = shown();
  fake.window.tabGroups.all = [{ tabs: [{ input: new fake.TabInputTextDiff() }] }];
  t.after(() => (fake.window.tabGroups.all = []));
  await editors.open(review, 'a', -1);
  end();
  await settle();
  assert.deepEqual(log.lines, ['error failed to close the editors of a review: the tab is missing']);
});

test('decides the hunk at the cursor of the diff, whatever the Output panel shows, and logs a refusal', async t => {
  const { editors, review, log } = shown();
  const output = { document: { uri: uri('output') }, selection: { active: { line: 0 } } };
  fake.window.activeTextEditor = output;
  fake.window.visibleTextEditors = [output, { document: { uri: uri('right') }, selection: { active: { line: 11 } } }];
  fake.window.tabGroups.activeTabGroup.activeTab = { input: new fake.TabInputTextDiff() };
  t.after(() => {
    fake.window.activeTextEditor = undefined;
    fake.window.visibleTextEditors = [];
    delete fake.window.tabGroups.activeTabGroup.activeTab;
  });
  await editors.open(review, 'a', -1);
  // The second hunk is refused.
  await commands.get('atlas.review.acceptDiskHere')?.();
  const { message, hint } = reviewRefused('side_changed');
  assert.ok(warnings.splice(0).join().startsWith(message));
  assert.deepEqual(log.lines, [
    `info a decision in the editor failed ${JSON.stringify({ code: 'REVIEW_REFUSED', reason: message, hint })}`,
  ]);
});
