import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PropertyType } from '../../../src/roblox/values/property-type.ts';
import { propertyTypes } from '../../../src/roblox/values/property-types.ts';
import { startPlace } from './start-place.ts';

const vm = await startPlace();

/** The sorted keys of a table that a Luau module returns. */
function luauKeys(module: string, member: string): readonly string[] {
  const [keys] = vm.run(
    'local keys = {} for key in require(args[1])[args[2]] do table.insert(keys, key) end table.sort(keys) return keys',
    'chunk',
    module,
    member,
  ) as unknown as [string[]];
  return keys;
}

type Types = Readonly<Record<string, Pick<PropertyType<never>, 'plugin'>>>;
const namesOf = (types: Types, uses: readonly string[]): readonly string[] =>
  Object.keys(types)
    .filter(name => uses.includes(types[name]!.plugin))
    .toSorted();

const [headlessTypes] = vm.run('return require(args[1]).types', 'chunk', '@headless/place/variant') as unknown as [
  string[],
];
const sides: readonly { readonly side: string; readonly luau: readonly string[]; readonly uses: readonly string[] }[] =
  [
    { side: 'the decoders of the plugin', luau: luauKeys('@plugin/core/codec/decoders', 'byType'), uses: ['codec'] },
    { side: 'the encoders of the plugin', luau: luauKeys('@plugin/core/codec/encoders', 'byType'), uses: ['codec'] },
    { side: 'the place of headless Studio', luau: headlessTypes, uses: ['codec', 'instance', 'none'] },
  ];

/** The types that one of both sides lacks. */
function differences(types: Types, luau: readonly string[], uses: readonly string[]): readonly string[] {
  const names = namesOf(types, uses);
  return [...names.filter(name => !luau.includes(name)), ...luau.filter(name => !names.includes(name))];
}

for (const { side, luau, uses } of sides) {
  test(`finds every property type in ${side}`, () => assert.deepEqual(differences(propertyTypes, luau, uses), []));

  test(`reports a property type that ${side} or TypeScript lacks`, () => {
    assert.deepEqual(differences({ ...propertyTypes, Planted: { plugin: 'codec' } }, luau, uses), ['Planted']);
    assert.deepEqual(differences(propertyTypes, [...luau, 'Planted'], uses), ['Planted']);
  });
}
