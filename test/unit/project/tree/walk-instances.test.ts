import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Ref } from '../../../../src/base/brand.ts';
import { Draft } from '../../../../src/project/session/draft.ts';
import { ProjectTree, type TreeInstance } from '../../../../src/project/tree/project-tree.ts';
import { NULL_REF } from '../../../../src/roblox/values/ref.ts';

const ref = (text: string): Ref => text.padStart(32, '0') as Ref;
const instance = (id: string, parent: Ref, children: readonly Ref[]): TreeInstance => ({
  id: ref(id),
  parent,
  name: id,
  className: 'Folder',
  properties: new Map(),
  children,
  metadata: { relevantPaths: [], source: undefined, ignoreUnknownInstances: false, globIgnoredChildren: false },
  key: undefined,
  origin: undefined,
  location: { kind: 'none', values: [] } as unknown as TreeInstance['location'],
});
const treeOf = (...instances: readonly TreeInstance[]): ProjectTree => {
  const tree = new ProjectTree(ref('a'));
  tree.apply(new Map(instances.map(one => [one.id, one])));
  return tree;
};

test('lists parents before children, and children in their order', () => {
  const tree = treeOf(
    instance('a', NULL_REF, [ref('b'), ref('e')]),
    instance('b', ref('a'), [ref('c'), ref('d')]),
    instance('c', ref('b'), []),
    instance('d', ref('b'), []),
    instance('e', ref('a'), [ref('f')]),
  );
  assert.deepEqual(
    Array.from(tree.descendants(ref('a')), ({ name }) => name),
    ['a', 'b', 'c', 'd', 'e'],
  );
});

test('lists and removes 200,000 children of one instance', () => {
  const children = Array.from<Ref>({ length: 200_000 }).fill(ref('b'));
  const tree = treeOf(instance('a', NULL_REF, children), instance('b', ref('a'), []));
  const draft = new Draft(tree);
  for (const walked of [tree, draft]) assert.equal(Array.from(walked.descendants(ref('a'))).length, 200_001);
  draft.remove(ref('a'));
  assert.equal(draft.patch.size, 2);
});
