import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import { BaseTexts } from '../../../../src/sync/base/base-texts.ts';
import { BaseStates } from '../../../../src/sync/base/base-state.ts';
import { LearnedBase } from '../../../../src/sync/changes/learn-base.ts';
import { settle } from '../../../../src/sync/changes/run-change.ts';
import type { BaseState, BaseStore } from '../../../../src/ports/base-store.ts';
import type { Clock } from '../../../../src/ports/clock.ts';
import type { ProjectSession } from '../../../../src/project/project-session.ts';
import { MemoryBaseStore } from '../../../harness/memory-base-store.ts';
import { defaultSettings } from '../../../harness/default-settings.ts';
import { FakeGit } from '../../../harness/fake-git.ts';
import { MemoryJournalStore } from '../../../harness/memory-journal-store.ts';
import { MemoryTextStore } from '../../../harness/memory-text-store.ts';
import { memoryLog } from '../../../harness/memory-log.ts';
import { openProject, projectPath, smallProject } from '../../../harness/project-world.ts';
import { reflection } from '../../../harness/reflection.ts';
import { runChange } from '../../../harness/run-change.ts';
import { WorkingClock } from '../../../harness/working-clock.ts';

const learned: BaseState = { source: 'a'.repeat(40), properties: {} };
// More than one batch.
const files = Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`src/S${at}.luau`, 'return 1']));

test('finds the base under the new names when instances are renamed during the key computation', async () => {
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
    load: async () => new Map([['ServerStorage/S0', learned]]),
  });
  const base = learnedBase(world.session, bases, clock);
  await base.load({ name: 'place', placeId: 1 }, undefined, 0);
  assert.ok(turns > 0, 'the work did not pause');
  const [now] = world.session.idsAtPath(projectPath('src/S0.luau'));
  assert.notEqual(now, undefined);
  assert.deepEqual(base.stateOf(now, ''), learned);
});

test('takes the instance that was verified, although the file has changed since', async () => {
  using world = await openProject(smallProject({ 'src/S0.luau': 'return "just saved"' }));
  const base = learnedBase(world.session, new MemoryBaseStore(), new WorkingClock());
  const place = { name: 'place', placeId: 1 };
  await base.load(place, undefined, 0);
  const [id = assert.fail()] = world.session.idsAtPath(projectPath('src/S0.luau'));
  const now = world.session.get(id) ?? assert.fail();
  const verified = { ...now, properties: new Map([['Source', { type: 'String' as const, value: 'return "Studio"' }]]) };
  const change = runChange({ id }, { disk: now, choice: 'pull', outcome: 'written' });
  await base.learnApplied([change], { created: new Map(), verified: new Map([[change, verified]]) });
  assert.equal(base.stateOf(id, '')?.source, nodeHasher.gitBlob('return "Studio"'));
});

test('knows after a crash that a pull may have created an instance on disk', async () => {
  using world = await openProject(smallProject({}));
  const base = learnedBase(world.session, new MemoryBaseStore(), new WorkingClock());
  await base.load({ name: 'place', placeId: 1 }, undefined, 0);
  const path = 'ReplicatedStorage/New';
  const change = runChange({ id: 'f'.repeat(32), path, patchType: 'Remove' }, { choice: 'pull' });
  await base.forget([change]);
  assert.deepEqual(base.stateOf(undefined, path), { properties: {}, isOutdated: true });
  settle(change, 'failed');
  await base.learnApplied([change]);
  assert.equal(base.stateOf(undefined, path), undefined);
});

function learnedBase(session: ProjectSession, bases: BaseStore, clock: Clock): LearnedBase {
  return new LearnedBase(session, {
    bases,
    baseStates: new BaseStates(nodeHasher),
    baseTexts: new BaseTexts({
      texts: new MemoryTextStore(),
      git: new FakeGit(),
      journal: new MemoryJournalStore(),
      hasher: nodeHasher,
      settings: defaultSettings(),
      clock,
      log: memoryLog(),
    }),
    reflection,
    clock,
    log: memoryLog(),
  });
}

const renamed = JSON.stringify({ tree: { $className: 'DataModel', ServerStorage: { $path: 'src' } } });
