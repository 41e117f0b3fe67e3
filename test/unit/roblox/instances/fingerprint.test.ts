import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import type { Ref } from '../../../../src/base/brand.ts';
import { areVariantsIdentical } from '../../../../src/roblox/instances/equality.ts';
import { variantFingerprint } from '../../../../src/roblox/instances/fingerprint.ts';
import type { Variant } from '../../../../src/roblox/values/variant.ts';
import { variantFromWire, variantToWire } from '../../../../src/roblox/values/variant-wire.ts';
import { anyVariant } from '../values/arbitrary-variant.ts';

const print = (variant: Variant): string => variantFingerprint(variant, nodeHasher, ref => ref);

test('keeps the fingerprint of a value that was sent and received', () => {
  fc.assert(
    fc.property(anyVariant, variant => {
      const again = variantFromWire(variantToWire(variant));
      assert.ok(again.ok);
      if (areVariantsIdentical(again.value, variant)) assert.equal(print(again.value), print(variant));
    }),
  );
});

test('has the same fingerprint for close floats only', () => {
  const float = (value: number): string => print({ type: 'Float32', value });
  assert.equal(float(0.3), float(Math.fround(0.3)));
  assert.notEqual(float(0.3), float(0.301));
  assert.notEqual(float(100_000), float(100_001));
  assert.equal(
    print({ type: 'Vector3', value: [0, 5, 0.1] }),
    print({ type: 'Vector3', value: [0, 5, Math.fround(0.1)] }),
  );
});

test('ignores the order of tags and attributes, and distinguishes types', () => {
  assert.equal(print({ type: 'Tags', value: ['a', 'b'] }), print({ type: 'Tags', value: ['b', 'a'] }));
  const attributes = (names: readonly string[]): Variant => ({
    type: 'Attributes',
    value: new Map(names.map(name => [name, { type: 'Bool', value: true }])),
  });
  assert.equal(print(attributes(['x', 'y'])), print(attributes(['y', 'x'])));
  assert.notEqual(print({ type: 'Int32', value: 1 }), print({ type: 'Float64', value: 1 }));
});

test('uses the path of a reference, not its id', () => {
  const to = (ref: string, name: string): string =>
    variantFingerprint({ type: 'Ref', value: ref as Ref }, nodeHasher, () => name);
  assert.equal(to('1', 'Workspace/A'), to('2', 'Workspace/A'));
  assert.notEqual(to('1', 'Workspace/A'), to('1', 'Workspace/B'));
});
