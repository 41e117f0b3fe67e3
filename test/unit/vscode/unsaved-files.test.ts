import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { Emitter } from '../../../src/base/emitter.ts';
import { installFakeVsCode } from '../../harness/fake-vscode.ts';

const file = (fsPath: string) => ({ scheme: 'file', fsPath });
const document = (uri: object, isDirty: boolean, isUntitled = false) => ({ uri, isDirty, isUntitled });
const textDocuments: object[] = [];
const edits = new Emitter<void>();
const closings = new Emitter<void>();
const on = (emitter: Emitter<void>) => (listener: () => void) => {
  const listening = emitter.event(listener);
  return { dispose: () => listening[Symbol.dispose]() };
};
installFakeVsCode({
  Disposable: {
    from: (...all: readonly { dispose(): void }[]) => ({ dispose: () => all.forEach(one => one.dispose()) }),
  },
  workspace: { textDocuments, onDidChangeTextDocument: on(edits), onDidCloseTextDocument: on(closings) },
});
const { onDidChangeUnsaved, unsavedFiles } = await import('../../../src/vscode/unsaved-files.ts');

const game = file('/game') as Parameters<typeof unsavedFiles>[0];
beforeEach(() => void textDocuments.splice(0));

test('fires with the first edit of a file, and when its edits are saved or reverted, or its editor is closed', () => {
  let fired = 0;
  const listening = onDidChangeUnsaved(game)(() => void (fired += 1));
  const show = (isDirty: boolean): void => {
    textDocuments.splice(0, 1, document(file('/game/src/A.luau'), isDirty));
    edits.fire();
  };
  const counts = [true, true, false, true].map(isDirty => {
    show(isDirty);
    return fired;
  });
  assert.deepEqual(counts, [1, 1, 2, 3]);
  textDocuments.pop();
  closings.fire();
  assert.equal(fired, 4);
  textDocuments.push(document(file('/elsewhere.luau'), true));
  edits.fire();
  assert.equal(fired, 4, 'not for files outside of the folder');
  listening[Symbol.dispose]();
  show(true);
  assert.equal(fired, 4, 'not after it was disposed');
});

test('returns the files below the folder that have unsaved edits', () => {
  textDocuments.push(
    document(file('/game/src/A.luau'), true),
    document(file('/game/src/Saved.luau'), false),
    document(file('/game-2/src/B.luau'), true),
    document(file('/elsewhere.luau'), true),
    document(file('/game/Untitled-1'), true, true),
    document({ scheme: 'git', fsPath: '/game/src/C.luau' }, true),
  );
  assert.deepEqual([...unsavedFiles(game)], ['src/A.luau']);
});
