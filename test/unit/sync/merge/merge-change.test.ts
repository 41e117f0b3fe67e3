import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import type { Variant } from '../../../../src/roblox/values/variant.ts';
import { BaseStates } from '../../../../src/sync/base/base-state.ts';
import { mergeProperties, type MovedProperty } from '../../../../src/sync/merge/merge-change.ts';
import { mergeEntries } from '../../../../src/sync/merge/merge-values.ts';

const states = new BaseStates(nodeHasher);
const print = (value: Variant) => states.entries(value);
const attributes = (values: Readonly<Record<string, number>>): Variant => ({
  type: 'Attributes',
  value: new Map(Object.entries(values).map(([name, value]) => [name, { type: 'Float64', value }])),
});
const tags = (...value: readonly string[]): Variant => ({ type: 'Tags', value });
const base = (value: Variant) => print(value) ?? {};

const values = fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__'), fc.nat(2), { noNullPrototype: true });

test('keeps each attribute as the side that changed it has it, for both orders of the sides', () => {
  fc.assert(
    fc.property(values, values, values, (before, disk, studio) => {
      const merged = mergeEntries(base(attributes(before)), attributes(disk), attributes(studio), print);
      const mirrored = mergeEntries(base(attributes(before)), attributes(studio), attributes(disk), print);
      const names = new Set([before, disk, studio].flatMap(Object.keys));
      const of = (side: Readonly<Record<string, number>>, name: string) => new Map(Object.entries(side)).get(name);
      const isConflict = (name: string): boolean => {
        const [was, mine, theirs] = [of(before, name), of(disk, name), of(studio, name)];
        return mine !== theirs && mine !== was && theirs !== was;
      };
      if (Array.from(names).some(isConflict)) {
        assert.deepEqual([merged, mirrored], [undefined, undefined]);
        return;
      }
      assert.ok(merged?.type === 'Attributes' && mirrored?.type === 'Attributes');
      for (const name of names) {
        const [was, mine, theirs] = [of(before, name), of(disk, name), of(studio, name)];
        assert.equal(merged.value.get(name)?.value, mine === was ? theirs : mine, name);
        assert.equal(mirrored.value.get(name)?.value, mine === was ? theirs : mine, name);
      }
    }),
  );
});

test('merges tags that each side added or removed', () => {
  const merged = mergeEntries(base(tags('old', 'kept')), tags('kept', 'disk'), tags('old', 'kept', 'studio'), print);
  assert.deepEqual(merged, tags('kept', 'disk', 'studio'));
});

test('ignores attributes that Studio does not report when they changed on disk', () => {
  const merged = mergeEntries(
    base(attributes({ Speed: 1, RBX_Level: 7 })),
    attributes({ Speed: 1, RBX_Level: 8, Rojo_Id: 1 }),
    attributes({ Speed: 2 }),
    print,
  );
  assert.deepEqual(merged, attributes({ Speed: 2 }));
});

test('merges no values of different types', () => {
  assert.equal(mergeEntries({}, tags('a'), attributes({ a: 1 }), print), undefined);
  assert.equal(mergeEntries({}, { type: 'Bool', value: true }, { type: 'Bool', value: false }, print), undefined);
});

const moved = (name: string, onDisk: boolean, inStudio: boolean, isKnown = true): MovedProperty => ({
  name,
  isKnown,
  onDisk,
  inStudio,
  current: { String: 'studio' },
  incoming: { String: 'disk' },
});

test('takes each property from the side that changed it', () => {
  assert.deepEqual(mergeProperties([moved('A', true, false), moved('B', false, true)], { properties: {} }, print), {
    toStudio: { A: { String: 'disk' } },
    toDisk: { B: { String: 'studio' } },
    conflicts: [],
  });
});

test('reports properties that both or no sides changed, and those without a common value', () => {
  const properties = [moved('A', true, true), moved('B', false, false), moved('C', true, true, false)];
  assert.deepEqual(mergeProperties(properties, { properties: {} }, print).conflicts, ['A', 'B', 'C']);
});

test('merges tags that both sides added to an instance without tags', () => {
  const change = {
    ...moved('Tags', true, true, false),
    incoming: { Tags: ['disk'] },
    current: { Tags: ['studio'] },
  };
  const { toStudio, toDisk } = mergeProperties([change], { properties: {} }, print);
  assert.deepEqual(toStudio, { Tags: { Tags: ['disk', 'studio'] } });
  assert.deepEqual(toDisk, toStudio);
  assert.deepEqual(mergeProperties([change], undefined, print).conflicts, ['Tags']);
});
