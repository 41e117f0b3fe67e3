import assert from 'node:assert/strict';
import { test } from 'node:test';
import { never, openProject, type ProjectWorld, smallProject } from '../../../harness/project-world.ts';
import { settle } from '../../../harness/settle.ts';

const source = (world: ProjectWorld): unknown => world.at('ReplicatedStorage/A').properties.get('Source')?.value;
const text = 'return "saved"';

/** Advances in small steps, with time to read in between, and returns the sources that were seen. */
async function watch(world: ProjectWorld, ms: number): Promise<ReadonlySet<unknown>> {
  const seen = new Set<unknown>();
  for (let at = 0; at < ms; at += 20) {
    world.clock.advance(20);
    await settle();
    seen.add(source(world));
  }
  return seen;
}

test('keeps the content of a file that an editor truncates and writes 900 ms later', async () => {
  using world = await openProject(smallProject({ 'src/A.luau': text }));
  world.files.set('src/A.luau', '');
  assert.deepEqual(await watch(world, 900), new Set([text]));
  world.files.set('src/A.luau', 'return "new"');
  assert.deepEqual(await watch(world, 2_000), new Set(['return "new"']));
});

test('empties a script whose file stays empty', async () => {
  using world = await openProject(smallProject({ 'src/A.luau': text }));
  world.files.set('src/A.luau', '');
  assert.deepEqual(await watch(world, 900), new Set([text]));
  await watch(world, 300);
  assert.equal(source(world), '');
});

test('waits again when a file is written and truncated a second time', async () => {
  using world = await openProject(smallProject({ 'src/A.luau': text }));
  for (let save = 0; save < 5; save += 1) {
    world.files.set('src/A.luau', '');
    assert.deepEqual(await watch(world, 700), new Set([text]));
    world.files.set('src/A.luau', text);
    assert.deepEqual(await watch(world, 100), new Set([text]));
  }
});

test('creates an empty script without waiting', async () => {
  using world = await openProject(smallProject({}));
  world.files.set('src/A.luau', '');
  await watch(world, 40);
  assert.equal(source(world), '');
});

test('makes a sync wait for a file that was emptied just now', async () => {
  using world = await openProject(smallProject({ 'src/A.luau': text }));
  world.files.set('src/A.luau', '');
  await watch(world, 100);
  let isDone = false;
  const refreshing = world.session.refresh(never).then(() => (isDone = true));
  await watch(world, 500);
  assert.equal(isDone, false);
  world.files.set('src/A.luau', 'return "new"');
  await watch(world, 500);
  await refreshing;
  assert.equal(source(world), 'return "new"');
  world.files.set('src/A.luau', '');
  const emptied = world.session.refresh(never);
  await watch(world, 1_200);
  await emptied;
  assert.equal(source(world), '');
});
