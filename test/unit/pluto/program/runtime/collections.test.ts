import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { byteOf } from '../../../../../src/pluto/program/runtime/values/byte.ts';
import { toByteText } from '../../../../../src/pluto/program/runtime/values/byte-text.ts';
import { Bytes, List, PlutoMap, PlutoSet } from '../../../../../src/pluto/program/runtime/values/collections.ts';
import { compactInts } from '../../../../../src/pluto/program/runtime/values/compact-ints.ts';
import { Copier } from '../../../../../src/pluto/program/runtime/values/copy.ts';
import { closure, Instance, makeVariant } from '../../../../../src/pluto/program/runtime/values/data.ts';
import { isEqual } from '../../../../../src/pluto/program/runtime/values/equality.ts';
import { elementsOf } from '../../../../../src/pluto/program/runtime/values/loops.ts';
import { limitCollections } from '../../../../../src/pluto/program/runtime/values/space.ts';

test('iterates maps and sets in the slot order of the reference hash table', () => {
  const words = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'naïve'].map(toByteText);
  const inOrder = ['eight', 'three', 'four', 'five', 'two', 'six', 'naïve', 'seven', 'one'].map(toByteText);
  assert.deepEqual(new PlutoSet(words).to_array().items, inOrder);
  const numbers = [1n, 2n, 3n, 10n, 100n, -1n, 2n ** 40n, 7n, 8n];
  assert.deepEqual(new PlutoMap(numbers.map(key => [key, key] as const)).keys().items, [
    2n ** 40n,
    10n,
    7n,
    100n,
    1n,
    8n,
    2n,
    -1n,
    3n,
  ]);
});

const key = fc.oneof(fc.bigInt(-20n, 20n), fc.string({ maxLength: 2 }), fc.boolean());
const step = fc.record({ isInsert: fc.boolean(), key, value: fc.integer() });

test('holds exactly the inserted keys after any sequence of inserts and removals', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), steps => {
      const map = new PlutoMap();
      const model = new Map<unknown, number>();
      for (const { isInsert, key: at, value } of steps)
        if (isInsert) {
          map.insert(at, value);
          model.set(at, value);
        } else {
          map.remove(at);
          model.delete(at);
        }
      assert.equal(map.len(), BigInt(model.size));
      for (const [at, value] of model) assert.equal(map.getAt(at), value);
      for (const at of map.keys().items) assert.ok(model.has(at));
    }),
  );
});

const edges = [0n, 1n, 2n ** 31n, 2n ** 32n, 2n ** 53n, 2n ** 63n - 5n].map(edge => fc.bigInt(edge - 3n, edge + 3n));
const signed = fc.tuple(fc.oneof(...edges), fc.boolean()).map(([value, isNegative]) => (isNegative ? -value : value));
const typedStep = fc.record({ isInsert: fc.boolean(), isTyped: fc.boolean(), at: signed, value: signed });

test('keeps the same entries in the same order when typed code and generic code change a map', () => {
  const { compact } = compactInts;
  fc.assert(
    fc.property(fc.array(typedStep, { maxLength: 60 }), steps => {
      const [generic, map] = [new PlutoMap(), new PlutoMap()];
      for (const { isInsert, isTyped, at, value } of steps) {
        if (isInsert) generic.insert(at, value);
        else generic.remove(at);
        if (!isInsert) map.remove(at);
        else if (isTyped) map.$putInt(compact(at), compact(value));
        else map.insert(at, value);
        assert.equal(map.$has(compact(at)), isInsert);
        if (isInsert) assert.deepEqual([map.$intAt(compact(at)), map.$at(compact(at))], [compact(value), value]);
      }
      assert.deepEqual(map.entries(), generic.entries());
    }),
  );
});

test('compares enums by value, and floats in sets by their bits', () => {
  const shape = makeVariant('Shape', 'Square', 0, ['size']);
  const color = makeVariant('Color', 'Red', 0, []);
  assert.ok(isEqual(shape.make(2n), shape.make(2n)) && !isEqual(shape.make(2n), shape.make(3n)));
  assert.ok(isEqual(color.make(), color.make()) && !isEqual(color.make(), shape.make(1n)));
  const map = new PlutoMap([[shape.make(2n), 'two']]);
  assert.equal(map.getAt(shape.make(2n)), 'two');
  const floats = new PlutoSet([0, -0, Number.NaN, Number.NaN]);
  assert.equal(floats.len(), 3n);
});

test('loops over the initial length of a list, and reads the current elements', () => {
  const list = new List([1n, 2n, 3n]);
  const seen: unknown[] = [];
  for (const one of elementsOf(list)) {
    seen.push(one);
    list.push(9n);
    list.setAt(2n, 7n);
  }
  assert.deepEqual(seen, [1n, 2n, 7n]);
  assert.throws(() => {
    for (const _ of elementsOf(list)) list.clear();
  }, /pluto: array index out of bounds: index 1, length 0/);
});

test('copies task arguments deeply, keeping identity and cycles and sharing singletons', () => {
  class Node extends Instance {
    next: unknown = null;
    items = new List<unknown>([1n]);
  }
  const node = new Node();
  node.next = node;
  const shared = new Node();
  const call = closure(captured => () => captured, [node.items]) as () => List;
  const copier = new Copier(value => value === shared);
  const copy = copier.copy(node) as Node;
  assert.ok(copy instanceof Node && copy !== node && copy.next === copy);
  assert.equal((copier.copy(call) as typeof call)(), copy.items, 'the captured value of the function is the same copy');
  node.items.push(2n);
  assert.deepEqual(copy.items.items, [1n]);
  assert.equal(copier.copy(shared), shared);
});

test('fails with the reference messages for missing elements', () => {
  const list = new List([1n]);
  const empty = new List();
  const messageOf = (act: () => unknown): string => {
    try {
      return String(act());
    } catch (error) {
      return (error as Error).message;
    }
  };
  assert.deepEqual(
    [
      () => list.getAt(-1n),
      () => list.remove_at(1n),
      () => list.insert_at(2n, 0n),
      () => empty.pop(),
      () => empty.first(),
      () => empty.last(),
      () => new PlutoMap().getAt(1n),
    ].map(messageOf),
    [
      'pluto: array index out of bounds: index -1, length 1',
      'pluto: array remove_at index out of bounds: index 1, length 1',
      'pluto: array insert_at index out of bounds: index 2, length 1',
      'pluto: pop from empty array',
      'pluto: first() on empty array',
      'pluto: last() on empty array',
      'pluto: map key not found',
    ],
  );
  assert.deepEqual(new List([1n, 2n, 3n]).slice(-5n, 2n).items, [1n, 2n]);
  assert.deepEqual(new List([1n, 2n, 3n]).slice(2n, 1n).items, []);
});

test('fails when a collection needs more memory than there is', () => {
  limitCollections(100 * 36);
  try {
    const [list, map, bytes] = [new List<bigint>(), new PlutoMap(), new Bytes()];
    const adds: readonly (readonly [add: (count: bigint) => void, length: () => number, what: string])[] = [
      [count => list.push(count), () => list.items.length, 'a list is too long'],
      [count => list.insert_at(0n, count), () => list.items.length, 'a list is too long'],
      [() => bytes.push(byteOf(1)), () => bytes.items.length, 'a list is too long'],
      [count => map.insert(count, 1n), () => Number(map.len()), 'a map or set is too large'],
    ];
    for (const [add, length, what] of adds) {
      const fill = (): void => {
        for (let count = 0n; count < 1000n; count += 1n) add(count);
      };
      assert.throws(fill, { message: `pluto: out of memory: ${what}` });
      assert.ok(length() < 200);
    }
  } finally {
    limitCollections(Number.POSITIVE_INFINITY);
  }
});
