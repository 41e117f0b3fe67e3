import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SyncOverride } from '../../../../src/protocol/sync-request.ts';
import type { SyncResult } from '../../../../src/protocol/sync-result.ts';
import { gitBlob } from '../../../harness/fake-studio.ts';
import { differing, main, mainFile, type SyncWorld, syncWorld } from '../../../harness/sync-world.ts';

const late = 'print("saved just now")\n';
const typed = 'print("typed just now")\n';

/** The only change, which has to be undecided with a reason; nothing was done to it. */
function undecided(result: SyncResult, reason: RegExp): SyncResult['changes'][number] {
  const [change] = result.changes;
  assert.ok(change !== undefined && result.changes.length === 1);
  assert.deepEqual([change.direction, change.outcome], ['unresolved', undefined]);
  assert.match(change.reason ?? '', reason);
  return change;
}

/** Syncs again with what the answer says. */
async function decideAgain(world: SyncWorld, { changes }: SyncResult, direction: 'push' | 'pull'): Promise<void> {
  const { before } = world.studio;
  world.studio.before = () => undefined;
  const overrides = changes.map(({ id, studioHash, diskHash }) => ({
    id,
    direction,
    ...(studioHash === undefined ? {} : { studioHash }),
    ...(diskHash === undefined ? {} : { diskHash }),
  }));
  const result = await world.sync({ mode: 'fastfail', overrides });
  world.studio.before = before;
  assert.equal(result.status, 'success', result.summary);
  assert.equal(world.files.text(mainFile), world.studio.source(main));
}

for (const direction of ['push', 'pull'] as const)
  test(`makes a ${direction} undecided when the file changes while a person decides`, async () => {
    const world = await syncWorld({
      ...differing,
      person: review => {
        world.files.set(mainFile, late);
        review.choose(
          review.snapshot().rows.map(row => row.id),
          direction,
        );
        review.apply(review.snapshot().revision);
      },
    });
    const result = await world.sync({ mode: 'manual' });
    const { diskHash } = undecided(result, /changed on disk since the comparison.*decide it again/);
    assert.equal(diskHash, gitBlob(late));
    assert.match(result.summary, /1 undecided.*Sync again to decide/);
    assert.deepEqual([result.status, world.files.text(mainFile)], ['partial', late]);
    assert.equal(world.studio.source(main), 'print("Studio")\n');
    await decideAgain(world, result, direction);
  });

for (const moment of ['read', 'apply'] as const)
  test(`makes a pull undecided when the file changes right before the ${moment}`, async () => {
    const world = await syncWorld(differing);
    const id = await world.idOf(main);
    world.studio.before = command => {
      if (command.type === moment) world.files.set(mainFile, late);
    };
    const result = await world.sync({ mode: 'fastfail', overrides: [{ id, direction: 'pull' }] });
    undecided(result, /changed on disk since the comparison/);
    assert.equal(result.changes[0]?.diskHash, gitBlob(late));
    assert.deepEqual([result.status, world.files.text(mainFile)], ['fastfail_unresolved', late]);
    await decideAgain(world, result, 'pull');
  });

test('makes a pull undecided when the project reads a change of its file before the plan', async () => {
  const world = await syncWorld(differing);
  const id = await world.idOf(main);
  world.studio.before = command => {
    if (command.type !== 'read') return;
    world.files.set(mainFile, late);
    // The plan waits until this is done.
    void world.session.refresh(new AbortController().signal);
  };
  const result = await world.sync({ mode: 'fastfail', overrides: [{ id, direction: 'pull' }] });
  undecided(result, /changed on disk since the comparison/);
  assert.equal(result.changes[0]?.diskHash, gitBlob(late));
  assert.deepEqual([result.status, world.files.text(mainFile)], ['fastfail_unresolved', late]);
  await decideAgain(world, result, 'pull');
});

test('plans the other pulls again when the project reads a change of one before the plan', async () => {
  const other = 'ServerScriptService/Other';
  const otherFile = 'src/Other.server.luau';
  const world = await syncWorld({
    ...differing,
    files: { ...differing.files, [otherFile]: 'print("other")\n' },
    place: { ...differing.place, [other]: { className: 'Script', source: 'print("old")\n' } },
  });
  const overrides: SyncOverride[] = [
    { id: await world.idOf(main), direction: 'pull' },
    { id: await world.idOf(other), direction: 'pull' },
  ];
  world.studio.before = command => {
    if (command.type !== 'read') return;
    world.files.set(mainFile, late);
    void world.session.refresh(new AbortController().signal);
  };
  const result = await world.sync({ mode: 'fastfail', overrides });
  const outcomes = Object.fromEntries(
    result.changes.map(({ path, outcome, direction }) => [path, outcome ?? direction]),
  );
  assert.deepEqual(outcomes, { [main]: 'unresolved', [other]: 'written' });
  assert.deepEqual([world.files.text(mainFile), world.files.text(otherFile)], [late, 'print("old")\n']);
});

for (const [what, file, text] of [
  ['changes', 'src/Kit/Box/B.luau', 'return 3\n'],
  ['appears', 'src/Kit/Box/C.luau', 'return 4\n'],
] as const) {
  const withFolder = {
    ...differing,
    files: { ...differing.files, 'src/Kit/A.luau': 'return 1\n', 'src/Kit/Box/B.luau': 'return 2\n' },
  };
  const keeps = (world: SyncWorld, result: SyncResult): void => {
    const inKit = result.changes.filter(({ path }) => path.startsWith('ServerScriptService/Kit'));
    assert.deepEqual(
      inKit.map(({ direction, outcome }) => [direction, outcome]),
      Array.from({ length: 4 }, () => ['unresolved', undefined]),
    );
    for (const { reason } of inKit) assert.match(reason ?? '', /changed on disk since the comparison/);
    assert.equal(world.files.text(file), text);
    assert.equal(world.files.text('src/Kit/A.luau'), 'return 1\n');
    // The other change.
    assert.equal(world.files.text(mainFile), 'print("Studio")\n');
  };

  test(`keeps a folder that a pull removes when a file in it ${what} while a person decides`, async () => {
    const world = await syncWorld({
      ...withFolder,
      person: review => {
        world.files.set(file, text);
        review.choose(
          review.snapshot().rows.map(row => row.id),
          'pull',
        );
        review.apply(review.snapshot().revision);
      },
    });
    keeps(world, await world.sync({ mode: 'manual' }));
  });

  test(`keeps a folder that a pull removes when the project reads that a file in it ${what}`, async () => {
    const world = await syncWorld(withFolder);
    const { changes } = await world.sync({ mode: 'dryrun' });
    world.studio.before = command => {
      if (command.type !== 'read') return;
      world.files.set(file, text);
      void world.session.refresh(new AbortController().signal);
    };
    const overrides = changes.map(({ id }) => ({ id, direction: 'pull' as const }));
    keeps(world, await world.sync({ mode: 'fastfail', overrides }));
  });
}

for (const direction of ['push', 'pull'] as const)
  test(`makes a ${direction} undecided when the script changes in Studio before it is read`, async () => {
    const world = await syncWorld(differing);
    const id = await world.idOf(main);
    world.studio.before = command => {
      if (command.type === 'read') world.studio.edit(main, typed);
    };
    const result = await world.sync({ mode: 'fastfail', overrides: [{ id, direction }] });
    const { studioHash } = undecided(result, /changed in Studio since the comparison.*decide it again/);
    assert.equal(studioHash, gitBlob(typed));
    assert.deepEqual([world.studio.source(main), world.files.text(mainFile)], [typed, 'print("disk")\n']);
    assert.deepEqual(await world.journal.list(), []);
    await decideAgain(world, result, direction);
  });

for (const direction of ['push', 'pull'] as const)
  test(`makes a ${direction} undecided when the instance was removed in Studio since it was compared`, async () => {
    const world = await syncWorld(differing);
    const id = await world.idOf(main);
    world.studio.before = command => {
      if (command.type === 'read') world.studio.place.delete(main);
    };
    const result = await world.sync({ overrides: [{ id, direction }] });
    undecided(result, /removed from Studio since the comparison/);
    assert.deepEqual([result.status, world.files.text(mainFile)], ['partial', 'print("disk")\n']);
  });

test('applies the other changes when one has changed since it was compared', async () => {
  const other = 'ServerScriptService/Other';
  const otherFile = 'src/Other.server.luau';
  const world = await syncWorld({
    ...differing,
    files: { ...differing.files, [otherFile]: 'print("other")\n' },
    place: { ...differing.place, [other]: { className: 'Script', source: 'print("old")\n' } },
    person: review => {
      world.files.set(mainFile, late);
      review.choose(
        review.snapshot().rows.map(row => row.id),
        'push',
      );
      review.apply(review.snapshot().revision);
    },
  });
  const result = await world.sync({ mode: 'manual' });
  const outcomes = Object.fromEntries(
    result.changes.map(({ path, outcome, direction }) => [path, outcome ?? direction]),
  );
  assert.deepEqual(outcomes, { [main]: 'unresolved', [other]: 'applied' });
  assert.equal(result.status, 'partial');
  assert.equal(world.studio.source(other), 'print("other")\n');
});
