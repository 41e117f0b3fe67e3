import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TextBlocks } from '../../../../src/base/text-blocks.ts';
import { ScriptProperties } from '../../../../src/roblox/instances/script-properties.ts';
import type { Variant } from '../../../../src/roblox/values/variant.ts';

const source: Variant = { type: 'String', value: 'return "ü"\n' };
const runContext: Variant = { type: 'Enum', value: 0 };

const cases: readonly (readonly [string, number | undefined, ReadonlyMap<string, Variant>])[] = [
  ['a Source alone', undefined, new Map([['Source', source]])],
  [
    'a Source and a RunContext of number 0',
    0,
    new Map<string, Variant>([
      ['Source', source],
      ['RunContext', runContext],
    ]),
  ],
];

for (const [name, number, plain] of cases)
  test(`reads the properties of a script file like any map: ${name}`, () => {
    const properties = new ScriptProperties(new TextBlocks().store('return "ü"\n'), number);
    assert.deepEqual(new Map(properties), plain);
    assert.equal(properties.size, plain.size);
    assert.deepEqual(Array.from(properties.keys()), Array.from(plain.keys()));
    assert.deepEqual(Array.from(properties.values()), Array.from(plain.values()));
    assert.deepEqual(Array.from(properties.entries()), Array.from(plain.entries()));
    for (const key of ['Source', 'RunContext', 'Disabled']) {
      assert.deepEqual(properties.get(key), plain.get(key));
      assert.equal(properties.has(key), plain.has(key));
    }
    const seen: (readonly [string, Variant])[] = [];
    properties.forEach((value, key, map) => {
      assert.equal(map, properties);
      seen.push([key, value]);
    });
    assert.deepEqual(seen, Array.from(plain));
  });
