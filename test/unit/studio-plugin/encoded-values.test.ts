import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
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
  test(`an encoded ${name} survives the way through the plugin`, () => {
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
