import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bodiesOf, built, valuesIn } from './build-source.ts';

/** The names of the functions of a program, and how many closures are functions and values. */
async function closuresIn(
  source: string,
): Promise<{ readonly functions: readonly string[]; readonly lifted: number; readonly values: number }> {
  const program = await built(source);
  const names = program.functions.map(({ name }) => name);
  const values = bodiesOf(program).flatMap(([, body]) => valuesIn(body));
  return {
    functions: names.filter(name => name !== 'closure').toSorted(),
    lifted: names.filter(name => name === 'closure').length,
    values: values.filter(({ kind }) => kind === 'closure').length,
  };
}

const APPLY = `
fn apply(f: fn(int) int, to: int) int { return f(to) }
fn twice(f: fn(int) int, to: int) int { return apply(f, apply(f, to)) }
`;

test('makes functions of closures that are only called', async () => {
  assert.deepEqual(await closuresIn('fn main() {\nlet by = 2\nlet f = (x: int) => x * by\nprint(f(1) + f(2))\n}'), {
    functions: ['main'],
    lifted: 1,
    values: 0,
  });
});

test('copies a function for each closure that it gets', async () => {
  const main =
    'fn main() {\nlet f = (x: int) => x + 1\nprint(twice(f, 1) + twice(f, 2) + twice((x: int) => x * 2, 3))\n}';
  assert.deepEqual(await closuresIn(`${APPLY}${main}`), {
    functions: ['apply', 'apply', 'main', 'twice', 'twice'],
    lifted: 2,
    values: 0,
  });
});

test('passes what a closure captured when it was made', async () => {
  const program = await built(
    `${APPLY}fn main() {\nlet mut by = 2\nlet f = (x: int) => x * by\nby = 3\nprint(apply(f, by))\n}`,
  );
  const [main] = program.functions.filter(({ name }) => name === 'main');
  assert.deepEqual(
    main?.body.block.map(stmt => (stmt.kind === 'let' ? `let ${stmt.variable.name}` : stmt.kind)),
    ['let by', 'let $c1', 'assign', 'value'],
  );
});

const VALUES: Readonly<Record<string, string>> = {
  'is in a list': 'let f = [(x: int) => x + 1][0]\nprint(apply(f, 1))',
  'is also in a list': 'let f = (x: int) => x + 1\nlet all = [f]\nprint(apply(f, 1) + all.len())',
  'is in a field': 'let box = Box { f: (x: int) => x + 1 }\nlet f = box.f\nprint(apply(f, 1))',
  'is returned': 'let f = made()\nprint(apply(f, 1))',
  'another closure captures': 'let f = (x: int) => x + 1\nlet g = [() => f(1)][0]\nprint(g())',
  'a task captures': 'let f = (x: int) => x + 1\nlet task = spawn apply(f, 1)\nprint(task.get())',
  'is assigned': 'let mut f = (x: int) => x + 1\nprint(f(1))\nf = made()\nprint(f(2))',
  'one of several is': 'let f = if 1 > 0 { made() } else { made() }\nprint(apply(f, 1))',
  'is passed to a function that keeps it': 'print(kept((x: int) => x + 1))',
};

for (const [what, code] of Object.entries(VALUES))
  test(`keeps the value of a closure that ${what}`, async () => {
    const source = `${APPLY}
class Box { f: fn(int) int }
fn made() fn(int) int { return (x: int) => x + 1 }
fn kept(f: fn(int) int) int {
    let all = [f]
    return all.len()
}
fn main() {
    ${code}
}`;
    const { lifted, values } = await closuresIn(source);
    assert.equal(lifted, 0);
    assert.ok(values > 0);
  });

test('keeps the value of a closure that uses self', async () => {
  const source = `${APPLY}
class Counter {
    by: int
    fn next(self, x: int) int { return apply((y: int) => y + self.by, x) }
}
fn main() { print(Counter { by: 1 }.next(2)) }`;
  assert.equal((await closuresIn(source)).values, 1);
});

test('copies no more code than the program has', async () => {
  const steps = Array.from({ length: 400 }, (_, at) => `sum = sum * ${at} + f(sum - ${at})`);
  const calls = Array.from({ length: 400 }, (_, at) => `print(large((x: int) => x + ${at}, ${at}))`);
  const source = `
fn large(f: fn(int) int, start: int) int {
    let mut sum = start
    ${steps.join('\n    ')}
    return sum
}
fn main() {
    ${calls.join('\n    ')}
}`;
  const { functions, lifted, values } = await closuresIn(source);
  const copies = functions.filter(name => name === 'large').length;
  assert.ok(copies > 1 && copies < 20, `${copies} copies`);
  assert.equal(lifted + values, 400);
});
