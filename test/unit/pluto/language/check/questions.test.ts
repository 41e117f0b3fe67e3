import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProjectPath } from '../../../../../src/base/brand.ts';
import { applyEdits } from '../../../../../src/pluto/language/edit/text-edit.ts';
import { CheckWorld } from '../check-world.ts';

test('finds uses of methods and fields by object type, across modules', async () => {
  const world = await CheckWorld.of({
    'geo.pt': `pub class Point {
    x: int
    fn scale(mut self, by: int) { self.x = self.x * by }
}
pub class Other {
    x: int
    fn scale(self) {}
}
pub fn origin() Point { return Point { x: 0 } }
`,
    'main.pt': `import geo
class Holder { points: [geo.Point], other: geo.Other }
fn main() {
    let mut p = geo.origin()
    p.scale(2)
    p.x += 1
    let h = Holder { points: [p], other: geo.Other { x: 1 } }
    for q in h.points { q.scale(q.x) }
    h.points[0].scale(3)
    h.other.scale()
    let grow = (one: geo.Point) => one.x
    print(grow(p))
}
`,
  });
  assert.deepEqual(world.findings(), []);
  assert.deepEqual(world.usesOf('Point.scale'), [
    'main.pt:call:p.scale(2)',
    'main.pt:call:q.scale(q.x)',
    'main.pt:call:h.points[0].scale(3)',
  ]);
  assert.deepEqual(world.usesOf('Point.x'), [
    'geo.pt:field:self.x',
    'geo.pt:field:self.x',
    'geo.pt:field:x: 0',
    'main.pt:field:p.x',
    'main.pt:field:q.x',
    'main.pt:field:one.x',
  ]);
  assert.deepEqual(world.usesOf('Other.scale'), ['main.pt:call:h.other.scale()']);
  assert.deepEqual(world.usesOf('Holder.points'), [
    'main.pt:field:points: [p]',
    'main.pt:field:h.points',
    'main.pt:field:h.points',
  ]);
  assert.deepEqual(world.usesOf('origin'), ['main.pt:call:geo.origin()']);
});

test('finds uses in generic bodies and default methods once', async () => {
  const world = await CheckWorld.of({
    'main.pt': `trait Named {
    fn name(self) string
    fn loud(self) string { return self.name().to_upper() }
}
class Dog impl Named {
    title: string
    fn name(self) string { return self.title }
}
class Cat impl Named { fn name(self) string { return "cat" } }
class Box<T> {
    value: T
    fn get(self) T { return self.value }
}
fn show<N: Named>(n: N) string { return n.name() }
fn main() {
    let b = Box<Dog> { value: Dog { title: "rex" } }
    print(b.get().loud() + show(Cat {}) + show(b.get()))
}
`,
  });
  assert.deepEqual(world.findings(), []);
  assert.deepEqual(world.usesOf('Box.get'), ['main.pt:call:b.get()', 'main.pt:call:b.get()']);
  assert.deepEqual(world.usesOf('Box.value'), [
    'main.pt:field:self.value',
    'main.pt:field:value: Dog { title: "rex" }',
  ]);
  assert.deepEqual(world.usesOf('Named.loud'), ['main.pt:call:b.get().loud()']);
  const family = world.checker.overrideFamilyOf(world.idOf('Dog.name'));
  assert.deepEqual(new Set(family), new Set(['Named.name', 'Dog.name', 'Cat.name'].map(name => world.idOf(name))));
  const calls = family.flatMap(id => world.checker.usesOf(id)).map(({ use }) => use.site.start);
  assert.equal(new Set(calls).size, 2, 'self.name() and n.name()');
  assert.deepEqual(
    world.checker.implementationsOf(world.idOf('Named')),
    ['Dog', 'Cat'].map(name => world.idOf(name)),
  );
});

test('groups methods of stages with the methods that they override', async () => {
  const world = await CheckWorld.of({
    'main.pt': `stage Base {
    requires fn port(self) int
    fn main(self) { print(self.port()) }
}
stage Web : Base {
    override fn port(self) int { return 80 }
}
`,
  });
  assert.deepEqual(
    new Set(world.checker.overrideFamilyOf(world.idOf('Base.port'))),
    new Set([world.idOf('Base.port'), world.idOf('Web.port')]),
  );
});

test('computes error sets of all callables', async () => {
  const world = await CheckWorld.of({
    'main.pt': `error A {}
error B {}
class Source {
    fn read(self) int { raise A {} }
}
trait Reader { fn next(self) int }
class One impl Reader { fn next(self) int { raise B {} } }
fn both(s: Source, r: Reader) int { return s.read()! + r.next()! }
fn calm(s: Source) int { return s.read() catch 0 }
fn generic<R: Reader>(r: R) int { return r.next()! }
fn closure(s: Source) int {
    let f = () => s.read()!
    return f()
}
fn task(s: Source) int {
    let t = spawn s.read()
    return t.get()!
}
fn host() int { return pow(2, 3)! }
test "reads" { print(generic(One {})!) }
app Main[source: Source] {
    fn main(self) { print(self.source.read()!) }
}
`,
  });
  const errors = Object.fromEntries(
    [
      'both',
      'calm',
      'generic',
      'closure',
      'task',
      'host',
      'reads',
      'Main',
      'Source.read',
      'Reader.next',
      'One',
      'A',
    ].map(name => [name, world.errorsOf(name)]),
  );
  assert.deepEqual(errors, {
    both: ['A', 'B'],
    calm: [],
    generic: ['B'],
    closure: ['A'],
    task: ['A'],
    host: ['MathError'],
    reads: ['B'],
    Main: ['A'],
    'Source.read': ['A'],
    'Reader.next': ['B'],
    One: undefined,
    A: undefined,
  });
});

test('returns the type at a position', async () => {
  const world = await CheckWorld.of({
    'main.pt': `class Point { x: float, tags: Map<string, [int]> }
enum Option<T> { Some { value: T } None }
fn make(n: int) Point? { return none }
fn main() int? {
    let p = make(3)?
    let first = p.tags["a"]
    let f = (a: int, b: string) => first.len() + a
    let o = Option<int>.Some { value: f(1, "b") }
    match o { Option.Some { value } { print(value) } Option.None {} }
    for item in first { print(item) }
    return 1
}
`,
  });
  assert.deepEqual(world.findings(), []);
  const at = (marked: string) => world.typeAt('main.pt', marked);
  assert.equal(at('p^.tags'), 'Point');
  assert.equal(at('.ta^gs'), 'Map<string, [int]>');
  assert.equal(at('let ^first'), '[int]');
  assert.equal(at('let ^f '), 'fn(int, string) int');
  assert.equal(at('let ^o'), 'Option<int>');
  assert.equal(at('print(v^alue'), 'int');
  assert.equal(at('ma^ke(3)'), 'Point?');
  assert.equal(at('for i^tem'), 'int');
  assert.equal(at('^n: int'), 'int');
  assert.equal(at('fn m^ake'), 'Point?');
  assert.equal(at('t^ags: Map'), 'Map<string, [int]>');
  assert.equal(at('^{ Some'), undefined);
  assert.equal(world.checker.typeOf(world.idOf('Point.tags')), 'Map<string, [int]>');
  assert.equal(world.checker.typeOf(world.idOf('make.n')), 'int');
  assert.equal(world.checker.typeOf(world.idOf('make')), 'Point?');
});

test('updates uses after edits', async () => {
  const world = await CheckWorld.of({
    'a.pt': 'pub class P { x: int }\n',
    'b.pt': 'import a\nfn f(p: a.P) int { return p.x }\n',
  });
  assert.deepEqual(world.usesOf('P.x'), ['b.pt:field:p.x']);
  await world.write({
    'b.pt': '// moved\nimport a\nfn g(p: a.P) int { return 1 + p.x }\nfn h(p: a.P) { print(p.x) }\n',
  });
  assert.deepEqual(world.usesOf('P.x'), ['b.pt:field:p.x', 'b.pt:field:p.x']);
  await world.write({ 'b.pt': undefined });
  assert.deepEqual(world.usesOf('P.x'), []);
});

/** A project after a rename that adds no findings. */
async function renamed(files: Readonly<Record<string, string>>, wanted: string, name: string): Promise<CheckWorld> {
  const world = await CheckWorld.of(files);
  assert.deepEqual(world.findings(), []);
  const edits = world.checker.renameEdits(world.idOf(wanted), name);
  await world.write(
    Object.fromEntries(Array.from(edits, ([path, list]) => [path, applyEdits(world.textOf(path), list)])),
  );
  assert.deepEqual(world.findings(), []);
  return world;
}

test('renames in other modules, patterns, traits, and variables named after a class', async () => {
  const files = {
    'geo.pt': 'pub enum Shape { Dot Circle { r: float } }\npub trait Area { fn area(self) float }\n',
    'main.pt': `import geo
class Logger { fn log(self, s: string) { print(s) } }
class Flat uses Logger {
    fn go(self) { logger.log("x") }
}
class Square {
    side: float
    fn area(self) float { return self.side }
}
fn size(s: geo.Shape) float {
    match s { geo.Shape.Dot { return 0.0 } geo.Shape.Circle { r } { return r } }
}
app Main[square: Square] {
    ambient Logger
    fn main(self) {
        logger.log(f"{size(geo.Shape.Circle { r: 1.0 })} {self.square.area()}")
    }
}
`,
  };
  const circle = await renamed(files, 'Shape.Circle.r', 'radius');
  assert.match(circle.textOf('main.pt'), /Circle \{ radius: r \} \{ return r \}/);
  assert.match(circle.textOf('main.pt'), /Circle \{ radius: 1\.0 \}/);
  const logger = await renamed(files, 'Logger', 'AuditLog');
  assert.match(logger.textOf('main.pt'), /class Flat uses AuditLog \{\n {4}fn go\(self\) \{ auditLog\.log\("x"\) \}/);
  assert.match(logger.textOf('main.pt'), /ambient AuditLog\n {4}fn main\(self\) \{\n {8}auditLog\.log/);
  const square = await renamed(files, 'Square.area', 'size_of');
  assert.match(square.textOf('main.pt'), /self\.square\.size_of\(\)/);
});

test('restores the text when an item is renamed and renamed back', async () => {
  const files = {
    'a.pt': 'pub class P { x: int\n    fn m(self) int { return self.x } }\n',
    'b.pt': 'import a\nfn f(p: a.P) int { return p.m() + p.x }\n',
  };
  for (const [wanted, other] of [
    ['P', 'Q'],
    ['P.m', 'P.n'],
    ['P.x', 'P.y'],
  ] as const) {
    const name = other.split('.').at(-1) ?? '';
    const world = await renamed(files, wanted, name);
    assert.notEqual(world.textOf('b.pt'), files['b.pt']);
    const back = world.checker.renameEdits(world.idOf(other), wanted.split('.').at(-1) ?? '');
    for (const [path, list] of back) assert.equal(applyEdits(world.textOf(path), list), files[path as 'a.pt']);
  }
});

test('expands and shortens shorthand patterns only as a rename requires', async () => {
  const text = `enum Box { Sized { size: int, name: string } }
fn f(box: Box) int {
    match box { Box.Sized { size, name: label } { return size + label.len() } }
}
fn g(box: Box) int {
    return match box { Box.Sized { size:  width, name } => width + name.len() }
}
fn main() { print(f(Box.Sized { size: 1, name: "a" }) + g(Box.Sized { size: 2, name: "b" })) }
`;
  const wide = await renamed({ 'main.pt': text }, 'Box.Sized.size', 'width');
  assert.match(wide.textOf('main.pt'), /Sized \{ width: size, name: label \}/);
  assert.match(wide.textOf('main.pt'), /Sized \{ width:  width, name \}/);
  const label = await renamed({ 'main.pt': text }, 'Box.Sized.name', 'label');
  assert.match(label.textOf('main.pt'), /Sized \{ size, label \} \{ return size \+ label\.len/);
  assert.match(label.textOf('main.pt'), /Sized \{ size:  width, label: name \}/);
});

test('finds all occurrences of a variable', async () => {
  const text = `fn f(limit: int) int {
    let mut total = limit
    for step in 0..limit { total += step }
    let add = (second: int) => total + second
    return add(total)
}
`;
  const world = await CheckWorld.of({ 'main.pt': text });
  const at = (marked: string): readonly string[] => {
    const offset = text.indexOf(marked.replace('^', '')) + marked.indexOf('^');
    return world.checker
      .variableAt('main.pt' as ProjectPath, offset)
      .map(({ start, end }) => `${start}:${text.slice(start, end)}`);
  };
  assert.equal(at('0..l^imit').length, 3);
  assert.equal(at('(l^imit: int) int').length, 3);
  assert.equal(at('t^otal += ').length, 4);
  assert.equal(at('return a^dd').length, 2);
  assert.deepEqual(at('^fn f'), []);
});

test('names a required method once when a stage and its parent both require it', async () => {
  const world = await CheckWorld.of({
    'main.pt': `stage Base {
    requires fn port(self) int
    fn main(self) {}
}
stage Web : Base {
    requires fn port(self) int
}
`,
  });
  assert.deepEqual(
    world.checker.check().map(({ message }) => message),
    ["stage 'Web' has unimplemented required methods: port"],
  );
});
