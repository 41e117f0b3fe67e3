import assert from 'node:assert/strict';
import { test } from 'node:test';
import { showType } from '../../../../../../src/pluto/language/check/types/show.ts';
import type { TypedBody } from '../../../../../../src/pluto/program/backend/typed/typed-form.ts';
import { bodiesOf, bodyOf, built, valuesIn } from './build-source.ts';

const headOf = ([name, { params, result }]: readonly [string, TypedBody]): string =>
  `${name}(${params.map(({ type }) => showType(type)).join(', ')}) ${showType(result)}`;

/** The heads of all functions and methods that are built, without those of the standard library. */
const headsIn = async (source: string): Promise<readonly string[]> =>
  bodiesOf(await built(source))
    .map(headOf)
    .toSorted();

test('builds a generic function once for each list of type arguments that the start needs', async () => {
  const source = `
fn unused<T>(x: T) T { return x }
fn never() { print(unused(1)) }
fn pair<A, B>(a: A, b: B) A {
    swap(b, a)
    return a
}
fn swap<A, B>(a: A, b: B) { }
fn main() {
    print(pair(1, "a"))
    print(pair(2, "b"))
    print(pair(1.5, [true]).len_of())
}`.replace('.len_of()', '');
  assert.deepEqual(await headsIn(source), [
    'main() void',
    'pair(float, [bool]) float',
    'pair(int, string) int',
    'swap([bool], float) void',
    'swap(string, int) void',
  ]);
});

test('builds a recursive generic function once', async () => {
  const source = `
fn last<T>(items: [T], at: int) T {
    if at == items.len() - 1 { return items[at] }
    return last(items, at + 1)
}
fn main() { print(last(["a"], 0)) }`;
  assert.deepEqual(await headsIn(source), ['last([string], int) string', 'main() void']);
});

test('builds a generic class and its default methods once for each list of type arguments', async () => {
  const source = `
trait Sized {
    fn size(self) int
    fn is_empty(self) bool { return self.size() == 0 }
}
class Stack<T> impl Sized {
    items: [T]
    fn size(self) int { return self.items.len() }
    fn push(mut self, item: T) { self.items.push(item) }
    fn top(self) T { return self.items[self.items.len() - 1] }
}
fn main() {
    let mut a = Stack<int> { items: [] }
    a.push(1)
    let b = Stack<string> { items: ["b"] }
    print(f"{a.top()} {b.top()} {b.is_empty()}")
}`;
  const program = await built(source);
  assert.deepEqual(
    program.classes.map(({ name, fields }) => `${name} ${fields.map(({ type }) => showType(type)).join()}`).toSorted(),
    ['Stack [int]', 'Stack [string]'],
  );
  assert.deepEqual(bodiesOf(program).map(headOf).toSorted(), [
    'Stack.is_empty() bool',
    'Stack.is_empty() bool',
    'Stack.push(int) void',
    'Stack.push(string) void',
    'Stack.size() int',
    'Stack.size() int',
    'Stack.top() int',
    'Stack.top() string',
    'main() void',
  ]);
});

const SHAPES = `
trait Shape {
    fn area(self) int
    fn twice(self) int { return self.area() * 2 }
}
class Square impl Shape {
    side: int
    fn area(self) int { return self.side * self.side }
}
class Dot impl Shape {
    fn area(self) int { return 0 }
}
fn measure<S: Shape>(shape: S) int { return shape.area() }
fn total(shape: Shape) int { return shape.area() + shape.twice() }`;

/** The methods that each call of a method in a function can run. */
async function targetsIn(source: string, name: string): Promise<readonly string[]> {
  const program = await built(source);
  return valuesIn(bodyOf(program, name)).flatMap(value =>
    value.kind === 'call-method'
      ? [value.targets.map(({ owner, name: method }) => `${owner.name}.${method}`).join(' or ')]
      : [],
  );
}

test('knows the only target of a call if the program makes objects of one class of a trait', async () => {
  const main = (code: string): string => `${SHAPES}\nfn main() {\n${code}\n}`;
  const one = main('print(total(Square { side: 2 }))');
  assert.deepEqual(await targetsIn(one, 'total'), ['Square.area', 'Square.twice']);
  assert.deepEqual(await targetsIn(one, 'Square.twice'), ['Square.area']);
  const both = main('print(total(Square { side: 2 }) + total(Dot { }))');
  assert.deepEqual(await targetsIn(both, 'total'), ['Square.area or Dot.area', 'Square.twice or Dot.twice']);
  assert.deepEqual(await targetsIn(both, 'Dot.twice'), ['Dot.area'], 'a default method is built for each class');
  const generic = main('print(measure(Square { side: 2 }) + measure(Dot { }))');
  assert.deepEqual(await targetsIn(generic, 'measure'), ['Square.area'], 'and a generic function for each type');
});

test('resolves names, fields and messages, so that an emitter looks nothing up', async () => {
  const program = await built(`
error Late { by: int }
fn wait(for_ms: int) int requires for_ms > 0 {
    if for_ms > 10 { raise Late { by: for_ms } }
    return for_ms
}
fn main() {
    let waited = wait(3) catch e: Late { e.by }
    print(waited)
}`);
  const wait = bodyOf(program, 'wait');
  assert.deepEqual(
    wait.checks.map(check => (check.kind === 'check' ? check.message : '')),
    ['requires violation in wait: for_ms > 0'],
  );
  const kinds = valuesIn(bodyOf(program, 'main')).map(({ kind, type }) => `${kind} ${showType(type)}`);
  assert.deepEqual(kinds, [
    'catch int',
    'call int',
    'int int',
    'error-field int',
    'variable Late',
    'call-builtin void',
    'variable int',
  ]);
});

test('knows which variables change, and what closures capture', async () => {
  const program = await built(`
fn main() {
    let step = 2
    let mut sum = 0
    let all = [(by: int) => {
        sum = sum + by * step
        return sum
    }]
    let add = all[0]
    print(add(3))
    print(sum)
}`);
  const closure = valuesIn(bodyOf(program, 'main')).find(value => value.kind === 'closure');
  assert.ok(closure?.kind === 'closure');
  const names = closure.captured.variables.map(({ name, isAssigned }) => `${name} ${isAssigned}`);
  assert.deepEqual(names.toSorted(), ['step false', 'sum true']);
  assert.deepEqual(
    Array.from(closure.assigned, ({ name }) => name),
    ['sum'],
  );
});
