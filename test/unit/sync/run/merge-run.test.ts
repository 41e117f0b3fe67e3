import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import { AppError } from '../../../../src/base/errors.ts';
import { WorkLimitError } from '../../../../src/base/work-limit-error.ts';
import type { SyncResult } from '../../../../src/protocol/sync-result.ts';
import { localMerger } from '../../../harness/local-merger.ts';
import { main, mainFile, syncWorld, type SyncWorld, type WorldParts } from '../../../harness/sync-world.ts';

const common = 'local speed = 1\n\nlocal health = 2\n';
const onDisk = common.replace('speed = 1', 'speed = 10');
const inStudio = common.replace('health = 2', 'health = 20');
const merged = 'local speed = 10\n\nlocal health = 20\n';
const hash = (text: string): string => nodeHasher.gitBlob(new TextEncoder().encode(text));
const both = { studioHash: hash(inStudio), diskHash: hash(onDisk) };

/** A script that was equal on both sides, and has changed on both since. */
async function movedWorld(parts: WorldParts = {}, sides = { disk: onDisk, studio: inStudio }): Promise<SyncWorld> {
  const world = await syncWorld({
    files: { [mainFile]: common },
    place: { [main]: { className: 'Script', source: common } },
    git: 'none',
    ...parts,
  });
  await world.sync();
  world.files.set(mainFile, sides.disk);
  world.studio.edit(main, sides.studio);
  return world;
}

const textOf = (world: SyncWorld): string | undefined => world.files.text(mainFile);
const only = ({ changes }: SyncResult): SyncResult['changes'][number] => {
  assert.equal(changes.length, 1);
  const [change] = changes;
  assert.ok(change);
  return change;
};

test('suggests a merge with a preview and decides nothing when both sides merge', async () => {
  const world = await movedWorld();
  const change = only(await world.sync({ mode: 'fastfail' }));
  assert.equal(change.direction, 'unresolved');
  assert.equal(change.defaultSelection, 'merge');
  assert.equal(change.defaultReason, 'base_merged');
  assert.deepEqual(change.merge, {
    fromDisk: [],
    fromStudio: [],
    preview: '@@ line 3 @@\n-local health = 2\n+local health = 20',
  });
  assert.equal(textOf(world), onDisk);
});

test('applies a merge to both sides without asking when the setting says so', async () => {
  const world = await movedWorld({ settings: { mergeAuto: () => 'apply' } });
  const result = await world.sync({ mode: 'fastfail' });
  assert.equal(result.status, 'success');
  assert.deepEqual([only(result).direction, only(result).outcome], ['merge', 'merged']);
  assert.equal(textOf(world), merged);
  assert.equal(world.studio.source(main), merged);
  assert.equal((await world.sync({ mode: 'fastfail' })).status, 'empty');
});

test('[P1] merges properties that each side changed in an instance without a text', async () => {
  const file = 'src/Lamp.model.json';
  const lamp = (properties: Readonly<Record<string, boolean>>): string =>
    JSON.stringify({ className: 'Part', properties });
  const path = 'ServerScriptService/Lamp';
  const place = (locked: boolean, anchored: boolean) => ({
    className: 'Part',
    properties: { Locked: { Bool: locked }, Anchored: { Bool: anchored } },
  });
  const world = await syncWorld({
    files: { [file]: lamp({ Locked: false, Anchored: false }) },
    place: { [path]: place(false, false) },
    git: 'none',
    settings: { mergeAuto: () => 'apply' },
  });
  await world.sync();
  world.files.set(file, lamp({ Locked: true, Anchored: false }));
  world.studio.place.set(path, place(false, true));
  const result = await world.sync({ mode: 'fastfail' });
  assert.deepEqual([only(result).direction, only(result).outcome], ['merge', 'merged'], result.summary);
  assert.deepEqual(JSON.parse(world.files.text(file) ?? ''), {
    className: 'Part',
    properties: { Locked: true, Anchored: true },
  });
  assert.deepEqual(world.studio.place.get(path)?.properties, { Locked: { Bool: true }, Anchored: { Bool: true } });
});

test('suggests no merge when the setting is off', async () => {
  const world = await movedWorld({ settings: { mergeAuto: () => 'off' } });
  const change = only(await world.sync({ mode: 'dryrun' }));
  assert.deepEqual([change.defaultSelection, change.defaultReason], [null, 'base_both_moved']);
});

test('suggests no merge when both sides changed one line, or the result does not compile', async () => {
  for (const sides of [
    { disk: common.replace('speed = 1', 'speed = 2'), studio: common.replace('speed = 1', 'speed = 3') },
    { disk: common.replace('speed = 1', 'speed = {'), studio: inStudio },
  ]) {
    const world = await movedWorld({}, sides);
    const change = only(await world.sync({ mode: 'dryrun' }));
    assert.deepEqual([change.defaultSelection, change.defaultReason], [null, 'base_both_moved']);
  }
});

test('suggests no merge when Studio has an unsaved draft', async () => {
  const world = await movedWorld();
  const script = world.studio.place.get(main);
  assert.ok(script);
  script.draft = 'x()';
  assert.equal(only(await world.sync({ mode: 'dryrun' })).defaultSelection, null);
});

test('suggests no merge, and refuses a requested one, when the plugin cannot write merges', async () => {
  const world = await syncWorld({
    files: { [mainFile]: common },
    place: { [main]: { className: 'Script', source: common } },
    git: 'none',
    connected: false,
  });
  const { studio } = world.join(undefined, { capabilities: ['acknowledgedApply', 'stableIds', 'requestIds'] });
  await world.sync();
  world.files.set(mainFile, onDisk);
  studio.edit(main, inStudio);
  const { id, defaultSelection } = only(await world.sync({ mode: 'dryrun' }));
  assert.equal(defaultSelection, null);
  const { overrides } = await world.sync({ mode: 'fastfail', overrides: [{ id, direction: 'merge', ...both }] });
  assert.match(overrides[0]?.reason ?? '', /update the plugin/);
});

test('merges for an override that quotes both hashes', async () => {
  const world = await movedWorld();
  const id = await world.idOf(main);
  const result = await world.sync({ mode: 'fastfail', overrides: [{ id, direction: 'merge', ...both }] });
  assert.equal(result.status, 'success', result.summary);
  assert.deepEqual(result.overrides, [{ id, direction: 'merge', verdict: 'accepted' }]);
  assert.equal(only(result).outcome, 'merged');
  assert.match(result.summary, /1 merged/);
  assert.equal(textOf(world), merged);
  assert.equal(world.studio.source(main), merged);
});

test('writes the text of an override to both sides when the merge has conflicts', async () => {
  const sides = { disk: common.replace('speed = 1', 'speed = 2'), studio: common.replace('speed = 1', 'speed = 3') };
  const world = await movedWorld({}, sides);
  const id = await world.idOf(main);
  const quoted = { studioHash: hash(sides.studio), diskHash: hash(sides.disk) };
  const text = common.replace('speed = 1', 'speed = 5');
  const result = await world.sync({ mode: 'fastfail', overrides: [{ id, direction: 'merge', ...quoted, text }] });
  assert.equal(result.status, 'success', result.summary);
  assert.equal(textOf(world), text);
  assert.equal(world.studio.source(main), text);
});

test('refuses a merge that lacks a hash, has conflicts, does not compile, or is about one side', async () => {
  const sides = { disk: common.replace('speed = 1', 'speed = 2'), studio: common.replace('speed = 1', 'speed = 3') };
  const world = await movedWorld({}, sides);
  world.studio.place.set('ServerScriptService/Other', { className: 'Script', source: 'x()' });
  const id = await world.idOf(main);
  const other = await world.idOf('ServerScriptService/Other');
  const quoted = { studioHash: hash(sides.studio), diskHash: hash(sides.disk) };
  const cases = [
    [{ id, studioHash: quoted.studioHash }, 'precondition_missing'],
    [{ id, diskHash: quoted.diskHash }, 'precondition_missing'],
    [{ id, ...quoted }, 'not_mergeable'],
    [{ id, ...quoted, text: 'local x = {' }, 'not_mergeable'],
    [{ id, ...quoted, text: '--<<<<<<< Studio\na()\n-->>>>>>> Disk\n' }, 'not_mergeable'],
    [{ id: other, ...quoted, studioHash: hash('x()') }, 'not_mergeable'],
    [{ id, ...quoted, diskHash: hash('older') }, 'disk_mismatch'],
    [{ id, ...quoted, studioHash: hash('older') }, 'hash_mismatch'],
  ] as const;
  for (const [override, verdict] of cases) {
    const result = await world.sync({ mode: 'fastfail', overrides: [{ direction: 'merge', ...override }] });
    assert.equal(result.status, 'fastfail_unresolved', verdict);
    const [first] = result.overrides;
    assert.deepEqual([first?.direction, first?.verdict], ['merge', verdict], first?.reason);
  }
  assert.equal(textOf(world), sides.disk);
  assert.equal(world.studio.source(main), sides.studio);
});

test('refuses to merge a draft, equal texts, a long script, or a single changed property', async () => {
  const reasonOf = async (world: SyncWorld, quoted: object): Promise<string | undefined> => {
    const override = { id: await world.idOf(main), direction: 'merge' as const, ...both, ...quoted };
    const result = await world.sync({ mode: 'fastfail', overrides: [override] });
    const [verdict] = result.overrides;
    assert.deepEqual([result.status, verdict?.verdict], ['fastfail_unresolved', 'not_mergeable']);
    return verdict?.reason;
  };
  const drafted = await movedWorld();
  Object.assign(drafted.studio.place.get(main) ?? {}, { draft: 'x()' });
  assert.match((await reasonOf(drafted, {})) ?? '', /unsaved edits/);
  assert.match((await reasonOf(drafted, { text: merged })) ?? '', /unsaved edits/);

  const long = { disk: `${onDisk}--${'x'.repeat(1_000_000)}`, studio: inStudio };
  const quoted = { diskHash: hash(long.disk) };
  assert.match((await reasonOf(await movedWorld({}, long), quoted)) ?? '', /too long/);

  const meta = 'src/Main.meta.json';
  const metaOf = (isDisabled: boolean): string => JSON.stringify({ properties: { Disabled: isDisabled } });
  const place = { [main]: { className: 'Script', source: common, properties: { Disabled: { Bool: false } } } };
  const files = { [mainFile]: common, [meta]: metaOf(true) };
  const property = await syncWorld({ files, place, git: 'none' });
  const change = only(await property.sync({ mode: 'dryrun' }));
  const sides = { studioHash: change.studioHash, diskHash: change.diskHash };
  assert.match((await reasonOf(property, { ...sides, text: merged })) ?? '', /texts? .*(?:equal|same)/i);
  assert.match((await reasonOf(property, sides)) ?? '', /Disabled/);
});

test('takes a resolution with CRLF as the same text with LF', async () => {
  const world = await movedWorld();
  const text = merged.replaceAll('\n', '\r\n');
  const override = { id: await world.idOf(main), direction: 'merge' as const, ...both, text };
  assert.equal((await world.sync({ mode: 'fastfail', overrides: [override] })).status, 'success');
  assert.deepEqual([textOf(world), world.studio.source(main)], [merged, merged]);
});

test('cuts the preview of a long merge', async () => {
  const many = common + Array.from({ length: 100 }, (_, index) => `local line${index} = ${index}\n`).join('');
  const change = only(
    await (
      await movedWorld({}, { disk: onDisk, studio: inStudio + many.slice(common.length) })
    ).sync({ mode: 'dryrun' }),
  );
  assert.equal(change.merge?.preview?.length, 500);
  assert.ok(change.merge.preview.endsWith('…'));
});

test('says whether a merge took too long or failed', async () => {
  for (const [failure, reason] of [
    [new WorkLimitError({ kind: 'time', seconds: 10 }), /takes longer than 10 s/],
    [new Error('the thread ended'), /^the merge failed/],
  ] as const) {
    const merger = { ...localMerger, merge: () => Promise.reject(failure) };
    const world = await movedWorld({ merger, settings: { mergeAuto: () => 'off' } });
    const id = await world.idOf(main);
    const result = await world.sync({ mode: 'fastfail', overrides: [{ id, direction: 'merge', ...both }] });
    const [verdict] = result.overrides;
    assert.equal(verdict?.verdict, 'not_mergeable');
    assert.match(verdict.reason ?? '', reason);
  }
});

test('leaves only its change undecided when the thread does not compile the text of an override', async () => {
  const failures = [new WorkLimitError({ kind: 'time', seconds: 10 }), new Error('the thread ended')];
  for (const failure of failures) {
    const world = await movedWorld({ merger: { ...localMerger, compileProblem: () => Promise.reject(failure) } });
    const id = await world.idOf(main);
    const override = { id, direction: 'merge' as const, text: merged, ...both };
    const { status, overrides } = await world.sync({ mode: 'fastfail', overrides: [override] });
    assert.equal(status, 'fastfail_unresolved');
    assert.equal(overrides[0]?.verdict, 'not_mergeable');
  }
});

test('refuses text without the direction merge', async () => {
  const world = await movedWorld();
  const id = await world.idOf(main);
  const { overrides } = await world.sync({ mode: 'fastfail', overrides: [{ id, direction: 'push', text: 'x()' }] });
  assert.equal(overrides[0]?.verdict, 'not_mergeable');
});

test('keeps the line ends of the file in a merge', async () => {
  const sides = { disk: onDisk.replaceAll('\n', '\r\n'), studio: inStudio };
  const world = await movedWorld({ settings: { mergeAuto: () => 'apply' } }, sides);
  assert.equal((await world.sync()).status, 'success');
  assert.equal(textOf(world), merged.replaceAll('\n', '\r\n'));
  assert.equal(world.studio.source(main), merged);
});

test('records both losers, so that each side can be restored', async () => {
  const world = await movedWorld({
    settings: { mergeAuto: () => 'apply' },
    person: review => review.apply(review.status().revision),
  });
  const { runId } = await world.sync();
  assert.equal((await world.sync({ restore: { runId, side: 'disk' } })).status, 'success');
  assert.equal(textOf(world), onDisk);
  assert.equal((await world.sync({ restore: { runId, side: 'studio' } })).status, 'success');
  assert.equal(world.studio.source(main), inStudio);
});

test('writes no file when Studio changed since the comparison', async () => {
  const world = await movedWorld({ settings: { mergeAuto: () => 'apply' } });
  world.studio.before = command => {
    if (command.type === 'apply') world.studio.edit(main, 'typed()\n');
  };
  const result = await world.sync();
  assert.equal(only(result).outcome, 'failed');
  assert.equal(textOf(world), onDisk);
  assert.equal(world.studio.source(main), 'typed()\n');
});

test('changes neither side when the project reads a change of the file before the plan', async () => {
  const world = await movedWorld({ settings: { mergeAuto: () => 'apply' } });
  // One read for the merge, and one before the plan.
  let reads = 0;
  world.studio.before = command => {
    if (command.type !== 'read' || (reads += 1) < 2) return;
    world.files.set(mainFile, 'typed()\n');
    void world.session.refresh(new AbortController().signal);
  };
  const change = only(await world.sync());
  assert.equal(change.direction, 'unresolved');
  assert.match(change.reason ?? '', /changed on disk since the comparison/);
  assert.deepEqual([textOf(world), world.studio.source(main)], ['typed()\n', inStudio]);
});

test('refuses a merge when the script changed in Studio between the comparison and its reading', async () => {
  const world = await movedWorld();
  const id = await world.idOf(main);
  let reads = 0;
  world.studio.before = command => {
    if (command.type === 'read') world.studio.edit(main, (reads += 1) === 1 ? 'local health = 30\n' : inStudio);
  };
  const { overrides } = await world.sync({ mode: 'fastfail', overrides: [{ id, direction: 'merge', ...both }] });
  assert.deepEqual(
    overrides.map(({ verdict }) => verdict),
    ['not_mergeable'],
  );
  assert.match(overrides[0]?.reason ?? '', /changed in Studio since the comparison/);
  assert.deepEqual([textOf(world), world.studio.source(main)], [onDisk, 'local health = 30\n']);
});

test('says that Studio has the merge when the file cannot be written', async () => {
  const world = await movedWorld({ settings: { mergeAuto: () => 'apply' } });
  world.studio.before = command => {
    if (command.type === 'apply') world.files.set(mainFile, 'typed()\n');
  };
  const result = await world.sync();
  assert.equal(only(result).outcome, 'failed');
  assert.match(only(result).reason ?? '', /^Studio has the merge, but the files do not: /);
  assert.equal(textOf(world), 'typed()\n');
});

test('says that Studio has the merge when the disk is full before the file is written', async () => {
  const world = await movedWorld({ settings: { mergeAuto: () => 'apply' } });
  world.journal.note = () => Promise.reject(new AppError('STATE_NOT_WRITABLE', { folder: 'state', reason: 'ENOSPC' }));
  const result = await world.sync({ mode: 'fastfail' });
  assert.equal(result.status, 'partial');
  assert.match(only(result).reason ?? '', /^Studio has the merge/);
  assert.deepEqual([only(result).outcome, textOf(world), world.studio.source(main)], ['failed', onDisk, merged]);
});
