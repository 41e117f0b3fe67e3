import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runToEnd } from '../../../src/base/time-slice.ts';
import { sortByName, sortServices } from '../../../src/game-view/sort-children.ts';

test('sorts any children by name and keeps the order of equal names', () => {
  const children = fc.array(fc.record({ name: fc.string({ maxLength: 2 }), id: fc.nat() }), { maxLength: 3000 });
  fc.assert(
    fc.property(children, given => {
      const key = ({ name }: { readonly name: string }): string => name.toLowerCase();
      const expected = given.toSorted((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0));
      assert.deepEqual(runToEnd(sortByName(given)), expected);
    }),
    { numRuns: 50 },
  );
});

test('lists services in the order of Studio, and others after them', () => {
  const services = ['Zebra', 'StarterGui', 'Workspace', 'Chat', 'Lighting'].map(name => ({ name, className: name }));
  assert.deepEqual(
    sortServices(services).map(({ name }) => name),
    ['Workspace', 'Lighting', 'StarterGui', 'Chat', 'Zebra'],
  );
});
