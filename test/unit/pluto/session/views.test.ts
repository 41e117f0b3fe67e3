import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProjectPath } from '../../../../src/base/brand.ts';
import { recordedRuns } from '../../../../src/sync/history/recorded-runs.ts';
import { addDeclaration } from '../../../../src/pluto/session/edits/add-declaration.ts';
import { deleteDeclaration } from '../../../../src/pluto/session/edits/delete-declaration.ts';
import { replaceDeclaration } from '../../../../src/pluto/session/edits/replace-declaration.ts';
import { generateView } from '../../../../src/pluto/session/views/generate-view.ts';
import { compareWithModule, type ViewOverride } from '../../../../src/pluto/session/views/compare-with-module.ts';
import { syncView } from '../../../../src/pluto/session/views/sync-view.ts';
import { writeIntoView } from '../../../../src/pluto/session/views/write-into-view.ts';
import { recordedDiffs } from '../../../../src/sync/history/recorded-diffs.ts';
import { createViewJournal } from '../../../../src/pluto/session/views/view-journal.ts';
import { ManualClock } from '../../../harness/manual-clock.ts';
import { MemoryJournalStore } from '../../../harness/memory-journal-store.ts';
import { memoryLog } from '../../../harness/memory-log.ts';
import { sequentialRandom } from '../../../harness/sequential-random.ts';
import { SessionWorld, signal } from '../language/session-world.ts';
import { CountingSlice } from '../../../harness/counting-slice.ts';

const text = '// First.\nfn one() {}\n\nfn two() {\n    print(2)\n}\n\nfn three() {}\n';

/** A saved container with its view. */
async function withView(): Promise<SessionWorld> {
  const world = await SessionWorld.of({ 'a.pluto': text });
  await addDeclaration(world.session, { path: 'a.pluto', source: 'fn four() {}', position: 'end' }, signal);
  await world.save();
  await generateView(world.session, 'a.pluto');
  return world;
}

const sync = (world: SessionWorld, ...overrides: readonly ViewOverride[]) =>
  syncView(world.session, { path: 'a.pt', overrides }, signal);
const edit = (world: SessionWorld, from: string | RegExp, to: string): void =>
  world.disk.set('a.pt', (world.disk.text('a.pt') ?? '').replace(from, to));
const replace = async (world: SessionWorld, name: string, source: string) =>
  replaceDeclaration(world.session, { id: await world.idOf(name), source }, signal);

test('regenerates an unedited view, and keeps an edited one', async () => {
  const world = await withView();
  assert.equal((await sync(world)).status, 'already');
  assert.equal((await generateView(world.session, 'a.pluto')).outcome, 'already');
  await replace(world, 'two', 'fn two() {}');
  await assert.rejects(generateView(world.session, 'a.pluto'), { code: 'PLUTO_EDIT_REFUSED' });
  await world.save();
  assert.equal((await generateView(world.session, 'a.pluto')).outcome, 'done');
  edit(world, 'fn one() {}', 'fn one() {\n    print(1)\n}');
  const edited = world.disk.text('a.pt');
  await assert.rejects(generateView(world.session, 'a.pluto'), { code: 'PLUTO_VIEW_EDITED' });
  assert.equal(world.disk.text('a.pt'), edited);
});

test('applies edits and comments of the view to the container, keeps ids, and regenerates it', async () => {
  const world = await withView();
  const two = await world.idOf('two');
  edit(world, '// First.', '// The first one.');
  edit(world, 'fn two() {\n    print(2)', 'fn second() {\n    print(22)');
  edit(world, /\/\/ @uuid: [^\n]+\nfn three\(\) \{\}\n/, 'class Fresh {\n    a: int\n}\n');
  const { status, changes } = await sync(world);
  assert.equal(status, 'synced');
  assert.deepEqual(changes.map(one => `${one.change} ${one.name}`).toSorted(), [
    'added Fresh',
    'deleted three',
    'updated one',
    'updated second',
  ]);
  const again = await world.again();
  assert.equal(await again.idOf('second'), two);
  assert.match(await again.text('a.pluto'), /^\/\/ The first one\./);
  assert.equal((await sync(again)).status, 'already');
});

test('takes each declaration from the side that changed it when both sides changed', async () => {
  const world = await withView();
  edit(world, 'fn one() {}', 'fn one() {\n    print(1)\n}');
  await replace(world, 'two', 'fn two() {}');
  await world.save();
  const { status, changes } = await sync(world);
  assert.deepEqual(
    [status, changes.map(one => `${one.name} ${String(one.take)} ${one.why}`)],
    ['synced', ['one pt view', 'two pluto container']],
  );
  const merged = await (await world.again()).text('a.pluto');
  assert.equal(
    merged,
    `${text.replace('fn one() {}', 'fn one() {\n    print(1)\n}').replace('fn two() {\n    print(2)\n}', 'fn two() {}')}\nfn four() {}\n`,
  );
});

test('changes nothing until an override with the right digest resolves a conflict', async () => {
  const world = await withView();
  edit(world, 'print(2)', 'print(3)');
  await replace(world, 'two', 'fn two() {\n    print(4)\n}');
  await world.save();
  const before = [await world.disk.read('a.pluto' as ProjectPath), world.disk.text('a.pt')];
  const first = await sync(world);
  const [open] = first.changes;
  assert.deepEqual([first.status, open?.take, open?.why], ['unresolved', undefined, 'both']);
  const id = open?.id ?? '';
  const stale = await sync(world, { id, take: 'pt', digest: open?.ptDigest });
  assert.deepEqual([stale.status, stale.verdicts[0]?.verdict], ['unresolved', 'hash_mismatch']);
  const unknown = await sync(world, { id: 'none', take: 'pt' });
  assert.deepEqual([unknown.status, unknown.verdicts[0]?.verdict], ['unresolved', 'stale_id']);
  assert.deepEqual([await world.disk.read('a.pluto' as ProjectPath), world.disk.text('a.pt')], before);
  const decided = await sync(world, { id, take: 'pt', digest: open?.plutoDigest });
  assert.equal(decided.status, 'synced');
  assert.match(await world.text('a.pluto'), /print\(3\)/);
  assert.equal((await sync(world)).status, 'already');
});

test('deletes nothing without a decision when the view is of an older container', async () => {
  const world = await withView();
  edit(world, /\/\/ @uuid: [^\n]+\nfn three\(\) \{\}\n/, '');
  await addDeclaration(world.session, { path: 'a.pluto', source: 'fn newer() {}', position: 'end' }, signal);
  await world.save();
  const { status, changes } = await sync(world);
  assert.equal(status, 'unresolved');
  assert.deepEqual(changes.map(one => `${one.change} ${one.name} ${one.why}`).toSorted(), [
    'deleted newer unknown',
    'deleted three unknown',
  ]);
  const overrides = changes.map(({ id, name }) => ({
    id,
    take: name === 'three' ? ('pt' as const) : ('pluto' as const),
  }));
  assert.equal((await sync(world, ...overrides)).status, 'synced');
  assert.doesNotMatch(await world.text('a.pluto'), /three/);
  assert.match(world.disk.text('a.pt') ?? '', /fn newer/);
});

test('changes nothing when the view does not parse, and converts a standalone .pt', async () => {
  const world = await withView();
  edit(world, 'fn one() {}', 'fn one( {}');
  const before = await world.disk.read('a.pluto' as ProjectPath);
  await assert.rejects(sync(world), { code: 'PLUTO_SOURCE_INVALID' });
  assert.deepEqual(await world.disk.read('a.pluto' as ProjectPath), before);

  const lone = await SessionWorld.of({ 'a.pt': text });
  const id = await lone.idOf('two');
  assert.equal((await sync(lone)).status, 'synced');
  assert.deepEqual(lone.session.files, ['a.pluto']);
  assert.equal(await (await lone.again()).idOf('two'), id);
});

test('keeps a view that is written during the sync', async () => {
  const world = await withView();
  edit(world, 'print(2)', 'print(3)');
  world.disk.fault = (_n, path) => {
    if (path !== 'a.pt') return;
    world.disk.fault = undefined;
    world.disk.set('a.pt', 'fn newest() {}\n');
  };
  await assert.rejects(sync(world), { code: 'FILE_CHANGED' });
  assert.equal(world.disk.text('a.pt'), 'fn newest() {}\n');
});

/** Both sides changed `two`; only the view changed `one`. */
async function bothMoved(): Promise<SessionWorld> {
  const world = await withView();
  edit(world, 'fn one() {}', 'fn one() {\n    print(1)\n}');
  edit(world, 'print(2)', 'print(3)');
  await replace(world, 'two', 'fn two() {\n    print(4)\n}');
  await world.save();
  return world;
}

test('keeps skipped declarations on both sides, and leaves them undecided', async () => {
  const world = await bothMoved();
  const id = await world.idOf('two');
  const { status } = await sync(world, { id, take: 'skip' });
  assert.equal(status, 'synced');
  assert.match(await world.text('a.pluto'), /print\(1\)[^]*print\(4\)/);
  assert.match(world.disk.text('a.pt') ?? '', /print\(1\)[^]*print\(3\)/);
  await assert.rejects(generateView(world.session, 'a.pluto'), { code: 'PLUTO_VIEW_EDITED' });
  const again = await sync(world);
  assert.deepEqual([again.status, again.changes.map(one => `${one.name} ${one.why}`)], ['unresolved', ['two both']]);
  assert.equal((await sync(world, { id, take: 'pluto', digest: again.changes[0]?.ptDigest })).status, 'synced');
  assert.equal((await sync(world)).status, 'already');
  assert.match(world.disk.text('a.pt') ?? '', /print\(1\)[^]*print\(4\)/);
});

test('keeps a skipped deletion undecided in the next sync', async () => {
  const world = await withView();
  edit(world, /\/\/ @uuid: [^\n]+\nfn three\(\) \{\}\n/, '');
  const id = await world.idOf('three');
  assert.equal((await sync(world, { id, take: 'skip' })).status, 'synced');
  const { status, changes } = await sync(world);
  assert.deepEqual([status, changes.map(one => `${one.change} ${one.name}`)], ['unresolved', ['deleted three']]);
  assert.doesNotMatch(world.disk.text('a.pt') ?? '', /three/);
});

test('does not restore a declaration from an older view without a decision', async () => {
  const world = await withView();
  edit(world, 'print(2)', 'print(3)');
  await deleteDeclaration(world.session, await world.idOf('three'), signal);
  await world.save();
  const { status, changes } = await sync(world);
  assert.deepEqual(
    [status, changes.map(one => `${one.change} ${one.name} ${one.why} ${String(one.take)}`)],
    ['unresolved', ['updated two view pt', 'added three container undefined']],
  );
  const id = changes.find(({ name }) => name === 'three')?.id ?? '';
  assert.equal((await sync(world, { id, take: 'pluto' })).status, 'synced');
  assert.doesNotMatch(world.disk.text('a.pt') ?? '', /three/);
});

test('reads a container again that another program has just written', async () => {
  const world = await withView();
  const other = await world.again();
  await replace(other, 'two', 'fn two() {\n    print(4)\n}');
  await other.save();
  edit(world, 'print(2)', 'print(3)');
  assert.deepEqual(
    (await sync(world)).changes.map(one => `${one.name} ${one.why}`),
    ['two both'],
  );
});

test('syncs a module whose saved edit was undone', async () => {
  const world = await withView();
  await replace(world, 'two', 'fn two() {}');
  await world.save();
  await world.session.undo(signal);
  edit(world, 'fn one() {}', 'fn one() {\n    print(1)\n}');
  const { status, changes } = await sync(world);
  assert.deepEqual([status, changes.map(one => `${one.name} ${String(one.take)}`)], ['synced', ['one pt']]);
  assert.match(await (await world.again()).text('a.pluto'), /print\(1\)[^]*print\(2\)/);
});

test('changes nothing when the decision is for another state of the sides', async () => {
  const world = await bothMoved();
  const { state, changes } = await compareWithModule(world.session, { path: 'a.pt', overrides: [] }, signal);
  edit(world, 'fn one() {', 'fn one() { // more');
  const overrides = changes.map(({ id }) => ({ id, take: 'pt' as const }));
  await assert.rejects(syncView(world.session, { path: 'a.pt', overrides, state }, signal), { code: 'FILE_CHANGED' });
  assert.match(await world.text('a.pluto'), /print\(4\)/);
});

test('records both files before either changes', async () => {
  const world = await bothMoved();
  const journal = new MemoryJournalStore();
  const read = (name: string): Promise<Uint8Array> => world.disk.read(name as ProjectPath);
  const before = { pluto: await read('a.pluto'), pt: await read('a.pt') };
  const keeper = createViewJournal(
    {
      journal,
      limits: () => ({ maxBytes: 1_000_000, maxDays: 30 }),
      random: sequentialRandom(),
      clock: new ManualClock(),
      log: memoryLog(),
    },
    'Copilot',
  );
  const overrides = [{ id: await world.idOf('two'), take: 'pluto' as const }];
  await syncView(world.session, { path: 'a.pt', overrides }, signal, keeper);
  const [run] = await recordedRuns(journal, 10, new CountingSlice());
  assert.equal(run?.summary, 'Recorded a.pluto and a.pt before syncing 2 declarations.');
  assert.deepEqual(
    run?.changes.map(({ path, className, choice }) => `${path} ${className} ${choice}`),
    ['a.pluto/one function push', 'a.pluto/two function pull'],
  );
  assert.deepEqual(await journal.readBlob(run?.runId ?? '', 'module'), before.pluto);
  assert.deepEqual(await journal.readBlob(run?.runId ?? '', 'view'), before.pt);
  // History shows each declaration: what was replaced, and what came in its place.
  const diffs = await recordedDiffs(journal, () => undefined, run?.runId ?? '', new CountingSlice());
  assert.deepEqual(
    diffs.map(({ side, path, before: was, after }) => [side, path, was, after]),
    [
      ['disk', 'a.pluto/one.pt', '// First.\nfn one() {}', '// First.\nfn one() {\n    print(1)\n}'],
      ['disk', 'a.pluto/two.pt', 'fn two() {\n    print(3)\n}', 'fn two() {\n    print(4)\n}'],
    ],
  );
  assert.deepEqual(
    run?.changes.map(({ sides }) => sides),
    [['disk'], ['disk']],
  );
});

test('writes a merged source into the view with its line ends, unless it does not parse', async () => {
  const world = await bothMoved();
  world.disk.set('a.pt', (world.disk.text('a.pt') ?? '').replaceAll('\n', '\r\n'));
  const look = await compareWithModule(world.session, { path: 'a.pt', overrides: [] }, signal);
  const id = await world.idOf('two');
  await assert.rejects(writeIntoView(world.session, look, [{ id, text: 'fn two( {}' }], undefined), {
    code: 'PLUTO_SOURCE_INVALID',
  });
  const was = world.disk.text('a.pt') ?? '';
  await writeIntoView(world.session, look, [{ id, text: 'fn two() {\n    print(34)\n}' }], undefined);
  assert.equal(world.disk.text('a.pt'), was.replace('print(3)', 'print(34)'));
  const again = await compareWithModule(world.session, { path: 'a.pt', overrides: [] }, signal);
  await writeIntoView(
    world.session,
    again,
    [{ id: await world.idOf('one'), text: '// The first\n// of all.\nfn one() {}' }],
    undefined,
  );
  const now = world.disk.text('a.pt') ?? '';
  assert.match(
    now,
    /^\/\/ @generated-from: [^\n]+\r\n\/\/ The first\r\n\/\/ of all\.\r\n\/\/ @uuid: [^\n]+\r\nfn one\(\) \{\}\r\n/,
  );
  assert.equal((await compareWithModule(world.session, { path: 'a.pt', overrides: [] }, signal)).changes.length, 2);
});

test('keeps a comment above a declaration together with it on both sides', async () => {
  const world = await withView();
  edit(world, '// First.', '// The very first.');
  await replace(world, 'two', 'fn two() {}');
  await world.save();
  const { status, changes } = await sync(world);
  assert.deepEqual([status, changes.map(one => `${one.name} ${one.why}`)], ['synced', ['one view', 'two container']]);
  assert.match(await world.text('a.pluto'), /^\/\/ The very first\.\nfn one\(\) \{\}\n/);
  assert.match(world.disk.text('a.pt') ?? '', /\/\/ The very first\.\n\/\/ @uuid: /);
  assert.equal((await sync(world)).status, 'already');
});

test('keeps a module that is edited while both files are recorded', async () => {
  const world = await withView();
  edit(world, 'print(2)', 'print(3)');
  const journal = { record: async () => void (await replace(world, 'two', 'fn two() {\n    print(4)\n}')) };
  await assert.rejects(syncView(world.session, { path: 'a.pt', overrides: [] }, signal, journal), {
    code: 'FILE_CHANGED',
  });
  assert.match(await world.text('a.pluto'), /print\(4\)/);
  assert.match(world.disk.text('a.pt') ?? '', /print\(3\)/);
});
