import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ReviewRow } from '../../../src/protocol/review.ts';
import {
  buildTree,
  bulkChoice,
  commonChoice,
  type TreeNode,
  visibleLines,
} from '../../../src/webview/review/tree-model.ts';

const row = (id: string, path: string, more: Partial<ReviewRow> = {}): ReviewRow => ({
  id,
  path,
  className: 'ModuleScript',
  patchType: 'Edit',
  fsPath: null,
  hasSource: true,
  properties: {},
  defaultSelection: null,
  defaultReason: 'no_git',
  explanation: '',
  override: null,
  choice: null,
  personMerge: null,
  follows: null,
  side: 'unknown',
  isReopened: false,
  isRestored: false,
  outcome: null,
  reason: null,
  ...more,
});

const outline = (nodes: readonly TreeNode[]): unknown[] =>
  nodes.map(node => [node.names.join(' / '), ...outline(node.children)]);

test('groups changes by path and collapses chains of single groups', () => {
  const tree = buildTree([row('1', 'A/B/C/One'), row('2', 'A/B/C/Two'), row('3', 'D/Three')]);
  assert.deepEqual(outline(tree), [
    ['A / B / C', ['One'], ['Two']],
    ['D', ['Three']],
  ]);
});

test('shows a change that contains other changes as one expandable line', () => {
  const tree = buildTree([row('1', 'A/Folder'), row('2', 'A/Folder/Child')]);
  assert.deepEqual(outline(tree), [['A', ['Folder', ['Child']]]]);
  assert.deepEqual(
    tree[0]!.children[0]!.rows.map(({ id }) => id),
    ['1', '2'],
  );
});

test('makes two changes with one path siblings with different keys', () => {
  const tree = buildTree([row('1', 'A/Twin'), row('2', 'A/Twin'), row('3', 'A/Twin/Child')]);
  assert.deepEqual(outline(tree), [['A', ['Twin', ['Child']], ['Twin']]]);
});

test('hides the children of a collapsed line and still counts it among its siblings', () => {
  const tree = buildTree([row('1', 'A/One'), row('2', 'B/Two')]);
  const lines = visibleLines(tree, new Set(['/A']));
  assert.deepEqual(
    lines.map(line => [line.node.names[0], line.level, line.position, line.siblings, line.expanded]),
    [
      ['A', 1, 1, 2, false],
      ['B', 1, 2, 2, true],
      ['Two', 2, 1, 1, undefined],
    ],
  );
});

test('shows every change exactly once with a unique key, for any paths', () => {
  const segment = fc.constantFrom('A', 'B', 'C', '');
  const path = fc.array(segment, { minLength: 1, maxLength: 5 }).map(parts => parts.join('/'));
  fc.assert(
    fc.property(fc.array(path, { maxLength: 40 }), paths => {
      const rows = paths.map((each, index) => row(String(index), each));
      const lines = visibleLines(buildTree(rows), new Set());
      const drawn = lines.flatMap(line => line.node.row?.id ?? []);
      assert.deepEqual(drawn.toSorted(), rows.map(({ id }) => id).toSorted());
      assert.equal(new Set(lines.map(line => line.node.key)).size, lines.length);
    }),
  );
});

test('skips deletions of either side in a bulk choice', () => {
  const rows = [row('1', 'A'), row('2', 'B', { patchType: 'Add' }), row('3', 'C', { patchType: 'Remove' })];
  assert.deepEqual(bulkChoice(rows, 'push'), { ids: ['1', '2'], deletionsLeft: 1 });
  assert.deepEqual(bulkChoice(rows, 'pull'), { ids: ['1', '3'], deletionsLeft: 1 });
  assert.deepEqual(bulkChoice(rows, 'skip'), { ids: ['1', '2', '3'], deletionsLeft: 0 });
});

test('shows the common choice of a group', () => {
  assert.equal(commonChoice([row('1', 'A', { choice: 'pull' }), row('2', 'B', { choice: 'pull' })]), 'pull');
  assert.equal(commonChoice([row('1', 'A', { choice: 'pull' }), row('2', 'B')]), undefined);
  assert.equal(commonChoice([row('1', 'A'), row('2', 'B')]), null);
});
