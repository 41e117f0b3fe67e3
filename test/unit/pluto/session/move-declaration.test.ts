import assert from 'node:assert/strict';
import { test } from 'node:test';
import { moveDeclaration } from '../../../../src/pluto/session/edits/move-declaration.ts';
import { SessionWorld, signal } from '../language/session-world.ts';

const files = {
  'main.pluto': 'import geo.points\n\nfn main() {\n    print(points.norm(points.Point { x: 3 }))\n}\n',
  'geo/points.pluto':
    '// A point.\npub class Point {\n    x: int\n}\n\n// Its size.\npub fn norm(p: Point) int {\n    return half(p.x) * 2\n}\n\npub fn half(n: int) int {\n    return n / 2\n}\n',
  'geo/deep/tools.pluto': 'pub fn other() {}\n',
  'geo/sizes.pluto': 'import points\n\nfn size(p: points.Point) int {\n    return points.norm(p)\n}\n',
};

const errors = (world: SessionWorld): readonly string[] =>
  world.session.checker
    .check()
    .flatMap(({ severity, message, file }) => (severity === 'error' ? [`${file}: ${message}`] : []));

test('moves a declaration with its comments and ids, and updates its references', async () => {
  const world = await SessionWorld.of(files);
  await world.session.modules(signal);
  assert.deepEqual(errors(world), []);
  const [id, param] = [await world.idOf('half'), await world.idOf('half.n')];
  const { modules, references } = await moveDeclaration(
    world.session,
    { id, path: 'geo/deep/tools.pluto', position: 'end' },
    signal,
  );
  assert.deepEqual([modules.toSorted(), references], [['geo/deep/tools.pluto', 'geo/points.pluto'], 1]);
  assert.deepEqual(errors(world), []);
  assert.equal(
    await world.text('geo/deep/tools.pluto'),
    'pub fn other() {}\n\npub fn half(n: int) int {\n    return n / 2\n}\n',
  );
  assert.match(
    await world.text('geo/points.pluto'),
    /^import deep\.tools\n\n\/\/ A point\.[^]*return tools\.half\(p\.x\) \* 2/,
  );
  assert.deepEqual([await world.idOf('half'), await world.idOf('half.n')], [id, param]);
  await world.session.undo(signal);
  for (const [path, text] of Object.entries(files)) assert.equal(await world.text(path), text);
});

test('refuses to move a declaration when a reference would break', async () => {
  const world = await SessionWorld.of(files);
  const move = async (name: string, path: string) =>
    moveDeclaration(world.session, { id: await world.idOf(name), path, position: 'end' }, signal);
  await assert.rejects(move('norm', 'geo/deep/tools.pluto'), { code: 'PLUTO_EDIT_REFUSED' });
  await assert.rejects(move('Point.x', 'main.pluto'), { code: 'PLUTO_EDIT_REFUSED' });
  await assert.rejects(move('half', 'geo/points.pluto'), { code: 'PLUTO_EDIT_REFUSED' });
  await assert.rejects(move('half', 'main.pluto'), { code: 'PLUTO_EDIT_REFUSED' });
  assert.deepEqual(world.session.dirty, []);
});
