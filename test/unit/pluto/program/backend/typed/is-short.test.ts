import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isShort } from '../../../../../../src/pluto/program/backend/typed/is-short.ts';
import { built } from './build-source.ts';

const isSourceShort = async (...lines: readonly string[]): Promise<boolean> => isShort(await built(lines.join('\n')));
const isMainShort = (...lines: readonly string[]): Promise<boolean> =>
  isSourceShort('fn main() {', ...lines, '    print("end")', '}');

test('is true of scalars, texts, decisions and calls', async () => {
  assert.ok(await isMainShort());
  assert.ok(await isMainShort('let a = 3 * 4 - 1', 'if a > 2 { print(f"{a} is more") } else { print("less") }'));
  assert.ok(await isMainShort('let mut a = 1.5', 'a = a + sqrt(2.0)', 'print(f"{a}")'));
  assert.ok(await isSourceShort('fn twice(n: int) int { return n * 2 }', 'fn main() int { return twice(twice(3)) }'));
});

test('is false of loops, recursion, tasks and function values', async () => {
  assert.ok(!(await isMainShort('for i in 0..2 { print("x") }')));
  assert.ok(!(await isMainShort('let mut a = 1', 'while a < 3 { a = a + 1 }')));
  assert.ok(!(await isMainShort('let mut f = (n: int) => n + 1', 'f = (n: int) => n + 2', 'print(f"{f(1)}")')));
  const recursive = 'fn f(n: int) int { if n < 1 { return 0 }\n return g(n - 1) }\nfn g(n: int) int { return f(n) }';
  assert.ok(!(await isSourceShort(recursive, 'fn main() int { return f(3) }')));
  assert.ok(!(await isSourceShort('fn f() int { return 1 }', 'fn main() int { let t = spawn f()\n return t.get() }')));
});

test('is false of values that can contain each other, and of calls of the standard library', async () => {
  assert.ok(!(await isMainShort('let a = [1, 2]', 'let b = [a, a]')));
  assert.ok(!(await isMainShort('print("a".to_upper())')));
  assert.ok(!(await isSourceShort('class A { n: int }', 'fn main() int { let a = A { n: 1 }\n return a.n }')));
  assert.ok(!(await isSourceShort('extern fn sleep(ns: int)', 'fn main() { sleep(1) }')));
});

test('is false when calls multiply the work, or texts grow', async () => {
  const doubling = (count: number): readonly string[] =>
    Array.from({ length: count }, (_, index) => `fn f${index}() { f${index + 1}()\n f${index + 1}() }`);
  const program = (count: number): Promise<boolean> =>
    isSourceShort(...doubling(count), `fn f${count}() { print("x") }`, 'fn main() { f0() }');
  assert.ok(await program(3));
  assert.ok(!(await program(30)));
  const growing = (count: number): Promise<boolean> =>
    isMainShort('let mut a = "text"', ...Array.from({ length: count }, () => 'a = a + a'));
  assert.ok(await growing(10));
  assert.ok(!(await growing(28)));
  const joined = (count: number): Promise<boolean> =>
    isMainShort('let mut a = "text"', ...Array.from({ length: count }, () => 'a = f"{a}{a}{a}{a}{a}{a}{a}{a}"'));
  assert.ok(await joined(3));
  assert.ok(!(await joined(10)));
});
