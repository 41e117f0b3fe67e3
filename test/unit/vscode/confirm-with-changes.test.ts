import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { installFakeVsCode } from '../../harness/fake-vscode.ts';
import { settle } from '../../harness/settle.ts';

interface Tab {
  readonly label: string;
}
type Listener = (event: { readonly closed: readonly Tab[] }) => void;

const commands = new Map<string, () => unknown>();
const context = new Map<string, unknown>();
const listeners = new Set<Listener>();
/** The last tab is the active one. */
let tabs: readonly Tab[] = [];
/** The buttons that are pressed in the next dialogs. */
let presses: (string | undefined)[] = [];
let dialogCount = 0;

const setTabs = (next: readonly Tab[]): void => {
  const closed = tabs.filter(tab => !next.includes(tab));
  tabs = next;
  for (const listener of listeners) listener({ closed });
};
const disposable = { dispose: () => undefined };
installFakeVsCode({
  l10n: { t: (text: string) => text },
  commands: {
    async executeCommand(id: string, key: string, value: unknown) {
      if (id === 'setContext') context.set(key, value);
    },
    registerCommand(id: string, run: () => unknown) {
      assert.equal(commands.has(id), false, `${id} is registered twice`);
      commands.set(id, run);
      return { dispose: () => commands.delete(id) };
    },
  },
  window: {
    async showWarningMessage() {
      dialogCount += 1;
      return presses.shift();
    },
    tabGroups: {
      get all() {
        return [{ tabs }];
      },
      get activeTabGroup() {
        return { activeTab: tabs.at(-1) };
      },
      close: async (closing: readonly Tab[]) => setTabs(tabs.filter(tab => !closing.includes(tab))),
      onDidChangeTabGroups: () => disposable,
      onDidChangeTabs(listener: Listener) {
        listeners.add(listener);
        return { dispose: () => listeners.delete(listener) };
      },
    },
  },
});
const { confirmWithChanges } = await import('../../../src/vscode/confirm-with-changes.ts');

const other: Tab = { label: 'A.luau' };
const ask = (label = 'Changes', signal?: AbortSignal): Promise<boolean> =>
  confirmWithChanges({
    question: 'Write 1 file?',
    detail: '',
    accept: 'Write File',
    showChanges: async () => setTabs([...tabs, { label }]),
    isOfChanges: tab => tab.label === label,
    ...(signal && { signal }),
  });
const press = async (name: 'apply' | 'discard'): Promise<unknown> => commands.get(`atlas.proposedChanges.${name}`)?.();

beforeEach(() => {
  tabs = [other];
  dialogCount = 0;
});
afterEach(() => {
  assert.deepEqual([...commands.keys()], [], 'the buttons end with the question');
  assert.equal(listeners.size, 0);
  presses = [];
});

test('agrees or cancels in the dialog without a diff', async () => {
  presses = ['Write File', undefined];
  assert.equal(await ask(), true);
  assert.equal(await ask(), false);
  assert.deepEqual(tabs, [other]);
});

test('answers with the buttons of the diff, closes it, and shows them only while it is active', async () => {
  for (const [name, isAgreed] of [
    ['apply', true],
    ['discard', false],
  ] as const) {
    presses = ['Show Changes'];
    const answer = ask();
    await settle();
    assert.equal(context.get('atlas.proposedChanges'), true);
    setTabs([...tabs.slice(1), other]);
    assert.equal(context.get('atlas.proposedChanges'), false);
    await press(name);
    assert.equal(await answer, isAgreed);
    assert.deepEqual(tabs, [other]);
    assert.equal(context.get('atlas.proposedChanges'), false);
  }
});

test('shows the dialog again when the diff is closed', async () => {
  presses = ['Show Changes', 'Write File'];
  const answer = ask();
  await settle();
  assert.equal(dialogCount, 1);
  setTabs([other]);
  assert.equal(await answer, true);
  assert.equal(dialogCount, 2);
});

test('discards the changes of an open diff when another question shows its own', async () => {
  presses = ['Show Changes', 'Show Changes'];
  const first = ask();
  await settle();
  const second = ask();
  assert.equal(await first, false);
  await settle();
  assert.deepEqual(
    tabs.map(({ label }) => label),
    ['A.luau', 'Changes'],
  );
  await press('apply');
  assert.equal(await second, true);
});

test('discards the changes and closes their diff when they are cancelled elsewhere', async () => {
  presses = ['Show Changes'];
  const cancelling = new AbortController();
  const answer = ask('Changes', cancelling.signal);
  await settle();
  cancelling.abort();
  assert.equal(await answer, false);
  assert.deepEqual(tabs, [other]);
});

test('fails when the changes cannot be shown', async () => {
  presses = ['Show Changes'];
  const failing = confirmWithChanges({
    question: 'Write 1 file?',
    detail: '',
    accept: 'Write File',
    showChanges: () => Promise.reject(new Error('no diff')),
    isOfChanges: () => false,
  });
  await assert.rejects(failing, /no diff/);
});
