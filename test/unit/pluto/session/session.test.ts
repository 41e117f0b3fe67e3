import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isContainer } from '../../../../src/pluto/language/container/byte-sections.ts';
import { addDeclaration } from '../../../../src/pluto/session/edits/add-declaration.ts';
import { addField, addMethod } from '../../../../src/pluto/session/edits/add-member.ts';
import { createModule } from '../../../../src/pluto/session/edits/create-module.ts';
import { deleteDeclaration } from '../../../../src/pluto/session/edits/delete-declaration.ts';
import { renameDeclaration } from '../../../../src/pluto/session/edits/rename-declaration.ts';
import { replaceDeclaration } from '../../../../src/pluto/session/edits/replace-declaration.ts';
import type { ProjectPath } from '../../../../src/base/brand.ts';
import { CountingSlice } from '../../../harness/counting-slice.ts';
import { ManualClock } from '../../../harness/manual-clock.ts';
import { until } from '../../../harness/until.ts';
import { SessionWorld, signal } from '../language/session-world.ts';

const two = {
  'a.pluto': '// Kept.\npub fn f() int {\n    return 1\n}\n',
  'b.pluto': 'import a\n\nfn g() int {\n    return a.f()\n}\n',
};
const add = (world: SessionWorld, path: string, source: string, position = 'end') =>
  addDeclaration(world.session, { path, source, position }, signal);

test('writes only on save, as a container that another session reads with the same ids', async () => {
  const world = await SessionWorld.of(two);
  const { id } = await add(world, 'a.pluto', 'fn h() {}');
  assert.equal(world.disk.text('a.pluto'), two['a.pluto']);
  assert.deepEqual(world.session.dirty, ['a.pluto']);
  assert.deepEqual(await world.save(), ['a.pluto']);
  assert.equal(isContainer(await world.disk.read('a.pluto' as ProjectPath)), true);
  assert.deepEqual(await world.save(), []);
  const again = await world.again();
  assert.equal(await again.idOf('h'), id);
  assert.equal(await again.text('a.pluto'), `${two['a.pluto']}\nfn h() {}\n`);
});

test('saves the other modules when one has changed on disk', async () => {
  const world = await SessionWorld.of(two);
  await add(world, 'a.pluto', 'fn h() {}');
  await add(world, 'b.pluto', 'fn i() {}');
  world.disk.set('a.pluto', 'fn theirs() {}\n');
  assert.deepEqual(await world.save(), ['a.pluto FILE_CHANGED', 'b.pluto']);
  assert.equal(world.disk.text('a.pluto'), 'fn theirs() {}\n');
  assert.deepEqual(world.session.dirty, ['a.pluto']);
  await world.session.undo(signal).catch(() => undefined);
  assert.match(await world.text('a.pluto'), /fn h/);
});

test('reads the disk again when the edits of a module are undone', async () => {
  const world = await SessionWorld.of(two);
  await add(world, 'a.pluto', 'fn h() {}');
  world.disk.set('a.pluto', 'fn theirs() {}\n');
  await world.session.refresh(signal);
  assert.match(await world.text('a.pluto'), /fn h/);
  await world.session.undo(signal);
  assert.equal(await world.text('a.pluto'), 'fn theirs() {}\n');
});

test('undoes a saved edit, and saves again', async () => {
  const world = await SessionWorld.of(two);
  await world.session.modules(signal);
  const before = await world.ids('a.pluto');
  await add(world, 'a.pluto', 'fn h() {}');
  await world.save();
  assert.equal((await world.session.undo(signal)).label, 'add_declaration');
  assert.deepEqual(await world.save(), ['a.pluto']);
  const again = await world.again();
  assert.equal(await again.text('a.pluto'), two['a.pluto']);
  assert.deepEqual(await again.ids('a.pluto'), before);
  await assert.rejects(world.session.undo(signal), { code: 'PLUTO_NOTHING_TO_UNDO' });
});

test('refuses to undo when the module has changed on disk since the save', async () => {
  const world = await SessionWorld.of(two);
  await add(world, 'a.pluto', 'fn h() {}');
  await world.save();
  world.disk.set('a.pluto', 'fn theirs() {}\n');
  await world.session.refresh(signal);
  await assert.rejects(world.session.undo(signal), { code: 'PLUTO_NOTHING_TO_UNDO' });
  assert.equal(await world.text('a.pluto'), 'fn theirs() {}\n');
});

test('imports a new module at once, and writes it on save', async () => {
  const world = await SessionWorld.of(two);
  await createModule(
    world.session,
    { path: 'deep/er/new.pluto', source: 'pub fn n() int {\n    return 2\n}\n' },
    signal,
  );
  await add(world, 'b.pluto', 'import deep.er.new\n\nfn k() int {\n    return new.n()\n}');
  assert.deepEqual(
    world.session.checker.check().map(({ message }) => message),
    [],
  );
  assert.deepEqual(await world.save(), ['b.pluto', 'deep/er/new.pluto']);
  assert.deepEqual((await world.again()).session.files, ['a.pluto', 'b.pluto', 'deep/er/new.pluto']);
  const make = (path: string) => createModule(world.session, { path, source: '' }, signal);
  await assert.rejects(make('a.pluto'), { code: 'PLUTO_MODULE_EXISTS' });
  for (const path of ['../x.pluto', 'x.txt', '.hidden/x.pluto', 'not-a-name.pluto', '/x.pluto'])
    await assert.rejects(make(path), { code: 'PLUTO_PATH_INVALID' }, path);
});

test('removes a new module when its creation is undone', async () => {
  const world = await SessionWorld.of(two);
  await createModule(world.session, { path: 'c.pluto', source: '' }, signal);
  await world.session.undo(signal);
  assert.deepEqual(world.session.files, ['a.pluto', 'b.pluto']);
  assert.deepEqual(world.session.dirty, []);
});

test('refuses an invalid edit with its position, and changes nothing', async () => {
  const world = await SessionWorld.of({ 'a.pluto': 'class C {\n    x: int\n}\n\nfn f() {}\n\nerror E {}\n' });
  const [c, f, e] = [await world.idOf('C'), await world.idOf('f'), await world.idOf('E')];
  const field = (ownerId: string, type: string) =>
    addField(world.session, { ownerId, name: 'y', type, isInjected: false }, signal);
  await assert.rejects(add(world, 'a.pluto', 'fn h( {}'), { code: 'PLUTO_SOURCE_INVALID' });
  await assert.rejects(add(world, 'a.pluto', 'fn h() {}\nfn i() {}'), { code: 'PLUTO_SOURCE_INVALID' });
  await assert.rejects(add(world, 'a.pluto', ''), { code: 'PLUTO_SOURCE_INVALID' });
  await assert.rejects(add(world, 'a.pluto', 'fn h() {}', `after:${await world.idOf('C.x')}`), {
    code: 'PLUTO_EDIT_REFUSED',
  });
  await assert.rejects(add(world, 'none.pluto', 'fn h() {}'), { code: 'PLUTO_MODULE_NOT_FOUND' });
  await assert.rejects(field(c, 'int) {} fn x('), { code: 'PLUTO_SOURCE_INVALID' });
  await assert.rejects(field(f, 'int'), { code: 'PLUTO_EDIT_REFUSED' });
  await assert.rejects(replaceDeclaration(world.session, { id: f, source: 'class D {}' }, signal), {
    code: 'PLUTO_EDIT_REFUSED',
  });
  const breakOut = { ownerId: c, source: 'fn m(self) {}\n}\nfn evil() {}\nclass D {', position: 'end' };
  await assert.rejects(addMethod(world.session, breakOut, signal), { code: 'PLUTO_SOURCE_INVALID' });
  await assert.rejects(renameDeclaration(world.session, { id: f, newName: 'C' }, signal), {
    code: 'PLUTO_NAME_CONFLICT',
  });
  await assert.rejects(renameDeclaration(world.session, { id: f, newName: 'fn' }, signal), { code: 'INVALID_INPUT' });
  await assert.rejects(deleteDeclaration(world.session, '00000000-0000-4000-8000-000000000000', signal), {
    code: 'PLUTO_UNKNOWN_ID',
  });
  assert.deepEqual([world.session.dirty, world.session.undoDepth], [[], 0]);
  await field(e, 'string');
  assert.match(await world.text('a.pluto'), /error E \{ y: string \}/);
});

test('lists dangling references of a deleted declaration and of its members', async () => {
  const world = await SessionWorld.of({
    'a.pluto': 'pub class C {\n    x: int\n}\n',
    'b.pluto': 'import a\n\nfn g(c: a.C) int {\n    return c.x\n}\n',
  });
  const { name, dangling } = await deleteDeclaration(world.session, await world.idOf('C'), signal);
  assert.equal(name, 'C');
  assert.deepEqual(
    dangling.map(site => [site.module, site.from?.name, site.kind]),
    [
      ['b.pluto', 'g', 'type_ref'],
      ['b.pluto', 'g', 'field'],
    ],
  );
  assert.equal(await world.text('a.pluto'), '');
});

test('refuses every change when the session is read-only', async () => {
  const world = await SessionWorld.of(two, { isReadOnly: true });
  await assert.rejects(add(world, 'a.pluto', 'fn h() {}'), { code: 'PLUTO_READ_ONLY' });
  await assert.rejects(world.session.save(signal), { code: 'PLUTO_READ_ONLY' });
});

test('keeps a damaged container, and reports the reason', async () => {
  const world = await SessionWorld.of(two);
  await add(world, 'a.pluto', 'fn h() {}');
  await world.save();
  const bytes = (await world.disk.read('a.pluto' as ProjectPath)).slice(0, -1);
  world.disk.set('a.pluto', bytes);
  const again = await world.again();
  await assert.rejects(again.session.module('a.pluto'), { code: 'PLUTO_MODULE_UNREADABLE' });
  await assert.rejects(add(again, 'a.pluto', 'fn i() {}'), { code: 'PLUTO_MODULE_UNREADABLE' });
  assert.deepEqual(await world.disk.read('a.pluto' as ProjectPath), bytes);
});

test('reports changes on disk once after a pause', async () => {
  const world = await SessionWorld.of(two);
  const clock = new ManualClock();
  await world.session.modules(signal);
  world.session.watch(world.disk, clock, error => assert.fail(String(error)));
  const changes: string[] = [];
  world.session.onDidChange(({ cause, modules }) => changes.push(`${cause} ${modules.join(' ')}`));
  world.disk.set('a.pluto', 'fn theirs() {}\n');
  world.disk.set('c.pluto', 'fn new() {}\n');
  clock.advance(149);
  assert.deepEqual(changes, []);
  clock.advance(1);
  await until(() => changes.length > 0);
  assert.deepEqual(changes, ['disk c.pluto a.pluto']);
  assert.equal(await world.text('a.pluto'), 'fn theirs() {}\n');
  world.session[Symbol.dispose]();
});

test('checks in slices, yields in between, and checks only changes again', async () => {
  const slice = new CountingSlice();
  const world = await SessionWorld.of(two, { slice });
  await world.session.modules(signal);
  const first = slice.turns;
  assert.ok(first > 2, `${first} turns`);
  await world.session.modules(signal);
  assert.equal(slice.turns, first, 'nothing is left to do');
  await add(world, 'a.pluto', 'fn h() {}');
  await world.session.modules(signal);
  assert.ok(slice.turns - first < first, `${slice.turns - first} turns after an edit, ${first} at first`);
});

test('lists each dangling reference once, with the code around it', async () => {
  const world = await SessionWorld.of({
    'a.pluto': 'pub enum Shape {\n    Dot\n    Circle { r: float }\n}\n',
    'b.pluto': `import a
fn f(s: a.Shape) float {
    match s {
        a.Shape.Dot { return 0.0 }
        a.Shape.Circle { r: radius } { return radius }
    }
}
fn main() { print(f(a.Shape.Circle { r: 1.0 })) }
`,
  });
  const { dangling } = await deleteDeclaration(world.session, await world.idOf('Shape'), signal);
  assert.deepEqual(
    dangling.map(({ snippet }) => snippet),
    ['a.Shape', 'a.Shape.Dot', 'a.Shape.Circle { r: radius }', 'a.Shape.Circle { r: 1.0 }'],
  );
});

test('lists dangling references with their positions after the deletion', async () => {
  const world = await SessionWorld.of({
    'a.pluto': 'fn f() int { return g() }\n\nfn g() int {\n    return 1\n}\n\nfn h() int { return g() }\n',
  });
  const { dangling } = await deleteDeclaration(world.session, await world.idOf('g'), signal);
  const text = await world.text('a.pluto');
  assert.deepEqual(
    dangling.map(({ line, span }) => [line, text.slice(span.start, span.end)]),
    [
      [1, 'g()'],
      [3, 'g()'],
    ],
  );
});
