import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProjectPath } from '../../../../../src/base/brand.ts';
import { eachItem, nameOfItem } from '../../../../../src/pluto/language/syntax/parts.ts';
import { CheckWorld } from '../check-world.ts';

/** `file:kind:site in from` for each use. */
function usesOf(world: CheckWorld, wanted: string): readonly string[] {
  const names = new Map<string | undefined, string>();
  for (const state of world.project.loaded)
    if (state.kind === 'loaded') eachItem(state.module.tree.items, item => names.set(item.id, nameOfItem(item)));
  return world.checker.usesOf(world.idOf(wanted)).map(({ file, use }) => {
    const text = world.textOf(file);
    assert.equal(text.slice(use.name.start, use.name.end), wanted.split('.').at(-1));
    return `${file}:${use.kind}:${text.slice(use.site.start, use.site.end).replaceAll(/\s+/g, ' ')} in ${names.get(use.from)}`;
  });
}

const files = {
  'geo/shapes.pt': `pub class Point impl Show {
    x: int
    y: int

    fn show(self) string { return "p" }
}
pub trait Show { fn show(self) string }
pub enum Shape { Dot Circle { radius: int, at: Point? } }
pub error Flat { at: Point }
pub fn origin() Point { return Point { x: 0, y: 0 } }
`,
  'main.pt': `import geo as g
fn area(shape: g.Shape) int {
    match shape {
        g.Shape.Dot { return 0 }
        g.Shape.Circle { radius: r, at } { return r * r }
    }
}
fn main() {
    let p = g.origin()
    let q: g.Point? = g.Point { x: p.x, y: 1 }
    let s = g.Shape.Circle { radius: 2, at: q }
    let d = g.Shape.Dot
    let n = area(s) catch e: g.Flat { 0 }
    each([p], (area: fn(int) int) => area(1))
    if n > 1 { raise g.Flat { at: p } }
    p.show()
}
`,
  'other.pt': 'fn helper() { print(area(none)) }\n',
};

test('finds calls across modules, files and closures, but not variables of the same name', async () => {
  const world = await CheckWorld.of(files);
  assert.deepEqual(usesOf(world, 'origin'), ['main.pt:call:g.origin() in main']);
  assert.deepEqual(usesOf(world, 'area'), ['main.pt:call:area(s) in main', 'other.pt:call:area(none) in helper']);
});

test('finds uses of types, literals, variants, errors, fields and methods', async () => {
  const world = await CheckWorld.of(files);
  assert.deepEqual(usesOf(world, 'Point'), [
    'geo/shapes.pt:type_ref:Point in Shape',
    'geo/shapes.pt:type_ref:Point in Flat',
    'geo/shapes.pt:type_ref:Point in origin',
    'geo/shapes.pt:construct:Point { x: 0, y: 0 } in origin',
    'main.pt:type_ref:g.Point in main',
    'main.pt:construct:g.Point { x: p.x, y: 1 } in main',
  ]);
  assert.deepEqual(usesOf(world, 'Shape.Circle'), [
    'main.pt:enum_variant:g.Shape.Circle { radius: r, at } in area',
    'main.pt:enum_variant:g.Shape.Circle { radius: 2, at: q } in main',
  ]);
  assert.deepEqual(usesOf(world, 'Flat'), [
    'main.pt:catch:catch e: g.Flat { 0 } in main',
    'main.pt:raise:raise g.Flat { at: p } in main',
  ]);
  assert.deepEqual(usesOf(world, 'Point.show'), ['main.pt:call:p.show() in main']);
  assert.deepEqual(usesOf(world, 'Show'), ['geo/shapes.pt:impl:Show in Point']);
  assert.deepEqual(usesOf(world, 'Shape.Circle.radius'), [
    'main.pt:binding:radius: r in area',
    'main.pt:field:radius: 2 in main',
  ]);
  assert.deepEqual(usesOf(world, 'Point.x'), [
    'geo/shapes.pt:field:x: 0 in origin',
    'main.pt:field:x: p.x in main',
    'main.pt:field:p.x in main',
  ]);
});

test('finds classes, traits and stages in every position that can name them', async () => {
  const world = await CheckWorld.of({
    'a.pt': `class Log {}
trait Show {}
class Both<T: Show> uses Log [dep: Log, far: remote Log] impl Show { list: [Map<string, Log>] }
app Shop[log: Log] {
    ambient Log
    scoped Log
    fn main(self) { scope(Log {}) |l: Log| { let x = l as Log } }
}
fn f<T: Show>(a: fn(Log) Log?, b: stream Log) Box<Log> {
    let (tx, rx) = chan<Log>()
    let m = Map<string, Log> {}
    let s = Show::make<Log>()
}
`,
    'b/b.pt': 'stage Base {}\nstage Child : Base {}\n',
  });
  assert.equal(usesOf(world, 'Log').length, 17);
  assert.deepEqual(
    usesOf(world, 'Show')
      .map(use => use.split(':')[1])
      .toSorted((a, b) => ((a ?? '') < (b ?? '') ? -1 : 1)),
    ['impl', 'type_ref', 'type_ref', 'type_ref'],
  );
  assert.deepEqual(usesOf(world, 'Base'), ['b/b.pt:type_ref:Base in Child']);
});

test('walks only files again whose text or visible names changed', async () => {
  const world = await CheckWorld.of(files);
  const usesIn = (file: string) => world.checker.usesIn(file as ProjectPath);
  const main = usesIn('main.pt');
  await world.write({ 'geo/shapes.pt': files['geo/shapes.pt'].replace('x: 0', 'x: 7') });
  assert.equal(usesIn('main.pt'), main);
  await world.write({ 'geo/shapes.pt': files['geo/shapes.pt'].replace('fn origin', 'fn start') });
  assert.notEqual(usesIn('main.pt'), main);
  assert.deepEqual(usesOf(world, 'start'), []);
  await world.write({ 'main.pt': undefined });
  assert.deepEqual(usesIn('main.pt'), []);
});
