import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cyclesOf } from '../../../src/base/cycles.ts';

const graph = (edges: Readonly<Record<string, readonly string[]>>) => (node: string) => edges[node] ?? [];

test('finds each cycle once, from the node that the search reaches first', () => {
  const targetsOf = graph({ a: ['b', 'd'], b: ['c'], c: ['b'], d: ['d'] });
  assert.deepEqual(cyclesOf(['a', 'b', 'c', 'd'], targetsOf), [['b', 'c'], ['d']]);
  assert.deepEqual(cyclesOf(['c'], targetsOf), [['c', 'b']]);
});

test('asks for the targets of each node once, and skips nodes that are done', () => {
  const asked: string[] = [];
  const done = new Set(['b']);
  const cycles = cyclesOf(
    ['a', 'c'],
    node => {
      asked.push(node);
      return ['b', 'c'];
    },
    done,
  );
  assert.deepEqual(cycles, [['c']]);
  assert.deepEqual(asked, ['a', 'c']);
  assert.deepEqual(done, new Set(['b', 'c', 'a']));
});

test('follows a chain of 20,000 nodes', () => {
  assert.deepEqual(
    cyclesOf([0], node => [(node + 1) % 20_000]),
    [Array.from({ length: 20_000 }, (_, index) => index)],
  );
});
