import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loopIndices } from '../../../../../../src/pluto/program/backend/wasm/loop-indices.ts';
import { outputOf } from '../run-source.ts';
import { bodyOf, built, stmtsIn } from '../typed/build-source.ts';

/** A function with a loop over its list, of which it returns a sum. */
const program = (range: string, body: string, start = '0'): string => `
fn use(list: [int], start: int, width: int) int {
    let mut a = start
    let mut sum = 0
    for k in ${range} {
        ${body}
    }
    return sum + a
}
fn main() { print(use([3, 1, 4, 1, 5, 9], ${start}, 2)) }`;

/** The number of reads and writes whose indices the start of the loop can prove, and of different indices. */
async function provenIn(range: string, body: string): Promise<readonly number[]> {
  const used = bodyOf(await built(program(range, body)), 'use');
  const loop = stmtsIn(used).find(stmt => stmt.kind === 'count');
  const found = loop && loopIndices(loop, new Set(used.params.filter(({ type }) => type.kind === 'list')));
  return found === undefined ? [] : [found.uses.length, found.indices.length];
}

test('proves indices that grow or fall evenly with the variable of a loop', async () => {
  assert.deepEqual(await provenIn('0..width', 'sum += list[k]'), [1, 1]);
  assert.deepEqual(await provenIn('0..width', 'sum += list[k * width + start] * list[5 - k]\n list[k] = 1'), [3, 3]);
  assert.deepEqual(await provenIn('0..width', 'list[k + 1] = list[k + 1] + list[a]'), [3, 2]);
});

test('proves no index that may turn or wrap around in a loop, or whose parts change', async () => {
  assert.deepEqual(await provenIn('0..width', 'sum += list[k * k] + list[k % 3] + list[-k]'), []);
  assert.deepEqual(await provenIn('0..width', 'sum += list[k * 4294967296]'), []);
  assert.deepEqual(await provenIn('0..width', 'sum += list[k * width * start]'), []);
  assert.deepEqual(await provenIn('0..width', 'a += 1\n sum += list[k + a]'), []);
  assert.deepEqual(await provenIn('0..width', 'for i in 0..k { sum += list[k] }'), []);
});

test('ends at an index between two that are inside of the list', async () => {
  const failure = async (range: string, body: string, start?: string): Promise<string | undefined> =>
    /^pluto: array index out of bounds: (.*)\n/.exec(await outputOf(program(range, body, start)))?.[1];
  const minInt = String(-(2n ** 63n));
  assert.equal(await failure('0..=2', 'sum += list[k * a]', minInt), `index ${minInt}, length 6`);
  assert.equal(await failure('0..=4', `sum += list[k * ${2n ** 62n}]`), `index ${2n ** 62n}, length 6`);
  assert.equal(await failure('0..=4', 'sum += list[k * k - 4 * k + a]', '3'), 'index -1, length 6');
  assert.equal(await failure('0..3', 'sum += list[a]\n a *= 3', '2'), 'index 6, length 6');
  assert.equal(await failure('0..3', 'if k == 1 { list.pop() }\n sum += list[k + 3]'), 'index 5, length 5');
});

test('prints what a loop did before it ends at its last index', async () => {
  assert.equal(
    await outputOf(program('4..=6', 'print(list[k])')),
    '5\n9\npluto: array index out of bounds: index 6, length 6\n  at main.pt:6\n  at main.pt:10\n',
  );
});
