import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Ref } from '../../../../src/base/brand.ts';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import type { StudioInstance } from '../../../../src/protocol/studio/stream.ts';
import type { Instance } from '../../../../src/roblox/instances/instance.ts';
import { findAgreedStates } from '../../../../src/sync/base/agreed-states.ts';
import { BaseKeysOnDemand, ChildrenByKey } from '../../../../src/sync/base/base-keys.ts';
import { BaseStates } from '../../../../src/sync/base/base-state.ts';
import { reflection } from '../../../harness/reflection.ts';

const COUNT = 2_000;
const metadata = { ignoreUnknownInstances: false, globIgnoredChildren: false, source: undefined, relevantPaths: [] };
const root = 'root' as Ref;

test('learns many new children of one instance in linear time', () => {
  const ids = Array.from({ length: COUNT }, (_, index) => `child${index}` as Ref);
  const source = { type: 'String', value: 'return 1' } as const;
  const tree = new Map<Ref, Instance>(
    ids.map(id => {
      const properties = new Map([['Source', source]]);
      return [id, { id, parent: root, name: id, className: 'ModuleScript', properties, children: [], metadata }];
    }),
  );
  tree.set(root, {
    id: root,
    parent: '' as Ref,
    name: 'Game',
    className: 'DataModel',
    properties: new Map(),
    children: ids,
    metadata,
  });
  let reads = 0;
  const session = {
    rootId: root,
    get(id: Ref) {
      reads += 1;
      return tree.get(id);
    },
  };
  const keys = new BaseKeysOnDemand(session);
  const baseStates = new BaseStates(nodeHasher);
  baseStates.useKeys(keys);
  const deps = { session, reflection, baseStates, keys, children: new ChildrenByKey(session, keys) };
  const learned = ids.flatMap(name => {
    const studio: StudioInstance = {
      id: name,
      name,
      className: 'ModuleScript',
      source: 'return 1',
      properties: {},
      children: [],
    };
    return Array.from(findAgreedStates(studio, root, deps), ([key]) => key);
  });
  assert.deepEqual(learned, ids);
  assert.ok(reads < 20 * COUNT, `${reads} reads`);
});
