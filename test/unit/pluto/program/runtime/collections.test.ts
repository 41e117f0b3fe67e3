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
  const numbers = [1, 2, 3, 10, 100, -1, 2 ** 40, 7, 8];
  const map = new PlutoMap(
    numbers.map(key => [key, key] as const),
    true,
  );
  assert.deepEqual(map.keys().items, [2 ** 40, 10, 7, 100, 1, 8, 2, -1, 3]);
});

const key = fc.oneof(fc.integer({ min: -20, max: 20 }), fc.string({ maxLength: 2 }), fc.boolean());
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
      assert.equal(map.len(), model.size);
      for (const [at, value] of model) assert.equal(map.getAt(at), value);
      for (const at of map.keys().items) assert.ok(model.has(at));
    }),
  );
});

const edges = [0n, 1n, 2n ** 31n, 2n ** 32n, 2n ** 53n, 2n ** 63n - 5n].map(edge => fc.bigInt(edge - 3n, edge + 3n));
const signed = fc.tuple(fc.oneof(...edges), fc.boolean()).map(([value, isNegative]) => (isNegative ? -value : value));
const typedStep = fc.record({ isInsert: fc.boolean(), isTyped: fc.boolean(), at: signed, value: signed });

test('keeps the same entries in the same order with the methods for int keys', () => {
  const { compact } = compactInts;
  fc.assert(
    fc.property(fc.array(typedStep, { maxLength: 60 }), steps => {
      const [generic, map] = [new PlutoMap([], true), new PlutoMap([], true)];
      for (const { isInsert, isTyped, at, value } of steps) {
        const key = compact(at);
        if (isInsert) generic.insert(key, value);
        else generic.remove(key);
        if (!isInsert) map.remove(key);
        else if (isTyped) map.$put(key, value);
        else map.insert(key, value);
        assert.deepEqual([map.$has(key), map.contains(key)], [isInsert, isInsert]);
        if (isInsert) assert.deepEqual([map.$at(key), map.getAt(key)], [value, value]);
      }
      assert.deepEqual(map.entries(), generic.entries());
      assert.deepEqual(new Copier(() => false).copy(map), map);
    }),
  );
});

test('compares enums by value, and floats in sets by their bits', () => {
  const shape = makeVariant('Shape', 'Square', 0, ['size']);
  const color = makeVariant('Color', 'Red', 0, []);
  assert.ok(isEqual(shape.make(2), shape.make(2)) && !isEqual(shape.make(2), shape.make(3)));
  assert.ok(isEqual(color.make(), color.make()) && !isEqual(color.make(), shape.make(1)));
  const map = new PlutoMap([[shape.make(2), 'two']]);
  assert.equal(map.getAt(shape.make(2)), 'two');
  const floats = new PlutoSet([0, -0, Number.NaN, Number.NaN]);
  assert.equal(floats.len(), 3);
});

test('loops over the initial length of a list, and reads the current elements', () => {
  const list = new List([1, 2, 3]);
  const seen: unknown[] = [];
  for (const one of elementsOf(list)) {
    seen.push(one);
    list.push(9);
    list.setAt(2, 7);
  }
  assert.deepEqual(seen, [1, 2, 7]);
  assert.throws(() => {
    for (const _ of elementsOf(list)) list.clear();
  }, /pluto: array index out of bounds: index 1, length 0/);
});

test('copies task arguments deeply, keeping identity and cycles and sharing singletons', () => {
  class Node extends Instance {
    next: unknown = null;
    items = new List<unknown>([1]);
  }
  const node = new Node();
  node.next = node;
  const shared = new Node();
  const call = closure(captured => () => captured, [node.items]) as () => List;
  const copier = new Copier(value => value === shared);
  const copy = copier.copy(node) as Node;
  assert.ok(copy instanceof Node && copy !== node && copy.next === copy);
  assert.equal((copier.copy(call) as typeof call)(), copy.items, 'the captured value of the function is the same copy');
  node.items.push(2);
  assert.deepEqual(copy.items.items, [1]);
  assert.equal(copier.copy(shared), shared);
});

test('fails with the reference messages for missing elements', () => {
  const list = new List([1]);
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
      () => list.getAt(-1),
      () => list.remove_at(1),
      () => list.insert_at(2, 0),
      () => empty.pop(),
      () => empty.first(),
      () => empty.last(),
      () => new PlutoMap().getAt(1),
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
  assert.deepEqual(new List([1, 2, 3]).slice(-5, 2).items, [1, 2]);
  assert.deepEqual(new List([1, 2, 3]).slice(2, 1).items, []);
});

test('fails when a collection needs more memory than there is', () => {
  limitCollections(100 * 36);
  try {
    const [list, map, bytes] = [new List<number>(), new PlutoMap(), new Bytes()];
    const adds: readonly (readonly [add: (count: number) => void, length: () => number, what: string])[] = [
      [count => list.push(count), () => list.items.length, 'a list is too long'],
      [count => list.insert_at(0, count), () => list.items.length, 'a list is too long'],
      [() => bytes.push(byteOf(1)), () => bytes.items.length, 'a list is too long'],
      [count => map.insert(count, 1), () => map.len(), 'a map or set is too large'],
    ];
    for (const [add, length, what] of adds) {
      const fill = (): void => {
        for (let count = 0; count < 1000; count += 1) add(count);
      };
      assert.throws(fill, { message: `pluto: out of memory: ${what}` });
      assert.ok(length() < 200);
    }
  } finally {
    limitCollections(Number.POSITIVE_INFINITY);
  }
});
