import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { areVariantsEqual } from '../../../src/roblox/instances/equality.ts';
import type { Variant } from '../../../src/roblox/values/variant.ts';
import { variantFromWire } from '../../../src/roblox/values/variant-wire.ts';
import { startPlace } from './start-place.ts';

const file = new URL('../../fixtures/wire/all-values.json', import.meta.url);
const examples = JSON.parse(await readFile(file, 'utf8')) as Readonly<Record<string, { readonly value: object }>>;
const vm = await startPlace();

/** The encoded value after the plugin has made a Roblox value of it and encoded that again. */
function roundTrip(encoded: object): unknown {
  const [type] = Object.keys(encoded);
  const [decoded, value] = vm.run(
    `local codec = require("@plugin/core/codec")
    local ok, value = codec.decode(args[1])
    if not ok then return false, value end
    return codec.encode(args[2], value)`,
    'chunk',
    encoded as never,
    type!,
  );
  return decoded === true ? value : `refused: ${JSON.stringify(value)}`;
}

for (const [name, { value }] of Object.entries(examples)) {
  if (name === 'OptionalCFrame-None') continue; // No value has no encoded form in Luau; the codec's own tests say so.
  test(`an encoded ${name} is unchanged after the plugin decodes and encodes it`, () => {
    const there = variantFromWire(value);
    const back = variantFromWire(roundTrip(value));
    assert.ok(there.ok);
    if (!back.ok) assert.fail(back.error);
    assert.deepEqual(comparable(back.value), comparable(there.value));
  });
}

/** Luau shows no `cachedFaceId` of a font, and the order of tags says nothing. */
function comparable(variant: Variant): Variant {
  if (variant.type === 'Tags') return { ...variant, value: variant.value.toSorted() };
  if (variant.type !== 'Font') return variant;
  const { family, weight, style } = variant.value;
  return { type: 'Font', value: { family, weight, style } };
}

/** Whether the plugin compares two encoded values as equal; `undefined` if it has no value of that type. */
function equalInPlugin(a: object, b: object): boolean | undefined {
  const [type] = Object.keys(a);
  const [areDecoded, equal] = vm.run(
    `local codec = require("@plugin/core/codec")
    local leftOk, left = codec.decode(args[1])
    local rightOk, right = codec.decode(args[2])
    if not (leftOk and rightOk) then return false, false end
    return true, require("@plugin/core/equal").ofType(args[3], left, right)`,
    'chunk',
    a as never,
    b as never,
    type!,
  );
  return areDecoded === true ? equal === true : undefined;
}

/** The encoded value with every number changed. */
const withNumbers = (value: unknown, change: (number: number) => number): unknown =>
  JSON.parse(JSON.stringify(value), (_key, item: unknown) => (typeof item === 'number' ? change(item) : item));

const nudges: readonly (readonly [string, (number: number) => number])[] = [
  ['itself', number => number],
  ['numbers that are 0.00001 larger', number => number + 0.00001],
  ['numbers that are 1 larger', number => number + 1],
  ['numbers that are 0.005 % larger', number => number * 1.00005],
];

for (const [name, { value }] of Object.entries(examples))
  for (const [what, change] of nudges)
    test(`the plugin compares ${name} with ${what} as the bridge does`, t => {
      const other = withNumbers(value, change) as object;
      const [left, right] = [variantFromWire(value), variantFromWire(other)];
      const found = left.ok && right.ok ? equalInPlugin(value, other) : undefined;
      if (!left.ok || !right.ok || found === undefined) return t.diagnostic('not a value of this type');
      assert.equal(found, areVariantsEqual(left.value, right.value));
    });
