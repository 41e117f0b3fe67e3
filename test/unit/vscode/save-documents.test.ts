import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { installFakeVsCode } from '../../harness/fake-vscode.ts';

interface FakeDocument {
  readonly uri: { readonly path: string };
  readonly isUntitled: boolean;
  isDirty: boolean;
  save(): Promise<boolean>;
}
/** An event of VS Code. */
function eventOf<T>() {
  const listeners = new Set<(value: T) => void>();
  return {
    fire: (value: T) => listeners.forEach(listener => listener(value)),
    count: () => listeners.size,
    on: (listener: (value: T) => void) => {
      listeners.add(listener);
      return { dispose: () => listeners.delete(listener) };
    },
  };
}
const [begins, ends] = [eventOf<{ document: FakeDocument }>(), eventOf<FakeDocument>()];
const warnings: string[] = [];
const textDocuments: FakeDocument[] = [];
const saveAll = mock.fn(async () => true);
installFakeVsCode({
  l10n: { t: (text: string, ...args: readonly string[]) => text.replace('{0}', args[0] ?? '') },
  window: { showWarningMessage: async (text: string) => void warnings.push(text) },
  workspace: { textDocuments, saveAll, onWillSaveTextDocument: begins.on, onDidSaveTextDocument: ends.on },
});
const { saveDocument, saveEach, saveFiles } = await import('../../../src/vscode/save-documents.ts');

/** @param save what VS Code does when it is asked to save for the n-th time */
function edited(path: string, save: (document: FakeDocument, count: number) => void, isUntitled = false) {
  let count = 0;
  const document: FakeDocument = {
    uri: { path },
    isUntitled,
    isDirty: true,
    async save() {
      count += 1;
      save(document, count);
      return !document.isDirty;
    },
  };
  return Object.assign(document, { count: () => count });
}
// The fakes have the properties that are read.
const given = (document: FakeDocument): never => document as never;
const begin = (document: FakeDocument): void => begins.fire({ document });
function end(document: FakeDocument, isDirty = false): void {
  document.isDirty = isDirty;
  ends.fire(document);
}
const listens = (): boolean => begins.count() + ends.count() > 0;

test('saves once', async () => {
  const document = edited('/game/Shop.luau', saving => (begin(saving), end(saving)));
  assert.equal(await saveDocument(given(document)), true);
  assert.equal(document.count(), 1);
  assert.equal(listens(), false);
});

test('waits for a save that VS Code prepares while it ignores another request', async () => {
  const document = edited('/game/Shop.luau', saving => void setTimeout(end, 5, saving));
  assert.equal(await saveDocument(given(document)), true);
  assert.equal(document.isDirty, false);
  assert.equal(document.count(), 1);
});

test('waits for a save that began at the moment of the request', async () => {
  const document = edited('/game/Shop.luau', (saving, count) => {
    if (count === 1) begin(saving);
    else setTimeout(end, 5, saving);
  });
  assert.equal(await saveDocument(given(document)), true);
  assert.equal(document.count(), 2);
});

test('saves what was typed while a save ran', async () => {
  const document = edited('/game/Shop.luau', (saving, count) => {
    begin(saving);
    end(saving, count < 4);
  });
  assert.equal(await saveDocument(given(document)), true);
  assert.equal(document.count(), 4);
});

test('does not wait when the save itself fails', async () => {
  const document = edited('/game/Shop.luau', begin);
  assert.equal(await saveDocument(given(document), 60_000), false);
  assert.equal(document.count(), 2);
  assert.equal(listens(), false);
});

test('does not wait for the save of another document', async () => {
  const other = edited('/game/Other.luau', () => undefined);
  const document = edited('/game/Shop.luau', () => void setTimeout(end, 1, other));
  assert.equal(await saveDocument(given(document), 20), false);
  assert.equal(listens(), false);
});

test('saves nothing without unsaved edits', async () => {
  const document = edited('/game/Shop.luau', () => assert.fail());
  document.isDirty = false;
  assert.equal(await saveDocument(given(document)), true);
});

test('saves every document that has a file, also one that saving all left unsaved', async () => {
  const untitled = edited('Untitled-1', () => assert.fail(), true);
  const shop = edited('/game/Shop.luau', saving => void setTimeout(end, 1, saving));
  textDocuments.push(untitled, shop);
  assert.equal(await saveFiles(), true);
  assert.deepEqual([saveAll.mock.callCount(), shop.isDirty, untitled.isDirty], [1, false, true]);
  assert.deepEqual(warnings, []);
});

test('names each document that could not be saved', async () => {
  const failing = ['/game/a/Shop.luau', '/game/b/Coins.luau'].map(path => edited(path, begin));
  assert.equal(await saveEach(failing.map(given)), false);
  assert.equal(await saveEach(failing.slice(0, 1).map(given)), false);
  assert.deepEqual(warnings.splice(0), [
    'Nothing was started, because VS Code could not save these files: Shop.luau, Coins.luau. Save them, then try again.',
    'Nothing was started, because VS Code could not save Shop.luau. Save it, then try again.',
  ]);
});
