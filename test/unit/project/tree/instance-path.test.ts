import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Ref } from '../../../../src/base/brand.ts';
import { instancePath, namesOnPath } from '../../../../src/project/tree/instance-path.ts';

const [root, map, door] = ['root', 'map', 'door'] as readonly string[] as [Ref, Ref, Ref];
const parents = new Map([
  [root, { id: root, name: 'Game', parent: '' as Ref }],
  [map, { id: map, name: 'Map', parent: root }],
  [door, { id: door, name: 'Door', parent: map }],
]);
const tree = { rootId: root, get: (id: Ref) => parents.get(id) };

test('lists the names from below the root', () => {
  assert.deepEqual(namesOnPath(tree, door), ['Map', 'Door']);
  assert.equal(instancePath(tree, door), 'Map/Door');
});

test('is empty for the root, and for an instance that the tree does not have', () => {
  assert.equal(instancePath(tree, root), '');
  assert.equal(instancePath(tree, 'gone' as Ref), '');
});
