import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outputOf } from './run-source.ts';

test('compiles and runs a list with 30,000 elements that need statements', async () => {
  const element = 'if isOne(n) { add(n, 1) } else { add(n, 2) }';
  const source = `
fn isOne(n: int) bool { return n == 1 }
fn add(n: int, more: int) int { return n + more }
fn main() {
    let n = 1
    let lists = [[${`${element}, `.repeat(30_000)}]]
    print(lists[0].len())
}
`;
  assert.equal(await outputOf(source), '30000\n');
});
