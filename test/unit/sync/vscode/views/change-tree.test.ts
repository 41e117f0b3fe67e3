import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ChangeNode, changesOf, changeTree, findNode } from '../../../../../src/sync/vscode/views/change-tree.ts';
import { threadCpuTime } from '../../../../../scripts/bench/cpu-time.ts';
import type { PendingChange } from '../../../../../src/sync/pending-changes.ts';

const change = (path: string, id = path): PendingChange => ({
  id,
  path,
  className: 'ModuleScript',
  patchType: 'Edit',
  fsPath: null,
  choice: null,
  defaultReason: 'no_git',
  reason: null,
  agent: null,
  hasSource: false,
});
const drawn = (nodes: readonly ChangeNode[], depth = 0): readonly string[] =>
  nodes.flatMap(node => [
    `${'  '.repeat(depth)}${node.label}${node.change === undefined ? '/' : ''}`,
    ...drawn(node.children, depth + 1),
  ]);

test('groups changes by path and collapses chains of single groups', () => {
  const tree = changeTree(
    ['B/Shared/Config/Shop', 'B/Shared/Config/Game', 'B/Shared/Util/Shuffle', 'A'].map(path => change(path)),
  );
  assert.deepEqual(drawn(tree), ['A', 'B / Shared/', '  Config/', '    Game', '    Shop', '  Util/', '    Shuffle']);
});

test('shows a change with changes below it as a separate line', () => {
  const tree = changeTree([change('A/B'), change('A/B/C'), change('A/B/C/D')]);
  assert.deepEqual(drawn(tree), ['A/', '  B', '    C', '      D']);
  assert.equal(changesOf(tree[0] as ChangeNode).length, 3);
});

test('keeps the slash in the name of a change and of a changed parent', () => {
  const door = { ...change('A/In/Out'), name: 'In/Out' };
  assert.deepEqual(drawn(changeTree([door])), ['A/', '  In/Out']);
  assert.deepEqual(drawn(changeTree([change('A/In/Out/Lock'), door])), ['A/', '  In/Out', '    Lock']);
});

test('shows two changes with one path as two lines, each found by its id', () => {
  const tree = changeTree([change('A/B', 'one'), change('A/B', 'two')]);
  assert.deepEqual(drawn(tree), ['A/', '  B', '  B']);
  assert.equal(findNode(tree, 'two')?.change?.id, 'two');
  assert.equal(findNode(tree, 'three'), undefined);
});

test('builds the tree of 10,000 changes quickly', () => {
  const many = Array.from({ length: 10_000 }, (_, index) => change(`S/${index % 100}/M${index}`));
  const began = threadCpuTime();
  assert.equal(changeTree(many)[0]?.children.length, 100);
  assert.ok(threadCpuTime() - began < 2_000);
});
