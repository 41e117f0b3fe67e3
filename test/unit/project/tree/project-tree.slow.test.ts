import { test } from 'node:test';
import type { ProjectPath, Ref } from '../../../../src/base/brand.ts';
import { ProjectTree, type TreeInstance } from '../../../../src/project/tree/project-tree.ts';
import { NULL_REF } from '../../../../src/roblox/values/ref.ts';
import { assertLinearTime } from '../../../harness/linear-time.ts';

const root = 'root' as Ref;
const file = 'Parts.model.json' as ProjectPath;

/** An instance for each part of one file. */
function treeOf(size: number): ProjectTree {
  const ids = Array.from({ length: size }, (_, index) => `part${index}` as Ref);
  const instance = (id: Ref, parent: Ref, children: readonly Ref[]): TreeInstance => ({
    id,
    parent,
    name: 'Part',
    className: 'Part',
    properties: new Map(),
    children,
    metadata: { ignoreUnknownInstances: false, globIgnoredChildren: false, source: undefined, relevantPaths: [file] },
    key: undefined,
    origin: undefined,
    location: { kind: 'node', values: [] },
  });
  const tree = new ProjectTree(root);
  tree.apply(new Map([[root, instance(root, NULL_REF, ids)], ...ids.map(id => [id, instance(id, root, [])] as const)]));
  return tree;
}

test('finds the instances of a file in linear time, in the order of the tree', () => {
  assertLinearTime(5_000, treeOf, tree => tree.idsTouchedBy(file));
});
