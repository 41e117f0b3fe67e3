import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProjectPath } from '../../../../../src/base/brand.ts';
import { addDeclaration } from '../../../../../src/core/pluto/session/edits/add-declaration.ts';
import { replaceDeclaration } from '../../../../../src/core/pluto/session/edits/replace-declaration.ts';
import { generateView } from '../../../../../src/core/pluto/session/views/generate-view.ts';
import { syncView, type ViewOverride } from '../../../../../src/core/pluto/session/views/sync-view.ts';
import { SessionWorld, signal } from '../session-world.ts';

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

test('a view that nobody edited says the same already, and is made anew freely; one that somebody edited is not', async () => {
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

test('edits of the view, comments too, come into the container with the ids as they were, and the view is renewed', async () => {
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
    'updated second',
  ]);
  const again = await world.again();
  assert.equal(await again.idOf('second'), two);
  assert.match(await again.text('a.pluto'), /^\/\/ The first one\./);
  assert.equal((await sync(again)).status, 'already');
});

test('where both moved, each declaration comes from the side that changed it', async () => {
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

test('what both changed is unresolved until an override decides with the text that it saw; nothing is changed before', async () => {
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

test('what is missing in a view of an older container is never deleted without a word', async () => {
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

test('a view that no longer parses changes nothing; a .pt that was a module becomes the view of a container', async () => {
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

test('a view that is written between the look and the renewal is not lost', async () => {
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
