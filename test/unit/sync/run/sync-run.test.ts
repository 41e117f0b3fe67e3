import { formatResult } from '../../../../src/protocol/run-result.ts';
import { test } from 'node:test';
import assert from 'node:assert/strict';
import type { SyncResult } from '../../../../src/protocol/sync-result.ts';
import { gitBlob } from '../../../harness/fake-studio.ts';
import { differing, main, mainFile, syncWorld } from '../../../harness/sync-world.ts';
import { until } from '../../../harness/until.ts';

const outcomes = (result: SyncResult) =>
  Object.fromEntries(result.changes.map(c => [c.path, c.outcome ?? c.direction]));

test('[S19] [S39] [A51] [A61] ends empty in every mode when both sides are equal', async () => {
  const world = await syncWorld({
    files: { [mainFile]: 'print(1)\n' },
    place: { [main]: { className: 'Script', source: 'print(1)\n', properties: {} } },
  });
  for (const mode of ['standard', 'manual', 'fastfail', 'dryrun'] as const)
    assert.equal((await world.sync({ mode })).status, 'empty');
  assert.equal(world.reviews.length, 0);
});

test('[A35] [A58] [A59] [A60] lists everything and changes nothing in a dry run', async () => {
  const world = await syncWorld(differing);
  const result = await world.sync({ mode: 'dryrun' });
  assert.equal(result.status, 'dryrun');
  const [change] = result.changes;
  assert.equal(change?.path, main);
  assert.equal(change?.fsPath, mainFile);
  assert.equal(change?.direction, 'unresolved');
  assert.equal(change?.defaultReason, 'no_git');
  assert.equal(change?.studioHash, gitBlob('print("Studio")\n'));
  assert.equal(world.studio.source(main), 'print("Studio")\n');
  assert.equal(world.files.text(mainFile), 'print("disk")\n');
  assert.deepEqual(
    world.studio.commands.map(command => command.type),
    ['compare'],
  );
  assert.deepEqual(await world.journal.list(), []);
});

test('[S12] [A35] [A56] lists all and changes nothing when a change is undecided in fastfail', async () => {
  const world = await syncWorld(differing);
  const result = await world.sync({ mode: 'fastfail' });
  assert.equal(result.status, 'fastfail_unresolved');
  assert.equal(result.changes.length, 1);
  assert.equal(world.studio.source(main), 'print("Studio")\n');
});

test('[P2] reports the success of a push only when Studio has the text of the file', async () => {
  const world = await syncWorld(differing);
  const id = await world.idOf(main);
  const studioHash = gitBlob('print("Studio")\n');
  const result = await world.sync({ mode: 'fastfail', overrides: [{ id, direction: 'push', studioHash }] });
  assert.equal(result.status, 'success');
  assert.deepEqual(outcomes(result), { [main]: 'applied' });
  assert.equal(world.studio.source(main), 'print("disk")\n');
  assert.deepEqual(
    result.overrides.map(o => o.verdict),
    ['accepted'],
  );
});

test('[P2] reports the success of a pull only when the file has the text of Studio', async () => {
  const world = await syncWorld(differing);
  const id = await world.idOf(main);
  const result = await world.sync({ mode: 'fastfail', overrides: [{ id, direction: 'pull' }] });
  assert.equal(result.status, 'success');
  assert.deepEqual(outcomes(result), { [main]: 'written' });
  assert.equal(world.files.text(mainFile), 'print("Studio")\n');
  assert.equal((await world.sync({ mode: 'dryrun' })).status, 'empty');
});

test('[P3] [A40] [A57] leaves a change undecided, without its default, when the hash is wrong', async () => {
  // The default would be pull, because the file equals the commit.
  const world = await syncWorld({ ...differing, git: {} });
  const id = await world.idOf(main);
  // An invalid hash does not match either.
  for (const studioHash of [gitBlob('something else'), 'a1b2c3', '', gitBlob('print("Studio")\n').toUpperCase()]) {
    const result = await world.sync({ mode: 'fastfail', overrides: [{ id, direction: 'push', studioHash }] });
    assert.equal(result.status, 'fastfail_unresolved');
    assert.deepEqual(
      result.overrides.map(o => o.verdict),
      ['hash_mismatch'],
    );
    assert.equal(result.changes[0]?.direction, 'unresolved');
    assert.match(result.summary, /hash_mismatch/);
  }
});

test('[A5] lists no properties when only the text of a script differs', async () => {
  const world = await syncWorld({ ...differing, git: {} });
  const { changes } = await world.sync({ mode: 'dryrun' });
  assert.deepEqual(Object.keys(changes[0] ?? {}), [
    'path',
    'id',
    'direction',
    'patchType',
    'className',
    'studioHash',
    'diskHash',
    'defaultSelection',
    'fsPath',
    'defaultReason',
  ]);
});

test('[P3] [A37] reports an override for an unknown id beside the other results', async () => {
  const world = await syncWorld({ ...differing, git: {} });
  const result = await world.sync({ overrides: [{ id: 'f'.repeat(32), direction: 'push' }] });
  assert.equal(result.status, 'success');
  assert.deepEqual(
    result.overrides.map(o => o.verdict),
    ['stale_id'],
  );
  assert.match(result.summary, /stale_id/);
});

test('[S15] [A34] [A49] applies the default of git without asking in standard', async () => {
  const world = await syncWorld({ ...differing, git: {} });
  const result = await world.sync();
  assert.equal(result.status, 'success');
  assert.equal(world.reviews.length, 0);
  assert.equal(world.files.text(mainFile), 'print("Studio")\n');
});

test('[S14] pushes an edit in standard when Studio still has the committed text', async () => {
  const known = { changed: [mainFile], blobs: { [mainFile]: [gitBlob('print("Studio")\n')] } };
  const world = await syncWorld({ ...differing, git: known });
  const result = await world.sync();
  assert.equal(result.status, 'success');
  assert.equal(result.changes[0]?.defaultReason, 'git_studio_has_known_version');
  assert.equal(world.studio.source(main), 'print("disk")\n');
  assert.equal(world.files.text(mainFile), 'print("disk")\n');
});

test('suggests a push when the unsaved draft in Studio has the committed text', async () => {
  const script = { className: 'Script', source: 'print("edited")\n', draft: 'print("Studio")\n' };
  const known = { changed: [mainFile], blobs: { [mainFile]: [gitBlob(script.draft)] } };
  const world = await syncWorld({ ...differing, place: { [main]: script }, git: known });
  const [change] = (await world.sync({ mode: 'dryrun' })).changes;
  assert.deepEqual([change?.defaultSelection, change?.defaultReason], ['push', 'git_studio_has_known_version']);
});

test('[A50] asks a person in standard when a change is undecided, and applies the choice', async () => {
  const world = await syncWorld({
    ...differing,
    person: review => {
      review.choose(
        review.snapshot().rows.map(row => row.id),
        'push',
      );
      review.apply(review.snapshot().revision);
    },
  });
  const result = await world.sync();
  assert.equal(result.status, 'success');
  assert.equal(world.studio.source(main), 'print("disk")\n');
  assert.equal(world.reviews[0]?.snapshot().phase, 'ended');
  assert.match(world.reviews[0]?.snapshot().outcome ?? '', /^Sync completed successfully: 1 /);
});

test('[A52] [A53] always asks in manual, with the decisions preselected', async () => {
  const world = await syncWorld({ ...differing, git: {}, person: review => review.apply(review.snapshot().revision) });
  const id = await world.idOf(main);
  const result = await world.sync({ mode: 'manual', overrides: [{ id, direction: 'push' }] });
  assert.equal(result.status, 'success');
  assert.deepEqual(outcomes(result), { [main]: 'applied' });
});

test('[S9] [S13] [S40] [A54] changes nothing when the review is rejected', async () => {
  const world = await syncWorld({ ...differing, person: review => review.reject(review.snapshot().revision) });
  assert.equal((await world.sync()).status, 'rejected');
  assert.equal(world.studio.source(main), 'print("Studio")\n');
  assert.deepEqual(await world.journal.list(), []);
});

test('[S10] [A33] leaves a skipped change as it is on both sides', async () => {
  const world = await syncWorld({
    ...differing,
    person: review => {
      review.choose(
        review.snapshot().rows.map(row => row.id),
        'skip',
      );
      review.apply(review.snapshot().revision);
    },
  });
  const result = await world.sync();
  assert.deepEqual([result.status, outcomes(result)], ['success', { [main]: 'skipped' }]);
  assert.equal(world.studio.source(main), 'print("Studio")\n');
  assert.equal(world.files.text(mainFile), 'print("disk")\n');
});

test('overwrites nothing when Studio changed after the person saw the text', async () => {
  const world = await syncWorld({
    ...differing,
    person: review => {
      world.studio.edit(main, 'print("a third text")\n');
      review.choose(
        review.snapshot().rows.map(row => row.id),
        'push',
      );
      review.apply(review.snapshot().revision);
    },
  });
  const result = await world.sync();
  assert.equal(result.status, 'partial');
  assert.match(result.changes[0]?.reason ?? '', /changed in Studio/);
  assert.equal(world.studio.source(main), 'print("a third text")\n');
});

test('fails the change and keeps the text when Studio changes just before the write', async () => {
  const world = await syncWorld(differing);
  const id = await world.idOf(main);
  world.studio.before = command => {
    if (command.type === 'apply') world.studio.edit(main, 'print("typed just now")\n');
  };
  const result = await world.sync({ overrides: [{ id, direction: 'push' }] });
  assert.equal(result.status, 'partial');
  assert.equal(world.studio.source(main), 'print("typed just now")\n');
});

test('pushes no unseen text when disk changes during the review', async () => {
  const world = await syncWorld({
    ...differing,
    person: review => {
      world.files.set(mainFile, 'print("saved meanwhile")\n');
      review.choose(
        review.snapshot().rows.map(row => row.id),
        'push',
      );
      review.apply(review.snapshot().revision);
    },
  });
  const result = await world.sync();
  assert.equal(result.status, 'partial');
  assert.match(result.changes[0]?.reason ?? '', /changed on disk/);
  assert.equal(world.studio.source(main), 'print("Studio")\n');
});

test('[P1] does not overwrite a file that changes between the plan and the write', async () => {
  const world = await syncWorld(differing);
  const id = await world.idOf(main);
  world.studio.before = command => {
    if (command.type === 'apply') world.files.set(mainFile, 'print("saved just now")\n');
  };
  const result = await world.sync({ overrides: [{ id, direction: 'pull' }] });
  assert.equal(result.status, 'partial');
  assert.equal(world.files.text(mainFile), 'print("saved just now")\n');
});

test('[P1] records both losing sides in the journal before anything changes', async () => {
  const world = await syncWorld(differing);
  const id = await world.idOf(main);
  let journalled: Promise<readonly unknown[]> = Promise.resolve([]);
  world.studio.before = command => {
    if (command.type === 'apply') journalled = world.journal.list();
  };
  await world.sync({ overrides: [{ id, direction: 'push' }] });
  assert.equal((await journalled).length, 1);
  const [entry] = await world.journal.list();
  const record = entry?.record as { items: { studio: { source: string }; files: { path: string; blob: string }[] }[] };
  assert.equal(record.items[0]?.studio.source, 'print("Studio")\n');
  const file = record.items[0]?.files[0];
  assert.equal(file?.path, mainFile);
  const bytes = await world.journal.readBlob(entry?.runId ?? '', file?.blob ?? '');
  assert.equal(new TextDecoder().decode(bytes), 'print("disk")\n');
});

test('[P1] stops the run before anything changes when the journal cannot be written', async () => {
  const world = await syncWorld(differing);
  const id = await world.idOf(main);
  world.journal.failing = true;
  const result = await world.sync({ overrides: [{ id, direction: 'push' }] });
  assert.equal(result.status, 'error');
  assert.equal(world.studio.source(main), 'print("Studio")\n');
});

test('[S41] leaves a Studio-only instance undecided in any state of git; a push removes it', async () => {
  const world = await syncWorld({ place: { 'ServerScriptService/Old': { className: 'Script', source: 'print(1)' } } });
  const [change] = (await world.sync({ mode: 'dryrun' })).changes;
  assert.deepEqual([change?.patchType, change?.defaultSelection, change?.defaultReason], ['Remove', null, 'removal']);
  const result = await world.sync({ overrides: [{ id: change?.id ?? '', direction: 'push' }] });
  assert.equal(result.status, 'success');
  assert.equal(world.studio.place.has('ServerScriptService/Old'), false);
});

test('creates a file for a Studio-only instance in a pull', async () => {
  const world = await syncWorld({
    place: { 'ServerScriptService/New': { className: 'ModuleScript', source: 'return 1\n' } },
  });
  const id = await world.idOf('ServerScriptService/New');
  const result = await world.sync({ overrides: [{ id, direction: 'pull' }] });
  assert.deepEqual(outcomes(result), { 'ServerScriptService/New': 'written' });
  assert.equal(world.files.text('src/New.luau'), 'return 1\n');
});

test('pushes a disk-only file with its folder, or removes both', async () => {
  const files = { 'src/lib/Util.luau': 'return {}\n' };
  const pushed = await syncWorld({ files, git: { untracked: ['src/lib/Util.luau'] } });
  assert.equal((await pushed.sync()).status, 'success');
  assert.equal(pushed.studio.source('ServerScriptService/lib/Util'), 'return {}\n');

  const pulled = await syncWorld({ files });
  const { changes } = await pulled.sync({ mode: 'dryrun' });
  const result = await pulled.sync({ overrides: changes.map(({ id }) => ({ id, direction: 'pull' as const })) });
  assert.equal(result.status, 'success');
  assert.equal(pulled.files.text('src/lib/Util.luau'), undefined);
});

test('leaves an addition undecided when its parent is not pushed', async () => {
  const world = await syncWorld({ files: { 'src/lib/Util.luau': 'return {}\n' } });
  const id = await world.idOf('ServerScriptService/lib/Util');
  const result = await world.sync({ mode: 'fastfail', overrides: [{ id, direction: 'push' }] });
  assert.equal(result.status, 'fastfail_unresolved');
  assert.match(
    result.changes.find(change => change.id === id)?.reason ?? '',
    /its parent is not in Studio; push the parent too/,
  );
});

test('keeps Studio’s instance when a file for it appears before the removal', async () => {
  const world = await syncWorld({
    place: { [main]: { className: 'Script', source: 'print("Studio")\n' } },
    git: 'none',
  });
  const run = world.engine.start({ mode: 'manual', overrides: [], requestedBy: 'test' });
  await until(() => world.reviews.length > 0);
  const [review] = world.reviews;
  assert.ok(review !== undefined);
  review.choose([review.snapshot().rows[0]?.id ?? ''], 'push');
  world.files.set(mainFile, 'print("new")\n');
  review.apply(review.snapshot().revision);
  const result = formatResult(await run.result);
  assert.deepEqual([result.status, result.changes[0]?.outcome], ['partial', undefined]);
  assert.match(result.changes[0]?.reason ?? '', /changed on disk/);
  assert.equal(world.studio.source(main), 'print("Studio")\n');
});
