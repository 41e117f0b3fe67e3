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

/** Calls of a trait, which are never WebAssembly. */
const SHAPES = `
trait Shape { fn area(self, scale: int) int }
class Square impl Shape {
    side: int
    fn area(self, scale: int) int { return self.side * self.side * scale }
}
`;

test('shows the engine which variables are numbers before each loop that assigns to them', async () => {
  const main = await mainOf(`${SHAPES}
fn main() {
    let shape: Shape = Square { side: 3 }
    let mut sum = 0
    let mut text = ""
    for round in 0..10 {
        let mut inner = round
        while inner < 20 {
            inner = inner + 1
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
    let count = (more: int) => {
        ${name} = ${name} + more
        print(${name})
        return ${name}
    }
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
    let shape: Shape = Square { side: 3 }
    let step = 4
    let mut last = 0
    for i in 0..shape.area(2) { last = (last + shape.area(i)) % step }
    print(last)
}`);
  assert.deepEqual(
    main.filter(line => /for |last = \$\$/.test(line)).map(line => line.replaceAll(/(\$\$[a-z]+)\d+/g, '$1')),
    ['for (let i = 0; i < $t2; i = i + 1) {', 'last = $$rem($$add(last, shape.area(i)), 4);'],
  );
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
