import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFileProperties, writeFileProperties } from '../../../../src/roblox/formats/file-properties.ts';
import { readXmlModel } from '../../../../src/roblox/formats/rbxmx/read.ts';
import type { Variant } from '../../../../src/roblox/values/variant.ts';
import { reflection } from '../../../harness/reflection.ts';

function propertiesOf(className: string, xml: string): ReadonlyMap<string, Variant> {
  const read = readXmlModel(
    `<roblox version="4"><Item class="${className}" referent="1"><Properties>${xml}</Properties></Item></roblox>`,
    reflection,
  );
  assert.ok(read.ok, read.ok ? '' : read.error);
  const [root] = read.value.roots;
  assert.ok(root);
  return root.properties;
}

test('reads a Font without a weight as Regular', () => {
  const xml = '<Font name="FontFace"><Family><url>rbxasset://a.json</url></Family><Style>Italic</Style></Font>';
  assert.deepEqual(propertiesOf('TextLabel', xml).get('FontFace'), {
    type: 'Font',
    value: { family: 'rbxasset://a.json', weight: 'Regular', style: 'Italic' },
  });
});

test('keeps the blanks of a content id', () => {
  const xml = '<Content name="SomeId">rbxassetid://1 </Content><Content name="Nothing">\n  </Content>';
  const properties = propertiesOf('Folder', xml);
  assert.deepEqual(properties.get('SomeId')?.value, 'rbxassetid://1 ');
  assert.deepEqual(properties.get('Nothing')?.value, '');
});

test('adds no missing corner to a file that has the other corners and the old radius', () => {
  const radius = (offset: number): Variant => ({ type: 'UDim', value: [0, offset] });
  const given = new Map([
    ['CornerRadius', radius(8)],
    ['TopLeftRadius', radius(8)],
    ['TopRightRadius', radius(8)],
  ]);
  const names = ['TopLeftRadius', 'TopRightRadius'];
  assert.deepEqual(Array.from(readFileProperties(reflection, 'UICorner', given).keys()).toSorted(), names);
  assert.deepEqual(
    writeFileProperties(reflection, 'UICorner', given).map(([name]) => name),
    names,
  );
  const old = new Map([['CornerRadius', radius(8)]]);
  assert.equal(readFileProperties(reflection, 'UICorner', old).size, 4);
});
