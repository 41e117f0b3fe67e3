import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import { BaseStates } from '../../../../src/sync/base/base-state.ts';
import { Agreement } from '../../../../src/sync/run/agreement.ts';
import type { BaseState } from '../../../../src/ports/base-store.ts';
import { MemoryBaseStore } from '../../../harness/memory-base-store.ts';
import { memoryLog } from '../../../harness/memory-log.ts';
import { openProject, projectPath, smallProject } from '../../../harness/project-world.ts';
import { WorkingClock } from '../../../harness/working-clock.ts';

const agreed: BaseState = { source: 'a'.repeat(40), properties: {} };
// More than are looked at between two pauses.
const files = Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`src/S${at}.luau`, 'return 1']));

test('what is known by its names is known by those that it has in the end, when they change in between', async () => {
  using world = await openProject(smallProject(files));

  let turns = 0;
  const clock = new (class extends WorkingClock {
    override after(ms: number, fn: () => void): () => void {
      if ((turns += 1) > 1) return super.after(ms, fn);
      world.files.set('default.project.json', renamed);
      return super.after(ms, () => void world.refresh().then(fn));
    }
  })();
  const bases = Object.assign(new MemoryBaseStore(), {
    load: async () => new Map([['ServerStorage/S0', agreed]]),
  });
  const agreement = new Agreement(world.session, {
    bases,
    baseStates: new BaseStates(nodeHasher),
    clock,
    log: memoryLog(),
  });
  await agreement.load({ name: 'place', placeId: 1 });
  assert.ok(turns > 0, 'nothing had its turn in between');
  const [now] = world.session.idsAtPath(projectPath('src/S0.luau'));
  assert.notEqual(now, undefined);
  assert.deepEqual(agreement.baseOf(now, ''), agreed);
});

const renamed = JSON.stringify({ tree: { $className: 'DataModel', ServerStorage: { $path: 'src' } } });
