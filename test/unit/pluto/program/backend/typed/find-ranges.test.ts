import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bodyOf, built, stmtsIn, valuesIn } from './build-source.ts';

/** The largest value of an incremented variable. */
const MAX = 2 ** 53 - 2 ** 33;
const LENGTH = 2 ** 32 - 1;

/** The bounds of the variables of `f(n: int, items: [int])`, by name. */
async function rangesIn(...lines: readonly string[]): Promise<Readonly<Record<string, readonly number[]>>> {
  const source = `fn f(n: int, items: [int]) {\n${lines.join('\n')}\n}\nfn main() { f([1][0], [1]) }`;
  const stmts = stmtsIn(bodyOf(await built(source), 'f'));
  const declared = stmts.flatMap(stmt => (stmt.kind === 'let' || stmt.kind === 'count' ? [stmt.variable] : []));
  return Object.fromEntries(
    declared.flatMap(({ name, range }) => (range === undefined ? [] : [[name, [range.min, range.max]]])),
  );
}

test('knows the bounds of variables from all values that they are assigned', async () => {
  assert.deepEqual(await rangesIn('let a = 3', 'let b = a * 2 - 10', 'let c = items.len() / 2'), {
    a: [3, 3],
    b: [-4, -4],
    c: [0, LENGTH],
  });
  assert.deepEqual(await rangesIn('let mut sum = 0', 'for i in 0..n { sum = (sum + n * i) % 1000 }'), {
    sum: [-999, 999],
    i: [0, MAX - 1],
  });
  assert.deepEqual(await rangesIn('let mut low = 5', 'if n > 1 { low = -7 }', 'let far = low + 1'), {
    low: [-7, 5],
    far: [-6, 6],
  });
});

test('knows no bounds of a variable that grows, or that is assigned any int', async () => {
  assert.deepEqual(await rangesIn('let mut sum = 0', 'for i in 0..9 { sum += i }'), { i: [0, 8] });
  assert.deepEqual(await rangesIn('let a = n', 'let mut b = 1', 'b = items[0]', 'let c = 9007199254740992'), {});
  assert.deepEqual(await rangesIn('let mut a = 1', 'let mut b = 1', 'while a < n { a = b', 'b = a + b }'), {});
});

test('knows the bounds of the variable of a loop, unless the loop assigns to it', async () => {
  assert.deepEqual(await rangesIn('for i in -2..items.len() { for j in i..=n { print(j) } }'), {
    i: [-2, LENGTH - 1],
    j: [-2, MAX],
  });
  assert.deepEqual(await rangesIn('for i in n..9 { print(i) }'), {});
  assert.deepEqual(await rangesIn('for i in 0..9 { i = 5 }'), {});
  assert.deepEqual(await rangesIn('for i in 4503599627370497..n { print(i) }'), {});
});

/** The bounds of the int parameters, fields that are read, and calls in `f`, by name. */
async function usesIn(declarations: string, main: string): Promise<Readonly<Record<string, readonly number[]>>> {
  const program = await built(`${declarations}\nfn main() {\n${main}\n}`);
  const body = bodyOf(program, 'f');
  const params = body.params.map(({ name, range }) => ({ name, range }));
  const uses = valuesIn(body).flatMap(value => {
    if (value.kind === 'field' || value.kind === 'call-method') return [{ name: value.name, range: value.range }];
    return value.kind === 'call' ? [{ name: value.callee.name, range: value.range }] : [];
  });
  return Object.fromEntries(
    [...params, ...uses].flatMap(({ name, range }) => (range === undefined ? [] : [[name, [range.min, range.max]]])),
  );
}

test('knows the bounds of parameters and results from all calls', async () => {
  const declarations = `
fn half(of: int) int {
    let twice = (x: int) => { return x * 2 }
    if of > 10 { return of / 2 }
    return 0 - of
}
fn f(a: int, b: int, any: int) int { return half(a) + b + any }
fn start(f: fn(int) int) int { return f(1) }`;
  assert.deepEqual(await usesIn(declarations, 'f(3, 1, [1][0])\nf(20, 1, 2)'), {
    a: [3, 20],
    b: [1, 1],
    half: [-20, 20],
  });
  assert.deepEqual(await usesIn(declarations, 'let g = (x: int) => f(x, 1, 2)\nprint(start(g))'), {
    a: [1, 1],
    b: [1, 1],
    any: [2, 2],
    half: [-1, 1],
  });
  assert.deepEqual(await usesIn(declarations, 'let t = spawn f(5, 1, 2)\nf(1, -1, 2)\nprint(t.get())'), {
    a: [1, 5],
    b: [-1, 1],
    any: [2, 2],
    half: [-5, 5],
  });
});

test('knows the bounds of what function values return, and of what they are given', async () => {
  const declarations = 'fn f(a: int, b: int) int { return a }\nfn call(g: fn(int) int, x: int) int { return g(x) }';
  const uses = (...main: readonly string[]) => usesIn(declarations, main.join('\n'));
  assert.deepEqual(await uses('let g = [(x: int) => x * 2][0]', 'f(call(g, 5), g(-3))'), { a: [-6, 10], b: [-6, 10] });
  // Any closure with as many parameters may be called.
  assert.deepEqual(await uses('let g = [(x: int) => x * 2][0]', 'let h = [(x: int) => 100][0]', 'f(g(4), h(5))'), {
    a: [8, 100],
    b: [8, 100],
  });
  assert.deepEqual(await uses('let g = [(x: int, y: int) => y][0]', 'f(g([1][0], 7), 1)'), { a: [7, 7], b: [1, 1] });
  assert.deepEqual(await uses('let g = [(x: int) => x][0]', 'f(g([1][0]), g(1))'), {});
  assert.deepEqual(await uses('let g = [(x: int) => { x = [1][0]', 'return x }][0]', 'f(g(1), 2)'), { b: [2, 2] });
  // Repeated calls change the argument without limit.
  assert.deepEqual(await uses('let g = [(x: int) => x + 3][0]', 'f(g(g(1)), 2)'), { b: [2, 2] });
  // A call with a nullable int may run a closure that takes an int.
  const nullable = ['let g = [(x: int) => 1][0]', 'let h: fn(int?) int = g', 'let n: int? = 1', 'h(n)'];
  assert.deepEqual(await uses(...nullable, 'let k = [(x: int) => x][0]', 'f(k(2), 2)'), { b: [2, 2] });
});

test('knows the bounds of each closure that is a function', async () => {
  const declarations = 'fn f(a: int, b: int) int { return a }\nfn call(g: fn(int) int, x: int) int { return g(x) }';
  const uses = (...main: readonly string[]) => usesIn(declarations, main.join('\n'));
  assert.deepEqual(await uses('let g = (x: int) => x * 2', 'let h = (x: int) => 100', 'f(g(4), h(5))'), {
    a: [8, 8],
    b: [100, 100],
  });
  assert.deepEqual(await uses('f(call((x: int) => x * 2, 5), call((x: int) => x + 1, 3))'), { a: [10, 10], b: [4, 4] });
});

test('knows no bounds of a parameter that recursion changes', async () => {
  const declarations = 'fn f(n: int, by: int) int {\nif n < 2 { return n }\nreturn f(n - by, by) + f(n - 2, by)\n}';
  assert.deepEqual(await usesIn(declarations, 'print(f(20, 1))'), { by: [1, 1] });
});

test('knows the bounds of fields from literals and assignments of every object', async () => {
  const declarations = `
class Grid {
    width: int
    height: int
    used: int
    seed: int
    fn put(mut self, at: int) { self.used += 1
        self.seed = (self.seed * 31 + at) % 1000 }
}
fn f(grid: Grid) int { return grid.width * grid.height + grid.used + grid.seed }
fn of(width: int) Grid { return Grid { width: width, height: 3, used: 0, seed: 7 } }`;
  const known = { height: [3, 3], used: [0, MAX], seed: [-999, 999] };
  assert.deepEqual(await usesIn(declarations, 'let mut g = of(4)\ng.put([1][0])\nprint(f(g))'), {
    width: [4, 4],
    ...known,
  });
  assert.deepEqual(
    await usesIn(declarations, 'let mut g = of(4)\ng.put([1][0])\ng.width = [5][0]\nprint(f(g))'),
    known,
  );
});

test('knows the bounds of what methods of a trait return, and of what they are given', async () => {
  const declarations = `
trait Shape { fn area(self, scale: int) int }
class Square impl Shape { side: int
    fn area(self, scale: int) int { return self.side * scale } }
class Dot impl Shape { size: int
    fn area(self, scale: int) int { return -1 } }
fn f(shape: Shape, scale: int) int { return shape.area(scale) }`;
  const main = 'print(f(Square { side: 5 }, 2))\nprint(f(Dot { size: 1 }, 3))';
  assert.deepEqual(await usesIn(declarations, main), { scale: [2, 3], area: [-1, 15] });
  assert.deepEqual(await usesIn(declarations, `${main}\nlet s: Shape = Square { side: [1][0] }`), { scale: [2, 3] });
});

test('knows the bounds of a value of branches, and of bits', async () => {
  assert.deepEqual(await rangesIn('let a = if n > 1 { 4 } else { -1 }', 'let b = n & 255', 'let c = true as int'), {
    a: [-1, 4],
    b: [0, 255],
    c: [0, 1],
  });
  assert.deepEqual(await rangesIn('let a = if n > 1 { n } else { -1 }', 'let b = n | 255', 'let c = n & -1'), {});
});

test('knows that an incremented variable stays a number, however often it is incremented', async () => {
  const loops = [
    'let mut up = 3',
    'let mut down = 0',
    'let mut both = 1',
    'while up < n { up += 2',
    'down = down - 1',
    'both++',
    'both -= 4 }',
  ];
  assert.deepEqual(await rangesIn(...loops), { up: [3, MAX], down: [-MAX, 0], both: [-MAX, MAX] });
  assert.deepEqual(await rangesIn('let mut far = 0', 'far += 5', 'let mut by = 0', 'by += n'), {});
  assert.deepEqual(await rangesIn('let mut late = 4503599627370497', 'late += 1', 'let mut x = n', 'x += 1'), {});
});
