import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Ref } from '../../../../src/base/brand.ts';
import type { Instance } from '../../../../src/roblox/instances/instance.ts';
import { CreatedChildren } from '../../../../src/sync/run/created-children.ts';
import { CountingSlice } from '../../../harness/counting-slice.ts';
import { runChange } from '../../../harness/run-change.ts';

const COUNT = 1000;
const parent = 'a'.repeat(32) as Ref;
const ref = (index: number): Ref => index.toString(16).padStart(32, '0') as Ref;
const instance = (id: Ref, children: readonly Ref[]): Instance => ({
  id,
  className: id === parent ? 'Folder' : 'ModuleScript',
  name: id,
  properties: new Map(),
  parent,
  children,
  metadata: { ignoreUnknownInstances: false, globIgnoredChildren: false, source: undefined, relevantPaths: [] },
});

test('looks once at each instance that a run created in one folder', async () => {
  const old = ref(COUNT);
  let children: readonly Ref[] = [old];
  let looks = 0;
  const session = {
    get(id: Ref) {
      looks += 1;
      return instance(id, id === parent ? children : []);
    },
  };
  const ids = Array.from({ length: COUNT }, (_, index) => ref(index));
  const changes = ids.map(id => runChange({ id, parentId: parent, patchType: 'Remove' }, { choice: 'pull' }));
  const created = new CreatedChildren(
    changes.map(change => ({ change, studio: undefined })),
    session,
  );
  children = [old, ...ids];
  for (const change of changes) {
    const beside = await created.beside(change, new CountingSlice());
    assert.equal(beside.get(`ModuleScript ${change.studio.id}`)?.length, 1);
    assert.equal(beside.get(`ModuleScript ${old}`), undefined);
  }
  assert.ok(looks <= COUNT + 2, `${looks} looks`);
});
