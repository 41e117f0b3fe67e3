import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bodyOf, built, stmtsIn } from './build-source.ts';

const MAX = Number.MAX_SAFE_INTEGER;
const LENGTH = 2 ** 32 - 1;

/** The bounds of the variables of `f(n: int, items: [int])`, by name. */
async function rangesIn(...lines: readonly string[]): Promise<Readonly<Record<string, readonly number[]>>> {
  const source = `fn f(n: int, items: [int]) {\n${lines.join('\n')}\n}\nfn main() { f(1, [1]) }`;
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
  assert.deepEqual(await rangesIn('let mut sum = 0', 'let mut steps = 0', 'for i in 0..9 { sum += i', 'steps++ }'), {
    i: [0, 8],
  });
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
