import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Ref } from '../../../src/base/brand.ts';
import { AppError } from '../../../src/base/errors.ts';
import { runToEnd } from '../../../src/base/time-slice.ts';
import { findDifferences } from '../../../src/game-view/differences.ts';
import { type GameNode, MAX_ROWS, RANGE_SIZE } from '../../../src/game-view/game-node.ts';
import { GameTree } from '../../../src/game-view/game-tree.ts';
import { createProjectSource, type PlaceSource } from '../../../src/game-view/place-source.ts';
import type { PlaceInstance } from '../../../src/protocol/studio/explorer.ts';
import type { PendingChange } from '../../../src/sync/pending-changes.ts';
import { openProject, type ProjectWorld } from '../../harness/project-world.ts';
import { ManualClock } from '../../harness/manual-clock.ts';
import { WorkingClock } from '../../harness/working-clock.ts';

const { signal } = new AbortController();
const workingClock = new WorkingClock();
const tree = { $className: 'DataModel', ReplicatedStorage: { $path: 'src' } };
const files = {
  'default.project.json': JSON.stringify({ name: 'Game', tree }),
  'src/Alpha.luau': 'return 1',
  'src/Beta.server.luau': 'print(1)',
  'src/Remotes/Fire.model.json': '{"className": "RemoteEvent"}',
};

interface Listed {
  readonly [id: string]: readonly PlaceInstance[];
}

/** A place whose children are listed by the id of their parent; '' is the place. */
function placeOf(lists: Listed): PlaceSource & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    async children(id = '') {
      asked.push(id);
      return lists[id] ?? [];
    },
    find: () => Promise.reject(new Error('no search')),
    inspect: () => Promise.reject(new Error('no values')),
  };
}

const one = (id: string, className: string, more: Partial<PlaceInstance> = {}): PlaceInstance => ({
  id,
  name: id,
  className,
  childCount: 0,
  ...more,
});
const change = (id: string, patchType: PendingChange['patchType'], path: string): PendingChange => ({
  id,
  patchType,
  path,
  className: 'Folder',
  fsPath: null,
  choice: null,
  defaultReason: 'no_git',
  reason: null,
  agent: null,
  hasSource: false,
});
const lines = (tree: GameTree, nodes: readonly GameNode[]): readonly string[] =>
  nodes.map(node =>
    node.kind === 'range' ? node.id : `${node.name} ${node.className} ${tree.stateOf(node)} ${tree.countBelow(node)}`,
  );

const projectTree = ({ session }: ProjectWorld): GameTree =>
  new GameTree({
    source: createProjectSource(session, workingClock),
    side: 'disk',
    session: () => session,
    clock: workingClock,
  });

test('shows the project when there is no Studio, without a state', async () => {
  using world = await openProject(files);
  const game = projectTree(world);
  const top = await game.children(undefined);
  assert.deepEqual(lines(game, top), ['ReplicatedStorage ReplicatedStorage unknown 0']);
  assert.deepEqual(lines(game, await game.children(top[0])), [
    'Alpha ModuleScript unknown 0',
    'Beta Script unknown 0',
    'Remotes Folder unknown 0',
  ]);
});

test('marks what is synced, differs, or is on one side only, and counts differences inside', async () => {
  using world = await openProject(files);
  const refOf = (path: string): Ref => world.at(path).id;
  const storage = refOf('ReplicatedStorage');
  const source = placeOf({
    '': [one('hidden', 'CSGDictionaryService'), one('s', 'ReplicatedStorage', { childCount: 3, ref: storage })],
    s: [
      one('Own', 'Folder', { childCount: 1 }),
      one('Extra', 'Model', { childCount: 1 }),
      one('Alpha', 'ModuleScript', { ref: refOf('ReplicatedStorage/Alpha') }),
    ],
    Extra: [one('Inside', 'Part')],
  });
  const game = new GameTree({ source, side: 'studio', session: () => world.session, clock: workingClock });
  const changes = [
    change(refOf('ReplicatedStorage/Alpha'), 'Edit', 'ReplicatedStorage/Alpha'),
    change(refOf('ReplicatedStorage/Remotes'), 'Add', 'ReplicatedStorage/Remotes'),
    change('Extra', 'Remove', 'ReplicatedStorage/Extra'),
  ];
  game.setDifferences(runToEnd(findDifferences(changes, world.session)), true);
  const top = await game.children(undefined);
  assert.deepEqual(lines(game, top), ['s ReplicatedStorage synced 3']);
  const below = await game.children(top[0]);
  assert.deepEqual(lines(game, below), [
    'Alpha ModuleScript differs 0',
    'Extra Model onlyInStudio 0',
    'Own Folder untracked 0',
    'Remotes Folder onlyOnDisk 0',
  ]);
  assert.deepEqual(lines(game, await game.children(below[1])), ['Inside Part onlyInStudio 0']);
  assert.deepEqual(lines(game, await game.children(below[3])), ['Fire RemoteEvent onlyOnDisk 0']);
});

test('reads the children of an instance once, and again after they changed', async () => {
  const source = placeOf({ '': [one('w', 'Workspace', { childCount: 1 })], w: [one('P', 'Part')] });
  const game = new GameTree({ source, side: 'studio', session: () => undefined, clock: workingClock });
  const [workspace] = await game.children(undefined);
  await game.children(workspace);
  await game.children(workspace);
  game.invalidate(['w']);
  await game.children(workspace);
  assert.deepEqual(source.asked, ['', 'w', 'w']);
});

test('reads the children again when they change while they are read', async () => {
  let answers = 0;
  const waiting: (() => void)[] = [];
  const source: PlaceSource = {
    ...placeOf({}),
    async children() {
      answers += 1;
      const count = answers;
      await new Promise<void>(resolve => void waiting.push(resolve));
      return [one(`W${count}`, 'Workspace')];
    },
  };
  const game = new GameTree({ source, side: 'studio', session: () => undefined, clock: workingClock });
  const reading = game.children(undefined);
  game.invalidate(['']);
  waiting.shift()?.();
  while (waiting.length === 0) await new Promise(setImmediate);
  waiting.shift()?.();
  assert.deepEqual(
    (await reading).map(({ id }) => id),
    ['W2'],
  );
});

test('keeps what was read and reads no more when frozen', async () => {
  const source = placeOf({
    '': [one('w', 'Workspace', { childCount: 1 }), one('l', 'Lighting', { childCount: 1 })],
    w: [one('P', 'Part')],
    l: [one('S', 'Sky')],
  });
  const game = new GameTree({ source, side: 'studio', session: () => undefined, clock: workingClock });
  const [workspace, lighting] = await game.children(undefined);
  await game.children(workspace);
  game.freeze();
  game.invalidate();
  assert.deepEqual(
    (await game.children(workspace)).map(({ id }) => id),
    ['P'],
  );
  assert.deepEqual(await game.children(lighting), []);
});

test('keeps what was read when Studio disconnects while the lists are read again', async () => {
  const place = placeOf({ '': [one('w', 'Workspace', { childCount: 1 })], w: [one('P', 'Part')] });
  const source: PlaceSource = {
    ...place,
    async children(id, closed) {
      const listed = await place.children(id, closed);
      if (closed.aborted) throw new AppError('STUDIO_DISCONNECTED', { phase: 'listing' });
      return listed;
    },
  };
  const game = new GameTree({ source, side: 'studio', session: () => undefined, clock: workingClock });
  const [workspace] = await game.children(undefined);
  await game.children(workspace);
  game.invalidate();
  const again = game.children(undefined);
  game.freeze();
  assert.deepEqual(
    (await again).map(({ id }) => id),
    ['w'],
  );
  assert.deepEqual(
    (await game.children(workspace)).map(({ id }) => id),
    ['P'],
  );
});

test('offers what a busy Studio did not list or inspect again some seconds later', async () => {
  const clock = new ManualClock();
  let isBusy = true;
  const unanswered = (): AppError => new AppError('STUDIO_BUSY', { signal: 'listed', budgetMs: 1 });
  const source: PlaceSource = {
    ...placeOf({}),
    async children() {
      if (isBusy) throw unanswered();
      return [one('w', 'Workspace')];
    },
    inspect: () => Promise.reject(unanswered()),
  };
  const game = new GameTree({ source, side: 'studio', session: () => undefined, clock });
  const offered: (string | undefined)[] = [];
  using _listening = game.onReadAgain(node => offered.push(node?.id));
  await assert.rejects(game.children(undefined), { code: 'STUDIO_BUSY' });
  assert.deepEqual(offered, []);
  clock.advance(3_000);
  assert.deepEqual(offered, [undefined]);

  isBusy = false;
  const [workspace] = await game.children(undefined);
  assert.equal(workspace?.id, 'w');
  assert.ok(workspace.kind === 'instance');
  await assert.rejects(game.inspect(workspace, signal), { code: 'STUDIO_BUSY' });
  clock.advance(3_000);
  assert.deepEqual(offered, [undefined, 'w']);

  await assert.rejects(game.inspect(workspace, signal), { code: 'STUDIO_BUSY' });
  game.freeze();
  clock.advance(3_000);
  assert.deepEqual(offered, [undefined, 'w']);
});

test('divides many children into ranges and finds a child in its range', async () => {
  const parts = Array.from({ length: MAX_ROWS + 1 }, (_, index) => one(`P${String(index).padStart(4, '0')}`, 'Part'));
  const source = placeOf({ '': [one('w', 'Workspace', { childCount: parts.length })], w: parts.toReversed() });
  const game = new GameTree({ source, side: 'studio', session: () => undefined, clock: workingClock });
  const [workspace] = await game.children(undefined);
  const ranges = await game.children(workspace);
  assert.deepEqual(
    ranges.map(({ id }) => id),
    ['w:1', `w:${RANGE_SIZE + 1}`, `w:${2 * RANGE_SIZE + 1}`],
  );
  const hit = { ...one('P0300', 'Part'), above: ['w'], names: [], side: 'studio' as const };
  const node = await game.nodeOfHit(hit);
  assert.equal(node?.parent, ranges[1]);
});

test('finds the row of a file before and after the first comparison', async () => {
  using world = await openProject(files);
  const storage = one('s', 'ReplicatedStorage', { name: 'Renamed', childCount: 3 });
  const twins = [one('a', 'Folder', { name: 'Remotes' }), one('b', 'Folder', { name: 'Remotes' })];
  const alpha = one('x', 'ModuleScript', { name: 'Alpha' });
  const lists: Record<string, readonly PlaceInstance[]> = { '': [storage], s: [...twins, alpha] };
  const game = new GameTree({
    source: placeOf(lists),
    side: 'studio',
    session: () => world.session,
    clock: workingClock,
  });
  const refOf = (path: string): Ref => world.at(path).id;
  assert.equal((await game.nodeOf(refOf('ReplicatedStorage/Alpha')))?.id, 'x');
  assert.equal(await game.nodeOf(refOf('ReplicatedStorage/Remotes')), undefined);
  lists['s'] = [twins[0]!, { ...twins[1]!, ref: refOf('ReplicatedStorage/Remotes') }];
  game.invalidate();
  assert.equal((await game.nodeOf(refOf('ReplicatedStorage/Remotes')))?.id, 'b');
});

test('finds by name and class, exact names first', async () => {
  using world = await openProject({
    ...files,
    'src/Fire.luau': 'return 1',
    'src/FireEvent.model.json': '{"className": "Folder"}',
  });
  const game = projectTree(world);
  const hits = async (text: string): Promise<readonly string[]> =>
    (await game.find(text, signal)).hits.map(({ names }) => names.join('/'));
  assert.deepEqual(await hits('fire'), [
    'ReplicatedStorage/Fire',
    'ReplicatedStorage/Remotes/Fire',
    'ReplicatedStorage/FireEvent',
  ]);
  assert.deepEqual(await hits('Fire RemoteEvent'), ['ReplicatedStorage/Remotes/Fire']);
  assert.deepEqual(await hits('  '), []);
  const [hit] = (await game.find('remoteevent', signal)).hits;
  assert.ok(hit);
  assert.equal((await game.nodeOfHit(hit))?.name, 'Fire');
});
