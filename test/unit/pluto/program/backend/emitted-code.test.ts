import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lowered, outputOf } from './run-source.ts';

/** The lines of `main` in the emitted text, without their source marks. */
async function mainOf(source: string): Promise<readonly string[]> {
  const text = await lowered(source);
  const main = /^function\*? main\$\d+\(\) \{\n([\s\S]*?)\n\}$/m.exec(text)?.[1] ?? '';
  return main.split('\n').map(line => line.replace(/ \/\/@.*$/, ''));
}

const narrowed = (lines: readonly string[]): readonly string[] => lines.filter(line => line.includes(' + 0 : '));

/** A statement that only JavaScript can express. */
const ONLY_JAVASCRIPT = 'let names: [Task<int>] = []';

const SHAPES = `
trait Shape { fn area(self, scale: int) int }
class Square impl Shape {
    side: int
    fn area(self, scale: int) int { return self.side * self.side * scale }
}
class Dot impl Shape {
    fn area(self, scale: int) int { return 0 }
}
`;

test('shows the engine which variables are numbers before each loop that assigns to them', async () => {
  const main = await mainOf(`${SHAPES}
fn main() {
    ${ONLY_JAVASCRIPT}
    let shape: Shape = Square { side: [3][0] }
    let mut sum = 0
    let mut text = ""
    for round in 0..10 {
        let mut inner = round
        while inner < 20 {
            ${ONLY_JAVASCRIPT.replace('names', 'more')}
            inner = inner + shape.area(1)
            sum += shape.area(inner)
        }
        text = f"{sum}"
    }
    print(text)
}`);
  const line = (name: string): string => `${name} = typeof ${name} === "number" ? ${name} + 0 : $$add(${name}, 0);`;
  assert.deepEqual(narrowed(main), [line('sum'), line('inner'), line('sum')]);
});

test('keeps an int beyond 53 bits when a loop starts with it', async () => {
  const source = `${SHAPES}
fn main() {
    ${ONLY_JAVASCRIPT}
    let shape: Shape = Square { side: 3037000499 }
    let mut sum = -9223372036854775807
    for i in 0..2 { for j in 0..1 { sum += shape.area(1) - i } }
    print(sum)
}`;
  assert.equal(await outputOf(source), '9223372024997722194\n');
});

test('runs a closure that assigns to a variable with the name of a generated function', async () => {
  const source = (name: string): string => `
fn main() {
    let mut ${name} = 1
    let all = [(more: int) => {
        ${name} = ${name} + more
        print(${name})
        return ${name}
    }]
    let count = all[0]
    print(count(2))
    print(${name})
}`;
  const text = await lowered(source('other'));
  const generated = new Set(Array.from(text.matchAll(/\$\$(\w+)/g), ([, name = '']) => name));
  assert.ok(generated.has('wide') && generated.has('add2'), text);
  for (const name of generated) assert.equal(await outputOf(source(name)), '3\n3\n1\n', name);
});

test('counts up to an int of any size without a check of the variable', async () => {
  const main = await mainOf(`${SHAPES}
fn main() {
    ${ONLY_JAVASCRIPT}
    let shape: Shape = Square { side: [3][0] }
    let step = 4
    let mut last = 0
    for i in 0..shape.area(2) {
        ${ONLY_JAVASCRIPT.replace('names', 'more')}
        last = (last + shape.area(i)) % step
    }
    print(last)
}`);
  assert.deepEqual(
    main.filter(line => /for |last = \$\$/.test(line)).map(line => line.replaceAll(/(\$\$[a-z]+|area\$)\d+/g, '$1')),
    ['for (let i = 0; i < $t2; i = i + 1) {', 'last = $$rem(last, Square_area$(shape, i));'],
  );
});

test('computes the operations of an expression on ints in one function', async () => {
  const source = (side: string): string => `${SHAPES}
fn main() {
    ${ONLY_JAVASCRIPT}
    let shape: Shape = Square { side: [${side}][0] }
    let mut sum = 0
    for i in 1..3 { sum = (sum + shape.area(i) * 3) % 1000003 }
    print(sum)
}`;
  const text = await lowered(source('3'));
  const inMain = Array.from(text.matchAll(/^sum = (.*?);/gm), ([, code = '']) => code.replaceAll(/\d+/g, ''));
  assert.deepEqual(inMain, ['$$rem(sum, Square_area$(shape, i))']);
  const inText = new Set(Array.from(text.matchAll(/\$\$[a-z]+\d+/g), ([name]) => name));
  const defined = Array.from(text.matchAll(/^function (\$\$[a-z]+\d+)/gm), ([, name = '']) => name);
  assert.deepEqual(defined.toSorted(), Array.from(inText).toSorted(), 'every function is used');
  assert.equal(await outputOf(source('3')), '81\n');
  // The square is beyond 63 bits.
  assert.equal(await outputOf(source('3037000501')), `${wrapped(3_037_000_501n)}\n`);
});

/** The output of the program above. */
function wrapped(side: bigint): bigint {
  const int = (value: bigint): bigint => BigInt.asIntN(64, value);
  let sum = 0n;
  for (let i = 1n; i < 3n; i += 1n) sum = int(sum + int(int(int(side * side) * i) * 3n)) % 1_000_003n;
  return sum;
}

test('ends at a division by zero before the next operand is computed', async () => {
  const source = `
fn next() int {
    print("computed")
    return 1
}
fn share(of: int, parts: int) int { return of / parts + next() }
fn main() {
    print(share(4, 2))
    print(share(1, 0))
}`;
  assert.equal(await outputOf(source), 'computed\n3\npluto: division by zero\n  at main.pt:6\n  at main.pt:9\n');
});

test('counts from a number to the largest and the smallest int', async () => {
  const source = `${SHAPES}
fn last(shape: Shape, from: int, to: int) int {
    let mut seen = from
    for i in 0..to { seen = i
        if i > 2 { break } }
    for i in -1..=to { seen += shape.area(i)
        if i > 2 { break } }
    return seen
}
fn main() {
    let shape: Shape = Square { side: 1 }
    for to in [9223372036854775807, -9223372036854775807, 2, -1] { print(last(shape, 7, to)) }
}`;
  assert.equal(await outputOf(source), '8\n7\n3\n6\n');
});

test('converts no int of a list, a map, an enum, a nullable or a generic value', async () => {
  const text = await lowered(`
enum Shape { Square { side: int }
    Dot }
class Box<T> { value: T
    fn get(self) T { return self.value } }
fn first<T>(items: [T]) T { return items[0] }
fn half(of: int) int? {
    if of % 2 == 1 { return none }
    return of / 2
}
fn main() {
    let box = Box<int> { value: first([7, 8]) }
    let named = Map<string, int> { "a": box.get() }
    let shape = Shape.Square { side: named["a"] }
    match shape { Shape.Square { side } { print(side) }
        Shape.Dot { print(0) } }
    let whole = half(9007199254740994)
    if whole != none { print("half") }
}`);
  const definitions = text.slice(text.indexOf('= $rt.ints;'));
  assert.doesNotMatch(definitions, /\$\$(?:wide|compact)\(|\$rt\.call|asIntN/);
});

test('copies nothing for a function that captures constants, unless tasks could copy it', async () => {
  const source = (more: string): string => `
fn apply(f: fn(int) int, to: int) int { return f(to) }
fn one() int { return [1][0] }
fn main() {
    let base = one()
    let mut count = one()
    let all = [(x: int) => x + base, (x: int) => x + count]
    print(apply(all[0], 1))
    print(apply(all[1], 1))
    count = 5
    print(count)
    ${more}
}`;
  const plain = await lowered(source(''));
  assert.doesNotMatch(plain, /\$rt\.closure/);
  assert.equal(Array.from(plain.matchAll(/\(\(count\) => /g)).length, 1, 'a variable that changes is copied');
  const spawned = await lowered(source('let task = spawn one()\n    print(task.get())'));
  assert.equal(Array.from(spawned.matchAll(/\$rt\.closure/g)).length, 2);
  assert.equal(await outputOf(source('')), '2\n2\n5\n');
});

test('converts nothing for a function that only WebAssembly calls', async () => {
  const source = (caller: string): string => `
fn fill(count: int) [int] {
    let mut list: [int] = []
    for i in 0..count { list.push(i) }
    return list
}
fn main() { ${caller} }`;
  const conversion = /\$wasm\.leave\.int\(/;
  assert.doesNotMatch(await lowered(source('for i in 0..2 { print(fill(i).len()) }')), conversion);
  assert.match(await lowered(source('print(f"{fill(2).len()}")')), conversion);
  assert.equal(await outputOf(source('for i in 0..2 { print(fill(i).len()) }')), '0\n1\n');
});

test('divides numbers beside a variable with the name of a JavaScript global', async () => {
  const source = `
fn main() {
    let Math = "text"
    for i in 6..8 { print(f"{Math} {i / 3}") }
}
`;
  assert.equal(await outputOf(source), 'text 2\ntext 2\n');
});
