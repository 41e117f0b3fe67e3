import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import type { Ref } from '../../../../src/base/brand.ts';
import { runToEnd } from '../../../../src/base/time-slice.ts';
import type { StudioInstance } from '../../../../src/protocol/studio/stream.ts';
import type { Instance } from '../../../../src/roblox/instances/instance.ts';
import type { StudioLink } from '../../../../src/studio/studio-link.ts';
import { diskChangeFinder } from '../../../../src/sync/changes/compared-disk.ts';
import { indexAdditions } from '../../../../src/sync/changes/consistency.ts';
import { subtreeOf } from '../../../../src/sync/changes/subtree.ts';
import { applyInStudio } from '../../../../src/sync/run/apply-in-studio.ts';
import { reflection } from '../../../harness/reflection.ts';
import { runChange } from '../../../harness/run-change.ts';
import { WorkingClock } from '../../../harness/working-clock.ts';

const COUNT = 500;
const ref = (index: number): Ref => index.toString(16).padStart(32, '0') as Ref;
const ids = Array.from({ length: COUNT }, (_, index) => ref(index));

test('pauses while it prepares many decisions, and while it reads many results', async () => {
  let turns = 0;
  const clock = new (class extends WorkingClock {
    override after(ms: number, fn: () => void): () => void {
      turns += 1;
      return super.after(ms, fn);
    }
  })();
  let turnsBefore = 0;
  const link = {
    async apply(command: Parameters<StudioLink['apply']>[0]) {
      turnsBefore = turns;
      return { results: command.decisions.map(({ id }) => ({ id, ok: true })) };
    },
  } as unknown as StudioLink;
  const planned = ids.map(id => ({ change: runChange({ id }, { choice: 'push' }), studio: undefined }));
  const step = { link, compareId: '1', runId: '1', reflection, clock, late: () => {}, progress: () => {} };
  await applyInStudio(planned, step, new AbortController().signal);
  assert.ok(planned.every(({ change }) => change.outcome === 'applied'));
  // The clock advances so fast that every second item ends a slice.
  assert.ok(turnsBefore >= COUNT / 2, `${turnsBefore} turns before`);
  assert.ok(turns - turnsBefore >= COUNT / 2, `${turns - turnsBefore} turns after`);
});

test('looks once at each file below a removed folder, with a pause at each', () => {
  let looks = 0;
  const children = new Proxy(ids, {
    get(target, property, proxy) {
      looks += 1;
      return Reflect.get(target, property, proxy);
    },
  });
  const instance = (id: Ref, parent: Ref, below: readonly Ref[] = []): Instance => ({
    id,
    className: 'Folder',
    name: id,
    properties: new Map(),
    parent,
    children: below,
    metadata: { ignoreUnknownInstances: false, globIgnoredChildren: false, source: undefined, relevantPaths: [] },
  });
  const top = instance('a'.repeat(32) as Ref, 'b'.repeat(32) as Ref, children);
  const tree = [top, ...ids.map(id => instance(id, top.id))];
  const session = { get: (id: Ref) => tree.find(one => one.id === id), descendants: () => tree };
  const removal = runChange(
    { id: top.id, patchType: 'Add', name: top.name, parentId: top.parent },
    { disk: top, choice: 'pull', sameNameOnDisk: 0 },
  );
  const hasChanged = diskChangeFinder(indexAdditions([removal]), session);
  const steps = Array.from(hasChanged(removal));
  assert.equal(steps.length, COUNT + 1);
  assert.ok(looks < 10 * COUNT, `${looks} looks`);
  assert.equal(runToEnd(hasChanged(removal)), false);
});

test('pauses at each instance of a subtree that it hashes', () => {
  const leaf = (id: Ref): StudioInstance => ({ id, className: 'Folder', name: id, properties: {}, children: [] });
  const top = { ...leaf('a'.repeat(32) as Ref), children: ids.map(leaf) };
  assert.equal(Array.from(subtreeOf(top, nodeHasher)).length, COUNT + 1);
});
