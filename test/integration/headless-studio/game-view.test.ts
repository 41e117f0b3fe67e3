import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Ref } from '../../../src/base/brand.ts';
import { AppError } from '../../../src/base/errors.ts';
import { nodeClock } from '../../../src/adapters/node/clock.ts';
import { runToEnd } from '../../../src/base/time-slice.ts';
import { findDifferences } from '../../../src/game-view/differences.ts';
import { GameTree } from '../../../src/game-view/game-tree.ts';
import { followPendingChanges } from '../../../src/sync/pending-changes.ts';
import { memoryLog } from '../../harness/memory-log.ts';
import { type HeadlessWorld, startHeadlessWorld } from '../../harness/headless-world.ts';

const tree = {
  $className: 'DataModel',
  ReplicatedStorage: { $path: 'src' },
  Workspace: { Lamp: { $className: 'Part', $properties: { Transparency: 0.25 } } },
};
const files = {
  'default.project.json': JSON.stringify({ name: 'Game', tree }),
  'src/Same.luau': 'return 1',
  'src/Changed.luau': 'return "disk"',
  'src/New.luau': 'return "new"',
};
const setUp = `
  local function put(parent, class, name, source)
    local made = Instance.new(class)
    made.Name = name
    if source then made.Source = source end
    made.Parent = parent
    return made
  end
  put(game.ReplicatedStorage, "ModuleScript", "Same", "return 1")
  put(game.ReplicatedStorage, "ModuleScript", "Changed", "return 'studio'")
  put(game.ReplicatedStorage, "Folder", "Extra")
  put(workspace, "Part", "Lamp").Transparency = 0.5`;
const { signal } = new AbortController();

/** The tree of the connected Studio, after a comparison. */
async function openTree({ bridge }: HeadlessWorld) {
  const [link] = bridge.studios.all();
  assert.ok(link?.explorer);
  const session = bridge.session();
  assert.ok(session);
  const game = new GameTree({ source: link.explorer, side: 'studio', session: () => session, clock: nodeClock });
  const pending = followPendingChanges({
    engine: bridge.engine,
    studios: bridge.studios,
    session: () => session,
    onDidChangeProject: bridge.onDidChangeProject,
    clock: nodeClock,
    log: memoryLog(),
  });
  const compare = async (): Promise<void> => {
    await pending.refresh();
    game.setDifferences(runToEnd(findDifferences(pending.state().changes, session)), true);
  };
  const open = async (...names: readonly string[]) => {
    let nodes = await game.children(undefined);
    for (const name of names) {
      const parent = nodes.find(node => node.kind === 'instance' && node.name === name);
      assert.ok(parent, name);
      nodes = await game.children(parent);
    }
    return nodes.filter(node => node.kind === 'instance');
  };
  const lines = async (...names: readonly string[]): Promise<readonly string[]> =>
    (await open(...names)).map(node => `${node.name} ${game.stateOf(node)}`);
  return { link, explorer: link.explorer, game, session, compare, open, lines };
}

test('shows the place with what is synced and what differs', async () => {
  await using world = await startHeadlessWorld(files, setUp);
  const { game, compare, lines, open } = await openTree(world);
  assert.ok((await lines('ReplicatedStorage')).includes('Same unknown'));
  await compare();
  assert.deepEqual(await lines('ReplicatedStorage'), [
    'Changed differs',
    'Extra onlyInStudio',
    'New onlyOnDisk',
    'Same synced',
  ]);
  const services = await open();
  const storage = services.find(({ name }) => name === 'ReplicatedStorage');
  assert.equal(storage && game.countBelow(storage), 3);
  assert.ok((await lines('Workspace')).includes('Baseplate untracked'));
  const { hits } = await game.find('modulescript', signal);
  assert.deepEqual(
    hits.map(({ names, side }) => `${names.join('/')} ${side}`),
    ['ReplicatedStorage/Same studio', 'ReplicatedStorage/Changed studio', 'ReplicatedStorage/New disk'],
  );
});

test('reads current values and the file of an instance', async () => {
  await using world = await startHeadlessWorld(files, setUp);
  const { game, session, compare, open } = await openTree(world);
  await compare();
  const lamp = (await open('Workspace')).find(({ name }) => name === 'Lamp');
  assert.ok(lamp);
  assert.equal(game.stateOf(lamp), 'differs');
  const inspected = await game.inspect(lamp, signal);
  assert.deepEqual(inspected?.properties['Transparency'], { Float32: 0.5 });
  const same = (await open('ReplicatedStorage')).find(({ name }) => name === 'Same');
  assert.equal(session.fsPathOf(same?.ref as Ref), 'src/Same.luau');
  assert.equal((await game.nodeOf(same?.ref as Ref))?.id, same?.id);
});

test('lists the children again after Studio reports that they changed', async () => {
  await using world = await startHeadlessWorld(files, setUp);
  const { explorer, game, lines } = await openTree(world);
  const before = await lines('ReplicatedStorage');
  const changed = new Promise<readonly string[]>(resolve => void explorer.onDidChangeChildren(resolve));
  await world.lua('game.ReplicatedStorage.Extra.Name = "Renamed"');
  game.invalidate(await changed);
  assert.deepEqual(await lines('ReplicatedStorage'), before.map(line => line.replace('Extra', 'Renamed')).toSorted());
});

test('selects an instance, and refuses a deleted one', async () => {
  await using world = await startHeadlessWorld(files, setUp);
  const { explorer, open } = await openTree(world);
  const extra = (await open('ReplicatedStorage')).find(({ name }) => name === 'Extra');
  assert.ok(extra);
  assert.deepEqual((await explorer.select(extra.id, signal)).names, ['ReplicatedStorage', 'Extra']);
  assert.deepEqual(await world.lua('return game:GetService("Selection"):Get()[1].Name'), ['Extra']);
  await world.lua('game.ReplicatedStorage.Extra:Destroy()');
  await assert.rejects(
    explorer.select(extra.id, signal),
    (error: unknown) => error instanceof AppError && error.code === 'STUDIO_FAILED',
  );
});
