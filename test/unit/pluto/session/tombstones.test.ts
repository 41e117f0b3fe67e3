import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeHasher as hasher } from '../../../../src/adapters/node/hasher.ts';
import type { ProjectPath } from '../../../../src/base/brand.ts';
import { readContainer } from '../../../../src/pluto/language/container/container.ts';
import { readTombstones } from '../../../../src/pluto/language/container/tombstone-section.ts';
import { analyzeModule } from '../../../../src/pluto/session/analyze.ts';
import { addDeclaration } from '../../../../src/pluto/session/edits/add-declaration.ts';
import { deleteDeclaration } from '../../../../src/pluto/session/edits/delete-declaration.ts';
import { moveDeclaration } from '../../../../src/pluto/session/edits/move-declaration.ts';
import { replaceDeclaration } from '../../../../src/pluto/session/edits/replace-declaration.ts';
import { generateView } from '../../../../src/pluto/session/views/generate-view.ts';
import { syncView } from '../../../../src/pluto/session/views/sync-view.ts';
import { SessionWorld, signal } from '../language/session-world.ts';

const text = 'fn one() {}\n\nfn two(a: int) {\n    print(a)\n}\n';

async function saved(files: Readonly<Record<string, string>> = { 'a.pluto': text }): Promise<SessionWorld> {
  const world = await SessionWorld.of(files);
  await addDeclaration(world.session, { path: 'a.pluto', source: 'fn last() {}', position: 'end' }, signal);
  await world.save();
  return world;
}

const delete_ = async (world: SessionWorld, name: string): Promise<void> => {
  await deleteDeclaration(world.session, await world.idOf(name), signal);
  await world.save();
};

async function remembered(world: SessionWorld, path = 'a.pluto'): Promise<readonly string[]> {
  const read = readContainer(await world.disk.read(path as ProjectPath), hasher);
  assert.ok(read.ok);
  return readTombstones(read.value.optional).map(({ kind, name }) => `${kind} ${name}`);
}

test('restores the id of a deleted declaration when a view brings it back unchanged', async () => {
  const world = await saved();
  const [two, a] = [await world.idOf('two'), await world.idOf('two.a')];
  assert.deepEqual(await remembered(world), []);
  await delete_(world, 'two');
  assert.deepEqual(await remembered(world), ['function two', 'param two.a']);
  const later = await world.again();
  await generateView(later.session, 'a.pluto');
  later.disk.set('a.pt', `${later.disk.text('a.pt') ?? ''}\nfn two(a: int) { print(a) }\n`);
  assert.equal((await syncView(later.session, { path: 'a.pt', overrides: [] }, signal)).status, 'synced');
  assert.deepEqual([await later.idOf('two'), await later.idOf('two.a')], [two, a]);
  assert.deepEqual(await remembered(later), []);
});

test('gives a returning declaration a new id when it has changed', async () => {
  const world = await saved();
  const two = await world.idOf('two');
  await delete_(world, 'two');
  await generateView(world.session, 'a.pluto');
  world.disk.set('a.pt', `${world.disk.text('a.pt') ?? ''}\nfn two(a: int) { print(a + 1) }\n`);
  await syncView(world.session, { path: 'a.pt', overrides: [] }, signal);
  assert.notEqual(await world.idOf('two'), two);
  assert.deepEqual(await remembered(world), ['function two', 'param two.a']);
});

test('leaves no tombstone when a declaration moves to another module', async () => {
  const world = await saved({ 'a.pluto': text, 'b.pluto': 'fn other() {}\n' });
  const two = await world.idOf('two');
  await moveDeclaration(world.session, { id: two, path: 'b.pluto', position: 'end' }, signal);
  await world.save();
  assert.deepEqual(await remembered(world), []);
  assert.equal(await world.idOf('two'), two);
});

test('keeps tombstones through an analysis and other edits', async () => {
  const world = await saved();
  await delete_(world, 'two');
  await analyzeModule(world.session, 'a.pluto', signal);
  await world.save();
  await delete_(world, 'one');
  assert.deepEqual(await remembered(world), ['function two', 'param two.a', 'function one']);
});

test('keeps edits that happen during an analysis', async () => {
  const world = await saved();
  const id = await world.idOf('one');
  const edit = replaceDeclaration(world.session, { id, source: 'fn one() {\n    print(1)\n}' }, signal);
  await Promise.all([analyzeModule(world.session, 'a.pluto', signal), edit]);
  assert.match(await world.text('a.pluto'), /print\(1\)/);
});
