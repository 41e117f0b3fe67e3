import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ProjectPath, Ref } from '../../../../src/base/brand.ts';
import { runToEnd } from '../../../../src/base/time-slice.ts';
import { ProjectTree, type TreeInstance } from '../../../../src/project/tree/project-tree.ts';
import { NULL_REF } from '../../../../src/roblox/values/ref.ts';

const root = 'root' as Ref;
const ids = ['a', 'b', 'c', 'd'].map(id => id as Ref);
const paths = ['x.luau', 'y.luau', 'z'].map(path => path as ProjectPath);
const arbitraryPaths = fc.uniqueArray(fc.constantFrom(...paths));

const arbitraryInstance = (id: Ref): fc.Arbitrary<TreeInstance> =>
  fc
    .record({
      relevantPaths: arbitraryPaths,
      source: fc.option(fc.constantFrom(...paths), { nil: undefined }),
      specifiedId: fc.constantFrom(undefined, 'id 1', 'id 2'),
      target: fc.constantFrom(undefined, ...ids),
      by: fc.constantFrom('path' as const, 'id' as const),
    })
    .map(({ relevantPaths, source, specifiedId, target, by }) => ({
      id,
      parent: root,
      name: id,
      className: 'ObjectValue',
      properties: new Map(target === undefined ? [] : [['Value', { type: 'Ref' as const, value: target }]]),
      children: [],
      metadata: {
        ignoreUnknownInstances: false,
        globIgnoredChildren: false,
        source: source === undefined ? undefined : { kind: 'file' as const, path: source },
        relevantPaths,
      },
      key: undefined,
      origin: undefined,
      location: { kind: 'node' as const, values: [] },
      specifiedId,
      namedTargets: target === undefined ? undefined : new Map([['Value', { by, text: target }]]),
    })) as unknown as fc.Arbitrary<TreeInstance>;

const arbitraryPatch = fc
  .tuple(...ids.map(id => fc.option(fc.option(arbitraryInstance(id), { nil: 'removed' as const }), { nil: undefined })))
  .map(
    entries =>
      new Map(
        entries.flatMap((entry, at) => {
          const id = ids[at];
          return entry === undefined || id === undefined
            ? []
            : [[id, entry === 'removed' ? undefined : entry] as const];
        }),
      ),
  );

/** Everything that the tree can be asked. */
const contentOf = (tree: ProjectTree) => ({
  instances: ids.map(id => tree.get(id)),
  atPath: paths.map(path => new Set(tree.idsAtPath(path))),
  touched: paths.map(path => new Set(tree.idsTouchedBy(path))),
  withId: ['id 1', 'id 2'].map(id => new Set(tree.idsWithOwnId(id))),
  withReferences: new Set(tree.idsWithReferences()),
  byPath: ids.map(id => new Set(tree.idsReferringByPath(id))),
});

test('changes the tree with pauses as it does at once, and shows nothing before the end', () => {
  const top = { ...fc.sample(arbitraryInstance(root), 1)[0], parent: NULL_REF, children: ids } as TreeInstance;
  fc.assert(
    fc.property(fc.array(arbitraryPatch, { minLength: 1, maxLength: 5 }), patches => {
      const [atOnce, paused] = [new ProjectTree(root), new ProjectTree(root)];
      for (const tree of [atOnce, paused]) tree.apply([[root, top]]);
      for (const patch of patches) {
        const before = ids.map(id => paused.get(id));
        const work = paused.applyWithPauses(patch);
        for (let pause = 0; pause <= patch.size; pause += 1) {
          assert.equal(work.next().done, false);
          assert.deepEqual(
            ids.map(id => paused.get(id)),
            before,
          );
        }
        runToEnd(work);
        atOnce.apply(patch);
        assert.deepEqual(contentOf(paused), contentOf(atOnce));
      }
    }),
  );
});
