import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ProjectPath } from '../../../../../src/base/brand.ts';
import { runToEnd } from '../../../../../src/base/time-slice.ts';
import { CheckWorld } from '../check-world.ts';
import { checkedPrograms } from '../check-programs.ts';

/** Compares a checker that saw every state with one that sees only the last state. */
async function sameAsFresh(world: CheckWorld, files: Readonly<Record<string, string>>, why: string): Promise<void> {
  const fresh = await CheckWorld.of(files);
  const said = (one: CheckWorld) =>
    one.checker.check().map(found => `${one.placeOf(found)}: ${found.code}: ${found.message}`);
  assert.deepEqual(said(world), said(fresh), why);
  assert.deepEqual(usesIn(world), usesIn(fresh), why);
}

/** All uses without ids, because edited text and new text have different ids. */
const usesIn = (world: CheckWorld) =>
  world.project.loaded.map(({ path }) =>
    world.checker.usesIn(path).map(({ kind, name }) => `${path} ${kind} ${name.start}`),
  );

test('updates callers in other files when a function starts and stops raising an error', async () => {
  const lib = (body: string): string => `pub error Bad {}\npub fn load(n: int) int {\n${body}\n    return n\n}\n`;
  const world = await CheckWorld.of({
    'lib.pt': lib(''),
    'mid.pt': 'import lib\npub fn twice(n: int) int { return lib.load(n) * 2 }\n',
    'main.pt': 'import mid\nfn main() { print(mid.twice(1)) }\n',
  });
  assert.deepEqual(world.findings(), []);
  await world.write({ 'lib.pt': lib('    if n > 1 { raise Bad {} }') });
  assert.deepEqual(world.findings(), ['mid.pt:2:35: error-unhandled']);
  await world.write({ 'mid.pt': 'import lib\npub fn twice(n: int) int { return lib.load(n)! * 2 }\n' });
  assert.deepEqual(world.findings(), ['main.pt:2:19: error-unhandled']);
  assert.deepEqual(world.errorsOf('main'), []);
  await world.write({ 'lib.pt': lib('') });
  assert.deepEqual(world.findings(), ['mid.pt:2:35: propagate-infallible']);
});

test('checks the uses of a changed signature again', async () => {
  const world = await CheckWorld.of({
    'lib.pt': 'pub fn f(n: int) int { return n }\n',
    'main.pt': 'import lib\nfn main() { print(lib.f(1)) }\n',
  });
  assert.deepEqual(world.findings(), []);
  await world.write({ 'lib.pt': 'pub fn f(n: string) int { return n.len() }\n' });
  assert.deepEqual(world.findings(), ['main.pt:2:25: argument-type']);
  await world.write({ 'lib.pt': undefined });
  assert.deepEqual(world.findings(), ['main.pt:1:1: module-not-found']);
  await world.write({ 'lib.pt': 'pub fn g() {}\n' });
  assert.deepEqual(world.findings(), ['main.pt:2:23: function-undefined']);
});

test('checks the uses of a function again whose result becomes or stops being broken', async () => {
  const functions = ['}\n', '    let c = 1\n}\n'].map(rest => `fn g() {}\nfn f()\n${rest}`);
  const externs = ['extern fn f()', 'extern fn f() 5'];
  const methods = ['}\n', '    let c = 1\n}\n'].map(rest => `class A { fn g(self) {}\nfn get(self)\n${rest}}\n`);
  for (const [texts, use] of [
    [functions, 'f()'],
    [externs, 'f()'],
    [methods, 'A {}.get()'],
  ] as const)
    for (const before of texts)
      for (const after of texts) {
        const files = { 'lib.pt': `fn main() { let a = [${use}, 1] }\n`, 'main.pt': before };
        const world = await CheckWorld.of(files);
        world.findings();
        await world.write({ 'main.pt': after });
        await sameAsFresh(world, { ...files, 'main.pt': after }, `${before} becomes ${after}`);
      }
});

test('finds a missing name when a file of the folder declares it', async () => {
  const world = await CheckWorld.of({ 'main.pt': 'fn main() { print(helper()) }\n' });
  assert.deepEqual(world.findings(), ['main.pt:1:19: function-undefined']);
  await world.write({ 'helper.pt': 'fn helper() int { return 1 }\n' });
  assert.deepEqual(world.findings(), []);
});

test('stops comparing names with other files when a file becomes a separate program', async () => {
  const world = await CheckWorld.of({
    'main.pt': 'fn main() {\n    let total = 1\n    print(total)\n}\n',
    'part.pt': 'fn total() {}\n',
  });
  assert.deepEqual(world.findings(), ['main.pt:2:9: variable-like-declaration']);
  await world.write({ 'part.pt': 'fn total() {}\nfn main() {}\n' });
  assert.deepEqual(world.findings(), []);
  await world.write({ 'part.pt': 'fn total() {}\n' });
  assert.deepEqual(world.findings(), ['main.pt:2:9: variable-like-declaration']);
});

test('updates the positions of findings when code moves', async () => {
  const world = await CheckWorld.of({ 'main.pt': 'fn main() { print(nope) }\n' });
  await world.write({ 'main.pt': '// one\n\n// two\nfn other() {}\nfn main() { print(nope) }\n' });
  assert.deepEqual(world.findings(), ['main.pt:5:19: variable-undefined']);
});

test('gives the same findings for programs in sequence as for each alone', async () => {
  const programs = checkedPrograms().filter(({ files }) => !('pluto.toml' in files));
  const world = await CheckWorld.of({});
  let before: Readonly<Record<string, string>> = {};
  for (const { name, files } of programs) {
    const removed = Object.keys(before).filter(path => !(path in files));
    await world.write({ ...Object.fromEntries(removed.map(path => [path, undefined])), ...files });
    await sameAsFresh(world, files, name);
    before = files;
  }
});

test('matches a fresh check when each declaration is deleted and restored', async () => {
  for (const { name, files } of checkedPrograms().filter((_, index) => index % 5 === 0)) {
    const world = await CheckWorld.of(files);
    world.checker.check();
    for (const [path, text] of Object.entries(files)) {
      if (!path.endsWith('.pt')) continue;
      for (const part of text.split(/\n(?=\S)/)) {
        const without = { ...files, [path]: text.replace(part, '') };
        await world.write({ [path]: without[path] });
        await sameAsFresh(world, without, `${name}: without ${part}`);
        await world.write({ [path]: text });
        await sameAsFresh(world, files, `${name}: with ${part} again`);
      }
    }
  }
});

test('gives the same results in slices, even if the program changes between them', async () => {
  const lib = (result: string): string => `pub fn f() ${result} { return ${result === 'int' ? '1' : '"a"'} }\n`;
  const files = { 'lib.pt': lib('int'), 'main.pt': 'import lib\nfn main() { print(lib.f() + 1) }\n' };
  const world = await CheckWorld.of(files);
  let pieces = 0;
  for (const _ of world.checker.steps()) pieces += 1;
  assert.ok(pieces > 3);
  assert.deepEqual(world.findings(), []);
  for (let stop = 1; stop < 8; stop += 1) {
    await world.write({ 'lib.pt': lib('string'), 'other.pt': `fn g${stop}() {}\n` });
    const steps = world.checker.steps()[Symbol.iterator]();
    for (let piece = 0; piece < stop; piece += 1) steps.next();
    await world.write({ 'lib.pt': lib('int') });
    for (let piece = 0; piece < stop; piece += 1) steps.next();
    assert.deepEqual(world.findings(), []);
    await world.write({ 'lib.pt': lib('string') });
    assert.deepEqual(world.findings(), ['main.pt:2:19: arithmetic-type']);
    await world.write({ 'lib.pt': lib('int') });
  }
});

test('builds the same indexes in slices as a fresh check, despite queries and edits in between', async () => {
  const filesFor = (turn: number): Readonly<Record<string, string>> => ({
    'lib.pt': `pub class Box { a: int\n b: int }\n${'\n'.repeat(turn % 3)}pub fn f(n: int) Box { return Box { a: n, b: 1 } }\n`,
    'main.pt': `import lib\nfn main() { print(lib.f(${turn}).${turn % 2 === 0 ? 'a' : 'b'}) }\n`,
  });
  const uses = (one: CheckWorld) => [
    ...one.checker.usesIn('main.pt' as ProjectPath),
    ...['Box.a', 'Box.b', 'f'].map(name => one.checker.usesOf(one.idOf(name, 'lib.pt'))),
  ];
  const world = await CheckWorld.of(filesFor(0));
  for (let turn = 1; turn < 24; turn += 1) {
    const [first, second] = [world.checker.steps(), world.checker.steps()];
    for (let piece = 0; piece < turn; piece += 1) first.next();
    await world.write(filesFor(turn));
    second.next();
    for (let piece = 0; piece < turn; piece += 1) first.next();
    runToEnd(second);
    assert.deepEqual(uses(world), uses(await CheckWorld.of(filesFor(turn))));
  }
});

test('leaves no work for the first query of uses when all slices are done', async () => {
  const files = Object.fromEntries(Array.from({ length: 20 }, (_, file) => [`m${file}.pt`, `fn f${file}() {}\n`]));
  const piecesOf = (world: CheckWorld): number => {
    let pieces = 0;
    for (const steps = world.checker.steps(); steps.next().done !== true;) pieces += 1;
    return pieces;
  };
  const world = await CheckWorld.of(files);
  world.checker.check();
  assert.ok(piecesOf(world) >= 20, 'a check alone builds no index');
  assert.ok(piecesOf(world) < 5);
  world.checker.usesOf(world.idOf('f3'));
  assert.ok(piecesOf(world) < 5);
});

test('drops findings of a generic instance when its last use is removed', async () => {
  const main = (uses: string): string => `import lib\nfn main() {\n    print(lib.add(1, 2))\n${uses}}\n`;
  const world = await CheckWorld.of({
    'lib.pt': 'pub fn add<T>(a: T, b: T) T { return a + b }\n',
    'main.pt': main('    print(lib.add(true, false))\n'),
  });
  assert.deepEqual(world.findings(), ['lib.pt:1:38: arithmetic-type']);
  await world.write({ 'main.pt': main('') });
  assert.deepEqual(world.findings(), []);
  await world.write({ 'main.pt': main('    print(lib.add(true, true))\n') });
  assert.deepEqual(world.findings(), ['lib.pt:1:38: arithmetic-type']);
});

test('updates uses like a fresh check, and keeps those of unchanged files', async () => {
  const programs = checkedPrograms().filter(({ files }) => Object.keys(files).length > 1 && !('pluto.toml' in files));
  const world = await CheckWorld.of({});
  // Names of targets, because a file that resembles the one before it keeps its ids.
  const all = (one: CheckWorld) =>
    one.project.loaded.map(({ path }) =>
      one.checker.usesIn(path).map(({ kind, name, target }) => [path, kind, name, one.nameOf(target)]),
    );
  let before: Readonly<Record<string, string>> = {};
  for (const { name, files } of programs) {
    const removed = Object.keys(before).filter(path => !(path in files));
    await world.write({ ...Object.fromEntries(removed.map(path => [path, undefined])), ...files });
    assert.deepEqual(all(world), all(await CheckWorld.of(files)), name);
    before = files;
  }
  const lib = 'pub class P { x: int }\npub fn f() {}\n';
  const other = await CheckWorld.of({
    'lib.pt': lib,
    'a.pt': 'import lib\nfn a(p: lib.P) int { return p.x }\n',
    'b.pt': 'import lib\nfn b() { lib.f() }\n',
  });
  const b = other.checker.usesIn('b.pt' as ProjectPath);
  await other.write({ 'lib.pt': lib.replace('x: int', 'y: int, x: int') });
  assert.equal(other.usesOf('P.x').length, 1);
  assert.equal(other.checker.usesIn('b.pt' as ProjectPath), b);
});

test('matches a fresh check after each random edit of several files', async () => {
  const lines = checkedPrograms().flatMap(({ files }) => Object.values(files).flatMap(text => text.split('\n')));
  const start: Readonly<Record<string, string>> = {
    'lib.pt': `pub trait Source { fn read(self) int
    fn twice(self) int { return self.read() * 2 } }
pub error Bad {}
pub class One impl Source { n: int
    fn read(self) int { return self.n } }
pub fn map<T, U>(items: [T], f: fn(T) U) [U] {
    let mut out: [U] = []
    for item in items { out.push(f(item)) }
    return out
}
`,
    'main.pt': `import lib
fn total(s: lib.Source) int { return s.read() + s.twice() }
fn main() {
    let one = lib.One { n: 1 }
    print(total(one) + lib.map([1, 2], (x: int) => x + 1)[0])
}
`,
    'more.pt':
      'import lib\nclass Two impl Nothing { fn read(self) int { return helper() } }\nfn helper() int { return 1 }\n',
  };
  const edit = fc.record({
    file: fc.constantFrom(...Object.keys(start)),
    at: fc.nat(20),
    removed: fc.nat(2),
    added: fc.array(fc.constantFrom(...lines), { maxLength: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { minLength: 3, maxLength: 10 }), async edits => {
      const files = { ...start };
      const world = await CheckWorld.of(files);
      for (const { file, at, removed, added } of edits) {
        files[file] = (files[file] ?? '')
          .split('\n')
          .toSpliced(at, removed, ...added)
          .join('\n');
        await world.write({ [file]: files[file] });
        await sameAsFresh(world, files, JSON.stringify(files));
      }
    }),
    { numRuns: 30 },
  );
});

test('includes an instance behind its trait when an edit adds it', async () => {
  const main = (use: string): string => `trait Source { fn read(self) int }
trait Loader { fn load(self) int }
error Bad {}
class Wild impl Loader { fn load(self) int { raise Bad {} } }
class Through<L: Loader> impl Source {
    loader: L
    fn read(self) int { return self.loader.load()! }
}
fn use_it(s: Source) int { return s.read()! }
fn main() {
    ${use}
}
`;
  const world = await CheckWorld.of({ 'main.pt': main('print(1)') });
  const before = world.errorsOf('use_it');
  await world.write({ 'main.pt': main('print(use_it(Through<Wild> { loader: Wild {} })!)') });
  assert.deepEqual(world.findings(), []);
  assert.deepEqual(world.errorsOf('use_it'), ['Bad']);
  assert.deepEqual(before, ['Bad'], 'the errors that the bound allows belong to the generic class');
});
