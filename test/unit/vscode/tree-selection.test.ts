import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Emitter } from '../../../src/base/emitter.ts';
import { followSelection } from '../../../src/vscode/tree-selection.ts';

/** A tree view whose rows VS Code may have forgotten until it reads them again. */
function fakeTree() {
  const changed = new Emitter<{ readonly selection: readonly string[] }>();
  const tree = {
    selection: [] as readonly string[],
    onDidChangeSelection(listener: (event: { readonly selection: readonly string[] }) => void) {
      const listening = changed.event(listener);
      return { dispose: () => listening[Symbol.dispose]() };
    },
  };
  const select = (...rows: readonly string[]): void => {
    tree.selection = rows;
    changed.fire({ selection: rows });
  };
  return { tree, select };
}

test('keeps a selection while VS Code reads the rows again', () => {
  const { tree, select } = fakeTree();
  using selection = followSelection(tree);
  select('a', 'b');
  tree.selection = ['b'];
  assert.deepEqual(selection.current(), ['a', 'b']);
  tree.selection = ['a, read again', 'b, read again'];
  assert.deepEqual(selection.current(), ['a, read again', 'b, read again']);
});

test('selects a row after VS Code has read it again when it was selected meanwhile', () => {
  const { tree, select } = fakeTree();
  using selection = followSelection(tree);
  select();
  assert.deepEqual(selection.current(), []);
  tree.selection = ['a'];
  assert.deepEqual(selection.current(), ['a']);
});

test('keeps the selection empty when the person selects nothing', () => {
  const { tree, select } = fakeTree();
  using selection = followSelection(tree);
  select('a');
  select();
  assert.deepEqual(selection.current(), []);
});
