import assert from 'node:assert/strict';
import { test } from 'node:test';
import { syncWorld, type SyncWorld, type WorldParts } from '../../../harness/sync-world.ts';
import { MemoryBaseStore } from '../../../harness/memory-base-store.ts';
import { settle } from '../../../harness/settle.ts';
import { sequentialRandom } from '../../../harness/sequential-random.ts';
import type { PlaceInstance } from '../../../harness/fake-studio.ts';

const names = ['A', 'B', 'C'];
const script = (name: string): string => `ServerScriptService/${name}`;
const file = (name: string): string => `src/${name}.server.luau`;
const place = (text: string): Record<string, PlaceInstance> =>
  Object.fromEntries(names.map(name => [script(name), { className: 'Script', source: `${text} ${name}\n` }]));

/** Opens a window with `disk` on disk and a place with `studio` in Studio. All windows share the base. */
async function open(disk: string, studio: string, shared: Pick<WorldParts, 'bases' | 'random'>): Promise<SyncWorld> {
  const files = Object.fromEntries(names.map(name => [file(name), `${disk} ${name}\n`]));
  return await syncWorld({ ...shared, git: {}, files, place: place(studio) });
}
const shared = () => ({ bases: new MemoryBaseStore(), random: sequentialRandom() });
const push = async (world: SyncWorld, wanted: readonly string[] = names): Promise<void> => {
  const { changes } = await world.sync({ mode: 'dryrun' });
  const overrides = changes
    .filter(({ path }) => wanted.map(script).includes(path))
    .map(({ id }) => ({ id, direction: 'push' as const }));
  const result = await world.sync({ overrides });
  assert.equal(result.status, 'success', JSON.stringify(result));
};
const reasons = async (world: SyncWorld): Promise<readonly unknown[]> =>
  (await world.sync({ mode: 'dryrun' })).changes.map(change => [change.defaultSelection, change.defaultReason]);
const older = names.map(() => [null, 'base_studio_older']);

test('suggests no pull when Studio reopens a place older than a push, for any state of git', async () => {
  const parts = shared();
  const before = await open('1', '1', parts);
  assert.equal((await before.sync()).status, 'empty');
  for (const name of names) before.files.set(file(name), `2 ${name}\n`);
  await push(before);

  const world = await open('2', '1', parts);
  const { changes, warnings } = await world.sync({ mode: 'dryrun' });
  assert.deepEqual(
    changes.map(change => [change.defaultSelection, change.defaultReason]),
    older,
  );
  assert.deepEqual(warnings, [
    'This place is older than the last sync: Studio has older versions of 3 instances, so pull is not suggested for them.',
  ]);
});

test('suggests no pull of a text that a first push replaced', async () => {
  const parts = shared();
  await push(await open('2', '1', parts));
  assert.deepEqual(await reasons(await open('2', '1', parts)), older);
});

/** A push that Studio has not answered. */
async function startPush(world: SyncWorld) {
  const { changes } = await world.sync({ mode: 'dryrun' });
  world.studio.stalled.add('apply');
  const overrides = changes.map(({ id }) => ({ id, direction: 'push' as const }));
  const run = world.engine.start({ mode: 'standard', overrides, requestedBy: 'test' });
  await settle();
  return run;
}

for (const [what, cut] of [
  ['Studio did not answer', false],
  ['Studio disconnected', true],
] as const)
  test(`suggests no pull of a text that a push may have replaced when ${what}`, async () => {
    const parts = shared();
    const world = await open('2', '1', parts);
    world.studio.before = command => {
      if (cut && command.type === 'apply') world.studio.disconnect();
    };
    const run = await startPush(world);
    world.clock.advance(30_000);
    await settle();
    const unknown = names.map(() => 'unknown');
    assert.deepEqual(
      (await run.result).changes.map(({ outcome }) => outcome),
      unknown,
    );
    assert.deepEqual(await reasons(await open('2', '1', parts)), older);
  });

test('suggests no pull of a text that a push may have replaced when the bridge was killed', async () => {
  const parts = shared();
  await startPush(await open('2', '1', parts));
  assert.deepEqual(await reasons(await open('2', '1', parts)), older);
});

test('suggests a pull of a text that a push has not replaced', async () => {
  const parts = shared();
  const world = await open('2', '1', parts);
  const before = await reasons(world);
  world.studio.before = command => {
    if (command.type === 'apply') for (const name of names) world.studio.edit(script(name), `3 ${name}\n`);
  };
  await push(world).catch(() => undefined);
  for (const name of names) world.studio.edit(script(name), `1 ${name}\n`);
  assert.deepEqual(await reasons(world), before);
});

test('suggests no pull of any version when one of a new Studio is older than the base', async () => {
  const parts = shared();
  await push(await open('2', '1', parts));
  const world = await open('2', '1', parts);
  world.studio.edit(script('B'), 'from an even older backup\n');
  assert.deepEqual(await reasons(world), older);
});

test('still suggests other pulls when one edit is undone in the same Studio', async () => {
  const parts = shared();
  const world = await open('2', '1', parts);
  world.studio.disconnect();
  const { studio } = world.join(place('1'), { studioId: 'one' });
  await push(world);
  studio.edit(script('A'), '1 A\n');
  studio.edit(script('B'), 'new\n');
  assert.deepEqual(await reasons(world), [
    [null, 'base_studio_older'],
    ['pull', 'base_studio_moved'],
  ]);
});

test('still suggests other pulls when one edit is undone in a Studio that a sync found equal', async () => {
  const parts = shared();
  await push(await open('2', '1', parts));
  const world = await open('2', '1', parts);
  world.studio.disconnect();
  const { studio } = world.join(place('2'), { studioId: 'one' });
  assert.equal((await world.sync()).status, 'empty');
  studio.edit(script('A'), '1 A\n');
  studio.edit(script('B'), 'new\n');
  assert.deepEqual(await reasons(world), [
    [null, 'base_studio_older'],
    ['pull', 'base_studio_moved'],
  ]);
});

test('suggests no pull of a state from before Live Sync or an unfinished run', async () => {
  const parts = shared();
  await (await open('1', '1', parts)).sync();
  await parts.bases.outdateAll();
  assert.deepEqual(await reasons(await open('2', '1', parts)), older);
});

test('suggests a pull again after the older place was brought up to date', async () => {
  const parts = shared();
  await push(await open('2', '1', parts));
  const world = await open('2', '1', parts);
  await push(world);
  world.studio.edit(script('A'), 'new\n');
  assert.deepEqual(await reasons(world), [['pull', 'base_studio_moved']]);
});

test('suggests no pull of unknown texts when Studio opens an earlier version of a place', async () => {
  const parts = shared();
  const before = await open('1', '1', parts);
  before.studio.disconnect();
  before.join(place('1'), { studioId: 'one', placeVersion: 7 });
  assert.equal((await before.sync()).status, 'empty');

  const world = await open('1', '1', parts);
  world.studio.disconnect();
  world.join(place('never synced'), { studioId: 'two', placeVersion: 6 });
  assert.deepEqual(await reasons(world), older);
  for (const placeVersion of [7, 8, undefined]) {
    const newer = await open('1', '1', parts);
    newer.studio.disconnect();
    newer.join(place('new'), { studioId: 'three', placeVersion });
    assert.deepEqual(
      await reasons(newer),
      names.map(() => ['pull', 'base_studio_moved']),
      `version ${placeVersion}`,
    );
  }
});

test('suggests a pull again after a sync with an earlier version of a published place', async () => {
  const parts = shared();
  const world = await open('1', '1', parts);
  world.studio.disconnect();
  const newer = world.join(place('1'), { studioId: 'one', placeVersion: 7 });
  assert.equal((await world.sync()).status, 'empty');
  newer.studio.disconnect();
  const { studio } = world.join(place('1'), { studioId: 'two', placeVersion: 6 });
  assert.equal((await world.sync()).status, 'empty');
  studio.edit(script('A'), 'new\n');
  assert.deepEqual(await reasons(world), [['pull', 'base_studio_moved']]);
});
